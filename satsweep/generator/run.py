"""Generator runs: boards that meet a specification, one by one or in parallel.

A run is a specification, a seed and a number of boards. Board i depends on the specification, the seed and i alone, not
on the process that makes it. The method is chosen once for a run, by a pilot: candidates of a separate run. If one of
them meets the specification, boards are made by rejection, so all boards that meet it are equally likely; else by
repair, as is a board for which rejection takes far too long, or that is too large for one run of the kernels
(``satsweep.generator.tiles``). Where few layouts exist all of them are examined before,
so a specification that no board meets is known to be impossible.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from satsweep.arguments import check_kind, check_number, check_seed, check_whole
from satsweep.clicks.fewest import FewestClicks
from satsweep.errors import BudgetExceeded, ImpossibleSpec
from satsweep.games.record import Record
from satsweep.generator.no_guess import (
    CandidateLayout,
    any_suiting,
    drawn,
    first_mended,
    first_suiting,
    fits_kernels,
    fits_tiles,
    within_clicks,
)
from satsweep.generator.repair import SWAPS
from satsweep.generator.spec import BoardSpec, GenerationMethod, Progress
from satsweep.generator.walkthrough import Difficulty, difficulty, walkthrough
from satsweep.layout import Layout
from satsweep.proofs.trace import Trace, check
from satsweep.solver import compiled
from satsweep.solver.budget import Budget, Meter

PILOT_CANDIDATES = 10_000
"""Candidates that are tried before repair is chosen."""
PILOT_CELLS = 5_000_000
"""Most cells of all candidates of a pilot together, a limit for large boards."""
PYTHON_FACTOR = 100
"""Factor by which a pilot has fewer candidates where the kernels have no room."""
REJECTION_PILOTS, FALLBACK_PILOTS = 100, 20
"""Candidates for one board by rejection, as a multiple of the pilot's.

After them the generator fails if rejection was requested, and repairs otherwise.
"""
REPAIR_CANDIDATES = 100
"""Candidates for one board by repair."""
REPAIR_CHANGES = 1_000
"""Exchanges that are tried on each of these after its swaps, for a thousand cells."""
LISTED_LAYOUTS, LISTED_LAYOUTS_IN_PYTHON = 50_000, 500
"""Most layouts that are all examined after a vain pilot, with kernels and without."""
GRACE = 1.0
"""Seconds beyond the limit for the proof of a board that was found in time.

Most take less, so that none is missing among the boards that are made.
"""
MOST_QUEUED = 64
"""Most boards that an executor makes ahead of the consumer."""


@dataclass(frozen=True, slots=True, repr=False)
class GeneratedBoard:
    """A generated board: its layout, its number in the run, and how it was made.

    It took ``candidates`` drawn layouts, and ``changes`` tried on the last one to repair it. Boards that need no guess
    have a record of a game that clears them, and a trace that was checked. Boards of which few clicks are asked for
    have a path of them in ``clicks``.
    """

    layout: Layout
    number: int
    method: GenerationMethod
    candidates: int = 1
    changes: int = 0
    difficulty: Difficulty | None = None
    record: Record | None = None
    trace: Trace | None = None
    clicks: FewestClicks | None = None

    def __repr__(self) -> str:
        size = f"{self.layout.rows}x{self.layout.cols}/{self.layout.mines}"
        return f"<GeneratedBoard {self.number}: {size} by {self.method.value}>"


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """The method of a run, and whether kernels search; Python finds the same boards."""

    method: GenerationMethod
    compiled: bool = False


def generate(
    spec: BoardSpec,
    count: int = 1,
    seed: int | str = 0,
    *,
    budget: Budget | float | None = None,
    executor: Executor | None = None,
    patience: float | None = None,
    traced: bool = True,
    progress: Progress | None = None,
) -> Iterator[GeneratedBoard]:
    """Yield ``count`` boards, in order.

    With ``traced`` each has its difficulty, record and trace. An executor makes several boards at a time, for example
    in processes; they are the same as without. Without one ``progress`` is called at times, with "repair" or "proof"
    and the share of the cells of a board that is repaired or proved, from 0 to 1.

    Raises ImpossibleSpec if no board meets the specification. Raises BudgetExceeded, after the boards that are
    finished, past the ``budget`` for all of them, past ``patience`` seconds for one, or past the limit on candidates
    for one.

    >>> (board,) = generate(BoardSpec(4, 5, 3), seed=5)
    >>> print(board.layout, board.method.value, sep="\\n")
    mines 3
    start 0,0
    ....*
    .....
    ...*.
    *....
    rejection
    """
    check_kind(spec, BoardSpec, "a BoardSpec")
    check_whole(count, "count", least=0)
    check_seed(seed)
    if patience is not None:
        check_number(patience, "patience")
    meter = Budget.of(budget).meter()
    choice = choose_method(spec, seed, meter, patience=patience)
    numbers = iter(range(count))
    made = partial(generate_board, spec, seed, choice=choice, meter=meter, traced=traced, patience=patience)
    if executor is None:
        yield from map(partial(made, progress=progress), numbers)
        return
    queue = deque(executor.submit(made, number) for number in islice(numbers, MOST_QUEUED))
    try:
        while queue:
            board = queue[0].result()
            queue.popleft()
            queue.extend(executor.submit(made, number) for number in islice(numbers, 1))
            yield board
    except BudgetExceeded:
        yield from _finished(queue, meter)
        raise
    finally:
        for future in queue:
            future.cancel()


def _finished(queue: Iterable[Future[GeneratedBoard]], meter: Meter) -> Iterator[GeneratedBoard]:
    """Yield boards finished after a failure; past the deadline those in progress, too."""
    late = meter.deadline is not None and time.monotonic() > meter.deadline
    for future in queue:
        if (late and not future.cancel()) or (future.done() and not future.cancelled()):
            with suppress(BudgetExceeded):
                yield future.result()


def generate_board(
    spec: BoardSpec,
    seed: int | str,
    number: int,
    choice: MethodChoice,
    meter: Meter,
    *,
    traced: bool = True,
    patience: float | None = None,
    progress: Progress | None = None,
) -> GeneratedBoard:
    """Make one board of a run. Raises BudgetExceeded."""
    meter.spend()
    if choice.method is GenerationMethod.RANDOM:
        layout, _ = drawn(spec, str(seed), number)
        return GeneratedBoard(layout, number, choice.method, difficulty=difficulty(layout) if traced else None)
    candidates = _candidates(spec, choice)
    while True:
        with _with_patience(meter, patience) as own:
            found = _search(spec, f"{seed}/{number}", candidates, choice, own, progress)
            if found is not None:
                board = GeneratedBoard(found.layout, number, choice.method, found.number + 1, found.changes)
                proving = copy(own)
                proving.deadline = own.deadline and own.deadline + GRACE
                if (finished := _finished_board(spec, board, proving, progress, traced=traced)) is not None:
                    return finished
        if found is None and choice.method is GenerationMethod.REJECTION and spec.method is None and spec.no_guess:
            # The pilot was lucky to find one.
            choice = replace(choice, method=GenerationMethod.REPAIR)
            candidates = _candidates(spec, choice)
            continue
        if found is None:
            raise BudgetExceeded(_failure(spec, candidates, choice))
        candidates = candidates[candidates.index(found.number) + 1 :]


def _finished_board(
    spec: BoardSpec, board: GeneratedBoard, meter: Meter, progress: Progress | None, *, traced: bool
) -> GeneratedBoard | None:
    """A board with all that is asked about it; None if it is unproved."""
    if spec.limits_clicks:
        board = replace(board, clicks=within_clicks(spec, board.layout, meter))
    if not traced:
        return board
    return (
        with_solution(board, meter, progress) if spec.no_guess else replace(board, difficulty=difficulty(board.layout))
    )


@contextmanager
def _with_patience(meter: Meter, patience: float | None) -> Iterator[Meter]:
    """Provide a meter for one board; its error says which limit was exceeded."""
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


def with_solution(board: GeneratedBoard, meter: Meter, progress: Progress | None = None) -> GeneratedBoard | None:
    """A no-guess board with difficulty, record and checked trace; None if unproved.

    Raises BudgetExceeded past the limits of ``meter``.
    """
    walked = walkthrough(board.layout, meter, progress)
    if not walked.record.won:
        return None
    check(walked.trace)
    hard = difficulty(board.layout, walked.record, meter)
    return replace(board, difficulty=hard, record=walked.record, trace=walked.trace)


def _candidates(spec: BoardSpec, choice: MethodChoice) -> range:
    if choice.method is GenerationMethod.REPAIR:
        return range(REPAIR_CANDIDATES)
    return range((FALLBACK_PILOTS if spec.method is None else REJECTION_PILOTS) * pilot_candidates(spec))


def _search(
    spec: BoardSpec, run: str, candidates: range, choice: MethodChoice, meter: Meter, progress: Progress | None
) -> CandidateLayout | None:
    if choice.method is GenerationMethod.REJECTION:
        return first_suiting(spec, run, candidates, meter, compiled=choice.compiled)
    changes = repair_changes(spec)
    return first_mended(spec, run, candidates, changes, meter, compiled=choice.compiled, progress=progress)


def _failure(spec: BoardSpec, candidates: range, choice: MethodChoice) -> str:
    if choice.method is GenerationMethod.REJECTION:
        repair = "; --method repair needs fewer" if spec.no_guess else "; there may be no such board"
        return f"none of {candidates.stop:,} layouts is as ordered{repair}"
    return f"no board was found by repair of {candidates.stop:,} layouts"


def pilot_candidates(spec: BoardSpec) -> int:
    most = max(min(PILOT_CANDIDATES, PILOT_CELLS // spec.cells), PYTHON_FACTOR)
    return most if fits_kernels(spec) else most // PYTHON_FACTOR


def repair_changes(spec: BoardSpec) -> int:
    return SWAPS + REPAIR_CHANGES * -(-spec.cells // 1_000)


def choose_method(spec: BoardSpec, seed: int | str, meter: Meter, *, patience: float | None = None) -> MethodChoice:
    """Choose the method of a run. Raises ImpossibleSpec, and BudgetExceeded."""
    if not spec.no_guess and not spec.limits_clicks:
        return MethodChoice(GenerationMethod.RANDOM)
    if not spec.no_guess:
        if spec.layouts <= LISTED_LAYOUTS_IN_PYTHON:
            _check_possible(spec, meter, by_kernels=False)
        return MethodChoice(GenerationMethod.REJECTION)
    if compiled.is_there() and fits_tiles(spec) and spec.method is not GenerationMethod.REJECTION:
        return MethodChoice(GenerationMethod.REPAIR, True)
    by_kernels = compiled.is_there() and fits_kernels(spec)
    with _with_patience(meter, patience) as own:
        return MethodChoice(_method_by_pilot(spec, f"{seed}/pilot", own, by_kernels), by_kernels)


def _method_by_pilot(spec: BoardSpec, run: str, meter: Meter, by_kernels: bool) -> GenerationMethod:
    pilot = range(pilot_candidates(spec))
    unclear = spec.method is None and spec.layouts > len(pilot)
    if unclear and first_suiting(spec, run, pilot, meter, compiled=by_kernels) is not None:
        return GenerationMethod.REJECTION
    if spec.layouts <= (LISTED_LAYOUTS if by_kernels else LISTED_LAYOUTS_IN_PYTHON):
        _check_possible(spec, meter, by_kernels=by_kernels)
        return spec.method or GenerationMethod.REJECTION
    return spec.method or GenerationMethod.REPAIR


def _check_possible(spec: BoardSpec, meter: Meter, *, by_kernels: bool) -> None:
    """Raise ImpossibleSpec if no layout meets a specification."""
    if not any_suiting(spec, meter, compiled=by_kernels):
        raise ImpossibleSpec(f"no board is as ordered: not one of {spec.layouts:,} layouts")
