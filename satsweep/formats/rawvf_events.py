"""Games of RAWVF: mouse events, line by line, as clicks.

A line of an event is ``time event column row (x y)``: seconds, the name of the event, the cell from 1, and the place in
pixels. The names are ``lc lr rc rr mc mr`` for the left, right and middle button pressed and released, ``sc`` for the
left button with the Shift key, ``mv`` for a move, and ``mt`` where question marks are switched on or off. Other lines
say what the events did, and are not needed.

A cell is opened when the left button is released. Releasing one of the left and the right button while the other one
is held is a chord, and so is the middle button. The header may say that the left button acts when it is pressed
(``Elmar``), that it chords on open numbers (``SuperClick``), or that flags may become question marks (``Marks``).
Pixels count where they are given, since programs count columns from 0 or from 1.
"""

from __future__ import annotations

import re

from satsweep.board import Cell
from satsweep.formats.clicks import ClickedGame
from satsweep.formats.grids import Line, lines_of
from satsweep.formats.rawvf import read_layout
from satsweep.games.record import Record

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


def read_game(text: str) -> Record:
    """Read the layout and the game on it.

    >>> head = "Width: 3\\nHeight: 1\\nPlayer: me\\nBoard:\\n00*\\nEvents:\\n"
    >>> read_game(head + "0.00 lc 1 1 (3 3)\\n0.25 lr 1 1 (3 3)\\n").moves[0].time
    0.25
    """
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
    return mouse.game.record(options.get("player", ""))


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
