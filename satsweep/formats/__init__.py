"""File formats: readers and writers of boards, layouts and statements.

Each format has a module; one table holds the text formats, one the binary ones. The format of a file is recognised by
its content, never by its name. For malformed content every reader raises ``BoardError``, which says the place and what
was expected there, and no other error.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from satsweep.arguments import check_kind
from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats import board_json, replays
from satsweep.formats.format import Format, Value
from satsweep.formats.registry import BINARY_FORMATS, FORMATS
from satsweep.formats.replays import Replay
from satsweep.formats.statement_set import StatementSet
from satsweep.formats.strict import error_at
from satsweep.formats.whole_files import write_file
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
    "errors_in_file",
    "format_named",
    "read",
    "read_board",
    "read_board_or_statements",
    "read_boards",
    "read_content",
    "read_game",
    "read_game_content",
    "read_games",
    "read_layout",
    "read_layouts",
    "read_layouts_with_starts",
    "read_record",
    "read_replay",
    "read_statements",
    "read_text",
    "write",
    "write_record",
]


def all_formats() -> dict[str, Format[Any]]:
    """All formats by name, text formats first."""
    return {**FORMATS, **BINARY_FORMATS}


def format_named(name: str) -> Format[Any]:
    """Return the format of this name. Raises KeyError if there is none."""
    return all_formats()[name]


def read_board(source: str | Path, *, format: str | None = None) -> Board:
    """Read a board from a file, from standard input (``-``), or from a link or an ID.

    A source is taken as a link or an ID only if there is no file of that name. Raises BoardError with file, line and
    column if it cannot be read as a board.
    """
    with errors_in_file(source):
        form, content = _load(source, format)
        return form.read_board(content)


def read_boards(source: str | Path) -> list[Board]:
    """Read the boards of a file: one, or one per line if each line is a JSON object."""
    with errors_in_file(source):
        return _read_each(_content(source), lambda format, content: format.read_board(content))


def read_layout(source: str | Path, *, format: str | None = None) -> Layout:
    """Read a layout, as ``read_board`` reads a board."""
    with errors_in_file(source):
        form, content = _load(source, format)
        return form.read_layout(content)


def read_layouts(source: str | Path) -> list[Layout]:
    """Read the layouts of a file, as ``read_boards`` reads boards."""
    with errors_in_file(source):
        return _layouts_of(_content(source))


def read_statements(source: str | Path, *, format: str | None = None) -> StatementSet:
    """Read statements about named cells, as ``read_board`` reads a board."""
    with errors_in_file(source):
        form, content = _load(source, format)
        return form.read_statements(content)


def read_board_or_statements(source: str | Path) -> Board | StatementSet:
    """Read statements from a file that holds them, a board from any other."""
    with errors_in_file(source):
        form, content = _load(source, None)
        return form.read_board(content) if form.statements is None else form.read_statements(content)


def read(source: str | Path, *, format: str | None = None, layout: bool = False) -> Value:
    """Read a board, a layout or statements about named cells, whichever a file holds.

    If it holds both a board and a layout, ``layout`` selects the layout. Otherwise as ``read_board``.
    """
    with errors_in_file(source):
        form, content = _load(source, format)
        if layout and form.layouts:
            with suppress(BoardError):
                return form.read_layout(content)
        return form.read(content)


def read_content(content: bytes) -> tuple[str, Value]:
    """Return the format of some content by name, and the value that was read from it.

    Raises BoardError, with line and column where there are any.

    >>> read_content(b"mines 1\\n#1\\n11\\n")
    ('text', Board(('#1', '11'), mines=1))
    """
    form, taken = _recognise(content)
    name = next(name for name, other in all_formats().items() if other is form)
    return name, form.read(taken)


def read_replay(source: str | Path, *, format: str | None = None) -> Replay:
    """Read a replay with all its positions. Raises BoardError, also for other files."""
    with errors_in_file(source):
        content = _content(source)
        name = format or next((name for name, form in BINARY_FORMATS.items() if form.recognises(content)), "")
        if name not in replays.RECOGNISERS:
            raise BoardError(f"expected a replay, in one of the formats {', '.join(replays.RECOGNISERS)}")
        return replays.read(content, name)


def read_game(source: str | Path) -> Record:
    """Read a game with its moves as a record, from any kind of file that has one.

    A source is the name of a file, ``-`` or a link. The file is a record, a replay (AVF, EVF, RMV or MVF; they need the
    extra ``replays``), RAWVF with events, a link with a click path, or the JSON of the mine search with moves. Moves
    have their times where the file has them. Raises BoardError if it cannot be read, or not be played.
    """
    with errors_in_file(source):
        return read_game_content(_content(source))


def read_games(source: str | Path) -> list[Record]:
    """Read the games of a file: one, or one per line of JSON objects or links."""
    with errors_in_file(source):
        return _games_of(_content(source))


def read_layouts_with_starts(source: str | Path) -> list[Layout]:
    """Read the layouts of a file; that of a game starts where the player did."""
    with errors_in_file(source):
        content = _content(source)
        with suppress(BoardError):
            return [replace(game.layout, start=game.first_opened) for game in _games_of(content)]
        return _layouts_of(content)


def read_game_content(content: bytes) -> Record:
    """Read a game from some content, as ``read_game``."""
    from satsweep.formats import games

    return games.binary_game(content) or games.text_game(_text(content, games.EXPECTED))


def _games_of(content: bytes) -> list[Record]:
    """Games of some content: one, or one per line."""
    from satsweep.formats import games

    try:
        lines = [line for line in content.decode("utf-8").removeprefix("\ufeff").split("\n") if line.strip()]
    except UnicodeDecodeError:
        lines = []
    if len(lines) < 2 or not all(map(_is_game_of_a_line, lines[:2])):
        return [read_game_content(content)]
    return list(_each_line(_text(content, games.EXPECTED), games.text_game))


def _layouts_of(content: bytes) -> list[Layout]:
    """Layouts of some content: one, or one per line."""
    return _read_each(content, lambda format, content: format.read_layout(content))


def _is_game_of_a_line(line: str) -> bool:
    """Return whether a line is a whole game, in JSON or as a link."""
    from satsweep.formats import games

    line = line.strip()
    return (line.startswith("{") and line.endswith("}")) or games.has_clicks(line)


def write(value: Value, path: str | Path, *, format: str = "json") -> None:
    """Write a value to a file. Raises BoardError if the format cannot hold all of it."""
    write_file(path, [format_named(format).write(value)])


def read_record(source: str | Path) -> Record:
    """Read the record of a game, and play it again.

    Raises BoardError for malformed text, and for moves that cannot have been made.
    """
    from satsweep.formats import records

    with errors_in_file(source):
        return records.from_json(read_text(source))


def write_record(record: Record, path: str | Path) -> None:
    """Write the record of a game to a file."""
    from satsweep.formats import records
    from satsweep.games.record import Record

    check_kind(record, Record, "a Record")
    write_file(path, [records.to_json(record)])


def _load(source: str | Path, name: str | None) -> tuple[Format[Any], str | bytes]:
    """Format of a source, or the named one, and the content as text or as bytes."""
    content = _content(source)
    if name is None:
        return _recognise(content)
    check_kind(name, str, "the name of a format")
    if name not in all_formats():
        raise ValueError(f"expected a format among {', '.join(all_formats())}, found {name!r:.80}")
    return (BINARY_FORMATS[name], content) if name in BINARY_FORMATS else (FORMATS[name], _text(content))


def _recognise(content: bytes) -> tuple[Format[Any], str | bytes]:
    """Format of some content, and the content as text or as bytes."""
    for binary in BINARY_FORMATS.values():
        if binary.recognises(content):
            return binary, content
    text = _text(content)
    return _format_of(text), text


def _format_of(text: str) -> Format[str]:
    """First format that recognises a text. Raises BoardError for an unknown link."""
    found = next(format for format in FORMATS.values() if format.recognises(text))
    if not found.inline and (link := _LINK.match(text)):
        expected = "expected a link with ?analysis=, ?b= and &m=, or # and a game ID"
        if link["elsewhere"]:
            expected = f"{link['elsewhere']} keeps the game on its server: draw the board, or save the replay as a file"
        raise error_at(text, link.start("link"), expected)
    return found


_LINK = re.compile(
    r"\s*(?P<link>(?:https?://)?(?:www\.)?(?P<elsewhere>minesweeper\.online)\b|https?://)", re.IGNORECASE
)
"""Start of a link, also to a place whose links have no board in them."""


def _read_each(content: bytes, read: Callable[[Format[Any], str | bytes], _T]) -> list[_T]:
    """Values of some content: one, or one per line if its first is a JSON object."""
    format, taken = _recognise(content)
    if isinstance(taken, bytes):
        return [read(format, taken)]
    first = taken.lstrip().partition("\n")[0].rstrip()
    if not (first.startswith("{") and first.endswith("}")):
        return [read(format, taken)]

    def read_line(line: str) -> _T:
        if not board_json.is_json(line):
            raise BoardError("expected a JSON object of its own in every line", column=1)
        return read(_format_of(line), line)

    return list(_each_line(taken, read_line))


def _each_line(content: str, read: Callable[[str], _T]) -> Iterator[_T]:
    """Yield the values of all lines that are not blank. Errors name the line."""
    for number, line in enumerate(content.split("\n"), 1):
        if line.strip():
            try:
                yield read(line)
            except BoardError as error:
                error.line = number
                raise


@contextmanager
def errors_in_file(source: str | Path) -> Iterator[None]:
    """Add the name of the file to BoardErrors that have none."""
    try:
        yield
    except BoardError as error:
        name = "<stdin>" if source == "-" else "<argument>" if _is_inline(source) else str(source)
        error.file = error.file or name
        raise


def read_text(source: str | Path, expected: str = "a board or layout") -> str:
    """Read the text of a file. Raises BoardError, also for a blank one."""
    return _text(_content(source), expected)


def _text(content: bytes, expected: str = "a board or layout") -> str:
    """Text of some content. Raises BoardError if it is not UTF-8, or blank."""
    text = _decode(content)
    if not text.strip():
        raise BoardError(f"expected {expected}, found nothing", line=1, column=1)
    return text


def _is_inline(source: str | Path) -> bool:
    """Return whether a source is a link or an ID, and there is no file of that name."""
    if not isinstance(source, str) or os.path.lexists(source):
        return False
    return any(format.inline and format.recognises(source) for format in FORMATS.values())


def _content(source: str | Path) -> bytes:
    """Bytes of a source. Raises BoardError if it cannot be read."""
    try:
        if _is_inline(source):
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


def _decode(content: bytes) -> str:
    """Text of UTF-8, without a byte order mark. Raises BoardError at a wrong byte."""
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        byte = content[error.start]
        raise BoardError(f"expected UTF-8, found the byte {byte:#04x}", line=line, column=column) from None
