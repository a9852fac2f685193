"""Games as rows: what is kept of each game, and how a block of games is played wherever the work is done.

A block is some games of one setting, each layout played by every agent of the plan, so that whatever is finished can
be compared. It depends on nothing but what it is sent. An agent that fails loses its game, and the row says how.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any, NamedTuple

from satsweep.agents.load import LoadedAgent, load_agent
from satsweep.compare.kernel_games import played, worth_compiling
from satsweep.compare.plan import Plan
from satsweep.errors import AgentError, SatsweepError
from satsweep.games.game import play
from satsweep.games.record import Outcome, Record
from satsweep.games.setting import Setting
from satsweep.layout import Layout
from satsweep.why.influence import chains

FAILED = "failed"
"""The outcome of a game that could not be played to its end; all others are those of ``Outcome``."""


class Result(NamedTuple):
    """A game of one agent. ``setting`` and ``agent`` are indices into the plan; ``game`` counts within the setting.

    ``right`` are the mines flagged rightly in the end, ``wrong`` the other flags; the rest is as in ``Measures``.
    ``chain``, ``reach`` and ``breadth`` are those of ``Influence`` where the plan asks for them and the agent says what
    its claims rest on, None elsewhere. ``message`` and ``layout`` are there for a game that failed.
    """

    setting: int
    game: int
    agent: int
    outcome: str
    won: int = 0
    turns: int = 0
    opened: int = 0
    right: int = 0
    wrong: int = 0
    mines_hit: int = 0
    guesses: int = 0
    guesses_lost: int = 0
    claims: int = 0
    beyond_basic: int = 0
    chain: int | None = None
    reach: int | None = None
    breadth: int | None = None
    seconds: float = 0.0
    message: str | None = None
    layout: str | None = None

    @property
    def failed(self) -> bool:
        """Whether the game could not be played to its end."""
        return self.outcome == FAILED


TRACED = ("chain", "reach", "breadth")
"""What is counted only where it is asked for, and can be told."""

COUNTED = (
    "won",
    "turns",
    "opened",
    "right",
    "wrong",
    "mines_hit",
    "guesses",
    "guesses_lost",
    "claims",
    "beyond_basic",
    *TRACED,
)
"""What is counted in a game."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games ``first`` to ``first + games - 1`` of a setting, to be played by some agents: (index, name) of each.

    ``setting`` has the layouts of these games only, if any are given; ``compiled`` lets the kernels play what they can.
    """

    index: int
    setting: Setting
    seed: str
    agents: tuple[tuple[int, str], ...]
    first: int
    games: int
    chains: bool = False
    compiled: bool = False

    @classmethod
    def of(cls, plan: Plan, setting: int, first: int, games: int, agents: Sequence[int] | None = None) -> Block:
        """Some games of a plan; by all of its agents unless some are named."""
        kind = plan.settings[setting]
        players = range(len(plan.agents)) if agents is None else agents
        return cls(
            setting,
            replace(kind, layouts=kind.layouts[first : first + games]),
            plan.seed,
            tuple((player, plan.agents[player]) for player in players),
            first,
            games,
            plan.chains,
            worth_compiling(plan),
        )

    @property
    def units(self) -> int:
        """How many games of single agents these are."""
        return self.games * len(self.agents)

    def halves(self) -> list[Block]:
        """The same games in two parts: some and the others, or by some agents and the others if it is a single one."""
        if self.games == 1:
            cut = len(self.agents) // 2
            return [replace(self, agents=self.agents[:cut]), replace(self, agents=self.agents[cut:])]
        cut, given = self.games // 2, self.setting.layouts
        return [
            replace(self, setting=replace(self.setting, layouts=given[:cut]), games=cut),
            replace(
                self,
                setting=replace(self.setting, layouts=given[cut:]),
                first=self.first + cut,
                games=self.games - cut,
            ),
        ]

    def layout(self, game: int) -> tuple[Layout, Random]:
        """The layout of a game, and the randomness to play it with."""
        return self.setting.layout(self.seed, game, self.first)

    def failed(self, message: str) -> list[Result]:
        """Rows that say that none of the games could be played."""
        return [
            Result(self.index, game, agent, FAILED, message=message, layout=self._text(game))
            for game in range(self.first, self.first + self.games)
            for agent, _ in self.agents
        ]

    def _text(self, game: int) -> str | None:
        try:
            return str(self.layout(game)[0])
        except SatsweepError:
            return None


class BlockResult(NamedTuple):
    """What comes back of a block: its rows, how long they took, and what software played them."""

    results: list[Result]
    seconds: float
    versions: dict[str, str]

    def __reduce__(self) -> tuple[Callable[..., BlockResult], tuple[object, ...]]:
        """Rows travel as plain tuples, which takes the process that collects them half the time."""
        return _arrived, ([tuple(row) for row in self.results], self.seconds, self.versions)


def _arrived(rows: list[tuple[Any, ...]], seconds: float, versions: dict[str, str]) -> BlockResult:
    return BlockResult(list(map(Result._make, rows)), seconds, versions)


def play_block(block: Block) -> BlockResult:
    """Play the games of a block, each agent on the same layouts with the same randomness."""
    begun = time.perf_counter()
    results = []
    subjects = [(agent, name, _subject(name)) for agent, name in block.agents]
    rng = Random()
    games = range(block.first, block.first + block.games)
    compiled = {agent: _compiled(block, agent, name, games) for agent, name in block.agents} if block.compiled else {}
    for game in games:
        left = []
        for agent, name, found in subjects:
            result = compiled[agent].get(game) if agent in compiled else None
            if result is None:
                left.append((agent, name, found))
            else:
                results.append(result)
        if not left:
            continue
        layout, drawn = block.layout(game)
        state = drawn.getstate()
        for agent, name, found in left:
            rng.setstate(state)
            results.append(_play(block, game, agent, name, found, layout, rng))
    return BlockResult(results, time.perf_counter() - begun, versions())


def _compiled(block: Block, agent: int, name: str, games: range) -> dict[int, Result]:
    """The results of the games that the kernels have played."""
    found = played(block.setting, name, block.seed, games)
    if found is None:
        return {}
    seconds = found.seconds / len(games)
    names = found.counts.dtype.names or ()
    won = {outcome.value: int(outcome.won) for outcome in Outcome}
    results = {}
    for game, outcome, counts in zip(games, found.outcomes, found.counts.tolist(), strict=True):
        if outcome is not None:
            said = dict(zip(names, counts, strict=True)) | {"outcome": outcome, "won": won[outcome]}
            results[game] = Result(block.index, game, agent, seconds=seconds, **said)
    return results


def _play(
    block: Block, game: int, agent: int, name: str, found: LoadedAgent | str, layout: Layout, rng: Random
) -> Result:
    if isinstance(found, str):
        return Result(block.index, game, agent, FAILED, message=found, layout=str(layout))
    try:
        record = play(layout, found.fresh(), block.setting.rules, rng, name=name)
        chain, reach, breadth = _traced(record) if block.chains else (None, None, None)
    except Exception as error:
        return Result(block.index, game, agent, FAILED, message=_said(error), layout=str(layout))
    measures = record.measures
    return Result(
        block.index,
        game,
        agent,
        record.outcome.value,
        int(record.won),
        measures.turns,
        measures.opened,
        measures.flagged - measures.wrong_flags,
        measures.wrong_flags,
        measures.mines_hit,
        measures.guesses,
        measures.guesses_lost,
        measures.claims,
        measures.beyond_basic,
        chain,
        reach,
        breadth,
        record.seconds,
    )


def _traced(record: Record) -> tuple[int, int, int] | tuple[None, None, None]:
    """Length, reach and breadth of the chains of influence of a game; None if its claims do not name their numbers."""
    try:
        influence = chains(record)
    except AgentError:
        return None, None, None
    return influence.length, influence.reach, influence.breadth


@cache
def _subject(name: str) -> LoadedAgent | str:
    """Who plays under a name; what went wrong instead, if the code cannot be had here."""
    try:
        return load_agent(name)
    except Exception as error:
        return _said(error)


def _said(error: Exception) -> str:
    lines = str(error).splitlines()
    said = lines[0] if lines else ""
    return said if isinstance(error, SatsweepError) else f"{type(error).__name__}: {said}"


@cache
def versions() -> dict[str, str]:
    """The software that decides how a game goes."""
    from satsweep import __version__

    found = {"satsweep": __version__, "python": ".".join(platform.python_version_tuple()[:2])}
    for package in ("python-sat", "ortools"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
