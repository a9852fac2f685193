"""Boards as the kernels see them: symbols and tables of neighbours; positions in which a guess is due."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from satsweep.agents import agent_named
from satsweep.board import Board
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, play_moves
from satsweep.games.record import Move, MoveReason
from satsweep.games.rules import FirstClick, Rules
from satsweep.kernels.api import neighbour_table, positions
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


@cache
def all_layouts(cells: int, mines: int, first: int = 0) -> np.ndarray:
    """All layouts without a mine before a cell, 1 for a mine: int8, shape (layouts, cells)."""
    places = np.array(list(combinations(range(first, cells), mines)), np.int64)
    found = np.zeros((len(places), cells), np.int8)
    np.put_along_axis(found, places, 1, axis=1)
    return found


class Position(NamedTuple):
    status: int
    risks: np.ndarray


def position(symbols: np.ndarray, near: np.ndarray, mines: int) -> Position:
    status, risks = positions(symbols[None], near, [mines])
    return Position(int(status[0]), risks[0])


def turns(
    rows: int, cols: int, mines: int, topology: Topology, game: int, first: FirstClick = FirstClick.ZERO
) -> Iterator[tuple[Board, Move, int]]:
    """Moves of the exact agent in a game, each after its board and with its number."""
    rng = game_rng("deep", game)
    going = Game(random_layout(rows, cols, mines, rng, topology=topology), Rules(first=first), rng)
    seen = going.board
    for move in play_moves(going, agent_named("sat"), rng):
        yield seen, move, len(going.moves)
        seen = going.board


def stuck(rows: int, cols: int, mines: int, topology: Topology, game: int) -> list[Board]:
    """Positions of a game in which nothing is forced; forced mines are marked."""
    found = turns(rows, cols, mines, topology, game)
    return [seen.trusting_flags() for seen, move, at in found if move.reason is MoveReason.GUESSED and at > 1]


def worlds_of(board: Board) -> list[frozenset[int]]:
    """The mines of every world, among the covered cells, all combinations tried."""
    assert board.mines is not None
    known = frozenset(at for at, symbol in enumerate(board.symbols) if symbol == "*")
    numbers = [
        (number, {board.index(near) for near in board.neighbours(cell)})
        for cell in board
        if (number := board.number(cell)) is not None
    ]
    return [
        world
        for world in map(frozenset, combinations(map(board.index, board.covered), board.mines - len(known)))
        if all(len(around & (known | world)) == number for number, around in numbers)
    ]
