"""Probabilities of readings, by the exact engine.

A reading weighs as much as the looks of its cells allow, times the probability that mines of a usual density lie so
that all its numbers are true: the engine counts these layouts. A digit that may be a 2 or a 3 is what its neighbours
leave of it. Other doubtful digits take part with all their likelihoods, as numbers that may be wrong do
(``satsweep.clues``). A flag is a covered cell here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import exp, inf, log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satsweep.board import Board
from satsweep.errors import Contradiction
from satsweep.formats.pictures.kinds import COVERED, FLAG, MINE, SYMBOLS, UNKNOWN, ZERO
from satsweep.formats.pictures.meaning import ZERO_CLOSED, MeaningSearch, rule_score, text
from satsweep.formats.pictures.repair import GIVEN_UP, MAY_BE_MINES, Prices, repair
from satsweep.part import WHOLE, Part
from satsweep.solver.budget import Budget
from satsweep.solver.constraints import CellConstraint, ConstraintReader, cell_constraints, covered_cells
from satsweep.solver.pipeline import solve
from satsweep.solver.probability import Prior

if TYPE_CHECKING:
    from satsweep.formats.pictures.meaning import Meaning

DENSITY = Fraction(1, 5)
"""Share of mines on most boards, about."""
MOST_WEIGHED = 60
"""Readings of a picture that are weighed at most."""
USUAL = Budget(seconds=0.3)
"""Of the counting of one reading."""
ONE = 1_000_000
"""Likelihood one, as an integer."""
FEW_CELLS = 2
"""Most cells of a kind that takes part in other weights with all its likelihoods."""
HOPELESS = 0.3
"""Share of cells with a repair from which on a reading is no board."""
IMPOSSIBLE = -7.0
"""Logarithm of the odds that a picture shows numbers that cannot be true together."""
MOST_OPTIONS = 5
"""Meanings of a kind that are weighed at most."""
APART = 2.3, 4.0
"""Prices of taking a cell with a glyph, and a blank one, apart from its kind."""
REPAIRED = 0.95
"""Probability that a repair is one of those that were found."""
LEAST_ALIKE = 1e-3
"""Probability that a blank cell is like those of the other meaning, at least."""
LEAST_PRICE = 0.5
"""Price of any other change, so that none is made without need."""
LEAST_LIKELY = -7.0
"""Logarithm of the least likelihood, relative to the best, that is weighed."""


class Weigher:
    """Weights of the readings of one picture, as logarithms."""

    def __init__(self, search: MeaningSearch, part: Part = WHOLE) -> None:
        self.search, self.part = search, part
        self.weighed = 0
        self.given_up: set[int] = set()
        """Cells whose numbers contradict others, and are left out."""
        self.options = {kind: found for kind in range(len(search.meaning)) if len(found := self._options(kind)) > 1}
        self._open = {
            int(cell): self._likelihood(kind)
            for kind, found in self.options.items()
            if search.kinds.sizes[kind] <= FEW_CELLS and all(ZERO < symbol < FLAG for symbol in found)
            for cell in np.flatnonzero(search.kinds.of == kind)
        }

    def posterior(self, kind: int) -> dict[int, float]:
        """Probability of each meaning of a kind, given all other kinds."""
        search = self.search
        before = search.meaning[kind]
        totals = {}
        for symbol in self.options[kind]:
            search.meaning[kind] = symbol
            totals[symbol] = search.looks(search.meaning) + self.weight(search.symbols, without=kind)
        search.meaning[kind] = before
        possible = [symbol for symbol, total in totals.items() if total > -inf]
        if not possible:
            return {}
        first = max(possible, key=lambda symbol: totals[symbol])
        looks = search.unary[kind]
        for symbol, total in totals.items():
            if total == -inf:
                # A few pictures show boards that are impossible.
                totals[symbol] = totals[first] + float(looks[symbol] - looks[first]) + IMPOSSIBLE
        best = max(totals.values())
        shares = {symbol: exp(total - best) for symbol, total in totals.items()}
        return {symbol: share / sum(shares.values()) for symbol, share in shares.items()}

    def weight(self, symbols: Meaning, *, without: int = -1) -> float:
        """Logarithm of the probability of what the rules say of a reading.

        ``without`` is a kind whose meaning is taken as it is.
        """
        self.weighed += 1
        if (symbols == MINE).any():
            # Where a shown mine lies is no more likely than where a flag stands, so it counts as covered, too.
            if self._probability(symbols, without, budget=Budget(seconds=0)) == 0:
                return -inf
            likely = self._probability(np.where(symbols == MINE, COVERED, symbols), without)
        else:
            likely = self._probability(symbols, without)
        if likely is None:  # too large to count in time
            return rule_score(symbols, self.part)
        # A drawing on just these cells would be as rare if they were no mines.
        others = rule_score(symbols, self.part, numbers=False)
        return others + log(likely.numerator) - log(likely.denominator) if likely else -inf

    def _probability(self, symbols: Meaning, without: int, budget: Budget = USUAL) -> Fraction | None:
        """Probability that mines agree with all numbers; None if that takes too long."""
        board = board_of(symbols, self.part)
        constraints = []
        for constraint in ConstraintReader(board).all():
            if constraint.clue in self.given_up:
                continue
            free = self._open.get(constraint.clue)
            if free is not None and not self._is_settled(constraint.clue, without):
                known = sum(board.symbols[one : one + 1] == SYMBOLS[MINE] for one in board.table[constraint.clue])
                free = free[known : known + len(constraint.cells) + 1]
                constraint = CellConstraint(constraint.clue, constraint.cells, free)
            constraints.append(constraint)
        try:
            return solve(constraints, covered_cells(board), Prior(None, DENSITY), budget=budget).verdict.weight
        except Contradiction:
            return Fraction(0)

    def _is_settled(self, cell: int, without: int) -> bool:
        """Return true for a cell whose doubts do not count beside those of one kind."""
        return cell in self.search.apart or int(self.search.kinds.of[cell]) == without

    def repair(self) -> dict[int, dict[int, float]]:
        """Make the reading possible by the cheapest changes, if it is not.

        Returns the probabilities of the readings of the cells that they, or the next best ones, change.
        """
        search, symbols = self.search, self.search.symbols
        board = board_of(symbols, self.part)
        if contradiction(board) is None:
            return {}
        flat = [int(symbol) for symbol in symbols.ravel()]
        shown = MINE in flat
        around = board.table
        prices = [self._prices(cell, flat, around[cell], shown) for cell in range(len(flat))]
        found = repair(flat, around, prices)
        if self._turn_kind(found.changes):
            return {}
        self.given_up = {cell for cell, reading in found.changes.items() if reading == GIVEN_UP}
        told = {cell: _told(flat[cell], shares) for cell, shares in found.doubts.items()}
        for cell, reading in found.changes.items():
            # The truth may be none of the repairs.
            told[cell] = {other: REPAIRED * share for other, share in told[cell].items()}
            told[cell][flat[cell]] = told[cell].get(flat[cell], 0.0) + 1 - REPAIRED
            if reading != GIVEN_UP:
                search.set_apart(cell, reading)
        return told

    def _turn_kind(self, cells: Iterable[int]) -> bool:
        """Take a whole kind for what it looks more like, if that is a repair."""
        search = self.search
        looks, shown = search.looks(search.meaning), bool((search.symbols == MINE).any())
        best: tuple[float, int, int] | None = None
        for kind in dict.fromkeys(int(search.kinds.of[cell]) for cell in cells):
            before = search.meaning[kind]
            others = [symbol for symbol in self.options.get(kind, ()) if symbol != MINE or shown]
            for symbol in others if search.kinds.sizes[kind] > 1 and not search.kinds.blank[kind] else ():
                search.meaning[kind] = symbol
                cost = looks - search.looks(search.meaning)
                if cost <= 0 and contradiction(board_of(search.symbols, self.part)) is None:
                    best = min(best or (cost, kind, symbol), (cost, kind, symbol))
            search.meaning[kind] = before
        if best is None:
            return False
        search.meaning[best[1]] = best[2]
        return True

    def _prices(self, cell: int, symbols: Sequence[int], around: Sequence[int], shown: bool) -> Prices:
        """Prices of the other readings of a cell."""
        kinds, symbol = self.search.kinds, symbols[cell]
        kind = int(kinds.of[cell])
        looks = kinds.unary[kind]
        if kinds.blank[kind] and kind in self.options:
            looks = np.log(np.maximum(self.search.likeness(kind), LEAST_ALIKE))
        covered, zeros = (
            sum(symbols[one] in wanted for one in around if one < len(symbols)) for wanted in ((COVERED, FLAG), (ZERO,))
        )
        apart = APART[int(kinds.blank[kind])] if kinds.sizes[kind] > 1 else LEAST_PRICE
        found: dict[int, float] = {}
        for other in self.options.get(kind, ()):
            if other == symbol or (other == MINE and not shown) or (other in MAY_BE_MINES and symbol in MAY_BE_MINES):
                continue
            closed = covered > 0 if other == ZERO else zeros if other in (COVERED, FLAG) else 0
            found[other] = apart + max(0.0, float(looks[symbol] - looks[other])) - ZERO_CLOSED * closed
        if ZERO <= symbol < FLAG:
            found[GIVEN_UP] = -IMPOSSIBLE
        return found

    def _options(self, kind: int) -> dict[int, float]:
        """Meanings of a kind that its look allows, with their likelihoods."""
        looks = self.search.unary[kind]
        # Of a cell that may be hidden, the numbers around it say most.
        hidden = looks[UNKNOWN] > looks.max() - 2 and self.search.kinds.sizes[kind] == 1
        most = len(SYMBOLS) if hidden else MOST_OPTIONS
        likely = [symbol for symbol in np.argsort(-looks)[:most] if looks[symbol] > looks.max() + LEAST_LIKELY]
        if self.search.meaning[kind] not in likely:  # the rules know better
            likely.append(self.search.meaning[kind])
        return {int(symbol): float(looks[symbol] - looks.max()) for symbol in likely}

    def _likelihood(self, kind: int) -> tuple[int, ...]:
        likely = self.options[kind]
        return tuple(round(ONE * exp(likely[count + 1])) if count + 1 in likely else 0 for count in range(9))


class Posteriors(NamedTuple):
    """Probabilities of the meanings of kinds, and of the readings of repaired cells."""

    kinds: Mapping[int, Mapping[int, float]]
    cells: Mapping[int, Mapping[int, float]]


def posteriors(search: MeaningSearch, part: Part = WHOLE) -> Posteriors:
    """For each kind that may have several meanings their probabilities.

    The meaning of the search is made possible first, if it is not, and then the likeliest.
    """
    weigher = Weigher(search, part)
    order = sorted(weigher.options, key=lambda kind: -sorted(weigher.options[kind].values())[-2])
    found: dict[int, Mapping[int, float]] = dict(search.posteriors())
    repaired = weigher.repair()
    if len(repaired) > HOPELESS * search.kinds.of.size:
        return Posteriors(found, repaired)
    for _ in range(2):
        changed = False
        for kind in order:
            if weigher.weighed > MOST_WEIGHED:
                break
            shares = found[kind] = weigher.posterior(kind)
            if shares and (best := max(shares, key=lambda one: shares[one])) != search.meaning[kind]:
                search.meaning[kind], changed = best, True
        if not changed:
            break
    # Each doubtful digit agrees with what its neighbours may be, but not yet with what they were taken for.
    return Posteriors(found, {**weigher.repair(), **repaired})


def _told(symbol: int, shares: Mapping[int, float]) -> dict[int, float]:
    """Probabilities of the symbols of a cell.

    A number that was given up may be right, in an impossible picture.
    """
    found = {other: share for other, share in shares.items() if other != GIVEN_UP}
    if given_up := shares.get(GIVEN_UP, 0.0):
        found[symbol] = found.get(symbol, 0.0) + given_up / 2
        found[UNKNOWN] = found.get(UNKNOWN, 0.0) + given_up / 2
    return found


def contradiction(board: Board) -> Contradiction | None:
    """The numbers of a board that cannot all be true; None if they can."""
    try:
        solve(cell_constraints(board), covered_cells(board), Prior(board.mines), budget=Budget(seconds=0))
    except Contradiction as error:
        return error
    return None


def board_of(symbols: Meaning, part: Part = WHOLE) -> Board:
    """The board of a reading; hidden cells are covered."""
    return Board.trusted(tuple(row.replace(SYMBOLS[UNKNOWN], SYMBOLS[COVERED]) for row in text(symbols)), part=part)
