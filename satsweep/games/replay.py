"""Replay of a record: its moves in a new game, each checked against the record."""

from collections.abc import Iterator

from satsweep.errors import BoardError
from satsweep.games.game import Game
from satsweep.games.record import Action, Move, Outcome, Record

_GIVEN_UP = (Outcome.STUCK, Outcome.STOPPED)
"""Outcomes that a player decides, not the rules."""


def replay(record: Record) -> Iterator[tuple[Move, Game]]:
    """Yield each move of a record with the game right after it.

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
            raise BoardError(f"expected the first move to open {game.start}, found {move.cell}")
        if move.turn < game.turn:
            raise BoardError(f"expected turn {game.turn} or a later one, found {move.turn}")
        game.turn, game.time = move.turn, move.time
        repeated = _repeat_move(game, move)
        if game.layout != record.layout:
            raise BoardError(f"expected the first cell to be {record.rules.first.value}, found a mine at or around it")
        if repeated != move:
            raise BoardError(f"expected the move to reveal {_revealed_text(repeated)}, found {_revealed_text(move)}")
        yield move, game
    if game.outcome is not record.outcome and not (game.outcome is None and record.outcome in _GIVEN_UP):
        expected = "stuck or stopped" if game.outcome is None else game.outcome.value
        raise BoardError(f"expected the outcome {expected}, found {record.outcome.value}", at="outcome")


def _repeat_move(game: Game, move: Move) -> Move:
    if move.action is Action.OPEN:
        return game.open(move.cell, move.reason, move.inference, move.why, move.risk)
    if move.action is Action.FLAG:
        return game.flag(move.cell, move.reason, move.inference)
    if move.action is Action.UNFLAG:
        return game.unflag(move.cell, move.reason)
    return game.note(move.cell, move.reason, move.inference)


def _revealed_text(move: Move, most: int = 5) -> str:
    """Return what a move revealed as text, at most ``most`` cells of it."""
    shown = [f"{cell}={'*' if number is None else number}" for cell, number in move.revealed]
    more = f" and {len(shown) - most:,} more" if len(shown) > most else ""
    return " ".join(shown[:most]) + more or "nothing"
