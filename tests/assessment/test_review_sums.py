"""Skill and luck in all games of small boards: sums that hold to the last digit."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from satsweep.agents import agent_named
from satsweep.assessment.chances import FewWorlds, whole_board
from satsweep.assessment.positions import Positions
from satsweep.assessment.review import review
from satsweep.assessment.verdicts import MoveClass, Review
from satsweep.board import Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from tests.assessment import symbols_of

BOARDS = ((2, 3, 2), (3, 3, 2), (3, 3, 4), (3, 4, 3), (2, 6, 3))
"""Rows, columns and mines of five boards, of which every layout is played."""
STRONGER = ("gem", "deep:2")
KERNELS = pytest.param(True, marks=pytest.mark.extended)
"""The compiled search, which has to be compiled first."""


def layouts(rows: int, cols: int, mines: int, rules: Rules) -> list[Layout]:
    """All layouts that keep the promise about the first cell."""
    start = rules.start
    assert start is not None
    free = {start[0] * cols + start[1]}
    if rules.first is FirstClick.ANY:
        free = set()
    return [
        Layout.from_mines(rows, cols, mined)
        for mined in combinations(range(rows * cols), mines)
        if not free.intersection(mined)
    ]


def best_player(few: FewWorlds, positions: Positions) -> Agent:
    """A player that opens safe cells, and else the best one."""

    def deduce(board: Board) -> Deduction:
        return Deduction(positions.analysis(symbols_of(board)).safe, ())

    def guess(board: Board, rng: Random) -> Guess | None:
        cell = few.best(few.worlds_of(symbols_of(board)))
        return Guess(board.cell(cell)) if cell >= 0 else None

    return Agent(deduce, guess)


def reviews(name: str, size: tuple[int, int, int], rules: Rules, *, kernels: bool) -> list[Review]:
    """The reviews of all games of a player on a board, with the same random choices in each."""
    rows, cols, mines = size
    blank = Board(("#" * cols,) * rows, mines=mines)
    few = whole_board(blank, kernels=kernels)
    assert few is not None
    positions = Positions(blank, kernels=kernels)
    found = []
    for layout in layouts(*size, rules):
        agent = best_player(few, positions) if name == "best" else agent_named(name)
        found.append(review(play(layout, agent, rules, Random(7)), kernels=kernels))
    return found


@pytest.mark.parametrize("kernels", [False, KERNELS])
@pytest.mark.parametrize(
    "size", [*BOARDS[:2], *(pytest.param(size, marks=pytest.mark.extended) for size in BOARDS[2:])]
)
@pytest.mark.parametrize(
    "name", ["best", "random", "basic", "sat", *(pytest.param(name, marks=pytest.mark.extended) for name in STRONGER)]
)
@pytest.mark.parametrize("first", [FirstClick.SAFE, FirstClick.ANY])
def test_skill_and_luck_add_up_in_all_games(
    name: str, size: tuple[int, int, int], first: FirstClick, kernels: bool
) -> None:
    games = reviews(name, size, Rules(first=first, start=Cell(0, 0)), kernels=kernels)
    assert {game.known for game in games} == {"exact"}
    for game in games:
        assert game.start is not None and game.skill is not None and game.luck is not None
        assert game.start + game.skill + game.luck == game.end == int(game.record.won)
        assert all(move.skill <= 0 for move in game.moves)
    # Luck is nothing on average, so skill is what the player wins short of best play.
    assert sum((game.luck or Fraction(0) for game in games), Fraction(0)) == 0
    best = sum((game.start or Fraction(0) for game in games), Fraction(0))
    lost = sum((game.skill or Fraction(0) for game in games), Fraction(0))
    assert best + lost == sum(game.record.won for game in games)
    if name == "best":
        assert lost == 0
        assert {kind for game in games for kind, count in game.classes.items() if count} <= {
            MoveClass.START, MoveClass.SAFE, MoveClass.BEST,
        }  # fmt: skip
    if name == "random" and len(games) > 10:
        assert lost < 0
