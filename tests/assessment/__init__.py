"""Tests of ratings and reviews, and positions for them."""

from array import array

from satsweep.assessment.positions import Symbols
from satsweep.board import Board
from satsweep.solver import compiled


def symbols_of(board: Board) -> Symbols:
    """A board as a position of a review."""
    return array("b", compiled.symbols_of(board).tobytes())
