"""Simple review of a finished game: each opening beside the least risk there was.

The question has the board at the end, and for each opening move the cells that the player chose and all cells that it
opened. Positions in between follow from these alone: no seed, and no layout, is needed.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import COVERED, FLAG, HIDDEN, Board
from satsweep.errors import Contradiction
from satsweep.render.number_text import percent
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.pipeline import ComponentCache
from satsweep.web.questions import Limits, Question, SendPart, Values

BATCH_SECONDS = 0.15
"""Moves are gathered for this time before they are sent together."""


@dataclass(frozen=True, slots=True)
class OpeningMove:
    """An opening move: chosen cells, and all that were opened, as row-major indices."""

    chosen: tuple[int, ...]
    opened: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """Risk of a move and the least risk at that time, None if they are not known.

    ``safe`` is the number of safe cells, ``best`` one cell of least risk.
    """

    cell: int
    risk: Fraction | None
    least: Fraction | None
    safe: int
    best: int | None

    @property
    def kind(self) -> str:
        """The kind of move: safe, a guess of some sort, or a certain mine."""
        if self.risk is None or self.least is None:
            return "unknown"
        if self.risk == 0:
            return "safe"
        if self.risk == 1:
            return "mine"
        if self.safe:
            return "needless"
        return "guess" if self.risk == self.least else "worse"


def review(question: Question, limits: Limits, send: SendPart) -> Values:
    """Risks of the openings of a game: parts with ``moves``, then how lucky it was.

    ``board`` is the position at the end, and ``moves`` has a pair of lists of indices for each opening: chosen cells,
    opened cells. The first one is not judged.
    """
    board = Board.from_text(question.fields["board"].string())
    limits.check(board.rows, board.cols)
    moves = _moves(question, board)
    waiting: list[Values] = []
    survived, possible, kinds = Fraction(1), Fraction(1), list[str]()
    sent = time.monotonic()
    for number, judged in enumerate(_judged(board, moves, limits), 1):
        waiting.append({"move": number, **_values(judged, board)})
        kinds.append(judged.kind)
        survived *= 1 - (judged.risk or 0)
        possible *= 1 - (judged.least or 0)
        if time.monotonic() - sent > BATCH_SECONDS:
            send({"moves": waiting})
            waiting, sent = [], time.monotonic()
    send({"moves": waiting})
    guesses = sum(kind in ("guess", "worse", "needless", "mine") for kind in kinds)
    return {
        "guesses": guesses,
        "needless": sum(kind in ("needless", "mine") for kind in kinds),
        "worse": kinds.count("worse"),
        "unknown": kinds.count("unknown"),
        "chance": float(survived),
        "chance_percent": percent(survived),
        "possible": float(possible),
        "possible_percent": percent(possible),
    }


def _moves(question: Question, board: Board) -> list[OpeningMove]:
    """The moves of a question: each open cell of the board is opened once."""
    symbols = board.symbols
    left = {index for index, symbol in enumerate(symbols) if symbol not in (COVERED, FLAG)}
    moves = []
    for node in question.fields["moves"].items():
        chosen, opened = node.items() if len(node.items()) == 2 else node.fail("expected chosen and opened cells")
        move = OpeningMove(tuple(chosen.integers()), tuple(opened.integers()))
        if not move.chosen or not set(move.chosen) <= set(move.opened):
            node.fail("expected chosen cells among the opened ones")
        if len(set(move.opened)) < len(move.opened) or not left >= set(move.opened):
            opened.fail("expected open cells of the board, each opened once")
        left -= set(move.opened)
        moves.append(move)
    return moves


def _judged(board: Board, moves: Sequence[OpeningMove], limits: Limits) -> Iterator[JudgedMove]:
    """Judge all moves but the first, before which nothing is known."""
    symbols = [COVERED] * (board.rows * board.cols)
    cache = ComponentCache()
    for number, move in enumerate(moves):
        if number:
            before = _with_symbols(board, symbols)
            yield _judge(analyse(before, budget=limits.solving, cache=cache), move, cache, limits)
        for index in move.opened:
            symbols[index] = board.symbols[index]


def _judge(analysis: Analysis, move: OpeningMove, cache: ComponentCache, limits: Limits) -> JudgedMove:
    """Judge a move: with several cells at once its risk is that one of them is a mine."""
    board, least = analysis.board, analysis.least_risk
    risks = {index: _known_risk(analysis, index) for index in move.chosen}
    worst = max(risks, key=lambda index: risks[index] or 0)
    doubtful = [index for index, risk in risks.items() if risk != 0]
    risk = risks[worst]
    if len(doubtful) > 1 and risk is not None and risk < 1:
        risk = _joint_risk(analysis, doubtful, cache, limits)
    best = None if least is None else board.index(analysis.safest[0])
    return JudgedMove(worst, risk, least, len(analysis.safe), best)


def _known_risk(analysis: Analysis, index: int) -> Fraction | None:
    """The risk of a cell, or None."""
    row, col = analysis.board.cell(index)
    return analysis.risks[row][col]


def _joint_risk(analysis: Analysis, cells: Sequence[int], cache: ComponentCache, limits: Limits) -> Fraction | None:
    """Probability that one of some cells is a mine, from the worlds where none is."""
    symbols = list(analysis.board.symbols)
    for index in cells:
        symbols[index] = HIDDEN
    try:
        safe = analyse(_with_symbols(analysis.board, symbols), budget=limits.solving, cache=cache).worlds
    except Contradiction:
        return Fraction(1)
    if safe is None or analysis.worlds is None or not analysis.board.clues.is_exact:
        return None
    return 1 - Fraction(safe, analysis.worlds)


def _with_symbols(board: Board, symbols: Sequence[str]) -> Board:
    """The board with other symbols."""
    text, cols = "".join(symbols), board.cols
    rows = tuple(text[first : first + cols] for first in range(0, len(text), cols))
    return Board.trusted(rows, board.mines, board.density, board.topology, board.clues)


def _values(judged: JudgedMove, board: Board) -> Values:
    """A judged move as an answer."""
    return {
        "cell": board.cell(judged.cell),
        "risk": None if judged.risk is None else float(judged.risk),
        "percent": "not known" if judged.risk is None else percent(judged.risk),
        "least": None if judged.least is None else float(judged.least),
        "least_percent": "not known" if judged.least is None else percent(judged.least),
        "best": None if judged.best is None else board.cell(judged.best),
        "safe": judged.safe,
        "class": judged.kind,
    }
