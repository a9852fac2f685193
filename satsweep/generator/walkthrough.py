"""Walkthroughs without a guess, a reason for every step, and difficulty.

Single numbers come first. Where they prove nothing, the easiest of the forced cells come next: those that follow from
two numbers, then from several, then those that need the mine total. The result is a recorded game, each move with the
numbers that it rests on, and a trace (``satsweep.proofs.trace``) that others can check.

*3BV* (Bechtel's Board Benchmark Value) is the number of clicks that clear a board without flags: one for each opening,
an area of cells without mines around, and one for each other safe cell that touches none. A board is *beyond* an agent
by a number of claims: in a game in which the agent receives all forced cells whenever it claims nothing itself, the
number of claims that it has to receive. The longest chain is that of the step-by-step solution
(``satsweep.why.influence``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

from satsweep.agents import agent_named, basic
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.board import COVERED, MINE, Board, Cell
from satsweep.games.agent import Agent, Deduction, Inference, ordered_deduction
from satsweep.games.game import play
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.generator.single_numbers import SingleNumbersGame
from satsweep.generator.spec import WEAKER_AGENTS, Progress
from satsweep.layout import Layout
from satsweep.proofs.certificate import Certificate
from satsweep.proofs.certify import certify
from satsweep.proofs.trace import Trace
from satsweep.solver.budget import UNLIMITED, Budget, Meter
from satsweep.solver.pipeline import ComponentCache
from satsweep.why.explainer import Explainer
from satsweep.why.influence import chains
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


def walkthrough(layout: Layout, meter: Meter | None = None, progress: Progress | None = None) -> Walkthrough:
    """Clear a layout from its start, as far as no guess is needed.

    ``progress`` is called before each move, with "proof" and the share of the cells that are settled.

    Raises BudgetExceeded past the limits of ``meter``.

    >>> found = walkthrough(Layout(("..*", "...", "..."), start=(2, 0)))
    >>> found.record.won, len(found.trace.certificates)
    (True, 0)
    """
    player = CertifyingPlayer(meter, progress)
    record = play(layout, Agent(player.deduce, no_guess), GIVEN_START_RULES, name=NAME)
    return Walkthrough(record, Trace(layout, tuple(player.certificates)))


def no_guess(board: Board, rng: Random) -> None:
    """Give up instead of guessing."""


def analyse_forced(board: Board, cache: ComponentCache, meter: Meter | None = None) -> Analysis:
    """All forced cells, flags taken for mines, but few risks.

    Raises BudgetExceeded past the limits of ``meter``; the search for forced cells ends with them, too.
    """
    if meter is None:
        return analyse(board.trusting_flags(), budget=FORCED_BUDGET, cache=cache)
    meter.spend()
    found = analyse(board.trusting_flags(), budget=replace(FORCED_BUDGET, seconds=meter.left.seconds), cache=cache)
    meter.spend()
    return found


def exact_deducer(meter: Meter | None = None) -> Agent:
    """Player of all forced cells, who does not guess.

    Deductions raise BudgetExceeded past the limits of ``meter``.
    """
    cache = ComponentCache()

    def deduce(board: Board) -> Deduction:
        analysis = analyse_forced(board, cache, meter)
        return Deduction(analysis.safe, analysis.mines)

    return Agent(deduce, no_guess)


class CertifyingPlayer:
    def __init__(self, meter: Meter | None = None, progress: Progress | None = None) -> None:
        self.certificates: list[Certificate] = []
        self.progress = progress
        self.cache = ComponentCache()
        self.meter = meter or UNLIMITED.meter()

    def deduce(self, board: Board) -> Deduction:
        """Claims by single numbers, else the easiest forced cells with a proof."""
        self.meter.spend()
        if self.progress is not None:
            self.progress("proof", 1 - board.symbols.count(COVERED) / len(board.symbols))
        deduction = basic.deduce(board)
        if deduction:
            return deduction
        for stage, explanations in easiest_first(board.trusting_flags(), self.cache, self.meter):
            certificate = certify(explanations[0].board, self.meter.each(explanations))
            if certificate.proofs:
                # A cell whose proof is too long now may have a short one later.
                self.certificates.append(replace(certificate, uncertified=()))
                return _deduction(board, stage, explanations, {proof.cell for proof in certificate.proofs})
        return Deduction()


def easiest_first(
    board: Board, cache: ComponentCache | None = None, meter: Meter | None = None
) -> Iterator[tuple[str, list[Explanation]]]:
    """Explanations of forced cells by the stage that finds them, easiest first.

    Raises BudgetExceeded past the limits of ``meter``.
    """
    meter = meter or UNLIMITED.meter()
    analysis = analyse_forced(board, cache or ComponentCache(), meter)
    for stage, cells in analysis.stages.items():
        if cells:
            with Explainer(board, analysis=analysis) as explainer:
                found = [explainer.of(cell) for cell in meter.each(cells)]
            yield stage, [one for one in found if isinstance(one, Explanation)]


def _deduction(board: Board, stage: str, explanations: list[Explanation], proved: set[Cell]) -> Deduction:
    claims: dict[bool, dict[int, Inference]] = {False: {}, True: {}}
    for explanation in explanations:
        if explanation.cell in proved:
            claims[explanation.mine][board.index(explanation.cell)] = _inference(explanation, stage)
    return ordered_deduction(board, claims[False], claims[True])


def _inference(explanation: Explanation, stage: str) -> Inference:
    """The rule and the numbers of a claim; with the mine total, all numbers."""
    clues = explanation.clues
    if explanation.total:
        board = explanation.board
        clues = tuple(cell for cell in board if board.number(cell) is not None)
    return Inference(stage, clues)


MOST_NEIGHBOURS_FOR_CHAINS = 26
"""Most neighbours of a cell for which chains are followed; more would take hours."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Difficulty of a board.

    ``beyond`` is empty and ``chain`` is None if the board needs a guess; ``chain`` is also None on grids where it would
    take hours to find.
    """

    bv: int
    openings: int
    beyond: Mapping[str, int] = field(default_factory=dict)
    chain: int | None = None


def difficulty(layout: Layout, record: Record | None = None, meter: Meter | None = None) -> Difficulty:
    """Difficulty of a layout, with a game without guesses that clears it.

    Raises BudgetExceeded past the limits of ``meter``.
    """
    bv, openings, _ = board_numbers(layout)
    if record is None:
        return Difficulty(bv, openings)
    return Difficulty(bv, openings, claims_beyond(layout, meter), longest_chain(record, meter))


def longest_chain(record: Record, meter: Meter | None = None) -> int | None:
    followed = record.layout.topology.most <= MOST_NEIGHBOURS_FOR_CHAINS
    return chains(record, meter).length if followed else None


class BoardNumbers(NamedTuple):
    """Numbers of a board that do not depend on play: 3BV, openings, islands.

    An *island* is a set of connected safe cells outside of all openings and their borders, which clicks open one by
    one.
    """

    bv: int
    openings: int
    islands: int


def board_numbers(layout: Layout) -> BoardNumbers:
    """Return 3BV, openings and islands of a layout.

    >>> board_numbers(Layout(("*....", ".....", "....*")))
    BoardNumbers(bv=1, openings=1, islands=0)
    """
    table = layout.topology.neighbours(layout.rows, layout.cols)
    mined = [symbol == MINE for symbol in layout.symbols]
    zeros = bytearray(b"\1" * len(mined))
    for cell, mine in enumerate(mined):
        if mine:
            zeros[cell] = 0
            for other in table[cell]:
                zeros[other] = 0
    left = bytearray(not mine for mine in mined)
    openings = islands = 0
    start = zeros.find(1)
    while start >= 0:
        openings += 1
        zeros[start] = left[start] = 0
        waiting = [start]
        for reached in waiting:
            for other in table[reached]:
                left[other] = 0
                if zeros[other]:
                    zeros[other] = 0
                    waiting.append(other)
        start = zeros.find(1, start)
    bv = openings + left.count(1)
    start = left.find(1)
    while start >= 0:
        islands += 1
        left[start] = 0
        waiting = [start]
        for reached in waiting:
            for other in table[reached]:
                if left[other]:
                    left[other] = 0
                    waiting.append(other)
        start = left.find(1, start)
    return BoardNumbers(bv, openings, islands)


def claims_beyond(layout: Layout, meter: Meter | None = None) -> dict[str, int]:
    """The number of forced cells that each weaker agent misses, up to the first guess.

    These agents know a board and nothing before it, and begin with single numbers. Raises BudgetExceeded past the
    limits of ``meter``.
    """
    assert layout.start is not None
    meter, cache = meter or UNLIMITED.meter(), ComponentCache()
    begun, forced = SingleNumbersGame(layout), dict[str, Analysis]()
    begun.decide([layout.start], ())
    beyond = {}
    for name in WEAKER_AGENTS:
        agent, game, missed = agent_named(name), begun.copy(), 0
        while not game.is_over:
            meter.spend()
            board = game.board
            claims = Deduction.of(agent.deduce(board), board)
            if game.decide(claims.safe, claims.mines):
                continue
            if game.symbols not in forced:
                forced[game.symbols] = analyse_forced(board, cache, meter)
            found = forced[game.symbols]
            missed += len(found.safe) + len(found.mines)
            if not game.decide(found.safe, found.mines):
                break
        beyond[name] = missed
    return beyond
