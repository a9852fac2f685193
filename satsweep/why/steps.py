"""Steps that a person can follow, from some statements to what they say about cells.

A *finding* is one such step: a single number that allows no mine more, or needs all cells it has; two numbers, of which
the greater needs so many mines more that they take all of its own cells; the mine total beside numbers. ``arguments``
adds the *case*, in which something is supposed. Every finding tells what was known that it rests on, so that what
turned out to be of no use can be left out at the end.

Two numbers with b and a mines left, of which the first has cells of its own that the second does not touch: these hold
at least b - a mines. If they are just as many, all of them are mines, the cells they share hold a, and what only the
second touches is safe. That is all that follows from two numbers which say nothing alone: it is the 1-1, the 1-2 and
every subset.

The total, or a number that touches all of their cells, is compared with numbers that share no cell: together they need
at least so many mines, and so many safe cells. The total is compared with numbers that overlap, too: together their
cells hold at most so many.

Statements have bounds: so many mines at least, and at most. Both are the number where clues are exact. Where they are
not, numbers have one bound that says something, all of a board the same one, and two of them say no more than each by
itself; but beside the total they do, which always has both. So b is what is needed at least, and a what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Literal, NamedTuple

from satsweep.board import MINE, Board, Cell
from satsweep.solver.constraints import support

MOST_CHOICES = 300
"""So many choices are looked at when numbers are chosen that share no cell."""

Kind = Literal["flag", "number", "pair", "group", "total", "case"]


class Says(NamedTuple):
    """Among these covered cells are so many mines, at least and at most.

    ``clue`` is the cell of the number, None for the mine total.
    """

    clue: Cell | None
    cells: frozenset[Cell]
    least: int
    most: int

    @property
    def exact(self) -> bool:
        """Whether it says just how many mines there are."""
        return self.least == self.most

    def left(self, known: Mapping[Cell, bool]) -> Left:
        """What it says about the cells that are not known."""
        seen = [cell for cell in self.cells if cell in known]
        mines = sum(known[cell] for cell in seen)
        return Left(self, self.cells.difference(seen), self.least - mines, self.most - mines)


class Left(NamedTuple):
    """What a statement says about its cells that are not known: how many of them are mines, at least and at most."""

    says: Says
    cells: frozenset[Cell]
    least: int
    most: int

    @property
    def matters(self) -> bool:
        """Whether it excludes anything."""
        return self.least > 0 or self.most < len(self.cells)

    def needs(self, mine: bool) -> int:
        """How many cells are mines at least, or safe."""
        return self.least if mine else len(self.cells) - self.most

    def allows(self, mine: bool) -> int:
        """How many cells are mines at most, or safe."""
        return self.most if mine else len(self.cells) - self.least


@dataclass(frozen=True, slots=True)
class Finding:
    """That all ``cells`` are mines, or all safe; no cells where something cannot be.

    It follows from the statements ``by`` and from what is known about the cells ``needs``. Of a pair the number with
    fewer mines comes first; of a group or a count, the statement that the others are compared with. A case has the
    findings that refute its opposite.
    """

    kind: Kind
    by: tuple[Says, ...]
    cells: tuple[Cell, ...] = ()
    mine: bool = False
    needs: frozenset[Cell] = frozenset()
    inner: tuple[Finding, ...] = ()

    @property
    def size(self) -> int:
        """How many findings it takes, its own inner ones included."""
        return 1 + sum(finding.size for finding in self.inner)

    @property
    def sources(self) -> set[Says]:
        """All statements that it follows from."""
        return {*self.by}.union(*(finding.sources for finding in self.inner))


def said_by(board: Board, clues: Iterable[Cell], *, total: bool = False) -> list[Says]:
    """What numbers say, revealed mines taken off, and the total if asked, the last of all; flags say nothing here."""
    said = []
    for clue in clues:
        number = board.number(clue)
        if number is not None:
            around = board.neighbours(clue)
            covered = frozenset(cell for cell in around if board.is_covered(cell))
            least, most = support(board.clues.likelihood(number, len(around)))
            revealed = sum(board[cell] == MINE for cell in around)
            said.append(Says(clue, covered, least - revealed, most - revealed))
    if total:
        assert board.mines is not None
        left = board.mines - sum(row.count(MINE) for row in board.cells)
        said.append(Says(None, frozenset(board.covered), left, left))
    return said


def useful(found: Sequence[Finding], wanted: Iterable[Cell]) -> tuple[tuple[Finding, ...], frozenset[Cell]]:
    """The findings that it takes to know some cells, and what else has to be known for them."""
    left = set(wanted)
    kept = []
    for finding in reversed(found):
        cells = tuple(cell for cell in finding.cells if cell in left)
        if cells:
            kept.append(replace(finding, cells=cells))
            left -= set(cells)
            left |= finding.needs
    return tuple(reversed(kept)), frozenset(left)


@dataclass(slots=True)
class Trail:
    """What is known so far, and how it was found."""

    said: list[Says]
    known: dict[Cell, bool] = field(default_factory=dict)
    found: list[Finding] = field(default_factory=list)

    def take(self, finding: Finding) -> None:
        """Note what is new in a finding."""
        cells = tuple(cell for cell in finding.cells if cell not in self.known)
        if cells:
            self.known.update(dict.fromkeys(cells, finding.mine))
            self.found.append(replace(finding, cells=cells))

    def work(self, goal: Cell | None = None) -> Finding | None:
        """Find until nothing follows any more, or the goal is known; what cannot be is returned."""
        while goal is None or goal not in self.known:
            found = list(self.by_one()) or self.by_two(goal) or self.by_group() or self.by_total()
            if not found:
                return None
            for finding in found:
                if not finding.cells:
                    return finding
            for finding in found:
                self.take(finding)
        return None

    def those(self, cells: Iterable[Cell], mine: bool) -> frozenset[Cell]:
        """The cells that are known to be mines, or known to be safe."""
        return frozenset(cell for cell in cells if self.known.get(cell) is mine)

    def by_one(self) -> Iterator[Finding]:
        """Statements whose cells left are all safe, or all mines; or that cannot be met."""
        for says in self.said:
            _, cells, least, most = says.left(self.known)
            kind: Kind = "number" if says.clue is not None else "total"
            if most < 0 or least > len(cells):
                yield Finding(kind, (says,), needs=self.those(says.cells, most < 0))
                return
            if cells and (most == 0 or least == len(cells)):
                # That a mine is there is of no matter to who needs all the cells that are not safe, and vice versa.
                yield Finding(kind, (says,), tuple(sorted(cells)), most > 0, self.those(says.cells, most == 0))

    def by_two(self, goal: Cell | None = None) -> list[Finding]:
        """The first two numbers that say something together, if possible about the goal."""
        found: Finding | None = None
        for (less, its, _, a), (more, their, b, _) in permutations(self._active(self.said), 2):
            if its.isdisjoint(their) or b < a or b - a != len(their - its):
                continue
            own, spared = their - its, its - their
            if not own and not spared:
                continue
            needs = self.those(more.cells - less.cells, False) | self.those(less.cells - more.cells, True)
            kind: Kind = "total" if None in (less.clue, more.clue) else "pair"
            for cells, mine in ((own, True), (spared, False)):
                if cells and (found is None or goal in cells):
                    found = Finding(kind, (less, more), tuple(sorted(cells)), mine, needs)
                    if goal is None or goal in cells:
                        return [found]
        return [] if found is None else [found]

    def by_group(self) -> list[Finding]:
        """What follows from a number and several that share no cell, all of whose cells belong to the first."""
        active = self._active(says for says in self.said if says.clue is not None)
        for outer in active:
            inner = [one for one in active if one is not outer and one.cells <= outer.cells]
            if len(inner) > 1:
                for mine in (True, False):
                    found = self._apart(outer, inner, mine=mine)
                    if found is not None and len(found.by) > 2:
                        return [replace(found, kind="group")]
        return []

    def by_total(self) -> list[Finding]:
        """What follows from the total and several numbers together."""
        if not self.said or self.said[-1].clue is not None:
            return []
        total = self.said[-1].left(self.known)
        numbers = self._active(self.said[:-1])
        for mine in (True, False):
            found = self._apart(total, numbers, mine=mine)
            if found is not None:
                return [found]
            covering = covers(numbers, mine)
            rest = total.cells.difference(*(one.cells for one in covering))
            missing = total.needs(mine) - sum(one.allows(mine) for one in covering) - len(rest)
            if covering and (missing > 0 or (missing == 0 and rest)):
                return [self._beside(total.says, covering, rest if missing == 0 else frozenset(), mine=mine)]
        return []

    def _active(self, said: Iterable[Says]) -> list[Left]:
        """What statements say about cells that are not known, where there are any."""
        return [left for says in said if (left := says.left(self.known)).cells]

    def _apart(self, outer: Left, inner: Sequence[Left], *, mine: bool) -> Finding | None:
        """That numbers which share no cell need all mines (or all safe cells) that the outer one allows, or more."""
        apart = disjoint(inner, mine)
        rest = outer.cells.difference(*(one.cells for one in apart))
        spare = outer.allows(mine) - sum(one.needs(mine) for one in apart)
        if not apart or spare > 0 or (spare == 0 and not rest):
            return None
        return self._beside(outer.says, apart, rest if spare == 0 else frozenset(), mine=not mine)

    def _beside(self, outer: Says, inner: Sequence[Left], cells: frozenset[Cell], *, mine: bool) -> Finding:
        """What is known of a cell that the outer statement and one inner one speak about is taken off both: no matter.

        Nor does it matter where only the outer one speaks about a cell that is as what is found.
        """
        by = tuple(one.says for one in inner)
        needs = set()
        for cell, is_mine in self.known.items():
            speakers = sum(cell in says.cells for says in by)
            if cell in outer.cells:
                if speakers > 1 or (not speakers and is_mine is not mine):
                    needs.add(cell)
            elif speakers:
                needs.add(cell)
        return Finding("total", (outer, *by), tuple(sorted(cells)), mine, frozenset(needs))


def disjoint(numbers: Sequence[Left], mine: bool) -> list[Left]:
    """Numbers that share no cell and together need most mines, or safe cells; the best of so many choices."""
    needed = [(one.needs(mine), one) for one in numbers]
    order = sorted((one for one in needed if one[0] > 0), key=lambda one: (-one[0], len(one[1].cells)))
    best: list[Left] = []
    most = choices = 0

    def choose(start: int, chosen: list[Left], taken: frozenset[Cell], held: int) -> None:
        nonlocal best, most, choices
        choices += 1
        if held > most:
            best, most = chosen, held
        for at in range(start, len(order)):
            if choices > MOST_CHOICES:
                return
            needs, one = order[at]
            if one.cells.isdisjoint(taken):
                choose(at + 1, [*chosen, one], taken | one.cells, held + needs)

    choose(0, [], frozenset(), 0)
    return best


def covers(numbers: Sequence[Left], mine: bool) -> list[Left]:
    """Numbers that together allow fewest in the cells they cover, chosen greedily by what they add."""
    chosen: list[Left] = []
    covered: frozenset[Cell] = frozenset()
    while True:
        gains = [(len(one.cells - covered) - one.allows(mine), -at) for at, one in enumerate(numbers)]
        gain, at = max(gains, default=(0, 0))
        if gain <= 0:
            return chosen
        chosen.append(numbers[-at])
        covered |= numbers[-at].cells
