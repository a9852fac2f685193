"""Conclusions about cells in steps that a person can follow.

A *conclusion* is one such step: a single number that allows no more mines, or needs all cells it has; two numbers, of
which the greater needs enough more mines to fill all its own cells; the mine total beside numbers.
``sentences`` adds the *case*, which supposes something. Every conclusion names its premises and the assigned cells that
it rests on, so that conclusions that turn out to be useless can be left out at the end.

**Two numbers.** Let two numbers have a and b mines left, and let the second have cells of its own that the first does
not touch. These cells hold at least b - a mines. If there are exactly b - a of them, all are mines, the shared cells
hold a, and the cells that only the first touches are safe. Nothing else follows from two numbers that give nothing
alone: this rule is the 1-1, the 1-2 and every subset.

**Several numbers.** The total, or a number that touches all of their cells, is compared with numbers that share no
cell: together they need a minimum of mines, and of safe cells. The total is also compared with numbers that overlap:
together their cells hold a maximum of mines.

**Bounds.** Every clue is a lower and an upper bound on the mines of its cells. Both are the number where clues are
exact. Where they are not, each number has one bound that excludes something, the same one on the whole board, and two
numbers give no more together than each alone; but beside the total, which always has both bounds, they do. In the rule
above, b is therefore a lower bound and a an upper one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import permutations
from typing import Literal, NamedTuple

from satsweep.board import MINE, Board, Cell
from satsweep.solver.constraints import support
from satsweep.techniques import Technique

MOST_CHOICES = 300
"""Limit on the nodes of the search for numbers that share no cell."""

Kind = Literal["flag", "number", "pair", "group", "total", "case"]
TECHNIQUE_OF_KIND: dict[Kind, Technique] = {
    "flag": Technique.SINGLE,
    "number": Technique.SINGLE,
    "pair": Technique.PAIR,
    "group": Technique.SEARCH,
    "total": Technique.TOTAL,
    "case": Technique.SEARCH,
}


class ClueBounds(NamedTuple):
    """Bounds on the mines among the covered cells of a clue, None for the mine total."""

    clue: Cell | None
    cells: frozenset[Cell]
    least: int
    most: int

    @property
    def exact(self) -> bool:
        return self.least == self.most

    def remaining(self, assignment: Mapping[Cell, bool]) -> RemainingBounds:
        assigned = [cell for cell in self.cells if cell in assignment]
        mines = sum(assignment[cell] for cell in assigned)
        return RemainingBounds(self, self.cells.difference(assigned), self.least - mines, self.most - mines)


class RemainingBounds(NamedTuple):
    bounds: ClueBounds
    cells: frozenset[Cell]
    least: int
    most: int

    @property
    def excludes_something(self) -> bool:
        return self.least > 0 or self.most < len(self.cells)

    def at_least(self, mine: bool) -> int:
        return self.least if mine else len(self.cells) - self.most

    def at_most(self, mine: bool) -> int:
        return self.most if mine else len(self.cells) - self.least


@dataclass(frozen=True, slots=True)
class Conclusion:
    """All ``cells`` are mines, or all are safe; without cells it is a contradiction.

    It follows from the ``premises`` and from the assignment of the cells ``needs``. Of a pair the number with fewer
    mines is the first premise; of a group or a mine count, the clue that the others are compared with. The
    ``refutation`` of a case consists of the conclusions that refute its opposite.
    """

    kind: Kind
    premises: tuple[ClueBounds, ...]
    cells: tuple[Cell, ...] = ()
    mine: bool = False
    needs: frozenset[Cell] = frozenset()
    refutation: tuple[Conclusion, ...] = ()

    @property
    def size(self) -> int:
        return 1 + sum(conclusion.size for conclusion in self.refutation)

    @property
    def all_premises(self) -> set[ClueBounds]:
        return {*self.premises}.union(*(conclusion.all_premises for conclusion in self.refutation))


def clue_bounds(board: Board, clues: Iterable[Cell], *, total: bool = False) -> list[ClueBounds]:
    """Bounds of numbers less revealed mines, then of the total. Flags have no bounds."""
    found = []
    for clue in clues:
        number = board.number(clue)
        if number is not None:
            around = board.neighbours(clue)
            covered = frozenset(cell for cell in around if board.is_covered(cell))
            least, most = support(board.clues.likelihood(number, len(around)))
            revealed = sum(board[cell] == MINE for cell in around)
            found.append(ClueBounds(clue, covered, least - revealed, most - revealed))
    if total:
        assert board.mines is not None
        left = board.mines - board.symbols.count(MINE)
        # The mines of a larger board need not be in its part.
        found.append(ClueBounds(None, frozenset((*board.covered, *board.unseen)), 0 if board.part else left, left))
    return found


def needed_for(
    cells: Iterable[Cell], conclusions: Sequence[Conclusion]
) -> tuple[tuple[Conclusion, ...], frozenset[Cell]]:
    """The conclusions that some cells rest on, and the cells these rest on."""
    wanted = set(cells)
    kept = []
    for conclusion in reversed(conclusions):
        used = tuple(cell for cell in conclusion.cells if cell in wanted)
        if used:
            kept.append(replace(conclusion, cells=used))
            wanted -= set(used)
            wanted |= conclusion.needs
    return tuple(reversed(kept)), frozenset(wanted)


@dataclass(slots=True)
class Derivation:
    """A partial assignment, True for a mine, and the conclusions that led to it."""

    bounds: list[ClueBounds]
    assignment: dict[Cell, bool] = field(default_factory=dict)
    conclusions: list[Conclusion] = field(default_factory=list)

    def add(self, conclusion: Conclusion) -> None:
        cells = tuple(cell for cell in conclusion.cells if cell not in self.assignment)
        if cells:
            self.assignment.update(dict.fromkeys(cells, conclusion.mine))
            self.conclusions.append(replace(conclusion, cells=cells))

    def run(self, goal: Cell | None = None, hardest: Technique = Technique.TOTAL) -> Conclusion | None:
        """Add conclusions until one assigns the goal; return a contradiction if found."""
        rules: list[Callable[[], Iterable[Conclusion]]]
        rules = [self.from_one, partial(self.from_two, goal), self.from_group, self.from_total]
        rules = rules[: {Technique.SINGLE: 1, Technique.PAIR: 2}.get(hardest)]
        while goal is None or goal not in self.assignment:
            found = next(filter(None, (list(rule()) for rule in rules)), None)
            if found is None:
                return None
            for conclusion in found:
                if not conclusion.cells:
                    return conclusion
            for conclusion in found:
                self.add(conclusion)
        return None

    def assigned(self, cells: Iterable[Cell], mine: bool) -> frozenset[Cell]:
        return frozenset(cell for cell in cells if self.assignment.get(cell) is mine)

    def from_one(self) -> Iterator[Conclusion]:
        for bounds in self.bounds:
            _, cells, least, most = bounds.remaining(self.assignment)
            kind: Kind = "number" if bounds.clue is not None else "total"
            if most < 0 or least > len(cells):
                yield Conclusion(kind, (bounds,), needs=self.assigned(bounds.cells, most < 0))
                return
            if cells and (most == 0 or least == len(cells)):
                # A clue that needs all cells that are not safe rests on the safe ones only; one with all its mines, on
                # the mines only.
                yield Conclusion(
                    kind, (bounds,), tuple(sorted(cells)), most > 0, self.assigned(bounds.cells, most == 0)
                )

    def from_two(self, goal: Cell | None = None) -> list[Conclusion]:
        """The first conclusion from two clues, about the goal if possible."""
        found: Conclusion | None = None
        for (less, less_cells, _, a), (more, more_cells, b, _) in permutations(self._unsettled(self.bounds), 2):
            if less_cells.isdisjoint(more_cells) or b < a or b - a != len(more_cells - less_cells):
                continue
            only_more, only_less = more_cells - less_cells, less_cells - more_cells
            if not only_more and not only_less:
                continue
            needs = self.assigned(more.cells - less.cells, False) | self.assigned(less.cells - more.cells, True)
            kind: Kind = "total" if None in (less.clue, more.clue) else "pair"
            for cells, mine in ((only_more, True), (only_less, False)):
                if cells and (found is None or goal in cells):
                    found = Conclusion(kind, (less, more), tuple(sorted(cells)), mine, needs)
                    if goal is None or goal in cells:
                        return [found]
        return [] if found is None else [found]

    def from_group(self) -> list[Conclusion]:
        unsettled = self._unsettled(bounds for bounds in self.bounds if bounds.clue is not None)
        for outer in unsettled:
            inner = [other for other in unsettled if other is not outer and other.cells <= outer.cells]
            if len(inner) > 1:
                for mine in (True, False):
                    found = self._from_packing(outer, inner, mine=mine)
                    if found is not None and len(found.premises) > 2:
                        return [replace(found, kind="group")]
        return []

    def from_total(self) -> list[Conclusion]:
        if not self.bounds or self.bounds[-1].clue is not None:
            return []
        total = self.bounds[-1].remaining(self.assignment)
        numbers = self._unsettled(self.bounds[:-1])
        for mine in (True, False):
            found = self._from_packing(total, numbers, mine=mine)
            if found is not None:
                return [found]
            covering = cover(numbers, mine)
            rest = total.cells.difference(*(number.cells for number in covering))
            missing = total.at_least(mine) - sum(number.at_most(mine) for number in covering) - len(rest)
            if covering and (missing > 0 or (missing == 0 and rest)):
                cells = rest if missing == 0 else frozenset[Cell]()
                return [self._compared(total.bounds, covering, cells, mine=mine)]
        return []

    def _unsettled(self, bounds: Iterable[ClueBounds]) -> list[RemainingBounds]:
        return [remaining for clue in bounds if (remaining := clue.remaining(self.assignment)).cells]

    def _from_packing(
        self, outer: RemainingBounds, inner: Sequence[RemainingBounds], *, mine: bool
    ) -> Conclusion | None:
        """Return a conclusion if disjoint numbers need all mines that a clue allows.

        Without ``mine`` the same for safe cells. More than all is a contradiction.
        """
        packed = packing(inner, mine)
        rest = outer.cells.difference(*(number.cells for number in packed))
        spare = outer.at_most(mine) - sum(number.at_least(mine) for number in packed)
        if not packed or spare > 0 or (spare == 0 and not rest):
            return None
        return self._compared(outer.bounds, packed, rest if spare == 0 else frozenset(), mine=not mine)

    def _compared(
        self, outer: ClueBounds, inner: Sequence[RemainingBounds], cells: frozenset[Cell], *, mine: bool
    ) -> Conclusion:
        """Return a conclusion from an outer clue and inner ones, with its needs.

        An assigned cell of the outer clue and of one inner clue changes both sides alike, so it is not needed. An
        assigned cell of the outer clue alone is not needed either, if it has the value that the conclusion finds.
        """
        compared = tuple(number.bounds for number in inner)
        needs = set()
        for cell, is_mine in self.assignment.items():
            touching = sum(cell in bounds.cells for bounds in compared)
            if cell in outer.cells:
                if touching > 1 or (not touching and is_mine is not mine):
                    needs.add(cell)
            elif touching:
                needs.add(cell)
        return Conclusion("total", (outer, *compared), tuple(sorted(cells)), mine, frozenset(needs))


def packing(numbers: Sequence[RemainingBounds], mine: bool) -> list[RemainingBounds]:
    """Return numbers that share no cell and need most mines (or safe cells).

    This is weighted set packing by exhaustive search, which returns the best of the first ``MOST_CHOICES`` choices.
    """
    needed = [(number.at_least(mine), number) for number in numbers]
    ordered = sorted((one for one in needed if one[0] > 0), key=lambda one: (-one[0], len(one[1].cells)))
    best: list[RemainingBounds] = []
    most = choices = 0

    def choose(start: int, chosen: list[RemainingBounds], taken: frozenset[Cell], total: int) -> None:
        nonlocal best, most, choices
        choices += 1
        if total > most:
            best, most = chosen, total
        for at in range(start, len(ordered)):
            if choices > MOST_CHOICES:
                return
            least, number = ordered[at]
            if number.cells.isdisjoint(taken):
                choose(at + 1, [*chosen, number], taken | number.cells, total + least)

    choose(0, [], frozenset(), 0)
    return best


def cover(numbers: Sequence[RemainingBounds], mine: bool) -> list[RemainingBounds]:
    """Numbers that allow few mines (or safe cells) in a greedy cover."""
    chosen: list[RemainingBounds] = []
    covered: frozenset[Cell] = frozenset()
    while True:
        gains = [(len(number.cells - covered) - number.at_most(mine), -at) for at, number in enumerate(numbers)]
        gain, at = max(gains, default=(0, 0))
        if gain <= 0:
            return chosen
        chosen.append(numbers[-at])
        covered |= numbers[-at].cells
