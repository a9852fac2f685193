"""The first cell of the advice is the best one, in every position of games whose best play is known.

Best play is found here a second time, on sets of worlds as bits: every cell is tried, nothing is bounded. Its results
for whole boards are those of ``tests/data/optimal_small_boards.csv``.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from satsweep.analysis.advice import advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.endgame import MOST_WORLDS
from satsweep.board import Board
from tests.optimal import SOLVED, Solved


class Position(NamedTuple):
    """Worlds that are left, and cells that are covered, as bits."""

    worlds: int
    covered: int


class KnownBoard:
    """A covered board, its layouts, and the wins with every first cell that the table knows."""

    def __init__(self, solved: Solved) -> None:
        self.rows, self.cols, self.mines = solved[:3]
        self.layouts = solved.layouts
        self.wins = {cell: wins for cell, (wins, _, _) in solved.first.items()}
        self.won = cache(self._won)
        self.opened = cache(self._opened)

    @property
    def start(self) -> Position:
        return Position((1 << self.layouts) - 1, (1 << self.rows * self.cols) - 1)

    @cached_property
    def shows(self) -> list[dict[int, int]]:
        """The worlds in which each cell is safe, by the number that it shows."""
        empty = Board(("#" * self.cols,) * self.rows)
        near = [sum(1 << empty.index(other) for other in empty.neighbours(cell)) for cell in empty]
        found: list[dict[int, int]] = [{} for _ in near]
        for world, mined in enumerate(combinations(range(len(near)), self.mines)):
            mines = sum(1 << cell for cell in mined)
            for cell, around in enumerate(near):
                if not mines >> cell & 1:
                    number = (mines & around).bit_count()
                    found[cell][number] = found[cell].get(number, 0) | 1 << world
        return found

    @cached_property
    def safe(self) -> list[int]:
        return [sum(numbers.values()) for numbers in self.shows]

    def cells(self, position: Position) -> list[int]:
        """The covered cells that are no mine in some world."""
        left = range(self.rows * self.cols)
        return [cell for cell in left if position.covered >> cell & 1 and position.worlds & self.safe[cell]]

    def after(self, position: Position, cell: int) -> list[Position]:
        """What the cell can show, where it is safe."""
        parts = [same & position.worlds for same in self.shows[cell].values()]
        return [Position(part, position.covered & ~(1 << cell)) for part in parts if part]

    def _opened(self, position: Position) -> frozenset[Position]:
        """What is left when every safe cell has been opened, and those that follow."""
        for cell in self.cells(position):
            if not position.worlds & ~self.safe[cell]:
                return frozenset(last for own in self.after(position, cell) for last in self.opened(own))
        return frozenset([position])

    def won_with(self, position: Position, cell: int) -> int:
        """The worlds that best play wins which opens a cell first."""
        return sum(self.won(last) for own in self.after(position, cell) for last in self.opened(own))

    def _won(self, position: Position) -> int:
        """The same with the best cell, where no cell is safe."""
        if not (cells := self.cells(position)):
            return position.worlds.bit_count()
        return max(self.won_with(position, cell) for cell in cells)

    def stuck(self) -> Iterator[Position]:
        """Every position without a safe cell that play can come to, each once."""
        seen = set(self.opened(self.start))
        waiting = list(seen)
        while waiting:
            position = waiting.pop()
            cells = self.cells(position)
            if cells:
                yield position
            following = {last for cell in cells for own in self.after(position, cell) for last in self.opened(own)}
            waiting += following - seen
            seen |= following

    def board(self, position: Position) -> Board:
        """The position as a player sees it."""
        rows, world = [], position.worlds & -position.worlds
        for row in range(self.rows):
            cells = range(row * self.cols, (row + 1) * self.cols)
            rows.append(
                "".join(
                    "#"
                    if position.covered >> cell & 1
                    else next(str(number) for number, same in self.shows[cell].items() if same & world)
                    for cell in cells
                )
            )
        return Board(tuple(rows), mines=self.mines)

    def advised(self, position: Position, *, deep: bool = False) -> dict[int, Fraction] | None:
        """The chances to win of the advice, its first cell first; None where they are not said to be exact."""
        board = self.board(position)
        advice = advise(analyse(board), deep=deep)
        if advice.kind != "exact":
            return None
        known = [(board.index(own.cell), own.win) for own in advice.candidates if own.win is not None]
        return {cell: win for cell, win in known if isinstance(win, Fraction)}

    def won_by_advice(self, position: Position) -> int:
        """The worlds won by a player who opens the first cell of the advice."""
        if not (cells := self.cells(position)):
            return position.worlds.bit_count()
        advised = self.advised(position, deep=position.worlds.bit_count() > MOST_WORLDS)
        assert advised is not None and set(advised) <= set(cells)
        parts = self.after(position, next(iter(advised)))
        return sum(self.won_by_advice(last) for own in parts for last in self.opened(own))


def sized(quick: int, longer: int, most: int) -> list[Any]:
    """Boards of at most so many layouts: unmarked, extended and slow ones."""
    marks: dict[int, Any] = {quick: (), longer: pytest.mark.extended, most: pytest.mark.slow}
    found = []
    for solved in SOLVED:
        if mark := [mark for limit, mark in marks.items() if solved.layouts <= limit]:
            found.append(pytest.param(solved, id=str(solved), marks=mark[0]))
    return found


@pytest.mark.parametrize("solved", sized(60, 220, 3_003))
def test_the_first_candidate_is_optimal_in_every_position(solved: Solved) -> None:
    """Chances of all candidates are compared, and none is missing."""
    board = KnownBoard(solved)
    for position in board.stuck():
        worlds = position.worlds.bit_count()
        chances = {cell: Fraction(board.won_with(position, cell), worlds) for cell in board.cells(position)}
        advised = board.advised(position)
        assert (advised is None) == (worlds > MOST_WORLDS)
        if advised is not None:
            assert advised == chances
            assert next(iter(advised.values())) == max(chances.values()) == Fraction(board.won(position), worlds)


@pytest.mark.parametrize("solved", sized(60, 220, 3_003))
def test_the_second_way_finds_what_is_known(solved: Solved) -> None:
    board = KnownBoard(solved)
    for cell, wins in board.wins.items():
        assert board.won_with(board.start, cell.row * board.cols + cell.col) == wins


@pytest.mark.parametrize("solved", sized(60, 500, 60_000))
def test_who_follows_the_advice_wins_what_can_be_won(solved: Solved) -> None:
    """From every first cell of the table; where more worlds are left than Python searches, the kernels advise."""
    board = KnownBoard(solved)
    for cell, wins in board.wins.items():
        parts = board.after(board.start, cell.row * board.cols + cell.col)
        assert sum(board.won_by_advice(last) for own in parts for last in board.opened(own)) == wins
