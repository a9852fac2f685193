"""Output of a command: whole answers, and progress on a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, NoReturn, TextIO

from satsweep.cli.exits import BAD_INPUT, fail, note
from satsweep.cli.options import wrong

if TYPE_CHECKING:
    from rich.progress import Progress

STANDARD_OUTPUT = "standard output"
_STANDARD: dict[object, int] = {"-": 0, STANDARD_OUTPUT: 1}
"""File descriptors by the names that stand for them."""
Files = str | Path | Sequence[str] | Sequence[Path] | None
"""File or files of an option; None without the option."""


def write(pieces: Iterable[str | bytes], output: Path | None) -> bool:
    """Write to a file, or to standard output; return False if its reader has gone."""
    try:
        if output is None:
            return print_all(pieces)
        from satsweep.formats.files import write_file

        write_file(output, pieces)
        return True
    except OSError as error:
        fail_to_write(output, error)


def make_directory(directory: Path) -> None:
    """Make a folder unless it is there, or exit with one line."""
    try:
        directory.mkdir(exist_ok=True)
    except OSError as error:
        fail_to_write(directory, error)


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
                raise wrong(name, f"expected another file than that of {taken[identity]}, found {file}")
            taken[identity] = name


def check_svg(option: str, output: Path | None) -> None:
    """Raise BadParameter unless a picture may have this name."""
    if output is not None and output.suffix.lower() not in ("", ".svg"):
        raise wrong(option, f"expected a name ending in .svg, found {output.name!r}")


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
    """Exit if an input is standard input, and that is closed.

    On a terminal a remark says that it is read.
    """
    if file == "-" and sys.stdin is None:
        fail(f"<stdin>: expected {noun}, found it closed", BAD_INPUT)
    if file == "-" and is_terminal(sys.stdin):
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        note(f"paste {noun}, then {end} on a line of its own; `satsweep formats` lists all forms")


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
