"""A game on a terminal, drawn again in place after each move.

The last moves stand beside the board, or below it where there is no room.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from satsweep.board import Board, Cell
from satsweep.games.game import Game
from satsweep.games.record import Move
from satsweep.render.board_text import Line, styled_lines
from satsweep.render.transcript import move_line
from satsweep.text import counted

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.text import Text

_LOG = 40
"""Least width of the list of moves beside the board."""
_BELOW = 8
"""Height of the list of moves below the board."""
_GAP = 2
_INDENT = " " * 13
"""Indentation of a wrapped reason, below the cell of the move."""
LogEntry = tuple[str, str]
"""Text of a move, and its style."""


def watch_game(steps: Iterable[tuple[Move, Game]], console: Console) -> Iterator[Move]:
    """Draw a game as it goes, and yield each move once it is drawn."""
    from rich.live import Live

    log: list[LogEntry] = []
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        for move, game in steps:
            log = [*log[-200:], _entry(move, game.board)]
            live.update(_scene(game, move, log, console), refresh=True)
            yield move


def print_board(board: Board, console: Console, opened: Collection[tuple[int, int]], centre: Cell) -> None:
    """Print a board once, in colour: as many of its columns as fit."""
    for line in _fitting(board, console.width, board.rows + board.topology.planes, opened, centre):
        console.print(_text(line), soft_wrap=True)


def _entry(move: Move, board: Board) -> LogEntry:
    more = f", {len(move.revealed):,} cells open" if len(move.revealed) > 1 else ""
    return f"{move.turn:>4}  {move_line(move, board)}{more}", "bold #d55e00" if move.exploded else ""


def _log_lines(log: list[LogEntry], width: int, height: int) -> list[Text]:
    from rich.text import Text

    lines: list[Text] = []
    for text, style in log[-height:]:
        lines += [Text(line, style=style, no_wrap=True) for line in wrap(text, width, subsequent_indent=_INDENT)]
    return lines[-height:]


def _scene(game: Game, move: Move, log: list[LogEntry], console: Console) -> Group:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    opened = {cell for cell, _ in move.revealed} or {move.cell}
    title = Text(f"turn {move.turn}" + (f", {counted(game.mines_left, 'mine')} left" if game.rules.tells_total else ""))
    height = max(console.height - 3, 4)
    board = game.board
    wide = len(str(board.rows - 1)) + 2 * board.cols + board.topology.is_hexagonal
    beside = console.width - wide - _GAP
    if beside >= _LOG:
        lines = list(_fitting(board, wide, height, opened, move.cell))
        scene = Table.grid(padding=(0, _GAP))
        scene.add_column(no_wrap=True, min_width=wide)
        scene.add_column(no_wrap=True)
        moves = _log_lines(log, beside, len(lines))
        scene.add_row(Text("\n").join(map(_text, lines)), Text("\n").join(moves))
        return Group(title, scene)
    lines = list(_fitting(board, console.width, max(height - _BELOW, 4), opened, move.cell))
    return Group(title, *map(_text, lines), *_log_lines(log, console.width, _BELOW))


def _fitting(
    board: Board, width: int, height: int, opened: Collection[tuple[int, int]], centre: Cell
) -> Iterator[Line]:
    """The part of a board around a cell that fits, perhaps without blanks.

    Hexagons keep the blanks, because rows are shifted by one of them.
    """
    room = width - len(str(board.rows - 1)) - board.topology.is_hexagonal
    across = 2 if 2 * board.cols <= room or board.topology.is_hexagonal else 1
    rows = _window(board.rows, height - board.topology.planes, centre.row)
    columns = _window(board.cols, room // across, centre.col)
    return styled_lines(board, rows=rows, columns=columns, across=across, opened=opened)


def _window(length: int, room: int, centre: int) -> range:
    """Indices that fit, with ``centre`` in the middle as far as the edges allow.

    >>> _window(100, 10, 50), _window(100, 10, 99), _window(5, 10, 0)
    (range(45, 55), range(90, 100), range(0, 5))
    """
    room = max(1, min(room, length))
    first = min(max(centre - room // 2, 0), length - room)
    return range(first, first + room)


def _text(line: Line) -> Text:
    from rich.text import Text

    return Text.assemble(*line, no_wrap=True)
