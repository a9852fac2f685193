"""Specification of boards: their size, and the deductions that clear them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import comb

from satsweep.board import Cell
from satsweep.errors import ImpossibleSpec
from satsweep.games.rules import FirstClick, Rules
from satsweep.text import check_cells, check_start, check_total, counted
from satsweep.topology import SQUARE, Topology
from satsweep.umi.command import is_command

EXACT = "sat"
"""The agent that deduces everything."""
WEAKER_AGENTS = ("basic", "tank", "subset", "gem", "gem-full")
"""Agents that deduce less."""
_INCLUDED = {"basic": (), "tank": ("basic",), "subset": ("basic",), "gem": ("basic",), "gem-full": ("basic", "gem")}
"""The agents whose deductions each of them includes."""


class GenerationMethod(Enum):
    """Method by which a board was made."""

    RANDOM = "random"
    """Drawn uniformly among all layouts that keep the promise about the start."""
    REJECTION = "rejection"
    """Rejection sampling: uniform among all layouts that meet the specification."""
    REPAIR = "repair"
    """Local search: mines were moved where play was stuck. Not uniform."""

    @property
    def uniform(self) -> bool:
        """True if every board that meets the specification is equally likely."""
        return self is not GenerationMethod.REPAIR


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """Specification of boards to generate.

    ``start`` is the first cell, and ``first`` the promise about it: no mine, or none around it either. Without a start
    nothing is promised. With ``no_guess`` the agent ``solvable_by`` clears the board from there by deduction alone, the
    mine total known, and the agent ``beyond``, if given, does not; either may be an engine, ``cmd:./engine``.
    ``method`` is repair or rejection; without it rejection is tried first.

    Raises BoardError for sizes that no board can have, ImpossibleSpec if no board can meet the specification.

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
            if name not in (*WEAKER_AGENTS, EXACT, None) and not is_command(name or ""):
                raise ValueError(f"expected an agent among {', '.join((*WEAKER_AGENTS, EXACT))}, found {name!r}")
        if self.first not in (FirstClick.SAFE, FirstClick.ZERO):
            raise ValueError(f"expected a start that is safe or has no mine around, found {self.first.value!r}")
        if self.start is None:
            if self.no_guess:
                raise ValueError("expected a start, from which no guess is needed")
            return
        object.__setattr__(self, "start", Cell.of(self.start))
        check_start(self.start, self.rows, self.cols)
        if self.mines > self.free:
            kind = "a mine in it" if self.first is FirstClick.SAFE else "a mine around it"
            size, mines = f"{self.rows}x{self.cols}", counted(self.mines, "mine")
            raise ImpossibleSpec(f"no {size} board has {mines} and a start at {self.start} without {kind}")
        if self.no_guess and self.beyond == EXACT:
            raise ImpossibleSpec(f"no board that needs no guess is beyond {EXACT}")
        if self.beyond is not None and self.beyond in (self.solvable_by, *self._stronger):
            raise ImpossibleSpec(f"no board that {self.solvable_by} clears is beyond {self.beyond}")

    @property
    def _stronger(self) -> tuple[str, ...]:
        """The agents that include the deductions of the agent ``solvable_by``."""
        return tuple(name for name, included in _INCLUDED.items() if self.solvable_by in included)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.cols

    @property
    def free(self) -> int:
        """Number of cells that may be mines."""
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
        """Number of layouts that keep the promise about the start."""
        return comb(self.free, self.mines)

    @property
    def rules(self) -> Rules:
        """The rules of a game with this start and promise."""
        return Rules(first=self.first, start=self.start) if self.start is not None else Rules()

    @property
    def _start(self) -> int:
        assert self.start is not None
        return self.start.row * self.cols + self.start.col

    @property
    def _neighbours(self) -> tuple[tuple[int, ...], ...]:
        return self.topology.neighbours(self.rows, self.cols)
