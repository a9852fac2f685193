"""What a format is: how a file is recognised, and which readers and writers there are for what it may hold.

A file holds what a player sees (a ``Board``), where the mines are (a ``Layout``), or statements about named cells (a
``StatementSet``). What a format cannot hold it refuses to write, instead of leaving it out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Generic, NoReturn, TypeVar

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats.statement_set import StatementSet
from satsweep.layout import Layout
from satsweep.topology import SQUARE

Value = Board | Layout | StatementSet
"""What a file may hold."""

_Content = TypeVar("_Content", str, bytes)
_NAMES: dict[type, str] = {
    Board: "a board as a player sees it",
    Layout: "a layout, with all its mines",
    StatementSet: "rules about named cells",
}
_SHORT: dict[type, str] = {Board: "a board", Layout: "a layout", StatementSet: "rules"}


@dataclass(frozen=True, slots=True)
class Format(Generic[_Content]):
    """How files of one kind are told from others, read and written; the content is text, or bytes.

    There is a reader for everything that such a file may hold. ``writer`` takes the same, and more where
    ``also_writes`` says so; without one, files of this kind are only read.
    """

    summary: str
    recognises: Callable[[_Content], bool]
    board: Callable[[_Content], Board] | None = None
    layout: Callable[[_Content], Layout] | None = None
    rules: Callable[[_Content], StatementSet] | None = None
    writer: Callable[[Any], _Content] | None = None
    also_writes: tuple[type, ...] = ()
    suffixes: tuple[str, ...] = ()
    """How names of files end to which this is written when nobody says otherwise."""
    inline: bool = False
    """Whether it is so short that people hand it over as it is, and not in a file."""
    layout_first: bool = False
    """Whether what can be read as a layout is meant as one, though it may read as a board, too."""

    @property
    def boards(self) -> bool:
        """Whether it can hold what a player sees."""
        return self.board is not None

    @property
    def layouts(self) -> bool:
        """Whether it can hold where the mines are."""
        return self.layout is not None

    def read_board(self, content: _Content) -> Board:
        """Read what a player sees. Raises BoardError."""
        return self._refuse(content, Board) if self.board is None else self.board(content)

    def read_layout(self, content: _Content) -> Layout:
        """Read where the mines are. Raises BoardError."""
        return self._refuse(content, Layout) if self.layout is None else self.layout(content)

    def read_rules(self, content: _Content) -> StatementSet:
        """Read statements about named cells. Raises BoardError."""
        return self._refuse(content, StatementSet) if self.rules is None else self.rules(content)

    def read(self, content: _Content) -> Value:
        """Read whatever is there. Raises the BoardError of the reading that came furthest."""
        readers = [reader for reader in (self.rules, self.board, self.layout) if reader is not None]
        errors = []
        for reader in reversed(readers) if self.layout_first else readers:
            try:
                return reader(content)
            except BoardError as error:
                errors.append(error)
        raise max(errors, key=lambda error: (error.line or 0, error.column or 0))

    def write(self, value: Value) -> _Content:
        """Write a value. Raises BoardError if this format cannot hold it, or not all of it."""
        if self.writer is None:
            raise BoardError("expected a format that can be written: files of this one are only read")
        if not isinstance(value, (*self._holds, *self.also_writes)):
            asked, found = _SHORT[self._holds[0]], _SHORT[type(value)]
            raise BoardError(f"expected {asked}, found {found}: this format cannot hold that")
        return self.writer(value)

    @property
    def _holds(self) -> tuple[type, ...]:
        readers = ((Board, self.board), (Layout, self.layout), (StatementSet, self.rules))
        return tuple(kind for kind, reader in readers if reader is not None)

    def _refuse(self, content: _Content, wanted: type) -> NoReturn:
        place = 1 if isinstance(content, str) else None
        message = f"expected {_NAMES[wanted]}, found {_NAMES[self._holds[0]]}"
        raise BoardError(message, line=place, column=place)


def check_holds(value: Board | Layout, *held: str) -> None:
    """Raise BoardError if something is said besides the cells and what a format holds: a start, a density, ...

    The mine total of a board is asked for by name, too; a layout tells it by its cells. Whatever fields boards and
    layouts may have, one that is not named must say nothing.
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
    """The mine total. Raises BoardError if the board does not say it."""
    if board.mines is None:
        raise BoardError("expected a mine total, found none: this format needs one", at="mines")
    return board.mines
