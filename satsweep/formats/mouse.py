"""The buttons of a mouse, whose events become the clicks of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satsweep.board import Cell

if TYPE_CHECKING:
    from satsweep.formats.clicks import ClickedGame


class Mouse:
    """The buttons of a mouse, whose events become clicks.

    ``marks`` says that a right click on a flag makes it a question mark, which the next one takes away; ``super_click``
    that a left click on an open number is a chord; ``on_press`` that the left button acts when it is pressed, too.
    Unless the events are ``timed``, moves have no times.
    """

    def __init__(
        self, game: ClickedGame, *, marks: bool, super_click: bool, on_press: bool, timed: bool = True
    ) -> None:
        self.game, self.marks, self.super_click, self.on_press = game, marks, super_click, on_press
        self.timed = timed
        self.held: set[str] = set()
        self.shift = False
        self.chorded = False  # since a chord, a button is still held, whose release opens nothing
        self.questioned: set[Cell] = set()

    def event(self, name: str, cell: Cell | None, seconds: float) -> None:
        """Carry out an event of a button at a cell; None is a place off the board."""
        button, pressed, time = name[0], name[1] == "c", seconds if self.timed else None
        if pressed:
            self._press("l" if button == "s" else button, cell, time, shift=button == "s")
        elif button in self.held:
            self._release(button, cell, time)

    def _press(self, button: str, cell: Cell | None, time: float | None, *, shift: bool) -> None:
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

    def _release(self, button: str, cell: Cell | None, time: float | None) -> None:
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

    def _left(self, cell: Cell, time: float | None) -> None:
        """Left click: a chord with another button, Shift or on a number, else an opening."""
        if "r" in self.held or self.shift or (self.super_click and self.game.is_open(cell)):
            self.game.chord(cell, time)
            self.chorded, self.shift = "r" in self.held, False
        elif self.chorded:
            self.chorded = False
        else:
            self.game.open(cell, time)

    def _mark(self, cell: Cell, time: float | None) -> None:
        """Right click on a covered cell: to a flag, to a question mark, to neither."""
        if self.game.is_flagged(cell):
            self.game.unflag(cell, time)
            if self.marks:
                self.questioned.add(cell)
        elif cell in self.questioned and self.marks:
            self.questioned.discard(cell)
        else:
            self.game.flag(cell, time)
