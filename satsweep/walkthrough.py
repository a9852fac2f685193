"""How a board is cleared without a guess, step by step, with the reason of every step.

Single numbers come first. Where they are silent the cells come next that are easiest among all that are forced: those
that follow from two numbers, then from several, then those that take the mine total. What is found is a game on record,
each move with the numbers that it rests on, and a trace (``satsweep.trace``) that can be checked by others.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from satsweep.agent import Agent, Deduction, Inference, in_order
from satsweep.agents import basic
from satsweep.analysis import analyse
from satsweep.board import NUMBER_OF, Board, Cell
from satsweep.certificate import Certificate
from satsweep.game import play
from satsweep.layout import Layout
from satsweep.record import Record
from satsweep.rulebook import First, Rules
from satsweep.solution import Memory
from satsweep.trace import Trace
from satsweep.why.proofs import certify
from satsweep.why.reasons import Reasons
from satsweep.why.values import Reason

NAME = "step by step"
"""Who plays, on record."""
GIVEN = Rules(first=First.GIVEN)


class Walkthrough(NamedTuple):
    """A game without a guess, and its trace; the game is not won where the board needs a guess."""

    record: Record
    trace: Trace


def walkthrough(layout: Layout) -> Walkthrough:
    """Clear a layout from its start, as far as that takes no guess.

    >>> found = walkthrough(Layout(("..*", "...", "..."), start=(2, 0)))
    >>> found.record.won, len(found.trace.certificates)
    (True, 0)
    """
    guide = Guide()
    record = play(layout, Agent(guide.deduce, no_guess), GIVEN, name=NAME)
    return Walkthrough(record, Trace(layout, tuple(guide.certificates)))


def no_guess(board: Board, rng: Random) -> None:
    """Give up."""


class Guide:
    """What is kept during a game: the certificates so far, and what is known of components."""

    def __init__(self) -> None:
        self.certificates: list[Certificate] = []
        self.memory = Memory()

    def deduce(self, board: Board) -> Deduction:
        """What single numbers claim, else what is forced and easiest."""
        claimed = basic.deduce(board)
        if claimed:
            return claimed
        stage, reasons = easiest(board.trusting_flags(), self.memory)
        if not reasons:
            return Deduction()
        self.certificates.append(certify(reasons[0].board, reasons))
        why = {cell.cell.row * board.cols + cell.cell.col: _inference(cell, stage) for cell in reasons}
        mines = {reason.cell.row * board.cols + reason.cell.col for reason in reasons if reason.mine}
        return in_order(
            board,
            {cell: inference for cell, inference in why.items() if cell not in mines},
            {cell: inference for cell, inference in why.items() if cell in mines},
        )


def easiest(board: Board, memory: Memory | None = None) -> tuple[str, list[Reason]]:
    """The forced cells that are easiest, by the stage that settles them, and the reason of each; none if none is."""
    analysis = analyse(board, memory=memory)
    for stage, cells in analysis.solution.stages().items():
        if cells:
            with Reasons(board, analysis=analysis) as reasons:
                found = [reasons.of(divmod(cell, board.cols)) for cell in cells]
            return stage, [reason for reason in found if isinstance(reason, Reason)]
    return "", []


def _inference(reason: Reason, stage: str) -> Inference:
    """The rule, and the numbers; with the mine total that is all of them."""
    clues = reason.clues
    if reason.total:
        board = reason.board
        clues = tuple(
            Cell(row, col) for row, line in enumerate(board.cells) for col, symbol in enumerate(line)
            if symbol in NUMBER_OF
        )  # fmt: skip
    return Inference(stage, clues)
