"""Cheap sound rules, to a fixed point: single point, subset, and difference.

*Single point*: a constraint that allows no mine, or needs all of its cells, settles them. *Subset*: where the groups of
an exact constraint A all belong to B, B may be replaced by a constraint on the rest, B \\ A; this settles cells, drops
duplicates, and also pulls components apart, so counting gets cheaper. *Difference*: where B needs k more mines than A
can hold and B \\ A has k cells, these are mines and the cells of A \\ B are safe (the 1-2 pattern). Each step keeps the
set of worlds as it is, so the smaller frontier that is left has the same answer.

The result is a constraint network on the undecided cells only; a weighted constraint whose count becomes certain leaves
its weight as a factor.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from satsweep.errors import Contradiction
from satsweep.solver.constraints import Constraint, Frontier, exactly, support


@dataclass(frozen=True, slots=True)
class Settled:
    """Cells that are certain, and the frontier on the cells that are not.

    ``single`` are those of the certain cells that single numbers settle, one after the other. ``tests`` counts the
    constraints and pairs of them that a rule was tested on.
    """

    safe: tuple[int, ...]
    mines: tuple[int, ...]
    frontier: Frontier
    single: tuple[int, ...] = ()
    tests: int = field(default=0, compare=False)


def propagate(frontier: Frontier) -> Settled:
    """Apply the rules until none settles anything new. Raises Contradiction.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.constraints import frontier
    >>> propagate(frontier(Board(("####", "1221")))).mines
    (1, 2)
    """
    return settle(frontier, (), ())


def settle(frontier: Frontier, safe: Iterable[int], mines: Iterable[int]) -> Settled:
    """Decide groups, by index, then apply the rules to what is left."""
    network = _Network(frontier)
    for group in safe:
        network.fix(group, mine=False)
    for group in mines:
        network.fix(group, mine=True)
    network.reach_fixed_point()
    return network.settled()


class _Network:
    """The constraints while they shrink; scopes are sets of undecided groups."""

    def __init__(self, frontier: Frontier) -> None:
        self.start = frontier
        self.sizes = frontier.sizes
        self.weight = frontier.weight
        self.decided: dict[int, bool] = {}
        self.scopes = [set(constraint.groups) for constraint in frontier.constraints]
        self.cells = [sum(self.sizes[group] for group in scope) for scope in self.scopes]
        self.likelihoods = [constraint.likelihood for constraint in frontier.constraints]
        self.low = [constraint.low for constraint in frontier.constraints]
        self.high = [constraint.high for constraint in frontier.constraints]
        self.alive = [True] * len(self.scopes)
        self.constraints_on: list[set[int]] = [set() for _ in self.sizes]
        for number, scope in enumerate(self.scopes):
            for group in scope:
                self.constraints_on[group].add(number)
        self.changed = dict.fromkeys(range(len(self.scopes)))
        self.unpaired: dict[int, None] = {}
        self.tests = 0
        self.single: int | None = None  # groups decided before any two constraints were compared

    def reach_fixed_point(self) -> None:
        """Single-point steps first: they are cheap, and shrink the scopes of pairs."""
        while self.changed or self.unpaired:
            while self.changed:
                number, _ = self.changed.popitem()
                if self.alive[number] and not self.apply_single_point(number):
                    self.unpaired[number] = None
            if self.single is None:
                self.single = len(self.decided)
            if self.unpaired:
                number, _ = self.unpaired.popitem()
                if self.alive[number]:
                    self.compare(number)

    def fix(self, group: int, *, mine: bool) -> None:
        if self.decided.setdefault(group, mine) is not mine:
            raise Contradiction("two numbers ask for opposite things")
        for number in self.constraints_on[group]:
            if self.alive[number] and group in self.scopes[number]:
                self.scopes[number].discard(group)
                self.cells[number] -= self.sizes[group]
                if mine:
                    self.set_likelihood(number, self.likelihoods[number][self.sizes[group] :])
                self.changed[number] = None

    def set_likelihood(self, number: int, likelihood: tuple[int, ...]) -> None:
        low, high = support(likelihood)
        if low > high:
            raise Contradiction("a number cannot be met")
        self.likelihoods[number] = likelihood
        self.low[number], self.high[number] = low, high

    def apply_single_point(self, number: int) -> bool:
        """Return whether the constraint is used up."""
        self.tests += 1
        cells = self.cells[number]
        if self.high[number] > cells or self.low[number] > self.high[number]:
            self.set_likelihood(number, self.likelihoods[number][: cells + 1])
        likelihood = self.likelihoods[number]
        if self.high[number] == 0 or self.low[number] == cells:
            self.drop(number, likelihood[self.low[number]])
            for group in self.scopes[number]:
                self.fix(group, mine=self.low[number] > 0)
        elif len(likelihood) == cells + 1 and len(set(likelihood)) == 1:
            self.drop(number, likelihood[0])
        return not self.alive[number]

    def drop(self, number: int, weight: int) -> None:
        """Drop a constraint whose likelihood is the same in every world left."""
        self.alive[number] = False
        self.weight *= weight

    def compare(self, number: int) -> None:
        scope = self.scopes[number]
        others = set().union(*(self.constraints_on[group] for group in scope))
        others.discard(number)
        for other in others:
            if not self.alive[other]:
                continue
            if not self.alive[number] or number in self.changed:
                return
            self.tests += 1
            if scope <= self.scopes[other]:
                self.subtract(number, other)
            elif self.scopes[other] <= scope:
                self.subtract(other, number)
            else:
                self.apply_difference(number, other)
                self.apply_difference(other, number)

    def subtract(self, part: int, whole: int) -> None:
        """Restrict the whole to the groups outside its part."""
        if self.low[part] == self.high[part]:
            self.weight *= self.likelihoods[part][self.low[part]]
            self.set_likelihood(part, exactly(self.low[part]))
            self.scopes[whole] -= self.scopes[part]
            self.cells[whole] -= self.cells[part]
            for group in self.scopes[part]:
                self.constraints_on[group].discard(whole)
            self.set_likelihood(whole, self.likelihoods[whole][self.low[part] :])
            self.changed[whole] = None
        elif self.cells[part] == self.cells[whole]:
            pairs = zip(self.likelihoods[part], self.likelihoods[whole], strict=False)
            self.set_likelihood(whole, tuple(left * right for left, right in pairs))
            self.drop(part, 1)
            self.changed[whole] = None

    def apply_difference(self, less: int, more: int) -> None:
        """Settle own cells if ``more`` needs them all beyond what ``less`` can hold."""
        needed = self.low[more] - self.high[less]
        if needed <= 0 or not self.alive[less] or not self.alive[more]:
            return
        own = self.scopes[more] - self.scopes[less]
        if needed == sum(self.sizes[group] for group in own):
            spared = self.scopes[less] - self.scopes[more]
            for group in own:
                self.fix(group, mine=True)
            for group in spared:
                self.fix(group, mine=False)

    def settled(self) -> Settled:
        numbers = [number for number, alive in enumerate(self.alive) if alive]
        cells: dict[bool, list[int]] = {False: [], True: []}
        for group, mine in self.decided.items():
            cells[mine].extend(self.start.groups[group])
        single = (cell for group in islice(self.decided, self.single) for cell in self.start.groups[group])
        safe, mines = (tuple(sorted(cells[mine])) for mine in (False, True))
        return Settled(safe, mines, self.remaining(numbers), tuple(single), self.tests)

    def remaining(self, numbers: list[int]) -> Frontier:
        """The frontier on the undecided cells; those without a constraint join the sea."""
        members: dict[tuple[int, ...], list[int]] = {}
        for group, cells in enumerate(self.start.groups):
            if group not in self.decided:
                signature = tuple(sorted(number for number in self.constraints_on[group] if self.alive[number]))
                members.setdefault(signature, []).extend(cells)
        sea = self.start.sea + tuple(members.pop((), ()))
        scopes: dict[int, list[int]] = {number: [] for number in numbers}
        for group, signature in enumerate(members):
            for number in signature:
                scopes[number].append(group)
        constraints = tuple(Constraint(tuple(scopes[number]), self.likelihoods[number]) for number in numbers)
        return Frontier(tuple(map(tuple, members.values())), constraints, sea, self.weight)
