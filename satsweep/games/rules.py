"""The rules of play, in every combination that the literature has used.

The first cell may be unconstrained, safe, without mines around, or given; opening may cascade or not; a mine may end
the game or stay on the board as a known mine; the goal is to clear the board or to find every mine; mines may stay
where they are, or be redrawn so that guesses are spared or punished.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from satsweep.arguments import choice
from satsweep.board import Cell
from satsweep.clues import EXACT, Clues, clues_named
from satsweep.errors import BoardError


class FirstClick(Enum):
    """Promise about the first cell that is opened."""

    ANY = "any"
    """Nothing: it may be a mine."""
    SAFE = "safe"
    """It is not a mine. A mine there is moved to a cell drawn among the free ones."""
    ZERO = "zero"
    """Neither it nor any of its neighbours is a mine; mines there are moved likewise."""
    GIVEN = "given"
    """It is the start of the layout; no mine is moved."""


class Goal(Enum):
    """Objective of a game."""

    CLEAR = "clear"
    """Open every cell that is not a mine."""
    FIND = "find"
    """Identify every mine, flagged or opened, and open as few cells as possible."""


class Redraw(Enum):
    """Ways to redraw the mines under covered cells when a cell is opened.

    A guess is *forced* if no covered cell is certainly safe, and *needless* if one is. Mines are only ever redrawn to a
    layout that agrees with all that is shown, so a player cannot notice it.
    """

    NEVER = "never"
    """The mines stay where they are."""
    FAIR = "fair"
    """A forced guess at a cell of least risk is safe."""
    FAIR_ANY = "fair-any"
    """A forced guess is safe wherever a layout has no mine there."""
    CRUEL = "cruel"
    """A needless guess hits a mine wherever a layout has one there."""
    CRUEL_ALL = "cruel-all"
    """Every guess does."""

    @property
    def is_cruel(self) -> bool:
        """True if guesses are punished."""
        return self in (Redraw.CRUEL, Redraw.CRUEL_ALL)


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of play.

    ``start`` is opened first, before the agent is asked; with None the agent chooses (with ``FirstClick.GIVEN`` it is
    the start of the layout). ``cascade``: opening a cell without mines around opens its neighbours, too. ``fatal``: a
    mine ends the game; otherwise it stays as a known mine, and play goes on. ``clues`` is the clue model, from which
    shown numbers are drawn; the cascade follows the shown numbers, so it stops where they leave room for a mine.
    ``tells_total``: the player sees the mine total. ``redraw``: mines are redrawn to be fair or cruel to guesses, which
    needs exact numbers and a total that the player sees (``satsweep.games.redraw``).
    Promise, goal, clue model and redrawing may be given by their names.

    >>> Rules("zero", goal="find").goal
    <Goal.FIND: 'find'>

    Raises BoardError for mines that are redrawn where numbers are not exact or the total is hidden.
    """

    first: FirstClick = FirstClick.SAFE
    start: Cell | None = None
    cascade: bool = True
    fatal: bool = True
    goal: Goal = Goal.CLEAR
    clues: Clues = EXACT
    tells_total: bool = True
    redraw: Redraw = Redraw.NEVER

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", choice(self.first, FirstClick, "a promise about the first cell"))
        object.__setattr__(self, "goal", choice(self.goal, Goal, "a goal"))
        object.__setattr__(self, "clues", clues_named(self.clues))
        object.__setattr__(self, "redraw", choice(self.redraw, Redraw, "a way to redraw mines"))
        if self.start is not None:
            object.__setattr__(self, "start", Cell.of(self.start))
        if self.redraw is not Redraw.NEVER and not (self.clues.is_exact and self.tells_total):
            found = "a mine total that is not told" if self.clues.is_exact else f"{self.clues} clues"
            expected = "expected exact clues and a mine total that is told to redraw mines"
            raise BoardError(f"{expected}, found {found}", at="redraw")

    @property
    def clears_by_numbers(self) -> bool:
        """True if players clear the board by exact numbers and the total, and mines stay."""
        told = self.clues.is_exact and self.tells_total
        return self.goal is Goal.CLEAR and told and self.redraw is Redraw.NEVER

    def __str__(self) -> str:
        """Return the rules in words.

        >>> print(Rules())
        first cell safe, cascade, a mine ends the game, clear the board, mine total known
        """
        start = "" if self.start is None else f" at {self.start[0]},{self.start[1]}"
        return ", ".join((
            f"first cell {self.first.value}{start}",
            "cascade" if self.cascade else "no cascade",
            "a mine ends the game" if self.fatal else "play goes on after a mine",
            "clear the board" if self.goal is Goal.CLEAR else "find the mines",
            *(() if self.clues.is_exact else (f"{self.clues} clues",)),
            "mine total known" if self.tells_total else "mine total not told",
            *_REDRAWN[self.redraw],
        ))  # fmt: skip

    def to_values(self, *, every: bool = False) -> dict[str, object]:
        """Return the rules as JSON values by field name.

        Those that are younger than files in use are left out at their usual value, unless ``every`` one is wanted.

        >>> Rules(start=Cell(0, 0)).to_values()["start"], Rules().to_values()["first"]
        ([0, 0], 'safe')
        """
        left_out = {name for name, rule in RULES.items() if rule.younger and not every}
        return {
            name: _plain(value)
            for name, value in ((name, getattr(self, name)) for name in RULES)
            if name not in left_out or value != getattr(STANDARD_RULES, name)
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Rules:
        """Build rules from JSON values by field name; missing fields have their defaults.

        >>> print(Rules.from_values({"first": "zero", "start": [0, 0]}))
        first cell zero at 0,0, cascade, a mine ends the game, clear the board, mine total known

        Raises ValueError for unknown fields and values, BoardError for an unknown clue model.
        """
        if unknown := set(values) - RULES.keys():
            raise ValueError(f"expected rules of play, found {min(unknown)!r}")
        return cls(**{name: RULES[name].value(plain) for name, plain in values.items()})


_REDRAWN = {
    Redraw.NEVER: (),
    Redraw.FAIR: ("forced guesses of least risk are safe",),
    Redraw.FAIR_ANY: ("forced guesses are safe",),
    Redraw.CRUEL: ("needless guesses hit a mine",),
    Redraw.CRUEL_ALL: ("guesses hit a mine",),
}


@dataclass(frozen=True, slots=True)
class Rule:
    """How a field of ``Rules`` is written.

    ``kind`` is the type of its values. ``ability`` is the word of engines that play by other values than the usual one,
    "" where all do; None if the protocol does not have the rule. A rule that is ``younger`` than files in use is
    written only at another value than the usual one.
    """

    kind: type
    ability: str | None = None
    younger: bool = False

    def value(self, plain: Any) -> Any:
        if self.kind is Cell:
            return None if plain is None else Cell(*plain)
        return clues_named(plain) if self.kind is Clues else self.kind(plain)

    @property
    def words(self) -> dict[str, Any]:
        """Values by their words in the protocol; none where they are not listed."""
        if self.kind is bool:
            return {"yes": True, "no": False}
        return {one.value: one for one in self.kind} if issubclass(self.kind, Enum) else {}

    def word(self, value: Any) -> str:
        return ("yes" if value else "no") if self.kind is bool else str(_plain(value))


def _plain(value: Any) -> object:
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, Cell) else str(value) if isinstance(value, Clues) else value


RULES = {
    "first": Rule(FirstClick, ability=""),
    "start": Rule(Cell),
    "cascade": Rule(bool, ability=""),
    "fatal": Rule(bool, ability="rules"),
    "goal": Rule(Goal, ability="rules"),
    "clues": Rule(Clues, ability="clues"),
    "tells_total": Rule(bool),
    "redraw": Rule(Redraw, ability="redraw", younger=True),
}
"""How each field of ``Rules`` is written, by its name."""

STANDARD_RULES = Rules()
"""The usual game: a safe first cell, a cascade, a fatal mine."""

FIND_MINES_RULES = Rules(first=FirstClick.GIVEN, cascade=False, fatal=False, goal=Goal.FIND)
"""The rules of the mine search: opening a mine costs as much as any other cell."""
