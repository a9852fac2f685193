"""Files to boards and layouts, and back: one module per format, one table.

Formats are told apart by content, never by a file's name. Every reader raises ``BoardError`` with the place and
with what was expected, and nothing else, whatever the bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats import georgia_tech, native
from satsweep.layout import Layout

if TYPE_CHECKING:
    from satsweep.record import Record

_T = TypeVar("_T")
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Format:
    """What a format can do: recognise a text, and read and write boards and layouts."""

    summary: str
    recognises: Callable[[str], bool]
    read_board: Callable[[str], Board]
    read_layout: Callable[[str], Layout]
    write: Callable[[Board | Layout], str]
    boards: bool = True
    """Whether it can hold what a player sees, and not only layouts."""


FORMATS: dict[str, Format] = {
    "georgia-tech": Format(
        "the JSON of the mine search: dim, bombs, safe, board",
        georgia_tech.recognises,
        georgia_tech.read_board,
        georgia_tech.read_layout,
        georgia_tech.write,
        boards=False,
    ),
    "json": Format(
        "a JSON object with board or layout",
        native.is_json,
        native.board_from_json,
        native.layout_from_json,
        native.to_json,
    ),
    "text": Format(
        "header lines, then one line a row",
        lambda text: True,
        Board.from_text,
        Layout.from_text,
        lambda value: f"{value}\n",
    ),
}
"""Every known format, in the order in which they are tried."""


def read_board(source: str | Path, *, format: str | None = None) -> Board:
    """Read a board from a file, or from standard input where the source is ``-``.

    Raises BoardError naming the file, line and column for whatever cannot be read as a board.
    """
    with naming(source):
        text = read_text(source)
        return _chosen(text, format).read_board(text)


def read_boards(source: str | Path) -> list[Board]:
    """Read the boards of a file: one, or as many as it has lines where every line is a JSON object of its own."""
    return _read_each(source, lambda format, text: format.read_board(text))


def read_layout(source: str | Path, *, format: str | None = None) -> Layout:
    """Read a layout, as ``read_board`` reads a board."""
    with naming(source):
        text = read_text(source)
        return _chosen(text, format).read_layout(text)


def read_layouts(source: str | Path) -> list[Layout]:
    """Read the layouts of a file, as ``read_boards`` reads boards."""
    return _read_each(source, lambda format, text: format.read_layout(text))


def _read_each(source: str | Path, read: Callable[[Format, str], _T]) -> list[_T]:
    with naming(source):
        text = read_text(source)
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        first = lines[0][1].strip()
        if not (first.startswith("{") and first.endswith("}")):
            return [read(_chosen(text, None), text)]
        values = []
        for number, line in lines:
            try:
                if not native.is_json(line):
                    raise BoardError("expected a JSON object of its own in every line", column=1)
                values.append(read(_chosen(line, None), line))
            except BoardError as error:
                error.line = number
                raise
        return values


def write(value: Board | Layout, path: str | Path, *, format: str = "json") -> None:
    """Write a board or layout to a file."""
    Path(path).write_text(FORMATS[format].write(value), encoding="utf-8")


def read_record(source: str | Path) -> Record:
    """Read the record of a game, and play it again. Raises BoardError, also for a move that cannot be true."""
    from satsweep.formats import records

    with naming(source):
        return records.from_json(read_text(source))


def write_record(record: Record, path: str | Path) -> None:
    """Write the record of a game to a file."""
    from satsweep.formats import records

    Path(path).write_text(records.to_json(record), encoding="utf-8")


def _chosen(text: str, name: str | None) -> Format:
    if name is not None:
        return FORMATS[name]
    return next(format for format in FORMATS.values() if format.recognises(text))


@contextmanager
def naming(source: str | Path) -> Iterator[None]:
    """Give BoardErrors from within the name of the file, unless they have one."""
    try:
        yield
    except BoardError as error:
        error.file = error.file or ("<stdin>" if source == "-" else str(source))
        raise


def read_text(source: str | Path, expected: str = "a board or layout") -> str:
    """The text of a file that should hold what is expected. Raises BoardError, also for a blank one."""
    text = _decoded(_content(source))
    if not text.strip():
        raise BoardError(f"expected {expected}, found nothing", line=1, column=1)
    return text


def _content(source: str | Path) -> bytes:
    try:
        if source == "-":
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(source, "rb") as file:
                content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BoardError(f"expected a readable file: {error.strerror or error}") from None
    except ValueError as error:
        raise BoardError(f"expected the name of a file: {error}") from None
    if len(content) > MAX_BYTES:
        raise BoardError(f"expected at most {MAX_BYTES:,} bytes, found more")
    return content


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        byte = content[error.start]
        raise BoardError(f"expected UTF-8, found the byte {byte:#04x}", line=line, column=column) from None
