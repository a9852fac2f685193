"""The compiled engine on whole boards, with ==: against other engines, and alone."""

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, Budget, Cell, Contradiction, analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.outlook import Outlooks
from satsweep.questions.recount import cross_check
from satsweep.solver import compiled
from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint, exactly
from satsweep.solver.engines.compiled import count_component
from satsweep.solver.position import prior_of
from tests.solver.test_corpora import answer, corpus
from tests.strategies import arbitrary_boards, boards

pytestmark = pytest.mark.extended


def check(board: Board, *, counted: bool = True) -> Analysis:
    """Compare an analysis by the kernels with one in Python.

    ``counted`` says whether the kernels have to count all components.
    """
    found, exact = analyse(board, engine="compiled"), analyse(board)
    assert found.engine == "compiled" and (not counted or {work.engine for work in found.work} <= {"compiled"})
    assert (found.safe, found.mines, found.unknown, found.complete) == (exact.safe, exact.mines, (), True)
    assert (found.risks, found.worlds, found.weight) == (exact.risks, exact.worlds, exact.weight)
    assert (found.frontier_mines, found.expected_mines) == (exact.frontier_mines, exact.expected_mines)
    assert (found.best, found.safest, found.cells_by_risk) == (exact.best, exact.safest, exact.cells_by_risk)
    return found


@given(board=st.one_of(boards(), boards(max_covered=30, max_cells=42)))
def test_boards(board: Board) -> None:
    check(board)


@given(board=arbitrary_boards())
def test_boards_that_may_contradict_themselves(board: Board) -> None:
    try:
        check(board, counted=board.clues.is_true)
    except Contradiction as error:
        with pytest.raises(Contradiction) as expected:
            analyse(board)
        assert (str(error), error.clues) == (str(expected.value), expected.value.clues)


@pytest.mark.parametrize("name", ["positions_expert", "positions_hard"])
def test_corpora(name: str) -> None:
    """All expert positions are counted by kernels alone."""
    for number, board in [*corpus(name).items()][:: 1 if name == "positions_hard" else 5]:
        found = analyse(board, engine="compiled")
        assert (found.risks, found.worlds) == (answer(name, number).risks, answer(name, number).worlds)
        assert name == "positions_hard" or {work.engine for work in found.work} <= {"compiled"}


def test_a_board_beyond_the_limits_is_counted_by_components() -> None:
    check(Board(("1" + "#" * 149, *("#" * 150,) * 99), mines=340))


def large_groups(numbers: int) -> Board:
    """A few placements of groups of 24 cells: a row of numbers on a board of its own.

    Each group is that of one number, but for a cell that it shares with the next.
    """
    edges, cells = [], numbers
    shared = -1
    for number in range(numbers):
        if shared >= 0:
            edges.append((number, shared))
        edges += [(number, cells + more) for more in range(24)]
        cells += 24
        shared = cells - 1
    topology = "edges " + " ".join(f"{one}-{other}" for one, other in edges)
    return Board(("c" * numbers + "#" * (cells - numbers),), topology=topology)


def test_counts_beyond_floats_are_left_to_others() -> None:
    """C(23, 12) is a million: two such groups are within 2**53 / 26, three are beyond."""
    assert compiled.count_board(large_groups(2), prior_of(large_groups(2))) is not None
    check(large_groups(2))
    for numbers in (3, 4):
        board = large_groups(numbers)
        counted = compiled.count_board(board, prior_of(board))
        assert counted is not None and len(counted.left) == numbers and not counted.counted.parts
        found = check(board, counted=False)
        assert found.worlds is not None and found.worlds > 2**53 / 26
        assert {work.engine for work in found.work} <= {"elimination", "sat"}


def test_a_component_of_more_placements_than_are_listed() -> None:
    """Too many placements; groups that do not hang together; too large a group; too many."""
    pairs = tuple(Constraint((2 * pair, 2 * pair + 1), exactly(1)) for pair in range(20))
    half = Constraint(tuple(range(0, 40, 2)), exactly(10))
    assert count_component(Component((1,) * 40, (*pairs, half))) is None, "C(20, 10) is 184,756"
    assert count_component(Component((1,) * 40, pairs)) is None
    assert count_component(Component((27,), (Constraint((0,), exactly(1)),))) is None
    assert count_component(Component((1,), ())) is None
    assert count_component(Component((1,) * 64, (Constraint((0, 63), exactly(1)),))) is None


def test_weights_of_exact_constraints() -> None:
    component = Component((2, 1), (Constraint((0, 1), (0, 7)), Constraint((1,), (3,))))
    counts = count_component(component)
    assert counts is not None and (counts.total, counts.mined) == ((0, 42), ((0, 21), (0, 0)))


def test_the_derivation_is_made_when_it_is_asked_for() -> None:
    board = Board(("#1#", "1##", "###"), mines=2)
    found, exact = analyse(board, engine="compiled"), analyse(board)
    assert found.solution.stages is None and found.is_counted
    assert found.stages == exact.stages
    assert cross_check(found) == cross_check(exact)
    assert found.stage_results() == exact.stage_results()
    assert found.advice == exact.advice
    cell = board.index(Cell(0, 0))
    outlooks = [Outlooks.of(analysis).of_cell(cell, (1, 3, 4)) for analysis in (found, exact)]
    assert outlooks[0] == outlooks[1]


def test_a_limit_on_states_is_kept() -> None:
    board = [*corpus("positions_expert").values()][0]
    assert not analyse(board, engine="compiled", budget=Budget(states=0)).complete
    assert analyse(board, engine="compiled", budget=Budget(seconds=60)).complete
