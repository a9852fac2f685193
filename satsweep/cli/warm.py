"""Command ``warm``: compile the kernels ahead."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from satsweep.cli.output import BAD_INPUT, is_terminal


@contextmanager
def _bar() -> Iterator[Callable[[float], None]]:
    """Function that shows a share of the work as a bar on a terminal."""
    if not is_terminal(sys.stderr):
        yield lambda share: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("compiling"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1.0)
        yield lambda share: progress.update(task, completed=share)


def warm() -> None:
    """Compile all kernels now, so that no later command begins without them.

    They are kept in SATSWEEP_CACHE_DIR if that is set, else beside the package or in the user's cache directory.

    Exit codes: 0 they are compiled, 2 usage, 3 they cannot be compiled or kept, 130 interrupted.
    """
    from satsweep.solver.background import Kernels
    from satsweep.solver.compiled import library

    kernels = Kernels(*library.PARTS)
    if not kernels.missing:
        typer.echo(f"already compiled, in {kernels.place('games')}")
        return
    if library.is_private():
        raise typer.Exit(BAD_INPUT)  # a warning has said what to set
    begun = time.monotonic()
    kernels.begin()
    with _bar() as show:
        while kernels.are_compiling:
            show(kernels.share)
            kernels.wait(0.2)
    if kernels.missing:
        raise typer.Exit(BAD_INPUT)
    typer.echo(f"compiled in {time.monotonic() - begun:.0f} s, kept in {kernels.place('games')}")
