"""Forced groups at any size, without counting: by numbers, and by the mine total.

The *backbone* of a formula is the set of literals true in all its models. One model gives the candidates; then, one
candidate at a time, the solver is asked for a model without it. A refusal proves the candidate, and it is added as a
fact; a model strikes it and every other candidate that the model contradicts. Two things keep the questions few: the
solver prefers, at each decision, the opposite of every candidate left, so one model strikes many (Janota, Lynce and
Marques-Silva 2015 survey such algorithms), and the clauses propagate perfectly, so a question stays in the
neighbourhood of its cell. Boards of 300x300 cells take a fraction of a second.

*Cells that only the mine total forces* are seen in the counts, as a risk of exactly 0 or 1. Where a component could not
be counted in time, they are found on all components at once, in the same way. CP-SAT first looks for solutions that
strike as many candidates as possible, with a limit on the effort of each search, since the best one is not needed; the
rest is settled by questions of feasibility alone, without a limit, because an analysis promises every forced cell,
however small its budget. Where OR-Tools is not installed, PySAT finds the same cells, in more time: the mine total
leaves some of the sums that each component can have (``sums``), and the candidates are those of all placements with
these sums.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from typing import Any

from satsweep.errors import Contradiction
from satsweep.solver import is_installed
from satsweep.solver.components import Component, components
from satsweep.solver.constraints import CellConstraint, Frontier, gather
from satsweep.solver.engines.cpsat import cp_model_of, cp_solution, cp_solver
from satsweep.solver.sat_solver import SelectorSolver, encode, raising_interrupts, sat_solver
from satsweep.solver.sums import Placement, SumSolver, as_bits, fitting_sums, placements_by_sum, sumset

EFFORT = 1.0
"""Limit on a search of CP-SAT that strikes candidates, in about seconds."""
CONFLICTS = 5_000
"""Most conflicts of one search of PySAT for a bound on the mines of a component."""


@dataclass(frozen=True, slots=True)
class Backbone:
    """Groups, by index, whose cells are all safe or all mines in every placement.

    ``partial`` has the groups that hold the same number of mines in every placement, though neither none nor all, with
    that number: their cells are not forced, but the group has nothing left to decide. ``questions`` counts those that
    the SAT solver was asked.
    """

    safe: tuple[int, ...]
    mines: tuple[int, ...]
    partial: tuple[tuple[int, int], ...] = ()
    questions: int = field(default=0, compare=False, repr=False)


def backbone(component: Component) -> Backbone:
    """Find every forced group. Raises Contradiction if the component has no placement.

    >>> from satsweep.solver.constraints import Constraint
    >>> two, one = Constraint((0, 1, 2), (0, 0, 1)), Constraint((1, 2, 3), (0, 1))
    >>> backbone(Component((1, 1, 1, 1), (two, one)))
    Backbone(safe=(3,), mines=(0,), partial=())
    """
    encoded = encode(component)
    with sat_solver(encoded.clauses) as solver:
        if not solver.solve():
            raise Contradiction("these constraints cannot all be met")
        literals = [literal for unary in encoded.literals for literal in unary]
        forced, questions = _true_in_all(solver, literals)
    ranges = [
        (sum(literal in forced for literal in unary), sum(-literal not in forced for literal in unary))
        for unary in encoded.literals
    ]
    return Backbone(
        tuple(group for group, (_, high) in enumerate(ranges) if high == 0),
        tuple(group for group, (low, _) in enumerate(ranges) if low == component.sizes[group]),
        tuple((group, low) for group, (low, high) in enumerate(ranges) if 0 < low == high < component.sizes[group]),
        questions + 1,
    )


def _true_in_all(solver: Any, variables: Sequence[int]) -> tuple[set[int], int]:
    """Literals that are true in all models, and the number of questions asked."""
    forced: set[int] = set()
    questions = 0
    model = solver.get_model()
    candidates = dict.fromkeys(model[variable - 1] for variable in variables)
    while candidates:
        solver.set_phases([-literal for literal in candidates])
        literal = next(iter(candidates))
        questions += 1
        if solver.solve(assumptions=[-literal]):
            model = solver.get_model()
            candidates = dict.fromkeys(left for left in candidates if model[abs(left) - 1] == left)
        else:
            del candidates[literal]
            solver.add_clause([literal])
            forced.add(literal)
    return forced, questions


def unsat_core(constraints: Sequence[CellConstraint], cells: Sequence[int]) -> tuple[int, ...]:
    """The clues of constraints that cannot all be true, ascending; none if they can.

    The set is an unsatisfiable core of the SAT solver: usually small, not always the smallest.
    """
    frontier = gather(constraints, cells)
    encoded = encode(Component(frontier.sizes, frontier.constraints))
    core = list(range(len(constraints)))
    with SelectorSolver(encoded.top + 1, core) as solver:
        for clause in encoded.order:
            solver.add(clause)
        for index, clauses in enumerate(encoded.by_constraint):
            for clause in clauses:
                solver.add(clause, index)
        while solver.model(core) is None:
            smaller = sorted(solver.core())
            if len(smaller) == len(core):
                return tuple(sorted(constraints[index].clue for index in core))
            core = smaller
    return ()


def forced_by_total(frontier: Frontier, mines: int, elsewhere: int = 0) -> tuple[Backbone, bool | None]:
    """The groups, and perhaps the sea, that constraints and a mine total force.

    The sea is False if it is all safe, True if it is all mines, else None. Up to ``elsewhere`` of the mines may be in
    cells of neither, which are as a larger sea. Raises Contradiction when the total is impossible.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.constraints import frontier
    >>> forced_by_total(frontier(Board(("#2##1##",))), 3)
    (Backbone(safe=(), mines=(0,), partial=()), False)
    """
    ends = (ends_by_cp_sat if is_installed("ortools") else ends_by_sums)(frontier, mines, elsewhere)
    if ends is None:
        raise Contradiction("the mine total leaves no world", total=True)
    sea = ends.pop(len(frontier.groups), None)
    safe, mined = (tuple(sorted(group for group in ends if bool(ends[group]) is mine)) for mine in (False, True))
    return Backbone(safe, mined), None if sea is None else sea > 0


def has_slack(frontier: Frontier, mines: int, elsewhere: int = 0) -> bool:
    """Return whether no possible number of mines on the components settles the sea.

    The sea can then take all mines that are left, as mines beside safe cells, and the total forces nothing. The effort
    of the search for the least and the greatest number is limited: its bounds are sound, so True is certain, and False
    may only mean that they are too wide.
    """
    bound = bound_by_cp_sat if is_installed("ortools") else bound_by_sums
    sea = len(frontier.sea) + elsewhere
    return sea > 1 and mines - bound(frontier, most=False) < sea and bound(frontier, most=True) < mines


def ends_by_cp_sat(frontier: Frontier, mines: int, elsewhere: int = 0) -> dict[int, int] | None:
    """The mines of groups that are all safe or all mines, the sea as the last group.

    None where no world has the total.
    """
    model, variables = cp_model_of(Component(frontier.sizes, frontier.constraints))
    sizes = list(frontier.sizes)
    if sea := len(frontier.sea) + elsewhere:
        variables.append(model.new_int_var(0, sea, ""))
        sizes.append(sea)
    model.add(sum(variables) == mines)

    found = cp_solution(model, variables)
    if found is None:
        return None
    ends = {(index, end) for index, end in enumerate(found) if end in (0, sizes[index])}
    candidates = {(index, end): model.new_bool_var("") for index, end in ends}
    for (index, end), differs in candidates.items():
        variable = variables[index]
        (model.add(variable < end) if end else model.add(variable > 0)).only_enforce_if(differs)

    def strike(found: list[int] | None) -> bool:
        struck = [key for key in candidates if found and found[key[0]] != key[1]]
        for key in struck:
            del candidates[key]
        return bool(struck)

    striking = True
    while candidates and striking:
        model.maximize(sum(candidates.values()))
        striking = strike(cp_solution(model, variables, EFFORT))
    model.clear_objective()
    while candidates:
        asked = model.new_bool_var("")
        model.add(sum(candidates.values()) >= 1).only_enforce_if(asked)
        model.clear_assumptions()
        model.add_assumption(asked)
        if not strike(cp_solution(model, variables)):
            break
    return dict(candidates.keys())


def bound_by_cp_sat(frontier: Frontier, *, most: bool) -> float:
    model, variables = cp_model_of(Component(frontier.sizes, frontier.constraints))
    (model.maximize if most else model.minimize)(sum(variables))
    solver = cp_solver(effort=EFFORT)
    solver.solve(model)
    return float(solver.best_objective_bound)


def ends_by_sums(frontier: Frontier, mines: int, elsewhere: int = 0) -> dict[int, int] | None:
    parts, sea = components(frontier), len(frontier.sea) + elsewhere
    sums = [placements_by_sum(part.component) for part in parts]
    held = reduce(sumset, map(as_bits, sums), 1)
    left = {mines - count for count in range(max(0, mines - sea), mines + 1) if held >> count & 1}
    if not left:
        return None
    ends: dict[int, int] = {}
    for located, part, fitting in zip(parts, sums, fitting_sums(sums, mines - sea, mines), strict=True):
        ends.update((located.groups[group], end) for group, end in _fixed(located.component, part, fitting))
    if sea and left in ({0}, {sea}):
        ends[len(frontier.groups)] = left.pop()
    return ends


def _fixed(component: Component, sums: Mapping[int, Placement], fitting: Sequence[int]) -> set[tuple[int, int]]:
    """Groups that are all safe or all mines in every placement with a fitting sum."""
    sizes = component.sizes
    candidates = {(group, end) for group, end in enumerate(sums[fitting[0]]) if end in (0, sizes[group])}
    candidates = {key for key in candidates if all(sums[mines][key[0]] == key[1] for mines in fitting)}
    with SumSolver(component) as solver, raising_interrupts():
        for low, high in _runs(sorted(sums), fitting):
            while candidates and (found := solver.placement(low, high, sorted(candidates))):
                candidates = {(group, end) for group, end in candidates if found[group] == end}
    return candidates


def _runs(sums: Sequence[int], fitting: Sequence[int]) -> list[tuple[int, int]]:
    """The runs of fitting sums; within one there is no other possible sum.

    >>> _runs([2, 4, 5, 7], [2, 4, 7])
    [(2, 4), (7, 7)]
    """
    wanted = set(fitting)
    groups = (list(run) for fits, run in groupby(sums, wanted.__contains__) if fits)
    return [(run[0], run[-1]) for run in groups]


def bound_by_sums(frontier: Frontier, *, most: bool) -> int:
    return sum(_bound(part.component, most) for part in components(frontier))


def _bound(component: Component, most: bool) -> int:
    """The least or greatest number of mines; past the limit one that is surely beyond."""
    beyond = sum(component.sizes) if most else 0
    with SumSolver(component, CONFLICTS) as solver, raising_interrupts():
        try:
            reached, found = beyond, solver.placement()
            while found:
                reached = sum(found)
                found = solver.placement(low=reached + 1) if most else solver.placement(high=reached - 1)
            return reached
        except TimeoutError:
            return beyond
