"""Where boards are made to order, one after the other or at the same time, each with its trace.

A run is an order, a seed and a number of boards. Board i depends on the order, the seed and i alone, whoever makes it.
How boards are made is decided once for a run, by candidates of a run of its own: if one of them is as ordered, boards
are made by rejection, which makes all that are as ordered equally likely; else by repair, as is a board for which
rejection takes far too long. Where there are few layouts all are looked at before that, so that an order which no board
can fill is known to be one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from satsweep.errors import BudgetExceeded, ImpossibleSpec
from satsweep.games.record import Record
from satsweep.generator.difficulty import Difficulty, difficulty
from satsweep.generator.no_guess import CandidateLayout, any_suiting, drawn, first_mended, first_suiting
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.generator.walkthrough import walkthrough
from satsweep.layout import Layout
from satsweep.proofs.trace import Trace, check
from satsweep.solver.budget import Budget, Meter
from satsweep.solver.compiled import compile_kernels, fits

PILOT = 10_000
"""Candidates that are tried before boards are made by repair, on boards of at most ``PILOT_CELLS`` in all."""
PILOT_CELLS = 5_000_000
SLOWER = 100
"""So many times fewer where the kernels have no room."""
REJECTIONS, UNASKED = 100, 20
"""A board that so many times more candidates do not give is given up; if nobody asked for rejection it is repaired."""
MENDED = 100
"""Candidates that are mended until a board is given up."""
CHANGES = 1_000
"""Changes that are tried on each, for each thousand cells."""
FEW_LAYOUTS, FEWER_LAYOUTS = 50_000, 500
"""So many layouts are looked at, one by one, where no candidate was as ordered: with kernels, and without."""
QUICK, QUICK_CELLS = 40, 5_000
"""An order of few cells for which so many candidates suffice is not worth the time it takes to load the kernels."""
AHEAD = 64
"""Boards that wait for somebody to make or to take them."""


@dataclass(frozen=True, slots=True)
class GeneratedBoard:
    """A board that was ordered: its layout, the how-manieth of the run it is, and how it was made.

    ``candidates`` were drawn for it, and so many ``changes`` tried to repair the last one. Boards that need no guess
    have a record of how they are cleared, and a trace that was checked.
    """

    layout: Layout
    number: int
    method: GenerationMethod
    candidates: int = 1
    changes: int = 0
    difficulty: Difficulty | None = None
    record: Record | None = None
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """How the boards of a run are made; ``compiled`` says whether by kernels, which does not show."""

    method: GenerationMethod
    compiled: bool


def generate_boards(
    order: BoardSpec,
    count: int = 1,
    seed: int | str = 0,
    *,
    budget: Budget | float | None = None,
    executor: Executor | None = None,
    patience: float | None = None,
    traced: bool = True,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[GeneratedBoard]:
    """Make so many boards, in order. With ``traced`` each has its difficulty, record and trace.

    The executor makes several at a time, processes for example; boards are the same without. ``say`` is told before
    something is compiled, which counts for no budget. Raises ImpossibleOrder where no board is as ordered, and
    BudgetExceeded, after the boards that were made, where it was given up: all of them after the ``budget``, one for
    which nothing was found in so many seconds of ``patience``, or after as many layouts as are tried in any case.

    >>> (made,) = generate_boards(BoardSpec(4, 5, 3), seed=5)
    >>> print(made.layout, made.method.value, sep="\\n")
    mines 3
    start 0,0
    ....*
    .....
    ...*.
    *....
    rejection
    """
    meter = Budget.of(budget).meter()
    way = way_for(order, count, seed, meter, say, patience=patience)
    numbers = iter(range(count))
    asked = partial(generate_board, order, seed, way=way, meter=meter, traced=traced, patience=patience)
    if executor is None:
        yield from map(asked, numbers)
        return
    waiting = deque(executor.submit(asked, number) for number in islice(numbers, AHEAD))
    try:
        while waiting:
            made = waiting[0].result()
            waiting.popleft()
            waiting.extend(executor.submit(asked, number) for number in islice(numbers, 1))
            yield made
    except BudgetExceeded:
        yield from _also_made(waiting, meter)
        raise
    finally:
        for future in waiting:
            future.cancel()


def _also_made(waiting: Iterable[Future[GeneratedBoard]], meter: Meter) -> Iterator[GeneratedBoard]:
    """Boards that others have made by the time that one is given up; where the time is over nobody takes long."""
    late = meter.deadline is not None and time.monotonic() > meter.deadline
    for future in waiting:
        if (late and not future.cancel()) or (future.done() and not future.cancelled()):
            with suppress(BudgetExceeded):
                yield future.result()


def generate_board(
    order: BoardSpec,
    seed: int | str,
    number: int,
    way: MethodChoice,
    meter: Meter,
    *,
    traced: bool = True,
    patience: float | None = None,
) -> GeneratedBoard:
    """Make one board of a run. Raises BudgetExceeded."""
    meter.spend()
    if way.method is GenerationMethod.RANDOM:
        layout, _ = drawn(order, str(seed), number)
        return GeneratedBoard(layout, number, way.method, difficulty=difficulty(layout) if traced else None)
    candidates = _candidates(order, way)
    while True:
        with _patient(meter, patience) as own:
            found = _found(order, f"{seed}/{number}", candidates, way, own)
        if found is None and way.method is GenerationMethod.REJECTION and order.method is None:
            # One of the pilot was a stroke of luck.
            way = replace(way, method=GenerationMethod.REPAIR)
            candidates = _candidates(order, way)
            continue
        if found is None:
            raise BudgetExceeded(_given_up(candidates, way))
        made = GeneratedBoard(found.layout, number, way.method, found.number + 1, found.changes)
        done = finished(made) if traced else made
        if done is not None:
            return done
        candidates = candidates[candidates.index(found.number) + 1 :]


@contextmanager
def _patient(meter: Meter, patience: float | None) -> Iterator[Meter]:
    """A meter for one board, on which no more than so many seconds are spent; whose patience it was is said."""
    if patience is None:
        yield meter
        return
    deadline = time.monotonic() + patience
    if meter.deadline is not None and meter.deadline < deadline:
        yield meter
        return
    try:
        yield Meter(deadline, meter.states)
    except BudgetExceeded as error:
        if time.monotonic() <= deadline:
            raise
        raise BudgetExceeded(f"none found in {patience:g} seconds; --time-budget allows more") from error


def finished(made: GeneratedBoard) -> GeneratedBoard | None:
    """A board that needs no guess, with its difficulty, its record, and its trace, which is checked.

    None where what is forced takes longer proofs than anybody checks.
    """
    walked = walkthrough(made.layout)
    if not walked.record.won:
        return None
    check(walked.trace)
    hard = difficulty(made.layout, walked.record)
    return replace(made, difficulty=hard, record=walked.record, trace=walked.trace)


def _candidates(order: BoardSpec, way: MethodChoice) -> range:
    if way.method is GenerationMethod.REPAIR:
        return range(MENDED)
    return range((UNASKED if order.method is None else REJECTIONS) * pilot(order))


def _found(order: BoardSpec, run: str, candidates: range, way: MethodChoice, meter: Meter) -> CandidateLayout | None:
    if way.method is GenerationMethod.REJECTION:
        return first_suiting(order, run, candidates, meter, compiled=way.compiled)
    return first_mended(order, run, candidates, changes(order), meter, compiled=way.compiled)


def _given_up(candidates: range, way: MethodChoice) -> str:
    if way.method is GenerationMethod.REJECTION:
        return f"none of {candidates.stop:,} layouts is as ordered; --method repair needs fewer"
    return f"{candidates.stop:,} layouts could not be repaired; there may be no board that is as ordered"


def pilot(order: BoardSpec) -> int:
    """How many candidates are tried before boards are made by repair."""
    most = max(min(PILOT, PILOT_CELLS // order.cells), SLOWER)
    return most if fits(order.cells, order.topology) else most // SLOWER


def changes(order: BoardSpec) -> int:
    """How many changes are tried on each candidate that is mended."""
    return CHANGES * -(-order.cells // 1_000)


def way_for(
    order: BoardSpec,
    count: int,
    seed: int | str,
    meter: Meter,
    say: Callable[[str], None] = lambda line: None,
    *,
    patience: float | None = None,
) -> MethodChoice:
    """Decide how the boards of a run are made. Raises ImpossibleOrder, and BudgetExceeded."""
    if not order.no_guess:
        return MethodChoice(GenerationMethod.RANDOM, False)
    run = f"{seed}/pilot"
    quick = order.cells * count < QUICK_CELLS and order.method is not GenerationMethod.REPAIR
    if quick and first_suiting(order, run, range(QUICK), meter, compiled=False) is not None:
        return MethodChoice(GenerationMethod.REJECTION, False)
    compiled = fits(order.cells, order.topology) and order.layouts > FEWER_LAYOUTS
    if compiled:
        begun = time.monotonic()
        compile_kernels("no-guess", say)
        if meter.deadline is not None:
            meter.deadline += time.monotonic() - begun
    with _patient(meter, patience) as own:
        return _way_after_a_pilot(order, run, own, compiled=compiled)


def _way_after_a_pilot(order: BoardSpec, run: str, meter: Meter, *, compiled: bool) -> MethodChoice:
    tried = range(pilot(order))
    unclear = order.method is None and order.layouts > len(tried)
    if unclear and first_suiting(order, run, tried, meter, compiled=compiled) is not None:
        return MethodChoice(GenerationMethod.REJECTION, compiled)
    if order.layouts <= (FEW_LAYOUTS if compiled else FEWER_LAYOUTS):
        if not any_suiting(order, meter, compiled=compiled):
            raise ImpossibleSpec(f"no board is as ordered: not one of {order.layouts:,} layouts")
        return MethodChoice(order.method or GenerationMethod.REJECTION, compiled)
    return MethodChoice(order.method or GenerationMethod.REPAIR, compiled)
