"""Game of a person: commands on standard input, the board after each, exact hints.

Single key presses from the terminal; whole lines where there is no terminal.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import TYPE_CHECKING

from satsweep.board import Cell
from satsweep.cli.output import in_colour, is_terminal, write
from satsweep.games.game import Game, record
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.render.advice_text import move_in_words, why_unavoidable
from satsweep.render.board_text import styled_lines
from satsweep.render.number_text import cell_list, percent_and_fraction
from satsweep.render.transcript import fact_line, game_ending, game_header, layout_summary, move_line
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis


@contextmanager
def key_reader() -> Iterator[Callable[[], str]]:
    """Function that waits for a key and returns it unechoed; "" at the end of input.

    It reads a whole line where standard input is no terminal, or the system has no POSIX terminals.
    """
    if sys.platform == "win32" or not is_terminal(sys.stdin):
        yield _read_line
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        # Ctrl-C still interrupts. Keys are read past Python's buffer, which would swallow those that follow.
        tty.setcbreak(terminal)
        yield lambda: os.read(terminal, 1).decode("ascii", "replace")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read_line() -> str:
    return "" if sys.stdin is None else sys.stdin.readline()


HELP = """\
open R,C    open a cell; R,C alone does the same. Rows and columns count from 0
flag R,C    mark a mine; unflag R,C removes the mark
hint        the cells that are certainly safe or mines, or else the best guess
risk R,C    the probability that a cell is a mine
board       show the board again
quit        stop the game
"""
HINT_SECONDS = 20.0
"""Time limit of a hint."""

_COMMAND = re.compile(r"([a-z?]*)\s*(.*)", re.DOTALL)
_CELL = re.compile(r"(\d{1,7})(?:\s*,\s*|\s+)(\d{1,7})", re.ASCII)
_ABBREVIATIONS = {"": "open", "o": "open", "f": "flag", "u": "unflag", "r": "risk"}
_ABBREVIATIONS |= {"h": "hint", "b": "board", "q": "quit", "exit": "quit", "?": "help"}
_PROMISES = {FirstClick.SAFE: "safe", FirstClick.ZERO: "safe, and so are those around it"}


def play_interactively(layout: Layout, rules: Rules, rng: Random, source: str, *, warn: bool = False) -> Record:
    """Play a game by commands on standard input, until the game or the input ends."""
    game = Game(layout, rules, rng)
    session = InteractiveGame(game, warn)
    write([*game_header("a person", rules), fact_line("layout", f"{layout_summary(layout)}, {source}")], None)
    if game.start is not None and game.outcome is None:
        session.show_move(game.open(game.start, MoveReason.START))
    elif game.outcome is None:
        session.show()
    lines = _input_lines()
    while game.outcome is None and (line := next(lines, None)) is not None:
        session.execute(line)
    game.stop(Outcome.STOPPED)
    finished = record(game, "a person")
    write(game_ending(finished), None)
    return finished


def _input_lines() -> Iterator[str]:
    """Lines of standard input; on a terminal, after a prompt."""
    if sys.stdin is None:
        return
    if not is_terminal(sys.stdin):
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
    """Game of a person, and the commands that it obeys."""

    def __init__(self, game: Game, warn: bool) -> None:
        self.game = game
        self.warn = warn
        self.warned: Cell | None = None
        self.last: Cell | None = None
        self.cell_commands = {"open": self.open, "flag": self.flag, "unflag": self.unflag, "risk": self.risk}
        self.commands = {"hint": self.hint, "board": self.show, "quit": self.quit, "help": self.help}

    def execute(self, line: str) -> None:
        """Carry out the command of a line, or print an error."""
        found = _COMMAND.fullmatch(line.strip().lower())
        word, rest = found.groups() if found else (line, "")
        if not word and not rest:
            return
        name = _ABBREVIATIONS.get(word, word)
        if name in self.commands and not rest:
            self.commands[name]()
        elif name in self.commands:
            self.print_line(f"expected {name} alone, found {rest[:40]!r}")
        elif name not in self.cell_commands:
            self.print_line(f"expected {', '.join((*self.cell_commands, *self.commands))}, found {word[:40]!r}")
        elif (place := _CELL.fullmatch(rest)) is None:
            self.print_line(f"expected a cell as row,column, found {rest[:40]!r}")
        else:
            cell = Cell(int(place[1]), int(place[2]))
            rows, cols = self.game.layout.rows, self.game.layout.cols
            if cell.row < rows and cell.col < cols and self.game.is_covered(cell):
                self.cell_commands[name](cell)
            else:
                self.print_line(f"expected a covered cell on the {rows}x{cols} grid, found {cell}")

    def open(self, cell: Cell) -> None:
        """Open a cell that is not flagged, after a warning under ``--warn``."""
        if self.game.is_flagged(cell):
            self.print_line(f"{cell} is flagged; unflag it first")
        elif self.warn and cell != self.warned and (warning := self._warning(cell)):
            self.warned = cell
            self.print_line(warning)
        else:
            self.game.turn += 1
            self.show_move(self.game.open(cell))

    def _warning(self, cell: Cell) -> str | None:
        """Warning before a risk while another cell is safe; None if there is none."""
        if self._first_is_promised:
            return None
        analysis = self._analysis()
        risk = analysis.risks[cell.row][cell.col]
        if risk == 0 or not analysis.safe:
            return None
        likely = "a risk that is not known" if risk is None else f"risk {percent_and_fraction(risk)}"
        safe = analysis.best
        return f"{cell} has {likely}, and {safe} is safe; repeat the command to open it"

    def flag(self, cell: Cell) -> None:
        self.game.turn += 1
        self.show_move(self.game.flag(cell))

    def unflag(self, cell: Cell) -> None:
        if not self.game.is_flagged(cell):
            self.print_line(f"{cell} is not flagged")
        else:
            self.game.turn += 1
            self.show_move(self.game.unflag(cell))

    def hint(self) -> None:
        """Print the cells that are forced, the easiest with its proof, or the best guess.

        A flag is the player's opinion, so flagged cells are judged, too.
        """
        if self._first_is_promised:
            self.print_line(f"the first cell is {_PROMISES[self.game.rules.first]}, wherever it is")
            return
        from satsweep.analysis.advice import advise
        from satsweep.cli.answers import why_no_chance
        from satsweep.why import Explainer, Explanation, argument_in_words

        analysis = self._analysis()
        unmarked = [cell for cell in analysis.mines if not self.game.is_flagged(cell)]
        wrong = [cell for cell in analysis.safe if self.game.is_flagged(cell)]
        if wrong:
            self.print_line(f"flagged wrongly: {cell_list(wrong)}")
        advice = advise(analysis, last=self.last)
        if analysis.safe:
            self.print_line(f"safe: {cell_list(analysis.safe)}")
        if unmarked:
            self.print_line(f"mines: {cell_list(unmarked)}")
        if not analysis.safe:
            unknown = why_no_chance(analysis.board, advice)
            more = f"; its chance to win is not known: {unknown}" if unknown else ""
            self.print_line(f"best guess: {move_in_words(advice)}{more}")
        else:
            with Explainer(analysis.board, analysis=analysis) as reasons:
                why = reasons.of(advice.candidates[0].cell)
            assert isinstance(why, Explanation)
            self.print_line(f"easiest: {argument_in_words(why)}")
        for guess in advice.unavoidable:
            self.print_line(why_unavoidable(guess))

    def risk(self, cell: Cell) -> None:
        if self._first_is_promised:
            self.hint()
            return
        risk = self._analysis().risks[cell.row][cell.col]
        self.print_line(f"{cell}: " + ("not known" if risk is None else percent_and_fraction(risk)))

    def quit(self) -> None:
        self.game.stop(Outcome.STOPPED)

    def help(self) -> None:
        write([HELP], None)

    @property
    def _first_is_promised(self) -> bool:
        """True if no cell is open yet and the rules promise something about the first one."""
        opened = any(move.action is Action.OPEN for move in self.game.moves)
        return not opened and self.game.rules.first in _PROMISES

    def _analysis(self) -> Analysis:
        from satsweep.analysis.analyse import analyse

        return analyse(self.game.board, budget=HINT_SECONDS)

    def show_move(self, move: Move) -> None:
        """Show a move, and the board after it."""
        self.last = move.cell
        self.print_line(move_line(move, self.game.board))
        self.show(move)

    def show(self, move: Move | None = None) -> None:
        """Show the board, and the number of mines left if the rules tell it."""
        board = self.game.board
        opened = {cell for cell, _ in move.revealed} if move else ()
        write(["\n"], None)
        if in_colour():
            from rich.console import Console

            from satsweep.render.transcript import print_board

            print_board(board, Console(force_terminal=True), opened, move.cell if move else Cell(0, 0))
        else:
            write(("".join(piece for piece, _ in line) + "\n" for line in styled_lines(board)), None)
        left = f"{counted(self.game.mines_left, 'mine')} left\n" if self.game.rules.tells_total else ""
        write([left, "\n"], None)

    def print_line(self, line: str) -> None:
        write([line.rstrip() + "\n"], None)
