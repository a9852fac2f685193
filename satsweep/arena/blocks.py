"""Blocks: batches of games, played wherever a worker is.

A block is some games of one setting, each layout played by every agent of the plan, so agents can be compared on all
blocks that are finished. It depends on nothing but its own fields. If an agent fails, its game is lost, and the row
says how it failed; agents from outside this package play in processes of their own, so they cost no other game.

Games that the kernels play have the same moves and measures as in Python, and are a hundred times as fast. The
kernels draw the layouts and play the games of a whole block in one go. Games for which they have no room or no rules
are played in Python; nothing but the time shows which of the two played.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweep.agents import deep
from satsweep.agents.child_process import AgentDied
from satsweep.agents.isolated import GAME_SECONDS, isolated
from satsweep.agents.load import LoadedAgent
from satsweep.arena.plan import Plan
from satsweep.arena.result import FAILED, Result, Role, fields_with, layout_and_play
from satsweep.board import Board
from satsweep.errors import AgentError, SatsweepError
from satsweep.games.agent import Agent, Guess
from satsweep.games.deal import game_rng
from satsweep.games.game import play
from satsweep.games.record import GameMeasures, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick
from satsweep.games.setting import Setting
from satsweep.layout import Layout
from satsweep.solver import compiled
from satsweep.text import error_line
from satsweep.why.influence import chains

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.arena.plan import Plan


COMPILED_AGENTS: dict[str, tuple[str, int]] = {
    "sat": ("sat", 0),
    "deep": ("deep", int(deep.LEVEL)),
    **{f"deep:{level}": ("deep", int(level)) for level in deep.LEVELS},
}
"""Policy and level of every agent that is compiled."""


class KernelGames(NamedTuple):
    """Games of an agent: outcome and measures of each, processor time of all.

    An outcome of None leaves the game to Python.
    """

    outcomes: tuple[str | None, ...]
    counts: NDArray[np.void]
    seconds: float


def suits(setting: Setting, agent: str) -> bool:
    """Return whether kernels play an agent's games in a setting."""
    known = setting.rules.clears_by_numbers
    return agent in COMPILED_AGENTS and known and compiled.fits(setting.area, setting.topology)


def may_play(plan: Plan, setting: int, agent: int) -> bool:
    """Return whether kernels play an agent's games where there are any."""
    return not plan.needs_python and suits(plan.settings[setting], plan.agents[agent])


def played(setting: Setting, agent: str, seed: str, games: range) -> KernelGames | None:
    """Games of a run, played by the kernels; None if they cannot play them."""
    if not compiled.is_there() or not suits(setting, agent):
        return None
    rules = setting.rules
    policy, level = COMPILED_AGENTS[agent]
    layouts, starts = _given(setting, games)
    start = None if rules.start is None else rules.start.row * setting.cols + rules.start.col
    begun = time.thread_time()
    counts = compiled.play_games(
        compiled.table_of(setting.topology, setting.rows, setting.cols),
        setting.mines,
        seed,
        games,
        first=rules.first.value,
        start=start,
        cascade=rules.cascade,
        fatal=rules.fatal,
        layouts=layouts,
        starts=starts if start is None else None,
        policy=policy,
        level=level,
    )
    seconds = max(time.thread_time() - begun, 1e-9)  # above 0, the sign of games that kernels played
    outcomes = tuple(compiled.OUTCOMES[outcome] for outcome in counts["outcome"])
    return KernelGames(tuple(None if name in ("beyond", "no room") else name for name in outcomes), counts, seconds)


def _given(setting: Setting, games: range) -> tuple[NDArray[np.int8] | None, list[int] | None]:
    """Given layouts of these games as rows of 0 and 1, and their starts, or None."""
    import numpy as np

    if not setting.layouts:
        return None, None
    chosen = setting.layouts[: len(games)]
    rows = [[symbol == "*" for symbol in layout.symbols] for layout in chosen]
    starts = None
    if setting.rules.first is FirstClick.GIVEN:
        starts = [-1 if layout.start is None else layout.index(layout.start) for layout in chosen]
    return np.array(rows, np.int8), starts


_TAKEN_OVER = tuple(measure.name for measure in fields(GameMeasures) if measure.name in fields_with(Role.COUNT))
"""Counts that a result takes over from the measures of the record."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games ``first`` to ``first + games - 1`` of a setting, for some agents.

    ``index`` is that of the setting in the plan. ``agents`` has the index and the name of each. ``setting`` has the
    layouts of these games only, if any are given; each layout is played ``plays`` times. Kernels play the games that
    they can, unless ``in_python`` says that Python plays; ``needs_python`` says that kernels never could. ``seed``,
    ``chains``, ``evaluations``, ``calibration`` and ``game_seconds`` are as in the plan.
    """

    index: int
    setting: Setting
    seed: str
    agents: tuple[tuple[int, str], ...]
    first: int
    games: int
    chains: bool = False
    game_seconds: float | None = GAME_SECONDS
    in_python: bool = False
    needs_python: bool = False
    evaluations: bool = False
    calibration: bool = False
    plays: int = 1

    @classmethod
    def of(
        cls,
        plan: Plan,
        setting: int,
        first: int,
        games: int,
        agents: Sequence[int] | None = None,
        in_python: bool = False,
    ) -> Block:
        """Some games of a plan, for all of its agents unless some are given."""
        players = range(len(plan.agents)) if agents is None else agents
        whole = cls(
            setting,
            plan.settings[setting],
            plan.seed,
            tuple((player, plan.agents[player]) for player in players),
            0,
            0,
            plan.chains,
            game_seconds=plan.game_seconds,
            in_python=in_python or plan.needs_python,
            needs_python=plan.needs_python,
            evaluations=plan.evaluations,
            calibration=plan.calibration,
            plays=plan.plays,
        )
        return whole._of_games(first, games)

    def _of_games(self, first: int, games: int) -> Block:
        """The block with other games, whose layouts are among its own if any are given."""
        before, begin, last = (
            layout_and_play(game, self.plays)[0] for game in (self.first, first, first + max(games, 1) - 1)
        )
        layouts = self.setting.layouts[begin - before : last + 1 - before]
        return replace(self, setting=replace(self.setting, layouts=layouts), first=first, games=games)

    @property
    def units(self) -> int:
        """Number of games of single agents."""
        return self.games * len(self.agents)

    def halves(self) -> list[Block]:
        """The block bisected: by games, or by agents if it is a single game."""
        if self.games == 1:
            cut = len(self.agents) // 2
            return [replace(self, agents=self.agents[:cut]), replace(self, agents=self.agents[cut:])]
        cut = self.games // 2
        return [self._of_games(self.first, cut), self._of_games(self.first + cut, self.games - cut)]

    def layout(self, game: int) -> tuple[Layout, Random]:
        (number, _), (first, _) = (layout_and_play(one, self.plays) for one in (game, self.first))
        return self.setting.layout(self.seed, number, first)

    def agent_rng(self, game: int) -> Random | None:
        """The random generator that the agent draws from; None for that of the layout.

        The first play of a layout is the game that a plan without plays has on it.
        """
        number, play = layout_and_play(game, self.plays)
        return game_rng(f"{self.seed}/{number}", play) if play else None

    def failures(self, message: str) -> list[Result]:
        """Rows that report every game of the block as failed."""
        return [
            Result(self.index, game, agent, FAILED, message=message, layout=self._layout_text(game))
            for game in range(self.first, self.first + self.games)
            for agent, _ in self.agents
        ]

    def _layout_text(self, game: int) -> str | None:
        try:
            return str(self.layout(game)[0])
        except SatsweepError:
            return None


class BlockResult(NamedTuple):
    """Rows of a block, the seconds that it took, and the versions that played it."""

    results: list[Result]
    seconds: float
    versions: dict[str, str]

    def __reduce__(self) -> tuple[Callable[..., BlockResult], tuple[object, ...]]:
        """Pickle rows as plain tuples, which halves the time of the receiving process."""
        return _unpickled, ([tuple(row) for row in self.results], self.seconds, self.versions)


def _unpickled(rows: list[tuple[Any, ...]], seconds: float, versions: dict[str, str]) -> BlockResult:
    return BlockResult(list(map(Result._make, rows)), seconds, versions)


def play_block(block: Block) -> BlockResult:
    """Play a block: each agent on the same layouts with the same random numbers."""
    with ExitStack() as held:
        return _played_by(block, [(agent, name, _loaded(name, block, held)) for agent, name in block.agents])


def _played_by(block: Block, subjects: Sequence[tuple[int, str, LoadedAgent | str]]) -> BlockResult:
    """Play a block with agents that are loaded; a text says why one could not be."""
    begun = time.perf_counter()
    results = []
    games = range(block.first, block.first + block.games)
    by_kernels = {agent: _kernel_results(block, agent, name, games) for agent, name in block.agents}
    for game in games:
        in_python = []
        for agent, name, found in subjects:
            result = by_kernels[agent].get(game)
            if result is None:
                in_python.append((agent, name, found))
            else:
                results.append(result)
        if not in_python:
            continue
        layout, drawn = block.layout(game)
        state = drawn.getstate()
        for agent, name, found in in_python:
            results.append(_python_result(block, game, agent, name, found, layout, state))
    return BlockResult(results, time.perf_counter() - begun, versions())


def _kernel_results(block: Block, agent: int, name: str, games: range) -> dict[int, Result]:
    found = None if block.in_python else played(block.setting, name, block.seed, games)
    if found is None:
        return {}
    seconds = found.seconds / len(games)
    names = found.counts.dtype.names or ()
    won = {outcome.value: int(outcome.won) for outcome in Outcome}
    results = {}
    for game, outcome, counts in zip(games, found.outcomes, found.counts.tolist(), strict=True):
        if outcome is not None:
            row = dict(zip(names, counts, strict=True)) | {"outcome": outcome, "won": won[outcome]}
            results[game] = Result(block.index, game, agent, seconds=seconds, **row)
    return results


def _python_result(
    block: Block, game: int, agent: int, name: str, found: LoadedAgent | str, layout: Layout, state: tuple[Any, ...]
) -> Result:
    """Result of a game played in Python, with the random state after dealing.

    ``found`` is the agent, or the reason why it cannot be loaded. If its process dies the game is played once more, as
    the reason may lie outside of the agent.
    """
    if isinstance(found, str):
        return Result(block.index, game, agent, FAILED, message=found, layout=str(layout))

    chances: list[Fraction] = []

    def recorded() -> Record:
        rng = Random()
        rng.setstate(state)
        chances.clear()
        agent = stating(found.fresh(), chances) if block.calibration else found.fresh()
        return play(layout, agent, block.setting.rules, rng, name=name, agent_rng=block.agent_rng(game))

    try:
        try:
            record = recorded()
        except AgentDied:
            record = recorded()
        counts: dict[str, Any] = counts_of(record) | (chain_counts_of(record) if block.chains else {})
        if block.evaluations:
            counts["evaluations"] = record.evaluations
        if block.calibration:
            counts["risks"] = risks_of(record)
            counts["win_chances"] = " ".join(str(round(1_000_000 * chance)) for chance in chances)
    except Exception as error:
        return Result(block.index, game, agent, FAILED, message=error_line(error), layout=str(layout))
    # Kernels would be much faster than this, so the sign keeps the two apart.
    in_place = block.in_python or not compiled.is_there()
    replaces = in_place and not block.needs_python and suits(block.setting, name)
    seconds = -record.seconds if replaces else record.seconds
    return Result(block.index, game, agent, record.outcome.value, seconds=seconds, **counts)


def counts_of(record: Record) -> dict[str, int]:
    """The counts that are taken in every game, by their names in ``Result``."""
    measures = record.measures
    return {name: getattr(measures, name) for name in _TAKEN_OVER} | {
        "won": int(record.won),
        "right": measures.flagged - measures.wrong_flags,
        "wrong": measures.wrong_flags,
    }


def chain_counts_of(record: Record) -> dict[str, int]:
    """The counts on chains of influence, by their names in ``Result``.

    Empty where the claims of the game do not name their clues.
    """
    try:
        influence = chains(record)
    except AgentError:
        return {}
    return {"chain": influence.length, "reach": influence.reach, "breadth": influence.breadth}


def risks_of(record: Record) -> str:
    """The risks stated with guesses, in millionths, negative where a mine was hit."""
    stated = [move for move in record.moves if move.reason is MoveReason.GUESSED and move.risk is not None]
    return " ".join(f"{'-' if move.exploded else ''}{round(1_000_000 * (move.risk or 0))}" for move in stated)


def stating(agent: Agent, chances: list[Fraction]) -> Agent:
    """The agent, which adds the chances to win that it states to a list.

    Raises AgentError in a game with a chance that is no probability.
    """

    def guess(board: Board, rng: Random) -> Guess | None:
        found = Guess.of(agent.guess(board, rng), board)
        if found is not None and found.wins is not None:
            if not 0 <= found.wins <= 1:
                raise AgentError(f"expected a chance to win from 0 to 1, found {found.wins!s:.40}")
            chances.append(Fraction(found.wins))
        return found

    return replace(agent, guess=guess)


def _loaded(name: str, block: Block, held: ExitStack) -> LoadedAgent | str:
    """The agent with a name, or the reason why it cannot be loaded here."""
    try:
        return held.enter_context(isolated(name, block.game_seconds, keep=True))
    except Exception as error:
        return error_line(error)


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
