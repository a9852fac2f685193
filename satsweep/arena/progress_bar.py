"""Progress bar: a run's progress on a terminal while it goes on."""

from __future__ import annotations

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from satsweep.arena.progress import RunProgress
from satsweep.arena.stats import share


class ProgressDisplay:
    """Live display: a bar, speed, estimated end, and each agent's win rate so far.

    Use it as a context, and call it with the progress of the run whenever that changes.
    """

    def __init__(self, console: Console) -> None:
        self._bar = Progress(
            BarColumn(bar_width=None),
            TextColumn("{task.description}"),
            console=console,
            auto_refresh=False,
        )
        self._task = self._bar.add_task("starting", total=None)
        self._live = Live(self._bar, console=console, refresh_per_second=4, transient=True)

    def __enter__(self) -> ProgressDisplay:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, progress: RunProgress) -> None:
        """Show the progress of the run."""
        share_done = progress.share_done
        self._bar.update(
            self._task,
            description=games_line(progress),
            total=1.0 if share_done is not None else None,
            completed=share_done or 0.0,
        )
        self._live.update(Group(self._bar, Text(win_rates_line(progress))))


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
