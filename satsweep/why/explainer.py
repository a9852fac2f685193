"""Why a cell is forced: a smallest set of numbers that leaves no other possibility.

What forces a cell is mostly near it. So numbers that touch the cell are tried first, then those that share cells with
them, and so on, until some set leaves the opposite no world. From it everything is left out that can be, what is
farthest first, and then a smaller set is looked for among the numbers near enough to be part of one: the numbers of a
reason hang together, and one of them touches the cell.

The mine total takes part only where all numbers together do not force the cell. Then numbers from anywhere may be
needed, and the sums that they allow are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from itertools import islice

from satsweep.board import COVERED, FLAG, MINE, Board, Cell
from satsweep.errors import BoardError, BudgetExceeded
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.budget import Budget
from satsweep.solver.constraints import CellConstraint, cell_constraints, exactly, support
from satsweep.solver.witness import find_world
from satsweep.why.cores import Effort, Numbers, WithTotal, minimal, minimal_with_total, smallest
from satsweep.why.values import Explanation, Undecided

EFFORT = 500
"""How many trials may go into the search for a smaller set of numbers."""
FEW = 400
"""Up to so many statements one solver knows all of them; a solver takes longer for each, needed or not."""


def trusted_constraints(board: Board, *, trust_flags: bool = False) -> list[CellConstraint]:
    """What the numbers of a board say, and that flagged cells are mines if flags are trusted."""
    said = cell_constraints(board)
    if trust_flags:
        flags = (index for index, symbol in enumerate(board.symbols) if symbol == FLAG)
        said += [CellConstraint(index, (index,), exactly(1)) for index in flags]
    return said


class Explainer:
    """The reasons of one board, which share what it takes to find them. Use it as a context.

    ``analysis`` is that of the board, with flags as mines if they are trusted, where there is one already. Raises
    Contradiction when no layout agrees with the board; ``conflict`` tells why then.

    >>> with Explainer(Board(("##1.", "##21", "####"), mines=3)) as reasons:
    ...     for reason in reasons.all():
    ...         print(reason.cell, reason.mine, *reason.clues)
    2,1 False 0,2 1,2 1,3
    """

    def __init__(
        self,
        board: Board,
        *,
        trust_flags: bool = False,
        budget: Budget | float | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        self.board = board
        self.trust_flags = trust_flags
        self.analysis = analysis or analyse(board.trusting_flags() if trust_flags else board, budget=budget)
        self._said = trusted_constraints(board, trust_flags=trust_flags)
        self._known: dict[tuple[int, ...], tuple[bool, list[int], bool]] = {}
        self._with_total: list[list[int]] = []
        self._speakers = speakers_of(self._said)

    def __enter__(self) -> Explainer:
        return self

    def __exit__(self, *_: object) -> None:
        if "_all" in self.__dict__:
            self._all.close()

    def all(self) -> Iterator[Explanation]:
        """The reason of every forced cell: those that are safe, then mines."""
        for cell in self.analysis.safe:
            yield self._reason(cell, mine=False)
        for cell in self.analysis.mines:
            if not (self.trust_flags and self.board[cell] == FLAG):
                yield self._reason(cell, mine=True)

    def of(self, cell: tuple[int, int]) -> Explanation | Undecided:
        """The reason of a cell, or two worlds that say otherwise. Raises BoardError for a cell that is not covered."""
        place = Cell(*cell)
        on_grid = 0 <= place.row < self.board.rows and 0 <= place.col < self.board.cols
        allowed = (COVERED,) if self.trust_flags else (COVERED, FLAG)
        if not on_grid or self.board[place] not in allowed:
            raise BoardError(f"expected a covered cell, found {place}", at=place if on_grid else None)
        if place in self.analysis.safe or place in self.analysis.mines:
            return self._reason(place, mine=place in self.analysis.mines)
        shown = self.board.trusting_flags() if self.trust_flags else self.board
        mined, safe = find_world(shown, {place: True}), find_world(shown, {place: False})
        assert mined is not None and safe is not None
        return Undecided(self.board, place, self._risk(place), mined, safe)

    def _risk(self, cell: Cell) -> Fraction | None:
        try:
            return self.analysis.risk(cell)
        except BudgetExceeded:
            return None

    def _reason(self, cell: Cell, *, mine: bool) -> Explanation:
        index = cell.row * self.board.cols + cell.col
        # Cells that the same statements speak about are forced by the same ones.
        like = (*self._speakers.get(index, ()), mine)
        if like not in self._known:
            found = self._by_numbers(index, mine)
            self._known[like] = (False, *found) if found else (True, *self._by_total(index, mine))
        total, clues, least = self._known[like]
        cells = sorted({self._said[clue].clue for clue in clues})
        return Explanation(self.board, cell, mine, tuple(self.board.cell(at) for at in cells), total, smallest=least)

    def _by_numbers(self, cell: int, mine: bool) -> tuple[list[int], bool] | None:
        """Statements that force the cell without the total; None if even all of them do not."""
        for clue in self._speakers.get(cell, ()):
            statement = self._said[clue]
            least, most = support(statement.likelihood)
            if least == len(statement.cells) if mine else most == 0:
                return [clue], True
        further = _rings(self._said, self._speakers, self._speakers.get(cell, ()))
        rings: list[list[int]] = []
        tried = 0
        for depth, ring in enumerate(further):
            rings.append(ring)
            if depth & (depth - 1):
                continue  # tried are rings up to 0, 1, 2, 4, 8, ...
            tried = len(rings)
            clues = self._within(rings, cell, mine)
            if clues is not None:
                break
        else:
            clues = self._within(rings, cell, mine) if tried < len(rings) else None
        if clues is None:
            return None
        # A smaller set is connected and has a number that touches the cell, which bounds how far it reaches.
        reach = len(clues) - 1
        rings += islice(further, max(reach - len(rings), 0))
        candidates = [clue for ring in rings[:reach] for clue in ring]
        with self._trials(candidates) as numbers:
            return smallest(numbers.asking(cell, not mine), clues, candidates, Effort(EFFORT))

    def _within(self, rings: Sequence[Sequence[int]], cell: int, mine: bool) -> list[int] | None:
        """A minimal set of the statements in some rings that forces the cell, of near ones if possible."""
        near = [clue for ring in rings for clue in ring]
        with self._trials(near) as numbers:
            trial = numbers.asking(cell, not mine)
            core = trial(near).core
            if core is None:
                return None
            place = {clue: at for at, clue in enumerate(near)}
            return minimal(trial, core, place.__getitem__)

    @contextmanager
    def _trials(self, near: Sequence[int]) -> Iterator[Numbers]:
        """Trials of some statements. Where there are few in all, one solver knows them all and is kept."""
        if len(self._said) <= FEW:
            yield self._all
            return
        with Numbers(self._said, near) as numbers:
            yield numbers

    @cached_property
    def _all(self) -> Numbers:
        return Numbers(self._said)

    def _by_total(self, cell: int, mine: bool) -> tuple[list[int], bool]:
        """Statements that force the cell together with the mine total. Whatever has forced one cell may force more."""
        possible = self._total.asking(cell, not mine)
        known = next((clues for clues in self._with_total if not possible(clues)), range(len(self._said)))
        clues = minimal_with_total(possible, known, parts_of(self._said))
        if clues not in self._with_total:
            self._with_total.append(clues)
        return clues, is_smallest(possible, clues, len(self._said))

    @cached_property
    def _total(self) -> WithTotal:
        return with_total(self.board, self._said)


def with_total(board: Board, said: Sequence[CellConstraint]) -> WithTotal:
    """Trials of statements together with the mine total of a board that tells it."""
    assert board.mines is not None
    symbols = board.symbols
    covered = [index for index, symbol in enumerate(symbols) if symbol in (COVERED, FLAG)]
    return WithTotal(said, covered, board.mines - symbols.count(MINE))


def speakers_of(said: Sequence[CellConstraint]) -> dict[int, list[int]]:
    """For each cell the statements about it, by their indices."""
    speakers: dict[int, list[int]] = {}
    for index, statement in enumerate(said):
        for cell in statement.cells:
            speakers.setdefault(cell, []).append(index)
    return speakers


def _rings(
    said: Sequence[CellConstraint], speakers: Mapping[int, Sequence[int]], first: Iterable[int]
) -> Iterator[list[int]]:
    """Statements by how far they are from some: these, those that share a cell with them, and so on."""
    ring = sorted(first)
    seen = set(ring)
    while ring:
        yield ring
        cells = {cell for index in ring for cell in said[index].cells}
        ring = sorted({other for cell in cells for other in speakers[cell]} - seen)
        seen.update(ring)


def parts_of(said: Sequence[CellConstraint]) -> list[list[int]]:
    """Statements, by their indices, in parts that share no cell."""
    speakers = speakers_of(said)
    left = set(range(len(said)))
    parts = []
    while left:
        part = [index for ring in _rings(said, speakers, [min(left)]) for index in ring]
        parts.append(part)
        left.difference_update(part)
    return parts


def is_smallest(possible: Callable[[Collection[int]], bool], clues: Sequence[int], number: int) -> bool:
    """Whether so few of all statements are surely as few as there can be: at most one, or two where one is not enough.

    The rest is not tried: with the mine total, which speaks about every cell, sets are mostly large or very small.
    """
    if len(clues) < 2:
        return True
    return len(clues) == 2 and all(possible([index]) for index in range(number))


def explain(
    board: Board, cell: tuple[int, int], *, trust_flags: bool = False, budget: Budget | float | None = None
) -> Explanation | Undecided:
    """Why a cell is a mine, or safe; or two worlds, in one of which it is a mine and in the other safe.

    ``trust_flags`` takes flagged cells as mines, and flags as clues. The ``budget`` is for the analysis of the board:
    past it the risk of a cell that is not forced may be unknown. Raises BoardError for a cell that is not covered,
    Contradiction when no layout agrees with the board.

    >>> reason = explain(Board(("##1.", "##21", "####"), mines=3), (2, 1))
    >>> reason.mine, reason.clues, reason.total
    (False, (Cell(row=0, col=2), Cell(row=1, col=2), Cell(row=1, col=3)), False)
    """
    with Explainer(board, trust_flags=trust_flags, budget=budget) as reasons:
        return reasons.of(cell)
