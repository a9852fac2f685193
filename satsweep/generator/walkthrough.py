"""Walkthroughs: a board cleared without a guess, with a reason for every step.

Single numbers come first. Where they prove nothing, the easiest of the forced cells come next: those that follow from
two numbers, then from several, then those that need the mine total. The result is a recorded game, each move with the
numbers that it rests on, and a trace (``satsweep.proofs.trace``) that others can check.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from satsweep.agents import basic
from satsweep.board import Board, Cell
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
"""Name of the player in the record."""
GIVEN_START_RULES = Rules(first=FirstClick.GIVEN)
"""Rules of a game from the start of its layout."""
FORCED_BUDGET = Budget(states=2_000)
"""Budget for finding forced cells, which needs no count of worlds.

A count can take hours; a few states save solver calls.
"""


class Walkthrough(NamedTuple):
    """A game without a guess, and its trace; not won if the board needs a guess."""

    record: Record
    trace: Trace


def walkthrough(layout: Layout) -> Walkthrough:
    """Clear a layout from its start, as far as no guess is needed.

    >>> found = walkthrough(Layout(("..*", "...", "..."), start=(2, 0)))
    >>> found.record.won, len(found.trace.certificates)
    (True, 0)
    """
    player = CertifyingPlayer()
    record = play(layout, Agent(player.deduce, no_guess), GIVEN_START_RULES, name=NAME)
    return Walkthrough(record, Trace(layout, tuple(player.certificates)))


def no_guess(board: Board, rng: Random) -> None:
    """Give up instead of guessing."""


def analyse_forced(board: Board, cache: ComponentCache) -> Analysis:
    """Return an analysis with all forced cells, flags taken for mines, but few risks."""
    return analyse(board.trusting_flags(), budget=FORCED_BUDGET, cache=cache)


def exact_deducer() -> Agent:
    """Return an agent that claims all forced cells and never guesses."""
    cache = ComponentCache()

    def deduce(board: Board) -> Deduction:
        analysis = analyse_forced(board, cache)
        return Deduction(analysis.safe, analysis.mines)

    return Agent(deduce, no_guess)


class CertifyingPlayer:
    """Player that certifies its claims.

    ``certificates`` are those of the game so far, and ``cache`` keeps results on components.
    """

    def __init__(self) -> None:
        self.certificates: list[Certificate] = []
        self.cache = ComponentCache()

    def deduce(self, board: Board) -> Deduction:
        """Return claims by single numbers, else the easiest forced cells with a proof."""
        deduction = basic.deduce(board)
        if deduction:
            return deduction
        for stage, explanations in easiest_first(board.trusting_flags(), self.cache):
            certificate = certify(explanations[0].board, explanations)
            if certificate.proofs:
                # A cell whose proof is too long now may have a short one later.
                self.certificates.append(replace(certificate, uncertified=()))
                return _deduction(board, stage, explanations, {proof.cell for proof in certificate.proofs})
        return Deduction()


def easiest_first(board: Board, cache: ComponentCache | None = None) -> Iterator[tuple[str, list[Explanation]]]:
    """Yield explanations of forced cells by the stage that finds them, easiest first."""
    analysis = analyse_forced(board, cache or ComponentCache())
    for stage, cells in analysis.stages.items():
        if cells:
            with Explainer(board, analysis=analysis) as explainer:
                found = [explainer.of(cell) for cell in cells]
            yield stage, [one for one in found if isinstance(one, Explanation)]


def _deduction(board: Board, stage: str, explanations: list[Explanation], proved: set[Cell]) -> Deduction:
    claims: dict[bool, dict[int, Inference]] = {False: {}, True: {}}
    for explanation in explanations:
        if explanation.cell in proved:
            claims[explanation.mine][board.index(explanation.cell)] = _inference(explanation, stage)
    return ordered_deduction(board, claims[False], claims[True])


def _inference(explanation: Explanation, stage: str) -> Inference:
    """Return the rule and the numbers of a claim; with the mine total, all numbers."""
    clues = explanation.clues
    if explanation.total:
        board = explanation.board
        clues = tuple(cell for cell in board if board.number(cell) is not None)
    return Inference(stage, clues)
