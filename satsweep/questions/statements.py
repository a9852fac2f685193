"""Statements about named cells, without any grid: engines see no grid either.

>>> analysis = solve_statements([Statement(1, ["a", "b"]), Statement(1, ["b", "c"])], total_cells=5, total_mines=2)
>>> analysis.worlds, analysis.risk("b"), analysis.elsewhere
(3, Fraction(2, 3), Fraction(1, 3))
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from satsweep.arguments import check_kind, check_whole, integer, several, short_repr
from satsweep.errors import BoardError, Contradiction
from satsweep.solver.budget import Budget
from satsweep.solver.components import Work
from satsweep.solver.constraints import CellConstraint, exactly
from satsweep.solver.pipeline import Solution, solve
from satsweep.solver.probability import Prior
from satsweep.text import MAX_CELLS, check_total, to_density

_Node = TypeVar("_Node", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Statement:
    """A number of mines among some named cells.

    Raises BoardError for a count that is no integer from 0.
    """

    mines: int
    cells: frozenset[Hashable]

    def __init__(self, mines: int, cells: Iterable[Hashable]) -> None:
        count = integer(mines)
        if count is None or count < 0:
            raise BoardError(f"expected the mines of a rule as an integer from 0, found {mines!r}")
        object.__setattr__(self, "mines", count)
        object.__setattr__(self, "cells", frozenset(several(cells, "cells")))

    @classmethod
    def read(cls, value: Statement | Mapping[str, object] | tuple[int, Iterable[Hashable]]) -> Statement:
        """A statement from a pair or a mapping.

        The pair is (mines, cells), the mapping has the keys num_mines and cells.
        """
        if isinstance(value, Statement):
            return value
        try:
            mines, cells = (value["num_mines"], value["cells"]) if isinstance(value, Mapping) else value
            return cls(mines, cells)  # type: ignore[arg-type]
        except BoardError:
            raise
        except (KeyError, TypeError, ValueError):
            raise BoardError(f"expected a rule as (mines, cells), found {short_repr(value, 60)}") from None


@dataclass(frozen=True)
class NamedCellsAnalysis:
    """Forced cells and risks of the cells that statements name, and of all others."""

    solution: Solution = field(repr=False)
    names: tuple[Hashable, ...]

    @property
    def worlds(self) -> int | None:
        """The number of worlds, mine total included.

        None if it is not known.
        """
        return self.solution.verdict.worlds

    @property
    def weight(self) -> Fraction | None:
        """With a density: the probability that its cells agree with the statements.

        None without a density, or if it is not known.
        """
        return self.solution.verdict.weight

    @property
    def complete(self) -> bool:
        """True if every risk is known."""
        return self.solution.complete

    @property
    def work(self) -> tuple[Work, ...]:
        """For each counted component, the engine that counted it and the cost."""
        return self.solution.work

    @property
    def seconds(self) -> dict[str, float]:
        """The time of each stage."""
        return self.solution.seconds

    @property
    def safe(self) -> tuple[Hashable, ...]:
        """Named cells that are safe in every world, in the order of the statements."""
        return self._named(self.solution.safe)

    @property
    def mines(self) -> tuple[Hashable, ...]:
        """Named cells that are mines in every world, in the order of the statements."""
        return self._named(self.solution.mines)

    def risk(self, name: Hashable) -> Fraction:
        """The probability that a named cell is a mine.

        Raises ValueError for a name that is not there, BudgetExceeded where the risk is not known.
        """
        if name not in self.names:
            raise ValueError(f"expected a cell that a rule names, found {name!r}")
        return self.solution.odds[self.names.index(name)].risk

    @property
    def risks(self) -> dict[Hashable, Fraction | None]:
        """The risk of every named cell; None where it is not known."""
        return {
            name: None if not self.solution.odds[index].is_known else self.solution.odds[index].risk
            for index, name in enumerate(self.names)
        }

    @property
    def elsewhere(self) -> Fraction | None:
        """The risk of a cell without a name; None if there is none, or it is not known."""
        odds = self.solution.odds.get(len(self.names))
        return None if odds is None or not odds.is_known else odds.risk

    def _named(self, indices: Iterable[int]) -> tuple[Hashable, ...]:
        return tuple(self.names[index] for index in indices if index < len(self.names))


def graph_statements(
    edges: Iterable[tuple[Hashable, Hashable]],
    shown: Mapping[_Node, int | None],
    *,
    known_mines: Collection[Hashable] = (),
) -> list[Statement]:
    """Statements from the open nodes of a graph, one for each number.

    They are for ``solve_statements``. An edge joins two nodes that touch. ``shown`` has every open node with its
    number, None if it shows nothing; ``known_mines`` are nodes that are known to be mines, and numbers count them.
    Raises BoardError for a node that touches itself, or a number that counts fewer mines than are known.

    >>> statements = graph_statements([("a", "b"), ("b", "c"), ("c", "d")], {"b": 1, "d": 1})
    >>> solve_statements(statements).mines
    ('c',)
    """
    check_kind(shown, Mapping, "a mapping from open nodes to numbers")
    check_kind(known_mines, Collection, "a collection of nodes")
    touching: dict[Hashable, set[Hashable]] = {node: set() for node in shown}
    for edge in several(edges, "edges", one=str):
        if not isinstance(edge, Iterable) or len(nodes := tuple(edge)) != 2:
            raise TypeError(f"expected edges as pairs of nodes, found {short_repr(edge)}")
        one, other = nodes
        if one == other:
            raise BoardError(f"expected edges between two nodes, found one from {one!r} to itself")
        for here, there in ((one, other), (other, one)):
            if here in touching:
                touching[here].add(there)
    statements = []
    for node, number in shown.items():
        if number is not None:
            near = touching[node]
            known = sum(other in known_mines for other in near)
            if number < known:
                raise BoardError(f"expected at least {known} at {node!r}, as many mines as are known, found {number}")
            statements.append(
                Statement(number - known, (other for other in near if other not in shown and other not in known_mines))
            )
    return statements


def solve_statements(
    rules: Iterable[Statement | Mapping[str, object] | tuple[int, Iterable[Hashable]]],
    *,
    cells: Iterable[Hashable] = (),
    total_cells: int | None = None,
    total_mines: int | None = None,
    density: Fraction | str | float | None = None,
    engine: str = "auto",
    budget: Budget | float | None = None,
) -> NamedCellsAnalysis:
    """Find the cells that statements force, and the risk of every other cell.

    A rule is a ``Statement``, a pair (mines, cells), or a mapping with ``num_mines`` and ``cells``; cells have any
    hashable names. ``cells`` names further ones, which may be in no rule; ``total_cells`` counts those without a name,
    too, and without it there are none. Raises BoardError for rules or totals that make no sense, Contradiction when
    they cannot all be true.
    """
    read = [Statement.read(rule) for rule in several(rules, "rules", one=str)]
    places: dict[Hashable, int] = {}
    constraints = []
    for number, statement in enumerate(read):
        scope = tuple(places.setdefault(name, len(places)) for name in sorted(statement.cells, key=str))
        # More mines than cells contradict, as many as there may be; a likelihood is as long as its count.
        constraints.append(CellConstraint(number, scope, exactly(min(statement.mines, len(scope) + 1))))
    for name in several(cells, "cells", one=str):
        places.setdefault(name, len(places))
    if total_cells is not None:
        check_whole(total_cells, "total_cells")
    check_kind(engine, str, "the name of an engine")
    cells_in_all = len(places) if total_cells is None else total_cells
    if not len(places) <= cells_in_all <= MAX_CELLS:
        found = f"found {cells_in_all:,}"
        raise BoardError(f"expected {len(places):,} (as many as are named) to {MAX_CELLS:,} cells, {found}")
    if total_mines is not None:
        check_total(total_mines, cells_in_all)
        if density is not None:
            raise BoardError("expected a mine total or a density, found both")
    prior = Prior(total_mines, None if density is None else to_density(density))
    try:
        solution = solve(constraints, range(cells_in_all), prior, engine=engine, budget=Budget.of(budget))
    except Contradiction as error:
        clues = [read[clue] for clue in error.clues if isinstance(clue, int)]
        message = str(error) if error.total else "these rules cannot all be true: " + ", ".join(map(str, clues))
        raise Contradiction(message, clues=clues, total=error.total) from None
    return NamedCellsAnalysis(solution, tuple(places))
