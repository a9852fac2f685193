"""Recounts: right counts pass in every way, and wrong ones do not."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from importlib import import_module

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, Budget, analyse
from satsweep.analysis.analysis import Analysis
from satsweep.questions.recount import CountMismatch, CrossCheck, How, cross_check
from satsweep.solver.components import Counts
from satsweep.solver.engines import ENGINES
from tests.solver.test_corpora import corpus
from tests.strategies import boards, parts, unreliable_boards

module = import_module("satsweep.questions.recount")  # whatever else the package may call by that name
BOARD = Board(("####1", "#2#2#", "####1"), mines=4)


def ways(checked: CrossCheck) -> Counter[tuple[How, ...]]:
    return Counter(check.how for check in (*checked.components, *checked.board))


OTHERS = {
    "elimination": (How.SAT, How.CPSAT),
    "sat": (How.ELIMINATED, How.CPSAT),
    "cpsat": (How.ELIMINATED, How.SAT),
    "compiled": (How.ELIMINATED, How.SAT, How.CPSAT),
}
"""By engine: the other ways to count."""


@given(st.one_of(boards(), parts(), unreliable_boards(max_covered=9)), st.sampled_from(sorted(ENGINES)))
def test_right_counts_pass(board: Board, engine: str) -> None:
    analysis = analyse(board, engine=engine)
    checked = cross_check(analysis)
    assert checked.complete
    assert len(checked.components) == len(analysis.stage_results().counted.parts)
    assert all(check.ways == analysis.solution.verdict.worlds for check in checked.board)
    assert not board.clues.is_true or all(check.ways == analysis.worlds for check in checked.board)
    counted = (counts for counts in analysis.stage_results().counted.counts if counts is not None)
    assert [check.how for check in checked.components] == [OTHERS[counts.work.engine] for counts in counted]


@given(st.one_of(boards(), parts(), unreliable_boards(max_covered=9)))
def test_right_counts_pass_when_split(board: Board) -> None:
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(module, "PLACEMENTS", 0)
        checked = cross_check(analyse(board, engine="elimination"))
    assert {check.how for check in checked.components} <= {(How.SPLIT,)} and checked.complete


def wrong(analysis: Analysis, change: str) -> Analysis:
    """An analysis with one count, or one thing made of counts, off by one."""
    solution = analysis.solution
    derivation = analysis.stage_results()
    counts = derivation.counted.counts[0]
    assert counts is not None
    if change == "total":
        counts = replace(counts, total=(*counts.total[:-1], counts.total[-1] + 1))
    elif change == "mined":
        first, *rest = counts.mined
        counts = replace(counts, mined=((*first[:-1], first[-1] + 1), *rest))
    elif change == "worlds":
        assert solution.verdict.worlds is not None
        verdict = solution.verdict._replace(worlds=solution.verdict.worlds + 1)
        return replace(analysis, solution=replace(solution, verdict=verdict))
    elif change == "risk":
        odds = tuple(
            one.exact._replace(mined=(one.exact.mined or 0) + 1, out_of=one.exact.out_of + 1)
            for one in solution.verdict.odds
        )
        return replace(analysis, solution=replace(solution, verdict=solution.verdict._replace(odds=odds)))
    counted = replace(derivation.counted, counts=(counts, *derivation.counted.counts[1:]))
    return replace(analysis, solution=replace(solution, stages=replace(derivation, counted=counted)))


@pytest.mark.parametrize("placements", [0, 2000])
@pytest.mark.parametrize("engine", ["elimination", "sat"])
@pytest.mark.parametrize("change", ["total", "mined", "worlds", "risk"])
def test_wrong_counts_do_not_pass(change: str, engine: str, placements: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PLACEMENTS", placements)
    analysis = analyse(BOARD, engine=engine)
    assert cross_check(analysis).complete
    with pytest.raises(CountMismatch):
        cross_check(wrong(analysis, change))


@pytest.mark.parametrize(
    "board", [BOARD, replace(BOARD, mines=None), replace(BOARD, mines=None, density=Fraction(1, 5))]
)
def test_every_prior_is_checked(board: Board) -> None:
    analysis = analyse(board)
    checked = cross_check(analysis)
    assert [check.ways for check in checked.board] == [analysis.worlds] * len(checked.board) and checked.board
    assert checked.board[0].how == (How.SOLVED,)
    with pytest.raises(CountMismatch):
        cross_check(wrong(analysis, "risk"))


def test_components_and_sea_are_named() -> None:
    analysis = analyse(Board(("#######", "#######", "1111111", "......."), mines=3))
    checked = cross_check(analysis)
    named = {cell for check in checked.components for cell in check.cells}
    assert named == {cell for cell in analysis.board.covered if cell.row == 1} - set(analysis.safe) - set(
        analysis.mines
    )
    assert checked.board[-1].cells[0].row == 0


def test_the_budget_is_kept_and_what_was_left_out_is_said() -> None:
    analysis = analyse(BOARD)
    checked = cross_check(analysis, budget=0.0)
    assert not checked.complete and () in ways(checked)
    assert all(check.ways is None for check in checked.components if not check.how)
    few = cross_check(analyse(BOARD, engine="elimination"), budget=Budget(states=1))
    assert not few.complete


def test_what_was_not_counted_is_not_checked() -> None:
    analysis = analyse(corpus("positions_hard")["checker16-30"], budget=Budget(states=1))
    assert not analysis.complete
    checked = cross_check(analysis)
    assert not checked.complete and set(ways(checked)) == {()}


def test_nothing_to_count_is_complete() -> None:
    checked = cross_check(analyse(Board(("#1",))))
    assert checked == CrossCheck((), ()) and checked.complete


@pytest.mark.parametrize("number", ["expert-0", "expert-7", "expert-100", "expert-199"])
def test_expert_positions(number: str) -> None:
    analysis = analyse(corpus("positions_expert")[number])
    checked = cross_check(analysis)
    assert checked.complete and checked.components
    assert [check.ways for check in checked.components] == [
        sum(counts.total) for counts in analysis.stage_results().counted.counts if isinstance(counts, Counts)
    ]


@pytest.mark.extended
def test_hard_positions_are_enumerated_or_split() -> None:
    checked = cross_check(analyse(corpus("positions_hard")["scatter50-6"]))
    assert checked.complete and set().union(*ways(checked)) == {*How}


@pytest.mark.slow
@pytest.mark.parametrize("number", [*corpus("positions_expert"), *corpus("positions_hard")])
def test_all_positions(number: str) -> None:
    board = (corpus("positions_expert") | corpus("positions_hard"))[number]
    assert cross_check(analyse(board)).complete
