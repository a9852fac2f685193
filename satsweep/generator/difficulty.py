"""How hard a board is: clicks, openings, what agents cannot deduce, and how long its longest chain is.

*3BV* (Bechtel's Board Benchmark Value) is how many clicks clear a board that needs no flags: one for each opening, an
area of cells without mines around, and one for each other safe cell that touches none. What is *beyond* an agent is
counted in a game in which it is told, whenever it claims nothing, all that is forced, and nothing else: how many claims
it had to be told. The longest chain is that of the step-by-step solution (``satsweep.why.influence``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from satsweep.agents import agent_named
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction
from satsweep.games.game import play
from satsweep.games.record import Record
from satsweep.generator.spec import WEAKER_AGENTS
from satsweep.generator.walkthrough import GIVEN, forced, no_guess
from satsweep.layout import Layout
from satsweep.solver.pipeline import ComponentCache
from satsweep.why.influence import chains

MOST_TOUCHED = 26
"""Chains are not followed where cells touch more others than that: it would take hours."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a board is; what takes a board that needs no guess is left out where it does.

    So is the longest chain on grids where it would take hours to find.
    """

    bv: int
    openings: int
    beyond: Mapping[str, int] = field(default_factory=dict)
    chain: int | None = None


def difficulty(layout: Layout, record: Record | None = None) -> Difficulty:
    """How hard a layout is. ``record`` is how it is cleared without a guess, if it can be."""
    bv, openings = clicks(layout)
    if record is None:
        return Difficulty(bv, openings)
    beyond = {name: claims_beyond(name, layout) for name in WEAKER_AGENTS}
    return Difficulty(bv, openings, beyond, chains(record).length if layout.topology.most <= MOST_TOUCHED else None)


def clicks(layout: Layout) -> tuple[int, int]:
    """The 3BV of a layout, and how many openings it has.

    >>> clicks(Layout(("*....", ".....", "....*")))
    (1, 1)
    """
    table = layout.topology.neighbours(layout.rows, layout.cols)
    mined = [symbol == "*" for row in layout.cells for symbol in row]
    zero = [not mine and not any(mined[other] for other in table[cell]) for cell, mine in enumerate(mined)]
    opened: set[int] = set()
    openings = 0
    for cell, starts in enumerate(zero):
        if starts and cell not in opened:
            openings += 1
            opened.add(cell)
            waiting = [cell]
            for reached in waiting:
                for other in table[reached] if zero[reached] else ():
                    if other not in opened:
                        opened.add(other)
                        waiting.append(other)
    return openings + mined.count(False) - len(opened), openings


def claims_beyond(name: str, layout: Layout) -> int:
    """How many claims an agent has to be told to clear a layout that needs no guess."""
    agent, memory = agent_named(name), ComponentCache()
    told = 0

    def deduce(board: Board) -> Deduction:
        nonlocal told
        claimed = agent.deduce(board)
        assert isinstance(claimed, Deduction)
        if not claimed:
            analysis = forced(board, memory)
            claimed = Deduction(analysis.safe, analysis.mines)
            told += len(claimed.safe) + len(claimed.mines)
        return claimed

    play(layout, Agent(deduce, no_guess), GIVEN, name=name)
    return told
