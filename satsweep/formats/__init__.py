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

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats import native
from satsweep.layout import Layout

MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Format:
    """What a format can do: recognise a text, and read and write boards and layouts."""

    summary: str
    recognises: Callable[[str], bool]
    read_board: Callable[[str], Board]
    read_layout: Callable[[str], Layout]
    write: Callable[[Board | Layout], str]


FORMATS: dict[str, Format] = {
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
    with _naming(source):
        text = _decoded(_content(source))
        return _chosen(text, format).read_board(text)


def read_layout(source: str | Path, *, format: str | None = None) -> Layout:
    """Read a layout, as ``read_board`` reads a board."""
    with _naming(source):
        text = _decoded(_content(source))
        return _chosen(text, format).read_layout(text)


def write(value: Board | Layout, path: str | Path, *, format: str = "json") -> None:
    """Write a board or layout to a file."""
    Path(path).write_text(FORMATS[format].write(value), encoding="utf-8")


def _chosen(text: str, name: str | None) -> Format:
    if name is not None:
        return FORMATS[name]
    return next(format for format in FORMATS.values() if format.recognises(text))


@contextmanager
def _naming(source: str | Path) -> Iterator[None]:
    try:
        yield
    except BoardError as error:
        error.file = error.file or ("<stdin>" if source == "-" else str(source))
        raise


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
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        byte = content[error.start]
        raise BoardError(f"expected UTF-8, found the byte {byte:#04x}", line=line, column=column) from None
    if not text.strip():
        raise BoardError("expected a board or layout, found nothing", line=1, column=1)
    return text
