"""Values of a review: the worth of each move and of the whole game.

The class of a choice follows from the win chance that it gives away, by the table ``VERDICTS``. Beside a cell that was
certainly safe it is an inaccuracy at least.

Estimates are given the benefit of the doubt: one standard error of the estimate is taken off first. Where only risks
are known, the loss is the excess over the least risk. The same holds where hardly any game is won by an estimate: no
roll-out wins there, and the deep player's own estimates of cells differ too little.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import fsum, log10, sqrt
from typing import Literal, NamedTuple

from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.clicks.made import GameClicks, game_clicks
from satsweep.games.game import replay
from satsweep.games.modes import Mode, ModeChances, mode_of
from satsweep.games.record import Move, Record
from satsweep.games.redraw import decision
from satsweep.games.rules import Redraw
from satsweep.mixins import Worded
from satsweep.techniques import ORDER, Technique

Known = Literal["exact", "estimate", "risk"]
"""How win chances are known: exactly, in part as estimates, or not at all."""
DIGITS = 12
"""Decimals of a sum of logarithms, whose last bits depend on the platform."""


class MoveClass(Enum):
    """Class of a move that opens a cell."""

    START = "start"
    """The rules open it, or nothing can be said of a first cell."""
    SAFE = "safe"
    """The cell was certainly safe."""
    BEST = "best guess"
    """A choice that gives nothing away."""
    GOOD = "good"
    """A choice that gives less away than an inaccuracy."""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class MoveVerdict(NamedTuple):
    """Meaning of a class of moves: the least loss of win chance, for a fault alone.

    ``style`` is the name of the class in style sheets.
    """

    style: str
    loss: Fraction | None = None

    @property
    def is_fault(self) -> bool:
        """True if another cell was better."""
        return self.loss is not None


VERDICTS = {
    MoveClass.START: MoveVerdict("start"),
    MoveClass.SAFE: MoveVerdict("safe"),
    MoveClass.BEST: MoveVerdict("best"),
    MoveClass.GOOD: MoveVerdict("good"),
    MoveClass.INACCURACY: MoveVerdict("inaccuracy", Fraction(1, 100)),
    MoveClass.MISTAKE: MoveVerdict("mistake", Fraction(3, 100)),
    MoveClass.BLUNDER: MoveVerdict("blunder", Fraction(10, 100)),
}
"""Every class of moves with its verdict, faults last and by their losses."""


SMALL = Fraction(1, 10)
"""Win chance of the best choice below which losses count in proportion to it."""
FAINT = Fraction(1, 100)
"""Win chance of the best choice below which estimates do not tell choices apart."""


def class_of(loss: Fraction, possible: Fraction = Fraction(1)) -> MoveClass:
    """The class of a guess by the win chance that it gives away.

    ``possible`` is that of the best choice: where it is small, the least losses of the classes are so, too.

    >>> class_of(Fraction(0)).value, class_of(Fraction(1, 200)).value, class_of(Fraction(1, 10)).value
    ('best guess', 'good', 'blunder')
    >>> class_of(Fraction(1, 200), Fraction(1, 100)).value
    'mistake'
    """
    if loss <= 0:
        return MoveClass.BEST
    scale = min(Fraction(1), possible / SMALL)
    faults = ((kind, own.loss) for kind, own in reversed(VERDICTS.items()) if own.loss is not None)
    return next((kind for kind, least in faults if loss >= least * scale), MoveClass.GOOD)


def is_faint(possible: Fraction, exact: bool) -> bool:
    """Return whether the win chance of the best choice is too small for estimates."""
    return not exact and possible < FAINT


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


@dataclass(frozen=True, slots=True)
class Judgement:
    """A choice where something was at stake: a guess, or a first cell.

    ``board`` is the position before it, without flags. ``cells`` were opened at once, more than one by a chord.
    ``risk`` is the chance that one of them is a mine, ``least_risk`` that of the safest cell. ``best`` is a cell that
    was best to open, None if none is known, and ``best_risk`` its risk. ``chosen`` and ``possible`` are the win chances
    with the cells that were opened and with the best ones, None if they are not known. ``error`` is the standard error
    of their difference, 0 where it is exact. ``missed`` are the cells that were certainly safe, with the technique by
    which each is seen.
    """

    board: Board
    cells: tuple[Cell, ...]
    risk: Fraction
    least_risk: Fraction
    best: Cell | None = None
    chosen: Fraction | None = None
    possible: Fraction | None = None
    exact: bool = False
    error: Fraction = Fraction(0)
    missed: tuple[tuple[Cell, Technique], ...] = ()
    best_risk: Fraction | None = None

    @property
    def is_first(self) -> bool:
        return not self.risk and not self.missed

    @property
    def loss(self) -> Fraction | None:
        """The win chance given away; an estimate may be negative. None if it is not known."""
        return None if self.chosen is None or self.possible is None else self.possible - self.chosen

    @property
    def is_by_risk(self) -> bool:
        """True if the class follows from the risks, as win chances are not known or faint."""
        return self.possible is None or (is_faint(self.possible, self.exact) and not self.is_first)

    @property
    def kind(self) -> MoveClass:
        loss, possible = self.loss, self.possible
        if loss is None or possible is None or self.is_by_risk:
            found = class_of(self.risk - self.least_risk)
        elif not self.exact and 0 < loss <= self.error:
            found = MoveClass.GOOD
        else:
            found = class_of(loss - self.error, possible)
        # Even a guess that cannot be avoided is too soon beside a safe cell, whose number is free.
        return MoveClass.INACCURACY if self.missed and not VERDICTS[found].is_fault else found


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move with its verdict.

    ``kind`` is None for flags, notes, and the other cells of a chord. ``technique`` is the way to see that the cell was
    safe, or for a flag that it is a mine, if it was certain. ``before`` and ``after`` are the win chances of best play,
    None if they are not known; they change only where something turns up, as safe cells are counted as open once it is
    certain that they are safe. ``skill`` is the loss of the choice (0 or negative, but for estimates), ``luck`` the
    worth of what turned up. ``wrong_flag`` is True for a flag on a cell that is no mine.
    """

    number: int
    move: Move
    kind: MoveClass | None = None
    technique: Technique | None = None
    judgement: Judgement | None = None
    before: Fraction | None = None
    after: Fraction | None = None
    skill: Fraction = Fraction(0)
    luck: Fraction = Fraction(0)
    wrong_flag: bool = False
    seconds: float | None = None

    @property
    def numbers(self) -> int | None:
        """The fewest numbers that the technique looks at; None if not known."""
        return {Technique.SINGLE: 1, Technique.PAIR: 2}.get(self.technique) if self.technique else None


@dataclass(frozen=True, repr=False)
class Review(Worded):
    """A game with a verdict on every move.

    ``start + skill + luck == end`` always, to the last digit: ``start`` is the win chance before the first choice,
    ``end`` that at the end of the game, 1 if it is won and 0 if it is lost. All are None where they are not known.
    """

    record: Record
    known: Known
    moves: tuple[ReviewedMove, ...]
    start: Fraction | None
    end: Fraction | None

    def __repr__(self) -> str:
        sums = (("skill", self.skill), ("luck", self.luck))
        known = "".join(f", {name} {float(value):+.3f}" for name, value in sums if value is not None)
        return f"<Review of {self.record!r}{known}>"

    @property
    def skill(self) -> Fraction | None:
        """The win chance given away by choices, 0 or negative."""
        return None if self.start is None else sum((move.skill for move in self.moves if move.skill), Fraction(0))

    @property
    def luck(self) -> Fraction | None:
        """The win chance won or lost by what turned up; 0 on average."""
        return None if self.start is None else sum((move.luck for move in self.moves if move.luck), Fraction(0))

    @property
    def error(self) -> Fraction:
        """The standard error of skill, as that of the losses; 0 where they are exact."""
        squares = fsum(float(judgement.error) ** 2 for _, judgement in self.judgements)
        return Fraction(sqrt(squares))

    @property
    def mode(self) -> Mode:
        return mode_of(self.record.mode)

    @property
    def is_redrawn(self) -> bool:
        """True if the rules or the mode redraw mines, so that luck is left out."""
        return self.record.rules.redraw is not Redraw.NEVER or self.mode.chances is ModeChances.REDRAWN

    @property
    def parts(self) -> tuple[Fraction | None, ...]:
        """Start, skill, luck and end."""
        return self.start, self.skill, self.luck, self.end

    @property
    def judgements(self) -> tuple[tuple[ReviewedMove, Judgement], ...]:
        return tuple((move, move.judgement) for move in self.moves if move.judgement is not None)

    @property
    def decided(self) -> dict[int, bool]:
        """Guesses that the rules decided, by move number: True for a mine, False for safe.

        The cells of a chord are decided one after another.
        """
        redraw = self.record.rules.redraw
        if redraw is Redraw.NEVER:
            return {}
        found = {
            move.number: decision(redraw, own.risk, own.least_risk)
            for move, own in self.judgements
            if len(own.cells) == 1
        }
        found |= dict(self._decided_in_chords())
        return {number: mine for number, mine in found.items() if mine is not None}

    def _decided_in_chords(self) -> Iterator[tuple[int, bool | None]]:
        chords = {move.move.turn for move, own in self.judgements if len(own.cells) > 1}
        board = None
        for number, (move, game) in enumerate(replay(self.record) if chords else (), 1):
            if board is not None and move.turn in chords:
                analysis = analyse(board)
                least = analysis.least_risk
                if least is not None:
                    yield number, decision(self.record.rules.redraw, analysis.risk(move.cell), least)
            board = game.board

    @cached_property
    def clicks(self) -> GameClicks | None:
        """Clicks of the game; None under rules without 3BV."""
        return game_clicks(self.record)

    @property
    def classes(self) -> dict[MoveClass, int]:
        found = Counter(move.kind for move in self.moves if move.kind is not None)
        return {kind: found[kind] for kind in MoveClass}

    @property
    def missed(self) -> dict[Technique, int]:
        """Guesses beside a safe cell, by the easiest technique that shows one."""
        easiest = [
            min((technique for _, technique in judgement.missed), key=ORDER.__getitem__)
            for _, judgement in self.judgements
            if judgement.missed
        ]
        return {technique: easiest.count(technique) for technique in Technique}

    @property
    def wrong_flags(self) -> tuple[ReviewedMove, ...]:
        """The flags that were set on cells that are no mine."""
        return tuple(move for move in self.moves if move.wrong_flag)

    @property
    def pluck(self) -> float:
        """The sum of -log10(1 - risk) over all guesses but the first cell.

        It is infinite where a cell was opened that had to be a mine. The measure is that of Metasweeper.
        """
        first = next((move.number for move in self.moves if move.kind is not None), 0)
        risks = [judgement.risk for move, judgement in self.judgements if move.number != first]
        return round(fsum(float("inf") if risk == 1 else -log10(1 - risk) for risk in risks), DIGITS)
