"""Win chances: of positions, and of the cells that a player opens in them.

A position counts as what it will be once deduction is at its end (``Positions.settled``). The numbers of safe cells
are therefore booked when the cells become certain, and opening them changes nothing.

*Exact*, where few worlds are left, or the whole board has few layouts: best play. A set of
worlds is an integer of one bit a world; its value is the number of its worlds that best play wins, found by the
compiled search of endgames if there is a library, else by the same search in Python (``solver.endgame``).

*Estimates*, elsewhere. Let p be the deep player of level 2, V(S) its chance to win from S, and Q(S, c) the same after
it has opened c. Over its positions p's own estimate of V is right on average, and is shown as the win chance. A choice
gives away A = Q(S, c) - V(S): nothing where p chooses the same cell; else the mean difference of roll-outs of both
cells in the same worlds, luck taken away (``satsweep.kernels.lookahead.rollouts``). They are drawn for this game alone,
so A has no bias. The outcome of a game is V at its start, plus A of all choices, plus terms of mean 0 (performance
difference lemma, Kakade and Langford 2002): the luck. With few worlds p plays best, so both kinds of values fit
together.

A guess in a position P that has safe cells is compared with opening these. In each of some worlds P is settled: the
guessed cell is then certain, or it is a choice as above. The risk is known exactly, so worlds with and without a mine
there are drawn apart (stratified sampling), and their means weigh as much as the worlds do. No chance of a choice is
above the chance to survive it.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.assessment.positions import COVERED, Mined, Positions, Symbols
from satsweep.board import Board
from satsweep.solver import compiled
from satsweep.solver.endgame import EndgameSearch, PlayedCell, SearchExhausted, endgame

FAST, SLOW = 1_000, 300
"""Most worlds of an endgame, with and without kernels.

The first is that of the player that estimates elsewhere (``DEEP``).
"""
FAST_BOARD, SLOW_BOARD, MOST_CELLS = 20_000, 1_000, 64
"""Most layouts of a board that is played exactly throughout, and most cells."""


class FewWorlds:
    """The worlds of a position, and the values of all sets that play can come to.

    Raises SearchExhausted where the search in Python takes too long.
    """

    def __init__(self, base: Symbols, search: EndgameSearch, worlds: int, *, fast: bool) -> None:
        self.base = base
        self.cells = search.cells
        self.all = (1 << worlds) - 1
        self._search = CompiledSearch(search.cells, worlds) if fast else search
        self._known: dict[int, int] = {}
        self._best: dict[int, int] = {}

    def leads_to(self, symbols: Symbols) -> bool:
        """Return whether a position can follow from this one."""
        return bool(((self.base == COVERED) | (self.base == symbols)).all())

    def worlds_of(self, symbols: Symbols) -> int:
        """The worlds that agree with a position that follows from this one."""
        left = self.all
        for cell, played in self.cells.items():
            if symbols[cell] != COVERED:
                left &= played.shows.get(int(symbols[cell]), 0)
        return left

    def value(self, worlds: int) -> int:
        """The number of worlds of a set that best play wins."""
        if worlds & (worlds - 1) == 0:
            return int(worlds > 0)
        if worlds not in self._known:
            self._known[worlds] = self._search.value(worlds)
        return self._known[worlds]

    def chance(self, worlds: int) -> Fraction:
        """The chance to win with best play."""
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


class CompiledSearch:
    """The compiled search of endgames for one set of worlds and its parts."""

    def __init__(self, cells: dict[int, PlayedCell], worlds: int) -> None:
        table = np.full((worlds, len(cells)), compiled.ENDGAME_MINE, np.uint8)
        for column, played in enumerate(cells.values()):
            for number, same in played.shows.items():
                table[_places(same, worlds), column] = number
        self._room = compiled.EndgameRoom(table)
        self._worlds = worlds

    def value(self, worlds: int) -> int:
        """The number of worlds of a set that best play wins.

        Raises SearchExhausted where its room is spent.
        """
        try:
            return self._room.value(np.flatnonzero(_places(worlds, self._worlds)).tolist())
        except MemoryError:
            raise SearchExhausted from None


def _places(worlds: int, count: int) -> NDArray[np.bool_]:
    """A set of worlds as an array of its members."""
    content = worlds.to_bytes((count + 7) // 8, "little")
    return np.unpackbits(np.frombuffer(content, np.uint8), count=count, bitorder="little").astype(bool)


def few_worlds(positions: Positions, symbols: Symbols, most: int) -> FewWorlds | None:
    """The values of a position with few worlds.

    None if it has more than ``most``, or they cannot be listed.
    """
    found = endgame(positions.analysis(symbols), most=most)
    if found is None:
        return None
    return FewWorlds(symbols.copy(), found.search, found.size, fast=positions.deep)


@lru_cache(maxsize=4)
def whole_board(blank: Board, *, kernels: bool) -> FewWorlds | None:
    """The values of all positions of a board with few layouts; None of another one.

    They are kept, as many games are played on the same board.
    """
    positions = Positions(blank, kernels=kernels)
    cells, most = blank.rows * blank.cols, FAST_BOARD if positions.deep else SLOW_BOARD
    if blank.mines is None or cells > MOST_CELLS or not blank.mines <= cells or comb(cells, blank.mines) > most:
        return None
    return few_worlds(positions, np.full(cells, COVERED, np.int8), most)


LEVEL = 2
"""Level of the deep player that estimates."""
DIGITS = 10**6
"""Estimates are rounded to a fraction with this denominator: sums are exact."""
FEWER = 4
"""Roll-outs in each world that is drawn where a position has safe cells.

There are as many fewer of these worlds.
"""
MOST_DRAWN = 4_096
"""Most worlds that are drawn to have some with a mine, and some without."""


class Chance(NamedTuple):
    """A win chance, and one of the best cells to open; -1 if there is none."""

    win: Fraction
    exact: bool
    best: int = -1


class Choice(NamedTuple):
    """The win chances with some cells and with the best one, exact or estimates.

    ``error`` is the standard error of their difference.
    """

    chosen: Fraction
    possible: Fraction
    exact: bool
    error: Fraction = Fraction(0)
    best: int = -1


def rounded(number: float) -> Fraction:
    """An estimate as a fraction."""
    return Fraction(round(number * DIGITS), DIGITS)


class WinChances:
    """Win chances in one game.

    ``rolled`` is the number of roll-outs of a choice, ``salt`` seeds them.
    """

    def __init__(self, positions: Positions, rolled: int, salt: int) -> None:
        self.positions, self.rolled, self.salt = positions, rolled, salt
        self._most = FAST if positions.deep else SLOW
        self.whole = whole_board(positions.blank, kernels=positions.fast)
        """All layouts of the board, if they are few enough."""
        self._few = self.whole

    def of(self, settled: Symbols, risks: np.ndarray) -> Chance | None:
        """The win chance of a settled position with these risks; None if it is not known."""
        if not ((risks > 0) & (risks < 1)).any():
            return Chance(Fraction(1), True)
        found = self._exactly(settled)
        if found is not None:
            few, worlds = found
            with suppress(SearchExhausted):
                return Chance(few.chance(worlds), True, few.best(worlds))
        return self._estimate(settled)

    def of_choice(
        self, seen: Symbols, risks: np.ndarray, cells: Sequence[int], risk: Fraction, now: Chance | None
    ) -> Choice | None:
        """The win chances with some cells in a position, and with the best one.

        ``seen`` is the position as the player saw it, ``risk`` the chance that one of the cells is a mine, ``now`` the
        win chance of that position once it is settled in the layout of the game.
        """
        found = self._exactly(seen)
        if found is not None:
            few, worlds = found
            with suppress(SearchExhausted):
                return Choice(few.chance_with(worlds, cells), few.chance(worlds), True, best=few.best(worlds))
        if now is None or not self.positions.deep:
            return None
        settled = not (risks == 0).any()
        if risk == 1:
            return Choice(Fraction(0), now.win, False, best=now.best if settled else -1)
        if settled and len(cells) == 1:
            return self._rolled_out(seen, cells[0], 1 - risk, now)
        return self._over_worlds(seen, list(cells), risk)

    def _exactly(self, symbols: Symbols) -> tuple[FewWorlds, int] | None:
        """The worlds of a position, with their values, if there are few."""
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

    def _estimate(self, settled: Symbols) -> Chance | None:
        """The estimate of the deep player for a settled position; None if it is not there."""
        positions = self.positions
        if not positions.deep:
            return None
        advice = compiled.advise(settled, positions.table, positions.blank.mines or 0, LEVEL)
        if advice.status != compiled.FINE or advice.cell < 0:
            return None
        survived = 1 - Fraction(positions.analysis(settled).least_risk or 0)
        return Chance(min(survived, rounded(advice.value)), False, advice.cell)

    def _rolled_out(self, settled: Symbols, cell: int, safe: Fraction, now: Chance) -> Choice:
        """The choice of a cell in a settled position, against that of the deep player."""
        difference = np.zeros(0)
        if cell != now.best:
            values = self._roll_out(settled, (cell, now.best), self.rolled)
            difference = values[:, 0] - values[:, 1]
        lost = float(-difference.mean()) if len(difference) > 1 else 0
        return _choice(now.win, lost, safe, _error(difference), now.best)

    def _roll_out(self, settled: Symbols, cells: Sequence[int], worlds: int) -> np.ndarray:
        positions = self.positions
        self.salt += 1
        player = compiled.DEEP[LEVEL]
        values = compiled.roll_out(
            settled, positions.table, positions.blank.mines or 0, cells, worlds, player, self.salt
        )
        return values[(values >= 0).all(axis=1)]

    def _over_worlds(self, seen: Symbols, cells: Sequence[int], risk: Fraction) -> Choice | None:
        """The choice of cells beside safe ones, or of several cells at once."""
        positions = self.positions
        self.salt += 1
        count = max(4, self.rolled // FEWER)
        most = min(MOST_DRAWN, ceil(8 * count / min(risk, 1 - risk)))
        drawn = compiled.sample_worlds(seen, positions.table, positions.blank.mines or 0, most, self.salt)
        if drawn is None:
            return None
        mined = drawn.astype(bool)
        hit = mined[:, cells].any(axis=1)
        hits = min(max(2, round(count * risk)), count - 2)
        strata = ((float(risk), mined[hit][:hits]), (float(1 - risk), mined[~hit][: count - hits]))
        possible = lost = squares = drawn_weight = 0.0
        for weight, worlds in strata:
            if len(worlds):
                before, differences = self._values_in(worlds, seen, cells)
                drawn_weight += weight
                possible += weight * float(before.mean())
                lost += weight * float(differences.mean())
                squares += (weight * _error(differences)) ** 2
        lost, possible, error = lost / drawn_weight, possible / drawn_weight, squares**0.5 / drawn_weight
        return _choice(rounded(possible), lost, 1 - risk, error, -1)

    def _values_in(self, mined: Mined, seen: Symbols, cells: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Win chances in worlds once they are settled, and what cells give away."""
        positions = self.positions
        settled, risks = positions.settled(np.tile(seen, (len(mined), 1)), mined)
        shown = positions.numbers(mined)
        won, lost = np.zeros(len(mined)), np.zeros(len(mined))
        for at, row in enumerate(settled):
            won[at], best = self._rolled_value(row, risks[at])
            rest = [cell for cell in cells if row[cell] == COVERED]
            if any(risks[at, cell] == 1 for cell in rest):
                lost[at] = won[at]
            elif len(rest) == 1 and best >= 0 and rest[0] != best:
                values = self._roll_out(row, (best, rest[0]), FEWER)
                lost[at] = (values[:, 0] - values[:, 1]).mean() if len(values) else 0
            elif len(rest) > 1:
                lost[at] = won[at]
                if not mined[at, rest].any():
                    row[rest] = shown[at, rest]
                    then, left = positions.settled(row[None], mined[at : at + 1])
                    lost[at] -= self._rolled_value(then[0], left[0])[0]
        return won, lost

    def _rolled_value(self, settled: Symbols, risks: np.ndarray) -> tuple[float, int]:
        """The chance to win from a settled position, by few roll-outs, and its cell."""
        now = self._of_drawn(settled, risks)
        if now.exact:
            return float(now.win), now.best
        values = self._roll_out(settled, (now.best,), FEWER)
        return float(values.mean()) if len(values) else float(now.win), now.best

    def _of_drawn(self, settled: Symbols, risks: np.ndarray) -> Chance:
        """The estimate of the deep player for a position settled in a drawn world."""
        if not ((risks > 0) & (risks < 1)).any():
            return Chance(Fraction(1), True)
        positions = self.positions
        advice = compiled.advise(settled, positions.table, positions.blank.mines or 0, LEVEL)
        if advice.status != compiled.FINE or advice.cell < 0:
            return Chance(Fraction(0), True)
        return Chance(rounded(advice.value), advice.exact, advice.cell)


def _error(values: np.ndarray) -> float:
    """The standard error of a mean; 0 of less than two values."""
    return float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0


def _choice(possible: Fraction, lost: float, safe: Fraction, error: float, best: int) -> Choice:
    """A choice that gives ``lost`` away, with a win chance of at most ``safe``."""
    given_away = rounded(lost)
    chosen = min(safe, max(Fraction(0), possible - given_away))
    return Choice(chosen, chosen + given_away, False, rounded(error), best)
