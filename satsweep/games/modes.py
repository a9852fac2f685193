"""Modes of other programs' games, and what each means for win chances.

Boards of the usual game are uniform among all layouts, and its player knows what is shown. In some modes the boards are
chosen or redrawn, or the player knew more. Files name their mode in many spellings, replays by the numbers of EVF.
``MODES`` is the table of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class ModeChances(Enum):
    """Win chances in a mode."""

    USUAL = "usual"
    """Those of boards that are uniform among all layouts."""
    CERTAIN = "certain"
    """All games can be won, as boards are made to need no guess."""
    REDRAWN = "redrawn"
    """None: mines are redrawn to spare guesses."""
    UNKNOWN = "unknown"
    """None: the player knew more than was shown, or boards were chosen."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of games.

    ``said`` is a sentence about it without its capital, empty if there is nothing to say. ``opens``: the first cell
    shows no number.
    """

    spellings: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    chances: ModeChances = ModeChances.USUAL
    opens: bool = False
    said: str = ""


STANDARD = "standard"
MODES = {
    STANDARD: Mode(("classic", "normal"), (0,)),
    "win7": Mode(("win 7", "windows 7"), (4,), opens=True, said="the first cell is an opening"),
    "no guess": Mode(
        ("noguess", "ng", "classic ng", "classic no guess", "strict no guess", "weak no guess", "quasi no guess"),
        (5, 6, 7, 8),
        ModeChances.CERTAIN,
        said="boards need no guess, so all games can be won, and a guess gives away its risk",
    ),
    "guessable": Mode(
        ("strong guessable", "weak guessable"),
        (9, 10),
        ModeChances.REDRAWN,
        said="mines are redrawn to spare guesses, so choices are judged by their risks, and luck is left out",
    ),
    "upk": Mode(
        ("board editor",),
        (1,),
        ModeChances.UNKNOWN,
        said="the player may have known the board, so win chances are not known",
    ),
    "cheat": Mode(
        ("cheat hinted", "hinted"), (2,), ModeChances.UNKNOWN, said="the player had help, so win chances are not known"
    ),
    "density": Mode(
        (), (3,), ModeChances.UNKNOWN, said="mines may have been dealt in another way, so win chances are not known"
    ),
    "efficiency": Mode(
        ("eff", "eff boards"),
        (),
        ModeChances.UNKNOWN,
        said="boards are chosen for few clicks, so win chances are not known",
    ),
}
"""Every mode by its name, which is a spelling, too; numbers are those of EVF."""
UNKNOWN = Mode(said="this mode is not known, so the game is reviewed as a standard one")
LONGEST = 40
"""Most characters of the name of a mode that is not in the table."""

_BY_SPELLING = {spelling: name for name, mode in MODES.items() for spelling in (name, *mode.spellings)}
_BY_NUMBER = {number: name for name, mode in MODES.items() for number in mode.numbers}


def mode_of(name: str) -> Mode:
    """The mode of a record, ``UNKNOWN`` if the table does not have it."""
    return MODES.get(name, UNKNOWN)


def mode_named(text: str) -> str:
    """The name of a mode by one of its spellings; another text is a name of its own.

    >>> mode_named("No Guess"), mode_named("Cheat (hinted)"), mode_named(""), mode_named("Blitz")
    ('no guess', 'cheat', 'standard', 'Blitz')
    """
    words = " ".join(_words(text))
    return _BY_SPELLING.get(words, text.strip()[:LONGEST].strip()) if words else STANDARD


def mode_numbered(number: int) -> str:
    """The name of a mode by its number in EVF.

    >>> mode_numbered(5), mode_numbered(12)
    ('no guess', 'mode 12 of EVF')
    """
    return _BY_NUMBER.get(number, f"mode {number} of EVF")


def mode_in_level(level: str) -> str:
    """The name of a mode that ends the name of a level; standard if none does.

    >>> mode_in_level("Easy NG"), mode_in_level("Expert (No Guess)"), mode_in_level("Beginner")
    ('no guess', 'no guess', 'standard')
    """
    words = list(_words(level))
    ends = (" ".join(words[first:]) for first in range(len(words)))
    return next((_BY_SPELLING[end] for end in ends if end in _BY_SPELLING), STANDARD)


def _words(text: str) -> Iterator[str]:
    yield from re.findall(r"\w+", text.casefold())
