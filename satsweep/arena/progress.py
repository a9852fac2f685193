"""Progress of a run: games played and won so far, and how much of the run is left."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from satsweep.arena.plan import Plan
from satsweep.arena.result import Dropouts
from satsweep.arena.sequential import SequentialTest
from satsweep.arena.stats import share


@dataclass(slots=True)
class RunProgress:
    """Games of single agents that were played and won, by setting and agent.

    ``total`` is the number of games to play, None where the plan does not fix it; ``before`` is the number of games
    that were in the store when the run was begun or continued. ``test`` is the plan's sequential test, ``dropouts``
    are the agents that play no more.
    """

    plan: Plan
    total: int | None
    games: dict[tuple[int, int], int] = field(default_factory=dict)
    won: dict[tuple[int, int], int] = field(default_factory=dict)
    failed: int = 0
    before: int = 0
    test: SequentialTest | None = None
    dropouts: Dropouts = field(default_factory=Dropouts)
    begun: float = field(default_factory=time.monotonic)

    @property
    def played(self) -> int:
        """Number of games of single agents, those of before included."""
        return sum(self.games.values())

    @property
    def seconds(self) -> float:
        """Time since the run was begun or continued."""
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
        """Add games of an agent in a setting, some of which were won, and some failed."""
        key = (setting, agent)
        self.games[key] = self.games.get(key, 0) + games
        self.won[key] = self.won.get(key, 0) + won
        self.failed += failed

    def won_and_played(self, agent: int) -> tuple[int, int]:
        """Numbers of games that an agent won and played, over all settings."""
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
