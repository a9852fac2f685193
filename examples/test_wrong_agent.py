"""Does ``wrong_agent.deduce`` claim anything that does not follow? Run: ``pytest examples/test_wrong_agent.py``."""

from hypothesis import given, settings
from wrong_agent import deduce

from satsweep import Board
from satsweep.testing import assert_sound, boards


def test_by_hand(satsweep_oracle):
    """The board that one thinks of first. It passes."""
    board = Board(("###", "121", "..."))
    satsweep_oracle.assert_sound(deduce, board)
    satsweep_oracle.assert_complete(deduce, board)


@settings(max_examples=300, deadline=None)
@given(boards(rows=(2, 5), cols=(2, 5)))
def test_on_any_board(board):
    """Any board at all. Hypothesis finds one that shows the mistake, and makes it as small as it can."""
    assert_sound(deduce, board)
