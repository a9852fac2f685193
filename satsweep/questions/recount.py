"""Evidence for counts: every component, and the board, counted in other ways.

A component is counted again by all engines but the one that has counted it: by elimination, and, if it has few enough
placements, by enumeration with PySAT and with CP-SAT. Where it has too many for that, elimination is checked against
itself: one group is given each number of mines that it can hold, one after the other, which makes other components with
other orders, and their counts have to add up.

The combination of counts, mine total included, is checked on the board as a whole, in the same way: a group of the
frontier, and then a cell of the sea, is given each number of mines, the board is solved anew, and its worlds have to
add up and to give the same risk.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import zip_longest

from satsweep.analysis.analysis import Analysis
from satsweep.board import Cell
from satsweep.errors import BudgetExceeded, Contradiction, SatsweepError
from satsweep.solver import is_installed
from satsweep.solver.budget import Budget
from satsweep.solver.components import Component, Counts
from satsweep.solver.constraints import CellConstraint, Constraint, cell_constraints, covered_cells, exactly
from satsweep.solver.engines import cpsat, elimination, sat
from satsweep.solver.pipeline import solve
from satsweep.solver.probability import Verdict

PLACEMENTS = 2000
"""A component with more placements than these is not enumerated."""


class CountMismatch(SatsweepError):
    """Two ways to count disagree: one is wrong, and every risk may be."""


class How(Enum):
    ELIMINATED = "by elimination"
    SAT = "by PySAT"
    CPSAT = "by CP-SAT"
    SPLIT = "split over one group"
    SOLVED = "solved anew, split over one group"


@dataclass(frozen=True, slots=True)
class Check:
    """One recount: of a component with these cells, or of the board split over them.

    ``how`` has the ways in which it was counted again, none where the budget was exhausted. ``ways`` is the result of
    all counts: the weight of all placements of a component, or of all worlds. It is their number, unless numbers are
    unreliable.
    """

    cells: tuple[Cell, ...]
    how: tuple[How, ...] = ()
    ways: int | None = None


@dataclass(frozen=True, slots=True)
class CrossCheck:
    components: tuple[Check, ...]
    board: tuple[Check, ...]

    @property
    def complete(self) -> bool:
        return all(check.how for check in (*self.components, *self.board))


def cross_check(analysis: Analysis, *, budget: Budget | float | None = None) -> CrossCheck:
    """Count again what an analysis has counted.

    Raises CountMismatch where the counts differ. The seconds of the ``budget`` are for all checks together, its states
    for each count. Past it checks are left out, and the answer says so.

    >>> from satsweep.analysis.analyse import analyse
    >>> from satsweep.board import Board
    >>> checked = cross_check(analyse(Board(("##1.", "##21", "####"), mines=3)))
    >>> [(how.value, check.ways) for check in checked.components for how in check.how]
    [('by elimination', 2), ('by CP-SAT', 2), ('by elimination', 2), ('by CP-SAT', 2)]
    >>> [(str(check.cells[0]), check.ways) for check in checked.board]
    [('0,1', 12), ('0,0', 12)]
    """
    given = Budget.of(budget)
    meter = given.meter()
    counted = analysis.stage_results().counted
    components = []
    for part, counts in zip(counted.parts, counted.counts, strict=True):
        cells = _cells(analysis, [cell for group in part.groups for cell in counted.frontier.groups[group]])
        left = replace(meter.left, states=given.states)
        how = () if counts is None else _again(part.component, counts, left)
        components.append(Check(cells, how, sum(counts.total) if counts and how else None))
    groups = [max(counted.frontier.groups, key=len)] if counted.frontier.groups else []
    groups += [counted.frontier.sea[:1]] if counted.frontier.sea else []
    groups = [group for group in groups if group[0] in analysis.odds]  # not those of unseen cells alone
    board = [_solved_anew(analysis, group, replace(meter.left, states=given.states)) for group in groups]
    return CrossCheck(tuple(components), tuple(board))


def _cells(analysis: Analysis, indices: Iterable[int]) -> tuple[Cell, ...]:
    return tuple(map(analysis.board.cell, sorted(indices)))


def _again(component: Component, counts: Counts, budget: Budget) -> tuple[How, ...]:
    few = replace(budget, states=PLACEMENTS if budget.states is None else min(PLACEMENTS, budget.states))
    ways = (elimination, budget, How.ELIMINATED), (sat, few, How.SAT), (cpsat, few, How.CPSAT)
    done = []
    for engine, limit, how in ways:
        if engine.__name__.endswith(f".{counts.work.engine}") or (engine is cpsat and not is_installed("ortools")):
            continue
        with suppress(BudgetExceeded):
            _compare(counts, engine.count(component, limit))
            done.append(how)
    if not done and counts.work.engine == "elimination":
        try:
            _compare_split(component, counts, budget)
        except BudgetExceeded:
            return ()
        return (How.SPLIT,)
    return tuple(done)


def _compare(counts: Counts, others: Counts) -> None:
    if (counts.total, counts.mined) != (others.total, others.mined):
        raise CountMismatch(f"{counts.work.engine} and {others.work.engine} do not count the same in a component")


def _compare_split(component: Component, counts: Counts, budget: Budget) -> None:
    """Compare with sums over the cases of the group with most constraints on it."""
    mentions = [group for constraint in component.constraints for group in constraint.groups]
    split = max(range(len(component.sizes)), key=mentions.count)
    size = component.sizes[split]
    cases = []
    for mines in range(size + 1):
        given = Constraint((split,), exactly(mines))
        cases.append(elimination.count(replace(component, constraints=(*component.constraints, given)), budget))
    totals = _sums([case.total for case in cases])
    mined = tuple(_sums([case.mined[group] for case in cases]) for group in range(len(component.sizes)))
    held = _sums([[mines * ways for ways in case.total] for mines, case in enumerate(cases)])
    if (totals, mined) != (counts.total, counts.mined) or held != _sums([counts.mined[split]] * size):
        raise CountMismatch("the counts with one group fixed do not add up to those of a component")


def _sums(polynomials: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip_longest(*polynomials, fillvalue=0)))


def _solved_anew(analysis: Analysis, group: tuple[int, ...], budget: Budget) -> Check:
    """Solve the board with each number of mines in a group, and compare the sums."""
    cells = _cells(analysis, group)
    expected = analysis.solution.verdict.worlds
    if expected is None:
        return Check(cells)
    worlds = 0
    weights: list[Fraction] = []
    for mines in range(len(group) + 1):
        try:
            found = _with(analysis, CellConstraint(-1, group, exactly(mines)), budget)
        except Contradiction:
            weights.append(Fraction(0))
            continue
        if found.worlds is None:
            return Check(cells)
        worlds += found.worlds
        weights.append(Fraction(found.worlds) if found.weight is None else found.weight)
    risk = sum(mines * weight for mines, weight in enumerate(weights)) / (len(group) * sum(weights))
    if worlds != expected or risk != analysis.risk(cells[0]):
        raise CountMismatch(f"the worlds with one group fixed do not add up to those of the board, at {cells[0]}")
    return Check(cells, (How.SOLVED,), worlds)


def _with(analysis: Analysis, constraint: CellConstraint, budget: Budget) -> Verdict:
    board = analysis.board
    constraints = [*cell_constraints(board), constraint]
    return solve(constraints, covered_cells(board), analysis.stage_results().counted.prior, budget=budget).verdict
