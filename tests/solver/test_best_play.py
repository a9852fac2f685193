"""The tree of best play, against the values of the endgame."""

from fractions import Fraction

from satsweep.board import Board
from satsweep.solver.analysis import analyse
from satsweep.solver.best_play import BestPlay, best_play
from satsweep.solver.endgame import Endgame, endgame
from tests.solver.test_endgame import known_boards, stuck_positions


def check(tree: BestPlay, position: Endgame) -> None:
    """A tree wins as often as its position, and has what follows each number."""
    assert (tree.worlds, Fraction(tree.won, tree.worlds)) == (position.size, position.win)
    if tree.cell is None:
        assert tree.won == tree.worlds and not tree.numbers and not tree.lost
        return
    after = position.numbers(tree.cell)
    assert tree.numbers.keys() == after.keys()
    assert tree.lost == position.size - sum(own.size for own in after.values())
    assert tree.won == sum(own.won for own in tree.numbers.values())
    for number, own in tree.numbers.items():
        check(own, after[number])


def test_it_wins_as_often_as_any_play() -> None:
    tried = 0
    for board, _ in known_boards(30):
        for analysis in stuck_positions(board):
            tree, position = best_play(analysis), endgame(analysis)
            assert (tree is None) == (position is None)
            if tree is not None and position is not None:
                check(tree, position)
                assert tree.cell in (None, analysis.best)
                tried += 1
    assert tried > 100


def test_boards_without_a_tree() -> None:
    """One that is done, and one with too many layouts."""
    for board in (Board(("1*",), mines=1), Board(("#" * 9,) * 9, mines=10)):
        assert best_play(analyse(board)) is None
