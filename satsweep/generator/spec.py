"""Specification of boards: their size, and the deductions that clear them."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import comb, floor, inf

from satsweep.arguments import check_number, check_whole, choice
from satsweep.board import Cell
from satsweep.errors import ImpossibleSpec
from satsweep.games.agent import Agent
from satsweep.games.rules import FirstClick, Rules
from satsweep.text import check_cells, check_start, check_total, counted
from satsweep.topology import SQUARE, Topology, topology_named

EXACT = "sat"
"""The agent that deduces everything."""
WEAKER_AGENTS = ("basic", "tank", "subset", "gem", "gem-full")
"""Agents that deduce less."""
_INCLUDED = {"basic": (), "tank": ("basic",), "subset": ("basic",), "gem": ("basic",), "gem-full": ("basic", "gem")}
"""The agents whose deductions each of them includes."""


Progress = Callable[[str, float], object]
"""A function that is told the work at hand on a board, and its share that is done."""


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


@dataclass(frozen=True, slots=True, repr=False)
class BoardSpec:
    """Specification of boards to generate.

    ``start`` is the first cell, and ``first`` the promise about it: no mine, or none around it either. Without a start
    nothing is promised. With ``no_guess`` the agent ``solvable_by`` clears the board from there by deduction alone, the
    mine total known, and the agent ``beyond``, if given, does not. Either may be the name of an agent, an engine
    (``cmd:./engine``), ``path/to/file.py:function``, an ``Agent`` or a function ``board -> (safe, mines)``; a function
    is kept as a name that has its code.
    ``method`` is repair or rejection; without it rejection is tried first. ``clicks`` clear the board from its start,
    or fewer, and 3BV over its fewest clicks is at least ``efficiency``, a number like 1.5.

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
    solvable_by: str | Agent | Callable[..., object] = EXACT
    beyond: str | Agent | Callable[..., object] | None = None
    method: GenerationMethod | None = None
    clicks: int | None = None
    efficiency: Fraction | float | None = None

    def __post_init__(self) -> None:
        for side in ("rows", "cols"):
            object.__setattr__(self, side, check_whole(getattr(self, side), side))
        check_cells(self.rows, self.cols)
        object.__setattr__(self, "mines", check_total(self.mines, self.cells))
        object.__setattr__(self, "topology", topology_named(self.topology))
        self.topology.check(self.rows, self.cols)
        object.__setattr__(self, "first", choice(self.first, FirstClick, "a promise about the start"))
        if self.method is not None:
            object.__setattr__(self, "method", choice(self.method, GenerationMethod, "a method"))
        if self.clicks is not None:
            object.__setattr__(self, "clicks", check_whole(self.clicks, "clicks", least=1))
        if self.efficiency is not None:
            check_number(self.efficiency, "efficiency")
            if not 0 < self.efficiency < inf:
                raise ValueError(f"expected an efficiency above 0, found {self.efficiency}")
            object.__setattr__(self, "efficiency", Fraction(str(self.efficiency)))
        object.__setattr__(self, "solvable_by", _name_of(self.solvable_by))
        object.__setattr__(self, "beyond", None if self.beyond is None else _name_of(self.beyond))
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
        if self.weaker is not None and self.weaker in (self.player, *self._stronger):
            player, weaker = self.labels
            raise ImpossibleSpec(f"no board that {player} clears is beyond {weaker}")

    def __repr__(self) -> str:
        player, weaker = self.labels
        need = f"cleared by {player}" + (f" but not by {weaker}" if weaker else "") if self.no_guess else "random"
        need += f", at most {counted(self.clicks, 'click')}" if self.clicks is not None else ""
        need += f", efficiency at least {float(self.efficiency):.2f}" if self.efficiency is not None else ""
        return f"<BoardSpec {self.rows}x{self.cols}/{self.mines} from {self.start}: {need}>"

    @property
    def player(self) -> str:
        """The name of the agent that clears the boards."""
        return str(self.solvable_by)

    @property
    def weaker(self) -> str | None:
        """The name of the agent that does not clear them, if there is one."""
        return None if self.beyond is None else str(self.beyond)

    @property
    def labels(self) -> tuple[str, str | None]:
        """The names of both as people read them."""
        from satsweep.agents.load import label_of

        return label_of(self.player), None if self.weaker is None else label_of(self.weaker)

    @property
    def limits_clicks(self) -> bool:
        """True if boards that need more clicks do not suit."""
        return (self.clicks, self.efficiency) != (None, None)

    def most_clicks(self, bv: int) -> float:
        """The most that the fewest clicks of a board with this 3BV may be."""
        most = inf if self.clicks is None else self.clicks
        return most if self.efficiency is None else min(most, floor(bv / Fraction(self.efficiency)))

    @property
    def _stronger(self) -> tuple[str, ...]:
        return tuple(name for name, included in _INCLUDED.items() if self.player in included)

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


def _name_of(agent: object) -> str:
    """The name of an agent; that of a function has its code."""
    if isinstance(agent, str) and agent in (*WEAKER_AGENTS, EXACT):
        return agent
    from satsweep.agents.isolated import is_foreign
    from satsweep.agents.load import load_agent, pickled

    if not isinstance(agent, str):
        load_agent(agent)
        return pickled(agent)
    if not is_foreign(agent):
        raise ValueError(f"expected an agent among {', '.join((*WEAKER_AGENTS, EXACT))}, found {agent!r}")
    return agent
