"""Boards to order: uniform where that is said, the same whoever makes them, and never without an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from threading import Event
from time import sleep

import pytest
from scipy.stats import chisquare

from satsweep.board import Cell
from satsweep.errors import BudgetExceeded, ImpossibleSpec
from satsweep.games.rules import FirstClick
from satsweep.generator import run as workshop
from satsweep.generator.difficulty import difficulty
from satsweep.generator.no_guess import drawn, suits, unsolved
from satsweep.generator.run import GeneratedBoard, MethodChoice, changes, generate_boards, pilot, way_for
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.layout import Layout
from satsweep.proofs.trace import check
from satsweep.solver.budget import Budget, Meter
from satsweep.topology import TORUS
from satsweep.why.influence import chains
from tests.no_guess import every_layout, has_zero_start, needs_no_guess

METER = Budget().meter()
DENSE = BoardSpec(12, 12, 50)


# --- uniform ---------------------------------------------------------------------------------------------------------


def all_that_suit(order: BoardSpec) -> list[Layout]:
    """Every board that is as ordered, by listing all layouts and, for each, all that look alike."""
    found = _need_no_guess(replace(order, beyond=None, solvable_by="sat"))
    return [layout for layout in found if order.beyond is None or unsolved(layout, order.beyond) is not None]


@cache
def _need_no_guess(order: BoardSpec) -> list[Layout]:
    assert order.start is not None
    every = every_layout(order.rows, order.cols, order.mines, order.start, order.topology)
    free = every if order.first is FirstClick.SAFE else [layout for layout in every if has_zero_start(layout)]
    return [layout for layout in free if needs_no_guess(layout, every)]


@pytest.mark.parametrize(
    "order",
    [
        BoardSpec(4, 4, 4),
        BoardSpec(4, 4, 3, start=Cell(1, 1), first=FirstClick.SAFE),
        BoardSpec(4, 4, 4, beyond="basic"),
        BoardSpec(4, 4, 2, start=Cell(2, 1), first=FirstClick.SAFE, topology=TORUS),
    ],
    ids=["zero", "safe", "beyond", "torus"],
)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_rejection_is_uniform(order: BoardSpec, compiled: bool) -> None:
    """Every board that is as ordered comes out, nothing else does, and all of them equally often."""
    wanted = all_that_suit(order)
    assert 20 < len(wanted) < order.layouts
    draws = (25 if compiled else 8) * len(wanted)
    way = MethodChoice(GenerationMethod.REJECTION, compiled)
    made = [
        workshop.generate_board(order, "uniform", number, way, METER, traced=False).layout for number in range(draws)
    ]
    times = Counter(layout.cells for layout in made)
    expected = {layout.cells for layout in wanted}
    assert set(times) == expected if compiled else set(times) <= expected
    assert chisquare([times[layout.cells] for layout in wanted]).pvalue > 0.01


def test_repair_is_not_and_says_so() -> None:
    order = BoardSpec(4, 4, 4, method=GenerationMethod.REPAIR)
    wanted = all_that_suit(order)
    made = list(generate_boards(order, 8 * len(wanted), "uniform", traced=False))
    assert {one.method for one in made} == {GenerationMethod.REPAIR} and not GenerationMethod.REPAIR.uniform
    times = Counter(one.layout.cells for one in made)
    assert set(times) <= {layout.cells for layout in wanted}
    assert chisquare([times[layout.cells] for layout in wanted]).pvalue < 1e-9


def test_random_layouts_are_those_of_a_run() -> None:
    order = BoardSpec(4, 6, 5, start=None, no_guess=False)
    made = list(generate_boards(order, 6, 8))
    assert [one.layout for one in made] == [drawn(order, "8", number)[0] for number in range(6)]
    assert {(one.method, one.record, one.trace) for one in made} == {(GenerationMethod.RANDOM, None, None)}
    assert [one.difficulty for one in made] == [difficulty(one.layout) for one in made]
    with_start = replace(order, start=Cell(1, 1))
    assert all(has_zero_start(one.layout) for one in generate_boards(with_start, 6, 8))


# --- what is made ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "method"),
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
def test_boards_are_as_ordered(order: BoardSpec, method: GenerationMethod) -> None:
    made = list(generate_boards(order, 4, 1))
    assert [one.number for one in made] == [0, 1, 2, 3]
    assert len({one.layout for one in made}) == 4
    for one in made:
        assert one.method is method
        assert suits(order, one.layout) and one.layout.mines == order.mines and one.layout.start == order.start
        assert one.record is not None and one.record.won and one.record.layout == one.layout
        assert one.trace is not None and one.trace.layout == one.layout
        check(one.trace)
        assert one.difficulty == difficulty(one.layout, one.record)
        assert one.difficulty.chain == chains(one.record).length
        assert one.candidates > 0 and (one.changes == 0 or method is GenerationMethod.REPAIR)


def test_candidates_are_counted() -> None:
    order = BoardSpec(9, 9, 10)
    for one in generate_boards(order, 5, 1, traced=False):
        candidates = [drawn(order, f"1/{one.number}", number)[0] for number in range(one.candidates)]
        assert [suits(order, layout) for layout in candidates] == [False] * (one.candidates - 1) + [True]
        assert candidates[-1] == one.layout


@pytest.mark.parametrize("order", [BoardSpec(9, 9, 10), DENSE], ids=["rejection", "repair"])
def test_whoever_makes_them(order: BoardSpec) -> None:
    """One after the other, by several processes, many or few: board i is board i."""
    alone = list(generate_boards(order, 19, 3))
    assert list(generate_boards(order, 5, 3)) == alone[:5]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert list(generate_boards(order, 19, 3, executor=executor)) == alone
    assert [one.layout for one in generate_boards(order, 19, 3, traced=False)] == [one.layout for one in alone]
    assert list(generate_boards(order, 3, 4)) != alone[:3]


def test_kernels_do_not_show() -> None:
    order = BoardSpec(8, 8, 12)
    compiled = [
        workshop.generate_board(order, 5, number, MethodChoice(GenerationMethod.REJECTION, True), METER)
        for number in range(4)
    ]
    assert compiled == [
        workshop.generate_board(order, 5, number, MethodChoice(GenerationMethod.REJECTION, False), METER)
        for number in range(4)
    ]
    assert compiled == list(generate_boards(order, 4, 5))


# --- the way they are made -------------------------------------------------------------------------------------------


def test_the_way() -> None:
    assert way_for(BoardSpec(9, 9, 10), 1, 0, METER) == MethodChoice(GenerationMethod.REJECTION, False)
    assert way_for(BoardSpec(9, 9, 10), 1_000, 0, METER) == MethodChoice(GenerationMethod.REJECTION, True)
    assert way_for(DENSE, 1, 0, METER) == MethodChoice(GenerationMethod.REPAIR, True)
    assert way_for(replace(DENSE, method=GenerationMethod.REJECTION), 1, 0, METER) == MethodChoice(
        GenerationMethod.REJECTION, True
    )
    assert way_for(BoardSpec(9, 9, 10, method=GenerationMethod.REPAIR), 1, 0, METER) == MethodChoice(
        GenerationMethod.REPAIR, True
    )
    assert way_for(BoardSpec(9, 9, 10, start=None, no_guess=False), 9, 0, METER) == MethodChoice(
        GenerationMethod.RANDOM, False
    )


def test_efforts() -> None:
    assert pilot(BoardSpec(16, 30, 99)) == 10_000 and pilot(BoardSpec(100, 100, 99)) == 500
    assert pilot(BoardSpec(200, 200, 99)) == 1
    assert changes(BoardSpec(16, 30, 99)) == 1_000 and changes(BoardSpec(32, 32, 99)) == 2_000


def test_it_is_said_before_something_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr(workshop, "compile_kernels", lambda part, say: say(f"compiling {part}"))
    list(generate_boards(BoardSpec(5, 5, 3), 1, 0, say=lines.append))
    assert lines == []
    list(generate_boards(replace(DENSE, method=GenerationMethod.REPAIR), 1, 0, say=lines.append, traced=False))
    assert lines == ["compiling no-guess"]


# --- orders that cannot be filled ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "order",
    [
        BoardSpec(2, 2, 1, first=FirstClick.SAFE),
        BoardSpec(3, 3, 4, start=Cell(1, 1), first=FirstClick.SAFE, beyond="gem"),
        BoardSpec(1, 5, 2, beyond="basic", solvable_by="subset"),
        BoardSpec(2, 7, 4, first=FirstClick.SAFE, beyond="gem"),
    ],
    ids=["square", "around", "row", "two rows"],
)
@pytest.mark.parametrize("method", [None, GenerationMethod.REJECTION, GenerationMethod.REPAIR])
def test_no_board_is_as_ordered(order: BoardSpec, method: GenerationMethod | None) -> None:
    assert order.start is not None
    assert not any(suits(order, layout) for layout in every_layout(order.rows, order.cols, order.mines, order.start))
    with pytest.raises(ImpossibleSpec, match=f"not one of {order.layouts:,} layouts"):
        list(generate_boards(replace(order, method=method), 1, 0))


@pytest.mark.parametrize("most", [0, 10_000], ids=["kernels", "python"])
def test_where_there_are_few_layouts_all_are_looked_at(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that only one layout in a thousand is, is not taken for impossible, whoever looks."""
    monkeypatch.setattr(workshop, "FEWER_LAYOUTS", most)
    order = BoardSpec(3, 5, 4, first=FirstClick.SAFE, beyond="gem-full")
    wanted = all_that_suit(order)
    assert 0 < len(wanted) < order.layouts / 20
    monkeypatch.setattr(workshop, "QUICK", 0)
    assert way_for(order, 1, 0, METER) == MethodChoice(GenerationMethod.REJECTION, not most)
    (one,) = generate_boards(order, 1, 0)
    assert one.layout in wanted


def test_a_needle_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """That no candidate was as ordered does not say that no layout is."""
    order = BoardSpec(1, 5, 2)
    assert len(all_that_suit(order)) == 1
    monkeypatch.setattr(workshop, "QUICK", 0)
    monkeypatch.setattr(workshop, "PILOT", 0)
    monkeypatch.setattr(workshop, "SLOWER", 1)
    monkeypatch.setattr(workshop, "REJECTIONS", 1_000)
    found = list(generate_boards(order, 3, 7, traced=False))
    assert [(one.layout.cells, one.method) for one in found] == [(("...**",), GenerationMethod.REJECTION)] * 3


def test_giving_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "MENDED", 3)
    monkeypatch.setattr(workshop, "CHANGES", 5)
    monkeypatch.setattr(workshop, "REJECTIONS", 1)
    packed = BoardSpec(16, 16, 200)
    with pytest.raises(BudgetExceeded, match="3 layouts could not be repaired; there may be no board"):
        list(generate_boards(replace(packed, method=GenerationMethod.REPAIR), 1, 0))
    with pytest.raises(BudgetExceeded, match="none of 10,000 layouts is as ordered"):
        list(generate_boards(replace(packed, method=GenerationMethod.REJECTION), 1, 0))


def test_what_rejection_does_not_give_is_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless somebody asked for rejection. That the pilot found a board may have been luck."""
    monkeypatch.setattr(workshop, "PILOT", 100)
    way = MethodChoice(GenerationMethod.REJECTION, True)
    made = [workshop.generate_board(DENSE, 6, number, way, METER) for number in range(3)]
    assert made == list(generate_boards(replace(DENSE, method=GenerationMethod.REPAIR), 3, 6))
    assert [one.method for one in made] == [GenerationMethod.REPAIR] * 3
    with pytest.raises(BudgetExceeded, match="none of 10,000 layouts is as ordered; --method repair needs fewer"):
        workshop.generate_board(replace(DENSE, method=GenerationMethod.REJECTION), 6, 0, way, METER)


def test_time() -> None:
    with pytest.raises(BudgetExceeded, match="out of time"):
        list(generate_boards(BoardSpec(9, 9, 10), 3, 0, budget=0))


def taken(making: Iterator[GeneratedBoard]) -> list[int]:
    """The numbers of the boards that come out before it is given up."""
    numbers = []
    with pytest.raises(BudgetExceeded):
        for made in making:
            numbers.append(made.number)
    return numbers


@pytest.mark.parametrize("late", [False, True], ids=["given up", "out of time"])
@pytest.mark.parametrize("parallel", [False, True], ids=["alone", "parallel"])
def test_what_was_made_in_time_is_there(parallel: bool, late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards come out in order, up to one that was given up, and after it those that others have made or are at."""
    genuine = workshop.generate_board
    turn = Event()

    def slow(
        order: BoardSpec, seed: int, number: int, way: MethodChoice, meter: Meter, **more: object
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
        return genuine(order, seed, number, way, Budget().meter(), **more)  # type: ignore[arg-type]

    monkeypatch.setattr(workshop, "generate_board", slow)
    with ThreadPoolExecutor(2) as threads:
        numbers = taken(
            generate_boards(BoardSpec(6, 6, 5), 50, 0, executor=threads if parallel else None, traced=False)
        )
    if not parallel:
        assert numbers == list(range(11))
    elif late:
        assert numbers == [*range(11), *range(12, 16)], "who was at board 15 then was waited for"
    else:
        assert numbers[:14] == [*range(11), *range(12, 15)] and numbers == sorted(numbers)


def test_a_board_takes_no_more_than_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the time of all is not over it is said how long was looked for one; else that the time is over."""
    hopeless = BoardSpec(16, 16, 200, method=GenerationMethod.REPAIR)
    with pytest.raises(BudgetExceeded, match=r"none found in 0.05 seconds; --time-budget allows more"):
        list(generate_boards(hopeless, 1, 0, patience=0.05))
    with pytest.raises(BudgetExceeded, match="none found in 0.05 seconds"):
        list(generate_boards(hopeless, 1, 0, budget=60, patience=0.05))
    with pytest.raises(BudgetExceeded, match="out of time"):
        list(generate_boards(hopeless, 1, 0, budget=0.05, patience=60))
    with pytest.raises(BudgetExceeded, match="none found in 0.05 seconds"):
        list(generate_boards(BoardSpec(100, 100, 3_500), 1, 0, patience=0.05))
    assert [one.number for one in generate_boards(BoardSpec(6, 6, 5), 3, 0, patience=60)] == [0, 1, 2]


def test_compiling_takes_none_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "compile_kernels", lambda part, say: sleep(1.5))
    assert (
        len(list(generate_boards(replace(DENSE, method=GenerationMethod.REPAIR), 1, 0, budget=1.4, traced=False))) == 1
    )


@pytest.mark.parametrize("method", [GenerationMethod.REJECTION, GenerationMethod.REPAIR])
def test_boards_without_a_proof_are_left_out(method: GenerationMethod, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next candidate takes the place of one of which something cannot be proved."""
    order = BoardSpec(9, 9, 10, method=method)
    (first,) = generate_boards(order, 1, 4)
    genuine = workshop.finished
    monkeypatch.setattr(workshop, "finished", lambda made: None if made.layout == first.layout else genuine(made))
    (second,) = generate_boards(order, 1, 4)
    assert second.candidates > first.candidates and second.layout != first.layout
    assert suits(order, second.layout) and second.trace is not None
    between = [drawn(order, "4/0", number)[0] for number in range(first.candidates, second.candidates)]
    if method is GenerationMethod.REJECTION:
        assert [suits(order, layout) for layout in between] == [False] * (len(between) - 1) + [True]
    else:
        assert len(between) == 1


def test_boards_that_nobody_takes_are_not_made() -> None:
    with ThreadPoolExecutor(1) as threads:
        making = generate_boards(BoardSpec(6, 6, 5), 10**9, 0, executor=threads, traced=False)
        assert next(making).number == 0
        making.close()  # type: ignore[attr-defined]
