"""A game as text: claims with their reasons, opened cells with their numbers.

Nothing in it depends on the machine or the clock, so the same game always gives the same text. The board follows each
turn on a small grid, each guess on a larger one, and only the last move on a very large one.
"""

import textwrap
from collections.abc import Iterable, Iterator

from satsweep.board import Board, Cell
from satsweep.games.agent import Inference
from satsweep.games.game import Game, replay
from satsweep.games.record import UNNAMED, Action, GameMeasures, Move, MoveReason, Record
from satsweep.games.rules import Rules
from satsweep.layout import Layout
from satsweep.render.board_text import styled_lines
from satsweep.render.number_text import percent, percent_and_fraction
from satsweep.text import counted, printable
from satsweep.topology import SQUARE

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


def reason_text(move: Move, board: Board) -> str:
    """Reason of a move: the rule and its numbers, or how the guess was chosen.

    Agents write reasons, so what cannot be printed is escaped.
    """
    if move.inference is not None:
        return printable(inference_text(move.inference, board))
    if move.why or move.risk is not None:
        risk = "" if move.risk is None else f"risk {percent_and_fraction(move.risk)}"
        return printable(", ".join(part for part in (move.why, risk) if part))
    return _REASONS.get(move.reason, "")


def inference_text(inference: Inference, board: Board) -> str:
    """An inference with the numbers that it was applied to.

    >>> inference_text(Inference("single point", (Cell(0, 0),)), Board(("1#",)))
    'single point: 1 at 0,0'
    """
    # Agents from outside the package may name their clues as bare pairs.
    clues = ", ".join(f"{_number(board, cell)} at {Cell(*cell)}" for cell in inference.clues)
    return f"{inference.rule}: {clues}" if clues else inference.rule


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
    return f"{name:<12} {value}".rstrip() + "\n"
