"""Best play, exactly, where few worlds are left.

A position is a set of worlds: open cells are safe and show the same number in every world that is left, so it does
not matter to what can still be won which cells are open. Write V(S) for the most worlds of S that one way to play
wins.

* V(S) is 1 where S has one world.
* A cell that is safe in all of S is opened at once, and V(S) is the sum of V over the parts in which it shows the same
  number.
* Otherwise V(S) is the maximum of V(S_c) over the cells c, S_c being the worlds of S in which c is safe. V(T) <= V(S)
  for T within S, so only the largest sets S_c are tried.

The search is branch and bound with a transposition table. The bound: two worlds *clash* if no cell that is safe in
both shows different numbers. A player who never guesses again wins at most one of two worlds that clash, so the
number of classes of worlds that clash with each other, any that cover S, is the most that can be won.

All worlds have the same number of mines, so no world is a part of another one. The search is that of the compiled
kernels (``satsweep.kernels.endgame``) on integers as bit sets, good for about a thousand worlds.

A world is the set of its mines, as the bits of an integer. Every component is filled in all ways, by its number of
mines; fillings of components and the cells of the sea then make up the mine total together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations, islice, product
from operator import and_
from typing import NamedTuple

from satsweep.analysis.analysis import Analysis
from satsweep.board import MINE, Cell
from satsweep.solver.constraints import covered_cells
from satsweep.solver.engines.auto import placements

PLACEMENTS = 20
"""Most placements of a component that are listed, for each world allowed."""
Fillings = dict[int, list[int]]
"""Ways to fill some cells, by the number of mines."""


def list_worlds(analysis: Analysis, most: int) -> tuple[int, ...] | None:
    """All worlds of a counted whole board with a mine total and true numbers.

    None for any other board, and where there are more than ``most`` worlds, or too many placements to look through.

    >>> from satsweep.board import Board
    >>> from satsweep.analysis.analyse import analyse
    >>> [bin(world) for world in list_worlds(analyse(Board(("1#1", "##1"), mines=1)), 10)]
    ['0b10', '0b10000']
    """
    board = analysis.board
    if not (analysis.is_counted and board.clues.is_exact) or board.mines is None or board.part:
        return None
    if (analysis.worlds or 0) > most:
        return None
    counted = analysis.counted
    left = counted.mines_left
    assert left is not None
    parts: list[Fillings] = []
    for part in counted.parts:
        groups = [counted.frontier.groups[group] for group in part.groups]
        found = fillings(placements(part.component), groups, PLACEMENTS * most)
        if found is None:
            return None
        parts.append(found)
    sea = counted.frontier.sea
    certain = sum(1 << cell for cell in set(analysis.solution.mines).difference(sea, *counted.frontier.groups))
    reach = _reach([set(part) for part in parts], len(sea))
    return tuple(sorted(_joined(parts, sea, reach, certain, left)))


def fillings(placed: Iterable[tuple[int, ...]], cells: Sequence[Sequence[int]], most: int) -> Fillings | None:
    """All ways to mine the groups, by the number of mines; None if beyond ``most``."""
    found: Fillings = {}
    ways = 0
    for counts in islice(placed, most + 1):
        chosen = [combinations(group, mines) for group, mines in zip(cells, counts, strict=True)]
        for mined in islice(product(*chosen), most + 1):
            ways += 1
            found.setdefault(sum(counts), []).append(sum(1 << cell for group in mined for cell in group))
        if ways > most:
            return None
    return found


def _reach(parts: Sequence[set[int]], sea: int) -> list[set[int]]:
    """The numbers of mines that each part, all after it and the sea can hold."""
    reach = [set(range(sea + 1))]
    for sums in reversed(parts):
        reach.append({one + other for one in sums for other in reach[-1]})
    return reach[::-1]


def _joined(
    parts: Sequence[Fillings], sea: Sequence[int], reach: Sequence[set[int]], world: int, left: int
) -> Iterator[int]:
    if left not in reach[0]:
        return
    if not parts:
        for mined in combinations(sea, left):
            yield world + sum(1 << cell for cell in mined)
        return
    for mines, ways in parts[0].items():
        if left - mines in reach[1]:
            for way in ways:
                yield from _joined(parts[1:], sea, reach[1:], world + way, left - mines)


MOST_WORLDS = 1_000
"""Most worlds of a position that is searched."""
MOST_NODES = 20_000
"""Most nodes that the search of a position visits before it is given up."""


class SearchExhausted(Exception):
    """The search has visited as many nodes as it may."""


class PlayedCell(NamedTuple):
    """A covered cell: the worlds in which it is safe, and parts by its number."""

    safe: int
    shows: dict[int, int]


class EndgameSearch:
    """Values of sets of worlds, which are bits of integers; results are kept."""

    def __init__(self, cells: dict[int, PlayedCell], worlds: int) -> None:
        self.cells = cells
        distinct = {(cell.safe, *sorted(cell.shows.values())): cell for cell in cells.values()}
        everything = (1 << worlds) - 1
        self.telling = [cell for cell in distinct.values() if len(cell.shows) > 1 or cell.safe != everything]
        self._worlds = worlds
        self.nodes_left = MOST_NODES
        self._exact: dict[int, int] = {}
        self._most: dict[int, int] = {}

    @cached_property
    def apart(self) -> list[int]:
        return [self._apart(world) for world in range(self._worlds)]

    def _apart(self, world: int) -> int:
        bit, apart = 1 << world, 0
        for cell in self.telling:
            if cell.safe & bit:
                apart |= cell.safe & ~next(same for same in cell.shows.values() if same & bit)
        return apart

    def value(self, worlds: int, above: int = 0) -> int:
        """The most worlds of a set that one way to play wins.

        Where that is not more than ``above``, some bound that is not more either. Raises SearchExhausted.
        """
        if worlds & (worlds - 1) == 0:
            return int(worlds > 0)
        if worlds in self._exact:
            return self._exact[worlds]
        most = self.most(worlds)
        if most <= above:
            return most
        if self.nodes_left <= 0:
            raise SearchExhausted
        self.nodes_left -= 1
        parts, choices = self._children(worlds)
        found = self._sum(parts, above) if parts else self._best(choices, above)
        (self._exact if found > above else self._most)[worlds] = found
        return found

    def most(self, worlds: int) -> int:
        if worlds not in self._most:
            self._most[worlds] = self._classes(worlds)
        return self._most[worlds]

    def _classes(self, worlds: int) -> int:
        """The number of classes of clashing worlds that cover a set, found greedily."""
        classes = 0
        while worlds:
            classes += 1
            left = worlds
            while left:
                bit = left & -left
                worlds ^= bit
                left &= ~(self.apart[bit.bit_length() - 1] | bit)
        return classes

    def _children(self, worlds: int) -> tuple[list[int], list[int]]:
        """Parts that a safe cell tells apart, or largest sets where a cell is safe."""
        choices: set[int] = set()
        for cell in self.telling:
            safe = worlds & cell.safe
            if safe == worlds:
                parts = [part for same in cell.shows.values() if (part := same & worlds)]
                if len(parts) > 1:
                    return parts, []
            elif safe:
                choices.add(safe)
        largest: list[int] = []
        for chosen in sorted(choices, key=int.bit_count, reverse=True):
            if all(chosen & ~other for other in largest):
                largest.append(chosen)
        return [], largest

    def _sum(self, parts: Sequence[int], above: int) -> int:
        bounds = sorted((self.value_known(part), part) for part in parts)
        total = sum(bound for bound, _ in bounds)
        for bound, part in bounds:
            if total <= above:
                break
            total += self.value(part, above - total + bound) - bound
        return total

    def value_known(self, worlds: int) -> int:
        return self._exact.get(worlds) or self.most(worlds)

    def _best(self, choices: Iterable[int], above: int) -> int:
        best, reached = above, 0
        for bound, chosen in sorted(((self.value_known(own), own) for own in choices), reverse=True):
            if bound <= best:
                return max(best, bound) if best > above else max(reached, bound)
            found = self.value(chosen, best)
            best, reached = max(best, found), max(reached, found)
        return best if best > above else reached


@dataclass(frozen=True, slots=True)
class Endgame:
    """A position in which best play is known, and every position that can follow.

    ``mined`` has the mines of each world the search began with, as bits of cells, ``worlds`` the worlds that are left,
    as bits of ``mined``, and ``opened`` the cells opened since.
    """

    search: EndgameSearch
    mined: tuple[int, ...]
    cols: int
    worlds: int
    opened: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        return self.worlds.bit_count()

    @property
    def win(self) -> Fraction:
        return Fraction(self.search.value(self.worlds), self.size)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The covered cells that are not mines in every world, in row-major order."""
        left = (cell for cell, own in self.search.cells.items() if own.safe & self.worlds)
        return tuple(Cell(*divmod(cell, self.cols)) for cell in sorted(set(left) - self.opened))

    def win_with(self, cell: Cell) -> Fraction:
        return Fraction(self.search.value(self._safe(cell)), self.size)

    def best(self, cells: Iterable[Cell] | None = None) -> Cell | None:
        """The first of the best cells, of some or of all; None if all are mines.

        A cell that is safe in every world comes first, and one that tells something before one that does not.
        """

        def key(cell: Cell) -> tuple[bool, Fraction, bool, int]:
            safe = self._safe(cell)
            return safe == self.worlds, self.win_with(cell), len(self.numbers(cell)) > 1, safe.bit_count()

        return max(self.cells if cells is None else cells, key=key, default=None)

    def tells(self, cell: Cell) -> bool:
        """Return whether a cell is a guess, or can show more than one number."""
        return self._safe(cell) != self.worlds or len(self.numbers(cell)) > 1

    def numbers(self, cell: Cell) -> dict[int, Endgame]:
        shows = self.search.cells[self._index(cell)].shows
        opened = self.opened | {self._index(cell)}
        after = ((number, same & self.worlds) for number, same in sorted(shows.items()))
        return {number: replace(self, worlds=left, opened=opened) for number, left in after if left}

    def is_dead(self, cell: Cell) -> bool:
        """Return whether opening a cell tells nothing: one number, and no cell is settled."""
        safe = self._safe(cell)
        if len(self.numbers(cell)) != 1:
            return False
        others = (own.safe for number, own in self.search.cells.items() if number != self._index(cell))
        return not any(other & safe in (0, safe) and other & self.worlds not in (0, self.worlds) for other in others)

    def _safe(self, cell: Cell) -> int:
        return self.worlds & self.search.cells[self._index(cell)].safe

    def _index(self, cell: Cell) -> int:
        return cell.row * self.cols + cell.col


def endgame(analysis: Analysis, *, most: int = MOST_WORLDS) -> Endgame | None:
    """The exact values of a position with at most ``most`` worlds.

    None where there are more, for boards without a mine total, and for numbers that may be wrong. Values are found when
    they are asked for, and raise SearchExhausted where that takes too long.

    >>> from satsweep.board import Board
    >>> from satsweep.analysis.analyse import analyse
    >>> found = endgame(analyse(Board(("#1#", "1##", "###"), mines=2)))
    >>> for cell in found.cells:
    ...     print(cell, found.win_with(cell))
    0,0 2/3
    0,2 2/3
    1,1 1/2
    1,2 1/2
    2,0 2/3
    2,1 1/2
    2,2 1/2
    """
    mined = list_worlds(analysis, most)
    if mined is None:
        return None
    return Endgame(_search(analysis, mined), mined, analysis.board.cols, (1 << len(mined)) - 1)


@dataclass(frozen=True, slots=True)
class BestPlay:
    """Best play of a position: worlds, wins, the first cell, and what follows.

    It wins ``won`` of ``worlds`` layouts by opening ``cell`` first. ``numbers`` has what follows each number that the
    cell can show, ``lost`` the layouts in which it is a mine. The cell is None where all layouts are won.
    """

    worlds: int
    won: int
    cell: Cell | None = None
    lost: int = 0
    numbers: Mapping[int, BestPlay] = field(default_factory=dict)


def best_play(analysis: Analysis, first: Cell | None) -> BestPlay | None:
    """Return the tree of best play, which begins with a cell that is known to be best.

    A branch ends where the rest of the game is won for certain: from there on no guess is needed. Safe cells that show
    the same number in every world are left out; they can be opened at any time, and tell nothing. None where too many
    worlds are left, the search is given up, or no covered cell can be opened.

    >>> from satsweep.board import Board
    >>> from satsweep.analysis.analyse import analyse
    >>> tree = best_play(analyse(Board(("#1#", "1##", "###"), mines=2)), Cell(0, 0))
    >>> tree.won, tree.worlds, str(tree.cell), tree.lost, {number: own.won for number, own in tree.numbers.items()}
    (4, 6, '0,0', 1, {0: 3, 1: 1})
    """
    found = endgame(analysis)
    if found is None or not found.cells:
        return None
    try:
        return _tree(found, first)
    except SearchExhausted:
        return None


def _tree(position: Endgame, first: Cell | None) -> BestPlay:
    won = int(position.win * position.size)
    if won == position.size:
        return BestPlay(won, won)
    telling = [cell for cell in position.cells if position.tells(cell)]
    cell = first if first in telling else position.best(telling)
    assert cell is not None
    after = position.numbers(cell)
    lost = position.size - sum(own.size for own in after.values())
    return BestPlay(position.size, won, cell, lost, {number: _tree(own, None) for number, own in after.items()})


def _search(analysis: Analysis, mined: Sequence[int]) -> EndgameSearch:
    board = analysis.board
    table = board.topology.neighbours(board.rows, board.cols)
    symbols, everything = board.symbols, (1 << len(mined)) - 1
    mines = _worlds_by_mine(mined)
    mines.update((cell, everything) for cell, symbol in enumerate(symbols) if symbol == MINE)
    cells: dict[int, PlayedCell] = {}
    for cell in covered_cells(board):
        if safe := everything & ~mines.get(cell, 0):
            cells[cell] = PlayedCell(safe, _shown(safe, [mines[other] for other in table[cell] if other in mines]))
    return EndgameSearch(cells, len(mined))


def _worlds_by_mine(mined: Sequence[int]) -> dict[int, int]:
    """For each cell that is a mine in some world, the worlds in which it is one."""
    always, found = reduce(and_, mined, -1) if mined else 0, dict[int, int]()
    for number, world in enumerate(mined):
        bit, left = 1 << number, world & ~always
        while left:
            cell = left.bit_length() - 1
            left ^= 1 << cell
            found[cell] = found.get(cell, 0) | bit
    while always:
        cell = always.bit_length() - 1
        always ^= 1 << cell
        found[cell] = (1 << len(mined)) - 1
    return found


def _shown(safe: int, neighbours: Iterable[int]) -> dict[int, int]:
    """Worlds in which a cell is safe, by its number, from those of its neighbours."""
    shows = {0: safe}
    for mines in neighbours:
        more: dict[int, int] = {}
        for number, same in shows.items():
            for shown, part in ((number, same & ~mines), (number + 1, same & mines)):
                if part:
                    more[shown] = more.get(shown, 0) | part
        shows = more
    return shows
