"""Playing a plan: blocks of games go out to workers, and what comes back is kept before anything else happens.

Every block is about a second of work. A block that is lost with its worker is played again, all by itself; if it is
lost again it is halved, down to the one game that kills whoever plays it, which is then reported and left behind.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass, field
from operator import attrgetter

from satsweep.compare.blocks import Block, BlockResult, Result, play_block, versions
from satsweep.compare.kernel_games import compile_for
from satsweep.compare.plan import Plan
from satsweep.compare.report import Report
from satsweep.compare.stats import share
from satsweep.compare.store import Run, Store
from satsweep.compare.workers import Workers, processes
from satsweep.errors import WorkersError

BLOCK_SECONDS = 1.0
"""About how long a block is to take; in a run with little time, a tenth of that."""
CHECK_SECONDS = 5.0
"""When nothing has come back for so long, somebody looks whether there still are workers."""
GROWTH = 8
"""A block has at most so many times the games of the one before: the first games may be the shortest."""
DEADLY = 10
"""After so many games that killed their workers there is no point in going on."""
_KIND = attrgetter("setting", "agent", "won", "failed")


@dataclass(slots=True)
class RunProgress:
    """How a run stands: games of single agents that were played, and won, and how many there are to be."""

    plan: Plan
    total: int | None
    games: dict[tuple[int, int], int] = field(default_factory=dict)
    won: dict[tuple[int, int], int] = field(default_factory=dict)
    failed: int = 0
    before: int = 0
    """Those that were there at the start."""
    begun: float = field(default_factory=time.monotonic)

    @property
    def played(self) -> int:
        """All games of single agents."""
        return sum(self.games.values())

    @property
    def seconds(self) -> float:
        """Since the run began, or went on."""
        return time.monotonic() - self.begun

    @property
    def speed(self) -> float:
        """Games of single agents a second, since then."""
        return (self.played - self.before) / max(self.seconds, 1e-9)

    @property
    def share_done(self) -> float | None:
        """How much of the run is over; None as long as there is no telling."""
        shares = []
        if self.plan.seconds is not None:
            shares.append(self.seconds / self.plan.seconds)
        if self.total is not None:
            shares.append(self.played / self.total if self.total else 1.0)
        if self.plan.until is not None and self.played:
            # An interval shrinks with the root of the number of games.
            widest = max(max(self._halves(setting)) for setting in range(len(self.plan.settings)))
            shares.append((self.plan.until / max(widest, 1e-9)) ** 2)
        return min(max(shares), 1.0) if shares else None

    @property
    def seconds_left(self) -> float | None:
        """How long the run will go on, if that can be told."""
        share_done, played = self.share_done, self.played
        if share_done is None or played == self.before:
            return None
        if self.plan.seconds is not None and share_done == self.seconds / self.plan.seconds:
            return self.plan.seconds - self.seconds
        return (played / max(share_done, 1e-9) - played) / self.speed

    def _halves(self, setting: int) -> Iterator[float]:
        """Half the interval of every win rate of a setting, in points."""
        for agent in range(len(self.plan.agents)):
            estimate = share(self.won.get((setting, agent), 0), self.games.get((setting, agent), 0))
            yield 50.0 if estimate is None else 50 * (estimate.high - estimate.low)

    def count(self, setting: int, agent: int, games: int, won: int) -> None:
        """Count games of an agent."""
        where = (setting, agent)
        self.games[where] = self.games.get(where, 0) + games
        self.won[where] = self.won.get(where, 0) + won

    def of(self, agent: int) -> tuple[int, int]:
        """The games that an agent won, and played, in all settings."""
        settings = range(len(self.plan.settings))
        won = sum(self.won.get((setting, agent), 0) for setting in settings)
        return won, sum(self.games.get((setting, agent), 0) for setting in settings)

    def is_precise(self, setting: int) -> bool:
        """Whether every win rate of a setting is known as well as the plan wants it."""
        if self.plan.until is None:
            return False
        return max(self._halves(setting)) <= self.plan.until


def compare(
    plan: Plan,
    workers: Workers | Executor | None = None,
    store: Store | None = None,
    watch: Callable[[RunProgress], None] = lambda standing: None,
) -> Report:
    """Play a plan, or what is left of it, and report on all of it.

    ``workers`` are processes of this machine unless given; any executor will do. ``store`` keeps the results, and has
    those of before; ``watch`` is called whenever some have come. Raises StoreError when results cannot be kept or must
    not be mixed, WorkersError when there is nobody to play.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from satsweep.compare.plan import Setting
    >>> with ThreadPoolExecutor(1) as executor:
    ...     report = compare(Plan(("basic", "sat"), (Setting(5, 5, 3),), games=4), executor)
    >>> [row.games for row in report.rows]
    [4, 4]
    """
    if isinstance(workers, Executor):
        workers = Workers.of(workers)
    if store is not None:
        return _played(plan, workers or processes(), store, watch)
    with Store() as store:
        return _played(plan, workers or processes(), store, watch)


def _played(plan: Plan, workers: Workers, store: Store, watch: Callable[[RunProgress], None]) -> Report:
    run = store.begin(plan, versions())
    compile_for(plan)
    carry_out(plan, workers, run, watch)
    return report_on(run, plan)


def report_on(run: Run, plan: Plan | None = None) -> Report:
    """The report on what is kept of a run."""
    kept = run.kept
    plan = plan or kept.plan
    limit = plan.games
    return Report.of(plan, run.tallies(limit), run.pairs(limit), run.failures(limit), kept.versions)


def carry_out(plan: Plan, workers: Workers, run: Run, watch: Callable[[RunProgress], None]) -> RunProgress:
    """Play what is left of a plan."""
    finished = run.finished()
    standing = RunProgress(plan, _total(plan))
    for tally in run.tallies(plan.games):
        standing.count(tally.setting, tally.agent, tally.games, tally.sums["won"])
        standing.failed += tally.failed
    standing.before = standing.played
    watch(standing)
    todo = _BlockQueue(plan, finished, standing, workers.jobs)
    if todo.is_over():
        return standing
    crew = _WorkerPool(workers)
    try:
        while True:
            while crew.has_room(todo) and (block := todo.next()) is not None:
                crew.send(block)
            if not crew.flying:
                return standing
            for block, played in crew.returned():
                results = todo.take(block, played)
                if results:
                    run.add(results)
                    watch(standing)
    finally:
        crew.leave()


def _total(plan: Plan) -> int | None:
    limits = [plan.limit(setting) for setting in range(len(plan.settings))]
    if plan.until is not None or None in limits:
        return None
    return len(plan.agents) * sum(limit for limit in limits if limit is not None)


class _BlockQueue:
    """What is left to play: the setting that is furthest behind comes first, and what was lost before everything."""

    def __init__(self, plan: Plan, finished: Mapping[int, list[range]], standing: RunProgress, jobs: int) -> None:
        self._plan = plan
        self._jobs = jobs
        self._standing = standing
        self._gaps = [_gaps(finished.get(index, []), plan.limit(index)) for index in range(len(plan.settings))]
        self._gap = [next(gaps, None) for gaps in self._gaps]
        self._size = [1] * len(self._gap)
        self._sent = [0] * len(self._gap)
        self._suspects: deque[tuple[Block, int]] = deque()
        self._deaths = 0
        self._block_seconds = min(BLOCK_SECONDS, (plan.seconds or 60) / 20)

    @property
    def is_careful(self) -> bool:
        """Whether only one block may be out, so that whoever dies was killed by it."""
        return bool(self._suspects)

    def is_over(self) -> bool:
        """Whether nothing more is to be sent out."""
        if self._suspects:
            return False
        late = self._plan.seconds is not None and self._standing.seconds >= self._plan.seconds
        return late or not self._open()

    def _open(self) -> list[int]:
        return [
            index for index, gap in enumerate(self._gap) if gap is not None and not self._standing.is_precise(index)
        ]

    def next(self) -> Block | None:
        """The next block to send out."""
        if self._suspects:
            return self._suspects[0][0]
        if self.is_over():
            return None
        setting = min(self._open(), key=self._progress)
        gap = self._gap[setting]
        assert gap is not None
        first, end = gap
        games = self._size[setting]
        if end is not None:
            # Smaller and smaller towards the end, so that nobody waits long for the last block.
            games = min(games, max(1, (end - first) // (2 * self._jobs)))
        self._gap[setting] = next(self._gaps[setting], None) if first + games == end else (first + games, end)
        self._sent[setting] += games
        return Block.of(self._plan, setting, first, games)

    def _progress(self, setting: int) -> float:
        limit = self._plan.limit(setting)
        return self._sent[setting] / limit if limit else self._sent[setting]

    def take(self, block: Block, played: BlockResult | None) -> list[Result]:
        """The results of a block that came back; none of one that was lost, unless it is given up for good."""
        suspect = bool(self._suspects) and self._suspects[0][0] is block
        losses = self._suspects.popleft()[1] if suspect else 0
        if played is None:
            return self._lost(block, losses + 1)
        if not suspect:
            wanted = block.games * self._block_seconds / max(played.seconds, 1e-6)
            self._size[block.index] = max(1, int(min(wanted, GROWTH * block.games)))
        self._count(played.results)
        return played.results

    def _lost(self, block: Block, losses: int) -> list[Result]:
        if losses < 2:
            self._suspects.append((block, losses))
        elif block.units > 1:
            self._suspects.extendleft((half, 1) for half in reversed(block.halves()))
        else:
            self._deaths += 1
            results = block.failed("the worker that played it died")
            if self._deaths >= DEADLY:
                name = block.agents[0][1]
                raise WorkersError(f"{self._deaths} games killed their workers, the last one of {name}; giving up")
            self._count(results)
            return results
        return []

    def _count(self, results: list[Result]) -> None:
        for (setting, agent, won, failed), games in Counter(map(_KIND, results)).items():
            self._standing.count(setting, agent, games, games * won)
            self._standing.failed += games * failed


def _gaps(finished: list[range], limit: int | None) -> Iterator[tuple[int, int | None]]:
    """What the ranges leave out below the limit, as (first, last + 1); without a limit the last gap has no end.

    >>> list(_gaps([range(2, 5)], 9)), list(_gaps([range(0, 5)], None))
    ([(0, 2), (5, 9)], [(5, None)])
    """
    first = 0
    for games in finished:
        if limit is not None and games.start >= limit:
            break
        if first < games.start:
            yield first, games.start
        first = games.stop
    if limit is None or first < limit:
        yield first, limit


class _WorkerPool:
    """The workers, and the blocks that are out."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.flying: dict[Future[BlockResult], Block] = {}
        self._executor = self._started()

    def _started(self) -> Executor:
        executor = self._workers.start()
        try:
            found = executor.submit(versions).result()
        except Exception as error:
            self._workers.stop(executor, True)
            raise WorkersError(f"no worker starts: {type(error).__name__}: {error}") from error
        self._check(found)
        return executor

    def _check(self, found: Mapping[str, str]) -> None:
        for name, ours in versions().items():
            if found.get(name) != ours:
                raise WorkersError(f"expected workers with {name} {ours}, found {found.get(name, 'none')}")

    def has_room(self, todo: _BlockQueue) -> bool:
        """Whether one more block can be sent out."""
        return not self.flying if todo.is_careful else len(self.flying) < 2 * self._workers.jobs

    def send(self, block: Block) -> None:
        """Send a block out."""
        try:
            future = self._executor.submit(play_block, block)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        except Exception as error:
            raise WorkersError(f"no worker takes a game: {type(error).__name__}: {error}") from error
        self.flying[future] = block

    def returned(self) -> Iterator[tuple[Block, BlockResult | None]]:
        """Wait for blocks that come back, or are lost: then there is nothing but the block."""
        done: set[Future[BlockResult]] = set()
        while not done:
            done, _ = wait(self.flying, timeout=CHECK_SECONDS, return_when=FIRST_COMPLETED)
            if not done and not self._workers.are_there():
                raise WorkersError("the workers are gone: what they were playing will not come back")
        broken = False
        for future in done:
            block = self.flying.pop(future)
            error = CancelledError() if future.cancelled() else future.exception()
            broken = broken or isinstance(error, BrokenExecutor)
            if error is None:
                self._check(future.result().versions)
            yield block, None if error else future.result()
        if broken:
            # With one worker of a pool all others are gone, and what they were at.
            for block in self.flying.values():
                yield block, None
            self.flying.clear()
            self._workers.stop(self._executor, True)
            self._executor = self._started()

    def leave(self) -> None:
        """Let the workers go."""
        self._workers.stop(self._executor, bool(self.flying))
