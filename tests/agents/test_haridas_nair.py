"""Tests of two positions that Haridas and Nair picture before advanced inferences.

The pictures are in Haridas and Nair (2021), section 4.4, and have lost cells and rows. They are restored from the full
board, which the document prints first: a row belongs where its open numbers and mines fit, a missing row is covered but
for what the rows around it imply, and a row of eleven entries has one -1 too many.
"""

from fractions import Fraction

import pytest

from satsweep.agents import agent_named
from satsweep.agents.gem import GAUSSIAN_ELIMINATION
from satsweep.board import COVERED, Board, Cell
from satsweep.games.agent import Deduction
from satsweep.games.deal import game_rng
from satsweep.games.game import play
from satsweep.games.record import MoveReason
from satsweep.layout import Layout
from tests import EXAMPLES
from tests.agents.test_blind_spots import claims
from tests.agents.test_playthroughs import AS_PRINTED, FOLLOWED, PRINTED

# Row 5 is missing. Beside the open 0s of row 4 its cells from column 6 on are open, and the 1 at 5,6 makes 5,5 a mine.
FIRST = Board((
    "0001#212*#",
    "0112##23**",
    "13*323*222",
    "###4#21100",
    "#####31000",
    "#####*1000",
    "#####22232",
    "#####13***",
    "##########",
    "*#########",
), mines=22)  # fmt: skip

# Row 6 is missing, and stands in the next picture. Row 5 is printed as -1 1 -1 -1 -1 9 9 1 0 0 0; with 1 0 0 0 as the
# last four, as in the picture of the whole board, one -1 is too many.
LATER = Board((
    "0001#212*#",
    "0112#*23**",
    "13*323*222",
    "##*4#21100",
    "#2###31000",
    "#1##**1000",
    "####322232",
    "####213***",
    "########4#",
    "*#########",
), mines=22)  # fmt: skip

SAFE_FIRST = [Cell(6, 4), Cell(7, 4)]
SAFE_LATER = [Cell(8, 4), Cell(8, 9), Cell(9, 8), Cell(9, 9)]


def test_every_number_of_the_printed_board_is_right() -> None:
    opened = FOLLOWED.board(
        Cell(row, col) for row in range(10) for col in range(10) if not FOLLOWED.is_mine((row, col))
    )
    assert ["".join(row).replace(COVERED, "9").replace(".", "0") for row in opened.cells] == list(PRINTED)


@pytest.mark.parametrize("board", [FIRST, LATER], ids=["first", "later"])
def test_the_positions_are_of_that_board(board: Board) -> None:
    for row, line in enumerate(board.cells):
        for symbol, number in zip(line, PRINTED[row], strict=True):
            assert symbol in (COVERED, {"0": ".", "9": "*"}.get(number, number))


def test_the_first_inference() -> None:
    """6,4 and 7,4 need several numbers; 1,5 does not, although the document says so.

    It is the only covered cell beside the 1 at 0,6, a number that the document's picture shows. G.E.M. takes single
    numbers first, so it claims 1,5 alone, and the rest at the next call.
    """
    assert claims("basic", FIRST) == claims("gem", FIRST) == {Cell(1, 5): True}
    flagged = FIRST.with_flags([Cell(1, 5)])
    assert claims("basic", flagged) == {}
    deduction = Deduction.of(agent_named("gem").deduce(flagged), flagged)
    assert list(deduction.safe) == SAFE_FIRST, "as in the document, which opens 8,4 later"
    assert deduction.why[Cell(6, 4)].clues == (Cell(3, 5), Cell(4, 5), Cell(6, 5))
    assert claims("gem-full", flagged)[Cell(8, 4)] is False


def test_the_later_inference() -> None:
    """The document names four of the five cells; its next picture has 9,7 open, too."""
    assert claims("basic", LATER) == {}
    assert claims("gem", LATER) == dict.fromkeys([*SAFE_LATER, Cell(9, 7)], False)


def test_a_game_that_makes_the_first_inference_finds_as_many_mines_as_the_document() -> None:
    """The game in docs/experiments.md: 0,7 is its first guess, as in the document.

    The 1 at 0,6 is still covered when 1,5 is inferred, which therefore takes several numbers.
    """
    record = play(FOLLOWED, agent_named("gem"), AS_PRINTED, game_rng(7296, 0))
    assert next(move.cell for move in record.moves if move.reason is MoveReason.GUESSED) == (0, 7)
    turn = next(move.turn for move in record.moves if move.cell == (1, 5))
    together = [move for move in record.moves if move.turn == turn and move.cell in (Cell(1, 5), *SAFE_FIRST)]
    assert len(together) == 3
    assert all(move.inference and move.inference.rule == GAUSSIAN_ELIMINATION for move in together)
    assert record.measures.score == Fraction(20, 22)


def test_the_layout_of_the_example_is_the_printed_one() -> None:
    assert Layout.from_text((EXAMPLES / "haridas_nair.txt").read_text()) == FOLLOWED
