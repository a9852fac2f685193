"""Positions that games come to, for tests of what to do in them."""

from collections.abc import Iterator

from satsweep.agents.sat import SatPlayer
from satsweep.board import Board, Cell
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game
from satsweep.games.rules import Rules


def positions_of_games(
    rows: int, cols: int, mines: int, *, seed: int, games: int, start: tuple[int, int] = (0, 0)
) -> Iterator[tuple[Board, Cell]]:
    """Yield the positions of games of ``sat``, and the cell opened last.

    Cells are opened one at a time.
    """
    for number in range(games):
        rng = game_rng(str(seed), number)
        game = Game(random_layout(rows, cols, mines, rng), Rules(), rng)
        player = SatPlayer("auto")
        last = Cell(*start)
        game.open(last)
        while game.outcome is None:
            board = game.board
            yield board, last
            safe = player.deduce(board).safe
            guess = None if safe else player.guess(board, rng)
            if guess is not None:
                last = Cell(*guess.cell)
            elif safe:
                last = safe[0]
            else:
                break
            game.open(last)
