"""Probabilities of readings, by the exact engine.

A reading weighs as much as the looks of its cells allow, times the probability that mines of a usual density lie so
that all its numbers are true: the engine counts these layouts. A digit that may be a 2 or a 3 is what its neighbours
leave of it. Other doubtful digits take part with all their likelihoods, as numbers that may be wrong do
(``satsweep.clues``). A flag is a covered cell here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, inf, log
from typing import TYPE_CHECKING

import numpy as np

from satsweep.board import Board
from satsweep.errors import Contradiction
from satsweep.formats.pictures.kinds import COVERED, FLAG, SYMBOLS, UNKNOWN, ZERO
from satsweep.formats.pictures.meaning import MeaningSearch, rule_score, text
from satsweep.part import WHOLE, Part
from satsweep.solver.budget import Budget
from satsweep.solver.constraints import CellConstraint, ConstraintReader, covered_cells
from satsweep.solver.pipeline import solve
from satsweep.solver.probability import Prior

if TYPE_CHECKING:
    from satsweep.formats.pictures.meaning import Meaning

DENSITY = Fraction(1, 5)
"""Share of mines on most boards, about."""
MOST_WEIGHED = 60
"""Readings of a picture that are weighed at most."""
SECONDS = 0.3
"""Time of the counting of one reading at most."""
ONE = 1_000_000
"""Likelihood one, as an integer."""
FEW_CELLS = 2
"""Most cells of a kind that takes part in other weights with all its likelihoods."""
IMPOSSIBLE = -7.0
"""Logarithm of the odds that a picture shows numbers that cannot be true together."""
MOST_OPTIONS = 5
"""Meanings of a kind that are weighed at most."""
MOST_REPAIRS = 8
"""Contradictions of a picture that are repaired at most."""
LEAST_LIKELY = -7.0
"""Logarithm of the least likelihood, relative to the best, that is weighed."""


class Weigher:
    """Weights of the readings of one picture, as logarithms."""

    def __init__(self, search: MeaningSearch, rows: int, cols: int, part: Part = WHOLE) -> None:
        self.search, self.part = search, part
        self.shape = rows, cols
        self.weighed = 0
        self.core: list[int] = []
        """Cells of a contradiction in the last reading that was impossible."""
        self.wrong: set[int] = set()
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
        board = Board.trusted(
            tuple(row.replace(SYMBOLS[UNKNOWN], SYMBOLS[COVERED]) for row in text(symbols)), part=self.part
        )
        constraints = []
        for constraint in ConstraintReader(board).all():
            if constraint.clue in self.wrong:
                continue
            free = self._open.get(constraint.clue)
            if free is not None and self.search.kinds.of[constraint.clue] != without:
                constraint = CellConstraint(constraint.clue, constraint.cells, free[: len(constraint.cells) + 1])
            constraints.append(constraint)
        prior = Prior(None, DENSITY)
        try:
            found = solve(constraints, covered_cells(board), prior, budget=Budget(seconds=SECONDS)).verdict.weight
        except Contradiction as error:
            self.core = [clue for clue in error.clues if isinstance(clue, int)]
            return -inf
        # A drawing on just these cells would be as rare if they were no mines.
        others = rule_score(symbols, self.part, numbers=False)
        if found is None:  # too large to count in time
            return rule_score(symbols, self.part)
        return others + log(found.numerator) - log(found.denominator) if found else -inf

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


def posteriors(search: MeaningSearch, rows: int, cols: int, part: Part = WHOLE) -> Mapping[int, Mapping[int, float]]:
    """For each kind that may have several meanings their probabilities.

    The meaning of the search is made possible first, if it is not, and then the likeliest.
    """
    weigher = Weigher(search, rows, cols, part)
    order = sorted(weigher.options, key=lambda kind: -sorted(weigher.options[kind].values())[-2])
    found: dict[int, Mapping[int, float]] = dict(search.posteriors())
    found |= _repair(weigher)
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
    return found


def _repair(weigher: Weigher) -> dict[int, Mapping[int, float]]:
    """Make a meaning possible by another one of a few cells, else without numbers.

    Returns the probabilities of the meanings of these cells.
    """
    search = weigher.search
    found: dict[int, Mapping[int, float]] = {}
    for _ in range(MOST_REPAIRS):
        if weigher.weighed > MOST_WEIGHED or weigher.weight(search.symbols) > -inf:
            break
        core = list(weigher.core)
        for kind in dict.fromkeys(int(search.kinds.of[cell]) for cell in core):
            if kind in weigher.options and search.kinds.sizes[kind] <= FEW_CELLS:
                shares = weigher.posterior(kind)
                if shares:
                    found[kind] = shares
                    search.meaning[kind] = max(shares, key=lambda one: shares[one])
                    break
        else:
            weigher.wrong.update(core)
    return found
