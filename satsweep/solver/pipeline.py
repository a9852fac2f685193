"""The stages in their order: ``solve`` is the algorithm, and calls each once.

Group the cells (``constraints``), apply the cheap rules (``propagate``), split what is left by networkx
(``components``), find all forced cells of each part by SAT (``backbone``), split again, count each component
(``engines``) and combine the counts with the mine total (``probability``). A board is one source of constraints
(``position``), statements about named cells another (``satsweep.questions.statements``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import NamedTuple, TypeVar

from satsweep.errors import BudgetExceeded, Contradiction
from satsweep.solver.backbone import Backbone, backbone, forced_by_total, has_slack, unsat_core
from satsweep.solver.budget import UNLIMITED, Budget
from satsweep.solver.components import Component, Counts, LocatedComponent, Work, components
from satsweep.solver.constraints import CellConstraint, Constraint, Frontier, exactly, gather
from satsweep.solver.engines import Engine, engine_named
from satsweep.solver.probability import CountedFrontier, LateOdds, Odds, Prior, Verdict, cell_odds
from satsweep.solver.propagate import Settled, propagate, settle

_Known = TypeVar("_Known")


@dataclass(slots=True)
class ComponentCache:
    """Backbones and counts of components, kept for the next positions of a game.

    A component is a value, and equal ones have equal backbones and counts, so no entry is ever out of date.
    """

    backbones: dict[Component, Backbone] = field(default_factory=dict)
    counts: dict[Component, Counts] = field(default_factory=dict)
    lookups: int = 0
    hits: int = 0

    def lookup(self, known: Mapping[Component, _Known], component: Component) -> _Known | None:
        self.lookups += 1
        there = known.get(component)
        self.hits += there is not None
        return there


@dataclass(frozen=True, slots=True)
class StageResults:
    """The value after each stage.

    They are the frontier, the cells that simple rules settled, the components of what these left, the cells settled
    after the SAT backbone of each, for which ``questions`` were asked, and the counts of the components then left.
    """

    frontier: Frontier
    propagated: Settled
    split: tuple[LocatedComponent, ...]
    proved: Settled
    questions: int = field(compare=False)
    counted: CountedFrontier


@dataclass(frozen=True)
class Solution:
    """The odds of every cell, and how they were found. Cells are integers.

    ``seconds`` has the time of each stage. ``counted`` has all counts. Where the compiled twin has counted, its
    frontier is without constraints, and ``stages`` is None, since it tells no stages apart.
    """

    verdict: Verdict
    counted: CountedFrontier
    seconds: dict[str, float]
    stages: StageResults | None

    @property
    def safe(self) -> list[int]:
        return sorted(cell for odds in self.verdict.odds if odds.is_safe for cell in odds.cells)

    @property
    def mines(self) -> list[int]:
        return sorted(cell for odds in self.verdict.odds if odds.is_mine for cell in odds.cells)

    @cached_property
    def odds(self) -> dict[int, Odds | LateOdds]:
        """The odds of each cell."""
        return {cell: odds for odds in self.verdict.odds for cell in odds.cells}

    @property
    def complete(self) -> bool:
        """True if every risk is known."""
        return all(odds.is_known for odds in self.verdict.odds if odds.cells)

    @property
    def work(self) -> tuple[Work, ...]:
        """For each counted component, the engine that counted it and the cost."""
        return tuple(counts.work for counts in self.counted.counts if counts is not None)


def solve(
    constraints: Sequence[CellConstraint],
    cells: Sequence[int],
    prior: Prior,
    *,
    engine: str = "auto",
    budget: Budget = UNLIMITED,
    cache: ComponentCache | None = None,
) -> Solution:
    """Solve constraints on cells.

    Raises Contradiction when no world satisfies them and the prior. The seconds of the budget bound the counting as a
    whole, its states each component. Past it the odds of components that were not counted are unknown, but everything
    forced is still found. Backbones and counts in the cache are used, and new ones are added to it.
    """
    count = engine_named(engine)
    cache = cache or ComponentCache()
    clock = Stopwatch()
    try:
        frontier = gather(constraints, cells)
        clock.stop("frontier")
        propagated = propagate(frontier)
        clock.stop("propagate")
        split = components(propagated.frontier)
        clock.stop("components")
        settled, parts, questions = prove_forced(propagated, split, cache)
        clock.stop("backbone")
    except Contradiction:
        raise _impossible(constraints, cells) from None
    counts = _counted(parts, count, budget, cache)
    clock.stop("count")
    certain = (len(settled.mines), len(settled.safe))
    counted = CountedFrontier(settled.frontier, parts, counts, certain, prior)
    verdict = odds_of(counted)
    if not verdict.is_possible:
        raise _impossible_total(constraints, counted)
    left = counted.mines_left
    if left is not None and not counted.complete and not has_slack(counted.frontier, left, counted.elsewhere):
        verdict = _with_forced(constraints, verdict, counted)
    clock.stop("combine")
    stages = StageResults(frontier, propagated, split, settled, questions, counted)
    return Solution(verdict.with_settled(settled.safe, settled.mines), counted, clock.seconds, stages)


def odds_of(counted: CountedFrontier) -> Verdict:
    """The odds of all cells; their integers wait until they are asked for if long."""
    if counted.is_vast:
        from satsweep.solver.late_odds import late_verdict

        return late_verdict(counted) or cell_odds(counted)
    return cell_odds(counted)


class Proved(NamedTuple):
    """Cells settled after SAT, components of what is left, and questions asked."""

    settled: Settled
    parts: tuple[LocatedComponent, ...]
    questions: int


def prove_forced(settled: Settled, parts: tuple[LocatedComponent, ...], cache: ComponentCache) -> Proved:
    """Settle what SAT proves in each component, and split what is left again."""
    safe: list[int] = []
    mines: list[int] = []
    partial: list[Constraint] = []
    questions = 0
    for part in parts:
        found = cache.lookup(cache.backbones, part.component)
        if found is None:
            found = cache.backbones[part.component] = backbone(part.component)
            questions += found.questions
        safe += (part.groups[group] for group in found.safe)
        mines += (part.groups[group] for group in found.mines)
        if len(part.groups) > 1:  # a group on its own cannot be split off
            partial += (Constraint((part.groups[group],), exactly(count)) for group, count in found.partial)
    if not safe and not mines and not partial:
        return Proved(settled, parts, questions)
    known = settled.frontier
    further = settle(replace(known, constraints=(*known.constraints, *partial)), safe, mines)
    certain = settled.safe + further.safe, settled.mines + further.mines
    both = Settled(*certain, further.frontier, settled.single, settled.tests + further.tests)
    return Proved(both, components(further.frontier), questions)


def _counted(
    parts: Sequence[LocatedComponent], count: Engine, budget: Budget, cache: ComponentCache
) -> tuple[Counts | None, ...]:
    """The counts within the budget; the smallest first, to settle as many as possible."""
    meter = budget.meter()
    counts: list[Counts | None] = [None] * len(parts)
    for number in sorted(range(len(parts)), key=lambda number: len(parts[number].groups)):
        component = parts[number].component
        counts[number] = cache.lookup(cache.counts, component)
        if counts[number] is None:
            try:
                found = count(component, replace(meter.left, states=budget.states))
            except BudgetExceeded:
                continue
            counts[number] = cache.counts[component] = found
    return tuple(counts)


def _with_forced(constraints: Sequence[CellConstraint], verdict: Verdict, counted: CountedFrontier) -> Verdict:
    """The odds with the cells that only the mine total forces, found without counts."""
    assert counted.mines_left is not None
    try:
        forced, sea = forced_by_total(counted.frontier, counted.mines_left, counted.elsewhere)
    except Contradiction as error:
        raise Contradiction(str(error), clues=_clues(constraints), total=True) from None
    known = {counted.frontier.groups[group]: 0 for group in forced.safe}
    known |= {counted.frontier.groups[group]: 1 for group in forced.mines}
    if sea is not None:
        known[counted.frontier.sea] = int(sea)
    odds = [
        Odds(odds.cells, known[odds.cells]) if not odds.is_known and odds.cells in known else odds
        for odds in verdict.odds
    ]
    everything = all(odds.cells in known for odds in odds if odds.cells)
    return Verdict(tuple(odds), _weight(counted.frontier, known) if everything else None)


def _weight(frontier: Frontier, known: dict[tuple[int, ...], int]) -> int:
    mines = [known[cells] * len(cells) for cells in frontier.groups]
    counts = (sum(mines[group] for group in constraint.groups) for constraint in frontier.constraints)
    likelihoods = (constraint.likelihood[count] for constraint, count in zip(frontier.constraints, counts, strict=True))
    return frontier.weight * prod(likelihoods)


def _impossible(constraints: Sequence[CellConstraint], cells: Sequence[int]) -> Contradiction:
    return Contradiction("these numbers cannot all be true", clues=unsat_core(constraints, cells))


def _impossible_total(constraints: Sequence[CellConstraint], counted: CountedFrontier) -> Contradiction:
    sums = [[mines for mines, ways in enumerate(total) if ways] for total in counted.totals()]
    least = counted.certain[0] + sum(map(min, sums))
    most = counted.certain[0] + sum(map(max, sums)) + len(counted.frontier.sea)
    total = counted.prior.mines
    assert total is not None
    if total < least:
        need = f"the numbers need at least {least}"
    elif total > most:
        need = f"the numbers allow at most {most}"
    else:
        need = f"the numbers allow {least} to {most}, but not this one"
    return Contradiction(
        f"the mine total leaves {total} for the covered cells, {need}",
        clues=_clues(constraints),
        total=True,
    )


def _clues(constraints: Sequence[CellConstraint]) -> list[int]:
    return sorted({constraint.clue for constraint in constraints})


class Stopwatch:
    """The seconds of each stage, from the end of the one before."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def stop(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage], self._since = now - self._since, now
