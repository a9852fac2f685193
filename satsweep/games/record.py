"""Record of a game: every move with its reason, the outcome, and its measures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple

from satsweep.board import Cell
from satsweep.games.agent import SINGLE_POINT, Inference
from satsweep.games.modes import STANDARD
from satsweep.games.rules import Rules
from satsweep.layout import Layout
from satsweep.mixins import Stored, Worded

UNNAMED = "unnamed"
"""The rule of claims for which an agent gives no reason."""


class Outcome(Enum):
    """How a game ended."""

    CLEARED = "cleared"
    FOUND = "found"
    EXPLODED = "exploded"
    PLAYED_OUT = "played out"
    MISTAKEN = "mistaken"
    STUCK = "stuck"
    STOPPED = "stopped"

    @property
    def won(self) -> bool:
        """True if the goal was reached."""
        return self in (Outcome.CLEARED, Outcome.FOUND)

    @property
    def why(self) -> str:
        """The outcome in words."""
        return _WHY[self]


_WHY = {
    Outcome.CLEARED: "every cell that is no mine is open",
    Outcome.FOUND: "every mine is identified",
    Outcome.EXPLODED: "a mine was opened",
    Outcome.PLAYED_OUT: "every cell is open or flagged, after mines were opened or cells flagged wrongly",
    Outcome.MISTAKEN: "as many cells are flagged or exploded as there are mines, but some wrongly",
    Outcome.STUCK: "the agent named no cell to open",
    Outcome.STOPPED: "the player stopped",
}


class Action(Enum):
    """Effect of a move on its cell."""

    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    NOTE = "note"
    """A claim that the cell is safe, without opening it now."""


class MoveReason(Enum):
    """Reason for opening, flagging or noting a cell."""

    START = "start"
    """The rules open it first."""
    DEDUCED = "deduced"
    GUESSED = "guessed"
    CHOSEN = "chosen"
    """A person chose it."""


Revealed = tuple[Cell, int | Literal["?"] | None]
"""An opened cell and what it shows: a number, ``?`` for nothing, None for a mine."""


class Move(NamedTuple):
    """One action on one cell, its reason, and the cells that it revealed.

    ``turn`` counts the calls of the agent so far, or the clicks of a person: moves of one turn were made at once, as by
    a chord. A deduced move has an ``inference`` if the agent reports one, a guess may have ``why`` and ``risk``, and a
    cell opened by a chord names the number (rule ``chord``). ``time`` is the seconds since the start, None where it is
    not known.
    """

    turn: int
    action: Action
    cell: Cell
    reason: MoveReason
    inference: Inference | None = None
    why: str = ""
    risk: Fraction | None = None
    revealed: tuple[Revealed, ...] = ()
    time: float | None = None

    @property
    def exploded(self) -> bool:
        """True if the move opened a mine, which reveals no other cell."""
        return len(self.revealed) == 1 and self.revealed[0][1] is None


@dataclass(frozen=True)
class Record(Worded, Stored):
    """A finished game.

    ``layout`` is the layout as played, after mines were moved away from the first cell. ``seconds`` is the processor
    time that the agent took, without the game's own time, and ``evaluations`` the number of its evaluations, None where
    it is not known; the two take no part in comparisons. ``clue_seed`` seeded the draws of unreliable numbers; it is
    None where numbers are exact. ``mode`` is that of the program in which the game was played, a name of
    ``games.modes.MODES`` or another one.
    """

    agent: str
    rules: Rules
    layout: Layout
    moves: tuple[Move, ...]
    outcome: Outcome
    seconds: float = field(default=0.0, compare=False)
    clue_seed: int | None = None
    evaluations: int | None = field(default=None, compare=False)
    mode: str = STANDARD

    def __repr__(self) -> str:
        size = f"{self.layout.rows}x{self.layout.cols}/{self.layout.mines}"
        return f"<Record: {self.agent} on {size}, {len(self.moves)} moves, {self.outcome.value}>"

    @property
    def won(self) -> bool:
        """True if the goal was reached."""
        return self.outcome.won

    @property
    def first_opened(self) -> Cell | None:
        """The cell that was opened first, None if none was."""
        return next((move.cell for move in self.moves if move.action is Action.OPEN), None)

    @cached_property
    def flags(self) -> frozenset[Cell]:
        """The cells with a flag at the end of the game."""
        flags: set[Cell] = set()
        for move in self.moves:
            if move.action is Action.FLAG:
                flags.add(move.cell)
            elif move.action is not Action.NOTE:
                flags.discard(move.cell)
        return frozenset(flags)

    @cached_property
    def measures(self) -> GameMeasures:
        """The measures of the game."""
        return _measure(self)


@dataclass(frozen=True, slots=True)
class GameMeasures:
    """Measures of a game.

    ``score`` is the share of the mines that carry a flag at the end and were not opened (1 on a board without mines);
    ``opened`` counts opened cells, mines included, and ``share_opened`` is their share of the area; a guess is lost if
    it opens a mine. ``by_rule`` counts claims by the rule behind them (``UNNAMED`` where the agent gives none), and
    ``beyond_basic`` the claims by named rules other than the single point, and those without a rule that single
    numbers, one after another, do not imply if flags are right. ``evaluations`` are those of all deductions (see
    ``Deduction``), None if the agent does not report them.
    """

    turns: int
    opened: int
    share_opened: Fraction
    flagged: int
    score: Fraction
    mines_hit: int
    wrong_flags: int
    guesses: int
    guesses_lost: int
    claims: int
    beyond_basic: int
    by_rule: dict[str, int]
    evaluations: int | None = None


def _measure(record: Record) -> GameMeasures:
    layout, moves, flags = record.layout, record.moves, record.flags
    opened = hits = guesses = lost = 0
    deduced: list[str] = []
    for _, _, _, reason, inference, _, _, revealed, _ in moves:
        hit = False
        if revealed:
            opened += len(revealed)
            hit = revealed[0][1] is None
            hits += hit
        if reason is MoveReason.DEDUCED:
            deduced.append(inference.rule if inference else UNNAMED)
        elif reason is MoveReason.GUESSED:
            guesses += 1
            lost += hit
    rules = Counter(deduced)
    right = sum(map(layout.is_mine, flags))
    return GameMeasures(
        turns=moves[-1].turn if moves else 0,
        opened=opened,
        share_opened=Fraction(opened, layout.rows * layout.cols),
        flagged=len(flags),
        score=Fraction(right, layout.mines) if layout.mines else Fraction(1),
        mines_hit=hits,
        wrong_flags=len(flags) - right,
        guesses=guesses,
        guesses_lost=lost,
        claims=rules.total(),
        beyond_basic=rules.total() - rules[SINGLE_POINT] - (_implied(record) if rules[UNNAMED] else 0),
        by_rule=dict(rules.most_common()),
        evaluations=record.evaluations,
    )


def _implied(record: Record) -> int:
    """Number of claims without a rule that single numbers imply.

    Each is judged on the board before its turn.
    """
    layout, found = record.layout, 0
    single_numbers = _SingleNumbers(layout.topology.neighbours(layout.rows, layout.cols))
    for _, turn in groupby(record.moves, key=attrgetter("turn")):
        moves = list(turn)
        for move in moves:
            if move.reason is MoveReason.DEDUCED and move.inference is None:
                found += single_numbers.mined.get(layout.index(move.cell)) is (move.action is Action.FLAG)
        for move in moves:
            if move.action is Action.FLAG:
                single_numbers.learn(layout.index(move.cell), mine=True)
            for cell, shown in move.revealed:
                single_numbers.learn(layout.index(cell), mine=shown is None)
                if isinstance(shown, int):
                    single_numbers.read(layout.index(cell), shown)
    return found


class _SingleNumbers:
    """Cells that numbers imply one at a time, at face value, in a game that goes on.

    ``mined`` says of each cell that is known whether it is a mine.
    """

    def __init__(self, neighbours: tuple[tuple[int, ...], ...]) -> None:
        self.mined: dict[int, bool] = {}
        self._neighbours = neighbours
        self._numbers: dict[int, int] = {}

    def learn(self, cell: int, *, mine: bool) -> None:
        if self.mined.get(cell) is not mine:
            self.mined[cell] = mine
            self._follow([number for number in self._neighbours[cell] if number in self._numbers])

    def read(self, cell: int, number: int) -> None:
        self._numbers[cell] = number
        self._follow([cell])

    def _follow(self, numbers: list[int]) -> None:
        for number in numbers:
            around = self._neighbours[number]
            unknown = [cell for cell in around if cell not in self.mined]
            left = self._numbers[number] - sum(self.mined.get(cell, False) for cell in around)
            if unknown and left in (0, len(unknown)):
                for cell in unknown:
                    self.mined[cell] = left > 0
                    numbers += (other for other in self._neighbours[cell] if other in self._numbers)
