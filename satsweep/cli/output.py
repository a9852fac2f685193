"""Output of the commands: a whole answer, or an error line and an exit code."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from stat import S_ISREG
from typing import NoReturn, TextIO

import typer

from satsweep.formats.files import write_file
from satsweep.text import printable

CONTRADICTION, BAD_INPUT, INCOMPLETE, MISMATCH = 1, 3, 4, 5
"""Exit codes.

0 is success, 2 (wrong usage) is typer's, 130 is ``satsweep.cli.interrupt.INTERRUPTED``.
"""

STANDARD_OUTPUT = "standard output"
_STANDARD: dict[object, int] = {"-": 0, STANDARD_OUTPUT: 1}
"""File descriptors by the names that stand for them."""
Files = str | Path | Sequence[str] | Sequence[Path] | None
"""File or files of an option; None without the option."""


def fail(message: str, code: int) -> NoReturn:
    """Print one line on standard error and exit with a code."""
    note(printable(message))
    raise typer.Exit(code)


def note(line: str) -> None:
    """Print one line on standard error."""
    typer.echo(line, err=True)


def write(pieces: Iterable[str | bytes], output: Path | None) -> bool:
    """Write to a file, or to standard output; return False if its reader has gone."""
    try:
        if output is None:
            return print_all(pieces)
        write_file(output, pieces)
        return True
    except OSError as error:
        fail_to_write(output, error)


def fail_to_write(output: Path | None, error: OSError) -> NoReturn:
    """Exit with the line for an output that cannot be written."""
    fail(f"{output or '<stdout>'}: cannot write: {error.strerror or error}", BAD_INPUT)


def check_outputs(outputs: Mapping[str, Files], inputs: Mapping[str, Files] | None = None) -> None:
    """Exit unless every output can be written and is no other file of the call.

    Keys are the names of options and arguments, which errors name.
    """
    for files in outputs.values():
        for file in _listed(files):
            if not Path(file).absolute().parent.is_dir():
                fail(f"{file}: cannot write: No such directory", BAD_INPUT)
    check_apart(outputs, inputs)


def check_apart(outputs: Mapping[str, Files], inputs: Mapping[str, Files] | None = None) -> None:
    """Raise BadParameter if an output is an input or another output.

    Links are followed. Devices and pipes may serve several times.
    """
    taken = {_identity(file): name for name, files in (inputs or {}).items() for file in _listed(files)}
    for name, files in (*outputs.items(), (STANDARD_OUTPUT, STANDARD_OUTPUT)):
        for file in _listed(files):
            identity = _identity(file)
            if identity in taken:
                message = f"expected another file than that of {taken[identity]}, found {file}"
                raise typer.BadParameter(message, param_hint=f"'{name}'")
            taken[identity] = name


def _listed(files: Files) -> Sequence[str | Path]:
    return [] if files is None else [files] if isinstance(files, str | Path) else files


def _identity(file: str | Path) -> object:
    """Value that equals that of another name of the same file."""
    try:
        found = os.fstat(_STANDARD[file]) if file in _STANDARD else os.stat(file)
    except OSError:
        return os.path.realpath(file)
    except ValueError:  # a name that no file can have
        return file
    return (found.st_dev, found.st_ino) if S_ISREG(found.st_mode) else object()


def check_readable(file: str | None, noun: str) -> None:
    """Exit if an input is standard input, and that is closed."""
    if file == "-" and sys.stdin is None:
        fail(f"<stdin>: expected {noun}, found it closed", BAD_INPUT)


def print_all(pieces: Iterable[str | bytes]) -> bool:
    """Write to standard output; return False if its reader has gone (``| head``).

    A reader that has gone is no error; a full disk is one.
    """
    if sys.stdout is None:
        raise OSError("standard output is closed")
    try:
        for piece in pieces:
            sys.stdout.buffer.write(piece) if isinstance(piece, bytes) else sys.stdout.write(piece)
        sys.stdout.flush()
        return True
    except OSError as error:
        # What is still buffered must not fail again when Python ends, as the documentation of SIGPIPE advises.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise
        return False


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
