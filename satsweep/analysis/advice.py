"""Advice for a position: cells to open, best first, with their chances.

Every command, the library and the page ask here, so they name the same cell; the page may name one that its engine has
found first and that wins as often. If a cell is safe, safe cells come first, the easiest to see first. If none is, the
order is the first of these that can be had:

* ``exact``: by the chance to win with best play, where few enough worlds are left (``endgame``);
* ``estimate``: by the chance to win that the deep player expects, where there is a compiled library;
* ``risk``: less risk first, then the better chance that a safe cell follows, as Tu, Li, Chen, Chen and Yu (2017) break
  ties, then the greater expected number of safe cells (``outlook``).

*Guesses that cannot be avoided* are 50/50s, and their kind. Some covered cells can be filled in two ways with as many
mines each, in every world, and every other cell that may ever be opened sees as many mines in one way as in the other.
Then no other cell can tell the ways apart, and opening one of these cells is a guess. To wait for more numbers is no
use. Where few worlds are left all of them are compared, mine total included. On other boards the ways to fill each
component are compared, if they are few; cells that no number touches are left out then.

Of a part of a larger board nothing is known but forced cells and risks, and these alone rank its cells: what an opened
cell shows, and what follows from it, depends on cells that are not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from operator import itemgetter, sub
from typing import NamedTuple

from satsweep.analysis.analysis import Analysis, indices_by_risk
from satsweep.analysis.candidates import Candidate, Kind, MoveAdvice, UnavoidableGuess
from satsweep.analysis.deep import expected_wins, within_survival
from satsweep.analysis.endgame import Endgame, SearchExhausted, endgame, fillings
from satsweep.analysis.outlook import Outlooks, Place
from satsweep.board import COVERED, FLAG, Board, Cell
from satsweep.solver import compiled
from satsweep.solver.components import Component
from satsweep.solver.engines.auto import placements
from satsweep.solver.position import solve_position
from satsweep.solver.sums import set_bits
from satsweep.why.minimal.reasons import easiest, easiest_first

MOST = 10
"""Sets of equally good cells whose chance of progress is computed."""
MOST_COST, MOST_UNRELIABLE_COST = 20_000_000, 100_000
"""Limits for outlooks: covered cells times states of the count.

Unreliable numbers determine few cells, so large components are counted again for each number.
"""


def advise(
    analysis: Analysis,
    *,
    last: Cell | None = None,
    deep: bool = True,
    most: int = MOST,
    known: Chances | None = None,
) -> MoveAdvice:
    """Rank the cells to open.

    ``last`` is the cell of the last move: of safe cells that are equally easy to see the nearest comes first. With
    ``deep`` the deep player is asked if there is a compiled library, unless its chances are ``known``. There are no
    candidates if no covered cell is left, all are mines, or no risk is known.

    Without a safe cell at least ``most`` sets of equally good cells are ranked, if there are as many, and all cells
    whose chance to win is known.

    >>> from satsweep.board import Board
    >>> from satsweep.analysis.analyse import analyse
    >>> advice = advise(analyse(Board(("#1#", "1##", "###"), mines=2)))
    >>> print(advice.kind, *advice.dead)
    exact 1,1
    >>> for own in advice.candidates[:2]:
    ...     print(own.cell, own.risk, own.win, own.progress)
    0,0 1/6 2/3 1
    0,2 1/3 2/3 1
    """
    if analysis.safe:
        safe = analysis.board, analysis.safe, last
        return MoveAdvice("safe", easiest(*safe), partial(_easy_candidates, *safe), partial(_unavoidable, analysis))
    found = endgame(analysis)
    exchanges = partial(unavoidable_guesses, analysis, None if found is None else found.mined)
    chances, prospects = _chances(analysis, found, deep, known), Prospects(analysis, found)
    best = _first_ranked(chances, prospects, most)
    return MoveAdvice(chances.kind, best, partial(_candidates, chances, prospects, most), exchanges)


def _easy_candidates(board: Board, safe: Sequence[Cell], last: Cell | None) -> tuple[Candidate, ...]:
    return tuple(Candidate(own.cell, Fraction(0), reason=own.reason) for own in easiest_first(board, safe, last))


def _candidates(chances: Chances, prospects: Prospects, most: int) -> tuple[Candidate, ...]:
    """All candidates; those before the first living one are not called dead."""
    candidates = tuple(_ranked(_levels(chances, prospects.analysis), prospects, most))
    living = next((at for at, own in enumerate(candidates) if not own.dead), len(candidates))
    return (*(replace(own, dead=False) for own in candidates[:living]), *candidates[living:])


def _unavoidable(analysis: Analysis) -> tuple[UnavoidableGuess, ...]:
    found = endgame(analysis)
    return unavoidable_guesses(analysis, None if found is None else found.mined)


class Chances(NamedTuple):
    kind: Kind
    win: Mapping[Cell, Fraction | float]
    preferred: Cell | None = None


def _chances(analysis: Analysis, found: Endgame | None, deep: bool, known: Chances | None) -> Chances:
    worlds = analysis.solution.verdict.worlds
    if found is not None:
        try:
            win = {cell: found.win_with(cell) for cell in found.cells}
            first = None if known is None else known.preferred
            return Chances("exact", win, first if first in win and win[first] == max(win.values()) else None)
        except SearchExhausted:
            pass
    if known is not None:
        return known
    if deep and compiled.is_there() and (asked := expected_wins(analysis.board, worlds)) is not None:
        exact = isinstance(asked.chances[asked.best], Fraction)
        return Chances("exact" if exact else "estimate", asked.chances, asked.best)
    return Chances("risk", {})


def _first_ranked(chances: Chances, prospects: Prospects, most: int) -> Cell | None:
    """The first of the candidates; prospects are found only where they decide."""
    analysis, preferred = prospects.analysis, chances.preferred
    if preferred is not None and preferred in chances.win:
        index = analysis.board.index(preferred)
        if any(index in odds.cells and odds.is_known and not odds.is_mine for odds in analysis.solution.verdict.odds):
            return preferred
    levels = _levels(chances, analysis)
    if levels.risks and len(first := levels.risks[min(levels.risks)]) == 1:
        return analysis.board.cell(first[0][1])
    return next((own.cell for own in _ranked(levels, prospects, most)), None)


class Levels(NamedTuple):
    """Cells that may be opened, ranked by what is known before any outlook.

    ``risks`` has risks and row-major indices, the least key first; ``wins`` the chances to win, by index.
    """

    risks: dict[tuple[int, Fraction | float], list[tuple[Fraction, int]]]
    wins: dict[int, Fraction | float]


def _levels(chances: Chances, analysis: Analysis) -> Levels:
    """Levels in which the greatest chance to win comes first, then all others by risk."""
    known = {analysis.board.index(cell): (cell, win) for cell, win in chances.win.items()}
    risks, wins = Levels({}, {})
    for risk, cells in indices_by_risk(analysis).items():
        if risk is None or risk == 1:
            continue
        for index in known.keys() & cells:
            cell, win = known[index]
            wins[index] = win = win if isinstance(win, Fraction) else float(within_survival(win, risk))
            risks.setdefault((int(cell != chances.preferred), -win), []).append((risk, index))
        if others := [(risk, index) for index in cells if index not in known]:
            risks[2, risk] = others
    return Levels(risks, wins)


def _ranked(levels: Levels, prospects: Prospects, most: int) -> Iterator[Candidate]:
    """The candidates without a safe cell, best first.

    Within a level the outlook decides; it is found up to the level in which there are ``most`` sets of equals.
    """
    cell, equals = prospects.analysis.board.cell, 0
    for level in sorted(levels.risks):
        if equals >= most and level[0] == 2:
            return
        # Fractions are slow to hash: cells are gathered by identity first.
        alike: dict[tuple[int, int], tuple[Fraction, Prospect, list[int]]] = {}
        for risk, index in sorted(levels.risks[level], key=itemgetter(1)):
            prospect = prospects.of(index) if equals < most else UNKNOWN
            alike.setdefault((id(risk), id(prospect)), (risk, prospect, []))[2].append(index)
        tied: dict[tuple[Fraction, Prospect], list[int]] = {}
        for risk, prospect, members in alike.values():
            tied.setdefault((risk, prospect), []).extend(members)
        for risk, prospect in sorted(tied, key=_order):
            progress, expected, dead = prospect
            for index in sorted(tied[risk, prospect]):
                yield Candidate(cell(index), risk, progress, expected, levels.wins.get(index), dead)
        equals += len(tied)


class Prospect(NamedTuple):
    """Consequence of opening a cell that is safe: progress, safe cells, or nothing."""

    progress: Fraction | None
    expected_safe: Fraction | None
    dead: bool


UNKNOWN = Prospect(None, None, False)
"""Prospect of a cell whose outlook was not found."""


def _order(ranked: tuple[Fraction, Prospect]) -> tuple[Fraction | bool, ...]:
    risk, (progress, expected, dead) = ranked
    return dead, risk, -(progress or Fraction(0)), -(expected or Fraction(0))


class Prospects:
    """Prospects of the cells of one position; cells in like places share theirs."""

    def __init__(self, analysis: Analysis, found: Endgame | None) -> None:
        self.analysis = analysis
        self.endgame = found

    def __getstate__(self) -> dict[str, object]:
        """All that is sent to another process: the rest is found from it."""
        return {"analysis": self.analysis, "endgame": self.endgame}

    @cached_property
    def outlooks(self) -> Outlooks | None:
        analysis = self.analysis
        cells = sum(len(odds.cells) for odds in analysis.solution.verdict.odds)
        cost = cells * sum(work.states for work in analysis.work)
        most = MOST_COST if analysis.board.clues.is_true else MOST_UNRELIABLE_COST
        fits = analysis.is_counted and cost <= most and not analysis.board.part
        return Outlooks.of(analysis) if fits else None

    @cached_property
    def _known(self) -> dict[Place, Prospect]:
        return {}

    def of(self, index: int) -> Prospect:
        if self.outlooks is None:
            return UNKNOWN
        board = self.analysis.board
        place = self.outlooks.place(index, board.table[index])
        if place not in self._known:
            outlook = self.outlooks.outlook(place)
            progress, expected = (Fraction(part, outlook.worlds) for part in (outlook.progress, outlook.expected_safe))
            dead = not progress and len(outlook.numbers) == 1 and self._is_dead(board.cell(index), *outlook.numbers)
            self._known[place] = Prospect(progress, expected, dead)
        return self._known[place]

    def _is_dead(self, cell: Cell, shown: int | None) -> bool:
        """Return whether a cell that always shows one number settles no other cell either."""
        if self.endgame is not None:
            return self.endgame.is_dead(cell)
        if shown is None:
            return False
        before, after = self.analysis, solve_position(self.analysis.board.with_opened({cell: shown}))
        return len(after.safe) + len(after.mines) == len(before.safe) + len(before.mines)


MOST_FILLINGS = 200
"""Most ways to fill a component that are compared."""


def unavoidable_guesses(analysis: Analysis, worlds: Sequence[int] | None) -> tuple[UnavoidableGuess, ...]:
    """The guesses that cannot be avoided; ``worlds`` are the mines of each, if listed.

    >>> from satsweep.board import Board
    >>> from satsweep.analysis.analyse import analyse
    >>> board = Board(("#1.1#", "#1.1#"), mines=2)
    >>> [" or ".join(map(str, guess.cells)) for guess in unavoidable_guesses(analyse(board), None)]
    ['0,0 or 1,0', '0,4 or 1,4']
    """
    board = analysis.board
    if not (board.clues.is_exact and analysis.is_counted) or board.part:
        return ()
    table, symbols = board.table, board.symbols
    mines = set(analysis.solution.mines)

    def is_unseen(ways: Ways, one: int, other: int) -> bool:
        first, second = ways.of(one), ways.of(other)
        changed = first | second
        for near in {near for cell in changed for near in table[cell]} - changed - mines:
            if symbols[near] in (COVERED, FLAG):
                around = table[near]
                if len(first.intersection(around)) != len(second.intersection(around)):
                    return False
        return True

    found = []
    lists = [Ways(range(len(symbols)), worlds)] if worlds is not None else _component_ways(analysis)
    for ways in lists:
        for one, other in exchanges(ways.mined, partial(is_unseen, ways)):
            found.append((sorted(ways.of(one)), sorted(ways.of(other))))
    found.sort(key=lambda pair: (pair[0][::-1], pair[1][::-1]))
    return tuple(UnavoidableGuess(*(tuple(map(board.cell, cells)) for cells in pair)) for pair in found)


class Ways(NamedTuple):
    """Sets of mines among some cells, as bits: the places in ``cells``, which ascend."""

    cells: Sequence[int]
    mined: Sequence[int]

    def of(self, bits: int) -> set[int]:
        return {self.cells[place] for place in set_bits(bits)}


def _component_ways(analysis: Analysis) -> Iterator[Ways]:
    """The few ways to fill each component that may have cells to exchange.

    One of the cells that are exchanged is a mine where the other is not, so the counts of their groups add up to all.
    """
    counted = analysis.counted
    listed: dict[Component, list[tuple[int, ...]]] = {}
    for part, counts in zip(counted.parts, counted.counts, strict=True):
        if counts is None or sum(counts.total) > MOST_FILLINGS:
            continue
        rows = set(counts.mined)
        if not any(tuple(map(sub, counts.total, row)) in rows for row in rows):
            continue
        if part.component not in listed:
            listed[part.component] = [*placements(part.component)]
        groups = [counted.frontier.groups[group] for group in part.groups]
        cells = sorted(cell for group in groups for cell in group)
        place = {cell: at for at, cell in enumerate(cells)}
        ways = fillings(listed[part.component], [[place[cell] for cell in group] for group in groups], MOST_FILLINGS)
        if ways is not None:
            yield Ways(cells, [way for same in ways.values() for way in same])


def exchanges(mined: Sequence[int], is_unseen: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """Yield the smallest pairs of sets of mines that can be exchanged unnoticed.

    Every way in ``mined``, the bits of an integer, has one or the other, and with the other it is a way, too. A pair is
    the difference of the first way and another one, so there are only as many to be tried as ways.
    """
    every = set(mined)
    smallest: list[int] = []
    first = mined[0] if mined else 0
    for changed in sorted((first ^ other for other in mined[1:]), key=lambda cells: (cells.bit_count(), cells)):
        one = first & changed
        other = changed ^ one
        if one.bit_count() != other.bit_count() or any(cells & ~changed == 0 for cells in smallest):
            continue
        if any(way & changed not in (one, other) or way ^ changed not in every for way in mined):
            continue
        if is_unseen(one, other):
            smallest.append(changed)
            yield min(one, other), max(one, other)
