"""Progress of a run: games played, blocks left, and what becomes of lost blocks.

Every block is about a second of work. If a worker dies, all blocks that were out are lost, and any of them may hold a
poison task: a game that kills each worker that plays it. Each of these blocks is a suspect. It is played again with no
other block out; if it is lost again it is bisected, down to the game that kills, which is reported as failed and not
played again.
"""

import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from satsweep.arena.blocks import Block, BlockResult
from satsweep.arena.packed_games import PackedGames, pack
from satsweep.arena.plan import Plan, PlayedBy
from satsweep.arena.played_again import Allowance
from satsweep.arena.result import Dropouts
from satsweep.arena.sprt import SequentialTest
from satsweep.arena.stats import share
from satsweep.errors import KernelError, WorkersError


@dataclass(slots=True)
class RunProgress:
    """Games of single agents that were played and won, by setting and agent.

    ``total`` is the number of games to play, None where the plan does not fix it; ``before`` is the number of games
    that were in the store when the run was begun or continued. ``again`` counts the games of kernels that Python played
    again since then. ``test`` is the plan's sequential test, ``dropouts`` are the agents that play no more.
    """

    plan: Plan
    total: int | None
    games: dict[tuple[int, int], int] = field(default_factory=dict)
    won: dict[tuple[int, int], int] = field(default_factory=dict)
    again: Counter[tuple[int, int]] = field(default_factory=Counter)
    failed: int = 0
    before: int = 0
    test: SequentialTest | None = None
    dropouts: Dropouts = field(default_factory=Dropouts)
    begun: float = field(default_factory=time.monotonic)

    @property
    def played(self) -> int:
        return sum(self.games.values())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    @property
    def speed(self) -> float:
        """Games of single agents per second in that time."""
        return (self.played - self.before) / max(self.seconds, 1e-9)

    @property
    def share_done(self) -> float | None:
        """Estimated share of the run that is done; None while it cannot be estimated."""
        shares = []
        if self.plan.seconds is not None:
            shares.append(self.seconds / self.plan.seconds)
        if self.total is not None:
            shares.append(self.played / self.total if self.total else 1.0)
        if self.plan.until is not None and self.played:
            # An interval shrinks with the root of the number of games.
            widest = max(max(self._half_widths(setting), default=0.0) for setting in range(len(self.plan.settings)))
            shares.append((self.plan.until / max(widest, 1e-9)) ** 2)
        return min(max(shares), 1.0) if shares else None

    @property
    def seconds_left(self) -> float | None:
        """Estimated time until the run ends; None while it cannot be estimated."""
        share_done, played = self.share_done, self.played
        if share_done is None or played == self.before:
            return None
        if self.plan.seconds is not None and share_done == self.seconds / self.plan.seconds:
            return self.plan.seconds - self.seconds
        return (played / max(share_done, 1e-9) - played) / self.speed

    def _half_widths(self, setting: int) -> Iterator[float]:
        """Half the width of each agent's win-rate interval in a setting, in points.

        Several plays of a layout count as one game, as if they all ended the same way: the interval is never shorter.
        """
        for agent in self.playing(setting):
            won, games = self.won.get((setting, agent), 0), self.games.get((setting, agent), 0)
            estimate = share(won, games, games / self.plan.plays)
            yield 50.0 if estimate is None else 50 * (estimate.high - estimate.low)

    def add(self, setting: int, agent: int, games: int, won: int, failed: int) -> None:
        key = (setting, agent)
        self.games[key] = self.games.get(key, 0) + games
        self.won[key] = self.won.get(key, 0) + won
        self.failed += failed

    def won_and_played(self, agent: int) -> tuple[int, int]:
        settings = range(len(self.plan.settings))
        won = sum(self.won.get((setting, agent), 0) for setting in settings)
        return won, sum(self.games.get((setting, agent), 0) for setting in settings)

    def is_precise(self, setting: int) -> bool:
        """True if every win rate of a setting is as precise as the plan requires."""
        if self.plan.until is None:
            return False
        return max(self._half_widths(setting), default=0.0) <= self.plan.until

    def playing(self, setting: int) -> list[int]:
        """The agents that are not out of a setting."""
        return [agent for agent in range(len(self.plan.agents)) if (setting, agent) not in self.dropouts.out]

    def is_enough(self, setting: int) -> bool:
        """True if a setting needs no more games.

        The test is decided, the win rates are precise, or fewer agents are left than it takes to compare.
        """
        if len(self.playing(setting)) < min(len(self.plan.agents), 2):
            return True
        return self.is_precise(setting) or self.test is not None and self.test.is_decided


def games_line(progress: RunProgress) -> str:
    """Number of games played, their speed, and the estimated time that is left."""
    total = "" if progress.total is None else f" of {progress.total:,}"
    parts = [f"{progress.played:,}{total} games"]
    if progress.speed:
        parts.append(f"{progress.speed:,.0f}/s" if progress.speed >= 10 else f"{progress.speed:.2g}/s")
    left = progress.seconds_left
    if left is not None:
        minutes, seconds = divmod(round(left), 60)
        hours, minutes = divmod(minutes, 60)
        parts.append(f"{hours}:{minutes:02}:{seconds:02} left")
    if progress.test is not None:
        decision = progress.test.decision
        low, high = decision.test.bounds
        ratios = ", ".join(f"{ratio:.2f}" for ratio in decision.log_ratios)
        parts.append(f"log ratio {ratios} ({low:.2f} to {high:.2f})")
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    return "  ".join(parts)


def win_rates_line(progress: RunProgress) -> str:
    """Win rate of each agent over all settings, with its 95 % interval."""
    rates = []
    for agent, name in enumerate(progress.plan.agents):
        estimate = share(*progress.won_and_played(agent))
        if estimate is not None:
            half = 50 * (estimate.high - estimate.low)
            rates.append(f"{name} {100 * estimate.mean:.2f} ±{half:.2f} %")
    return "   ".join(rates)


BLOCK_SECONDS = 1.0
"""Target time of a block; a 20th of the run if the run takes less than 20 s."""
MAX_GROWTH = 8
"""Maximum growth from one block to the next: the first games may be the shortest."""
MAX_POISON_TASKS = 10
"""A run is given up at this number of games that killed their workers."""


class BlockQueue:
    """Blocks left to play: suspects first, then the setting that is furthest behind."""

    def __init__(
        self,
        plan: Plan,
        finished: Mapping[int, list[range]],
        progress: RunProgress,
        jobs: int,
        played_by: PlayedBy = "auto",
    ) -> None:
        self._plan = plan
        self._played_by = played_by
        self._jobs = jobs
        self._progress = progress
        self._gaps = [
            _gaps(finished.get(index, []), plan.limit(index), plan.first) for index in range(len(plan.settings))
        ]
        self._gap = [next(gaps, None) for gaps in self._gaps]
        self._size = [1] * len(self._gap)
        self._sent = [0] * len(self._gap)
        self._suspects: deque[tuple[Block, int]] = deque()
        """Blocks that were lost, and how often."""
        self._poison_tasks = 0
        self._again = Allowance(len(self._gap))
        self._block_seconds = min(BLOCK_SECONDS, (plan.seconds or 60) / 20)

    @property
    def has_suspects(self) -> bool:
        """True if the next block must be the only one out.

        If a worker dies then, that block has killed it.
        """
        return bool(self._suspects)

    def is_empty(self) -> bool:
        return not self._suspects and (self._is_late() or not self._open_settings())

    def _is_late(self) -> bool:
        return self._plan.seconds is not None and self._progress.seconds >= self._plan.seconds

    def _open_settings(self) -> list[int]:
        return [index for index, gap in enumerate(self._gap) if gap is not None and not self._progress.is_enough(index)]

    def next_block(self) -> Block | None:
        if self._suspects:
            return self._suspects[0][0]
        if not self._open_settings() or self._is_late():
            return None
        setting = min(self._open_settings(), key=self._sent_share)
        gap = self._gap[setting]
        assert gap is not None
        first, end = gap
        games = self._size[setting]
        if end is not None:
            # Blocks become smaller towards the end, so that all workers end at about the same time.
            games = min(games, max(1, (end - first) // (2 * self._jobs)))
        self._gap[setting] = next(self._gaps[setting], None) if first + games == end else (first + games, end)
        self._sent[setting] += games
        agents = self._progress.playing(setting)
        again, in_python = self._again.take(setting), self._played_by == "python"
        return Block.of(self._plan, setting, range(first, first + games), agents, in_python, again)

    def _sent_share(self, setting: int) -> float:
        limit = self._plan.limit(setting)
        return self._sent[setting] / limit if limit else self._sent[setting]

    def complete(self, block: Block, played: BlockResult | None) -> list[PackedGames]:
        """Take a block back; return its games.

        A block that was lost, with None in place of its games, has none, unless it is a poison task. Raises
        KernelError where Python has played a game of the kernels otherwise.
        """
        self._again.complete(block, played)
        is_suspect = bool(self._suspects) and self._suspects[0][0] is block
        losses = self._suspects.popleft()[1] if is_suspect else 0
        if played is None:
            return self._lost(block, losses + 1)
        if played.again.difference is not None:
            raise KernelError(played.again.difference)
        self._progress.again.update({(block.index, agent): games for agent, games in played.again.games.items()})
        if not is_suspect:
            wanted = len(block.games) * self._block_seconds / max(played.seconds, 1e-6)
            self._size[block.index] = max(1, int(min(wanted, MAX_GROWTH * len(block.games))))
        return self._counted([played.games])

    def _lost(self, block: Block, losses: int) -> list[PackedGames]:
        """Queue a lost block again, whole or bisected; report a poison task as failed."""
        if losses < 2:
            self._suspects.append((block, losses))
        elif block.units > 1:
            self._suspects.extendleft((half, 1) for half in reversed(block.halves()))
        else:
            self._poison_tasks += 1
            if self._poison_tasks >= MAX_POISON_TASKS:
                name = self._plan.agents[block.agents[0]]
                raise WorkersError(
                    f"{self._poison_tasks} games killed their workers, the last one of {name}; giving up"
                )
            return self._counted(pack(block.failures("the worker that played it died")))
        return []

    def _counted(self, blocks: list[PackedGames]) -> list[PackedGames]:
        for block in blocks:
            for (setting, agent), sums in block.sums.agents.items():
                self._progress.add(setting, agent, sums.games, sums.sums["won"], sums.failed)
            self._progress.dropouts.add(block.failures)
            if self._progress.test is not None:
                self._progress.test.add(block.columns())
        return blocks


def _gaps(finished: list[range], limit: int | None, first: int = 0) -> Iterator[tuple[int, int | None]]:
    """Games below the limit that the ranges leave out, as (first, last + 1).

    Without a limit the last gap has no end.

    >>> list(_gaps([range(2, 5)], 9)), list(_gaps([range(0, 5)], None)), list(_gaps([range(2, 5)], 9, 4))
    ([(0, 2), (5, 9)], [(5, None)], [(5, 9)])
    """
    for games in finished:
        if limit is not None and games.start >= limit:
            break
        if first < games.start:
            yield first, games.start
        first = max(first, games.stop)
    if limit is None or first < limit:
        yield first, limit
