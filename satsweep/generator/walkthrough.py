"""How a board is cleared without a guess, step by step, with the reason of every step.

Single numbers come first. Where they are silent the cells come next that are easiest among all that are forced: those
that follow from two numbers, then from several, then those that take the mine total. What is found is a game on record,
each move with the numbers that it rests on, and a trace (``satsweep.proofs.trace``) that can be checked by others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from satsweep.agents import basic
from satsweep.board import NUMBER_OF, Board, Cell
from satsweep.games.agent import Agent, Deduction, Inference, ordered_deduction
from satsweep.games.game import play
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.proofs.certificate import Certificate
from satsweep.proofs.certify import certify
from satsweep.proofs.trace import Trace
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import ComponentCache
from satsweep.why.explainer import Explainer
from satsweep.why.values import Explanation

NAME = "step by step"
"""Who plays, on record."""
GIVEN = Rules(first=FirstClick.GIVEN)
UNCOUNTED = Budget(states=2_000)
"""What is forced is found without counting worlds, which can take for ever; a few states save asking a solver."""


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
    guide = CertifyingPlayer()
    record = play(layout, Agent(guide.deduce, no_guess), GIVEN, name=NAME)
    return Walkthrough(record, Trace(layout, tuple(guide.certificates)))


def no_guess(board: Board, rng: Random) -> None:
    """Give up."""


def forced(board: Board, memory: ComponentCache) -> Analysis:
    """What is forced, all of it, flags taken for mines; of risks only those that cost little."""
    return analyse(board.trusting_flags(), budget=UNCOUNTED, cache=memory)


def seer() -> Agent:
    """Who claims all that is forced, as the exact agent does, and never guesses."""
    memory = ComponentCache()

    def deduce(board: Board) -> Deduction:
        analysis = forced(board, memory)
        return Deduction(analysis.safe, analysis.mines)

    return Agent(deduce, no_guess)


class CertifyingPlayer:
    """What is kept during a game: the certificates so far, and what is known of components."""

    def __init__(self) -> None:
        self.certificates: list[Certificate] = []
        self.memory = ComponentCache()

    def deduce(self, board: Board) -> Deduction:
        """What single numbers claim, else what is forced and easiest."""
        claimed = basic.deduce(board)
        if claimed:
            return claimed
        for stage, reasons in easiest_first(board.trusting_flags(), self.memory):
            certificate = certify(reasons[0].board, reasons)
            if certificate.proofs:
                # What would take too long a proof may take a short one later.
                self.certificates.append(replace(certificate, uncertified=()))
                return _claimed(board, stage, reasons, {proof.cell for proof in certificate.proofs})
        return Deduction()


def easiest_first(board: Board, memory: ComponentCache | None = None) -> Iterator[tuple[str, list[Explanation]]]:
    """The reasons of the cells that are forced, by the stage that settles them, the easiest first."""
    analysis = forced(board, memory or ComponentCache())
    for stage, cells in analysis.stages().items():
        if cells:
            with Explainer(board, analysis=analysis) as reasons:
                found = [reasons.of(cell) for cell in cells]
            yield stage, [reason for reason in found if isinstance(reason, Explanation)]


def _claimed(board: Board, stage: str, reasons: list[Explanation], proved: set[Cell]) -> Deduction:
    claims: dict[bool, dict[int, Inference]] = {False: {}, True: {}}
    for reason in reasons:
        if reason.cell in proved:
            claims[reason.mine][reason.cell.row * board.cols + reason.cell.col] = _inference(reason, stage)
    return ordered_deduction(board, claims[False], claims[True])


def _inference(reason: Explanation, stage: str) -> Inference:
    """The rule, and the numbers; with the mine total that is all of them."""
    clues = reason.clues
    if reason.total:
        board = reason.board
        clues = tuple(
            Cell(row, col) for row, line in enumerate(board.cells) for col, symbol in enumerate(line)
            if symbol in NUMBER_OF
        )  # fmt: skip
    return Inference(stage, clues)
