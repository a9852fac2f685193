"""Saved games of Mines, one of Simon Tatham's puzzles: position, layout and game.

A line is a name, the length of its value and the value: ``DESC    :26:4,4,me39b...``. ``PARAMS`` and ``DESC`` together
are the game ID that ``tatham`` reads. A game that began with a click has a ``PRIVDESC``, the same mines without the
start; one that began with an ID has its start open at once. Each ``MOVE`` is a click: ``O4,4`` opens a cell by column
and row, ``F`` sets a flag or takes it away, ``C`` is a chord; a chord that hits mines is written as ``O`` for each of
them. ``STATEPOS`` says how many of the ``NSTATES`` positions were reached and not taken back; the first is the start.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from satsweep.board import Board, Cell
from satsweep.errors import BoardError
from satsweep.formats import tatham
from satsweep.layout import Layout

if TYPE_CHECKING:
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.record import Record

_HEAD = re.compile(r"SAVEFILE:\d{1,9}:")
_LINE = re.compile(r"([A-Z]{1,8}) *:(\d{1,9}):(.*)", re.ASCII)
_PART = re.compile(r"([OFC])(\d{1,7}),(\d{1,7})", re.ASCII)
_MADE = ("MOVE", "SOLVE", "RESTART")
"""Names of lines that make a new position."""


class _Value(NamedTuple):
    """Value of a line, and the place where it begins."""

    text: str
    line: int
    column: int

    def error(self, message: str, offset: int = 0) -> BoardError:
        return BoardError(message, line=self.line, column=self.column + offset)

    def number(self, least: int, most: int) -> int:
        if not re.fullmatch(r"\d{1,9}", self.text, re.ASCII) or not least <= int(self.text) <= most:
            raise self.error(f"expected a number from {least} to {most}, found {self.text[:20]!r}")
        return int(self.text)


class _Save(NamedTuple):
    """Values of a file by name, and in their order the lines that make positions."""

    values: dict[str, _Value]
    made: list[tuple[str, _Value]]
    end: int

    def value(self, name: str) -> _Value:
        if name not in self.values:
            raise BoardError(f"expected a line {name}, found none", line=self.end, column=1)
        return self.values[name]


def recognises(text: str) -> bool:
    return _HEAD.match(text) is not None


def read_layout(text: str) -> Layout:
    """Read the layout of a saved game, with its start.

    >>> lines = "SAVEFILE:1:x", "VERSION :1:1", "GAME    :5:Mines", "PARAMS  :5:3x2n1", "DESC    :7:0,0,u20"
    >>> read_layout("\\n".join(lines) + "\\n")
    Layout(('..*', '...'), start=(0, 0))
    """
    save = _parse(text)
    return _layout(save, save.value("DESC"))


def read_board(text: str) -> Board:
    """Read what the player sees, in the position that was saved."""
    return _played(_parse(text)).game.board


def read_game(text: str) -> Record:
    """Read the moves up to the position that was saved; the program keeps no times.

    Its boards need no guess unless the parameters end with an ``a`` (ambiguous).
    """
    from satsweep.games.modes import STANDARD, mode_named
    from satsweep.games.rules import FirstClick

    save = _parse(text)
    game = _played(save)
    record = game.record(mode=STANDARD if _size(save).text.endswith("a") else mode_named("no guess"))
    first = record.first_opened
    if game.rules is None and first is not None and record.layout.number(first) == 0:
        return replace(record, rules=replace(record.rules, first=FirstClick.ZERO))
    return record


def _parse(text: str) -> _Save:
    values: dict[str, _Value] = {}
    made = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise BoardError("expected a name, a length and a value, as in GAME    :5:Mines", line=number, column=1)
        name, value = found[1], _Value(found[3], number, found.start(3) + 1)
        length = len(found[3].encode(errors="surrogatepass"))
        if length != int(found[2]):
            message = f"expected {length:,}, the length of the value, found {int(found[2]):,}"
            raise BoardError(message, line=number, column=found.start(2) + 1)
        if name in _MADE:
            made.append((name, value))
        elif name in values:
            raise BoardError(f"expected {name} once, found it again", line=number, column=1)
        else:
            values[name] = value
    save = _Save(values, made, len(lines))
    game = save.value("GAME")
    if game.text != "Mines":
        raise game.error(f"expected Mines, found a game of {game.text[:20]!r}")
    return save


def _layout(save: _Save, description: _Value) -> Layout:
    """Layout of a description; errors have the place of what they are about."""
    size = _size(save)
    try:
        return tatham.read_layout(f"{size.text}:{description.text}")
    except BoardError as error:
        at = (error.column or 1) - 1
        where, offset = (size, at) if at < len(size.text) else (description, max(at - len(size.text) - 1, 0))
        raise where.error(error.message, offset) from None


def _size(save: _Save) -> _Value:
    return save.values.get("CPARAMS") or save.value("PARAMS")


def _begun(save: _Save, *, described: bool = False) -> ClickedGame:
    """Game before the first move; one that an ID ``described`` has its start open."""
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.rules import FirstClick, Rules

    layout = _layout(save, save.value("DESC"))
    if "PRIVDESC" in save.values:
        private = _layout(save, save.values["PRIVDESC"])
        if private.cells != layout.cells:
            raise save.values["PRIVDESC"].error("expected the mines of DESC, found others")
        if not described:
            return ClickedGame(private)
    return ClickedGame(layout, None if layout.start is None else Rules(first=FirstClick.GIVEN))


def _played(save: _Save) -> ClickedGame:
    """Game in the position that was saved."""
    states = save.value("NSTATES").number(1, 1_000_000)
    reached = save.value("STATEPOS").number(1, states)
    if len(save.made) != states - 1:
        raise save.value("NSTATES").error(f"expected {len(save.made) + 1}, one and the moves, found {states}")
    game = _begun(save)
    for name, value in save.made[: reached - 1]:
        if name == "SOLVE":
            raise value.error("expected a game that the player played, found one that the program solved")
        if name == "RESTART":
            game = _begun(save, described=True)
        else:
            _move(game, value)
    return game


def _move(game: ClickedGame, value: _Value) -> None:
    """Make the move of a line: a click, or the mines that a chord opens."""
    if game.is_over:
        raise value.error("expected no move after the end of the game")
    opened, at = [], 0
    for part in value.text.split(";"):
        found = _PART.fullmatch(part)
        if found is None:
            raise value.error(f"expected O, F or C with a column and a row, as in O4,4, found {part[:20]!r}", at)
        cell = Cell(int(found[3]), int(found[2]))
        if cell.row >= game.layout.rows or cell.col >= game.layout.cols:
            raise value.error(f"expected a cell of the {game.layout.rows}x{game.layout.cols} grid, found {part}", at)
        if game.is_open(cell) is not (found[1] == "C") or found[1] == "O" and game.is_flagged(cell):
            expected = "an open" if found[1] == "C" else "a covered"
            raise value.error(f"expected {expected} cell without a flag, found {part}", at)
        if found[1] == "O":
            opened.append(cell)
        elif found[1] == "F":
            game.toggle(cell)
        else:
            near = game.layout.topology.neighbours(game.layout.rows, game.layout.cols)[game.layout.index(cell)]
            if sum(game.is_flagged(game.layout.cell(other)) for other in near) != game.layout.number(cell):
                raise value.error(f"expected as many flags around the number as it says, found {part}", at)
            game.chord(cell)
        at += len(part) + 1
    game.open_together(opened, None, None)
