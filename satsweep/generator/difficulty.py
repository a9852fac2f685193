"""Difficulty of a board: clicks, openings, claims beyond agents, longest chain.

*3BV* (Bechtel's Board Benchmark Value) is the number of clicks that clear a board without flags: one for each opening,
an area of cells without mines around, and one for each other safe cell that touches none. A board is *beyond* an agent
by a number of claims: in a game in which the agent receives all forced cells whenever it claims nothing itself, the
number of claims that it has to receive. The longest chain is that of the step-by-step solution
(``satsweep.why.influence``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from satsweep.agents import agent_named
from satsweep.board import MINE, Board
from satsweep.games.agent import Agent, Deduction
from satsweep.games.game import play
from satsweep.games.record import Record
from satsweep.generator.spec import WEAKER_AGENTS
from satsweep.generator.walkthrough import GIVEN_START_RULES, analyse_forced, no_guess
from satsweep.layout import Layout
from satsweep.solver.pipeline import ComponentCache
from satsweep.why.influence import chains

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


def difficulty(layout: Layout, record: Record | None = None) -> Difficulty:
    """Return the difficulty of a layout.

    ``record`` is a game that clears it without a guess, if there is one.
    """
    bv, openings, _ = board_numbers(layout)
    if record is None:
        return Difficulty(bv, openings)
    beyond = {name: claims_beyond(name, layout) for name in WEAKER_AGENTS}
    return Difficulty(bv, openings, beyond, longest_chain(record))


def longest_chain(record: Record) -> int | None:
    """Return the longest chain of a game; None where it would take hours."""
    followed = record.layout.topology.most <= MOST_NEIGHBOURS_FOR_CHAINS
    return chains(record).length if followed else None


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


def claims_beyond(name: str, layout: Layout) -> int:
    """Return the number of forced cells that an agent misses, up to the first guess."""
    agent, cache = agent_named(name), ComponentCache()
    missed = 0

    def deduce(board: Board) -> Deduction:
        nonlocal missed
        deduction = agent.deduce(board)
        assert isinstance(deduction, Deduction)
        if not deduction:
            analysis = analyse_forced(board, cache)
            deduction = Deduction(analysis.safe, analysis.mines)
            missed += len(deduction.safe) + len(deduction.mines)
        return deduction

    play(layout, Agent(deduce, no_guess), GIVEN_START_RULES, name=name)
    return missed
