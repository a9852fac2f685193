"""Explanations and conflicts hold, are minimal, and smallest where they say so."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, combinations, islice, product
from random import Random

import pytest
from hypothesis import assume, example, given, strategies as st

from satsweep import Board, BoardError, Cell, Contradiction, analyse
from satsweep.part import WHOLE
from satsweep.why.explainer import Explainer, conflict, explain
from satsweep.why.minimal import reasons
from satsweep.why.values import Conflict, Correction, Explanation, Undecided
from tests import brute_force as oracle
from tests.solver.test_corpora import EXPERT, HARD, corpus
from tests.strategies import arbitrary_boards, boards, clue_models, parts, unreliable_boards, wrong_parts

impossible_boards = st.one_of(
    arbitrary_boards(max_cells=12),
    wrong_parts(),
    st.builds(lambda board, clues: replace(board, clues=clues), arbitrary_boards(max_cells=12), clue_models),
)
"""Boards of all clue models, most of which are impossible."""


def forces(board: Board, cell: Cell, mine: bool, clues: Iterable[Cell], total: bool) -> bool:
    """Return whether clues force a cell, by trying every layout."""
    return all((cell in world) == mine for world in oracle.worlds(board, numbers=list(clues), total=total))


def without_each(clues: tuple[Cell, ...]) -> list[tuple[Cell, ...]]:
    return list(combinations(clues, len(clues) - 1)) if clues else []


def plain(board: Board) -> Board:
    """Return the board without a density, which forces nothing."""
    return replace(board, density=None)


def numbers(board: Board) -> list[Cell]:
    """Return the cells that show a number, of any size."""
    return oracle.cells_showing(board, "." + oracle.NUMBERS)


@pytest.mark.extended
@given(st.one_of(boards(), unreliable_boards(max_covered=8), parts()))
def test_every_forced_cell_has_an_explanation(board: Board) -> None:
    board = plain(board)
    truth = oracle.truth(board)
    assert truth is not None
    with Explainer(board) as explainer:
        found = {(explanation.cell, explanation.mine): explanation for explanation in explainer.all()}
    assert set(found) == {(cell, False) for cell in truth.safe} | {(cell, True) for cell in truth.mines}
    for (cell, mine), explanation in found.items():
        assert forces(board, cell, mine, explanation.clues, explanation.total)
        for fewer in without_each(explanation.clues):
            assert not forces(board, cell, mine, fewer, explanation.total), "a clue could be spared"
        if explanation.total:
            everything = numbers(board)
            assert not forces(board, cell, mine, everything, False), "the total could be spared"


@given(st.one_of(boards(max_covered=8, max_cells=16), unreliable_boards(max_covered=8, max_cells=16), parts(9)))
def test_smallest_explanations(board: Board) -> None:
    board = plain(board)
    everything = numbers(board)
    with Explainer(board) as explainer:
        for explanation in explainer.all():
            if explanation.smallest and explanation.clues:
                for fewer in combinations(everything, len(explanation.clues) - 1):
                    assert not forces(board, explanation.cell, explanation.mine, fewer, explanation.total)
            else:
                assert explanation.total, "without the total small boards are within the budget"


def test_a_search_that_ended_early_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(("##1.", "##21", "####"))
    monkeypatch.setattr(reasons, "MOST_TESTS", 0)
    with Explainer(board) as explainer:
        assert [len(found.clues) for found in explainer.all() if not found.smallest]


@given(st.one_of(boards(max_covered=10), unreliable_boards(max_covered=8), parts()))
def test_undecided_cells_have_two_worlds(board: Board) -> None:
    board = plain(board)
    truth = oracle.truth(board)
    assert truth is not None
    covered = oracle.cells_showing(board, "#F")
    every = {world.intersection(covered) for world in oracle.worlds(board)}
    for cell in covered:
        found = explain(board, cell)
        if cell in truth.safe or cell in truth.mines:
            assert isinstance(found, Explanation)
            continue
        assert isinstance(found, Undecided)
        assert found.risk == truth.risk[cell]
        for layout, mine in ((found.mined, True), (found.safe, False)):
            world = frozenset(other for other in covered if layout.is_mine(other))
            assert layout.is_mine(cell) == mine
            assert world in every


@given(impossible_boards)
@example(Board((".#11",)))  # the smaller conflict is in another part of the board
def test_impossible_boards_have_a_minimal_conflict(board: Board) -> None:
    board = plain(board)
    assume(len(oracle.covered_cells(board)) <= 10)
    found = conflict(board)
    possible = bool(oracle.worlds(board))
    assert (found is None) == possible
    if found is None:
        return
    assert not oracle.worlds(board, numbers=found.clues, total=found.total)
    for fewer in without_each(found.clues):
        assert oracle.worlds(board, numbers=fewer, total=found.total)
    everything = numbers(board)
    if found.total:
        assert oracle.worlds(board, total=False), "the total could be spared"
    if found.smallest and found.clues:
        for fewer in combinations(everything, len(found.clues) - 1):
            assert oracle.worlds(board, numbers=fewer, total=found.total)
    check_corrections(board, found)
    larger = replace(board, part=board.part or board.topology.sides)
    if board.part or not larger.part:
        assert found.as_part == WHOLE
    elif len(oracle.covered_cells(larger)) <= 14:
        assert found.as_part == (larger.part if oracle.worlds(larger) else WHOLE)


def check_corrections(board: Board, found: Conflict) -> None:
    """Check that corrections are all single changes that make the board possible."""
    expected: set[tuple[Cell, int | None]] = set()
    for cell in numbers(board):
        cap = board.clues.cap or 0
        for instead in range(max(len(oracle.touching(board, cell)), cap) + 1):
            changed = with_symbol(board, cell, oracle.NUMBERS[instead])
            if instead != board.number(cell) and oracle.worlds(changed):
                expected.add((cell, instead))
    covered = {cell for cell in board if board[cell] != "#" and oracle.worlds(with_symbol(board, cell, "#"))}
    expected |= {(cell, None) for cell in covered if board[cell] == "*"}
    totals = [one.instead for one in found.corrections if one.cell is None and one.instead is not None]
    if found.total:
        assert board.mines is not None
        least = board.symbols.count("*")
        every = range(least, len(board.symbols) + len(board.unseen) + 1)
        possible = [mines for mines in every if oracle.worlds(replace(board, mines=mines))]
        below, above = ([mines for mines in possible if mines * sign > board.mines * sign] for sign in (-1, 1))
        assert sorted(totals) == [*below[-1:], *above[:1]], "the nearest totals"
    if not expected and not totals:
        expected = {(cell, None) for cell in covered}
    assert {(one.cell, one.instead) for one in found.corrections if one.cell} == expected
    steps = [1 if one.instead is None else abs(one.instead - (one.shown or 0)) for one in found.corrections]
    assert steps == sorted(steps), "the nearest come first"
    for one in found.corrections:
        if one.cell is None:
            assert one.instead is not None
            assert oracle.worlds(replace(board, mines=one.instead))


def with_symbol(board: Board, cell: Cell, symbol: str) -> Board:
    rows = [list(row) for row in board.cells]
    rows[cell.row][cell.col] = symbol
    return replace(board, cells=tuple("".join(row) for row in rows))


def changed_boards(count: int, seed: int) -> list[tuple[Board, Cell, int]]:
    """Return impossible expert positions: board, cell with an error, true number."""
    rng = Random(seed)
    found: list[tuple[Board, Cell, int]] = []
    while len(found) < count:
        board = corpus("positions_expert")[rng.choice(EXPERT)]
        cell = rng.choice([cell for cell in board if board.number(cell) is not None])
        true = board.number(cell)
        assert true is not None
        wrong = rng.choice([number for number in range(len(board.neighbours(cell)) + 1) if number != true])
        changed = with_symbol(board, cell, oracle.NUMBERS[wrong])
        try:
            analyse(changed)
        except Contradiction:
            found.append((changed, cell, true))
    return found


def test_no_single_change_is_said_only_where_each_was_tried() -> None:
    """Of small boards with known mines, each cell is shown in every other way, and the total is any."""
    cells, said = [Cell(row, col) for row in range(2) for col in range(3)], 0
    shows = ("#*?.123", "#*?.12345", "#*?.123")
    for shown in islice(product("#*?.12", repeat=5), 0, None, 93):
        board = Board(("".join(shown[:3]), "".join(shown[3:]) + "."), mines=2)
        if shown.count("*") > 2 or (found := conflict(board)) is None:
            continue
        changed = (with_symbol(board, cell, symbol) for cell in cells for symbol in shows[cell.col])
        totals = (replace(board, mines=mines) for mines in range(shown.count("*"), 7))
        allowed = (one for one in chain(changed, totals) if one.symbols.count("*") <= (one.mines or 0))
        assert bool(found.corrections) == any(map(oracle.worlds, allowed)), board
        said += not found.corrections
    assert said > 12


@pytest.mark.extended
@pytest.mark.parametrize("part", range(4))
def test_one_wrong_number_on_an_expert_board(part: int) -> None:
    check_changed_boards(10, part)


@pytest.mark.slow
def test_500_wrong_numbers() -> None:
    check_changed_boards(500, 1000)


def check_changed_boards(count: int, seed: int) -> None:
    for board, cell, true in changed_boards(count, seed):
        found = conflict(board)
        assert found is not None and not found.total
        assert cell in found.clues, "the wrong number is in every conflict"
        assert any(one.cell == cell and one.instead == true for one in found.corrections)
        check_minimal(found)


def check_minimal(found: Conflict) -> None:
    """Check that the clues of a conflict have no world, and any one fewer have one."""
    from satsweep.why.minimal.cores import SubsetSolver
    from satsweep.why.minimal.reasons import trusted_constraints

    board = found.board
    by_clue = {constraint.clue: constraint for constraint in trusted_constraints(board)}
    clues = [by_clue[board.index(cell)] for cell in found.clues]
    for left_out in (None, *range(len(clues))):
        kept = [clue for index, clue in enumerate(clues) if index != left_out]
        with SubsetSolver(kept) as solver:
            assert (solver.assuming()(range(len(kept))).core is not None) == (left_out is None)


def is_forced_by(explanation: Explanation, clues: Iterable[Cell]) -> bool:
    """Return whether clues force a cell, by an analysis of these statements alone."""
    from satsweep import solve_statements

    board = explanation.board
    known = {cell for cell in board if board[cell] == "*"}
    statements = []
    for clue in clues:
        around = board.neighbours(clue)
        number = board.number(clue)
        assert number is not None
        covered = [cell for cell in around if board.is_covered(cell)]
        statements.append((number - len(known.intersection(around)), covered))
    rest = sum(board.is_covered(cell) for cell in board)
    if not explanation.total:
        if not any(explanation.cell in covered for _, covered in statements):
            return False
        answer = solve_statements(statements)
    else:
        assert board.mines is not None
        answer = solve_statements(statements, total_cells=rest, total_mines=board.mines - len(known))
    named = {cell for _, covered in statements for cell in covered}
    risk = answer.risk(explanation.cell) if explanation.cell in named else answer.elsewhere
    return risk == int(explanation.mine)


def check_explanations(board: Board, *, of_each: int = 1, most: int | None = None) -> None:
    with Explainer(board) as explainer:
        for number, explanation in enumerate(explainer.all()):
            if number % of_each or (len(explanation.clues) < 2 and number % (7 * of_each)):
                continue
            assert is_forced_by(explanation, explanation.clues)
            for fewer in without_each(explanation.clues):
                assert not is_forced_by(explanation, fewer)
            if most is not None and number > most:
                return


@pytest.mark.parametrize("name", EXPERT[::20])
def test_explanations_on_expert_boards(name: str) -> None:
    check_explanations(corpus("positions_expert")[name], of_each=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERT)
def test_all_explanations_on_expert_boards(name: str) -> None:
    check_explanations(corpus("positions_expert")[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", HARD)
def test_explanations_on_hard_boards(name: str) -> None:
    check_explanations(corpus("positions_hard")[name], most=400)


def test_trusted_flags_are_clues() -> None:
    board = Board(("F1#",), mines=1)
    trusting = explain(board, (0, 2), trust_flags=True)
    assert isinstance(trusting, Explanation)
    assert (trusting.mine, trusting.clues, trusting.total) == (False, (Cell(0, 0), Cell(0, 1)), False)
    assert isinstance(explain(board, (0, 2)), Undecided)
    wrong = conflict(Board(("F1F",)), trust_flags=True)
    assert wrong is not None
    assert wrong.clues == (Cell(0, 0), Cell(0, 1), Cell(0, 2))
    assert [(one.cell, one.shown, one.instead) for one in wrong.corrections] == [
        (Cell(0, 0), None, None),
        (Cell(0, 1), 1, 2),
        (Cell(0, 2), None, None),
    ]
    assert conflict(Board(("F1F",))) is None


@pytest.mark.parametrize("cell", [(0, 3), (-1, 0), (3, 0), (1, 1)])
def test_only_covered_cells_have_explanations(cell: tuple[int, int]) -> None:
    with pytest.raises(BoardError, match="expected a covered cell, found"):
        explain(Board(("##1.", "#121", "####")), cell)


def test_numbers_above_nine_are_corrected_too() -> None:
    topology = "edges " + " ".join(f"0-{cell}" for cell in range(1, 13))
    found = conflict(Board(("a" + "*" * 12,), topology=topology))
    assert found is not None and found.corrections == (Correction(Cell(0, 0), 10, 12),)


def test_an_impossible_board_has_no_explanations() -> None:
    with pytest.raises(Contradiction):
        explain(Board(("#1", "#2")), (0, 0))


def test_a_risk_that_is_not_known() -> None:
    """Past the budget a cell that is not forced still has two worlds."""
    board = corpus("positions_hard")[HARD[0]]
    with Explainer(board, budget=0) as explainer:
        unknown = explainer.analysis.unknown[0]
        found = explainer.of(unknown)
    assert isinstance(found, Undecided)
    assert found.risk is None and found.mined.is_mine(unknown) and not found.safe.is_mine(unknown)
