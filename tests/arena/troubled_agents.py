"""Agents that fail on some boards, for tests of the arena."""

import os
import time

from satsweep import Board, agent_named

_basic = agent_named("basic")


def _shows(board: Board, number: str) -> bool:
    return any(number in row for row in board.cells)


def raises(board: Board) -> object:
    """Raise an error at a 3."""
    if _shows(board, "3"):
        raise ValueError("a three\nof all numbers")
    return _basic.deduce(board)


def dies(board: Board) -> object:
    """End the process at a 4."""
    if _shows(board, "4"):
        os._exit(7)
    return _basic.deduce(board)


def dies_once(board: Board) -> object:
    """End the process once; a file beside this one remembers it."""
    try:
        with open(f"{__file__}.died", "x"):
            os._exit(7)
    except FileExistsError:
        return _basic.deduce(board)


def slow(board: Board) -> object:
    """Sleep for a while."""
    time.sleep(0.01)
    return _basic.deduce(board)


def raises_rarely(board: Board) -> object:
    """Raise an error at a 5, which five games in a row never show in the tests."""
    if _shows(board, "5"):
        raise ValueError("a five")
    return _basic.deduce(board)
