"""Progress of a command: a bar on standard error, if that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from satsweep.cli.output import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress

WAIT = 0.2
"""Seconds without other output before a bar is worth its time."""


class ProgressBar:
    """Bar that is redrawn in place and removed at the end; none without a terminal."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._shown_at = time.monotonic()

    def show(self, completed: float, text: str = "") -> None:
        """Show how much is completed, with a text behind the bar."""
        if self._progress is not None:
            (task,) = self._progress.task_ids
            self._progress.update(task, completed=completed, description=text)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away while other output is written to the same terminal.

        It comes back if it was there for a while: output that follows closely shows by itself that work goes on, and a
        bar takes milliseconds to draw.
        """
        waited = time.monotonic() - self._shown_at
        if self._progress is not None:
            self._progress.stop()
        yield
        if self._progress is not None and waited > WAIT:
            self._progress.start()
        self._shown_at = time.monotonic()


@contextmanager
def progress_bar(total: float, text: str = "") -> Iterator[ProgressBar]:
    """Show a bar with the time that has passed, in steps of a total."""
    if not is_terminal(sys.stderr):
        yield ProgressBar(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        progress.add_task(text, total=total)
        yield ProgressBar(progress)
