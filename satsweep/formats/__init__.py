"""Files to boards, layouts and rules, and back: one module per format, one table of texts and one of bytes.

Formats are told apart by content, never by a file's name. Every reader raises ``BoardError`` with the place and
with what was expected, and nothing else, whatever the bytes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats import native, replays
from satsweep.formats.format import Format, Value
from satsweep.formats.registry import BINARY_FORMATS, FORMATS
from satsweep.formats.replays import Replay
from satsweep.formats.statement_set import StatementSet
from satsweep.layout import Layout

if TYPE_CHECKING:
    from satsweep.games.record import Record

_T = TypeVar("_T")
MAX_BYTES = 64 * 1024 * 1024

__all__ = [
    "BINARY_FORMATS",
    "FORMATS",
    "MAX_BYTES",
    "Format",
    "Replay",
    "StatementSet",
    "Value",
    "all_formats",
    "format_named",
    "naming",
    "read",
    "read_board",
    "read_boards",
    "read_content",
    "read_layout",
    "read_layouts",
    "read_record",
    "read_replay",
    "read_rules",
    "read_solvable",
    "read_text",
    "write",
    "write_record",
]


def all_formats() -> dict[str, Format[Any]]:
    """Every format by its name, texts first."""
    return {**FORMATS, **BINARY_FORMATS}


def format_named(name: str) -> Format[Any]:
    """The format of this name, text or not. Raises KeyError where there is none."""
    return all_formats()[name]


def read_board(source: str | Path, *, format: str | None = None) -> Board:
    """Read a board from a file, from standard input where the source is ``-``, or from a link.

    A link or an ID may stand for itself where there is no file of that name. Raises BoardError naming the file, line
    and column for whatever cannot be read as a board.
    """
    with naming(source):
        form, content = _loaded(source, format)
        return form.read_board(content)


def read_boards(source: str | Path) -> list[Board]:
    """Read the boards of a file: one, or as many as it has lines where every line is a JSON object of its own."""
    return _read_each(source, lambda format, content: format.read_board(content))


def read_layout(source: str | Path, *, format: str | None = None) -> Layout:
    """Read a layout, as ``read_board`` reads a board."""
    with naming(source):
        form, content = _loaded(source, format)
        return form.read_layout(content)


def read_layouts(source: str | Path) -> list[Layout]:
    """Read the layouts of a file, as ``read_boards`` reads boards."""
    return _read_each(source, lambda format, content: format.read_layout(content))


def read_statements(source: str | Path, *, format: str | None = None) -> StatementSet:
    """Read statements about named cells, as ``read_board`` reads a board."""
    with naming(source):
        form, content = _loaded(source, format)
        return form.read_rules(content)


def read_solvable(source: str | Path) -> Board | StatementSet:
    """Read rules from a file that holds rules, and else a board, as ``read_board`` does."""
    with naming(source):
        form, content = _loaded(source, None)
        return form.read_board(content) if form.rules is None else form.read_rules(content)


def read(source: str | Path, *, format: str | None = None, layout: bool = False) -> Value:
    """Read whatever a file holds, as ``read_board`` reads a board: a board, a layout or rules.

    Where it holds a board and a layout, ``layout`` says that the layout is wanted.
    """
    with naming(source):
        form, content = _loaded(source, format)
        if layout and form.layouts:
            with suppress(BoardError):
                return form.read_layout(content)
        return form.read(content)


def read_content(content: bytes) -> tuple[str, Value]:
    """Read what somebody has at hand, and not in a file: the name of the format, and what it holds.

    Raises BoardError, with line and column where there are any.

    >>> read_content(b"mines 1\\n#1\\n11\\n")
    ('text', Board(('#1', '11'), mines=1))
    """
    form, taken = _recognised(content)
    name = next(name for name, other in all_formats().items() if other is form)
    return name, form.read(taken)


def read_replay(source: str | Path, *, format: str | None = None) -> Replay:
    """Read a replay with all its positions. Raises BoardError, also for a file that is none."""
    with naming(source):
        content = _content(source)
        name = format or next((name for name, form in BINARY_FORMATS.items() if form.recognises(content)), "")
        if name not in replays.RECOGNISERS:
            raise BoardError(f"expected a replay, in one of the formats {', '.join(replays.RECOGNISERS)}")
        return replays.read(content, name)


def write(value: Value, path: str | Path, *, format: str = "json") -> None:
    """Write a board, a layout or rules to a file. Raises BoardError for what the format cannot hold."""
    content = format_named(format).write(value)
    Path(path).write_bytes(content.encode() if isinstance(content, str) else content)


def read_record(source: str | Path) -> Record:
    """Read the record of a game, and play it again. Raises BoardError, also for a move that cannot be true."""
    from satsweep.formats import records

    with naming(source):
        return records.from_json(read_text(source))


def write_record(record: Record, path: str | Path) -> None:
    """Write the record of a game to a file."""
    from satsweep.formats import records

    Path(path).write_text(records.to_json(record), encoding="utf-8")


def _loaded(source: str | Path, name: str | None) -> tuple[Format[Any], str | bytes]:
    """The format that a source is in, or that is named, and what it holds as that format takes it."""
    content = _content(source)
    if name is None:
        return _recognised(content)
    return (BINARY_FORMATS[name], content) if name in BINARY_FORMATS else (FORMATS[name], _text(content))


def _recognised(content: bytes) -> tuple[Format[Any], str | bytes]:
    for binary in BINARY_FORMATS.values():
        if binary.recognises(content):
            return binary, content
    text = _text(content)
    return _format_of(text), text


def _format_of(text: str) -> Format[str]:
    return next(format for format in FORMATS.values() if format.recognises(text))


def _read_each(source: str | Path, read: Callable[[Format[Any], str | bytes], _T]) -> list[_T]:
    with naming(source):
        format, content = _loaded(source, None)
        if isinstance(content, bytes):
            return [read(format, content)]
        lines = [(number, line) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
        first = lines[0][1].strip()
        if not (first.startswith("{") and first.endswith("}")):
            return [read(format, content)]
        values = []
        for number, line in lines:
            try:
                if not native.is_json(line):
                    raise BoardError("expected a JSON object of its own in every line", column=1)
                values.append(read(_format_of(line), line))
            except BoardError as error:
                error.line = number
                raise
        return values


@contextmanager
def naming(source: str | Path) -> Iterator[None]:
    """Give BoardErrors from within the name of the file, unless they have one."""
    try:
        yield
    except BoardError as error:
        name = "<stdin>" if source == "-" else "<argument>" if _stands_for_itself(source) else str(source)
        error.file = error.file or name
        raise


def read_text(source: str | Path, expected: str = "a board or layout") -> str:
    """The text of a file that should hold what is expected. Raises BoardError, also for a blank one."""
    return _text(_content(source), expected)


def _text(content: bytes, expected: str = "a board or layout") -> str:
    text = _decoded(content)
    if not text.strip():
        raise BoardError(f"expected {expected}, found nothing", line=1, column=1)
    return text


def _stands_for_itself(source: str | Path) -> bool:
    """Whether a source is no file, but a link or an ID."""
    if not isinstance(source, str) or os.path.lexists(source):
        return False
    return any(format.inline and format.recognises(source) for format in FORMATS.values())


def _content(source: str | Path) -> bytes:
    try:
        if _stands_for_itself(source):
            content = str(source).encode(errors="surrogateescape")
        elif source == "-":
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
