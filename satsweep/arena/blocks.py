"""Blocks: batches of games, and what comes back of them.

A block is some games of one setting, each layout played by every agent of the plan, so agents can be compared on all
blocks that are finished. It depends on nothing but its own fields, so it may be played wherever a worker is.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import NamedTuple

from satsweep.arena.packed_games import PackedGames
from satsweep.arena.plan import Plan
from satsweep.arena.result import FAILED, Result, layout_and_play
from satsweep.errors import SatsweepError
from satsweep.games.deal import game_rng
from satsweep.games.setting import Setting
from satsweep.layout import Layout


@dataclass(frozen=True, slots=True)
class Block:
    """Games of a setting of a plan, for some of its agents.

    ``index`` is that of the setting, ``agents`` are indices, too. Given layouts of the plan are left out, except those
    of these games. Kernels play the games that they can, unless ``in_python`` says that Python plays; it plays the
    first ``again`` of their games once more, to compare.
    """

    plan: Plan
    index: int
    games: range
    agents: tuple[int, ...]
    in_python: bool = False
    again: int = 0

    @classmethod
    def of(
        cls,
        plan: Plan,
        index: int,
        games: range,
        agents: Sequence[int] | None = None,
        in_python: bool = False,
        again: int = 0,
    ) -> Block:
        """Some games of a plan, for all of its agents unless some are given."""
        players = range(len(plan.agents)) if agents is None else agents
        whole = cls(plan, index, range(0), tuple(players), in_python or plan.needs_python, again)
        return whole.of_games(games)

    def of_games(self, games: range) -> Block:
        """The block with other games, whose layouts are among its own if any are given."""
        before, begin, last = (
            layout_and_play(game, self.plan.plays)[0]
            for game in (self.games.start, games.start, max(games.start, games.stop - 1))
        )
        layouts = self.setting.layouts[begin - before : last + 1 - before]
        settings = (
            replace(setting, layouts=layouts if index == self.index else ()) if setting.layouts else setting
            for index, setting in enumerate(self.plan.settings)
        )
        return replace(self, plan=replace(self.plan, settings=tuple(settings)), games=games)

    @property
    def setting(self) -> Setting:
        return self.plan.settings[self.index]

    @property
    def units(self) -> int:
        """Number of games of single agents."""
        return len(self.games) * len(self.agents)

    def halves(self) -> list[Block]:
        """The block bisected: by games, or by agents if it is a single game."""
        if len(self.games) == 1:
            cut = len(self.agents) // 2
            return [replace(self, agents=self.agents[:cut]), replace(self, agents=self.agents[cut:])]
        cut = len(self.games) // 2
        return [self.of_games(self.games[:cut]), self.of_games(self.games[cut:])]

    def layout(self, game: int) -> tuple[Layout, Random]:
        """The layout of a game, and the random generator to play it with."""
        (number, _), (first, _) = (layout_and_play(one, self.plan.plays) for one in (game, self.games.start))
        return self.setting.layout(self.plan.seed, number, first)

    def agent_rng(self, game: int) -> Random | None:
        """The random generator that the agent draws from; None for that of the layout.

        The first play of a layout is the game that a plan without plays has on it.
        """
        number, play = layout_and_play(game, self.plan.plays)
        return game_rng(f"{self.plan.seed}/{number}", play) if play else None

    def failures(self, message: str) -> list[Result]:
        """Rows that report every game of the block as failed."""
        return [
            Result(self.index, game, agent, FAILED, message=message, layout=self._layout_text(game))
            for game in self.games
            for agent in self.agents
        ]

    def _layout_text(self, game: int) -> str | None:
        try:
            return str(self.layout(game)[0])
        except SatsweepError:
            return None


class PlayedAgain(NamedTuple):
    """Games of the kernels that Python played again: their number by agent, and time.

    ``difference`` says where Python played otherwise; None if it made the same moves.
    """

    games: dict[int, int]
    seconds: float
    difference: str | None = None


class BlockResult(NamedTuple):
    """Games of a block, the seconds that it took, and the versions that played it.

    The seconds are without those of the games that were played again.
    """

    games: PackedGames
    seconds: float
    versions: dict[str, str]
    again: PlayedAgain

    @property
    def results(self) -> list[Result]:
        """Results by game and agent."""
        return self.games.results()


@cache
def versions() -> dict[str, str]:
    """Versions of the software that decides how a game goes."""
    from satsweep import __version__

    found = {"satsweep": __version__, "python": ".".join(platform.python_version_tuple()[:2])}
    for package in ("python-sat", "ortools"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
