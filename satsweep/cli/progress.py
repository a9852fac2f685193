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

    @property
    def is_there(self) -> bool:
        """True if there is a terminal to draw it on."""
        return self._progress is not None

    def show(self, completed: float, text: str = "", *, total: float | None = None, below: str = "") -> None:
        """Show how much is completed, with texts behind the bar and below it."""
        if self._progress is not None:
            (task,) = self._progress.task_ids
            self._progress.update(task, completed=completed, total=total, description=text, below=below)

    def close(self) -> None:
        """Take the bar away for good."""
        if self._progress is not None:
            self._progress.stop()

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
def progress_bar(total: float | None = None, text: str = "") -> Iterator[ProgressBar]:
    """Show a bar with the time that has passed, in steps of a total if one is known."""
    if not is_terminal(sys.stderr):
        yield ProgressBar(None)
        return
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Bar(Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            yield from (Text(below) for task in self.tasks if (below := task.fields.get("below")))

    columns = SpinnerColumn(), BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Bar(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        progress.add_task(text, total=total)
        yield ProgressBar(progress)
