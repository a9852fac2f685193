"""Tests of ``wrong_agent.deduce`` for unsound claims.

Run: ``pytest examples/test_wrong_agent.py``.
"""

from hypothesis import given, settings
from wrong_agent import deduce

from satsweep import Board
from satsweep.testing import Oracle, assert_sound, boards


def test_by_hand(satsweep_oracle: Oracle) -> None:
    """A board that a person would think of first; the test passes."""
    board = Board(("###", "121", "..."))
    satsweep_oracle.assert_sound(deduce, board)
    satsweep_oracle.assert_complete(deduce, board)


@settings(max_examples=300, deadline=None)
@given(boards(rows=(2, 5), cols=(2, 5)))
def test_on_any_board(board: Board) -> None:
    """Any board; Hypothesis finds one that shows the mistake, and shrinks it."""
    assert_sound(deduce, board)
