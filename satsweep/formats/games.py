"""Games with their moves, from every kind of file: one function for each format.

They become records, as our own games are, so a file is read only if its game can be played again by our rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from satsweep.errors import BoardError
from satsweep.formats import (
    click_path,
    georgia_tech,
    move_lists,
    ptta,
    rawvf,
    rawvf_events,
    records,
    replay_moves,
    replays,
)
from satsweep.games.record import Record

BINARY_GAMES: dict[str, tuple[Callable[[bytes], bool], Callable[[bytes], Record]]] = {
    name: (recognises, partial(replay_moves.read_game, name=name)) for name, recognises in replays.RECOGNISERS.items()
}
"""Recogniser and reader of each binary format of games."""

TEXT_GAMES: dict[str, tuple[Callable[[str], bool], Callable[[str], Record]]] = {
    "georgia-tech": (georgia_tech.recognises, move_lists.read_game),
    "record": (lambda text: text.lstrip()[:1] == "{", records.from_json),
    "ptta-link": (ptta.recognises, click_path.read_game),
    "rawvf": (rawvf.recognises, rawvf_events.read_game),
}
"""Recogniser and reader of each text format of games, in the order of trial."""
EXPECTED = "a game: a record, a replay (AVF, EVF, RMV, MVF), RAWVF, a link with a click path, or a list of moves"


def binary_game(content: bytes) -> Record | None:
    """Read a game in a binary format; None if the content is in none."""
    for recognises, read in BINARY_GAMES.values():
        if recognises(content):
            return read(content)
    return None


def text_game(text: str) -> Record:
    """Read a game in a format that is text. Raises BoardError, with the place."""
    for recognises, read in TEXT_GAMES.values():
        if recognises(text):
            return read(text)
    raise BoardError(f"expected {EXPECTED}", line=1, column=1)
