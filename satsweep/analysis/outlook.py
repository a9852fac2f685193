"""The outlook of a move: the numbers it may show, and the safe cells that follow.

Tu, Li, Chen, Chen and Yu (2017) break ties between cells of least risk by the chance that a safe cell follows, and then
by the expected number of safe cells; that is worth five points of win rate on expert boards. Both are exact here, mine
total included, and cost no analysis of a board for each number:

Let c be the cell that is opened, in a world where it is safe. The number it shows counts the mines among the covered
cells around it, so groups are split in the cells *inside* its neighbourhood and those outside. For each component we
tabulate, by the mines v inside and the mines m in all, the ways to fill it, and the cells that are a mine in any of
them; a component that the neighbourhood does not touch has v = 0 and gives that straight from its counts. Tables of two
components add up in v and m, multiply in ways and unite in the cells that can be a mine, and so does that of the sea.
Where m is the mine total, the table tells for each v the cells that can still be a mine; all others are safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import comb, prod
from typing import NamedTuple

from satsweep.analysis.analysis import Analysis
from satsweep.board import MINE
from satsweep.clues import EXACT, Clues
from satsweep.solver.budget import UNLIMITED
from satsweep.solver.components import Component, Counts
from satsweep.solver.constraints import Constraint, exactly
from satsweep.solver.engines import Engine, engine_named
from satsweep.solver.engines.auto import placements
from satsweep.solver.probability import Binomials, CountedFrontier

FEW = 200
"""Placements up to which a component is listed.

One with more is counted once for each number.
"""

SplitTable = dict[tuple[int, int], tuple[int, int]]
"""Ways and possible mines of some cells, by mines inside and mines in all.

The possible mines are bits, one for each class of cells that holds a mine in one of the ways.
"""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The consequences of opening a cell, where it is safe.

    ``numbers[n]`` has the weight of the worlds in which the cell shows n (None: nothing), and the number of covered
    cells that would be safe then, all in weights of the same worlds.
    """

    numbers: dict[int | None, tuple[int, int]]

    @property
    def worlds(self) -> int:
        return sum(weight for weight, _ in self.numbers.values())

    @property
    def progress(self) -> int:
        return sum(weight for weight, safe in self.numbers.values() if safe)

    @property
    def expected_safe(self) -> int:
        return sum(weight * safe for weight, safe in self.numbers.values())


class Place(NamedTuple):
    """The neighbourhood of a cell among groups and sea, all that an outlook needs.

    ``home`` is the group of the cell (None in the sea), ``touched`` has the number of touched cells of each group,
    ``sea`` the number of touched cells of the sea, ``certain`` of certain mines, and ``around`` of all neighbours.
    """

    home: int | None
    touched: tuple[tuple[int, int], ...]
    sea: int
    certain: int
    around: int


class Placement(NamedTuple):
    counts: tuple[int, ...]
    mines: int
    weight: int


class Outlooks:
    """Outlooks in one counted position in which no cell is known to be safe.

    ``mines`` are the cells that are certain to be mines. ``listings`` keeps the placements of components for other
    positions; None stands for a component with many. ``clues`` is the model of the numbers, and ``scale`` the weight of
    probability one in the cell with most neighbours.
    """

    def __init__(
        self,
        counted: CountedFrontier,
        mines: Iterable[int],
        engine: Engine,
        listings: dict[Component, list[Placement] | None],
        clues: Clues = EXACT,
        scale: int = 1,
    ) -> None:
        assert counted.complete
        self.counted, self.engine, self.listings = counted, engine, listings
        self.clues, self.scale = clues, scale
        self.mines = frozenset(mines)
        self.sea = frozenset(counted.frontier.sea)
        self.group_of = {cell: group for group, cells in enumerate(counted.frontier.groups) for cell in cells}
        self.place_of = {group: (part, at) for part, p in enumerate(counted.parts) for at, group in enumerate(p.groups)}
        # Each group has two bits, for its cells outside of the neighbourhood and inside; the sea has the last two.
        sizes = counted.frontier.sizes
        self.bit = {group: 2 * bit for bit, group in enumerate(self.place_of)}
        self.first = [self.bit[part.groups[0]] for part in counted.parts]
        self.sea_bit = 2 * len(self.bit)
        self.class_sizes = {bit: sizes[group] for group, bit in self.bit.items()}
        self.binomials = cache(Binomials)
        self.untouched = cache(self._untouched)
        self.beside = cache(self._beside)
        self.outlook = cache(self._outlook)

    @classmethod
    def of(cls, analysis: Analysis, listings: dict[Component, list[Placement] | None] | None = None) -> Outlooks:
        """The outlooks in an analysed position; numbers count its open mines, too."""
        board, solution = analysis.board, analysis.solution
        mines = [*solution.mines, *(index for index, symbol in enumerate(board.symbols) if symbol == MINE)]
        scale = board.clues.scale(board.topology.most)
        known = {} if listings is None else listings
        return cls(analysis.counted, mines, engine_named(analysis.engine), known, board.clues, scale)

    def of_cell(self, cell: int, neighbours: Sequence[int]) -> Outlook:
        return self.outlook(self.place(cell, neighbours))

    def place(self, cell: int, neighbours: Sequence[int]) -> Place:
        touched: dict[int, int] = {}
        sea = certain = 0
        for other in neighbours:
            if other in self.sea:
                sea += 1
            elif (group := self.group_of.get(other)) is not None:
                touched[group] = touched.get(group, 0) + 1
            elif other in self.mines:
                certain += 1
        return Place(self.group_of.get(cell), tuple(sorted(touched.items())), sea, certain, len(neighbours))

    def _outlook(self, place: Place) -> Outlook:
        inside: dict[int, dict[int, int]] = {}
        for group, cells in place.touched:
            part, at = self.place_of[group]
            inside.setdefault(part, {})[at] = cells
        home = None if place.home is None else self.place_of[place.home]
        if home is not None:
            inside.setdefault(home[0], {})
        joined = self._sea_inside(place.sea)
        for part, cells_of in inside.items():
            taken = home[1] if home is not None and home[0] == part else None
            joined = join(joined, self._touched(part, taken, tuple(cells_of.items())))
        outside = len(self.sea) - place.sea - (place.home is None)
        left = frozenset(range(len(self.counted.parts))).difference(inside)
        found: dict[int, tuple[int, int]] = {}
        for (inner, mines), (ways, mined) in joined.items():
            worth, possible = self.beside(left, outside, mines)
            if worth:
                before, union = found.get(inner, (0, 0))
                found[inner] = before + ways * worth, union | mined | possible
        sizes = self._class_sizes(place, outside)
        everything = sum(1 << bit for bit in sizes)
        numbers: dict[int | None, tuple[int, int]] = {}
        for shown, (weight, mined) in self._seen(place, found).items():
            safe = everything & ~mined
            count = sum(size for bit, size in sizes.items() if safe >> bit & 1) if safe else 0
            numbers[shown] = weight, count
        return Outlook(numbers)

    def _seen(self, place: Place, found: dict[int, tuple[int, int]]) -> dict[int | None, tuple[int, int]]:
        """Regroup by the number shown what was found by the uncertain mines around."""
        if self.clues.is_exact:
            return {mines + place.certain: found[mines] for mines in sorted(found)}
        factor = self.scale // self.clues.scale(place.around)
        seen: dict[int | None, tuple[int, int]] = {}
        for mines, (weight, mined) in sorted(found.items()):
            for shown, chance in self.clues.shown(mines + place.certain, place.around):
                before, union = seen.get(shown, (0, 0))
                seen[shown] = before + weight * chance * factor, union | mined
        return seen

    def _class_sizes(self, place: Place, outside: int) -> dict[int, int]:
        """The number of cells of each class, by its bit; empty classes are left out."""
        sizes = {**self.class_sizes, self.sea_bit: outside, self.sea_bit + 1: place.sea}
        for group, cells in place.touched:
            sizes[self.bit[group]] -= cells
            sizes[self.bit[group] + 1] = cells
        if place.home is not None:
            sizes[self.bit[place.home]] -= 1
        return {bit: size for bit, size in sizes.items() if size}

    def _weight(self, mines: int, cells: int) -> int:
        if self.counted.mines_left is not None:
            return 1
        mine, safe = self.counted.prior.scales
        weight: int = mine**mines * safe ** (cells - mines)
        return weight

    def _sea_inside(self, cells: int) -> SplitTable:
        bit = 1 << self.sea_bit + 1
        return {
            (mines, mines): (comb(cells, mines) * self._weight(mines, cells), bit if mines else 0)
            for mines in range(cells + 1)
        }

    def _beside(self, parts: frozenset[int], sea: int, mines: int) -> tuple[int, int]:
        """The weight of all that the neighbourhood does not touch, and its possible mines."""
        if self.counted.mines_left is None:
            return self._independent(parts, sea)
        worth = possible = 0
        for (_, held), (ways, mined) in self.untouched(parts).items():
            rest = self.counted.mines_left - mines - held
            if 0 <= rest <= sea:
                worth += ways * self.binomials(sea)[rest]
                possible |= mined | (1 << self.sea_bit if rest else 0)
        return worth, possible

    def _independent(self, parts: frozenset[int], sea: int) -> tuple[int, int]:
        """The same without a mine total: nothing ties those cells, and all can be mines."""
        mine, safe = self.counted.prior.scales
        worth, possible = (mine + safe) ** sea, 1 << self.sea_bit
        for part in parts:
            counts = self.counted.counts[part]
            assert counts is not None
            cells = sum(self.counted.parts[part].component.sizes)
            worth *= sum(self.counted.prior.weighted(counts.total, cells))
            possible |= sum(1 << self.bit[group] for group in self.counted.parts[part].groups)
        return worth, possible

    def _untouched(self, parts: frozenset[int]) -> SplitTable:
        """The table of components beside the neighbourhood, straight from their counts."""
        joined: SplitTable = {(0, 0): (1, 0)}
        for part in sorted(parts):
            counts = self.counted.counts[part]
            assert counts is not None
            joined = join(joined, _counted(counts, self.first[part]))
        return joined

    def _touched(self, part: int, home: int | None, inside: tuple[tuple[int, int], ...]) -> SplitTable:
        """The table of a component with cells that are opened or in the neighbourhood."""
        component = self.counted.parts[part].component
        if component not in self.listings:
            few = list(islice(placements(component), FEW + 1))
            self.listings[component] = [_listed(component, found) for found in few] if len(few) <= FEW else None
        known = self.listings[component]
        split = SplitComponent(component, home, dict(inside), self.first[part])
        table = split.listed(known) if known is not None else split.counted(self.engine)
        if self.counted.mines_left is not None:
            return table
        cells = sum(split.sizes)
        return {key: (ways * self._weight(key[1], cells), mined) for key, (ways, mined) in table.items()}


class SplitComponent(NamedTuple):
    """A component split by the neighbourhood of an opened cell.

    ``home`` is the group of the cell, ``inside`` has the touched cells of each group, ``first`` is the first bit.
    """

    component: Component
    home: int | None
    inside: dict[int, int]
    first: int

    @property
    def sizes(self) -> list[int]:
        return [size - (group == self.home) for group, size in enumerate(self.component.sizes)]

    def listed(self, placements: Sequence[Placement]) -> SplitTable:
        table: SplitTable = {}
        sizes = self.sizes
        for placement in placements:
            ways, mined = placement.weight, 0
            for group, mines in enumerate(placement.counts):
                if mines and group not in self.inside:
                    ways *= comb(sizes[group], mines)
                    mined |= 1 << self.first + 2 * group
            split = [(0, ways, mined)] if ways else []
            for group, cells in self.inside.items():
                mines, outside = placement.counts[group], sizes[group] - cells
                out, within = 1 << self.first + 2 * group, 2 << self.first + 2 * group
                split = [
                    (
                        shown + taken,
                        ways * comb(cells, taken) * comb(outside, mines - taken),
                        mined | (within if taken else 0) | (out if mines > taken else 0),
                    )
                    for taken in range(max(0, mines - outside), min(cells, mines) + 1)
                    for shown, ways, mined in split
                ]
            for shown, ways, mined in split:
                before, union = table.get((shown, placement.mines), (0, 0))
                table[shown, placement.mines] = before + ways, union | mined
        return table

    def counted(self, engine: Engine) -> SplitTable:
        """The table from counts of the split component, one for each number inside."""
        sizes: list[int] = []
        bits: list[int] = []
        halves: list[list[int]] = []
        for group, size in enumerate(self.sizes):
            cells = self.inside.get(group, 0)
            halves.append([])
            for bit, half in enumerate((size - cells, cells)):
                if half:
                    halves[-1].append(len(sizes))
                    sizes.append(half)
                    bits.append(self.first + 2 * group + bit)
        factor, constraints = 1, []
        for constraint in self.component.constraints:
            scope = tuple(half for group in constraint.groups for half in halves[group])
            if scope:
                constraints.append(Constraint(scope, constraint.likelihood))
            else:
                factor *= constraint.likelihood[0] if constraint.likelihood else 0
        within = tuple(number for number, bit in enumerate(bits) if bit - self.first & 1)
        table: SplitTable = {}
        for shown in range(sum(self.inside.values()) + 1):
            asked = [Constraint(within, exactly(shown))] if within else []
            counts = engine(Component(tuple(sizes), (*constraints, *asked)), UNLIMITED)
            for mines, ways in enumerate(counts.total):
                if ways * factor:
                    mined = sum(1 << bit for bit, row in zip(bits, counts.mined, strict=True) if row[mines])
                    table[shown, mines] = ways * factor, mined
        return table


def join(left: SplitTable, right: SplitTable) -> SplitTable:
    joined: SplitTable = {}
    for (shown, mines), (ways, mined) in left.items():
        for (more_shown, more_mines), (more_ways, more_mined) in right.items():
            key = shown + more_shown, mines + more_mines
            before, union = joined.get(key, (0, 0))
            joined[key] = before + ways * more_ways, union | mined | more_mined
    return joined


def _counted(counts: Counts, first: int) -> SplitTable:
    return {
        (0, mines): (ways, sum(1 << first + 2 * group for group, row in enumerate(counts.mined) if row[mines]))
        for mines, ways in enumerate(counts.total)
        if ways
    }


def _listed(component: Component, counts: tuple[int, ...]) -> Placement:
    likelihoods = (
        constraint.likelihood[sum(counts[group] for group in constraint.groups)] for constraint in component.constraints
    )
    return Placement(counts, sum(counts), prod(likelihoods))
