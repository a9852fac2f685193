"""Games in replays (AVF, RMV, MVF, EVF): the moves between their positions."""

from __future__ import annotations

from typing import Any

from satsweep.board import COVERED, FLAG, Board, Cell
from satsweep.errors import BoardError
from satsweep.formats.clicks import CHORD, ClickedGame
from satsweep.formats.replays import read_with, replay_of
from satsweep.games.agent import Inference
from satsweep.games.record import Record


def read_game(content: bytes, name: str) -> Record:
    """Read a replay as a record, with the moves and their times; errors as ``read``."""
    return read_with(content, name, _game)


def _game(found: dict[str, Any]) -> Record:
    """Record of the game from the answer of the child process.

    The moves are those that lead from each position to the next; the mouse tells which cell was clicked.
    """
    replay = replay_of(found)
    game = ClickedGame(replay.layout)
    for (time, board), (_, _, place) in zip(replay.positions, found["positions"], strict=True):
        clicked = None if place is None or not _is_on_grid(board, place) else Cell(*place)
        _follow(game, board, clicked, time)
        if game.is_over:
            break
    return game.record(str(found["player"]))


def _is_on_grid(board: Board, place: list[int]) -> bool:
    row, col = place
    return 0 <= row < board.rows and 0 <= col < board.cols


def _follow(game: ClickedGame, board: Board, clicked: Cell | None, time: float) -> None:
    """Make the moves that lead to a position.

    Raises BoardError if the rules of play do not lead there.
    """
    before = game.game.board
    pairs = enumerate(zip(before.symbols, board.symbols, strict=True))
    changed = [(board.cell(index), old, new) for index, (old, new) in pairs if old != new]
    for cell, old, new in changed:
        if old == FLAG:
            game.unflag(cell, time)
        elif new == FLAG:
            game.flag(cell, time)
    opened = [cell for cell, _, new in changed if new not in (COVERED, FLAG)]
    if clicked in opened:
        game.open(clicked, time)
    elif clicked is not None and not before.is_covered(clicked):
        around = before.neighbours(clicked)
        game.open_together([cell for cell in opened if cell in around], Inference(CHORD, (clicked,)), time)
    if rest := [cell for cell in opened if not game.is_open(cell)]:
        game.open_together(rest, None, time)
    if not game.is_over and game.game.board.without_flags() != board.without_flags():
        raise BoardError(f"expected every position to follow from the one before, found another after {time:g} s")
