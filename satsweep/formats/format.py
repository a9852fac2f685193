"""File format as a value: its recogniser, readers and writer.

A file holds what a player sees (a ``Board``), where the mines are (a ``Layout``), a game (a ``Record``), or statements
about named cells (a ``StatementSet``). A writer refuses what its format cannot hold, instead of leaving it out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats.strict import Node
from satsweep.layout import Layout
from satsweep.mixins import Stored
from satsweep.topology import SQUARE

if TYPE_CHECKING:
    from satsweep.games.record import Record
    from satsweep.questions.statements import NamedCellsAnalysis, Statement
    from satsweep.solver.budget import Budget

_Content = TypeVar("_Content", str, bytes)
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class StatementSet(Stored):
    """Statements about named cells, the number of cells, and the prior of their mines.

    There is no grid. ``total_cells`` counts the cells without a name, too. ``cells`` are names that need not be in any
    statement.

    >>> from satsweep.questions.statements import Statement
    >>> problem = StatementSet((Statement(1, ["a", "b"]), Statement(1, ["b", "c"])), total_cells=5, total_mines=2)
    >>> problem.solve().risk("b")
    Fraction(2, 3)
    """

    statements: tuple[Statement, ...]
    total_cells: int | None = None
    total_mines: int | None = None
    density: Fraction | None = None
    cells: tuple[Hashable, ...] = ()

    def solve(self, *, engine: str = "auto", budget: Budget | float | None = None) -> NamedCellsAnalysis:
        """Return forced cells and risks. Raises the errors of ``solve_statements``."""
        # Loaded here because reading files takes no solver.
        from satsweep.questions.statements import solve_statements

        return solve_statements(
            self.statements,
            cells=self.cells,
            total_cells=self.total_cells,
            total_mines=self.total_mines,
            density=self.density,
            engine=engine,
            budget=budget,
        )


def mine_probability(fields: Mapping[str, Node], mines: int | None) -> Fraction | None:
    """Probability of a mine, which a file may give instead of the mine total."""
    if "mine_prob" not in fields:
        return None
    density = fields["mine_prob"].number()
    if not 0 < density < 1:
        fields["mine_prob"].fail("expected a probability strictly between 0 and 1")
    if mines is not None:
        fields["mine_prob"].fail("expected total_mines or mine_prob, found both")
    return density


Value: TypeAlias = Board | Layout | StatementSet
"""Content of a file, but for games."""


PARTS = ("moves", "board", "layout", "id", "comment")
"""Parts that a file may have together; id and comment say nothing of the others."""


class ContentKind(NamedTuple):
    """Kind of content: its reader in a format, its words in an error and in a list."""

    reader: str
    words: str
    listed: str


CONTENT_KINDS = {
    "Board": ContentKind("board", "a board as a player sees it", "board"),
    "Layout": ContentKind("layout", "a layout, with all its mines", "layout"),
    "StatementSet": ContentKind("statements", "rules about named cells", "rules"),
    "Record": ContentKind("game", "a game, with its moves", "game"),
}
"""Every kind of content, by the name of its class.

They are names because boards and certificates are read without the code of games.
"""


@dataclass(frozen=True, slots=True)
class Format(Generic[_Content]):
    """Recogniser, readers and writer of a kind of file; its content is text or bytes.

    There is a reader for each kind of content that such a file may have; without any, files of this kind are only
    written. ``writer`` takes boards, layouts and statements if there is a reader for them, and the classes named in
    ``also_writes``; without a writer, files of this kind are only read.
    """

    summary: str
    recognises: Callable[[_Content], bool]
    board: Callable[[_Content], Board] | None = None
    layout: Callable[[_Content], Layout] | None = None
    statements: Callable[[_Content], StatementSet] | None = None
    game: Callable[[_Content], Record] | None = None
    writer: Callable[[Any], _Content] | None = None
    also_writes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    """Endings of file names for which this format is the default to write."""
    inline: bool = False
    """True if such a text may stand on the command line instead of a file name."""
    means_layout: Callable[[_Content], bool] = lambda content: False
    """Tells content that is likelier meant as a layout than as a board."""
    parts: Callable[[_Content], Collection[str]] = lambda content: ()
    """Names those of ``PARTS`` that content has, where it has more than one value."""
    remarks: Callable[[_Content], tuple[str, ...]] = lambda content: ()
    """How content is read as a board where it has several meanings, a sentence each."""

    @property
    def boards(self) -> bool:
        """True if a file can hold what a player sees."""
        return self.board is not None

    @property
    def layouts(self) -> bool:
        """True if a file can hold where the mines are."""
        return self.layout is not None

    @property
    def is_read(self) -> bool:
        """True if there is a reader."""
        return bool(self.reads)

    @property
    def reads(self) -> tuple[str, ...]:
        """Classes of what is read."""
        return tuple(name for name, kind in CONTENT_KINDS.items() if getattr(self, kind.reader) is not None)

    @property
    def writes(self) -> tuple[str, ...]:
        """Classes of what is written."""
        return () if self.writer is None else (*self.holds, *self.also_writes)

    def read_as(self, kind: type[_Kind], content: _Content) -> _Kind:
        """Read content as a board, a layout, statements or a game. Raises BoardError."""
        own = CONTENT_KINDS[kind.__name__]
        read = getattr(self, own.reader)
        if read is None:
            self._check_read()
            place = 1 if isinstance(content, str) else None
            raise BoardError(
                f"expected {own.words}, found {CONTENT_KINDS[self.holds[0]].words}", line=place, column=place
            )
        return cast(_Kind, read(content))

    def read_board(self, content: _Content) -> Board:
        return self.read_as(Board, content)

    def read_layout(self, content: _Content) -> Layout:
        return self.read_as(Layout, content)

    def read_statements(self, content: _Content) -> StatementSet:
        return self.read_as(StatementSet, content)

    def read(self, content: _Content) -> Value:
        """Read any content but games. Raises the BoardError of the likeliest reader."""
        self._check_read()
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

    def write(self, value: Value | Record) -> _Content:
        """Return the content of a file. Raises BoardError if the value does not fit."""
        if self.writer is None:
            raise BoardError("expected a format that can be written: files of this one are only read")
        if type(value).__name__ not in self.writes:
            asked, found = (CONTENT_KINDS[name].words for name in (self.holds[0], type(value).__name__))
            raise BoardError(f"expected {asked}, found {found}: this format cannot hold that")
        return self.writer(value)

    def _check_read(self) -> None:
        if not self.is_read:
            raise BoardError("expected a format that can be read: files of this one are only written", line=1, column=1)

    @property
    def holds(self) -> tuple[str, ...]:
        """Classes of what is read, games aside; of what is written where nothing is read."""
        return tuple(name for name in self.reads if name != "Record") if self.is_read else self.also_writes


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
    if board.mines is None:
        raise BoardError("expected a mine total, found none: this format needs one", at="mines")
    return board.mines
