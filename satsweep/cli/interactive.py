"""A person plays: commands on standard input, the board after each, and hints that are exact."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from satsweep.board import Cell
from satsweep.cli.output import in_colour, write
from satsweep.games.game import Game, record
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.render.analysis_facts import best_move
from satsweep.render.board_text import styled_lines
from satsweep.render.number_text import cell_list, percent_and_fraction
from satsweep.render.transcript import fact_line, game_ending, game_header, layout_summary, move_line

if TYPE_CHECKING:
    from satsweep.solver.analysis import Analysis

HELP = """\
open R,C    open a cell; R,C alone does the same. Rows and columns count from 0
flag R,C    mark a mine; unflag R,C takes the mark away
hint        what must be so, or else the best cell to open
risk R,C    how likely a cell is to be a mine
board       show the board again
quit        stop
"""
SECONDS = 20.0
"""What a hint may take."""

_COMMAND = re.compile(r"([a-z?]*)\s*(.*)", re.DOTALL)
_CELL = re.compile(r"(\d{1,7})(?:\s*,\s*|\s+)(\d{1,7})", re.ASCII)
_SHORT = {"": "open", "o": "open", "f": "flag", "u": "unflag", "r": "risk"}
_SHORT |= {"h": "hint", "b": "board", "q": "quit", "exit": "quit", "?": "help"}
_PROMISES = {FirstClick.SAFE: "safe", FirstClick.ZERO: "safe, and so are those around it"}


def converse(layout: Layout, rules: Rules, rng: Random, source: str, *, warn: bool = False) -> Record:
    """Play with a person until the game ends, or the person stops or has no more to say."""
    game = Game(layout, rules, rng)
    table = InteractiveGame(game, warn)
    write([*game_header("a person", rules), fact_line("layout", f"{layout_summary(layout)}, {source}")], None)
    if game.start is not None and game.outcome is None:
        table.moved(game.open(game.start, MoveReason.START))
    elif game.outcome is None:
        table.show()
    typed = _lines()
    while game.outcome is None and (line := next(typed, None)) is not None:
        table.obey(line)
    game.stop(Outcome.STOPPED)
    finished = record(game, "a person")
    write(game_ending(finished), None)
    return finished


def _lines() -> Iterator[str]:
    """What is typed, line by line, after a prompt where somebody types."""
    if sys.stdin is None:
        return
    if not sys.stdin.isatty():
        for content in sys.stdin.buffer:
            yield content.decode("utf-8", "replace")
        return
    with suppress(ImportError):
        import readline  # noqa: F401  # gives input() a history
    while True:
        try:
            yield input("> ")
        except EOFError:
            write(["\n"], None)
            return
        except UnicodeDecodeError as error:
            yield str(error.object, "utf-8", "replace")


class InteractiveGame:
    """A game in front of a person, and what can be said there."""

    def __init__(self, game: Game, warn: bool) -> None:
        self.game = game
        self.warn = warn
        self.warned: Cell | None = None
        self.on_a_cell = {"open": self.open, "flag": self.flag, "unflag": self.unflag, "risk": self.risk}
        self.alone = {"hint": self.hint, "board": self.show, "quit": self.quit, "help": self.help}

    def obey(self, line: str) -> None:
        """Do what a line says, or say why not."""
        found = _COMMAND.fullmatch(line.strip().lower())
        word, rest = found.groups() if found else (line, "")
        if not word and not rest:
            return
        name = _SHORT.get(word, word)
        if name in self.alone and not rest:
            self.alone[name]()
        elif name in self.alone:
            self.say(f"expected {name} alone, found {rest[:40]!r}")
        elif name not in self.on_a_cell:
            self.say(f"expected {', '.join((*self.on_a_cell, *self.alone))}, found {word[:40]!r}")
        elif (place := _CELL.fullmatch(rest)) is None:
            self.say(f"expected a cell as row,column, found {rest[:40]!r}")
        else:
            cell = Cell(int(place[1]), int(place[2]))
            rows, cols = self.game.layout.rows, self.game.layout.cols
            if cell.row < rows and cell.col < cols and self.game.is_covered(cell):
                self.on_a_cell[name](cell)
            else:
                self.say(f"expected a covered cell on the {rows}x{cols} grid, found {cell}")

    def open(self, cell: Cell) -> None:
        """Open a cell, but not a flagged one, and after a warning if that was asked for."""
        if self.game.is_flagged(cell):
            self.say(f"{cell} is flagged; unflag it first")
        elif self.warn and cell != self.warned and (warning := self._warning(cell)):
            self.warned = cell
            self.say(warning)
        else:
            self.game.turn += 1
            self.moved(self.game.open(cell))

    def _warning(self, cell: Cell) -> str | None:
        if self._promised:
            return None
        analysis = self._analysis()
        risk = analysis.risk(cell)
        if risk == 0 or not analysis.safe:
            return None
        likely = "a risk that is not known" if risk is None else f"risk {percent_and_fraction(risk)}"
        safe = analysis.safe[0]
        return f"{cell} has {likely}, and {safe} is safe; say it again to open it"

    def flag(self, cell: Cell) -> None:
        """Flag a cell."""
        self.game.turn += 1
        self.moved(self.game.flag(cell))

    def unflag(self, cell: Cell) -> None:
        """Take a flag away."""
        if not self.game.is_flagged(cell):
            self.say(f"{cell} is not flagged")
        else:
            self.game.turn += 1
            self.moved(self.game.unflag(cell))

    def hint(self) -> None:
        """What must be so, or the best guess. A flag is somebody's opinion, so flagged cells are judged, too."""
        if self._promised:
            self.say(f"the first cell is {_PROMISES[self.game.rules.first]}, wherever it is")
            return
        analysis = self._analysis()
        unmarked = [cell for cell in analysis.mines if not self.game.is_flagged(cell)]
        wrong = [cell for cell in analysis.safe if self.game.is_flagged(cell)]
        if wrong:
            self.say(f"flagged wrongly: {cell_list(wrong)}")
        if analysis.safe:
            self.say(f"safe: {cell_list(analysis.safe)}")
        if unmarked:
            self.say(f"mines: {cell_list(unmarked)}")
        if not analysis.safe:
            self.say(f"best guess: {best_move(analysis)}")

    def risk(self, cell: Cell) -> None:
        """How likely a cell is to be a mine."""
        if self._promised:
            self.hint()
            return
        risk = self._analysis().risk(cell)
        self.say(f"{cell}: " + ("not known" if risk is None else percent_and_fraction(risk)))

    def quit(self) -> None:
        """Stop."""
        self.game.stop(Outcome.STOPPED)

    def help(self) -> None:
        """What can be said."""
        write([HELP], None)

    @property
    def _promised(self) -> bool:
        """Whether the next cell that is opened is the first, about which the rules promise something."""
        opened = any(move.action is Action.OPEN for move in self.game.moves)
        return not opened and self.game.rules.first in _PROMISES

    def _analysis(self) -> Analysis:
        from satsweep.solver.analysis import analyse

        return analyse(self.game.board, budget=SECONDS)

    def moved(self, move: Move) -> None:
        """Show a move, and the board after it."""
        self.say(move_line(move, self.game.board))
        self.show(move)

    def show(self, move: Move | None = None) -> None:
        """Show the board, and how many mines are left to be found, if that is told."""
        board = self.game.board
        opened = {cell for cell, _ in move.revealed} if move else ()
        terminal = sys.stdout is not None and sys.stdout.isatty()
        write(["\n"], None)
        if in_colour(terminal=terminal):
            from rich.console import Console

            from satsweep.render.watch import print_board

            print_board(board, Console(force_terminal=True), opened, move.cell if move else Cell(0, 0))
        else:
            write(("".join(piece for piece, _ in line) + "\n" for line in styled_lines(board)), None)
        left = f"{self.game.mines_left:,} mines left\n" if self.game.rules.tells_total else ""
        write([left, "\n"], None)

    def say(self, line: str) -> None:
        """One line."""
        write([line.rstrip() + "\n"], None)
