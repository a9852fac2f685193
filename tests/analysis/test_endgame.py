"""Best play among few worlds: game trees, known boards, the kernels, the tree of best play."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given

from satsweep.analysis.advice import advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.deep import expected_wins
from satsweep.analysis.endgame import BestPlay, Endgame, EndgameSearch, SearchExhausted, best_play, endgame, list_worlds
from satsweep.board import Board, Cell
from tests import brute_force as oracle, strategies
from tests.analysis.test_best_advice import KnownBoard
from tests.game_tree import MINE, GameTree
from tests.optimal import SOLVED


def known_boards(most: int, cells: int = 12) -> Iterator[KnownBoard]:
    """Covered boards of few layouts and cells whose best play is known."""
    boards = map(KnownBoard, SOLVED)
    yield from (board for board in boards if board.layouts <= most and board.rows * board.cols <= cells)


def stuck_positions(known: KnownBoard) -> Iterator[Analysis]:
    """Every position without a safe cell that play can come to."""
    return (analyse(known.board(position)) for position in known.stuck())


@pytest.mark.parametrize("most", [100, pytest.param(1_000, marks=pytest.mark.extended)])
def test_whole_boards_are_won_as_often_as_is_known(most: int) -> None:
    tried = 0
    for known in known_boards(most, 100):
        found = endgame(analyse(known.board(known.start)))
        assert found is not None
        for cell, won in known.wins.items():
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
    cells = oracle.cells_showing(board, "#F")
    near = [oracle.touching(board, cell) for cell in cells]
    listed = oracle.worlds(board)
    tree = GameTree(
        [MINE if cell in world else len(around & world) for cell, around in zip(cells, near, strict=True)]
        for world in listed
    )
    waiting = [(found, tree.worlds, frozenset[int]())]
    while waiting:
        position, worlds, opened = waiting.pop()
        assert position.size == len(worlds)
        assert position.win == Fraction(tree.best(worlds, opened), len(worlds))
        best = position.best()
        if best is None:
            left = [at for at in range(len(cells)) if at not in opened]
            assert all(tree.rows[world][at] == MINE for world in worlds for at in left)
            continue
        place = cells.index(best)
        parts = {len(part): part for part in tree.parts(worlds, place)}
        after = position.numbers(best)
        assert sorted(own.size for own in after.values()) == sorted(map(len, tree.parts(worlds, place)))
        assert (
            position.win_with(best) == position.win == sum(own.win * own.size for own in after.values()) / len(worlds)
        )
        if len(parts) == len(after):
            waiting += [(own, parts[own.size], opened | {place}) for own in after.values()]


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
    monkeypatch.setattr("satsweep.analysis.endgame.MOST_NODES", 3)
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
    for known in known_boards(60):
        for analysis in stuck_positions(known):
            found = endgame(analysis)
            expected = expected_wins(analysis.board, analysis.worlds)
            if found is None or expected is None:
                continue
            assert expected.chances == {expected.best: found.win}
            tried += 1
    assert tried > 500


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
    for known in known_boards(30):
        for analysis in stuck_positions(known):
            tree, position = best_play(analysis, analysis.best), endgame(analysis)
            assert (tree is None) == (position is None)
            if tree is not None and position is not None:
                check(tree, position)
                assert tree.cell in (None, analysis.best)
                tried += 1
    assert tried > 100


def test_boards_without_a_tree() -> None:
    """One that is done, and one with too many layouts."""
    for board in (Board(("1*",), mines=1), Board(("#" * 9,) * 9, mines=10)):
        assert best_play(analyse(board), None) is None
