"""Boards as the kernels see them: symbols and tables of neighbours."""

from functools import cache

import numpy as np

from satsweep.board import Board
from satsweep.kernels.api import neighbour_table
from satsweep.kernels.shared.memory import COVERED, MINE
from satsweep.topology import Topology

SYMBOLS = {"#": COVERED, "F": COVERED, "*": MINE, ".": 0}

HEXAGONS = Topology("hexagons", ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)))
KNIGHTS = Topology("knights", tuple((r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c)))
WIDE = Topology("wide", tuple((r, c) for r in range(-2, 3) for c in range(-2, 3) if r or c), wraps_cols=True)


@cache
def table(topology: Topology, rows: int, cols: int) -> np.ndarray:
    return neighbour_table(topology.neighbours(rows, cols))


def table_of(board: Board) -> np.ndarray:
    return table(board.topology, board.rows, board.cols)


def symbols_of(board: Board) -> np.ndarray:
    text = board.symbols
    return np.array([SYMBOLS[symbol] if symbol in SYMBOLS else int(symbol) for symbol in text], np.int8)
