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
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from math import ceil, fsum, sqrt
from typing import Any

from satsweep.analysis.deep import NO_RISK, within_survival
from satsweep.analysis.endgame import PlayedCell, SearchExhausted
from satsweep.assessment.positions import COVERED, MINED, Positions, Symbols
from satsweep.assessment.verdicts import Chance, Choice
from satsweep.board import Board
from satsweep.games.rules import FirstClick
from satsweep.kernels.board_engine import MINE, BoardEngine, PosedEndgame
from satsweep.topology import SQUARE

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
    """The chance of the deep player from a first cell; None if it has none."""
    row, col = divmod(cell, blank.cols)
    if blank.topology == SQUARE:  # mirror images are alike
        row, col = min(row, blank.rows - 1 - row), min(col, blank.cols - 1 - col)
    known = _table().get(f"{blank.rows}x{blank.cols}/{blank.mines}", {}).get(first.value, {}).get(f"{row},{col}")
    if known is not None and blank.topology == SQUARE:
        return Chance(within_survival(rounded(known)), False)
    value = play_from(blank, row * blank.cols + col, first, GAMES)
    return None if value is None else Chance(within_survival(rounded(value[0])), False)


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
    engine = BoardEngine(blank.topology.neighbours(blank.rows, blank.cols), blank.mines or 0)
    run = f"start {blank.rows}x{blank.cols}/{blank.mines} {cell}"
    values = engine.chances(run, "safe" if first is FirstClick.GIVEN else first.value, cell, games)
    return (_mean(values), _error(values)) if values else None


class CompiledSearch:
    """The compiled search of endgames for one set of worlds and its parts."""

    def __init__(self, engine: BoardEngine, cells: dict[int, PlayedCell], worlds: int) -> None:
        columns = []
        for played in cells.values():
            column = bytearray([MINE]) * worlds
            for number, same in played.shows.items():
                for world in _members(same):
                    column[world] = number
            columns.append(column)
        columns = columns or [bytearray([MINE]) * worlds]  # without cells it takes one that is never opened
        self._endgame = PosedEndgame(engine, [bytes(row) for row in zip(*columns, strict=True)])

    def value(self, worlds: int) -> int:
        """The number of worlds of a set that best play wins.

        Raises SearchExhausted where its room is spent.
        """
        try:
            return self._endgame.value(_members(worlds))
        except MemoryError:
            raise SearchExhausted from None


def _members(worlds: int) -> list[int]:
    """The members of a set of worlds."""
    return [place for place, bit in enumerate(reversed(bin(worlds)[2:])) if bit == "1"]


class Estimates:
    """Estimates in one game.

    ``rolled`` is the number of roll-outs of a choice, ``salt`` seeds them.
    """

    def __init__(self, positions: Positions, engine: BoardEngine, rolled: int, salt: int) -> None:
        self.positions, self.engine, self.rolled, self.salt = positions, engine, rolled, salt

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
        count = max(4, self.rolled // FEWER)
        drawn = self.engine.sample(seen.tobytes(), count, self.salt)
        if drawn is None:
            return None
        values = [self._rolled_value(self._settled(seen, mined))[0] for mined in drawn]
        return Chance(within_survival(rounded(_mean(values))), False)

    def of(self, settled: Symbols) -> Chance | None:
        """The estimate for a settled position; None if the player has none."""
        guess = self.engine.guess(settled.tobytes())
        if guess is None:
            return None
        risk = self.positions.analysis(settled).least_risk or NO_RISK
        return Chance(within_survival(rounded(guess.value), risk), False, guess.cell)

    def _rolled_out(self, settled: Symbols, cell: int, safe: Fraction, now: Chance) -> Choice:
        """The choice of a cell in a settled position, against that of the deep player."""
        differences: list[float] = []
        if cell != now.best:
            differences = [own - best for own, best in self._roll_out(settled, (cell, now.best), self.rolled)]
        lost = -_mean(differences) if len(differences) > 1 else 0.0
        most = 1 - (self.positions.analysis(settled).least_risk or NO_RISK)
        return _choice(now.win, lost, safe, _error(differences), now.best, most)

    def _roll_out(self, settled: Symbols, cells: Sequence[int], worlds: int) -> list[tuple[float, ...]]:
        self.salt += 1
        return self.engine.roll_out(settled.tobytes(), cells, worlds, self.salt)

    def _over_worlds(self, seen: Symbols, cells: Sequence[int], risk: Fraction) -> Choice | None:
        """The choice of cells beside safe ones, or of several cells at once."""
        self.salt += 1
        count = max(4, self.rolled // FEWER)
        rare = min(risk, 1 - risk) or 1  # all worlds have a mine there if the risk is 1
        most = min(MOST_DRAWN, ceil(8 * count / rare))
        drawn = self.engine.sample(seen.tobytes(), most, self.salt)
        if drawn is None:
            return None
        hit = [mined for mined in drawn if any(mined[cell] for cell in cells)]
        free = [mined for mined in drawn if not any(mined[cell] for cell in cells)]
        hits = min(max(2, round(count * risk)), count - 2)
        strata = ((float(risk), hit[:hits]), (float(1 - risk), free[: count - hits]))
        possible = lost = squares = drawn_weight = 0.0
        for weight, worlds in strata:
            if worlds:
                found = [self._value_in(mined, seen, cells) for mined in worlds]
                before, differences = [won for won, _ in found], [less for _, less in found]
                drawn_weight += weight
                possible += weight * _mean(before)
                lost += weight * _mean(differences)
                squares += (weight * _error(differences)) ** 2
        lost, possible, error = lost / drawn_weight, possible / drawn_weight, sqrt(squares) / drawn_weight
        return _choice(within_survival(rounded(possible)), lost, 1 - risk, error, -1)

    def _value_in(self, mined: bytes, seen: Symbols, cells: Sequence[int]) -> tuple[float, float]:
        """The win chance in a world once it is settled, and what cells give away."""
        settled = self._settled(seen, mined)
        risks = self.positions.risks(settled)
        won, best = self._rolled_value(settled)
        rest = [cell for cell in cells if settled[cell] == COVERED]
        if any(risks[cell] == 1 for cell in rest):
            return won, won
        if len(rest) == 1 and best >= 0 and rest[0] != best:
            values = self._roll_out(settled, (best, rest[0]), FEWER)
            return won, _mean([one - other for one, other in values]) if values else 0.0
        if len(rest) < 2:
            return won, 0.0
        if any(mined[cell] for cell in rest):
            return won, won
        shown = self._numbers(mined)
        for cell in rest:
            settled[cell] = shown[cell]
        return won, won - self._rolled_value(self._settled(settled, mined))[0]

    def _rolled_value(self, settled: Symbols) -> tuple[float, int]:
        """The chance to win from a settled position, by few roll-outs, and its cell."""
        now = self._of_drawn(settled)
        if now.exact:
            return float(now.win), now.best
        values = self._roll_out(settled, (now.best,), FEWER)
        return _mean([value for (value,) in values]) if values else float(now.win), now.best

    def _of_drawn(self, settled: Symbols) -> Chance:
        """The estimate of the deep player for a position settled in a drawn world."""
        if not any(0 < risk < 1 for risk in self.positions.risks(settled)):
            return Chance(Fraction(1), True)
        guess = self.engine.guess(settled.tobytes())
        if guess is None:
            return Chance(Fraction(0), True)
        return Chance(within_survival(rounded(guess.value)), guess.exact, guess.cell)

    def _numbers(self, mined: bytes) -> Symbols:
        """The number of every cell of a layout, ``MINED`` for a mine."""
        shown = array("b", bytes(len(mined)))
        mines = [cell for cell, mine in enumerate(mined) if mine]
        for cell in mines:
            for other in self.positions.near[cell]:
                shown[other] += 1
        for cell in mines:
            shown[cell] = MINED
        return shown

    def _settled(self, seen: Symbols, mined: bytes) -> Symbols:
        """A position in a layout after all deduction."""
        return self.positions.settled(seen, self._numbers(mined))


def _mean(values: Iterable[float]) -> float:
    """The mean, rounded once: it is the same everywhere."""
    known = list(values)
    return fsum(known) / len(known)


def _error(values: Sequence[float]) -> float:
    """The standard error of a mean; 0 of less than two values."""
    if len(values) < 2:
        return 0.0
    mean = _mean(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def _choice(
    possible: Fraction, lost: float, safe: Fraction, error: float, best: int, most: Fraction = Fraction(1)
) -> Choice:
    """A choice that gives ``lost`` away.

    It wins at most with ``safe``, and the best one with ``most``; ``possible`` is no more than that. Where a chance
    would be out of bounds, both are moved, so that what is given away stays.
    """
    given_away = max(-safe, min(most, rounded(lost)))
    chosen = min(safe, max(Fraction(0), -given_away, possible - given_away))
    return Choice(chosen, chosen + given_away, False, rounded(error), best)
