"""Two neighbouring numbers: local search, then tank search.

The agent of Xu, Zhang and Geng (2017, document 001). Local search is the rule of one number at a time; tank search
compares two numbers at most one step apart, one of which sees all unknown cells of the other. They take turns until
neither finds anything. Numbers two steps apart may share cells, too; this agent does not look there.

The document keeps a matrix of probabilities without saying how it is used. Our reading: every number gives each of
its unknown cells an equal share of the mines it has left, and the cell with the lowest sum is opened. A cell that
touches no number counts as mines left over cells left; where the total is not told it is opened only if all do. Where
numbers or flags are wrong, fewer mines left than none are none.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from random import Random

from satsweep.agents.knowledge import Knowledge
from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.topology import MOST_NEIGHBOURS

_SCALE = lcm(*range(1, MOST_NEIGHBOURS + 1))  # so that every share of a number is an integer


def agent() -> Agent:
    """A fresh agent."""
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """What single numbers and pairs of neighbouring numbers claim, to a fixed point.

    >>> safe, mines = deduce(Board(("####", "122*")))
    >>> [tuple(cell) for cell in safe], [tuple(cell) for cell in mines]
    ([(0, 1), (0, 3)], [(0, 0), (0, 2)])
    """
    knowledge = Knowledge(board)
    while knowledge.single_point() or knowledge.subset(knowledge.table.__getitem__):
        pass
    return knowledge.deduction()


def guess(board: Board, rng: Random) -> Guess | None:
    """A cell with the lowest sum of shares, drawn among equals; None if no cell is left."""
    knowledge = Knowledge(board)
    sums: dict[int, int] = {}
    for clue, cells in knowledge.unknown.items():
        share = _SCALE * max(knowledge.remaining[clue], 0) // len(cells)
        for cell in cells:
            sums[cell] = sums.get(cell, 0) + share
    symbols = board.symbols
    unmarked = [index for index, symbol in enumerate(symbols) if symbol == COVERED]
    if not unmarked:
        return None
    off = _off_the_frontier(board, symbols, len(unmarked))
    if off is None and not sums:
        off = Fraction(0)
    scored = [(sums.get(cell, off), cell) for cell in unmarked]
    least = min(score for score, _ in scored if score is not None)
    lowest = [cell for score, cell in scored if score == least]
    cell = lowest[rng.randrange(len(lowest))]
    return Guess(knowledge.cell(cell), f"lowest sum of shares {Fraction(least) / _SCALE}, {len(lowest):,} with it")


def _off_the_frontier(board: Board, symbols: str, unmarked: int) -> Fraction | None:
    """The score of a cell that touches no number; None if the total is not told."""
    if board.mines is None:
        return None
    left = board.mines - symbols.count(FLAG) - symbols.count(MINE)
    return Fraction(_SCALE * max(left, 0), unmarked)
