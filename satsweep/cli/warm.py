"""Command ``warm``: compile the kernels ahead."""

from __future__ import annotations

import time

import typer

from satsweep.cli.output import BAD_INPUT
from satsweep.cli.progress import progress_bar


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
    with progress_bar(1.0) as bar:
        while kernels.are_compiling:
            bar.show(kernels.share, f"{kernels.share:.0%} compiled")
            kernels.wait(0.2)
    if kernels.missing:
        raise typer.Exit(BAD_INPUT)
    typer.echo(f"compiled in {time.monotonic() - begun:.0f} s, kept in {kernels.place('games')}")
