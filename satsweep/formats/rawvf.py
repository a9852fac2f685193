"""RAWVF: a replay as text, with its layout and the events of the mouse.

It has a header, ``Board:`` with rows of ``*`` and ``0``, and ``Events:``. A line of an event is ``time event column row
(x y)``: seconds, the name of the event, the cell from 1, and the place in pixels. The names are ``lc lr rc rr mc mr``
for the left, right and middle button pressed and released, ``sc`` for the left button with the Shift key, ``mv`` for a
move, and ``mt`` where question marks are switched on or off. Other lines say what the events did, and are not needed.

A cell is opened when the left button is released. Releasing one of the left and the right button while the other one
is held is a chord, and so is the middle button. The header may say that the left button acts when it is pressed
(``Elmar``), that it chords on open numbers (``SuperClick``), or that flags may become question marks (``Marks``).
The mode of the game is ``Mode``, or the end of ``Level``.
Pixels count where they are given, since programs count columns from 0 or from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.grids import Line, check_size_at, errors_in_rows, lines_of, read_rows
from satsweep.layout import Layout
from satsweep.text import counted, printable

if TYPE_CHECKING:
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.record import Move, Record

_VERSION = re.compile(r"\s*RawVF_Version[ \t]*:", re.IGNORECASE)
_BOARD = re.compile(r"^Board:[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_KEY = re.compile(r"\s*([A-Za-z][\w \t]*):[ \t]*(.*)")
_SYMBOLS = {"*": "*", "0": "."}
SQUARE_SIZE = 16
"""Pixels of a cell's side where the header does not say it."""
_EVENT = re.compile(
    r"\s*(?P<time>-?\d{1,9}(\.\d{0,9})?)\s+(?P<name>[a-z]\w*)"
    r"(?P<cell>\s+(?P<col>-?\d{1,9})\s+(?P<row>-?\d{1,9}))?"
    r"(\s*\(\s*(?P<x>-?\d{1,9})[\s,]+(?P<y>-?\d{1,9})\s*\))?(\s*\([lrm]*\))?\s*",
    re.ASCII,
)
_OPTION = re.compile(r"\s*([A-Za-z]\w*)[ \t]*:[ \t]*(.*)")
_BUTTONS = frozenset(("lc", "lr", "rc", "rr", "mc", "mr", "sc"))
_UNREADABLE = ("nono", "superflag")
"""Options of cheats that change what a click does, so games cannot be followed."""


def recognises(text: str) -> bool:
    """Return whether a text names its version, or has a header and ``Board:``."""
    return _VERSION.match(text) is not None or (_KEY.match(text) is not None and _BOARD.search(text) is not None)


def read_layout(text: str) -> Layout:
    """Read the layout.

    >>> read_layout("Width: 3\\nHeight: 2\\nMines: 1\\nBoard:\\n00*\\n000\\nEvents:\\n")
    Layout(('..*', '...'))
    """
    lines = lines_of(text)
    header: dict[str, tuple[Line, int, int]] = {}
    for index, line in enumerate(lines):
        found = _KEY.fullmatch(line.text)
        if found is None and line.text:
            raise line.error("expected a key, a colon and a value, or Board:")
        if found is None:
            continue
        key = found[1].rstrip().lower()
        if key == "board":
            return _layout(lines, index, header)
        if key in ("width", "height", "mines"):
            if key in header:
                raise line.error(f"expected {found[1].rstrip()} once, found it again", found.start(1) + 1)
            if not re.fullmatch(r"\d{1,9}", found[2], re.ASCII):
                raise line.error(f"expected a whole number, found {found[2][:20]!r}", found.start(2) + 1)
            header[key] = line, found.start(2) + 1, int(found[2])
    raise BoardError("expected a line Board: and the rows after it, found the end", line=len(lines), column=1)


def write(value: Layout | Record) -> str:
    """Write a game, or a layout as a replay without events.

    Raises BoardError for a layout with a start, or another grid than the square one.
    """
    if not isinstance(value, Layout):
        return write_game(value)
    check_holds(value)
    return _written(value, (), ())


def write_game(record: Record) -> str:
    """Write a game as clicks of the left and right button, chords of the middle one.

    Reasons and risks of moves are left out. Where no move has a time, a click takes a second; other moves without one
    have that of the move before. Raises BoardError for rules of play that other programs do not have.

    >>> game = read_game("Width: 2\\nHeight: 1\\nBoard:\\n0*\\nEvents:\\n0.1 lc 1 1\\n0.2 lr 1 1\\n")
    >>> print(write_game(game).partition("Events:")[2].strip())
    0.200 start
    0.200 lc 1 1 (8 8)
    0.200 lr 1 1 (8 8)
    0.200 won
    """
    # Layouts are read and written without the code of games.
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.deal import LEVELS
    from satsweep.games.modes import STANDARD
    from satsweep.games.record import Action, Outcome
    from satsweep.games.rules import STANDARD_RULES, FirstClick

    if replace(record.rules, first=FirstClick.SAFE, start=None) != STANDARD_RULES:
        raise BoardError(f"expected the usual rules of play, found {record.rules}: this format cannot hold them")
    check_holds(record.layout, "start")
    timed = any(move.time is not None for move in record.moves)
    game, events, time = ClickedGame(record.layout), list[tuple[float, str]](), 0.0
    for _, found in groupby(record.moves, key=attrgetter("turn")):
        turn = [move for move in found if move.action is not Action.NOTE]
        for button, (row, col), told in _clicks(game, turn):
            time = (time if told is None else told) if timed else time + 1
            x, y = (SQUARE_SIZE * side + SQUARE_SIZE // 2 for side in (col, row))
            events += ((time, f"{button}{half} {col + 1} {row + 1} ({x} {y})") for half in "cr")
    if events:
        events.insert(0, (events[0][0], "start"))
        if record.won or record.outcome is Outcome.EXPLODED:
            events.append((time, "won" if record.won else "boom"))
    size = (record.layout.rows, record.layout.cols, record.layout.mines)
    level = next((name for name, usual in LEVELS.items() if usual == size), "custom")
    options = [f"Player: {printable(record.agent)}", f"Level: {level.capitalize()}", "Marks: Off", f"Time: {time:.3f}"]
    if record.mode != STANDARD:
        options.append(f"Mode: {printable(record.mode)}")
    return _written(record.layout, options, (f"{time:.3f} {event}" for time, event in events))


def _clicks(game: ClickedGame, turn: list[Move]) -> Iterator[tuple[str, Cell, float | None]]:
    """Yield button, cell and time of the clicks of a turn, and carry them out."""
    from satsweep.formats.clicks import CHORD
    from satsweep.games.record import Action

    inference = turn[0].inference if turn else None
    if inference is not None and inference.rule == CHORD and inference.clues:
        number, opened = inference.clues[0], {cell for move in turn for cell, _ in move.revealed}
        cells = game.opened_by_chord(number)
        if cells and (opened.issuperset(cells) or turn[0].exploded):
            game.chord(number)
            yield "m", number, turn[0].time
            return
    for move in turn:
        if move.action is not Action.OPEN or game.is_flagged(move.cell):
            game.toggle(move.cell)
            yield "r", move.cell, move.time
        if move.action is Action.OPEN:
            game.open(move.cell)
            yield "l", move.cell, move.time


def _written(layout: Layout, options: Iterable[str], events: Iterable[str]) -> str:
    head = ("RawVF_Version: Rev6", "Program: satsweep", f"Width: {layout.cols}", f"Height: {layout.rows}")
    rows = (row.replace(".", "0") for row in layout.cells)
    return "\n".join((*head, f"Mines: {layout.mines}", *options, "Board:", *rows, "Events:", *events)) + "\n"


def _layout(lines: list[Line], at: int, header: dict[str, tuple[Line, int, int]]) -> Layout:
    """Layout of the rows after line ``at``.

    The header has for each key its line, its column and its number.
    """
    for key in ("width", "height"):
        if key not in header:
            raise lines[at].error(f"expected {key.capitalize()} before the board, found none")
    (line, column, cols), (_, _, rows) = header["width"], header["height"]
    check_size_at(cols, rows, line.number, column)
    body = lines[at + 1 : at + 1 + rows]
    end = next((line for line in body if _KEY.match(line.text)), None)
    if end is not None:
        body = body[: body.index(end)]
    with errors_in_rows(body, lines[at].number):
        layout = Layout(read_rows(body, rows, cols, _SYMBOLS, lines[at].number if end is None else end.number))
    if "mines" in header:
        line, column, mines = header["mines"]
        if mines != layout.mines:
            raise line.error(f"expected the {counted(layout.mines, 'mine')} of the board, found {mines}", column)
    return layout


def read_game(text: str) -> Record:
    """Read the layout and the game on it.

    >>> head = "Width: 3\\nHeight: 1\\nPlayer: me\\nBoard:\\n00*\\nEvents:\\n"
    >>> read_game(head + "0.00 lc 1 1 (3 3)\\n0.25 lr 1 1 (3 3)\\n").moves[0].time
    0.25
    """
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.modes import STANDARD, mode_in_level, mode_named

    layout = read_layout(text)
    options: dict[str, str] = {}
    lines = iter(lines_of(text))
    for line in lines:
        found = _OPTION.fullmatch(line.text)
        if found is not None and found[1].lower() == "events":
            break
        if found is not None:
            options[found[1].lower()] = found[2]
            if found[1].lower() in _UNREADABLE and _is_on(found[2]):
                raise line.error(f"expected a game without {found[1]}", found.start(2) + 1)
            if found[1].lower() == "squaresize" and not re.fullmatch(r"[1-9]\d{0,3}", found[2], re.ASCII):
                raise line.error(f"expected pixels, found {found[2][:20]!r}", found.start(2) + 1)
    size = int(options.get("squaresize", SQUARE_SIZE))
    mouse = Mouse(
        ClickedGame(layout),
        marks=_is_on(options.get("marks", "")),
        super_click=_is_on(options.get("superclick", "")),
        on_press=_is_on(options.get("elmar", "")),
    )
    for line in lines:
        if line.text.lstrip()[:1] in "-0123456789" and line.text.strip():
            _follow(mouse, line, layout.rows, layout.cols, size)
    mode = mode_named(options.get("mode", ""))
    return mouse.game.record(
        options.get("player", ""), mode_in_level(options.get("level", "")) if mode == STANDARD else mode
    )


def _is_on(value: str) -> bool:
    return value.strip().lower() in ("on", "true", "1")


def _follow(mouse: Mouse, line: Line, rows: int, cols: int, size: int) -> None:
    """Carry out the event of a line, if it is one of a button."""
    found = _EVENT.fullmatch(line.text)
    if found is None:
        raise line.error("expected a time, the name of an event and a place, as in 1.25 lc 3 4 (40 56)")
    name = found["name"]
    if name == "mt":
        mouse.marks = not mouse.marks
    if name not in _BUTTONS:
        return
    if found["x"] is not None:
        row, col = int(found["y"]) // size, int(found["x"]) // size
    elif found["cell"] is not None:
        row, col = int(found["row"]) - 1, int(found["col"]) - 1
    else:
        raise line.error("expected the column and the row of a click, found none", found.end("name") + 1)
    cell = Cell(row, col) if 0 <= row < rows and 0 <= col < cols else None
    mouse.event(name, cell, float(found["time"]))


class Mouse:
    """The buttons of a mouse, whose events become clicks.

    ``marks`` says that a right click on a flag makes it a question mark, which the next one takes away; ``super_click``
    that a left click on an open number is a chord; ``on_press`` that the left button acts when it is pressed, too.
    """

    def __init__(self, game: ClickedGame, *, marks: bool, super_click: bool, on_press: bool) -> None:
        self.game, self.marks, self.super_click, self.on_press = game, marks, super_click, on_press
        self.held: set[str] = set()
        self.shift = False
        self.chorded = False  # since a chord, a button is still held, whose release opens nothing
        self.questioned: set[Cell] = set()

    def event(self, name: str, cell: Cell | None, time: float) -> None:
        """Carry out an event of a button at a cell; None is a place off the board."""
        button, pressed = name[0], name[1] == "c"
        if pressed:
            self._press("l" if button == "s" else button, cell, time, shift=button == "s")
        elif button in self.held:
            self._release(button, cell, time)

    def _press(self, button: str, cell: Cell | None, time: float, *, shift: bool) -> None:
        if button == "m":
            self.held, self.shift, self.chorded = {"m"}, False, False
            return
        if "m" in self.held:
            return
        self.held.add(button)
        self.shift = shift
        if cell is None:
            return
        if button == "r" and "l" not in self.held and not self.game.is_open(cell):
            self.chorded = False
            self._mark(cell, time)
        if button == "l" and self.on_press:
            self._left(cell, time)

    def _release(self, button: str, cell: Cell | None, time: float) -> None:
        self.held.discard(button)
        if button == "m":
            if cell is not None:
                self.game.chord(cell, time)
        elif button == "l":
            if cell is None:
                self.chorded = False
            else:
                self._left(cell, time)
        elif "l" not in self.held:
            self.chorded = False
        else:
            self.chorded = True
            if cell is not None:
                self.game.chord(cell, time)
        if button == "r":
            self.shift = False

    def _left(self, cell: Cell, time: float) -> None:
        """Left click: a chord with another button, Shift or on a number, else an opening."""
        if "r" in self.held or self.shift or (self.super_click and self.game.is_open(cell)):
            self.game.chord(cell, time)
            self.chorded, self.shift = "r" in self.held, False
        elif self.chorded:
            self.chorded = False
        else:
            self.game.open(cell, time)

    def _mark(self, cell: Cell, time: float) -> None:
        """Right click on a covered cell: to a flag, to a question mark, to neither."""
        if self.game.is_flagged(cell):
            self.game.unflag(cell, time)
            if self.marks:
                self.questioned.add(cell)
        elif cell in self.questioned and self.marks:
            self.questioned.discard(cell)
        else:
            self.game.flag(cell, time)
