"""Advice for a position: cells to open, best first, with their chances.

Every command, the library and the page ask here, so they name the same cell. If a cell is safe, safe cells come first,
the easiest to see first. If none is, the order is the first of these that can be had:

* ``exact``: by the chance to win with best play, where few enough worlds are left (``endgame``);
* ``estimate``: by the chance to win that the deep player expects, where there is a compiled library;
* ``risk``: less risk first, then the better chance that a safe cell follows, as Tu, Li, Chen, Chen and Yu (2017) break
  ties, then the greater expected number of safe cells (``outlook``).

A cell is as easy as the smallest set of numbers that proves it safe: fewer numbers are easier. A proof that needs the
mine total, too, looks at the whole board and is the hardest. Among cells that are equally easy the one nearest to the
last move comes first, because a player looks there, then the first in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, islice
from typing import Literal, NamedTuple

from satsweep.board import Board, Cell
from satsweep.solver import compiled
from satsweep.solver.analysed_board import AnalysedBoard, solve_board
from satsweep.solver.endgame import Endgame, SearchExhausted, endgame
from satsweep.solver.expected_wins import expected_wins
from satsweep.solver.outlook import Outlooks, Place
from satsweep.solver.reasons import Reason, ReasonSearch
from satsweep.solver.unavoidable import UnavoidableGuess, unavoidable_guesses

MOST_SEARCHED = 60
"""Most sets of cells whose proof is searched, the nearest first.

Cells of a set have the same numbers around them. Other sets come after these, unless a single number proves them safe.
"""
_ALONE, _UNSEARCHED, _TOTAL = range(3)


class EasySafeCell(NamedTuple):
    """A safe cell, with a smallest set of numbers that proves it.

    None where that needs the mine total, too, or was not searched.
    """

    cell: Cell
    reason: Reason | None


def easiest_first(board: Board, safe: Sequence[Cell], last: Cell | None = None) -> tuple[EasySafeCell, ...]:
    """Sort the cells that are safe, the easiest first.

    ``last`` is the cell of the last move.

    >>> board = Board(("######", "111122", "......"))
    >>> for found in easiest_first(board, (Cell(0, 0), Cell(0, 2), Cell(0, 3)), last=Cell(1, 4)):
    ...     print(found.cell, "by", *found.reason.clues)
    0,3 by 1,3 1,5
    0,2 by 1,0 1,1
    0,0 by 1,0 1,2 1,3 1,5
    """

    away = _distance_from(last)
    nearest = sorted(safe, key=away)
    with ReasonSearch(board) as search:
        found = list(_by_rank(board, nearest, search))
    order = sorted(found, key=lambda own: (own[0], away(own[1].cell)))
    return tuple(easy for _, easy in order)


def easiest(board: Board, safe: Sequence[Cell], last: Cell | None = None) -> Cell:
    """The first cell of ``easiest_first``, sooner: other proofs are mostly not needed.

    >>> easiest(Board(("######", "111122", "......")), (Cell(0, 0), Cell(0, 2), Cell(0, 3)), last=Cell(1, 4))
    Cell(row=0, col=3)
    """
    nearest = sorted(safe, key=_distance_from(last))
    with ReasonSearch(board) as search:
        for cell in nearest:
            if search.is_single(board.index(cell), mine=False):
                return cell
        best, found = (_TOTAL, 1), nearest[0]
        for rank, own in _by_rank(board, nearest, search):
            if rank < best:
                best, found = rank, own.cell
            if best <= (_ALONE, 2):
                break  # No single number proves a cell safe, so nothing is easier.
    return found


def _distance_from(last: Cell | None) -> Callable[[Cell], tuple[int, Cell]]:
    """How far a cell is from the last move; among equals, its place."""

    def away(cell: Cell) -> tuple[int, Cell]:
        return 0 if last is None else max(abs(cell.row - last.row), abs(cell.col - last.col)), cell

    return away


def _by_rank(
    board: Board, nearest: Sequence[Cell], search: ReasonSearch
) -> Iterator[tuple[tuple[int, int], EasySafeCell]]:
    """Yield the safe cells, the nearest first, with how hard they are to see."""
    sets = dict.fromkeys(search.numbers_of(board.index(cell)) for cell in nearest)
    searched = set(islice(sets, MOST_SEARCHED))
    for cell in nearest:
        index = board.index(cell)
        if search.is_single(index, mine=False) or search.numbers_of(index) in searched:
            found = search.reason_without_total(index, mine=False)
            yield (_TOTAL, 0) if found is None else (_ALONE, len(found.clues)), EasySafeCell(cell, found)
        else:
            yield (_UNSEARCHED, 0), EasySafeCell(cell, None)


MOST = 10
"""Sets of equally good cells whose chance of progress is computed."""
MOST_COST, MOST_UNRELIABLE_COST = 20_000_000, 100_000
"""Limits for outlooks: covered cells times states of the count.

Unreliable numbers determine few cells, so large components are counted again for each number.
"""
Kind = Literal["safe", "exact", "estimate", "risk"]
"""How candidates are ranked."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell to open.

    ``progress`` is the chance that some covered cell is safe after the cell has been opened and was safe, and
    ``expected_safe`` the expected number of such cells; both are None where the board was not counted within the
    budget, or is too large for that, and for safe cells. ``win`` is the chance to win with best play after it: a
    Fraction if it is exact, a float if it is an estimate, None if it is not known. A ``dead`` cell tells nothing: it
    shows the same number in every world in which it is safe, that it is safe settles no other cell, and a cell that is
    not dead ranks before it. ``reason`` is a smallest proof that the cell is safe.
    """

    cell: Cell
    risk: Fraction
    progress: Fraction | None = None
    expected_safe: Fraction | None = None
    win: Fraction | float | None = None
    dead: bool = False
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """Cells to open, best first, and guesses that cannot be avoided.

    ``kind`` is ``safe``, ``exact``, ``estimate`` or ``risk``; ``dead`` has the candidates that tell nothing.
    """

    kind: Kind
    candidates: tuple[Candidate, ...]
    dead: tuple[Cell, ...] = ()
    unavoidable: tuple[UnavoidableGuess, ...] = ()

    @property
    def best(self) -> Cell | None:
        """The first candidate; None if nothing is worth opening."""
        return self.candidates[0].cell if self.candidates else None

    @property
    def guesses(self) -> tuple[tuple[Candidate, ...], ...]:
        """The candidates in sets of equally good ones, best first; none if a cell is safe."""
        if self.kind == "safe":
            return ()
        return tuple(tuple(equals) for _, equals in groupby(self.candidates, score))


def advise(analysis: AnalysedBoard, *, last: Cell | None = None, deep: bool = True, most: int = MOST) -> MoveAdvice:
    """Rank the cells to open.

    ``last`` is the cell of the last move: of safe cells that are equally easy to see the nearest comes first. With
    ``deep`` the deep player is asked if there is a compiled library. There are no candidates if no covered cell is
    left, all are mines, or no risk is known.

    Without a safe cell at least ``most`` sets of equally good cells are ranked, if there are as many, and all cells
    whose chance to win is known.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.analysis import analyse
    >>> advice = advise(analyse(Board(("#1#", "1##", "###"), mines=2)))
    >>> print(advice.kind, *advice.dead)
    exact 1,1
    >>> for own in advice.candidates[:2]:
    ...     print(own.cell, own.risk, own.win, own.progress)
    0,0 1/6 2/3 1
    0,2 1/3 2/3 1
    """
    found = endgame(analysis)
    unavoidable = unavoidable_guesses(analysis, None if found is None else found.mined)
    if analysis.safe:
        easy = easiest_first(analysis.board, analysis.safe, last)
        ranked = tuple(Candidate(own.cell, Fraction(0), reason=own.reason) for own in easy)
        return MoveAdvice("safe", ranked, unavoidable=unavoidable)
    chances = _chances(analysis, found, deep)
    candidates = tuple(_ranked(analysis, chances, found, most))
    living = next((at for at, own in enumerate(candidates) if not own.dead), len(candidates))
    candidates = (*(replace(own, dead=False) for own in candidates[:living]), *candidates[living:])
    return MoveAdvice(chances.kind, candidates, tuple(sorted(own.cell for own in candidates if own.dead)), unavoidable)


class Chances(NamedTuple):
    """Chances to win with cells, as far as known, and the cell that deep prefers."""

    kind: Kind
    win: Mapping[Cell, Fraction | float]
    preferred: Cell | None = None


def _chances(analysis: AnalysedBoard, found: Endgame | None, deep: bool) -> Chances:
    """The chances to win, as far as they are known, without a safe cell."""
    if found is not None:
        try:
            return Chances("exact", {cell: found.win_with(cell) for cell in found.cells})
        except SearchExhausted:
            pass
    if deep and compiled.is_there() and (expected := expected_wins(analysis)) is not None:
        exact = isinstance(expected.chances[expected.best], Fraction)
        return Chances("exact" if exact else "estimate", expected.chances, expected.best)
    return Chances("risk", {})


def _ranked(analysis: AnalysedBoard, chances: Chances, found: Endgame | None, most: int) -> Iterator[Candidate]:
    """Yield the candidates of a position without a safe cell, best first.

    Cells with the greatest chance to win come first, then all others by risk. Within a level the outlook decides. It is
    found up to the level in which there are ``most`` sets of equals.
    """
    levels: dict[tuple[int, Fraction | float], list[tuple[Fraction, Cell]]] = {}
    for risk, cells in analysis.cells_by_risk.items():
        if risk is None or risk == 1:
            continue
        for cell in cells:
            win = chances.win.get(cell)
            level = (2, risk) if win is None else (int(cell != chances.preferred), -win)
            levels.setdefault(level, []).append((risk, cell))
    prospects = Prospects(analysis, found)
    equals = 0
    for level in sorted(levels):
        if equals >= most and level[0] == 2:
            return
        # Fractions are slow to hash: cells are gathered by identity first.
        alike: dict[tuple[int, int], tuple[Fraction, Prospect, list[Cell]]] = {}
        for risk, cell in levels[level]:
            prospect = prospects.of(cell) if equals < most else UNKNOWN
            alike.setdefault((id(risk), id(prospect)), (risk, prospect, []))[2].append(cell)
        tied: dict[tuple[Fraction, Prospect], list[Cell]] = {}
        for risk, prospect, members in alike.values():
            tied.setdefault((risk, prospect), []).extend(members)
        for risk, prospect in sorted(tied, key=_order):
            for cell in sorted(tied[risk, prospect]):
                win = chances.win.get(cell)
                yield Candidate(cell, risk, prospect.progress, prospect.expected_safe, win, prospect.dead)
        equals += len(tied)


def score(candidate: Candidate) -> tuple[object, ...]:
    """All that makes a candidate better or worse than another one."""
    return candidate.win, candidate.risk, candidate.dead, candidate.progress, candidate.expected_safe


class Prospect(NamedTuple):
    """Consequence of opening a cell that is safe: progress, safe cells, or nothing."""

    progress: Fraction | None
    expected_safe: Fraction | None
    dead: bool


UNKNOWN = Prospect(None, None, False)
"""Prospect of a cell whose outlook was not found."""


def _order(ranked: tuple[Fraction, Prospect]) -> tuple[Fraction | bool, ...]:
    """Key that sorts risks and prospects with the same chance to win, best first."""
    risk, (progress, expected, dead) = ranked
    return dead, risk, -(progress or Fraction(0)), -(expected or Fraction(0))


class Prospects:
    """Prospects of the cells of one position; cells in like places share theirs."""

    def __init__(self, analysis: AnalysedBoard, found: Endgame | None) -> None:
        self.analysis = analysis
        self.endgame = found
        cost = len(analysis.odds) * sum(work.states for work in analysis.work)
        most = MOST_COST if analysis.board.clues.is_true else MOST_UNRELIABLE_COST
        self.outlooks = Outlooks.of(analysis) if analysis.is_counted and cost <= most else None
        self._table = analysis.board.topology.neighbours(analysis.board.rows, analysis.board.cols)
        self._known: dict[Place, Prospect] = {}
        self._settled = len(analysis.safe) + len(analysis.mines)

    def of(self, cell: Cell) -> Prospect:
        """The prospect of a cell, if the board was counted."""
        if self.outlooks is None:
            return UNKNOWN
        index = self.analysis.board.index(cell)
        place = self.outlooks.place(index, self._table[index])
        if place not in self._known:
            outlook = self.outlooks.outlook(place)
            progress, expected = (Fraction(part, outlook.worlds) for part in (outlook.progress, outlook.expected_safe))
            dead = not progress and len(outlook.numbers) == 1 and self._is_dead(cell, *outlook.numbers)
            self._known[place] = Prospect(progress, expected, dead)
        return self._known[place]

    def _is_dead(self, cell: Cell, shown: int | None) -> bool:
        """Return whether a cell that always shows one number settles no other cell either."""
        if self.endgame is not None:
            return self.endgame.is_dead(cell)
        if shown is None:
            return False
        after = solve_board(self.analysis.board.with_opened({cell: shown}))
        return len(after.safe) + len(after.mines) == self._settled
