"""What can be ordered: boards of a size, and what it takes to clear them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import comb

from satsweep.board import Cell
from satsweep.errors import ImpossibleSpec
from satsweep.games.rules import FirstClick, Rules
from satsweep.text import check_cells, check_start, check_total
from satsweep.topology import SQUARE, Topology

EXACT = "sat"
"""Who sees all there is."""
WEAKER_AGENTS = ("basic", "tank", "subset", "gem", "gem-full")
"""The agents that see less."""
_WITHIN = {"basic": (), "tank": ("basic",), "subset": ("basic",), "gem": ("basic",), "gem-full": ("basic", "gem")}
"""Whose conclusions each of them draws as well."""


class GenerationMethod(Enum):
    """How a board was made."""

    RANDOM = "random"
    """Drawn uniformly among all layouts that keep what is promised about the start."""
    REJECTION = "rejection"
    """Layouts were drawn until one was as ordered: uniform among all that are."""
    REPAIR = "repair"
    """Mines of a layout that was drawn were moved where play was stuck: not uniform."""

    @property
    def uniform(self) -> bool:
        """Whether every board that is as ordered is equally likely."""
        return self is not GenerationMethod.REPAIR


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """A kind of boards.

    ``start`` is the first cell, and ``first`` what is promised about it, no mine or none around; without a start
    nothing is. With ``no_guess`` the agent ``solvable_by`` clears the board from there by deduction alone, the mine
    total known, and the agent ``beyond``, if there is one, does not. ``method`` says how boards are made: by repair, or
    by rejection, which is tried first if nobody says.

    Raises BoardError for what no board can be like, and ImpossibleOrder where no board can be as ordered.

    >>> BoardSpec(9, 9, 10, beyond="sat")
    Traceback (most recent call last):
    satsweep.errors.ImpossibleSpec: no board that needs no guess is beyond sat
    """

    rows: int
    cols: int
    mines: int
    start: Cell | None = Cell(0, 0)
    first: FirstClick = FirstClick.ZERO
    topology: Topology = SQUARE
    no_guess: bool = True
    solvable_by: str = EXACT
    beyond: str | None = None
    method: GenerationMethod | None = None

    def __post_init__(self) -> None:
        check_cells(self.rows, self.cols)
        check_total(self.mines, self.cells)
        self.topology.check(self.rows, self.cols)
        for name in (self.solvable_by, self.beyond):
            if name not in (*WEAKER_AGENTS, EXACT, None):
                raise ValueError(f"expected an agent among {', '.join((*WEAKER_AGENTS, EXACT))}, found {name!r}")
        if self.first not in (FirstClick.SAFE, FirstClick.ZERO):
            raise ValueError(f"expected a start that is safe or has no mine around, found {self.first.value!r}")
        if self.start is None:
            if self.no_guess:
                raise ValueError("expected a start, from which no guess is needed")
            return
        check_start(self.start, self.rows, self.cols)
        if self.mines > self.free:
            kind = "a mine in it" if self.first is FirstClick.SAFE else "a mine around it"
            raise ImpossibleSpec(
                f"no {self.rows}x{self.cols} board has {self.mines:,} mines and a start at {self.start} without {kind}"
            )
        if self.no_guess and self.beyond == EXACT:
            raise ImpossibleSpec(f"no board that needs no guess is beyond {EXACT}")
        if self.beyond is not None and self.beyond in (self.solvable_by, *self._stronger):
            raise ImpossibleSpec(f"no board that {self.solvable_by} clears is beyond {self.beyond}")

    @property
    def _stronger(self) -> tuple[str, ...]:
        """Who draws all conclusions that the agent draws."""
        return tuple(name for name, within in _WITHIN.items() if self.solvable_by in within)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.cols

    @property
    def free(self) -> int:
        """Cells that may be mines."""
        if self.start is None:
            return self.cells
        around = 0 if self.first is FirstClick.SAFE else len(self._neighbours[self._start])
        return self.cells - 1 - around

    @property
    def fixed(self) -> frozenset[int]:
        """Cells that must not be mines, as row-major indices."""
        if self.start is None:
            return frozenset()
        around = () if self.first is FirstClick.SAFE else self._neighbours[self._start]
        return frozenset((self._start, *around))

    @property
    def layouts(self) -> int:
        """How many layouts keep what is promised about the start."""
        return comb(self.free, self.mines)

    @property
    def rules(self) -> Rules:
        """The rules of a game that begins so."""
        return Rules(first=self.first, start=self.start) if self.start is not None else Rules()

    @property
    def _start(self) -> int:
        assert self.start is not None
        return self.start.row * self.cols + self.start.col

    @property
    def _neighbours(self) -> tuple[tuple[int, ...], ...]:
        return self.topology.neighbours(self.rows, self.cols)
