"""A game as text, to be read and compared line by line: what was claimed and why, what was opened and what it showed.

Nothing in it depends on the machine or the clock, so the same game always gives the same text. The board follows each
turn on a small grid, each guess on a larger one, and on a very large one it comes once, at the end.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction

from satsweep.board import Board, Cell
from satsweep.games.agent import Inference
from satsweep.games.game import Game
from satsweep.games.record import Action, GameMeasures, Move, MoveReason, Record
from satsweep.games.replay import replay
from satsweep.games.rules import Rules
from satsweep.layout import Layout
from satsweep.render.facts import percent
from satsweep.render.grid import drawn
from satsweep.topology import SQUARE

EACH_TURN, EACH_GUESS = 256, 10_000
"""Up to so many cells the board is shown after each turn, after each guess."""
NAMED = 100
"""So many of the cells that a cascade opens are named."""

_VERBS = {Action.OPEN: "open", Action.FLAG: "flag", Action.UNFLAG: "unflag", Action.NOTE: "safe"}
_BECAUSE = {MoveReason.START: "the rules open it first", MoveReason.GUESSED: "a guess", MoveReason.DEDUCED: "deduced"}


def transcript(record: Record) -> Iterator[str]:
    """The whole of a finished game, line by line. Raises BoardError for a record that cannot be played again.

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
    yield from header(record.agent, record.rules, record.layout)
    yield from told(replay(record))
    yield from ending(record)


def header(agent: str, rules: Rules, layout: Layout | None = None) -> Iterator[str]:
    """Who plays what, and where the mines are if that is to be told."""
    yield fact("agent", agent)
    yield fact("rules", str(rules))
    if layout is not None:
        yield fact("layout", size(layout))
        for row in layout.cells:
            yield fact("", row)


def size(layout: Layout) -> str:
    """How large a layout is, and what else is special about it."""
    topology = "" if layout.topology == SQUARE else f", {layout.topology.name}"
    return f"{extent(layout)}{topology}"


def extent(layout: Layout) -> str:
    """How large a layout is, and where play starts if it says so."""
    start = "" if layout.start is None else f", start {layout.start}"
    return f"{layout.rows}x{layout.cols}, {_many(layout.mines, 'mine')}{start}"


def told(steps: Iterable[tuple[Move, Game]]) -> Iterator[str]:
    """What happens in a game, as it happens: each move with the game right after it."""
    turn = -1
    board: Board | None = None
    game = None
    for move, game in steps:
        if move.turn != turn:
            yield from _shown(board)
            board = None
            turn = move.turn
            yield f"\nturn {turn}\n" if turn else "\nstart\n"
        yield f"  {said(move, game.board)}\n"
        if len(move.revealed) > 1:
            yield from _cascade(move)
        cells = game.layout.rows * game.layout.cols
        if cells <= EACH_TURN or (cells <= EACH_GUESS and move.reason is MoveReason.GUESSED):
            board = game.board
    yield from _shown(board if board or game is None else game.board)


def _shown(board: Board | None) -> Iterator[str]:
    if board is not None:
        yield "\n"
        for line in drawn(board):
            yield f"  {''.join(piece for piece, _ in line)}".rstrip() + "\n"


def said(move: Move, board: Board) -> str:
    """A move in one line: what, where, what it showed, and why."""
    verb = "guess" if move.reason is MoveReason.GUESSED else _VERBS[move.action]
    result = ""
    if move.revealed:
        number = move.revealed[0][1]
        result = "a mine" if number is None else f"shows {number}"
    return f"{verb:<6} {move.cell!s:<7} {result:<8} {because(move, board)}".rstrip()


def because(move: Move, board: Board) -> str:
    """Why a move was made: the rule and the numbers that it rests on, or how the guess was chosen."""
    if move.inference is not None:
        return reason(move.inference, board)
    if move.why or move.risk is not None:
        return ", ".join(part for part in (move.why, "" if move.risk is None else f"risk {odds(move.risk)}") if part)
    return _BECAUSE.get(move.reason, "")


def reason(inference: Inference, board: Board) -> str:
    """An inference with the numbers that it was applied to.

    >>> reason(Inference("single point", (Cell(0, 0),)), Board(("1#",)))
    'single point: 1 at 0,0'
    """
    # Agents are other people's code and may name their clues as bare pairs.
    clues = ", ".join(f"{_number(board, cell)} at {Cell(*cell)}" for cell in inference.clues)
    return f"{inference.rule}: {clues}" if clues else inference.rule


def _number(board: Board, cell: tuple[int, int]) -> str:
    number = board.number(cell)
    return board[cell] if number is None else str(number)


def odds(risk: Fraction) -> str:
    """A risk in percent, and as a fraction unless that is long.

    >>> odds(Fraction(1, 3)), odds(Fraction(10**9, 10**9 + 1)), odds(Fraction(1))
    ('33.33 % (1/3)', '>99.99 %', '100 %')
    """
    short = 1 < risk.denominator < 10**6
    return f"{percent(risk)} ({risk})" if short else percent(risk)


def _cascade(move: Move) -> Iterator[str]:
    others = move.revealed[1:]
    cells = " ".join(f"{cell}={number}" for cell, number in others[:NAMED])
    more = f" and {len(others) - NAMED:,} more" if len(others) > NAMED else ""
    for line in textwrap.wrap(f"with it {cells}{more}", 91):
        yield f"{'':<9}{line}\n"


def ending(record: Record) -> Iterator[str]:
    """How the game ended, and what is measured on it."""
    yield f"\n{record.outcome.value}: {record.outcome.why}\n\n"
    for name, value in facts(record.measures, record.layout):
        yield fact(name, value)


def facts(measures: GameMeasures, layout: Layout) -> Iterator[tuple[str, str]]:
    """The measures in words."""
    area = layout.rows * layout.cols
    right = measures.flagged - measures.wrong_flags
    yield "opened", f"{measures.opened:,} of {_many(area, 'cell')}, {percent(measures.share_opened)}"
    yield "flagged", f"{right:,} of {_many(layout.mines, 'mine')}, and {_many(measures.wrong_flags, 'safe cell')}"
    yield "score", odds(measures.score)
    yield "mines hit", f"{measures.mines_hit:,}"
    yield "turns", f"{measures.turns:,}"
    yield "guesses", f"{measures.guesses:,}, {measures.guesses_lost:,} lost"
    yield "claims", f"{measures.claims:,}, {measures.beyond_basic:,} beyond single numbers"
    for rule, claims in measures.by_rule.items():
        yield "", f"{claims:,} by {rule}"


def fact(name: str, value: str) -> str:
    """A line with a name and a value, in columns."""
    return f"{name:<12} {value}".rstrip() + "\n"


def _many(number: int, name: str) -> str:
    return f"{number:,} {name}{'s' * (number != 1)}"
