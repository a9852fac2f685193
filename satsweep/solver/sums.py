"""Possible sums of mines: one placement for each, found by PySAT without counting.

Components share the mine total and nothing else, so the possible numbers of mines of each component say all about the
total. There are usually a few. Those of several components are the sums of one member of each set (sumset).

A bound on the number of mines of a component is a modulo totalizer (Ogawa, Liu, Hasegawa, Koshimura and Fujita 2013)
behind a selector, so one solver answers all questions about a component and keeps what it has learned. Of PySAT's
encodings it is the quickest on `positions_hard.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import accumulate

from satsweep.solver.components import Component
from satsweep.solver.sat_solver import encode, raising_interrupts, sat_solver

Placement = tuple[int, ...]
"""The number of mines of each group."""


class SumSolver(ExitStack):
    """Placements with a bounded number of mines. Use it as a context."""

    def __init__(self, component: Component, conflicts: int | None = None) -> None:
        super().__init__()
        self._encoded = encode(component)
        self._cells = [literal for unary in self._encoded.literals for literal in unary]
        self._top = self._encoded.top
        self._conflicts = conflicts
        self._bounds: dict[tuple[bool, int], int] = {}
        self._solver = self.enter_context(sat_solver(self._encoded.clauses))

    def placement(
        self, low: int = 0, high: int | None = None, other_than: Iterable[tuple[int, int]] = ()
    ) -> Placement | None:
        """A placement with ``low`` to ``high`` mines; None if there is none.

        At least one of the groups in ``other_than`` has another number of mines than the given one, which is none or
        all of its cells. Raises TimeoutError past the number of conflicts.
        """
        most = len(self._cells)
        if low > most or (high is not None and high < 0):
            return None
        assumed = [self._at_most(self._cells, high)] if high is not None and high < most else []
        assumed += [self._at_most([-literal for literal in self._cells], most - low)] if low > 0 else []
        unary = self._encoded.literals
        if differing := [-unary[group][-1] if end else unary[group][0] for group, end in other_than]:
            self._top += 1
            self._solver.add_clause([*differing, -self._top])
            self._solver.set_phases(differing)
            assumed.append(self._top)
        if self._conflicts is None:
            found = self._solver.solve(assumptions=assumed)
        else:
            self._solver.conf_budget(self._conflicts)
            found = self._solver.solve_limited(assumptions=assumed)
        if found is None:
            raise TimeoutError
        if not found:
            return None
        model = self._solver.get_model()
        return tuple(sum(model[literal - 1] > 0 for literal in literals) for literals in unary)

    def _at_most(self, counted: list[int], most: int) -> int:
        from pysat.card import CardEnc, EncType

        key = counted is self._cells, most
        if key not in self._bounds:
            self._top += 1
            selector = self._bounds[key] = self._top
            counter = CardEnc.atmost(counted, most, top_id=self._top, encoding=EncType.mtotalizer)
            self._top = max(self._top, counter.nv)
            for clause in counter.clauses:
                self._solver.add_clause([*clause, -selector])
        return self._bounds[key]


def placements_by_sum(component: Component) -> dict[int, Placement]:
    """One placement for each possible number of mines; none if the component has none.

    >>> from satsweep.solver.constraints import Constraint
    >>> component = Component((2, 1, 2), (Constraint((0, 1), (0, 1)), Constraint((1, 2), (0, 0, 1))))
    >>> sorted(placements_by_sum(component).items())
    [(2, (0, 1, 1)), (3, (1, 0, 2))]
    """
    with SumSolver(component) as solver, raising_interrupts():
        found = solver.placement()
        if found is None:
            return {}
        known = {sum(found): found}
        for step in (-1, 1):
            at = next(iter(known))
            while True:
                bounds = (0, at - 1) if step < 0 else (at + 1, None)
                found = solver.placement(*bounds)
                if found is None:
                    break
                # The next sums between this one and the last are asked for when all is known about the ends.
                at = sum(found)
                known[at] = found
        for mines in range(min(known), max(known)):
            if mines not in known and (found := solver.placement(mines, mines)):
                known[mines] = found
    return known


def set_bits(bits: int) -> Iterator[int]:
    """Yield the places of the ones of an integer, ascending.

    >>> list(set_bits(0b1101))
    [0, 2, 3]
    """
    while bits:
        bit = bits & -bits
        yield bit.bit_length() - 1
        bits ^= bit


def as_bits(sums: Iterable[int]) -> int:
    """A set of numbers of mines as bits.

    >>> bin(as_bits([0, 2]))
    '0b101'
    """
    return sum(1 << mines for mines in sums)


def sumset(some: int, others: int) -> int:
    """All sums of one member of each of two sets of numbers; all sets as bits.

    >>> bin(sumset(0b101, 0b11))
    '0b1111'
    """
    sums = 0
    for shift in range(others.bit_length()):
        if others >> shift & 1:
            sums |= some << shift
    return sums


def first_sums(parts: Sequence[Mapping[int, Placement]], low: int, high: int) -> list[int] | None:
    """A sum of each component, ``low`` to ``high`` together, least first, or None.

    >>> first_sums([{0: (), 1: ()}, {2: (), 5: ()}], 3, 4)
    [1, 2]
    """
    after = _sums_from(parts)
    chosen = []
    for number, part in enumerate(parts):
        mines = next((mines for mines in sorted(part) if after[number + 1] << mines & _window(low, high)), None)
        if mines is None:
            return None
        chosen.append(mines)
        low, high = low - mines, high - mines
    return chosen if low <= 0 <= high else None


def _sums_from(parts: Sequence[Mapping[int, Placement]]) -> list[int]:
    return list(accumulate(map(as_bits, reversed(parts)), sumset, initial=1))[::-1]


def _window(low: int, high: int) -> int:
    return (1 << high + 1) - (1 << max(low, 0)) if high >= max(low, 0) else 0


def fitting_sums(parts: Sequence[Mapping[int, Placement]], low: int, high: int) -> list[list[int]]:
    """The sums of each component that some sums of all others complete, ascending.

    >>> fitting_sums([{0: (), 1: ()}, {2: (), 5: ()}], 6, 9)
    [[1], [5]]
    """
    after = _sums_from(parts)
    before, found = 1, []
    for number, part in enumerate(parts):
        others = sumset(before, after[number + 1])
        found.append([mines for mines in sorted(part) if others << mines & _window(low, high)])
        before = sumset(before, as_bits(part))
    return found
