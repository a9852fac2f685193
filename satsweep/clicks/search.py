"""Core-guided search for the fewest clicks, in slices that can stop at any time.

Every dig, chord and flag is assumed away. A refusal comes with an unsatisfiable core: some clicks of which at least
one is needed, which raises the lower bound. A totalizer counts the clicks of the core, and from then on only a second
one is assumed away (OLL: Andres et al. 2012, Morgado, Dodaro and Marques-Silva 2014; Ignatiev, Morgado and
Marques-Silva 2019, RC2). The first choice that agrees with the assumptions and reaches every node is a best one; until
then each set that it does not enter becomes a clause.

Cores are looked for in small regions of the board first, then in larger and larger ones: what lies outside is free, so
a core is about the region alone, and stays short. Regions of the same size overlap, else all that happens on the border
of two of them would be left to larger ones, where cores are long. RC2 of PySAT cannot be stopped inside, and takes the
whole board at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from satsweep.clicks.model import ClickModel, Selection, Set

SLICE = 500
"""Conflicts of the solver between two moments at which a search can stop."""
TRIES = 200
"""Conflicts for showing that a second click of a core is needed."""
CALL = 10
"""Effort of a call of the solver, in conflicts, beside those that it has."""
PATIENCE = 10_000
"""Effort without progress after which a region waits, twice as much the next time."""
LEAST_REGION, GROWTH = 15, 1.3
"""Cells of the smallest regions, and how much larger the next ones are."""
OVERLAP = 8
"""Regions of a size that a cell lies in, on average."""

Steps = Generator[int, None, None]
"""A search in slices: each yields its effort, ``CALL`` and conflicts."""
Core = tuple[int | tuple[int, int], ...]
"""Things of which at least one is true.

They are variables, and pairs of an earlier core and the least number of its true things.
"""


@dataclass(frozen=True, slots=True)
class _Soft:
    """An assumption: a click is not made, or at most ``bound`` things of a core.

    ``cells`` are those of the clicks, ``core`` is its number.
    """

    cells: Set
    total: Any = None
    bound: int = 0
    core: int = 0


class CoreSearch:
    """Bounds on the clicks of a model, which meet in the end.

    ``lower`` clicks are needed, and ``best`` has ``upper`` clicks. ``sets`` are those that must be entered, as far as
    they are known, and ``cores`` those that were found. ``Closing`` raises ``lower`` without a core. ``close`` frees
    the memory of the solver.

    A search ``within`` another one keeps some variables as ``fixed``: its bounds are those of such choices.
    """

    def __init__(
        self, model: ClickModel, within: CoreSearch | None = None, fixed: Mapping[int, bool] | None = None
    ) -> None:
        from pysat.solvers import Solver

        self.model = model
        self.variables: Variables = Variables(model) if within is None else within.variables
        self.lower = 0
        self._prunes = within is None
        self.best = model.completed(())
        self.upper = model.cost(self.best)
        self._solver = Solver(name="glucose4")
        self._soft: dict[int, _Soft] = {}
        self._totals: list[Any] = []
        self._top = self.variables.top
        for variable, cell in self.variables.cells.items():
            if fixed is None or variable not in fixed:
                self._soft[-variable] = _Soft(frozenset((cell,)))
            else:
                self._solver.add_clause([variable if fixed[variable] else -variable])
                self.lower += fixed[variable]
        self._fixed = self.lower
        self.cores: list[Core] = []
        self.sets: list[Set] = list(first_cuts(model) if within is None else within.sets)
        for clause in (*self.variables.flag_clauses(), *map(self.variables.cut, self.sets)):
            self._solver.add_clause(clause)

    @property
    def is_proved(self) -> bool:
        return self.lower >= self.upper

    def offer(self, choice: Selection) -> None:
        """Keep a choice that clears the layout if it is better than the best so far."""
        if self.model.cost(choice) < self.upper:
            self.best = self.model.pruned(choice) if self._prunes else choice
            self.upper = self.model.cost(self.best)

    def close(self) -> None:
        for total in self._totals:
            total.delete()
        self._solver.delete()

    def steps(self) -> Steps:
        """Search until the bounds meet, a slice after the other."""
        fresh, waiting = overlapping_regions(self.model.neighbours), deque[tuple[Set, int]]()
        while not self.is_proved:
            region, patience = next(fresh, None), PATIENCE
            if region is None:
                region, patience = waiting.popleft()
            lower, idle = self.lower, 0
            for effort in self.region_steps(region):
                yield effort
                lower, idle = (self.lower, 0) if self.lower > lower else (lower, idle + effort)
                if idle >= patience:
                    waiting.append((region, 2 * patience))
                    break

    def region_steps(self, region: Set) -> Steps:
        """Raise the lower bound by the clicks that a region needs.

        The bounds meet if the region is all cells.
        """
        whole = len(region) == len(self.model.neighbours)
        while not self.is_proved:
            assumed = [literal for literal, soft in self._soft.items() if soft.cells <= region]
            found = yield from self._solved(assumed)
            if not found:
                core = yield from self._shortened(self._solver.get_core() or [])
                yield from self._relax(core)
                continue
            true = {literal for literal in self._solver.get_model() if literal > 0}
            # All clicks outside are free, so a set that is not entered lies in the region.
            choice = self.variables.selection(
                variable for variable, cell in self.variables.cells.items() if variable in true or cell not in region
            )
            cuts = self.model.cuts(choice)
            if whole:
                self.offer(self.model.completed(choice.chords, choice.digs))
            if not cuts:
                return
            for nodes in cuts:
                self.enter(nodes)

    def enter(self, nodes: Collection[int]) -> None:
        """Add the clause that something enters a set."""
        self.sets.append(frozenset(nodes))
        self._solver.add_clause(self.variables.cut(nodes))

    def _solved(self, assumed: Sequence[int], conflicts: int | None = None) -> Generator[int, None, bool | None]:
        """True if the assumptions hold together; None after too many conflicts."""
        spent = 0
        while conflicts is None or spent < conflicts:
            found, effort = solved(self._solver, assumed, SLICE)
            yield effort
            if found is not None:
                return found
            spent += SLICE
        return None

    def _shortened(self, core: list[int]) -> Generator[int, None, list[int]]:
        """A core that is refused once more, with fewer literals each time."""
        while len(core) > 1:
            refused = yield from self._solved(core, SLICE)
            shorter = self._solver.get_core() if refused is False else core
            if len(shorter) == len(core):
                break
            core = shorter
        return core

    def _relax(self, core: Sequence[int]) -> Steps:
        """Count a core: one click of it is needed, and a second one is assumed away."""
        from pysat.card import ITotalizer

        softs = {literal: self._soft.pop(literal) for literal in core}
        number = len(self.cores)
        self._count(_things(softs))
        cells = frozenset[int]().union(*(soft.cells for soft in softs.values()))
        for soft in softs.values():
            if soft.total is not None:
                self._assume_at_most(replace(soft, bound=soft.bound + 1))
        if len(core) == 1:
            self._solver.add_clause([-core[0]])
            return
        total = ITotalizer(lits=[-literal for literal in core], ubound=1, top_id=self._top)
        self._totals.append(total)
        self._add(total, total.cnf.clauses)
        bound = 1
        self._assume_at_most(_Soft(cells, total, bound, number))
        while bound < len(core):
            literal = -total.rhs[bound]
            found, effort = solved(self._solver, [literal], TRIES)
            yield effort
            if found is not False:
                return
            del self._soft[literal]
            self._solver.add_clause([-literal])
            bound += 1
            self._assume_at_most(_Soft(cells, total, bound, number))
            self._count([(number, bound)])

    def _count(self, core: Iterable[int | tuple[int, int]]) -> None:
        self.cores.append(tuple(core))
        self.lower = max(self.lower, self._fixed + len(self.cores))

    def all_cores(self) -> list[Core]:
        """Cores up to the lower bound, one for each click of it.

        The bound may have been raised without a core. The clicks of a choice are as many as the cores, and as what is
        true of all that is assumed away. If more are needed, all that is assumed away is a core itself, and so on.
        """
        found = list(self.cores)
        assumed = _things(self._soft)
        while len(found) < self.lower:
            more = [(one[0], one[1] + 1) for one in assumed if isinstance(one, tuple) and one[1] < len(found[one[0]])]
            more += [(len(found), 2)] if len(assumed) > 1 else []
            found.append(assumed)
            assumed = tuple(more)
        return found

    def _assume_at_most(self, soft: _Soft) -> None:
        total, bound = soft.total, soft.bound
        if bound >= len(total.lits):
            return
        if bound > total.ubound:
            total.increase(ubound=bound, top_id=self._top)
            self._add(total, total.cnf.clauses[-total.nof_new :])
        self._soft[-total.rhs[bound]] = soft

    def _add(self, total: Any, clauses: Iterable[list[int]]) -> None:
        self._top = max(self._top, total.top_id)
        for clause in clauses:
            self._solver.add_clause(clause)


def _things(softs: Mapping[int, _Soft]) -> Core:
    """Things that are assumed away, of which at least one is true in a core."""
    return tuple(-literal if soft.total is None else (soft.core, soft.bound + 1) for literal, soft in softs.items())


class Variables:
    """Numbers of the variables: a dig, a chord or a flag each, with its cell."""

    def __init__(self, model: ClickModel) -> None:
        self.model = model
        flags = sorted({mine for chord in model.chords for mine in chord.mines})
        self.digs = {node: number for number, node in enumerate(sorted(model.diggable), 1)}
        self.chords = range(len(self.digs) + 1, len(self.digs) + len(model.chords) + 1)
        self.flags = {mine: number for number, mine in enumerate(flags, self.chords.stop)}
        self.top = self.chords.stop + len(flags) - 1
        self.cells = {
            **{number: model.nodes[node][0] for node, number in self.digs.items()},
            **{self.chords[place]: chord.cell for place, chord in enumerate(model.chords)},
            **{number: mine for mine, number in self.flags.items()},
        }

    def flag_clauses(self) -> Iterator[list[int]]:
        """Yield the clauses that chords need flags."""
        for place, chord in enumerate(self.model.chords):
            for mine in chord.mines:
                yield [-self.chords[place], self.flags[mine]]

    def cut(self, nodes: Collection[int]) -> list[int]:
        """The clause that a dig in a set of nodes or a chord from outside enters it."""
        digs, chords = self.model.entries(nodes)
        return [*(self.digs[node] for node in digs), *(self.chords[place] for place in chords)]

    def selection(self, true: Iterable[int]) -> Selection:
        """The choice of the variables that are true."""
        known = set(true)
        return Selection(
            frozenset(node for node, number in self.digs.items() if number in known),
            frozenset(place for place, number in enumerate(self.chords) if number in known),
        )

    def true(self, choice: Selection) -> set[int]:
        """The variables that are true in a choice."""
        flags = self.model.flags_of(choice.chords)
        return {
            *(self.digs[node] for node in choice.digs),
            *(self.chords[place] for place in choice.chords),
            *(self.flags[mine] for mine in flags),
        }


def first_cuts(model: ClickModel) -> Iterator[Set]:
    """Sets to enter: single nodes, openings with borders, touching numbers."""
    owners: dict[int, set[int]] = {}
    for node, spill in enumerate(model.spills):
        for other in spill:
            owners.setdefault(other, set()).add(node)
    for node in sorted(model.diggable):
        yield frozenset((node,))
        if model.spills[node]:
            yield frozenset((node, *(other for other in model.spills[node] if owners[other] == {node})))
            continue
        # An opening whose border is open already has several cells, and spills nothing.
        touching = {model.node_of.get(cell, -1) for own in model.nodes[node] for cell in model.neighbours[own]}
        for other in sorted(touching):
            if other > node and other in model.diggable and not model.spills[other]:
                yield frozenset((node, other))


def overlapping_regions(neighbours: Sequence[Sequence[int]]) -> Iterator[Set]:
    """Yield regions that overlap, larger and larger ones; the last one is all cells."""
    rng, size = Random(0), float(LEAST_REGION)
    while size < len(neighbours):
        covered = [0] * len(neighbours)
        for _ in range(round(OVERLAP * len(neighbours) / size)):
            least = min(covered)
            centres = [cell for cell, times in enumerate(covered) if times == least]
            region = closest(neighbours, rng.choice(centres), size)
            for cell in region:
                covered[cell] += 1
            yield region
        size *= GROWTH
    yield frozenset(range(len(neighbours)))


def closest(neighbours: Sequence[Sequence[int]], cell: int, size: float) -> Set:
    """The cells that are closest to a cell, ``size`` of them or some more."""
    found, layer = {cell}, [cell]
    while layer and len(found) < size:
        layer = sorted({other for one in layer for other in neighbours[one]} - found)
        found.update(layer)
    return frozenset(found)


def solved(solver: Any, assumed: Sequence[int], conflicts: int) -> tuple[bool | None, int]:
    """Answer of a PySAT solver, None if it takes more conflicts, and the effort."""
    before = solver.accum_stats()["conflicts"]
    solver.conf_budget(conflicts)
    # With expect_interrupt PySAT leaves signals to Python.
    found = solver.solve_limited(assumed, expect_interrupt=True)
    return found, CALL + solver.accum_stats()["conflicts"] - before
