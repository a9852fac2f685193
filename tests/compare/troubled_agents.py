"""Agents that get into trouble on some boards, for tests of what the arena makes of it."""

from __future__ import annotations

import os
import sys
import time

from satsweep import Board, agent_named

_basic = agent_named("basic")


def _shows(board: Board, number: str) -> bool:
    return any(number in row for row in board.cells)


def raises(board: Board) -> object:
    """Stumbles over a 3."""
    if _shows(board, "3"):
        raise ValueError("a three\nof all numbers")
    return _basic.deduce(board)


def dies(board: Board) -> object:
    """Takes its process with it when it sees a 4."""
    if _shows(board, "4"):
        os._exit(7)
    return _basic.deduce(board)


def dies_once(board: Board) -> object:
    """Takes its process with it once, as far as a file beside this one tells."""
    try:
        with open(f"{__file__}.died", "x"):
            os._exit(7)
    except FileExistsError:
        return _basic.deduce(board)


def slow(board: Board) -> object:
    """Thinks for a while."""
    time.sleep(0.01)
    return _basic.deduce(board)


def always_dies(board: Board) -> object:
    """Never comes back."""
    sys.stdout.flush()
    os._exit(7)
