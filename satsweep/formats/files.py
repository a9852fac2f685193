"""Values from files and to files.

The format of a file is recognised by its content, never by its name. For malformed content every reader raises
``BoardError``, which says the place and what was expected there, and no other error.

A file is written beside its place and moved there once it is complete: at any time it is as before or complete, also
after an error, on a full disk, or when the process is killed. No other module opens files to write, but for files that
grow for hours: stores of games (SQLite), and finished work (``cli/shared_work``), where a line that was cut does not
count.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from satsweep.arguments import check_kind, short_repr
from satsweep.board import Board
from satsweep.errors import BoardError, unreadable
from satsweep.formats import board_json, picture, ptta, rawvf, replays
from satsweep.formats.format import Format, StatementSet, Value
from satsweep.formats.registry import BINARY_FORMATS, FORMATS
from satsweep.formats.strict import error_at
from satsweep.layout import Layout

if TYPE_CHECKING:
    from satsweep.formats.pictures.reading import Reading
    from satsweep.games.record import Record

_Kind = TypeVar("_Kind")
MAX_BYTES = 64 * 1024 * 1024
_A_BOARD = "a board or layout"
_A_GAME = "a game: a record, a replay (AVF, EVF, RMV, MVF), RAWVF, a link with a click path, or a list of moves"


def all_formats() -> dict[str, Format[Any]]:
    """All formats by name, text formats first."""
    return {**FORMATS, **BINARY_FORMATS}


def format_named(name: str) -> Format[Any]:
    """Return the format of this name. Raises ValueError if there is none."""
    check_kind(name, str, "the name of a format")
    if name not in all_formats():
        raise ValueError(f"expected a format among {', '.join(all_formats())}, found {short_repr(name)}")
    return all_formats()[name]


def format_of_suffix(path: str | Path) -> str | None:
    """Name of the format that the end of a file's name stands for, or None."""
    suffix = Path(path).suffix.lower()
    return next((name for name, form in all_formats().items() if suffix in form.suffixes and form.writer), None)


# --- reading ---------------------------------------------------------------------------------------------------------


def load(kind: type[_Kind], source: str | Path, *, format: str | None = None) -> _Kind:
    """Read a ``Board``, ``Layout``, ``StatementSet`` or ``Record``, as its ``load``.

    A game is a record, a replay (AVF, EVF, RMV or MVF; they need the extra ``replays``), RAWVF with events, a link with
    a click path, or the JSON of the mine search with moves. It is read if it can be played by our rules; moves have
    their times where the file has them.
    """
    with errors_in_file(source):
        return content_as(kind, _content(source), format)


def read_boards(source: str | Path) -> list[Board]:
    """Read the boards of a file: one, or one per line if each line is a JSON object."""
    with errors_in_file(source):
        return _values(Board, _content(source))


def read_layouts(source: str | Path) -> list[Layout]:
    """Read the layouts of a file, as ``read_boards`` reads boards."""
    with errors_in_file(source):
        return _values(Layout, _content(source))


def read_games(source: str | Path) -> list[Record]:
    """Read the games of a file: one, or one per line of JSON objects or links."""
    from satsweep.games.record import Record  # boards are read without the code of games

    with errors_in_file(source):
        return _values(Record, _content(source))


def read_layouts_with_starts(source: str | Path) -> list[Layout]:
    """Read the layouts of a file; that of a game starts where the player did."""
    from satsweep.games.record import Record

    with errors_in_file(source):
        content = _content(source)
        try:
            return [replace(game.layout, start=game.first_opened) for game in _values(Record, content)]
        except BoardError as error:
            wrong = error
        try:
            return _values(Layout, content)
        except BoardError as error:
            # The content is what a reader comes further in.
            raise max(error, wrong, key=lambda one: (one.line or 0, one.column or 0)) from None


def read_board_or_statements(source: str | Path) -> Board | StatementSet:
    """Read statements from a file that holds them, a board from any other."""
    return read_with_remarks(source)[0]


def read_with_remarks(source: str | Path) -> tuple[Board | StatementSet, tuple[str, ...]]:
    """Read as ``read_board_or_statements`` does, with remarks on how a board was read.

    They are sentences such as "read ? as covered cells"; there is none where a file has but one meaning.
    """
    return FileContent.of(source).with_remarks()


def read_board_with_remarks(source: str | Path) -> tuple[Board, tuple[str, ...]]:
    """Read a board from a file, with remarks as ``read_with_remarks`` has them."""
    with errors_in_file(source):
        return read_board_content(_content(source))


def read(source: str | Path, *, format: str | None = None, layout: bool = False) -> Value:
    """Read a board, a layout or statements about named cells, whichever a file holds.

    If it holds both a board and a layout, ``layout`` selects the layout.
    """
    return FileContent.of(source, format=format).read(layout=layout)


@dataclass(frozen=True, slots=True)
class FileContent:
    """Content of a file and its format, from which one value after the other is read."""

    source: str | Path
    form: Format[Any]
    content: str | bytes

    @classmethod
    def of(cls, source: str | Path, *, format: str | None = None) -> FileContent:
        with errors_in_file(source):
            return cls(source, *_recognise(_content(source), format))

    @property
    def parts(self) -> frozenset[str]:
        """Names of the parts of a file with more than one value: see ``Format.parts``."""
        with errors_in_file(self.source):
            return frozenset(self.form.parts(self.content))

    @property
    def reading(self) -> Reading | None:
        """How a picture was read; None for every other file."""
        if not isinstance(self.content, bytes) or self.form is not BINARY_FORMATS["picture"]:
            return None
        with errors_in_file(self.source):
            return picture.reading(self.content)

    def with_remarks(self) -> tuple[Board | StatementSet, tuple[str, ...]]:
        """Read a board or statements, as ``read_with_remarks`` does."""
        with errors_in_file(self.source):
            if self.form.statements is not None:
                return self.form.read_statements(self.content), ()
            return self.form.read_board(self.content), self.form.remarks(self.content)

    def read_as(self, kind: type[_Kind]) -> _Kind:
        """Read the value of a kind."""
        with errors_in_file(self.source):
            return self.form.read_as(kind, self.content)

    def read(self, *, layout: bool = False) -> Value:
        """Read a board, a layout or statements, as the function ``read`` does."""
        with errors_in_file(self.source):
            if not (layout and self.form.layouts):
                return self.form.read(self.content)
            try:
                return self.form.read_layout(self.content)
            except BoardError:
                value = self.form.read(self.content)
                if isinstance(value, Board) and not value.covered:
                    raise  # a finished board that is wrong
                return value


def read_content(content: bytes) -> tuple[str, Value]:
    """Return the format of some content by name, and the value that was read from it.

    >>> read_content(b"mines 1\\n#1\\n11\\n")
    ('text', Board(('#1', '11'), mines=1))
    """
    form, taken = _recognise(content)
    return next(name for name, other in all_formats().items() if other is form), form.read(taken)


def read_board_content(content: bytes) -> tuple[Board, tuple[str, ...]]:
    """Read a board in any format, with remarks as ``read_with_remarks`` has them."""
    form, taken = _recognise(content)
    return form.read_board(taken), form.remarks(taken)


def read_game_content(content: bytes) -> Record:
    """Read a game from some content, as ``Record.load`` does from a file."""
    from satsweep.games.record import Record

    return content_as(Record, content)


def read_replay(source: str | Path, *, format: str | None = None) -> replays.Replay:
    """Read a replay with all its positions. Raises BoardError, also for other files."""
    with errors_in_file(source):
        content = _content(source)
        name = format or next((name for name, form in BINARY_FORMATS.items() if form.recognises(content)), "")
        if name not in replays.RECOGNISERS:
            raise BoardError(f"expected a replay, in one of the formats {', '.join(replays.RECOGNISERS)}")
        return replays.read(content, name)


def read_text(source: str | Path, expected: str = _A_BOARD) -> str:
    """Read the text of a file. Raises BoardError, also for a blank one and for a link."""
    text = _text(_content(source), expected)
    _refuse_link(text, f"{expected}, found a link, which is not followed")
    return text


@contextmanager
def errors_in_file(source: str | Path) -> Iterator[None]:
    """Add the name of the file to BoardErrors that have none."""
    try:
        yield
    except BoardError as error:
        name = "<stdin>" if source == "-" else "<argument>" if _is_inline(source) else str(source)
        error.file = error.file or name
        raise


def content_as(kind: type[_Kind], content: bytes, format: str | None = None) -> _Kind:
    """Read a value of a kind from some content, as ``load`` does from a file.

    Raises BoardError for another kind.
    """
    form, taken = _recognise(content, format, kind)
    return form.read_as(kind, taken)


def _values(kind: type[_Kind], content: bytes) -> list[_Kind]:
    """Values of some content: one, or one per line if its first is a value."""
    if any(form.recognises(content) for form in BINARY_FORMATS.values()):
        return [content_as(kind, content)]
    text = _text(content, _expected(kind))
    first, _, others = text.strip().partition("\n")
    if not others or not _is_value(kind, first):
        return [content_as(kind, content)]
    values = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                if not board_json.is_json(line) and not _is_game(kind):
                    raise BoardError("expected a JSON object of its own in every line", column=1)
                values.append(content_as(kind, line.encode()))
            except BoardError as error:
                error.line = number
                raise
    return values


def _is_value(kind: type, line: str) -> bool:
    """Return whether a line is a whole value: a JSON object, or a game as a link."""
    line = line.strip()
    return (line.startswith("{") and line.endswith("}")) or (_is_game(kind) and ptta.has_clicks(line))


def _recognise(content: bytes, name: str | None = None, kind: type | None = None) -> tuple[Format[Any], str | bytes]:
    """Format of some content, or the named one, and the content as text or as bytes.

    A game may be in any format that has a reader of games.
    """
    if name is not None:
        form = format_named(name)
        return form, content if name in BINARY_FORMATS else _text(content, _expected(kind))
    for binary in BINARY_FORMATS.values():
        if binary.recognises(content) and (not _is_game(kind) or binary.game):
            return binary, content
    text = _text(content, _expected(kind))
    found = next(
        (form for form in FORMATS.values() if (not _is_game(kind) or form.game) and form.recognises(text)), None
    )
    if found is None or not found.inline:
        parts = "?b=, &m= and &c=" if _is_game(kind) else "?analysis=, ?b= and &m=, or # and a game ID"
        _refuse_link(text, f"a link with {parts}")
    if found is None:
        raise BoardError(f"expected {_A_GAME}", line=1, column=1)
    return found, text


_LINK = re.compile(
    r"\s*(?P<link>(?:https?://)?(?:www\.)?(?P<elsewhere>minesweeper\.online)(?=[/?#]|\s*$)|https?://)", re.IGNORECASE
)
"""Start of a link, also to a place whose links have no board in them."""


def _refuse_link(text: str, expected: str) -> None:
    """Raise BoardError if a text is a link."""
    if link := _LINK.match(text):
        message = f"expected {expected}"
        if link["elsewhere"]:
            message = f"{link['elsewhere']} keeps the game on its server: draw the board, or save the replay as a file"
        raise error_at(text, link.start("link"), message)


def _is_game(kind: type | None) -> bool:
    return kind is not None and kind.__name__ == "Record"


def _expected(kind: type | None) -> str:
    return _A_GAME if _is_game(kind) else _A_BOARD


def _text(content: bytes, expected: str) -> str:
    """Text of some content. Raises BoardError if it is not UTF-8, or blank."""
    try:
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if rawvf.recognises(text := content.decode("latin-1")):  # the player's name may be in any coding
            return text
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        byte = content[error.start]
        raise BoardError(f"expected UTF-8, found the byte {byte:#04x}", line=line, column=column) from None
    if not text.strip():
        raise BoardError(f"expected {expected}, found nothing", line=1, column=1)
    return text


def _is_inline(source: str | Path) -> bool:
    """Return whether a source is a link, an ID or hexadecimal, and no file's name."""
    if not isinstance(source, str) or os.path.lexists(source):
        return False
    return _LINK.match(source) is not None or any(form.inline and form.recognises(source) for form in FORMATS.values())


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
        raise BoardError(unreadable(error)) from None
    except ValueError as error:
        raise BoardError(f"expected the name of a file: {error}") from None
    if len(content) > MAX_BYTES:
        raise BoardError(f"expected at most {MAX_BYTES:,} bytes, found more")
    return content


# --- writing ---------------------------------------------------------------------------------------------------------


def write(value: Value | Record, path: str | Path, *, format: str | None = None) -> None:
    """Write a value to a file, as its method ``save`` does.

    ``format_named(name).write(value)`` is the content of such a file.
    """
    name = format or format_of_suffix(path)
    if name is None:
        suffixes = ", ".join(suffix for form in all_formats().values() for suffix in form.suffixes)
        raise ValueError(f"expected a format, or a name that ends in one of {suffixes}, found {short_repr(str(path))}")
    with errors_in_file(path):
        write_file(path, [format_named(name).write(value)])


@contextmanager
def replacing(output: str | Path) -> Iterator[Path]:
    """Context with the path of a new file, which replaces another one at its end.

    A device or a pipe cannot be replaced, so its own path is given; to open that of a directory or of a protected file
    raises the reason.
    """
    path = Path(output).resolve()
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        yield path
        return
    temporary = beside(path)
    try:
        yield temporary
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o7777)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_file(output: str | Path, pieces: Iterable[str | bytes]) -> None:
    """Write a file of text in UTF-8, or of bytes.

    Names of files may have bytes that are no text, which are escaped.
    """
    with replacing(output) as path, path.open("wb") as file:
        for piece in pieces:
            file.write(piece if isinstance(piece, bytes) else piece.encode("utf-8", "backslashreplace"))


def beside(path: Path) -> Path:
    """An unused name in the folder of a file, hidden from listings."""
    return path.with_name(f".satsweep-{os.urandom(8).hex()}")
