"""Whole boards against brute force with ==; laws of all boards; closed forms."""

import time
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import assume, example, given, strategies as st

from satsweep import Board, Budget, BudgetExceeded, Cell, Contradiction, analyse
from satsweep.analysis.analysis import Analysis
from satsweep.solver.engines import ENGINES
from satsweep.topology import Topology, graph_topology
from tests import strategies
from tests.brute_force import touching, truth, worlds
from tests.strategies import arbitrary_boards, boards, nearly_true_boards, parts, unreliable_boards, wrong_parts

every_engine = pytest.mark.parametrize("engine", ENGINES)


def risks(analysis: Analysis) -> dict[Cell, Fraction]:
    """Every known risk, by its cell."""
    return {cell: risk for cell in analysis.board if (risk := analysis.risks[cell.row][cell.col]) is not None}


def check_against_truth(board: Board, analysis: Analysis) -> None:
    """Everything an analysis says, against brute force."""
    answer = truth(board)
    assert answer is not None
    assert analysis.complete and analysis.unknown == ()
    assert analysis.worlds == answer.worlds
    assert analysis.weight == answer.weight
    assert risks(analysis) == answer.risk == {cell: analysis.risk(cell) for cell in board.covered}
    assert analysis.safe == answer.safe
    assert analysis.mines == answer.mines
    assert (analysis.best is None) == (answer.best is None)
    if analysis.best is not None:
        # With a mine total so few worlds are searched to the end of the game, and a greater risk may be better.
        searched = board.mines is not None and not answer.safe
        assert answer.risk[analysis.best] < 1 if searched else answer.risk[analysis.best] == analysis.least_risk
    assert analysis.least_risk == min(answer.risk.values(), default=None)
    assert analysis.safest == tuple(cell for cell in board.covered if answer.risk[cell] == analysis.least_risk)
    levels = analysis.cells_by_risk
    assert {cell: risk for risk, cells in levels.items() for cell in cells} == answer.risk
    assert all(cells and cells == tuple(sorted(cells)) for cells in levels.values())
    assert analysis.expected_mines == answer.expected_mines
    assert analysis.frontier_mines == answer.frontier_mines


# --- brute force ---------------------------------------------------------------------------------------------


@every_engine
@given(board=boards() | parts())
@example(board=Board(("#1###1#",), mines=2))  # three cells between two numbers that take both mines
@example(board=Board(("#1#1#1###",), mines=2))  # 0,2 serves two numbers, nothing is left for the sea
@example(board=Board(("#2#####",), mines=6))  # as many mines as cells
@example(board=Board(("#1#1#",), mines=1))  # the total tells which half of a chain
@example(board=Board(("1*", "11"), density="1/3"))
def test_boards_seen_from_a_layout(engine: str, board: Board) -> None:
    analysis = analyse(board, engine=engine)
    assert analysis.engine == engine
    check_against_truth(board, analysis)


@pytest.mark.extended
@every_engine
@given(board=unreliable_boards())
def test_boards_with_unreliable_clues(engine: str, board: Board) -> None:
    check_against_truth(board, analyse(board, engine=engine))


@every_engine
@given(
    board=st.one_of(arbitrary_boards(), arbitrary_boards(symbols="#####.1112223*"), nearly_true_boards(), wrong_parts())
)
@example(board=Board(("11", "11")))  # wrong numbers that touch no covered cell
@example(board=Board(("2*", "11"), mines=1))
@example(board=Board(("..*#####",), mines=3))
@example(board=Board(("2*", "*2"), mines=3))  # a total that the known mines are not
@example(board=Board(("*#",), mines=0))
def test_boards_that_may_contradict_themselves(engine: str, board: Board) -> None:
    """Contradiction exactly where no world is left, with numbers that suffice for it."""
    try:
        analysis = analyse(board, engine=engine)
    except Contradiction as error:
        assert truth(board) is None
        assert error.clues or error.total
        clues = [clue for clue in error.clues if isinstance(clue, Cell)]
        assert len(clues) == len(error.clues) and all(board.number(cell) is not None for cell in clues)
        assert error.total == bool(worlds(board, total=False)), "the total is to blame only if the numbers are not"
        assert worlds(board, numbers=clues, total=error.total) == {}
        if not error.total:
            for cell in clues[:12]:
                assert f"{board.number(cell)} at {cell.row},{cell.col}" in str(error)
    else:
        check_against_truth(board, analysis)


# --- laws ------------------------------------------------------------------------------------------------------


def check_moved(board: Board, other: Board, where: dict[Cell, Cell]) -> None:
    here, there = analyse(board), analyse(other)
    assert there.worlds == here.worlds
    assert there.weight == here.weight
    assert risks(there) == {where[cell]: risk for cell, risk in risks(here).items()}
    assert there.frontier_mines == here.frontier_mines


either = st.one_of(boards(max_covered=30, max_cells=42), unreliable_boards(max_covered=20))


@given(either, st.data())
def test_only_who_touches_whom_matters(board: Board, data: st.DataObject) -> None:
    """Any board is one on a graph, whose cells may stand in any order; so all symmetries of a grid hold."""
    edges = [(cell, other) for cell in board for other in touching(board, cell) if cell < other]
    assume(edges)
    where = dict(zip(board, data.draw(st.permutations(tuple(board))), strict=True))
    index = {cell: row * board.cols + col for cell, (row, col) in where.items()}
    graph = graph_topology((index[cell], index[other]) for cell, other in edges)
    check_moved(board, rearranged(board, where, graph), where)


def rearranged(board: Board, where: dict[Cell, Cell], topology: Topology | None = None) -> Board:
    """The board with every symbol somewhere else, perhaps on another topology."""
    came = {there: here for here, there in where.items()}
    grid = ("".join(board[came[Cell(row, col)]] for col in range(board.cols)) for row in range(board.rows))
    return replace(board, cells=tuple(grid), topology=topology or board.topology)


def count_worlds(board: Board) -> int:
    try:
        worlds = analyse(board).worlds
    except Contradiction:
        return 0
    assert worlds is not None
    return worlds


@given(boards(max_covered=30, max_cells=42), st.data())
def test_the_tower_law(board: Board, data: st.DataObject) -> None:
    """The worlds of a board are those of its boards one step later.

    worlds(B) = worlds in which c is a mine + sum over v of worlds(B with c opened as v). The three priors are alike,
    since worlds are not weighted; and the first part over the whole is, without a density, the risk.
    """
    assume(board.covered)
    board = replace(board, density=None)
    cell = data.draw(st.sampled_from(board.covered))
    mined = count_worlds(board.with_exploded([cell]))
    opened = [count_worlds(board.with_opened({cell: value})) for value in range(len(touching(board, cell)) + 1)]
    assert count_worlds(board) == mined + sum(opened)
    assert analyse(board).risk(cell) == Fraction(mined, mined + sum(opened))


@given(boards(max_covered=30, max_cells=42))
def test_totals_partition_the_worlds_without_a_total(board: Board) -> None:
    free = Board(board.cells, topology=board.topology)
    totals = range(board.rows * board.cols + 1)
    assert count_worlds(free) == sum(
        count_worlds(Board(board.cells, mines=mines, topology=board.topology)) for mines in totals
    )


@given(strategies.layouts(max_cells=42), st.data())
def test_the_truth_is_never_excluded(layout: strategies.Layout, data: st.DataObject) -> None:
    """The true layout is a world: no mine is called safe, no safe cell a mine."""
    cells = [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    board = layout.board(data.draw(st.sets(st.sampled_from(cells))))
    analysis = analyse(board)
    assert not any(map(layout.is_mine, analysis.safe))
    assert all(map(layout.is_mine, analysis.mines))


# --- budgets ---------------------------------------------------------------------------------------------------


@every_engine
@given(board=boards(max_covered=24, max_cells=42))
@example(board=Board(("#1#1###",), mines=1))
@example(board=Board(("#1#1###",), mines=4))
@example(board=Board(("#1#1##1#1#",), mines=2))
@example(board=Board(("#1#1##1#1#",), mines=3))
@example(board=Board(("####*#*#", "#22#*7*#", "####*#*#"), mines=9))
@example(board=Board(("####*#*#", "#22#*7*#", "####*#*#"), mines=14))
def test_without_a_single_state_all_forced_cells_are_there(engine: str, board: Board) -> None:
    """Cells that only the total forces included; risks that are given are exact."""
    full, poor = analyse(board), analyse(board, engine=engine, budget=Budget(states=0))
    assert poor.safe == full.safe
    assert poor.mines == full.mines
    assert set(poor.unknown) == set(board.covered) - set(risks(poor))
    assert risks(poor).items() <= risks(full).items()
    assert poor.complete == (not poor.unknown)
    assert poor.worlds in (None, full.worlds)
    assert poor.expected_mines in (None, full.expected_mines)
    assert poor.frontier_mines in (None, full.frontier_mines)
    for cell in poor.unknown:
        with pytest.raises(BudgetExceeded):
            poor.risk(cell)


@given(boards(max_covered=24, max_cells=42), st.integers(1, 12))
def test_some_states_finish_some_components(board: Board, states: int) -> None:
    full, poor = analyse(board), analyse(board, engine="elimination", budget=Budget(states=states))
    assert (poor.safe, poor.mines) == (full.safe, full.mines)
    assert risks(poor).items() <= risks(full).items()
    assert poor.worlds in (None, full.worlds)


@given(nearly_true_boards() | wrong_parts())
def test_contradictions_need_no_budget(board: Board) -> None:
    """An impossible total is told from a possible one without counting, too."""
    if truth(board) is None:
        with pytest.raises(Contradiction):
            analyse(board, budget=Budget(states=0))
    else:
        analyse(board, budget=Budget(states=0))


def test_without_a_total_components_do_not_wait_for_each_other() -> None:
    """Giving up a count leaves the risks of other components and of the sea alone."""
    # Left three placements (0, 1 or 2 mines on the four cells that touch both numbers), in the middle one, then a sea.
    board = Board(("####*#*#", "#22#*7*#", "####*#*#"))
    full, poor = analyse(board), analyse(board, engine="sat", budget=Budget(states=2))
    assert full.complete and not poor.complete
    assert poor.unknown == tuple(cell for cell in board.covered if cell.col < 4)
    assert risks(poor).items() <= risks(full).items() and len(risks(poor)) == 2 + 3
    assert poor.worlds is None and poor.weight is None
    assert poor.expected_mines is None and poor.frontier_mines is None
    assert poor.best == Cell(0, 5)


def test_beside_an_uncounted_component_nothing_is_known_of_the_sea() -> None:
    """With a total they compete for the mines.

    The middle component holds one mine either way.
    """
    board = Board(("####*#*#", "#22#*7*#", "####*#*#"), mines=11)
    full, poor = analyse(board), analyse(board, engine="sat", budget=Budget(states=2))
    assert set(risks(poor)) == {Cell(0, 5), Cell(2, 5)} and risks(poor).items() <= risks(full).items()
    assert poor.expected_mines == full.expected_mines == 11 - 6
    with pytest.raises(BudgetExceeded):
        poor.risk((0, 7))


def test_every_risk_known_without_counting_means_the_worlds_are_known() -> None:
    """The total forces all three cells, so there is one world, under any budget."""
    analysis = analyse(Board(("#1#1#",), mines=1), budget=Budget(states=0))
    assert analysis.safe == (Cell(0, 0), Cell(0, 4)) and analysis.mines == (Cell(0, 2),)
    assert analysis.complete
    assert analysis.worlds == 1


def test_seconds_may_be_given_as_a_number() -> None:
    board = Board(("##1.", "##21", "####"), mines=3)
    assert analyse(board, budget=60.0).worlds == 12
    assert analyse(board, budget=0).safe == (Cell(2, 1),)


# --- closed forms ----------------------------------------------------------------------------------------------


@every_engine
def test_one_cell(engine: str) -> None:
    covered = analyse(Board(("#",)), engine=engine)
    assert (covered.worlds, covered.risks, covered.best) == (2, ((Fraction(1, 2),),), Cell(0, 0))
    safe = analyse(Board(("#",), mines=0), engine=engine)
    assert (safe.worlds, safe.safe, safe.best) == (1, (Cell(0, 0),), Cell(0, 0))
    mine = analyse(Board(("#",), mines=1), engine=engine)
    assert (mine.worlds, mine.mines, mine.best) == (1, (Cell(0, 0),), None)
    likely = analyse(Board(("#",), density="0.9"), engine=engine)
    assert (likely.worlds, likely.weight, likely.risks) == (2, 1, ((Fraction(9, 10),),))


@pytest.mark.extended
@pytest.mark.parametrize("mines", [0, 1, 8_000, 39_999, 40_000])
def test_a_huge_fresh_board_at_once(mines: int) -> None:
    board = Board(("#" * 200,) * 200, mines=mines)
    start = time.process_time()
    analysis = analyse(board)
    assert analysis.worlds == comb(40_000, mines)
    assert analysis.risk((7, 7)) == Fraction(mines, 40_000) == analysis.risks[199][199]
    assert time.process_time() - start < 3  # of processor time; about 0.1 s


@pytest.mark.parametrize("density", ["1/5", "0.99", "1e-9"])
def test_a_fresh_board_with_a_density(density: str) -> None:
    analysis = analyse(Board(("#####",) * 5, density=density))
    assert analysis.worlds == 2**25 and analysis.weight == 1
    assert set(risks(analysis).values()) == {Fraction(density)}
    assert analysis.expected_mines == 25 * Fraction(density)


@pytest.mark.parametrize("number", range(9))
def test_one_number_amid_a_fresh_board(number: int) -> None:
    """A number amid 7x7 with 10 mines: C(8, n) C(40, 10 - n) worlds."""
    rows = ["#" * 7] * 3 + [f"###{number}###"] + ["#" * 7] * 3
    analysis = analyse(Board(rows, mines=10))
    assert analysis.worlds == comb(8, number) * comb(40, 10 - number)
    assert analysis.risk((2, 2)) == Fraction(number, 8)
    assert analysis.risk((0, 0)) == Fraction(10 - number, 40)
    assert analysis.frontier_mines == {number: 1}


@every_engine
@pytest.mark.parametrize("length", [3, 5, 41])
def test_a_row_of_ones_alternates(engine: str, length: int) -> None:
    """#1#1#1#...: mines on every second covered cell, so two worlds.

    The total decides between them.
    """
    row = "#1" * (length // 2) + "#"
    covered = length // 2 + 1
    analysis = analyse(Board((row,)), engine=engine)
    assert analysis.worlds == 2 and set(risks(analysis).values()) == {Fraction(1, 2)}
    first, second = -(-covered // 2), covered // 2
    for mines in {first, second}:
        assert analyse(Board((row,), mines=mines), engine=engine).worlds == (2 if first == second else 1)
    with pytest.raises(Contradiction):
        analyse(Board((row,), mines=first + 1), engine=engine)


@pytest.mark.parametrize(("rows", "cols"), [(3, 5), (5, 6), (8, 9), (9, 12), (4, 10)])
@given(data=st.data())
def test_an_open_chessboard_has_one_world(rows: int, cols: int, data: st.DataObject) -> None:
    """Open black cells settle the white ones if rows + 1 and cols + 1 are coprime.

    German and Lakshtanov, "Minesweeper" without a computer, 2008 (arXiv:0806.3480): a black cell touches white ones
    along rows and columns only, and the adjacency matrix of a grid is regular exactly then.
    """
    white = [(row, col) for row, col in product(range(rows), range(cols)) if (row + col) % 2]
    mines = data.draw(st.sets(st.sampled_from(white)))
    grid = ["".join(".*"[(row, col) in mines] for col in range(cols)) for row in range(rows)]
    layout = strategies.Layout(grid)
    black = [(row, col) for row, col in product(range(rows), range(cols)) if not (row + col) % 2]
    analysis = analyse(layout.board(black, tells_total=False))
    assert analysis.worlds == 1
    assert set(analysis.mines) == mines


# --- the interface ---------------------------------------------------------------------------------------------

SMALL = Board(("##1.", "#F21", "####"), mines=3)


@pytest.mark.parametrize("cell", [(0, 2), (0, 3), (-1, 0), (0, -1), (3, 0), (0, 4), (-1, 4), (99, 99)])
def test_only_covered_cells_have_a_risk(cell: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"expected a covered cell, found row {cell[0]}, column {cell[1]}"):
        analyse(SMALL).risk(cell)


def test_a_flag_is_a_covered_cell() -> None:
    assert analyse(SMALL).risks == analyse(Board(("##1.", "##21", "####"), mines=3)).risks


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(ValueError, match="found 'magic'"):
        analyse(SMALL, engine="magic")


def test_an_analysis_tells_how_it_was_made() -> None:
    analysis = analyse(SMALL, engine="sat")
    assert {work.engine for work in analysis.work} == {"sat"}
    assert list(analysis.seconds) == ["frontier", "propagate", "components", "backbone", "count", "combine"]
    assert all(seconds >= 0 for seconds in analysis.seconds.values())
    assert repr(SMALL) in repr(analysis)


@every_engine
def test_an_analysis_is_the_same_every_time(engine: str) -> None:
    board = Board(("####1#####", "##3#2##2##", "####1#####"), mines=9)
    first, second = (analyse(board, engine=engine) for _ in range(2))
    assert (first.risks, first.worlds, first.work) == (second.risks, second.worlds, second.work)
