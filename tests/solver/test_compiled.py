"""The kernels through ``analyse(engine="fast")``, against the exact path."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from satsweep import Analysis, Board, Cell, Contradiction, SatsweepError, analyse
from satsweep.solver.analysis import FAST
from satsweep.solver.outlook import Outlooks
from satsweep.solver.recount import cross_check
from satsweep.why.guesses import ranked_guesses
from tests.strategies import arbitrary_boards, boards, unreliable_boards

pytestmark = pytest.mark.extended


def check(board: Board, found: Analysis) -> None:
    exact = analyse(board)
    assert not found.exact and found.engine == FAST and exact.exact
    assert (found.safe, found.mines, found.unknown, found.complete) == (exact.safe, exact.mines, (), True)
    assert found.worlds is None and found.weight is None and found.frontier_mines is None
    assert found.solution.derivation is None and not found.solution.is_counted
    assert found.expected_mines == exact.expected_mines
    for cell in board.covered:
        risk = exact.risk(cell)
        assert abs(found.risk(cell) - risk) <= risk / 10**12
    if exact.best is None:
        assert found.best is None
    else:
        assert found.best is not None
        assert abs(exact.risk(found.best) - exact.risk(exact.best)) <= exact.risk(exact.best) / 10**12


@given(board=st.one_of(boards(), boards(max_covered=30, max_cells=42)))
def test_boards_with_a_total_are_answered_in_floats(board: Board) -> None:
    found = analyse(board, engine=FAST)
    if board.mines is None:
        assert found.exact and found.engine == "auto" and found.odds == analyse(board).odds
    else:
        check(board, found)


@given(board=unreliable_boards())
def test_what_is_not_for_the_kernels_is_answered_exactly(board: Board) -> None:
    found = analyse(board, engine=FAST)
    assert found.exact and found.odds == analyse(board).odds


@given(board=arbitrary_boards())
def test_boards_that_may_contradict_themselves(board: Board) -> None:
    try:
        found = analyse(board, engine=FAST)
    except Contradiction:
        with pytest.raises(Contradiction):
            analyse(board)
    else:
        if found.exact:
            assert board.mines is None or "?" in "".join(board.cells)
        else:
            check(board, found)


@pytest.mark.parametrize(
    "rows",
    [("#",), ("1#", "##"), ("F#1", "111"), ("*1", "#1"), ("#" * 60,) * 60],
    ids=lambda rows: f"{len(rows)}x{len(rows[0])}",
)
def test_some_boards(rows: tuple[str, ...]) -> None:
    board = Board(rows, mines=1)
    check(board, analyse(board, engine=FAST))


def test_a_board_beyond_the_limits_is_answered_exactly() -> None:
    board = Board(("#" * 150,) * 100, mines=40)
    found = analyse(board, engine=FAST)
    assert found.exact and found.risk(Cell(0, 0)) == analyse(board).risk(Cell(0, 0))


def test_flags_are_opinions() -> None:
    board = Board(("##1.", "##21", "####"), mines=3)
    flagged = board.flagged([(0, 0)])
    assert analyse(flagged, engine=FAST).risks == analyse(board, engine=FAST).risks
    trusting = flagged.trusting_flags()
    check(trusting, analyse(trusting, engine=FAST))


def test_what_the_kernels_do_not_know_is_an_error() -> None:
    board = Board(("#1#", "1##", "###"), mines=2)
    found = analyse(board, engine=FAST)
    assert not found.exact and not found.safe
    for question in (lambda: found.solution.stages(), lambda: cross_check(found), lambda: Outlooks.of(found)):
        with pytest.raises(SatsweepError, match="the compiled engine does not know"):
            question()
    assert [guess.progress for guess in ranked_guesses(found)] == [None] * 2, "ranked by risk alone"
