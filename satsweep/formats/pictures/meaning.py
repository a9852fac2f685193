"""Meaning of kinds of cells: looks give likelihoods, the rules of the game decide.

The meaning is searched that maximises the likelihood of the looks and a pseudo-likelihood of the rules: a number counts
mines among the covered cells around it, and a zero has opened all cells around it. These are local rules, quick to
check for a change of one kind; the engine has the last word (``satsweep.formats.pictures.exact``).
"""

from __future__ import annotations

from itertools import product
from math import comb, exp, log
from typing import TYPE_CHECKING

import numpy as np

from satsweep.formats.pictures.kinds import COVERED, FLAG, MINE, SYMBOLS, UNKNOWN, ZERO, Kinds
from satsweep.part import WHOLE, Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

    Meaning = NDArray[np.int8]

DENSITY = 0.3
"""Share of mines among the covered cells around a number, about."""
BINOMIAL = 0.2
"""Share of numbers that are as random as mines are."""
WRONG, FURTHER = -7.0, -1.5
"""Penalty of an impossible number, and of each further mine that it lacks."""
NUMBER, ZERO_OPEN = 1.6, 0.6
"""Bonus of a number, and of a zero beside one that has opened all cells around it.

They make up for what a true number costs on average, so that boards with more numbers are not less likely.
"""
LONELY_FLAG, EDGE_MINE = -2.0, -0.1
"""Penalty of a flag that touches no open cell, and of a shown mine that does.

Players flag what numbers tell; a game that is over shows mines everywhere.
"""
UNSHOWN = -1.5
"""Penalty of a number that lacks mines though some are shown.

A lost game shows all."""
MOST_MARKED, TOO_MANY = 0.4, -0.5
"""Most flags and shown mines, as a share of cells, penalty of each further one."""
NO_MINES = -20.0
"""Penalty of a board on which no cell may have a mine."""
HIDDEN = -1.0
"""Penalty of a cell that is hidden, which explains nothing."""
ZERO_CLOSED = -2.5
"""Penalty of a zero beside covered cells; few games leave them covered."""
MOST_AT_ONCE = 6
"""Blank kinds of which all meanings are tried together."""
STARTS, SWEEPS = 12, 6
"""Starts of the search, and how often all kinds are tried from each."""
LINK = 1.5
"""Bonus of a glyph on the ground of a blank kind that is open or covered likewise."""
MOST_TRIES = 4_000
"""Meanings that are tried before no further start or sweep begins."""
SAME = 8.0
"""Difference of kinds, of 255, below which they are tried as one."""
NEAR, FAR, ALIKE = 8.0, 99.0, 2.0
"""Differences of blank kinds: a usual one, that of one alone, a unit."""
ODD, FEWER, ODD_SURE = 40.0, 0.3, 0.5
"""Difference of a blank kind from the others of its meaning, of 255, that is odd.

It is, if those like it are fewer than these, by a share; then its meaning is no more likely than this."""
LARGE, DRAWN = 0.2, -3.0
"""Share of the cells of a kind that may be all covered ones, with a drawing.

Or all open ones; the second is the logarithm of the likelihood of that. A glyph that is surely a digit is neither."""
SURE_DIGIT = -0.3
"""Logarithm of the likelihood of a sure digit."""
LEAST = -8.0
"""Logarithm of the least likelihood, relative to the best, that is tried."""


def _likelihoods() -> Floats:
    table = np.full((10, 10), WRONG, np.float32)
    for covered in range(10):
        for count in range(10):
            if count <= covered:
                chance = comb(covered, count) * DENSITY**count * (1 - DENSITY) ** (covered - count)
                # Players open and flag around numbers, so these are less binomial than they were, and numbers
                # beside each other count the same mines: a hundred 2s are no hundred times less likely than 1s.
                table[covered, count] = log(BINOMIAL * chance + (1 - BINOMIAL) / (covered + 1))
            else:
                table[covered, count] = WRONG + FURTHER * (count - covered)
    return table


_TABLE = _likelihoods()


def rule_score(symbols: Meaning, part: Part = WHOLE, *, numbers: bool = True) -> float:
    """Pseudo-likelihood of the rules, a logarithm.

    ``symbols`` has rows and columns of indices into SYMBOLS. Without ``numbers`` what they count is left out, which the
    engine knows exactly.
    """
    maybe = _around(((symbols == COVERED) | (symbols == FLAG) | (symbols == UNKNOWN)).astype(np.int8), part)
    mines = _around((symbols == MINE).astype(np.int8))
    shown = (symbols > ZERO) & (symbols < FLAG)
    count, free, sure = symbols[shown] - 1, maybe[shown], mines[shown]
    score = NUMBER * len(count)
    if numbers:
        score += float(_TABLE[free + sure, count].sum()) + WRONG * float((count < sure).sum())
    zeros = symbols == ZERO
    covered = _around(((symbols == COVERED) | (symbols == FLAG)).astype(np.int8))[zeros]
    closed = covered > 0
    score += float(closed.sum()) * ZERO_CLOSED + float(covered.sum()) * log(1 - DENSITY)
    beside = _around(shown.astype(np.int8))[zeros] > 0
    score += ZERO_OPEN * float((beside & ~closed).sum())
    touched = _around(((symbols >= ZERO) & (symbols < FLAG)).astype(np.int8)) > 0
    score += LONELY_FLAG * float(((symbols == FLAG) & ~touched).sum())
    score += EDGE_MINE * float(((symbols == MINE) & touched).sum())
    if (symbols == MINE).any():
        flags = _around((symbols == FLAG).astype(np.int8))[shown]
        score += UNSHOWN * float((count > mines[shown] + flags).sum())
    if not ((symbols == COVERED) | (symbols >= FLAG)).any():
        score += NO_MINES
    marked = float(((symbols == FLAG) | (symbols == MINE)).sum())
    score += TOO_MANY * max(0.0, marked - MOST_MARKED * symbols.size)
    score += HIDDEN * float((symbols == UNKNOWN).sum())
    return score + float((mines[zeros] > 0).sum()) * WRONG


def possible_numbers(symbols: Meaning) -> float:
    """Share of the cells that are no plain covered ones with numbers that may be true.

    Cells with something drawn that is neither a number nor a flag beside one count against it.
    """
    maybe = _around(
        ((symbols == COVERED) | (symbols == FLAG) | (symbols == MINE) | (symbols == UNKNOWN)).astype(np.int8)
    )
    shown = (symbols > ZERO) & (symbols < FLAG)
    true = shown & (maybe >= symbols - ZERO)
    beside = _around(true.astype(np.int8)) > 0
    true |= (symbols == FLAG) & beside
    return float((true.sum() + 1) / ((shown | (symbols >= FLAG)).sum() + 2))


def _around(marks: NDArray[np.int8], part: Part = WHOLE) -> NDArray[np.int8]:
    """Sum of the marks around each cell; beyond cut sides there are ones."""
    padded = np.zeros((marks.shape[0] + 2, marks.shape[1] + 2), np.int8)
    if part.top:
        padded[0] = 1
    if part.bottom:
        padded[-1] = 1
    if part.left:
        padded[:, 0] = 1
    if part.right:
        padded[:, -1] = 1
    padded[1:-1, 1:-1] = marks
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    total: NDArray[np.int8] = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - marks
    return total


class MeaningSearch:
    """The likeliest meaning of kinds, by local changes.

    ``meaning`` has an index into SYMBOLS for each kind, ``apart`` one for each cell that is none of its kind after all.
    """

    def __init__(self, kinds: Kinds, rows: int, cols: int, part: Part = WHOLE, *, rules: bool = True) -> None:
        self.kinds, self.part, self.rules = kinds, part, rules
        self._places = kinds.of.reshape(rows, cols)
        self.apart: dict[int, int] = {}
        # A kind of many cells is seen more clearly, but its look is one thing.
        self._weights = np.minimum(kinds.sizes, 64) ** 0.5
        self.unary = kinds.unary.copy()
        drawn = (kinds.sizes > LARGE * len(kinds.of)) & ~kinds.blank
        drawn &= kinds.unary[:, ZERO + 1 : FLAG].max(axis=1) < SURE_DIGIT
        for symbol in (COVERED, ZERO):
            self.unary[drawn, symbol] = np.maximum(self.unary[drawn, symbol], DRAWN)
        self.meaning = self.unary.argmax(axis=1).astype(np.int8)
        self._linked = self._links()
        self.score, self.tries = -np.inf, 0
        for start in self._starts():
            self._climb(start)
        self._turn_together()

    @property
    def symbols(self) -> Meaning:
        return self._placed(self.meaning)

    def set_apart(self, cell: int, symbol: int) -> None:
        """Take one cell for another thing than its kind."""
        kind = self.kinds.of[cell]
        if self.kinds.sizes[kind] == 1:
            self.meaning[kind] = symbol
        else:
            self.apart[cell] = symbol

    def _placed(self, meaning: Meaning) -> Meaning:
        found: Meaning = meaning[self._places]
        for cell, symbol in self.apart.items():
            found.flat[cell] = symbol
        return found

    def total(self, meaning: Meaning) -> float:
        """Logarithm of the likelihood of a meaning, looks and rules together."""
        return self.looks(meaning) + (rule_score(self._placed(meaning), self.part) if self.rules else 0.0)

    def looks(self, meaning: Meaning) -> float:
        """Logarithm of the likelihood of a meaning by looks alone."""
        looks = float((self.unary[np.arange(len(meaning)), meaning] * self._weights).sum())
        # Digits look like open cells behind, flags like covered ones.
        open_, closed = (meaning >= ZERO) & (meaning < FLAG), (meaning == COVERED) | (meaning == FLAG)
        return looks + float((self._linked @ open_)[open_].sum() + (self._linked @ closed)[closed].sum())

    def options(self, kind: int) -> list[tuple[int, float]]:
        """Each meaning of a kind that is worth trying, with its total."""
        found = []
        before = self.meaning[kind]
        for symbol in np.flatnonzero(self.unary[kind] > self.unary[kind].max() + LEAST):
            self.meaning[kind] = symbol
            self.tries += 1
            found.append((int(symbol), self.total(self.meaning)))
        self.meaning[kind] = before
        return found

    def posteriors(self) -> dict[int, dict[int, float]]:
        """Probability of each meaning of a kind, given all other kinds."""
        found = {}
        for kind in range(len(self.meaning)):
            totals = dict(self.options(kind))
            best = max(totals.values())
            shares = {symbol: exp(total - best) for symbol, total in totals.items()}
            found[kind] = {symbol: share / sum(shares.values()) for symbol, share in shares.items()}
        return found

    def _links(self) -> Floats:
        """For each kind with a glyph, how far blank kinds have its rim and its ground."""
        kinds = self.kinds
        found = np.zeros((len(kinds.sizes), len(kinds.sizes)), np.float32)
        blank = np.flatnonzero(kinds.blank)
        for kind in np.flatnonzero(~kinds.blank):
            rim = np.abs(kinds.rims[blank] - kinds.rims[kind]).mean(axis=1)
            ground = np.abs(kinds.behind[blank] - kinds.behind[kind]).max(axis=1)
            alike = np.exp(-0.5 * ((rim / 6) ** 2 + (ground / 6) ** 2)) * kinds.sizes[blank]
            found[kind, blank] = LINK * self._weights[kind] * alike / max(float(alike.sum()), 1.0)
        return found

    def _starts(self) -> list[Meaning]:
        """The best meanings of the blank kinds together, by looks and by grounds alone."""
        blank = [int(kind) for kind in np.argsort(-self.kinds.sizes) if self.kinds.blank[kind]]
        # Of each meaning of the three largest groups one, so that starts differ.
        best: dict[tuple[int, ...], tuple[float, Meaning]] = {}
        for rims in (True, False):
            groups: list[list[int]] = []
            for kind in blank:
                near = next((one for one in groups if self._apart(kind, one[0], rims) < SAME), None)
                if near is None and len(groups) < MOST_AT_ONCE:
                    groups.append([kind])
                else:
                    (near or min(groups, key=lambda one: self._apart(kind, one[0], rims))).append(kind)
            for symbols in product((COVERED, ZERO), repeat=len(groups)):
                meaning = self.meaning.copy()
                for group, symbol in zip(groups, symbols, strict=True):
                    meaning[group] = symbol
                score, first = self.total(meaning), (rims, *symbols[:3])
                if first not in best or score > best[first][0]:
                    best[first] = (score, meaning)
        return [meaning for _, meaning in sorted(best.values(), key=lambda one: -one[0])[:STARTS]]

    def _apart(self, one: int, other: int, rims: bool) -> float:
        """How different two kinds look."""
        kinds = self.kinds
        grounds = float(np.abs(kinds.behind[one] - kinds.behind[other]).max())
        return grounds + float(np.abs(kinds.rims[one] - kinds.rims[other]).mean()) if rims else grounds

    def _turn_together(self) -> None:
        """Turn blank kinds that look alike together, where that is likelier.

        In uneven light open cells are many kinds, of which none alone gains by it.
        """
        blank = [int(kind) for kind in np.flatnonzero(self.kinds.blank)]
        for kind in blank:
            own = int(self.meaning[kind])
            if own not in (COVERED, ZERO):
                continue
            alike = [one for one in blank if self.meaning[one] == own and self._apart(kind, one, True) < SAME]
            turned = self.meaning.copy()
            turned[alike] = COVERED + ZERO - own
            if len(alike) > 1 and self.total(turned) > self.score:
                self._climb(turned)

    def likeness(self, kind: int) -> Floats:
        """Probability of each meaning of a blank kind by those most like it."""
        own = int(self.meaning[kind])
        nearest = {symbol: self._nearest(kind, symbol) for symbol in (COVERED, ZERO)}
        found = np.zeros(len(SYMBOLS), np.float32)
        found[own] = 1.0
        if own in nearest:
            # One kind of its own may be like no other.
            apart = nearest[COVERED + ZERO - own] - min(nearest[own], NEAR)
            found[own] = 1 / (1 + exp(-apart / ALIKE))
            found[COVERED + ZERO - own] = 1 - found[own]
            same = np.flatnonzero(self.kinds.blank & (self.meaning == own))
            odd = np.array([self._apart(kind, int(one), True) > ODD for one in same])
            unlike, alike = self.kinds.sizes[same[odd]].sum(), self.kinds.sizes[same[~odd]].sum()
            if nearest[COVERED + ZERO - own] > ODD and alike < FEWER * unlike:
                # Plain, but like nothing else: painted, hidden, or all drawn over.
                found *= ODD_SURE
                found[[FLAG, MINE, UNKNOWN]] = (1 - ODD_SURE) / 3
        return found

    def _nearest(self, kind: int, symbol: int) -> float:
        """Difference of a kind from the plain one most like it that is covered, or open.

        Without such a one it is that from a flag, or from a digit.
        """
        others = self.kinds.blank & (self.meaning == symbol)
        others[kind] = False
        if not others.any():
            drawn = (self.meaning > ZERO) & (self.meaning < FLAG) if symbol == ZERO else self.meaning == FLAG
            others = drawn & ~self.kinds.blank
        return min((self._apart(kind, int(one), True) for one in np.flatnonzero(others)), default=FAR)

    def _climb(self, start: Meaning) -> None:
        """Take the best meaning of each kind, given all others, until none changes."""
        before, self.meaning = self.meaning, start
        score = self.total(start)
        gaps = np.sort(self.unary, axis=1)
        # Blank kinds last, for a start is about them.
        order = [int(kind) for kind in np.lexsort((gaps[:, -1] - gaps[:, -2], self.kinds.blank))]
        for _ in range(SWEEPS):
            changed = False
            for kind in order if self.tries < MOST_TRIES else ():
                symbol, there = max(self.options(kind), key=lambda option: option[1])
                if there > score + 1e-6 and symbol != self.meaning[kind]:
                    self.meaning[kind], score, changed = symbol, there, True
            if not changed:
                break
        if score > self.score:
            self.score = score
        else:
            self.meaning = before


def text(symbols: Meaning) -> tuple[str, ...]:
    """Rows of symbols as strings."""
    return tuple("".join(SYMBOLS[symbol] for symbol in row) for row in symbols)
