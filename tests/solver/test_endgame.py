"""Best play among few worlds: game trees, known boards, the kernels."""

import csv
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb
from random import Random

import pytest
from hypothesis import given

from satsweep.board import Board, Cell
from satsweep.errors import Contradiction
from satsweep.solver.advice import advise
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.endgame import EndgameSearch, SearchExhausted, endgame, list_worlds
from satsweep.solver.expected_wins import expected_wins
from tests import DATA, brute_force as oracle, strategies

OPTIMAL = DATA / "optimal_small_boards.csv"
Mines = frozenset[Cell]


class GameTree:
    """The rules of the game, every cell tried.

    A position is the worlds that are left and the open cells.
    """

    def __init__(self, board: Board) -> None:
        self.cells = oracle.cells_showing(board, "#F")
        self.near = {cell: oracle.touching(board, cell) for cell in self.cells}
        self.worlds = frozenset(oracle.worlds(board))
        self.won = cache(self._won)

    def parts(self, worlds: frozenset[Mines], cell: Cell) -> list[frozenset[Mines]]:
        found: dict[int, set[Mines]] = {}
        for world in worlds:
            if cell not in world:
                found.setdefault(len(self.near[cell] & world), set()).add(world)
        return [frozenset(part) for part in found.values()]

    def won_with(self, worlds: frozenset[Mines], opened: frozenset[Cell], cell: Cell) -> int:
        return sum(self.won(part, opened | {cell}) for part in self.parts(worlds, cell))

    def _won(self, worlds: frozenset[Mines], opened: frozenset[Cell]) -> int:
        left = [cell for cell in self.cells if cell not in opened]
        if all(cell in world for world in worlds for cell in left):
            return len(worlds)
        return max(self.won_with(worlds, opened, cell) for cell in left)


def known_boards(most: int, cells: int = 12) -> Iterator[tuple[Board, dict[Cell, int]]]:
    """Covered boards of few layouts and cells, and the wins of each first cell."""
    with OPTIMAL.open(newline="") as file:
        for row in csv.DictReader(file):
            rows, cols, mines = (int(row[key]) for key in ("rows", "cols", "mines"))
            if comb(rows * cols, mines) <= most and rows * cols <= cells:
                wins = {}
                for entry in row["per_first_cell"].split():
                    cell, _, won = entry.partition(":")
                    wins[Cell(*map(int, cell.split(",")))] = int(won.partition(";")[0])
                yield Board(("#" * cols,) * rows, mines=mines), wins


def stuck_positions(board: Board) -> Iterator[Analysis]:
    """Every position without a safe cell that play can come to, each once."""
    seen: set[Board] = set()
    waiting = [board]
    while waiting:
        position = waiting.pop()
        if position in seen:
            continue
        seen.add(position)
        analysis = analyse(position)
        if not analysis.safe and analysis.least_risk not in (None, 1):
            yield analysis
        for cell in analysis.safe[:1] or [own for own in position.covered if analysis.risk(own) < 1]:
            for number in range(len(position.neighbours(cell)) + 1):
                after = position.with_opened({cell: number})
                try:
                    analyse(after)
                except Contradiction:
                    continue
                waiting.append(after)


def check_optimal(board: Board) -> int:
    """Compare the advice in every position of a board with the game tree.

    Returns their number.
    """
    found = 0
    tree = GameTree(board)
    for analysis in stuck_positions(board):
        here = analysis.board
        worlds = frozenset(oracle.worlds(here))
        opened = frozenset(cell for cell in tree.cells if not here.is_covered(cell))
        advice = advise(analysis, deep=False)
        assert advice.kind == "exact"
        wins = {own.cell: own.win for own in advice.candidates}
        assert wins == {
            cell: Fraction(tree.won_with(worlds, opened, cell), len(worlds))
            for cell in here.covered
            if analysis.risk(cell) < 1
        }
        assert wins[advice.candidates[0].cell] == Fraction(tree.won(worlds, opened), len(worlds))
        found += 1
    return found


def test_the_first_candidate_is_optimal_on_small_boards() -> None:
    assert sum(check_optimal(board) for board, _ in known_boards(28, 9)) > 100


@pytest.mark.parametrize("most", [100, pytest.param(1_000, marks=pytest.mark.extended)])
def test_whole_boards_are_won_as_often_as_is_known(most: int) -> None:
    tried = 0
    for board, wins in known_boards(most, 100):
        found = endgame(analyse(board))
        assert found is not None
        for cell, won in wins.items():
            assert found.win_with(cell) * found.size == won
            tried += 1
    assert tried > 30


@given(strategies.boards(max_covered=8))
def test_every_position_that_can_follow_agrees_with_the_tree(board: Board) -> None:
    """The walk follows the best cell, or where all are mines ends."""
    found = endgame(analyse(board))
    if board.mines is None or not board.clues.is_exact:
        assert found is None
        return
    assert found is not None
    tree = GameTree(board)
    waiting = [(found, tree.worlds, frozenset[Cell]())]
    while waiting:
        position, worlds, opened = waiting.pop()
        assert position.size == len(worlds)
        assert position.win == Fraction(tree.won(worlds, opened), len(worlds))
        best = position.best()
        if best is None:
            assert all(cell in world for world in worlds for cell in tree.cells if cell not in opened)
            continue
        parts = {len(part): part for part in tree.parts(worlds, best)}
        after = position.numbers(best)
        assert sorted(own.size for own in after.values()) == sorted(map(len, tree.parts(worlds, best)))
        assert (
            position.win_with(best) == position.win == sum(own.win * own.size for own in after.values()) / len(worlds)
        )
        if len(parts) == len(after):
            waiting += [(own, parts[own.size], opened | {best}) for own in after.values()]


@given(strategies.boards(max_covered=9))
def test_worlds_are_listed_once_each(board: Board) -> None:
    listed = list_worlds(analyse(board), 10_000)
    if board.mines is None or not board.clues.is_exact:
        assert listed is None
        return
    assert listed is not None
    worlds = {sum(1 << board.index(cell) for cell in world) for world in oracle.worlds(board)}
    assert sorted(worlds) == list(listed)
    assert list_worlds(analyse(board), len(listed) - 1) is None


def test_a_search_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analyse(Board(("####",) * 4, mines=3))
    monkeypatch.setattr("satsweep.solver.endgame.MOST_NODES", 3)
    found = endgame(analysis)
    assert found is not None
    with pytest.raises(SearchExhausted):
        found.win_with(Cell(0, 0))
    assert advise(analysis, deep=False).kind == "risk"


def test_bounds_are_no_smaller_than_values() -> None:
    rng = Random("bounds")
    found = endgame(analyse(Board(("####", "####", "####"), mines=3)))
    assert found is not None
    search: EndgameSearch = found.search
    for _ in range(200):
        cell = rng.choice(found.cells)
        for after in found.numbers(cell).values():
            assert search.most(after.worlds) >= search.value(after.worlds)


@pytest.mark.extended
def test_the_kernels_find_the_same_values() -> None:
    tried = 0
    for board, _ in known_boards(60):
        for analysis in stuck_positions(board):
            found = endgame(analysis)
            expected = expected_wins(analysis)
            if found is None or expected is None:
                continue
            assert expected.chances == {expected.best: found.win}
            tried += 1
    assert tried > 500
