"""Win chances: of positions, and of the cells that a player opens in them.

A position counts as what it will be once deduction is at its end (``Positions.settled``). The numbers of safe cells
are therefore booked when the cells become certain, and opening them changes nothing.

*Exact*, where few worlds are left, or the whole board has few layouts: best play. A set of
worlds is an integer of one bit a world; its value is the number of its worlds that best play wins, found by the
compiled search of endgames if there is a library, else by the same search in Python (``solver.endgame``).

*Estimates* elsewhere, if there is a library: see ``estimates``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import comb
from typing import TYPE_CHECKING

from satsweep.analysis.endgame import EndgameSearch, SearchExhausted, endgame
from satsweep.assessment.positions import COVERED, Positions, Symbols
from satsweep.assessment.verdicts import Chance, Choice
from satsweep.board import Board
from satsweep.games.rules import FirstClick

if TYPE_CHECKING:
    from satsweep.assessment.estimates import CompiledSearch, Estimates
    from satsweep.kernels.board_engine import BoardEngine

FAST, SLOW = 1_000, 300
"""Most worlds of an endgame, with and without kernels.

The first is that of the player that estimates elsewhere (``DEEP``).
"""
FAST_BOARD, SLOW_BOARD, MOST_CELLS = 60_000, 1_000, 64
"""Most layouts of a board that is played exactly throughout, and most cells."""


class FewWorlds:
    """The worlds of a position, and the values of all sets that play can come to.

    Raises SearchExhausted where the search in Python takes too long.
    """

    def __init__(self, base: Symbols, search: EndgameSearch, worlds: int, engine: BoardEngine | None) -> None:
        self.base = base
        self.cells = search.cells
        self.all = (1 << worlds) - 1
        self._search = search if engine is None else _compiled(engine, search, worlds)
        self._known: dict[int, int] = {}
        self._best: dict[int, int] = {}

    def leads_to(self, symbols: Symbols) -> bool:
        return all(was in (COVERED, now) for was, now in zip(self.base, symbols, strict=True))

    def worlds_of(self, symbols: Symbols) -> int:
        """The worlds that agree with a position that follows from this one."""
        left = self.all
        for cell, played in self.cells.items():
            if symbols[cell] != COVERED:
                left &= played.shows.get(symbols[cell], 0)
        return left

    def value(self, worlds: int) -> int:
        """The number of worlds of a set that best play wins."""
        if worlds & (worlds - 1) == 0:
            return int(worlds > 0)
        if worlds not in self._known:
            self._known[worlds] = self._search.value(worlds)
        return self._known[worlds]

    def chance(self, worlds: int) -> Fraction:
        return Fraction(self.value(worlds), worlds.bit_count())

    def chance_with(self, worlds: int, cells: Iterable[int]) -> Fraction:
        """The chance to win with best play after opening some cells at once."""
        return Fraction(sum(map(self.value, self.parts(worlds, cells))), worlds.bit_count())

    def parts(self, worlds: int, cells: Iterable[int]) -> list[int]:
        """The sets of worlds that some cells tell apart when all of them are safe."""
        parts = [worlds]
        for cell in cells:
            shows = self.cells[cell].shows.values() if cell in self.cells else ()
            parts = [left for part in parts for same in shows if (left := part & same)]
        return parts

    def best(self, worlds: int) -> int:
        """One of the best cells among those that may be mines; -1 if there is none."""
        if worlds in self._best:
            return self._best[worlds]
        total, count, best, most = self.value(worlds), worlds.bit_count(), -1, -1
        safe = {cell: (played.safe & worlds).bit_count() for cell, played in self.cells.items()}
        guesses = [cell for cell in safe if 0 < safe[cell] < count]
        for cell in sorted(guesses, key=lambda cell: (-safe[cell], cell)):
            if most == total or safe[cell] <= most:
                break
            won = sum(map(self.value, self.parts(worlds, (cell,))))
            if won > most:
                best, most = cell, won
        self._best[worlds] = best
        return best


def _compiled(engine: BoardEngine, search: EndgameSearch, worlds: int) -> CompiledSearch:
    from satsweep.assessment.estimates import CompiledSearch

    return CompiledSearch(engine, search.cells, worlds)


def few_worlds(positions: Positions, symbols: Symbols, most: int) -> FewWorlds | None:
    """The values of a position with few worlds.

    None if it has more than ``most``, or they cannot be listed.
    """
    found = endgame(positions.analysis(symbols), most=most)
    if found is None:
        return None
    return FewWorlds(symbols[:], found.search, found.size, positions.engine if positions.deep else None)


@lru_cache(maxsize=4)
def whole_board(blank: Board, *, kernels: bool) -> FewWorlds | None:
    """The values of all positions of a board with few layouts; None of another one.

    None, too, where the search takes too long. They are kept, as many games are played on the same board.
    """
    positions = Positions(blank, kernels=kernels)
    cells, most = blank.rows * blank.cols, FAST_BOARD if positions.deep else SLOW_BOARD
    if blank.mines is None or cells > MOST_CELLS or not blank.mines <= cells or comb(cells, blank.mines) > most:
        return None
    found = few_worlds(positions, positions.covered, most)
    try:
        if found is not None:
            found.value(found.all)
        return found
    except SearchExhausted:
        return None


def exact_start(few: FewWorlds, cell: int, first: FirstClick) -> Fraction | None:
    """The exact chance of a first cell on a board with few layouts.

    None if its promise cannot be kept.
    """
    parts = few.parts(few.all, (cell,))
    if first is FirstClick.ANY:
        out_of = few.all.bit_count()
    else:
        if first is FirstClick.ZERO:
            zero = few.cells[cell].shows.get(0, 0) if cell in few.cells else 0
            parts = [part for part in parts if part & zero]
        out_of = sum(map(int.bit_count, parts))
    return Fraction(sum(map(few.value, parts)), out_of) if out_of else None


def best_start(few: FewWorlds, first: FirstClick) -> tuple[int, Fraction]:
    chances = {cell: chance for cell in few.cells if (chance := exact_start(few, cell, first)) is not None}
    best = max(sorted(chances), key=chances.__getitem__)
    return best, chances[best]


class WinChances:
    """Win chances in one game.

    ``rolled`` is the number of roll-outs of a choice, ``salt`` seeds them.
    """

    def __init__(self, positions: Positions, rolled: int, salt: int) -> None:
        self.positions = positions
        self._most = FAST if positions.deep else SLOW
        self.whole = whole_board(positions.blank, kernels=positions.fast)
        """All layouts of the board, if they are few enough."""
        self._few = self.whole
        self.estimates: Estimates | None = None
        """Estimates where many worlds are left; None without kernels."""
        if positions.deep and positions.engine is not None:
            from satsweep.assessment.estimates import Estimates

            self.estimates = Estimates(positions, positions.engine, rolled, salt)

    def of(self, settled: Symbols) -> Chance | None:
        """The win chance of a settled position; None if it is not known."""
        if not any(0 < risk < 1 for risk in self.positions.risks(settled)):
            return Chance(Fraction(1), True)
        found = self._exactly(settled)
        if found is not None:
            few, worlds = found
            with suppress(SearchExhausted):
                return Chance(few.chance(worlds), True, few.best(worlds))
        return None if self.estimates is None else self.estimates.of(settled)

    def of_choice(self, seen: Symbols, cells: Sequence[int], risk: Fraction, now: Chance | None) -> Choice | None:
        """The win chances with some cells in a position, and with the best one.

        ``seen`` is the position as the player saw it, ``risk`` the chance that one of the cells is a mine, ``now`` the
        win chance of that position once it is settled in the layout of the game.
        """
        exact = self._exact_choice(seen, cells)
        if exact is not None or now is None or self.estimates is None:
            return exact
        return self.estimates.of_choice(seen, cells, risk, now)

    def of_first(self, cell: int, first: FirstClick, *, judged: bool) -> Choice | None:
        """The win chances of a first cell and of the best one; None if they are not known.

        A cell that is not ``judged`` counts as the best one, and so does each on a board with many layouts.
        """
        if self.whole is not None:
            chosen = exact_start(self.whole, cell, first)
            if chosen is None or not judged:
                return None if chosen is None else Choice(chosen, chosen, True)
            best, possible = best_start(self.whole, first)
            return Choice(chosen, possible, True, best=best)
        if not self.positions.deep:
            return None
        from satsweep.assessment.estimates import estimated_start

        found = estimated_start(self.positions.blank, cell, first)
        return found and Choice(found.win, found.win, False)

    def of_cell(self, seen: Symbols, cell: int, risk: Fraction) -> Choice | None:
        """The win chances with a cell of a position and with the best one.

        They depend on what is seen alone: roll-outs are seeded by it, and nothing is known of the layout.
        """
        exact = self._exact_choice(seen, (cell,))
        if exact is not None or self.estimates is None:
            return exact
        self.estimates.salt = _salt(seen, cell)
        return self.estimates.of_cell(seen, cell, risk)

    def of_seen(self, seen: Symbols) -> Chance | None:
        """The win chance of a position, settled or not; None if it is not known.

        It depends on what is seen alone, as that of ``of_cell``.
        """
        if self._exactly(seen) is not None or 0 not in self.positions.risks(seen):
            return self.of(seen)
        if self.estimates is None:
            return None
        self.estimates.salt = _salt(seen, -1)
        return self.estimates.of_seen(seen)

    def _exact_choice(self, seen: Symbols, cells: Sequence[int]) -> Choice | None:
        found = self._exactly(seen)
        if found is not None:
            few, worlds = found
            with suppress(SearchExhausted):
                return Choice(few.chance_with(worlds, cells), few.chance(worlds), True, best=few.best(worlds))
        return None

    def _exactly(self, symbols: Symbols) -> tuple[FewWorlds, int] | None:
        if self._few is None or not self._few.leads_to(symbols):
            analysis = self.positions.analysis(symbols)
            if analysis.worlds is None or analysis.worlds > self._most:
                return None
            self._few = few_worlds(self.positions, symbols, self._most)
            if self._few is None:
                return None
        worlds = self._few.worlds_of(symbols)
        try:
            self._few.value(worlds)
        except SearchExhausted:
            return None
        return self._few, worlds


class NoGuessChances:
    """Win chances on a board that was made to need no guess.

    They are certain, but for the risk of a guess, which is taken as that among all layouts.
    """

    def __init__(self, positions: Positions) -> None:
        self.positions = positions

    def of(self, settled: Symbols) -> Chance:
        return Chance(Fraction(1), True)

    def of_first(self, cell: int, first: FirstClick, *, judged: bool) -> Choice:
        return Choice(Fraction(1), Fraction(1), True)

    def of_choice(self, seen: Symbols, cells: Sequence[int], risk: Fraction, now: Chance | None) -> Choice:
        least = self.positions.analysis(seen).least_risk or Fraction(0)
        return Choice(1 - risk, 1 - least, False)


def _salt(seen: Symbols, cell: int) -> int:
    """Seed of the roll-outs of a cell in a position."""
    return int.from_bytes(sha256(seen.tobytes() + cell.to_bytes(4, "little", signed=True)).digest()[:5], "little")
