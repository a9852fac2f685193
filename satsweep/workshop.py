"""Where boards are made to order, one after the other or at the same time, each with its trace.

A run is an order, a seed and a number of boards. Board i depends on the order, the seed and i alone, whoever makes it.
How boards are made is decided once for a run, by candidates of a run of its own: if one of them is as ordered, boards
are made by rejection, which makes all that are as ordered equally likely; else by repair. Where there are few layouts
all are looked at before that, so that an order which no board can fill is known to be one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from itertools import islice

from satsweep.budget import Budget, Meter
from satsweep.difficulty import Difficulty, difficulty
from satsweep.errors import BudgetExceeded, ImpossibleOrder
from satsweep.layout import Layout
from satsweep.order import Method, Order
from satsweep.record import Record
from satsweep.trace import Trace, check
from satsweep.unaided import Candidate, any_suiting, drawn, first_mended, first_suiting, fits
from satsweep.walkthrough import walkthrough

PILOT = 10_000
"""Candidates that are tried before boards are made by repair, on boards of at most ``PILOT_CELLS`` in all."""
PILOT_CELLS = 5_000_000
SLOWER = 100
"""So many times fewer where the kernels have no room."""
REJECTIONS = 100
"""A board that so many times more candidates do not give is given up."""
MENDED = 100
"""Candidates that are mended until a board is given up."""
CHANGES = 1_000
"""Changes that are tried on each, for each thousand cells."""
FEW_LAYOUTS = 50_000
"""So many layouts are looked at, one by one, where no candidate was as ordered."""
QUICK, QUICK_CELLS = 40, 5_000
"""An order of few cells for which so many candidates suffice is not worth the time it takes to load the kernels."""
BLOCK, AHEAD = 8, 64
"""Boards that are made in one go, and blocks that wait for somebody to make or to take them."""


@dataclass(frozen=True, slots=True)
class Made:
    """A board that was ordered: its layout, the how-manieth of the run it is, and how it was made.

    ``candidates`` were drawn for it, and so many ``changes`` tried to repair the last one. Boards that need no guess
    have a record of how they are cleared, and a trace that was checked.
    """

    layout: Layout
    number: int
    method: Method
    candidates: int = 1
    changes: int = 0
    difficulty: Difficulty | None = None
    record: Record | None = None
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """How the boards of a run are made; ``compiled`` says whether by kernels, which does not show."""

    method: Method
    compiled: bool


def boards(
    order: Order,
    count: int = 1,
    seed: int | str = 0,
    *,
    budget: Budget | float | None = None,
    executor: Executor | None = None,
    traced: bool = True,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[Made]:
    """Make so many boards, in order. With ``traced`` each has its difficulty, record and trace.

    The executor makes several at a time, processes for example; boards are the same without. ``say`` is told before
    something is compiled. Raises ImpossibleOrder where no board is as ordered, and BudgetExceeded where it was given
    up, after the boards that were made.

    >>> (made,) = boards(Order(4, 5, 3), seed=5)
    >>> print(made.layout, made.method.value, sep="\\n")
    mines 3
    start 0,0
    .....
    .....
    .....
    .....
    rejection
    """
    meter = Budget.of(budget).meter()
    way = way_for(order, count, seed, meter, say)
    blocks = (range(first, min(first + BLOCK, count)) for first in range(0, count, BLOCK))
    if executor is None:
        for block in blocks:
            for number in block:
                yield make(order, seed, number, way, meter, traced=traced)
        return
    waiting: deque[Future[tuple[list[Made], BudgetExceeded | None]]] = deque()
    try:
        for block in islice(blocks, AHEAD):
            waiting.append(executor.submit(_make_block, order, seed, block, way, meter, traced))
        while waiting:
            made, error = waiting.popleft().result()
            for block in islice(blocks, 1 if error is None else 0):
                waiting.append(executor.submit(_make_block, order, seed, block, way, meter, traced))
            yield from made
            if error is not None:
                raise error
    finally:
        for future in waiting:
            future.cancel()


def _make_block(
    order: Order, seed: int | str, block: range, way: Way, meter: Meter, traced: bool
) -> tuple[list[Made], BudgetExceeded | None]:
    made: list[Made] = []
    try:
        for number in block:
            made.append(make(order, seed, number, way, meter, traced=traced))
    except BudgetExceeded as error:
        return made, error
    return made, None


def make(order: Order, seed: int | str, number: int, way: Way, meter: Meter, *, traced: bool = True) -> Made:
    """Make one board of a run. Raises BudgetExceeded."""
    meter.spend()
    if way.method is Method.RANDOM:
        layout, _ = drawn(order, str(seed), number)
        return Made(layout, number, way.method, difficulty=difficulty(layout) if traced else None)
    found = _found(order, f"{seed}/{number}", way, meter)
    made = Made(found.layout, number, way.method, found.number + 1, found.changes)
    return finished(made) if traced else made


def finished(made: Made) -> Made:
    """A board that needs no guess, with its difficulty, its record, and its trace, which is checked."""
    walked = walkthrough(made.layout)
    check(walked.trace)
    hard = difficulty(made.layout, walked.record)
    return Made(made.layout, made.number, made.method, made.candidates, made.changes, hard, walked.record, walked.trace)


def _found(order: Order, run: str, way: Way, meter: Meter) -> Candidate:
    if way.method is Method.REJECTION:
        most = REJECTIONS * pilot(order)
        found = first_suiting(order, run, range(most), meter, compiled=way.compiled)
        said = f"none of {most:,} layouts is as ordered; --method repair needs fewer"
    else:
        found = first_mended(order, run, range(MENDED), changes(order), meter, compiled=way.compiled)
        said = f"{MENDED} layouts could not be repaired; there may be no board that is as ordered"
    if found is None:
        raise BudgetExceeded(said)
    return found


def pilot(order: Order) -> int:
    """How many candidates are tried before boards are made by repair."""
    most = max(min(PILOT, PILOT_CELLS // order.cells), SLOWER)
    return most if fits(order) else most // SLOWER


def changes(order: Order) -> int:
    """How many changes are tried on each candidate that is mended."""
    return CHANGES * -(-order.cells // 1_000)


def way_for(
    order: Order,
    count: int,
    seed: int | str,
    meter: Meter,
    say: Callable[[str], None] = lambda line: None,
) -> Way:
    """Decide how the boards of a run are made. Raises ImpossibleOrder, and BudgetExceeded."""
    if not order.no_guess:
        return Way(Method.RANDOM, False)
    run = f"{seed}/pilot"
    quick = order.cells * count < QUICK_CELLS and order.method is not Method.REPAIR
    if quick and first_suiting(order, run, range(QUICK), meter, compiled=False) is not None:
        return Way(Method.REJECTION, False)
    compiled = fits(order)
    if compiled:
        from satsweep.fast import compile_once  # loads what is compiled

        compile_once(say, unaided=True)
    if order.method is None and first_suiting(order, run, range(pilot(order)), meter, compiled=compiled) is not None:
        return Way(Method.REJECTION, compiled)
    if order.layouts <= (FEW_LAYOUTS if compiled else FEW_LAYOUTS // SLOWER):
        if not any_suiting(order, meter, compiled=compiled):
            raise ImpossibleOrder(f"no board is as ordered: not one of {order.layouts:,} layouts")
        return Way(order.method or Method.REJECTION, compiled)
    return Way(order.method or Method.REPAIR, compiled)
