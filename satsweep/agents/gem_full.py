"""All numbers at once, with interval bounds on each row of G.E.M.'s matrix.

Our extension of ``gem``, to measure how much the two patterns of Haridas and Nair, *Intro to AI: Project 2 -
Minesweeper* (2021), miss. Each cell holds 0 or 1 mines, so a row of the reduced form takes values between the sum of
its negative and the sum of its positive entries. A cell whose entry exceeds the gap between the right side and one of
these ends must have the value that it has at that end. This contains both patterns and the mirror image of the first.
Single numbers and the matrix alternate until neither claims anything.
"""

from satsweep.agents.gem import Row, claim_patterns, reduced_rows
from satsweep.agents.knowledge import Knowledge
from satsweep.agents.random_agent import guess
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction

INTERVAL = "interval"
"""Name of the rule of bounds, for claims that the two patterns do not make."""


def agent() -> Agent:
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """Claim what single numbers imply, or else what they and the matrix imply in turn.

    >>> safe, mines = deduce(Board(("###", "13*")))
    >>> [tuple(cell) for cell in mines]
    [(0, 2)]
    """
    knowledge = Knowledge(board)
    if not knowledge.single_point():
        claim_all_rows(knowledge)
    return knowledge.deduction()


def claim_all_rows(knowledge: Knowledge) -> bool:
    """Apply the matrix and single numbers in turn to a fixed point.

    True if they claim anything.
    """
    before = len(knowledge.safe) + len(knowledge.mines)
    while _claim_rows(knowledge):
        knowledge.single_point()
    return len(knowledge.safe) + len(knowledge.mines) > before


def _claim_rows(knowledge: Knowledge) -> bool:
    before = len(knowledge.safe) + len(knowledge.mines)
    for row in reduced_rows(knowledge):
        claim_patterns(knowledge, row)
        claim_interval(knowledge, row)
    return len(knowledge.safe) + len(knowledge.mines) > before


def claim_interval(knowledge: Knowledge, row: Row) -> None:
    knowledge.evaluations += 1
    above_least = row.right - sum(entry for entry in row.entries.values() if entry < 0)
    below_most = sum(entry for entry in row.entries.values() if entry > 0) - row.right
    for cell, entry in row.entries.items():
        if abs(entry) > above_least:
            knowledge.claim((cell,), mine=entry < 0, rule=INTERVAL, clues=row.clues)
        elif abs(entry) > below_most:
            knowledge.claim((cell,), mine=entry > 0, rule=INTERVAL, clues=row.clues)
