"""Clicks of a person as a game: left, right and chord, by the rules of ``Game``.

Files of other programs hold clicks, not moves. A *chord* is a click on an open number with as many flags around it as
it says: it opens all other covered cells around. Here it is one turn of several moves, each with the number as its
clue. A mine among its cells comes first, since it ends the game in any order. Clicks that change nothing are
passed over, and so is everything after the end of the game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.games.agent import Inference
from satsweep.games.modes import STANDARD
from satsweep.games.record import Action, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Redraw, Rules
from satsweep.layout import Layout

if TYPE_CHECKING:
    from satsweep.games.game import Game

CHORD = "chord"
"""Rule of a move that a chord makes; its clue is the number that was clicked."""
PLAYER = "player"
"""Name of the player in a record where the file has none."""
_ANY_START = Rules(first=FirstClick.ANY)


class ClickedGame:
    """A game that is played by clicks.

    ``game`` is one on the layout that has not begun. If ``rules`` open the start of the layout, it is open at once.
    Without rules, those of the record are the usual ones: the first cell is promised to be safe, unless the first click
    opens a mine.
    """

    def __init__(self, layout: Layout, rules: Rules | None = None, game: Game | None = None) -> None:
        if game is None:
            from satsweep.games.game import Game  # a list of formats takes no game

            game = Game(layout, rules or _ANY_START)
        self.layout, self.rules = layout, rules
        self.game = game
        if self.game.start is not None and self.game.outcome is None:
            self.game.open(self.game.start, MoveReason.START)

    @property
    def is_over(self) -> bool:
        return self.game.outcome is not None

    def is_open(self, cell: Cell) -> bool:
        return not self.game.is_covered(cell)

    def is_flagged(self, cell: Cell) -> bool:
        return self.game.is_flagged(cell)

    def open(self, cell: Cell, time: float | None = None) -> None:
        """Click a cell to open it; flagged and open cells stay as they are."""
        if not self.is_over and self.game.is_covered(cell) and not self.game.is_flagged(cell):
            self._begin_turn(time)
            self.game.open(cell)

    def flag(self, cell: Cell, time: float | None = None) -> None:
        """Set a flag; open and flagged cells stay as they are."""
        if not self.is_over and self.game.is_covered(cell) and not self.game.is_flagged(cell):
            self._begin_turn(time)
            self.game.flag(cell)

    def unflag(self, cell: Cell, time: float | None = None) -> None:
        if not self.is_over and self.game.is_flagged(cell):
            self._begin_turn(time)
            self.game.unflag(cell)

    def toggle(self, cell: Cell, time: float | None = None) -> None:
        (self.unflag if self.is_flagged(cell) else self.flag)(cell, time)

    def chord(self, cell: Cell, time: float | None = None) -> None:
        """Click an open number to open all cells around it but the flagged ones."""
        if covered := self.opened_by_chord(cell):
            self.open_together(covered, Inference(CHORD, (cell,)), time)

    def opened_by_chord(self, cell: Cell) -> list[Cell]:
        """Cells that a chord opens.

        There are none unless as many around are flagged, or known mines, as the number says.
        """
        layout = self.game.layout
        number = layout.number(cell)
        if self.is_over or number is None or not self.is_open(cell):
            return []
        table = layout.topology.neighbours(layout.rows, layout.cols)
        around = [layout.cell(other) for other in table[layout.index(cell)]]
        marked = sum(self.is_flagged(other) or (self.is_open(other) and layout.is_mine(other)) for other in around)
        if marked != number:
            return []
        return [other for other in around if not self.is_open(other) and not self.is_flagged(other)]

    def open_together(self, cells: list[Cell], inference: Inference | None, time: float | None) -> None:
        """Open covered cells in one turn, mines first.

        Where mines may be redrawn on the way, the cells come in the order given.
        """
        turn = self.game.turn
        stays = self.game.rules.redraw is Redraw.NEVER
        for cell in sorted(cells, key=self.game.layout.is_mine, reverse=True) if stays else cells:
            if not self.is_over and self.game.is_covered(cell):
                if self.game.turn == turn:
                    self._begin_turn(time)
                self.game.open(cell, inference=inference)

    def record(self, player: str = "", mode: str = STANDARD) -> Record:
        """Return the record of the game in a mode, stopped if it has not ended.

        Raises BoardError if nothing was opened or flagged, and if the first cell is not as the rules promise.
        """
        from satsweep.games.game import record

        game = self.game
        if not game.turn:
            raise BoardError("expected a game, found no move that opens or flags a cell")
        if game.layout != self.layout:
            if game.rules.redraw is not Redraw.NEVER:
                raise BoardError("expected cells to be as the rules decide, found a layout in which one is not")
            raise BoardError(f"expected the first cell to be {game.rules.first.value}, found a mine at or around it")
        game.stop(Outcome.STOPPED)
        found = record(game, player.strip() or PLAYER, max(move.time or 0.0 for move in game.moves))
        found = replace(found, mode=mode)
        if self.rules is not None:
            return found
        first = next((move for move in found.moves if move.action is Action.OPEN), None)
        safe = first is None or not first.exploded
        return replace(found, rules=Rules(first=FirstClick.SAFE if safe else FirstClick.ANY))

    def _begin_turn(self, time: float | None) -> None:
        self.game.turn += 1
        self.game.time = None if time is None else max(time, 0.0)
