"""Two neighbouring numbers: local search, then tank search.

The agent of Xu, Zhang and Geng, *CS 520 - Assignment 2* (2017). Local search is the rule of one number at a time; tank
search compares two numbers at most one step apart, one of which touches all unknown cells of the other. The two
alternate until neither finds anything. Numbers two steps apart may share cells, too; this agent does not compare them.

The paper keeps a matrix of probabilities without saying how it is used. Our reading: every number gives each of its
unknown cells an equal share of the mines it has left, and the cell with the lowest sum is opened. The score of a cell
that touches no number is mines left over cells left; where the mine total is not known such a cell is opened only if no
cell touches a number. Where numbers or flags are wrong, a negative number of mines left counts as 0.
"""

from fractions import Fraction
from math import lcm
from random import Random

from satsweep.agents.knowledge import Knowledge
from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.topology import MOST_NEIGHBOURS

_SCALE = lcm(*range(1, MOST_NEIGHBOURS + 1))  # so that every share of a number is an integer


def agent() -> Agent:
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """Claim what single numbers and neighbouring pairs imply, to a fixed point.

    >>> safe, mines = deduce(Board(("####", "122*")))
    >>> [tuple(cell) for cell in safe], [tuple(cell) for cell in mines]
    ([(0, 1), (0, 3)], [(0, 0), (0, 2)])
    """
    knowledge = Knowledge(board)
    while knowledge.single_point() or knowledge.subset(knowledge.table.__getitem__):
        pass
    return knowledge.deduction()


def guess(board: Board, rng: Random) -> Guess | None:
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
    off = _sea_score(board, symbols, len(unmarked))
    if off is None and not sums:
        off = Fraction(0)
    scored = [(sums.get(cell, off), cell) for cell in unmarked]
    least = min(score for score, _ in scored if score is not None)
    lowest = [cell for score, cell in scored if score == least]
    cell = lowest[rng.randrange(len(lowest))]
    return Guess(knowledge.cell(cell), f"lowest sum of shares {Fraction(least) / _SCALE}, {len(lowest):,} with it")


def _sea_score(board: Board, symbols: str, unmarked: int) -> Fraction | None:
    if board.mines is None:
        return None
    left = board.mines - symbols.count(FLAG) - symbols.count(MINE)
    return Fraction(_SCALE * max(left, 0), unmarked)
