"""How a run stands, on a terminal, while it goes on."""

from __future__ import annotations

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from satsweep.compare.run import RunProgress
from satsweep.compare.stats import share


class ProgressDisplay:
    """A bar, games a second, the estimated end, and the win rate of every agent so far with its 95 % interval.

    A context, within which it is called with every new standing.
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

    def __call__(self, standing: RunProgress) -> None:
        """Show how it stands."""
        share_done = standing.share_done
        self._bar.update(
            self._task,
            description=counted(standing),
            total=1.0 if share_done is not None else None,
            completed=share_done or 0.0,
        )
        self._live.update(Group(self._bar, Text(estimated(standing))))


def counted(standing: RunProgress) -> str:
    """How many games were played, how fast, and how long it will take."""
    total = "" if standing.total is None else f" of {standing.total:,}"
    parts = [f"{standing.played:,}{total} games"]
    if standing.speed:
        parts.append(f"{standing.speed:,.0f}/s" if standing.speed >= 10 else f"{standing.speed:.2g}/s")
    left = standing.seconds_left
    if left is not None:
        minutes, seconds = divmod(round(left), 60)
        hours, minutes = divmod(minutes, 60)
        parts.append(f"{hours}:{minutes:02}:{seconds:02} left")
    if standing.failed:
        parts.append(f"{standing.failed:,} failed")
    return "  ".join(parts)


def estimated(standing: RunProgress) -> str:
    """The win rate of every agent, over all settings, with its 95 % interval."""
    said = []
    for agent, name in enumerate(standing.plan.agents):
        estimate = share(*standing.of(agent))
        if estimate is not None:
            half = 50 * (estimate.high - estimate.low)
            said.append(f"{name} {100 * estimate.mean:.2f} ±{half:.2f} %")
    return "   ".join(said)
