"""Play a record again: the same moves in a game of their own, each checked against what is on record."""

from __future__ import annotations

from collections.abc import Iterator

from satsweep.errors import BoardError
from satsweep.games.game import Game
from satsweep.games.record import Action, Move, Outcome, Record


def replay(record: Record) -> Iterator[tuple[Move, Game]]:
    """Each move of a record with the game right after it.

    Raises BoardError, in place of the first move that cannot be made or does not reveal what the record says, and at
    the end if the game did not end as recorded.

    >>> from satsweep.agents import agent_named
    >>> from satsweep.games.game import play
    >>> from satsweep.layout import Layout
    >>> from satsweep.games.rules import FirstClick, Rules
    >>> record = play(Layout(("..*", "..*"), start=(0, 0)), agent_named("basic"), Rules(FirstClick.GIVEN))
    >>> for move, game in replay(record):
    ...     print(move.action.value, *move.cell, game.board.cells)
    open 0 0 ('.2#', '.2#')
    """
    game = Game(record.layout, record.rules, clue_seed=record.clue_seed)
    for move in record.moves:
        if game.start is not None and not game.moves and (move.action, move.cell) != (Action.OPEN, game.start):
            raise BoardError(f"expected the first move to open {_cell(game.start)}, found {_cell(move.cell)}")
        if move.turn < game.turn:
            raise BoardError(f"expected turn {game.turn} or a later one, found {move.turn}")
        game.turn = move.turn
        again = _again(game, move)
        if game.layout != record.layout:
            raise BoardError(f"expected the first cell to be {record.rules.first.value}, found a mine at or around it")
        if again != move:
            raise BoardError(f"expected the move to reveal {_numbers(again)}, found {_numbers(move)}")
        yield move, game
    if game.outcome is not record.outcome and not (game.outcome is None and record.outcome in _GIVEN_UP):
        expected = "stuck or stopped" if game.outcome is None else game.outcome.value
        raise BoardError(f"expected the outcome {expected}, found {record.outcome.value}", at="outcome")


_GIVEN_UP = (Outcome.STUCK, Outcome.STOPPED)


def _again(game: Game, move: Move) -> Move:
    if move.action is Action.OPEN:
        return game.open(move.cell, move.reason, move.inference, move.why, move.risk)
    if move.action is Action.FLAG:
        return game.flag(move.cell, move.reason, move.inference)
    if move.action is Action.UNFLAG:
        return game.unflag(move.cell, move.reason)
    return game.note(move.cell, move.reason, move.inference)


def _cell(cell: tuple[int, int]) -> str:
    return f"{cell[0]},{cell[1]}"


def _numbers(move: Move, most: int = 5) -> str:
    """What a move revealed, shortened."""
    shown = [f"{_cell(cell)}={'*' if number is None else number}" for cell, number in move.revealed]
    more = f" and {len(shown) - most:,} more" if len(shown) > most else ""
    return " ".join(shown[:most]) + more or "nothing"
