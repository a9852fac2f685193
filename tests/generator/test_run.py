"""Generator runs: uniform where promised, independent of the process, and finite."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from multiprocessing import get_context
from threading import Event
from time import sleep
from typing import Any

import pytest
import scipy

from satsweep import fewest_clicks
from satsweep.board import Cell
from satsweep.errors import BudgetExceeded, ImpossibleSpec
from satsweep.games.rules import FirstClick
from satsweep.generator import run as generator_run
from satsweep.generator.no_guess import drawn, suits, unsolved
from satsweep.generator.run import (
    GeneratedBoard,
    MethodChoice,
    choose_method,
    generate,
    pilot_candidates,
    repair_changes,
)
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.generator.walkthrough import difficulty
from satsweep.layout import Layout
from satsweep.proofs.trace import check
from satsweep.solver.budget import Budget, Meter
from satsweep.topology import TORUS, topology_named
from satsweep.why.influence import chains
from tests.no_guess import every_layout, has_zero_start, needs_no_guess

pytestmark = pytest.mark.extended

METER = Budget().meter()
DENSE = BoardSpec(12, 12, 50)
HOPELESS = BoardSpec(2, 12, 8, topology=topology_named("offsets 1,0"), method=GenerationMethod.REPAIR)
"""Columns of two cells that do not touch each other: numbers say nothing of the next column."""


# --- uniform ---------------------------------------------------------------------------------------------------------


def all_that_suit(spec: BoardSpec) -> list[Layout]:
    """Return every board that meets the specification, by listing all layouts."""
    found = _need_no_guess(replace(spec, beyond=None, solvable_by="sat"))
    return [layout for layout in found if spec.weaker is None or unsolved(layout, spec.weaker) is not None]


@cache
def _need_no_guess(spec: BoardSpec) -> list[Layout]:
    assert spec.start is not None
    every = every_layout(spec.rows, spec.cols, spec.mines, spec.start, spec.topology)
    free = every if spec.first is FirstClick.SAFE else [layout for layout in every if has_zero_start(layout)]
    return [layout for layout in free if needs_no_guess(layout, every)]


@pytest.mark.parametrize(
    "spec",
    [
        BoardSpec(4, 4, 4),
        BoardSpec(4, 4, 3, start=Cell(1, 1), first=FirstClick.SAFE),
        BoardSpec(4, 4, 4, beyond="basic"),
        BoardSpec(4, 4, 2, start=Cell(2, 1), first=FirstClick.SAFE, topology=TORUS),
    ],
    ids=["zero", "safe", "beyond", "torus"],
)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_rejection_is_uniform(spec: BoardSpec, compiled: bool) -> None:
    """Exactly the boards that meet the specification come out, equally often."""
    wanted = all_that_suit(spec)
    assert 20 < len(wanted) < spec.layouts
    draws = (12 if compiled else 6) * len(wanted)
    choice = MethodChoice(GenerationMethod.REJECTION, compiled)
    made = [
        generator_run.generate_board(spec, "uniform", number, choice, METER, traced=False).layout
        for number in range(draws)
    ]
    times = Counter(layout.cells for layout in made)
    expected = {layout.cells for layout in wanted}
    assert set(times) == expected if compiled else set(times) <= expected
    assert scipy.stats.chisquare([times[layout.cells] for layout in wanted]).pvalue > 0.01


def test_repair_is_not_and_says_so() -> None:
    spec = BoardSpec(4, 4, 4, method=GenerationMethod.REPAIR)
    wanted = all_that_suit(spec)
    made = list(generate(spec, 6 * len(wanted), "uniform", traced=False))
    assert {one.method for one in made} == {GenerationMethod.REPAIR} and not GenerationMethod.REPAIR.uniform
    times = Counter(one.layout.cells for one in made)
    assert set(times) <= {layout.cells for layout in wanted}
    assert scipy.stats.chisquare([times[layout.cells] for layout in wanted]).pvalue < 1e-9


def test_random_layouts_are_those_of_a_run() -> None:
    spec = BoardSpec(4, 6, 5, start=None, no_guess=False)
    made = list(generate(spec, 6, 8))
    assert [one.layout for one in made] == [drawn(spec, "8", number)[0] for number in range(6)]
    assert {(one.method, one.record, one.trace) for one in made} == {(GenerationMethod.RANDOM, None, None)}
    assert [one.difficulty for one in made] == [difficulty(one.layout) for one in made]
    with_start = replace(spec, start=Cell(1, 1))
    assert all(has_zero_start(one.layout) for one in generate(with_start, 6, 8))


# --- boards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "method"),
    [
        (BoardSpec(9, 9, 10), GenerationMethod.REJECTION),
        (BoardSpec(9, 9, 12, solvable_by="gem", beyond="subset"), GenerationMethod.REJECTION),
        (DENSE, GenerationMethod.REPAIR),
        (replace(DENSE, beyond="basic"), GenerationMethod.REPAIR),
        (replace(DENSE, solvable_by="subset"), GenerationMethod.REPAIR),
        (replace(DENSE, solvable_by="basic"), GenerationMethod.REPAIR),
        (BoardSpec(9, 9, 10, method=GenerationMethod.REPAIR), GenerationMethod.REPAIR),
    ],
    ids=str,
)
def test_boards_meet_the_specification(spec: BoardSpec, method: GenerationMethod) -> None:
    made = list(generate(spec, 4, 1))
    assert [one.number for one in made] == [0, 1, 2, 3]
    assert len({one.layout for one in made}) == 4
    for one in made:
        assert one.method is method
        assert suits(spec, one.layout) and one.layout.mines == spec.mines and one.layout.start == spec.start
        assert one.record is not None and one.record.won and one.record.layout == one.layout
        assert one.trace is not None and one.trace.layout == one.layout
        check(one.trace)
        assert one.difficulty == difficulty(one.layout, one.record)
        assert one.difficulty.chain == chains(one.record).length
        assert one.candidates > 0 and (one.changes == 0 or method is GenerationMethod.REPAIR)


def test_candidates_are_counted() -> None:
    spec = BoardSpec(9, 9, 10)
    for one in generate(spec, 5, 1, traced=False):
        candidates = [drawn(spec, f"1/{one.number}", number)[0] for number in range(one.candidates)]
        assert [suits(spec, layout) for layout in candidates] == [False] * (one.candidates - 1) + [True]
        assert candidates[-1] == one.layout


@pytest.mark.parametrize("spec", [BoardSpec(9, 9, 10), DENSE], ids=["rejection", "repair"])
def test_processes_make_the_same_boards(spec: BoardSpec) -> None:
    """Board i is the same alone, by several processes, and in a longer run."""
    alone = list(generate(spec, 19, 3))
    assert list(generate(spec, 5, 3)) == alone[:5]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert list(generate(spec, 19, 3, executor=executor)) == alone
    assert [one.layout for one in generate(spec, 19, 3, traced=False)] == [one.layout for one in alone]
    assert list(generate(spec, 3, 4)) != alone[:3]


# --- the choice of the method ----------------------------------------------------------------------------------------


def test_method_choice() -> None:
    assert choose_method(BoardSpec(9, 9, 10), 0, METER) == MethodChoice(GenerationMethod.REJECTION, True)
    assert choose_method(DENSE, 0, METER) == MethodChoice(GenerationMethod.REPAIR, True)
    assert choose_method(replace(DENSE, method=GenerationMethod.REJECTION), 0, METER) == MethodChoice(
        GenerationMethod.REJECTION, True
    )
    assert choose_method(BoardSpec(9, 9, 10, method=GenerationMethod.REPAIR), 0, METER) == MethodChoice(
        GenerationMethod.REPAIR, True
    )
    assert choose_method(BoardSpec(9, 9, 10, start=None, no_guess=False), 0, METER) == MethodChoice(
        GenerationMethod.RANDOM
    )


def test_limits() -> None:
    assert pilot_candidates(BoardSpec(16, 30, 99)) == 10_000 and pilot_candidates(BoardSpec(100, 100, 99)) == 500
    assert pilot_candidates(BoardSpec(200, 200, 99)) == 1
    assert repair_changes(BoardSpec(16, 30, 99)) == 2_000 and repair_changes(BoardSpec(32, 32, 99)) == 3_000


# --- impossible specifications ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        BoardSpec(2, 2, 1, first=FirstClick.SAFE),
        BoardSpec(3, 3, 4, start=Cell(1, 1), first=FirstClick.SAFE, beyond="gem"),
        BoardSpec(1, 5, 2, beyond="basic", solvable_by="subset"),
        BoardSpec(2, 7, 4, first=FirstClick.SAFE, beyond="gem"),
    ],
    ids=["square", "around", "row", "two rows"],
)
@pytest.mark.parametrize("method", [None, GenerationMethod.REJECTION, GenerationMethod.REPAIR])
def test_impossible_specifications(spec: BoardSpec, method: GenerationMethod | None) -> None:
    assert spec.start is not None
    assert not any(suits(spec, layout) for layout in every_layout(spec.rows, spec.cols, spec.mines, spec.start))
    with pytest.raises(ImpossibleSpec, match=f"not one of {spec.layouts:,} layouts"):
        list(generate(replace(spec, method=method), 1, 0))


@pytest.mark.parametrize("in_python", [False, True], ids=["kernels", "python"])
def test_few_layouts_are_all_examined(in_python: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A specification that few layouts meet is not taken for impossible."""
    if in_python:
        monkeypatch.setattr("satsweep.solver.compiled.is_there", lambda: False)
        monkeypatch.setattr(generator_run, "LISTED_LAYOUTS_IN_PYTHON", 10_000)
    spec = BoardSpec(3, 5, 4, first=FirstClick.SAFE, beyond="gem-full")
    wanted = all_that_suit(spec)
    assert 0 < len(wanted) < spec.layouts / 20
    assert choose_method(spec, 0, METER) == MethodChoice(GenerationMethod.REJECTION, not in_python)
    (one,) = generate(spec, 1, 0)
    assert one.layout in wanted


def test_a_needle_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pilot without success does not prove that no layout meets the specification."""
    spec = BoardSpec(1, 5, 2)
    assert len(all_that_suit(spec)) == 1
    monkeypatch.setattr(generator_run, "PILOT_CANDIDATES", 0)
    monkeypatch.setattr(generator_run, "PYTHON_FACTOR", 1)
    monkeypatch.setattr(generator_run, "REJECTION_PILOTS", 1_000)
    found = list(generate(spec, 3, 7, traced=False))
    assert [(one.layout.cells, one.method) for one in found] == [(("...**",), GenerationMethod.REJECTION)] * 3


def test_giving_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator_run, "REPAIR_CANDIDATES", 3)
    monkeypatch.setattr(generator_run, "REJECTION_PILOTS", 1)
    said = "no board was found by repair of 3 layouts"
    with pytest.raises(BudgetExceeded, match=f"^{said}$"):
        list(generate(HOPELESS, 1, 0))
    with pytest.raises(BudgetExceeded, match="none of 10,000 layouts is as ordered"):
        list(generate(replace(HOPELESS, method=GenerationMethod.REJECTION), 1, 0))


def test_repair_follows_rejection_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot may have been lucky; but a request for rejection is not overruled."""
    monkeypatch.setattr(generator_run, "PILOT_CANDIDATES", 100)
    choice = MethodChoice(GenerationMethod.REJECTION, True)
    made = [generator_run.generate_board(DENSE, 6, number, choice, METER) for number in range(3)]
    assert made == list(generate(replace(DENSE, method=GenerationMethod.REPAIR), 3, 6))
    assert [one.method for one in made] == [GenerationMethod.REPAIR] * 3
    with pytest.raises(BudgetExceeded, match="none of 10,000 layouts is as ordered; --method repair needs fewer"):
        generator_run.generate_board(replace(DENSE, method=GenerationMethod.REJECTION), 6, 0, choice, METER)


def test_time() -> None:
    with pytest.raises(BudgetExceeded, match="out of time"):
        list(generate(BoardSpec(9, 9, 10), 3, 0, budget=0))


def taken(making: Iterator[GeneratedBoard]) -> list[int]:
    """Return the numbers of the boards that come out before the generator fails."""
    numbers = []
    with pytest.raises(BudgetExceeded):
        for made in making:
            numbers.append(made.number)
    return numbers


@pytest.mark.parametrize("late", [False, True], ids=["given up", "out of time"])
@pytest.mark.parametrize("parallel", [False, True], ids=["alone", "parallel"])
def test_finished_boards_come_out(parallel: bool, late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards come out up to one that failed, then those finished or in progress."""
    genuine = generator_run.generate_board
    turn = Event()

    def slow(
        spec: BoardSpec, seed: int, number: int, choice: MethodChoice, meter: Meter, **more: object
    ) -> GeneratedBoard:
        if number == 11:
            assert not parallel or turn.wait(60)
            meter.deadline = 0 if late else meter.deadline
            raise BudgetExceeded("given up")
        if number == 15:
            turn.set()
            sleep(0.5 if late else 0)
        if number > 15 and late:
            raise BudgetExceeded("out of time")
        return genuine(spec, seed, number, choice, Budget().meter(), **more)  # type: ignore[arg-type]

    monkeypatch.setattr(generator_run, "generate_board", slow)
    with ThreadPoolExecutor(2) as threads:
        numbers = taken(generate(BoardSpec(6, 6, 5), 50, 0, executor=threads if parallel else None, traced=False))
    if not parallel:
        assert numbers == list(range(11))
    elif late:
        assert numbers == [*range(11), *range(12, 16)], "board 15 was in progress and was waited for"
    else:
        assert numbers[:14] == [*range(11), *range(12, 15)] and numbers == sorted(numbers)


def test_a_board_takes_no_more_than_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the patience for one board, or the time of the run."""
    hopeless = HOPELESS
    with pytest.raises(BudgetExceeded, match=r"none found in 0.005 seconds; --time-budget allows more"):
        list(generate(hopeless, 1, 0, patience=0.005))
    with pytest.raises(BudgetExceeded, match="none found in 0.005 seconds"):
        list(generate(hopeless, 1, 0, budget=60, patience=0.005))
    with pytest.raises(BudgetExceeded, match="out of time"):
        list(generate(hopeless, 1, 0, budget=0.005, patience=60))
    with pytest.raises(BudgetExceeded, match="none found in 0.005 seconds"):
        list(generate(BoardSpec(100, 100, 3_500), 1, 0, patience=0.005))
    assert [one.number for one in generate(BoardSpec(6, 6, 5), 3, 0, patience=60)] == [0, 1, 2]


@pytest.mark.parametrize("method", [GenerationMethod.REJECTION, GenerationMethod.REPAIR])
def test_boards_without_a_proof_are_left_out(method: GenerationMethod, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next candidate replaces one of which some cell has no proof."""
    spec = BoardSpec(9, 9, 10, method=method)
    (first,) = generate(spec, 1, 4)
    genuine = generator_run.with_solution
    monkeypatch.setattr(
        generator_run,
        "with_solution",
        lambda made, *limits: None if made.layout == first.layout else genuine(made, *limits),
    )
    (second,) = generate(spec, 1, 4)
    assert second.candidates > first.candidates and second.layout != first.layout
    assert suits(spec, second.layout) and second.trace is not None
    between = [drawn(spec, "4/0", number)[0] for number in range(first.candidates, second.candidates)]
    if method is GenerationMethod.REJECTION:
        assert [suits(spec, layout) for layout in between] == [False] * (len(between) - 1) + [True]
    else:
        assert len(between) == 1


def test_boards_are_not_made_far_ahead() -> None:
    with ThreadPoolExecutor(1) as threads:
        making = generate(BoardSpec(6, 6, 5), 10**9, 0, executor=threads, traced=False)
        assert next(making).number == 0
        making.close()  # type: ignore[attr-defined]


# --- few clicks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [None, Cell(4, 4)])
@pytest.mark.parametrize("order", [{"clicks": 12}, {"efficiency": 1.3}, {"clicks": 13, "efficiency": Fraction(6, 5)}])
def test_orders_of_few_clicks_are_exact(start: Cell | None, order: dict[str, Any]) -> None:
    """The first drawn layout is made whose fewest clicks, all proved, are as few as ordered."""
    spec = BoardSpec(9, 9, 10, start=start, no_guess=False, **order)
    for board in generate(spec, 3, "few"):
        for number in range(board.candidates):
            layout, _ = drawn(spec, f"few/{board.number}", number)
            found = fewest_clicks(layout)
            assert found.proved and found.efficiency is not None
            is_right = found.upper <= order.get("clicks", 99) and found.efficiency >= Fraction(
                str(order.get("efficiency", 0))
            )
            assert is_right is (number == board.candidates - 1)
        assert board.layout == layout and board.method is GenerationMethod.REJECTION
        assert board.clicks is not None and found.lower <= board.clicks.upper <= order.get("clicks", 99)
        assert board.clicks.record().won and board.difficulty is not None and board.record is None


def test_few_clicks_without_a_guess() -> None:
    """Both orders hold, whether layouts are drawn or repaired."""
    for method in (GenerationMethod.REJECTION, GenerationMethod.REPAIR):
        (board,) = generate(BoardSpec(8, 8, 10, efficiency=1.2, method=method), seed=2)
        assert board.trace is not None and board.clicks is not None
        assert board.clicks.efficiency is not None and board.clicks.efficiency >= Fraction(6, 5)
        assert unsolved(board.layout, "sat") is None


def test_no_board_of_so_few_clicks() -> None:
    with pytest.raises(ImpossibleSpec, match="no board is as ordered: not one of 4 layouts"):
        next(generate(BoardSpec(2, 2, 1, start=None, no_guess=False, clicks=2)))
    (board,) = generate(BoardSpec(2, 2, 1, start=None, no_guess=False, clicks=3))
    assert board.clicks is not None and board.clicks.upper == 3
    with pytest.raises(BudgetExceeded, match="out of time"):
        next(generate(BoardSpec(9, 9, 10, start=None, no_guess=False, clicks=1), budget=0.2))
