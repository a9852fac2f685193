"""Output of the commands: a whole answer, or an error line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn, TextIO

import typer

from satsweep.text import printable

CONTRADICTION, BAD_INPUT, INCOMPLETE, MISMATCH = 1, 3, 4, 5
"""Exit codes.

0 is success, 2 (wrong usage) is typer's, 130 is ``satsweep.cli.interrupt.INTERRUPTED``.
"""


def fail(message: str, code: int) -> NoReturn:
    """Print one line on standard error and exit with a code."""
    note(printable(message))
    raise typer.Exit(code)


def note(line: str) -> None:
    """Print one line on standard error."""
    typer.echo(line, err=True)


def write(pieces: Iterable[str], output: Path | None) -> bool:
    """Write to a file, or to standard output; return False if its reader has gone."""
    try:
        if output is None:
            return print_all(pieces)
        replace(output, pieces)
        return True
    except OSError as error:
        fail_to_write(output, error)


def write_bytes(content: bytes, output: Path | None) -> None:
    """Write bytes to a file, or to standard output."""
    try:
        if output is not None:
            output.write_bytes(content)
        elif sys.stdout is None:
            raise OSError("standard output is closed")
        else:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
    except OSError as error:
        fail_to_write(output, error)


def fail_to_write(output: Path | None, error: OSError) -> NoReturn:
    """Exit with the line for an output that cannot be written."""
    fail(f"{output or '<stdout>'}: cannot write: {error.strerror or error}", BAD_INPUT)


def check_writable(*outputs: Path | None) -> None:
    """Exit if the directory of an output is missing: at once, not after the work."""
    for output in outputs:
        if output is not None and not output.absolute().parent.is_dir():
            fail(f"{output}: cannot write: No such directory", BAD_INPUT)


def check_readable(file: str | None, noun: str) -> None:
    """Exit if an input is standard input, and that is closed."""
    if file == "-" and sys.stdin is None:
        fail(f"<stdin>: expected {noun}, found it closed", BAD_INPUT)


def print_all(pieces: Iterable[str]) -> bool:
    """Write to standard output; return False if its reader has gone (``| head``).

    A reader that has gone is no error; a full disk is one.
    """
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
    """Write a file atomically: at any time it is either as before or complete."""
    path = output.resolve()
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        # A device or a pipe cannot be replaced; for a directory or a protected file, opening it raises the reason.
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


def begin_kernels(*agents: str) -> None:
    """Compile the kernels that these agents ask, in the background."""
    from satsweep.agents import AGENTS

    if any(name in AGENTS and AGENTS[name].compiled for name in (agent.partition(":")[0] for agent in agents)):
        from satsweep.solver.background import Kernels

        Kernels("deep", say=note).begin()


def is_terminal(stream: TextIO | None) -> bool:
    """True if a standard stream is open and a terminal."""
    return stream is not None and stream.isatty()


def in_colour() -> bool:
    """True if standard output is to be coloured.

    NO_COLOR and FORCE_COLOR count if they are set to a non-empty value (https://no-color.org,
    https://force-color.org).
    """
    colour = is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb" or os.environ.get("FORCE_COLOR")
    return bool(colour and not os.environ.get("NO_COLOR"))


def width() -> int | None:
    """Columns of the terminal; None if standard output is no terminal."""
    if not is_terminal(sys.stdout):
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def display_name(file: str) -> str:
    """Name of an input file in messages."""
    return "<stdin>" if file == "-" else file
