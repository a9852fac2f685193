"""Estimates of win chances by the deep player, where many worlds are left.

Let p be the deep player of level 2, V(S) its chance to win from S, and Q(S, c) the same after
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

For a first cell of the standard levels ``starts.json`` has the chance, written by ``benchmarks/review.py``; on other
boards the deep player plays some games from the cell, luck taken away.
"""

import json
from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satsweep.assessment.positions import COVERED, MINED, Positions, Symbols
from satsweep.assessment.verdicts import Chance, Choice
from satsweep.board import Board
from satsweep.games.rules import FirstClick
from satsweep.solver import compiled
from satsweep.solver.endgame import PlayedCell, SearchExhausted
from satsweep.topology import SQUARE

Rows = NDArray[np.int8]
"""Position, shape (cells,), or several, shape (positions, cells)."""
Mined = NDArray[np.bool_]
"""Mines of some layouts, shape (layouts, cells)."""
Risks = NDArray[np.float64]
"""Risks, shaped as the positions are."""
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
GAMES = 200
"""Games that are played from a cell to estimate its chance."""


def rounded(number: float) -> Fraction:
    return Fraction(round(number * DIGITS), DIGITS)


def estimated_start(blank: Board, cell: int, first: FirstClick) -> Chance | None:
    """The chance of the deep player from a first cell; None without kernels."""
    row, col = divmod(cell, blank.cols)
    if blank.topology == SQUARE:  # mirror images are alike
        row, col = min(row, blank.rows - 1 - row), min(col, blank.cols - 1 - col)
    known = _table().get(f"{blank.rows}x{blank.cols}/{blank.mines}", {}).get(first.value, {}).get(f"{row},{col}")
    if known is not None and blank.topology == SQUARE:
        return Chance(rounded(known), False)
    value = play_from(blank, row * blank.cols + col, first, GAMES)
    return None if value is None else Chance(rounded(value[0]), False)


@cache
def _table() -> dict[str, Any]:
    text = files("satsweep.assessment").joinpath("starts.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@lru_cache(maxsize=4096)
def play_from(blank: Board, cell: int, first: FirstClick, games: int) -> tuple[float, float] | None:
    """Mean chance to win of the deep player from a first cell, and its standard error.

    Luck is taken away from every game.
    """
    estimates = np.full((games, 2), -1.0)
    table = compiled.table_of(blank.topology, blank.rows, blank.cols)
    played = compiled.play_games(
        table, blank.mines or 0, f"start {blank.rows}x{blank.cols}/{blank.mines} {cell}", range(games),
        first="safe" if first is FirstClick.GIVEN else first.value, start=cell, policy="deep", level=LEVEL,
        estimates=estimates,
    )  # fmt: skip
    beyond = played["outcome"] == compiled.OUTCOMES.index("beyond")
    values = np.where(estimates[:, 0] >= 0, estimates[:, 0], played["won"]) - estimates[:, 1]
    values = values[~beyond]
    if not len(values):
        return None
    return float(values.mean()), float(values.std() / len(values) ** 0.5)


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


class Estimates:
    """Estimates in one game.

    ``rolled`` is the number of roll-outs of a choice, ``salt`` seeds them.
    """

    def __init__(self, positions: Positions, rolled: int, salt: int) -> None:
        self.positions, self.rolled, self.salt = positions, rolled, salt
        self._around = _padded(positions.near)

    def of_choice(self, seen: Symbols, cells: Sequence[int], risk: Fraction, now: Chance) -> Choice | None:
        """The win chances of ``WinChances.of_choice``."""
        settled = 0 not in self.positions.risks(seen)
        if risk == 1:
            return Choice(Fraction(0), now.win, False, best=now.best if settled else -1)
        if settled and len(cells) == 1:
            return self._rolled_out(seen, cells[0], 1 - risk, now)
        return self._over_worlds(seen, list(cells), risk)

    def of_cell(self, seen: Symbols, cell: int, risk: Fraction) -> Choice | None:
        """The win chances of ``WinChances.of_cell``."""
        if 0 in self.positions.risks(seen):
            return self._over_worlds(seen, [cell], risk)
        now = self.of(seen)
        return None if now is None else self.of_choice(seen, [cell], risk, now)

    def of_seen(self, seen: Symbols) -> Chance | None:
        """The estimate for a position with safe cells: the mean over some worlds."""
        position = np.frombuffer(seen, np.int8)
        count = max(4, self.rolled // FEWER)
        drawn = compiled.sample_worlds(
            position, self.positions.table, self.positions.blank.mines or 0, count, self.salt
        )
        if drawn is None:
            return None
        settled, risks = self._settled(np.tile(position, (count, 1)), drawn.astype(bool))
        values = [self._rolled_value(row, own)[0] for row, own in zip(settled, risks, strict=True)]
        return Chance(rounded(sum(values) / count), False)

    def of(self, settled: Symbols) -> Chance | None:
        """The estimate for a settled position; None if the player has none."""
        positions = self.positions
        advice = compiled.advise(np.frombuffer(settled, np.int8), positions.table, positions.blank.mines or 0, LEVEL)
        if advice.status != compiled.FINE or advice.cell < 0:
            return None
        survived = 1 - Fraction(positions.analysis(settled).least_risk or 0)
        return Chance(min(survived, rounded(advice.value)), False, advice.cell)

    def _rolled_out(self, settled: Symbols, cell: int, safe: Fraction, now: Chance) -> Choice:
        """The choice of a cell in a settled position, against that of the deep player."""
        difference = np.zeros(0)
        if cell != now.best:
            values = self._roll_out(np.frombuffer(settled, np.int8), (cell, now.best), self.rolled)
            difference = values[:, 0] - values[:, 1]
        lost = float(-difference.mean()) if len(difference) > 1 else 0
        return _choice(now.win, lost, safe, _error(difference), now.best)

    def _roll_out(self, settled: Rows, cells: Sequence[int], worlds: int) -> np.ndarray:
        positions = self.positions
        self.salt += 1
        player = compiled.DEEP[LEVEL]
        values = compiled.roll_out(
            settled, positions.table, positions.blank.mines or 0, cells, worlds, player, self.salt
        )
        return values[(values >= 0).all(axis=1)]

    def _over_worlds(self, seen: Symbols, cells: Sequence[int], risk: Fraction) -> Choice | None:
        """The choice of cells beside safe ones, or of several cells at once."""
        positions, position = self.positions, np.frombuffer(seen, np.int8)
        self.salt += 1
        count = max(4, self.rolled // FEWER)
        rare = min(risk, 1 - risk) or 1  # all worlds have a mine there if the risk is 1
        most = min(MOST_DRAWN, ceil(8 * count / rare))
        drawn = compiled.sample_worlds(position, positions.table, positions.blank.mines or 0, most, self.salt)
        if drawn is None:
            return None
        mined = drawn.astype(bool)
        hit = mined[:, cells].any(axis=1)
        hits = min(max(2, round(count * risk)), count - 2)
        strata = ((float(risk), mined[hit][:hits]), (float(1 - risk), mined[~hit][: count - hits]))
        possible = lost = squares = drawn_weight = 0.0
        for weight, worlds in strata:
            if len(worlds):
                before, differences = self._values_in(worlds, position, cells)
                drawn_weight += weight
                possible += weight * float(before.mean())
                lost += weight * float(differences.mean())
                squares += (weight * _error(differences)) ** 2
        lost, possible, error = lost / drawn_weight, possible / drawn_weight, squares**0.5 / drawn_weight
        return _choice(rounded(possible), lost, 1 - risk, error, -1)

    def _values_in(self, mined: Mined, seen: Rows, cells: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Win chances in worlds once they are settled, and what cells give away."""
        settled, risks = self._settled(np.tile(seen, (len(mined), 1)), mined)
        shown = self._numbers(mined)
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
                    then, left = self._settled(row[None], mined[at : at + 1])
                    lost[at] -= self._rolled_value(then[0], left[0])[0]
        return won, lost

    def _rolled_value(self, settled: Rows, risks: np.ndarray) -> tuple[float, int]:
        """The chance to win from a settled position, by few roll-outs, and its cell."""
        now = self._of_drawn(settled, risks)
        if now.exact:
            return float(now.win), now.best
        values = self._roll_out(settled, (now.best,), FEWER)
        return float(values.mean()) if len(values) else float(now.win), now.best

    def _of_drawn(self, settled: Rows, risks: np.ndarray) -> Chance:
        """The estimate of the deep player for a position settled in a drawn world."""
        if not ((risks > 0) & (risks < 1)).any():
            return Chance(Fraction(1), True)
        positions = self.positions
        advice = compiled.advise(settled, positions.table, positions.blank.mines or 0, LEVEL)
        if advice.status != compiled.FINE or advice.cell < 0:
            return Chance(Fraction(0), True)
        return Chance(rounded(advice.value), advice.exact, advice.cell)

    def _risks(self, rows: Rows) -> Risks:
        positions = self.positions
        status, found = compiled.positions(rows, positions.table, [positions.blank.mines or 0] * len(rows))
        for at in np.flatnonzero(status != compiled.FINE).tolist():
            found[at] = positions.risks(array("b", rows[at].tobytes()))
        return found

    def _numbers(self, mined: Mined) -> Rows:
        """The number of every cell of some layouts, ``MINED`` for a mine."""
        padded = np.concatenate([mined, np.zeros((len(mined), 1), bool)], axis=1)
        shown: Rows = padded[:, self._around].sum(axis=2).astype(np.int8)
        shown[mined] = MINED
        return shown

    def _settled(self, rows: Rows, mined: Mined) -> tuple[Rows, Risks]:
        """Positions, each in its layout, after all deduction, and their risks."""
        now, shown = rows.copy(), self._numbers(mined)
        risks = np.empty(now.shape)
        going = np.arange(len(now))
        while len(going):
            risks[going] = self._risks(now[going])
            safe = risks[going] == 0
            now[going] = np.where(safe, shown[going], now[going])
            going = going[safe.any(axis=1)]
        return now, risks


def _padded(near: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Neighbours of every cell, filled up with the number of cells."""
    around = np.full((len(near), max(1, *map(len, near))), len(near))
    for row, cells in zip(around, near, strict=True):
        row[: len(cells)] = cells
    return around


def _error(values: np.ndarray) -> float:
    """The standard error of a mean; 0 of less than two values."""
    return float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0


def _choice(possible: Fraction, lost: float, safe: Fraction, error: float, best: int) -> Choice:
    """A choice that gives ``lost`` away, with a win chance of at most ``safe``."""
    given_away = rounded(lost)
    chosen = min(safe, max(Fraction(0), possible - given_away))
    return Choice(chosen, chosen + given_away, False, rounded(error), best)
