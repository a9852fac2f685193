"""The rules of play, in every combination that the literature has used.

The first cell may be anything, safe, without mines around, or given; opening may cascade or not; a mine may end the
game or stay on the board as a known mine; the goal is to clear the board or to find every mine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from satsweep.board import Cell
from satsweep.clues import EXACT, Clues, clues_named


class FirstClick(Enum):
    """What is promised about the first cell that is opened."""

    ANY = "any"
    """Nothing: it may be a mine."""
    SAFE = "safe"
    """It is no mine. A mine there is moved to a cell drawn among those that are free."""
    ZERO = "zero"
    """Neither it nor any cell that touches it is a mine; mines there are moved likewise."""
    GIVEN = "given"
    """It is the start of the layout, as it is."""


class Goal(Enum):
    """What a game is about."""

    CLEAR = "clear"
    """Open every cell that is no mine."""
    FIND = "find"
    """Identify every mine, flagged or opened, and open as few cells as possible."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a game is played.

    ``start`` is opened first, whatever the agent thinks; with None the agent chooses (``FirstClick.GIVEN``: the start
    of the layout). ``cascade``: opening a cell without mines around opens its neighbours, too. ``fatal``: a mine ends
    the game; otherwise it stays as a known mine, and play goes on. ``clues`` is what numbers tell; the cascade follows
    what is shown, and so it stops where that leaves room for a mine.
    """

    first: FirstClick = FirstClick.SAFE
    start: Cell | None = None
    cascade: bool = True
    fatal: bool = True
    goal: Goal = Goal.CLEAR
    clues: Clues = EXACT
    tells_total: bool = True

    def __str__(self) -> str:
        """In words.

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
        ))  # fmt: skip

    def to_values(self) -> dict[str, object]:
        """The rules as plain values by their names, as JSON has them.

        >>> Rules(start=Cell(0, 0)).to_values()["start"], Rules().to_values()["first"]
        ([0, 0], 'safe')
        """
        return {
            "first": self.first.value,
            "start": None if self.start is None else list(self.start),
            "cascade": self.cascade,
            "fatal": self.fatal,
            "goal": self.goal.value,
            "clues": str(self.clues),
            "tells_total": self.tells_total,
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Rules:
        """The rules that plain values describe; what they leave out is as usual.

        >>> print(Rules.from_values({"first": "zero", "start": [0, 0]}))
        first cell zero at 0,0, cascade, a mine ends the game, clear the board, mine total known

        Raises ValueError for values that no rules have, BoardError for an unknown clue model.
        """
        readers: dict[str, Callable[[Any], Any]] = {
            "first": FirstClick,
            "start": lambda start: None if start is None else Cell(*start),
            "goal": Goal,
            "clues": clues_named,
        }
        if unknown := set(values) - {field.name for field in fields(cls)}:
            raise ValueError(f"expected rules of play, found {min(unknown)!r}")
        return cls(**{name: readers.get(name, bool)(value) for name, value in values.items()})


STANDARD_RULES = Rules()
"""The game as most people know it."""

FIND_MINES_RULES = Rules(first=FirstClick.GIVEN, cascade=False, fatal=False, goal=Goal.FIND)
"""The rules of the mine search: opening a mine costs no more than opening any other cell."""
