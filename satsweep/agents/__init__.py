"""Agents: one idea a module, and a table of all.

``AGENTS`` maps a name to a function that makes a fresh agent for one game. Some take a parameter, written after a
colon: ``sat:cpsat``, ``deep:4``, ``gem-select:20``, ``ai0:random``. Another package adds one through an entry point in
the group ``satsweep.agents``: a function without arguments, or with one string, that returns an ``Agent`` (or anything
with ``deduce`` and ``guess``).

The weaker agents follow five documents, student papers and reports on the same kind of assignment. Each module cites
its own by author and title; the table and the plans of experiments have authors and years.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satsweep.agents import (
    ai0,
    ai1,
    basic,
    deep,
    gem,
    gem_full,
    gem_refute,
    random_agent,
    sat,
    search,
    subset,
    tank,
)
from satsweep.arguments import check_kind, did_you_mean
from satsweep.games.agent import Agent
from satsweep.games.rules import FIND_MINES_RULES, STANDARD_RULES, Rules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """An agent in the table.

    ``make`` makes one for a game, ``source`` names the document that it follows, ``rules`` are those that it was made
    for. A ``compiled`` agent calls the deep player of the kernels, even where it plays a single game move by move.
    """

    make: Callable[..., Agent]
    source: str = ""
    rules: Rules = STANDARD_RULES
    compiled: bool = False

    @property
    def summary(self) -> str:
        """The first line of its docstring, or that of its module."""
        import sys

        return (self.make.__doc__ or sys.modules[self.make.__module__].__doc__ or "").partition("\n")[0]


AGENTS: dict[str, AgentEntry] = {
    "random": AgentEntry(random_agent.agent, "the floor"),
    "basic": AgentEntry(basic.agent, "Haridas and Nair 2021"),
    "tank": AgentEntry(tank.agent, "Xu, Zhang and Geng 2017"),
    "subset": AgentEntry(subset.agent, "the S.A.M. report"),
    "gem": AgentEntry(gem.agent, "Haridas and Nair 2021"),
    "gem-full": AgentEntry(gem_full.agent, "this project, after Haridas and Nair 2021"),
    "gem-refute": AgentEntry(gem_refute.agent, "Haridas and Nair 2021, its future work"),
    "gem-select": AgentEntry(gem.select_agent, "Haridas and Nair 2021, its bonus"),
    "bfs": AgentEntry(search.breadth_first, "Wiersma 2020"),
    "dfs": AgentEntry(search.depth_first, "Wiersma 2020"),
    "ai0": AgentEntry(ai0.agent, "Covre", FIND_MINES_RULES),
    "ai1": AgentEntry(ai1.agent, "Reddy", FIND_MINES_RULES),
    "sat": AgentEntry(sat.agent, "this project"),
    "deep": AgentEntry(deep.agent, "this project", compiled=True),
}
"""Every agent by its name; ``agent_named`` makes a fresh one."""


def installed_agents() -> dict[str, EntryPoint]:
    """Return the agents of other packages by name, unless the table has the name."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group="satsweep.agents") if entry.name not in AGENTS}


def agent_names() -> list[str]:
    return [*AGENTS, *installed_agents()]


def entry_named(name: str) -> AgentEntry:
    """Return the entry of an agent by its name without a parameter.

    An agent of another package joins the table here. Raises ValueError for an unknown name.
    """
    if name not in AGENTS and (installed := installed_agents().get(name)):
        AGENTS[name] = AgentEntry(installed.load(), f"installed: {installed.value}")
    if name not in AGENTS:
        meant = did_you_mean(name, agent_names())
        raise ValueError(f"expected an agent among {', '.join(AGENTS)}, or FILE.py, found {name!r}{meant}")
    return AGENTS[name]


def agent_named(name: str) -> Agent:
    """Make a fresh agent by its name, for one game.

    Raises ValueError for an unknown name or parameter.

    >>> from satsweep.board import Board
    >>> agent_named("basic").deduce(Board(("1#",), mines=1)).mines
    (Cell(row=0, col=1),)
    """
    check_kind(name, str, "the name of an agent")
    base, colon, parameter = name.partition(":")
    make = entry_named(base).make
    try:
        return make(parameter) if colon else make()
    except TypeError:
        raise ValueError(f"expected {base} without a parameter, found {name!r}") from None
