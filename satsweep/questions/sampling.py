"""Random worlds of a board: layouts that agree with it, each with its probability.

Where every number is exact all worlds are equally likely, so ``random_world`` draws uniformly among them, with the mine
total and with assumptions about some cells. The draw goes the way of the counts and turns them round: first the mines
of the frontier, by the number of worlds with that total; then those of each component, by the placements of it and of
the components after it; then a placement of the component; then cells of its groups, and of the sea. Each choice is one
integer below the number of worlds that it is among, so no probability is rounded.

A placement is drawn by walking a circuit of elimination backwards (ancestral sampling, as in forward filtering and
backward sampling): the ways to reach a state are known from the forward pass, by the number of mines, and the edge into
it is drawn by the ways that come through it. The cost of a draw is that of a count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from satsweep.arguments import check_kind
from satsweep.board import Board, BoardLike
from satsweep.errors import Contradiction
from satsweep.layout import Layout
from satsweep.questions.witness import assumed_constraints, known_mines, world_of
from satsweep.solver.budget import Budget, Meter
from satsweep.solver.components import Component, components
from satsweep.solver.constraints import covered_cells, gather
from satsweep.solver.engines.circuit import CircuitStep, Values, compile_circuit, forward, total_weight
from satsweep.solver.engines.elimination import plan
from satsweep.solver.pipeline import ComponentCache, prove_forced
from satsweep.solver.polynomials import multiply
from satsweep.solver.position import prior_of
from satsweep.solver.probability import Binomials, Prior
from satsweep.solver.propagate import propagate


def random_world(
    board: BoardLike,
    assumptions: Mapping[tuple[int, int], bool] | None = None,
    rng: Random | None = None,
    *,
    budget: Budget | float | None = None,
) -> Layout | None:
    """A layout drawn among those that agree with a board; None if there is none.

    Each is drawn with its probability: uniformly where numbers are exact. ``assumptions`` says of some cells whether
    they are mines, as for ``find_world``. The mine total is met if the board gives it; otherwise cells are mines with
    the board's density, and without one all worlds of any number of mines weigh the same. A flag is read as covered. Of
    a part its own cells are drawn, and the unseen ones around it left out. ``rng`` decides; without it each call draws
    another world. Raises BudgetExceeded past the budget.

    >>> random_world(Board(("1#", "##"), mines=1), {(0, 1): False, (1, 1): False}, Random(1))
    Layout(('..', '*.'))
    >>> random_world(Board(("1#", "##"), mines=2), rng=Random(1)) is None
    True
    """
    board = Board.of(board)
    check_kind(rng, Random | None, "a random.Random")
    rng = rng or Random()
    constraints = assumed_constraints(board, assumptions)
    if constraints is None:
        return None
    try:
        propagated = propagate(gather(constraints, covered_cells(board)))
        settled, parts, _ = prove_forced(propagated, components(propagated.frontier), ComponentCache())
    except Contradiction:
        return None
    meter = Budget.of(budget).meter()
    placements = [_Placements.of(part.component, meter) for part in parts]
    prior = prior_of(board)
    left = None if prior.mines is None else prior.mines - len(settled.mines)
    sums = _mines_of_components(placements, prior, left, len(settled.frontier.sea), rng)
    if sums is None:
        return None
    mined = known_mines(board).union(settled.mines)
    for part, own, total in zip(parts, placements, sums, strict=True):
        for group, count in zip(part.groups, own.draw(total, rng), strict=True):
            mined.update(rng.sample(settled.frontier.groups[group], count))
    mined.update(_drawn_sea(settled.frontier.sea, prior, None if left is None else left - sum(sums), rng))
    return world_of(board, mined)


def _mines_of_components(
    placements: Sequence[_Placements], prior: Prior, left: int | None, sea: int, rng: Random
) -> list[int] | None:
    """The mines of each component, drawn; None if no world has the mine total."""
    totals = [prior.weighted(own.total, own.cells) for own in placements]
    if not all(map(any, totals)):
        return None
    if left is None:
        return [_drawn(total, rng) for total in totals]
    after = [[1]]
    for total in reversed(totals):
        after.append(multiply(total, after[-1]))
    after.reverse()
    in_sea = prior.ways_in_sea(sea)
    worlds = [ways * in_sea[left - mines] for mines, ways in enumerate(after[0])]
    if not any(worlds):
        return None
    rest, sums = _drawn(worlds, rng), []
    for total, others in zip(totals, after[1:], strict=True):
        # Either index may be past the end: there are no such placements.
        fitting = [
            ways * others[rest - mines] if 0 <= rest - mines < len(others) else 0 for mines, ways in enumerate(total)
        ]
        sums.append(_drawn(fitting, rng))
        rest -= sums[-1]
    return sums


def _drawn_sea(sea: Sequence[int], prior: Prior, mines: int | None, rng: Random) -> list[int]:
    if mines is not None:
        if prior.at_most:
            ways = Binomials(len(sea))
            mines = _drawn([ways[fewer] for fewer in range(min(mines, len(sea)) + 1)], rng)
        return rng.sample(sea, mines)
    mine, safe = prior.scales
    return [cell for cell in sea if _drawn((safe, mine), rng)]


def _drawn(weights: Sequence[int], rng: Random) -> int:
    """A place, drawn by its weight."""
    rest = rng.randrange(sum(weights))
    for place, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return place
    raise AssertionError("a weight is negative")


@dataclass(frozen=True, slots=True)
class _Placements:
    """The placements of a component, as a circuit with the ways to reach each state.

    ``total`` has their weight by the number of mines; ``before`` has the values of all states before each step, in
    slots of ``slot`` bits.
    """

    total: list[int]
    cells: int
    groups: int
    steps: list[CircuitStep]
    before: dict[int, Values]
    slot: int

    @classmethod
    def of(cls, component: Component, meter: Meter) -> _Placements:
        planned = plan(component, meter)
        cells, groups = sum(component.sizes), len(component.sizes)
        if planned.structure.impossible:
            return cls([], cells, groups, [], {}, 0)
        steps = compile_circuit(planned.structure, planned.order.groups, meter)
        slot = total_weight(steps, 1, meter).bit_length()
        before = forward(steps, 1, slot, range(len(steps)), meter)
        found = cls([0] * (cells + 1), cells, groups, steps, before, slot)
        if slot:
            found.total[:] = [found._ways(len(steps), 0, mines) for mines in range(cells + 1)]
        return found

    def draw(self, mines: int, rng: Random) -> list[int]:
        """The mines of each group, in a placement with this sum."""
        drawn, state = [0] * self.groups, 0
        for position in range(len(self.steps), 0, -1):
            step = self.steps[position - 1]
            # A state has at most one predecessor for each count.
            into = [
                (bundle, bundle.source[bundle.target.index(state)]) for bundle in step.bundles if state in bundle.target
            ]
            ways = [bundle.factor * self._ways(position - 1, source, mines - bundle.mines) for bundle, source in into]
            bundle, state = into[_drawn(ways, rng)]
            mines -= bundle.mines
            if step.group is not None:
                drawn[step.group] = bundle.mines
        return drawn

    def _ways(self, position: int, state: int, mines: int) -> int:
        """The ways to reach a state with a number of mines."""
        values, lows = self.before[position]
        at = mines - lows[state]
        return values[state] >> at * self.slot & (1 << self.slot) - 1 if at >= 0 else 0
