"""How an answer leaves the command: whole, in one piece, or as one line that says what went wrong, and a code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import typer

CONTRADICTION, BAD_INPUT, INCOMPLETE, MISMATCH = 1, 3, 4, 5
"""Exit codes; 0 is done, 2, wrong usage, is typer's, and 130 is ``satsweep.cli.interrupt.INTERRUPTED``."""


def fail(message: str, code: int) -> NoReturn:
    """End with a code and one line, whatever the message holds."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
    typer.echo(line, err=True)
    raise typer.Exit(code)


def write(pieces: Iterable[str], output: Path | None) -> bool:
    """Write to a file, or to standard output where there is none. Whether somebody reads on."""
    try:
        if output is None:
            return print_all(pieces)
        replace(output, pieces)
        return True
    except OSError as error:
        fail(f"{output or '<stdout>'}: cannot write: {error.strerror or error}", BAD_INPUT)


def check_writable(*outputs: Path | None) -> None:
    """Say at once that a file cannot be written because its directory is missing, and not after the work is done."""
    for output in outputs:
        if output is not None and not output.absolute().parent.is_dir():
            fail(f"{output}: cannot write: No such directory", BAD_INPUT)


def print_all(pieces: Iterable[str]) -> bool:
    """Print. That nobody reads on (``| head``) is no error, and told; that the disk is full is one."""
    if sys.stdout is None:
        raise OSError("standard output is closed")
    try:
        sys.stdout.writelines(pieces)
        sys.stdout.flush()
        return True
    except OSError as error:
        # What is still buffered must not fail again when Python ends, as the documentation of SIGPIPE advises.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise
        return False


def replace(output: Path, pieces: Iterable[str]) -> None:
    """Write a file so that it is at any time either as before or complete."""
    path = output.resolve()
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        # A device or a pipe takes it as it comes; a directory or a protected file says why not.
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(pieces)
        return
    temporary = path.with_name(f".satsweep-{os.urandom(8).hex()}")
    try:
        with open(temporary, "x", encoding="utf-8") as file:
            file.writelines(pieces)
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o7777)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def compile_for(*agents: str) -> None:
    """Compile what these agents play with unless that was done before; say so on standard error."""
    from satsweep.agents import AGENTS

    if any(name in AGENTS and AGENTS[name].compiled for name in (agent.partition(":")[0] for agent in agents)):
        from satsweep.solver.compiled import compile_kernels

        compile_kernels("deep", lambda line: typer.echo(line, err=True))


def in_colour(*, terminal: bool) -> bool:
    """Whether to draw in colour. https://no-color.org and https://force-color.org: set, and not to nothing."""
    colour = terminal and os.environ.get("TERM") != "dumb" or os.environ.get("FORCE_COLOR")
    return bool(colour and not os.environ.get("NO_COLOR"))


def width() -> int | None:
    """How wide the terminal is; None where standard output is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def named(file: str) -> str:
    """A file as messages name it."""
    return "<stdin>" if file == "-" else file
