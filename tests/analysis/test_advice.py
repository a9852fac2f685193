"""Advice: the easiest safe cell first, dead cells, unavoidable guesses."""

import pickle
from fractions import Fraction

import pytest
from hypothesis import example, given

from satsweep.analysis.advice import Chances, advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.candidates import score
from satsweep.analysis.endgame import endgame
from satsweep.analysis.outlook import Outlooks
from satsweep.board import Board, Cell
from satsweep.topology import SQUARE
from satsweep.why.explainer import Explainer
from satsweep.why.minimal.reasons import NearNumbers, ReasonSearch, easiest
from satsweep.why.values import Explanation
from tests import brute_force as oracle, strategies
from tests.analysis.test_outlook import seen
from tests.games.positions import positions_of_games
from tests.kernels.boards import stuck
from tests.solver.test_corpora import corpus

PAIRS = Board(("#1.1#", "#1.1#"), mines=2)
BLOCK = Board(("##1", "##2", "12*"), mines=3)


# The easiest safe cell


def check_easiest(analysis: Analysis, last: Cell | None) -> None:
    """Compare the order with the reasons that ``explain`` gives."""
    found = advise(analysis, last=last, deep=False)
    assert found.kind == "safe"
    order = []
    with Explainer(analysis.board, analysis=analysis) as reasons:
        for own in found.candidates:
            why = reasons.of(own.cell)
            assert isinstance(why, Explanation) and not why.mine
            away = 0 if last is None else max(abs(own.cell.row - last.row), abs(own.cell.col - last.col))
            order.append((why.total, 0 if why.total else len(why.clues), away, own.cell))
            assert (own.reason is None) == why.total
            assert own.reason is None or len(own.reason.clues) == len(why.clues)
    assert sorted(own.cell for own in found.candidates) == list(analysis.safe)
    assert order == sorted(order)
    assert easiest(analysis.board, analysis.safe, last) == found.best == found.candidates[0].cell


def test_two_numbers_come_before_six_and_the_total() -> None:
    """The game of row 28: hints are the easiest at each of its positions."""
    tried = 0
    for board, last in positions_of_games(9, 9, 10, seed=11, games=1, start=Cell(4, 4)):
        analysis = analyse(board)
        if len(analysis.safe) > 1:
            check_easiest(analysis, last)
            tried += 1
    assert tried > 3


def test_the_only_safe_cell_needs_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three numbers prove it, which only the solver would find."""
    analysis = analyse(Board(("##1.", "##21", "####"), mines=3))
    monkeypatch.setattr("satsweep.why.minimal.reasons.ReasonSearch", None)
    assert advise(analysis).best == Cell(2, 1) and analysis.safe == (Cell(2, 1),)


@pytest.mark.extended
def test_hints_are_the_easiest_in_many_games() -> None:
    tried = 0
    for board, last in positions_of_games(9, 9, 10, seed=28, games=40):
        analysis = analyse(board)
        if analysis.safe:
            check_easiest(analysis, last)
            tried += 1
    assert tried > 300


@pytest.mark.extended
def test_hints_are_the_easiest_on_expert_boards() -> None:
    for board in [*corpus("positions_expert").values()][::4]:
        analysis = analyse(board)
        if analysis.safe and not all(stage == "mine total" for stage, cells in analysis.stages.items() if cells):
            check_easiest(analysis, None)


@given(strategies.boards() | strategies.unreliable_boards())
def test_the_easiest_safe_cell_needs_no_other_reasons(board: Board) -> None:
    """Arithmetic of single numbers and pairs against the solver's smallest sets, and the cell against the order."""
    analysis = analyse(board)
    near = NearNumbers(board)
    with ReasonSearch(board) as search:
        for cell in analysis.safe:
            index = board.index(cell)
            reason = search.reason_without_total(index, mine=False)
            fewest = 3 if reason is None else len(reason.clues)
            alone = any(near.is_safe_by(number) for number in near.on(index))
            assert alone == (fewest == 1)
            assert (alone or near.is_safe_by_two(index)) == (fewest <= 2)
    if analysis.safe:
        for last in (None, analysis.safe[-1]):
            advice = advise(analysis, last=last)
            assert advice.best == advice.candidates[0].cell


# Guesses


def test_the_best_cell_is_the_first_candidate() -> None:
    """It is found without a ranking; by win chances, by risk, and by chances that are known."""
    kinds, boards = set(), [*stuck(16, 30, 99, SQUARE, 0)[:6], *stuck(9, 9, 10, SQUARE, 0), *stuck(6, 6, 9, SQUARE, 1)]
    for board in boards:
        analysis = analyse(board)
        for deep, known in ((True, None), (False, None), (False, Chances("estimate", {analysis.safest[0]: 0.5}))):
            advice = advise(analysis, deep=deep, known=known)
            assert advice.best == advice.candidates[0].cell
            kinds.add(advice.kind)
    assert kinds == {"exact", "estimate", "risk"}


def test_a_mine_is_not_the_best_cell() -> None:
    """Whatever chances somebody knows for it."""
    analysis = analyse(Board(("3##", "###"), mines=4))
    assert analysis.mines and not analysis.safe
    advice = advise(analysis, known=Chances("estimate", {analysis.mines[0]: 0.9}, analysis.mines[0]))
    assert advice.best == advice.candidates[0].cell and advice.best not in analysis.mines


@pytest.mark.parametrize("board", [BLOCK, PAIRS, Board(("#1#", "1##", "###"))], ids=["safe", "exact", "risk"])
def test_an_analysis_with_advice_may_be_sent_to_another_process(board: Board) -> None:
    analysis = analyse(board)
    advice = analysis.advice
    assert pickle.loads(pickle.dumps(analysis)).advice == advice


@given(strategies.boards(max_covered=8))
def test_a_dead_cell_shows_one_number_and_settles_nothing(board: Board) -> None:
    """Brute force: all worlds in which the cell is safe."""
    analysis = analyse(board)
    advice = advise(analysis, deep=False, most=100)
    assert advice.dead == tuple(sorted(own.cell for own in advice.candidates if own.dead))
    worlds = list(oracle.worlds(board))
    if advice.kind == "safe":
        assert not advice.dead
        return
    living = False
    for own in advice.candidates:
        left = [world for world in worlds if own.cell not in world]
        shown = {len(oracle.touching(board, own.cell) & world) for world in left}
        others = [cell for cell in board.covered if cell != own.cell]
        settled = [
            cell for cell in others if len({cell in world for world in left}) < len({cell in world for world in worlds})
        ]
        tells_nothing = len(shown) == 1 and not settled
        assert own.dead == (tells_nothing and living)
        living = living or not tells_nothing


@given(strategies.unreliable_boards(max_covered=7))
@example(Board(("*##", "###"), clues="underestimate"))
@example(Board(("*##1", "##?#"), mines=3, clues="overestimate 1/3 cap 6"))
def test_guesses_by_force_where_numbers_are_not_exact(board: Board) -> None:
    """Scores of guesses by listing every number that a cell may show in every world."""
    truth = oracle.truth(board)
    assert truth is not None
    ranked = [own for equals in advise(analyse(board), deep=False, most=100).guesses for own in equals]
    hopeful = [cell for cell, risk in truth.risk.items() if risk < 1]
    assert sorted(own.cell for own in ranked) == ([] if truth.safe else hopeful)
    for own in ranked:
        outcomes = seen(board, own.cell).values()
        assert own.risk == truth.risk[own.cell]
        assert own.progress == sum(chance for chance, safe in outcomes if safe)
        assert own.expected_safe == sum(chance * safe for chance, safe in outcomes)


@given(strategies.boards(max_covered=9))
def test_guesses_that_are_called_unavoidable_are(board: Board) -> None:
    """In every world the mines can be exchanged, and no cell shows it."""
    if not board.clues.is_exact:
        return
    analysis = analyse(board)
    worlds = set(oracle.worlds(board))
    for guess in advise(analysis, deep=False).unavoidable:
        one, other = set(guess.first), set(guess.second)
        cells = one | other
        assert len(one) == len(other) > 0 and not one & other and guess.cells == tuple(sorted(cells))
        for world in worlds:
            assert world & cells in (one, other)
            exchanged = frozenset(world ^ cells)
            assert exchanged in worlds
            for cell in board.covered:
                if cell not in cells and cell not in world:
                    near = oracle.touching(board, cell)
                    assert len(near & world) == len(near & exchanged)


@pytest.mark.parametrize(
    ("board", "cells"),
    [
        (PAIRS, [((0, 0), (1, 0)), ((0, 4), (1, 4))]),
        (Board(PAIRS.cells), [((0, 0), (1, 0)), ((0, 4), (1, 4))]),
        (BLOCK, [((0, 0), (0, 1), (1, 0), (1, 1))]),
        # Without the total the corner says nothing about the others.
        (Board(BLOCK.cells), []),
        # The cell below is safe in some worlds, and tells.
        (Board(("#1#", "###"), mines=1), []),
    ],
)
def test_pairs_and_blocks_are_found(board: Board, cells: list[tuple[tuple[int, int], ...]]) -> None:
    assert [guess.cells for guess in advise(analyse(board), deep=False).unavoidable] == cells


def test_equal_wins_prefer_a_cell_that_tells_something() -> None:
    for board, _ in positions_of_games(5, 5, 6, seed=5, games=8):
        advice = advise(analyse(board), deep=False)
        for one, other in zip(advice.candidates, advice.candidates[1:], strict=False):
            assert (
                one.win is None
                or other.win is None
                or one.win > other.win
                or (one.win == other.win and one.dead <= other.dead)
            )


def test_few_worlds_and_many_have_the_same_dead_cells() -> None:
    """Where worlds are not listed the position after the cell is analysed."""
    tried = 0
    for board, _ in positions_of_games(6, 6, 8, seed=7, games=10):
        analysis = analyse(board)
        found = endgame(analysis)
        if analysis.safe or found is None or analysis.least_risk in (None, 1):
            continue
        by_worlds = {cell for cell in found.cells if found.is_dead(cell)}
        outlooks = Outlooks.of(analysis)
        table = board.topology.neighbours(board.rows, board.cols)
        for cell in found.cells:
            numbers = outlooks.of_cell(board.index(cell), table[board.index(cell)]).numbers
            after = [analyse(board.with_opened({cell: number})) for number in numbers]
            settles = any(len(own.safe) + len(own.mines) > len(analysis.mines) for own in after)
            assert (cell in by_worlds) == (len(numbers) == 1 and not settles)
        tried += 1
    assert tried > 3


def test_candidates_of_a_set_are_equal_in_everything() -> None:
    advice = advise(analyse(Board(("#1#", "1##", "###"), mines=2)), deep=False)
    assert [[str(own.cell) for own in equals] for equals in advice.guesses] == [
        ["0,0"], ["0,2", "2,0"], ["2,2"], ["1,2", "2,1"], ["1,1"],
    ]  # fmt: skip
    assert all(len({score(own) for own in equals}) == 1 for equals in advice.guesses)
    assert advice.dead == (Cell(1, 1),) and advice.candidates[0].win == Fraction(2, 3)


def test_no_estimate_is_above_the_chance_to_survive() -> None:
    """It said "risk 3.644 %; wins with about 97 %"; the deep player's own estimate is no better."""
    analysis = analyse(Board(("1########", *("#########",) * 8), mines=10))
    wins = {cell: 0.999 for cell in analysis.board.covered}
    found = advise(analysis, known=Chances("estimate", wins, next(iter(wins))))
    assert found.kind == "estimate" and found.best == next(iter(wins))
    told = {own.cell: own for own in found.candidates if own.win is not None}
    assert {cell for cell in wins if analysis.risk(cell) < 1} == told.keys()
    for own in told.values():
        assert own.win == float(1 - own.risk) and own.risk > 0


def test_nothing_to_open() -> None:
    for board in (Board(("1*",), mines=1), Board(("1#",), mines=1)):
        advice = advise(analyse(board))
        assert (advice.candidates, advice.best, analyse(board).best) == ((), None, None)
