"""File format as a value: its recogniser, readers and writer.

A file holds what a player sees (a ``Board``), where the mines are (a ``Layout``), or statements about named cells (a
``StatementSet``). A writer refuses what its format cannot hold, instead of leaving it out.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Generic, NoReturn, TypeVar

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats.statement_set import StatementSet
from satsweep.layout import Layout
from satsweep.topology import SQUARE

Value = Board | Layout | StatementSet
"""Content of a file."""

_Content = TypeVar("_Content", str, bytes)
_NAMES: dict[type, str] = {
    Board: "a board as a player sees it",
    Layout: "a layout, with all its mines",
    StatementSet: "rules about named cells",
}


@dataclass(frozen=True, slots=True)
class Format(Generic[_Content]):
    """Recogniser, readers and writer of a kind of file; its content is text or bytes.

    There is a reader for each kind of content that such a file may have. ``writer`` takes the same kinds, and those in
    ``also_writes``; without a writer, files of this kind are only read.
    """

    summary: str
    recognises: Callable[[_Content], bool]
    board: Callable[[_Content], Board] | None = None
    layout: Callable[[_Content], Layout] | None = None
    statements: Callable[[_Content], StatementSet] | None = None
    writer: Callable[[Any], _Content] | None = None
    also_writes: tuple[type, ...] = ()
    suffixes: tuple[str, ...] = ()
    """Endings of file names for which this format is the default to write."""
    inline: bool = False
    """True if such a text may stand on the command line instead of a file name."""
    means_layout: Callable[[_Content], bool] = lambda content: False
    """Tells content that is likelier meant as a layout than as a board."""

    @property
    def boards(self) -> bool:
        """Return whether a file can hold what a player sees."""
        return self.board is not None

    @property
    def layouts(self) -> bool:
        """Return whether a file can hold where the mines are."""
        return self.layout is not None

    def read_board(self, content: _Content) -> Board:
        """Read what a player sees. Raises BoardError."""
        return self._refuse(content, Board) if self.board is None else self.board(content)

    def read_layout(self, content: _Content) -> Layout:
        """Read where the mines are. Raises BoardError."""
        return self._refuse(content, Layout) if self.layout is None else self.layout(content)

    def read_statements(self, content: _Content) -> StatementSet:
        """Read statements about named cells. Raises BoardError."""
        return self._refuse(content, StatementSet) if self.statements is None else self.statements(content)

    def read(self, content: _Content) -> Value:
        """Read any content. Raises the BoardError of the likeliest reader."""
        readers = [self.statements, self.layout, self.board]
        if not self.means_layout(content):
            readers.reverse()
        errors = []
        for reader in readers:
            try:
                if reader is not None:
                    return reader(content)
            except BoardError as error:
                errors.append(error)
        raise errors[0]

    def write(self, value: Value) -> _Content:
        """Return the content of a file. Raises BoardError if the value does not fit."""
        if self.writer is None:
            raise BoardError("expected a format that can be written: files of this one are only read")
        if not isinstance(value, (*self._holds, *self.also_writes)):
            asked, found = _NAMES[self._holds[0]], _NAMES[type(value)]
            raise BoardError(f"expected {asked}, found {found}: this format cannot hold that")
        return self.writer(value)

    @property
    def _holds(self) -> tuple[type, ...]:
        readers = ((Board, self.board), (Layout, self.layout), (StatementSet, self.statements))
        return tuple(kind for kind, reader in readers if reader is not None)

    def _refuse(self, content: _Content, wanted: type) -> NoReturn:
        place = 1 if isinstance(content, str) else None
        message = f"expected {_NAMES[wanted]}, found {_NAMES[self._holds[0]]}"
        raise BoardError(message, line=place, column=place)


def check_holds(value: Board | Layout, *held: str) -> None:
    """Raise BoardError if any other field than ``cells`` and those held has a value.

    This holds for all fields of boards and layouts, so a new one cannot be lost. The mine total of a board has to be
    held by name, too; a layout has no such field.
    """
    for field in fields(value):
        found = getattr(value, field.name)
        if field.name not in ("cells", *held) and found != field.default:
            expected, shown = f"no {_WORDS.get(field.name, field.name)}", str(found)
            if field.name == "topology":
                expected, shown = f"a {SQUARE.name} grid", found.name
            raise BoardError(f"expected {expected}, found {shown}: this format cannot hold it", at=field.name)


_WORDS = {"mines": "mine total"}


def total_of(board: Board) -> int:
    """Mine total of a board. Raises BoardError if it is not known."""
    if board.mines is None:
        raise BoardError("expected a mine total, found none: this format needs one", at="mines")
    return board.mines
