"""A game as text, whole or as it goes: claims with their reasons, opened cells.

Nothing in it depends on the machine or the clock, so the same game always gives the same text. The board follows each
turn on a small grid, each guess on a larger one, and only the last move on a very large one.

On a terminal a game is drawn again in place after each move. The last moves stand beside the board, or below it where
there is no room.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from satsweep.board import Board, Cell
from satsweep.games.agent import Inference
from satsweep.games.game import Game, replay
from satsweep.games.record import UNNAMED, Action, GameMeasures, Move, MoveReason, Record
from satsweep.games.rules import Rules
from satsweep.layout import Layout
from satsweep.render.board_text import Line, styled_lines
from satsweep.render.number_text import percent, percent_and_fraction
from satsweep.sentence import Sentence, joined, named
from satsweep.text import counted, harmless, printable
from satsweep.topology import SQUARE

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.text import Text

EACH_TURN, EACH_GUESS = 256, 10_000
"""Most cells of a board that is shown after each turn, and after each guess."""
MOST_NAMED = 100
"""Most cells that are named of those that a cascade opens."""

_VERBS = {Action.OPEN: "open", Action.FLAG: "flag", Action.UNFLAG: "unflag", Action.NOTE: "safe"}
_REASONS = {MoveReason.START: "the rules open it first", MoveReason.GUESSED: "a guess", MoveReason.DEDUCED: "deduced"}


def transcript(record: Record) -> Iterator[str]:
    """Yield a finished game, line by line. Raises BoardError if a replay fails.

    >>> from satsweep.agents import agent_named
    >>> from satsweep.games.game import play
    >>> record = play(Layout(("..*", "..*")), agent_named("basic"), Rules(start=Cell(0, 0)), name="basic")
    >>> print("".join(transcript(record)).partition("opened")[0])
    agent        basic
    rules        first cell safe at 0,0, cascade, a mine ends the game, clear the board, mine total known
    layout       2x3, 2 mines
                 ..*
                 ..*
    <BLANKLINE>
    start
      open   0,0     shows 0  the rules open it first
             with it 0,1=2 1,0=0 1,1=2
    <BLANKLINE>
        0 1 2
      0 . 2 #
      1 . 2 #
    <BLANKLINE>
    cleared: every cell that is no mine is open
    <BLANKLINE>
    <BLANKLINE>
    """
    yield from game_header(record.agent, record.rules, record.layout)
    yield from game_lines(replay(record))
    yield from game_ending(record)


def game_header(agent: str, rules: Rules, layout: Layout | None = None) -> Iterator[str]:
    yield fact_line("agent", agent)
    yield fact_line("rules", str(rules))
    if layout is not None:
        yield fact_line("layout", layout_summary(layout))
        for row in layout.cells:
            yield fact_line("", row)


def layout_summary(layout: Layout) -> str:
    topology = "" if layout.topology == SQUARE else f", {layout.topology.name}"
    return f"{layout_size(layout)}{topology}"


def layout_size(layout: Layout) -> str:
    start = "" if layout.start is None else f", start {layout.start}"
    return f"{layout.rows}x{layout.cols}, {counted(layout.mines, 'mine')}{start}"


def game_lines(steps: Iterable[tuple[Move, Game]]) -> Iterator[str]:
    """Yield the moves of a game as they are made, and the board after some of them."""
    turn = -1
    board: Board | None = None
    game = None
    for move, game in steps:
        if move.turn != turn:
            yield from _board_lines(board)
            board = None
            turn = move.turn
            yield f"\nturn {turn}\n" if turn else "\nstart\n"
        yield f"  {move_line(move, game.board)}\n"
        if len(move.revealed) > 1:
            yield from _cascade(move)
        cells = game.layout.rows * game.layout.cols
        if cells <= EACH_TURN or (cells <= EACH_GUESS and move.reason is MoveReason.GUESSED):
            board = game.board
    yield from _board_lines(board if board or game is None else game.board)


def _board_lines(board: Board | None) -> Iterator[str]:
    """The board, if there is one to show, after an empty line."""
    if board is not None:
        yield "\n"
        for line in styled_lines(board):
            yield f"  {''.join(piece for piece, _ in line)}".rstrip() + "\n"


def move_line(move: Move, board: Board) -> str:
    """A move in one line: action, cell, number shown, reason."""
    verb = "guess" if move.reason is MoveReason.GUESSED else _VERBS[move.action]
    result = ""
    if move.revealed:
        number = move.revealed[0][1]
        result = "a mine" if number is None else f"shows {number}"
    return f"{verb:<6} {move.cell!s:<7} {result:<8} {reason_text(move, board)}".rstrip()


def reason_text(move: Move, board: Board) -> Sentence:
    """Reason of a move: the rule and its numbers, or how the guess was chosen.

    Agents write reasons, so what cannot be printed is escaped.
    """
    if move.inference is not None:
        return inference_text(move.inference, board)
    if move.why or move.risk is not None:
        risk = "" if move.risk is None else f"risk {percent_and_fraction(move.risk)}"
        return Sentence(printable(", ".join(part for part in (move.why, risk) if part)))
    return Sentence(_REASONS.get(move.reason, ""))


def inference_text(inference: Inference, board: Board) -> Sentence:
    """An inference with the numbers that it was applied to.

    >>> inference_text(Inference("single point", (Cell(0, 0),)), Board(("1#",)))
    'single point: 1 at 0,0'
    """
    clues = clues_text(inference, board)
    return Sentence(printable(f"{inference.rule}"), ": " if clues else "", clues)


def clues_text(inference: Inference, board: Board) -> Sentence:
    """The numbers that an inference was applied to; empty without any."""
    # Agents from outside the package may name their clues as bare pairs.
    return joined((Sentence(f"{_number(board, cell)} at ", named(cell)) for cell in inference.clues), ", ")


def _number(board: Board, cell: tuple[int, int]) -> str:
    """Number of an open cell, or its symbol if it shows none."""
    number = board.number(cell)
    return board[cell] if number is None else str(number)


def _cascade(move: Move) -> Iterator[str]:
    others = move.revealed[1:]
    cells = " ".join(f"{cell}={number}" for cell, number in others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
    for line in textwrap.wrap(f"with it {cells}{more}", 91):
        yield f"{'':<9}{line}\n"


def game_ending(record: Record) -> Iterator[str]:
    yield f"\n{record.outcome.value}: {record.outcome.why}\n\n"
    for name, value in measure_facts(record.measures, record.layout):
        yield fact_line(name, value)


def measure_facts(measures: GameMeasures, layout: Layout) -> Iterator[tuple[str, str]]:
    area = layout.rows * layout.cols
    right = measures.flagged - measures.wrong_flags
    yield "opened", f"{measures.opened:,} of {counted(area, 'cell')}, {percent(measures.share_opened)}"
    yield "flagged", f"{right:,} of {counted(layout.mines, 'mine')}, and {counted(measures.wrong_flags, 'safe cell')}"
    yield "score", percent_and_fraction(measures.score)
    yield "mines hit", f"{measures.mines_hit:,}"
    yield "turns", f"{measures.turns:,}"
    yield "guesses", f"{measures.guesses:,}, {measures.guesses_lost:,} lost"
    yield "claims", f"{measures.claims:,}, {measures.beyond_basic:,} beyond single numbers"
    for rule, claims in measures.by_rule.items():
        yield "", f"{claims:,} without a reason" if rule == UNNAMED else f"{claims:,} by {rule}"


def fact_line(name: str, value: str) -> str:
    return harmless(f"{name:<12} {value}".rstrip()) + "\n"


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
        wrapped = textwrap.wrap(text, width, subsequent_indent=_INDENT)
        lines += [Text(line, style=style, no_wrap=True) for line in wrapped]
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
