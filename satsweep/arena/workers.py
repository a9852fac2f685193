"""Workers: local processes, or a Dask cluster, as executors.

Executors are those of ``concurrent.futures``. A pool of processes is unusable once a worker was killed, so a run is
given a way to start an executor, again if need be, instead of an executor.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Generic, TypeVar

from satsweep.arena.blocks import Block, BlockResult, play_block, versions
from satsweep.errors import WorkersError, how_to_install
from satsweep.interpreter import SAFE_PATH, restore_safe_path, safe_path, safe_path_given


@dataclass(frozen=True, slots=True)
class Workers:
    """Functions that start an executor, stop it, and tell whether it is alive.

    ``jobs`` is the number of blocks that it plays at a time. ``stop`` takes the executor, and True if it may still be
    playing, which is stopped, too. ``are_alive`` returns whether an executor that does not answer may still do so.
    """

    start: Callable[[], Executor]
    jobs: int
    stop: Callable[[Executor, bool], None]
    are_alive: Callable[[], bool] = lambda: True

    @classmethod
    def of(cls, executor: Executor) -> Workers:
        """Workers of the caller's executor, which is neither started nor shut down here."""
        jobs = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        return cls(lambda: executor, jobs, lambda executor, busy: None)

    @contextmanager
    def running(self) -> Iterator[Executor]:
        """Provide an executor; an error ends what it still does, too."""
        executor, busy = self.start(), True
        try:
            yield executor
            busy = False
        finally:
            self.stop(executor, busy)


def processes(jobs: int | None = None) -> Workers:
    """Processes of this machine, as many as it has cores unless ``jobs`` is given.

    Where possible they are forked from a server process that has loaded what games need. They end with the process
    that started them, however that ends, and leave interrupts to it.
    """
    context = _Context()
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload(["satsweep.arena.blocks", "networkx", "pysat.solvers"])
    count = jobs or os.cpu_count() or 1
    others, given = set(multiprocessing.active_children()), safe_path_given()

    def start() -> Executor:
        with safe_path():  # its queues start a tracker of resources
            return ProcessPoolExecutor(count, mp_context=context, initializer=_initialise, initargs=(given,))

    def stop(executor: Executor, busy: bool) -> None:
        if busy:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        executor.shutdown(cancel_futures=True)

    return Workers(start, count, stop)


_methods = multiprocessing.get_all_start_methods()
_context: Any = multiprocessing.get_context("forkserver" if "forkserver" in _methods else "spawn")


class _Process(_context.Process):  # type: ignore[misc]
    """A process that does not run the main module of its parent again.

    Workers need nothing of it, and a script would have to be guarded by ``if __name__ == "__main__"`` otherwise.
    multiprocessing has no option for that: it takes the module to run from ``sys.modules`` when a process starts.
    """

    @staticmethod
    def _Popen(process: Any) -> Any:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            with safe_path():
                return _context.Process._Popen(process)
        finally:
            sys.modules["__main__"] = main


class _Context(type(_context)):  # type: ignore[misc]
    Process = _Process


def _initialise(given: str) -> None:
    """Prepare a worker process: ignore interrupts, end with the parent."""
    restore_safe_path(given)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End with the process that started the pool, or with the fork server."""
    parent, server = multiprocessing.parent_process(), os.getppid()
    if parent is not None:
        while parent.is_alive() and os.getppid() == server:
            parent.join(1.0)
        os._exit(1)


@contextmanager
def cluster(scheduler: str | None = None, jobs: int | None = None) -> Iterator[Workers]:
    """The workers of a Dask scheduler; without one, of a cluster of local processes.

    The local cluster lasts as long as the context. Raises WorkersError when Dask is not installed or the scheduler
    cannot be reached.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise WorkersError(f"a cluster needs Dask: {how_to_install('cluster')}") from None
    local: Any = None
    given = safe_path_given()
    try:
        if scheduler is None:
            os.environ[SAFE_PATH] = "1"  # also for workers that are started again
            own = {"threads_per_worker": 1, "dashboard_address": None, "env": {SAFE_PATH: given}}
            local = LocalCluster(n_workers=jobs or os.cpu_count(), **own)
        client = Client(local or scheduler, timeout="5s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkersError(f"expected a Dask scheduler at {scheduler}, {error}") from None
    try:
        if not client.nthreads():
            raise WorkersError(f"expected workers at {scheduler}, found none")
        executor = client.get_executor(pure=False)
        jobs = sum(client.nthreads().values())
        yield Workers(lambda: executor, jobs, lambda executor, busy: None, lambda: client.status != "closed")
    finally:
        client.close()
        if local is not None:
            local.close()
        restore_safe_path(given)


_Batch = TypeVar("_Batch")
_Found = TypeVar("_Found")
AHEAD = 4
"""Batches for each process that are handed out ahead."""


class SharedWork(Generic[_Batch, _Found]):
    """Work that processes share, a batch at a time.

    ``jobs`` processes, one for each core by default, start once there are ``few`` batches. One job, and fewer batches,
    are done in this process, in their order. Outcomes come with their batches: ``in_order``, or as they are there.
    """

    def __init__(
        self, do: Callable[[_Batch], _Found], jobs: int | None, *, in_order: bool = False, few: int = 2
    ) -> None:
        self._do = do
        self._jobs = jobs
        self._in_order = in_order
        self._few = few
        self._waiting: list[_Batch] = []
        self._going: dict[Future[_Found], _Batch] = {}
        self._executor: Executor | None = None
        self._most = 0
        self._stack = ExitStack()

    def __enter__(self) -> SharedWork[_Batch, _Found]:
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def add(self, batch: _Batch) -> Iterator[tuple[_Batch, _Found]]:
        """Hand out a batch, and yield outcomes once enough batches are ahead."""
        if self._jobs == 1:
            yield batch, self._do(batch)
            return
        self._waiting.append(batch)
        if self._executor is None:
            if len(self._waiting) < self._few:
                return
            workers = processes(self._jobs)
            self._executor, self._most = self._stack.enter_context(workers.running()), AHEAD * workers.jobs
        while self._waiting:
            batch = self._waiting.pop(0)
            self._going[self._executor.submit(self._do, batch)] = batch
            if len(self._going) >= self._most:
                yield from self._next()

    def rest(self) -> Iterator[tuple[_Batch, _Found]]:
        """Yield the outcomes of all batches that are left."""
        while self._going:
            yield from self._next()
        while self._waiting:
            batch = self._waiting.pop(0)
            yield batch, self._do(batch)

    def of(self, batches: Iterable[_Batch]) -> Iterator[tuple[_Batch, _Found]]:
        """Yield the outcomes of batches, which need not end."""
        for batch in batches:
            yield from self.add(batch)
        yield from self.rest()

    def _next(self) -> Iterator[tuple[_Batch, _Found]]:
        done = [next(iter(self._going))] if self._in_order else wait(self._going, return_when=FIRST_COMPLETED).done
        for future in done:
            yield self._going.pop(future), future.result()


CHECK_SECONDS = 5.0
"""Time without results after which the pool checks that workers are alive."""

ATTEMPTS, PAUSE = 5, 0.2
"""Attempts to start workers, and the time between two of them.

The server that forks processes may have been killed: a new one starts once the system has noticed.
"""


class WorkerPool:
    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.in_flight: dict[Future[BlockResult], Block] = {}
        self._executor = self._started()

    def _started(self) -> Executor:
        for patience in reversed(range(ATTEMPTS)):
            executor = self._workers.start()
            try:
                found = executor.submit(versions).result()
            except Exception as error:
                self._workers.stop(executor, True)
                if not patience:
                    raise WorkersError(f"no worker starts: {type(error).__name__}: {error}") from error
                time.sleep(PAUSE)
            else:
                self._check_versions(found)
                break
        return executor

    def _check_versions(self, found: Mapping[str, str]) -> None:
        for name, ours in versions().items():
            if found.get(name) != ours:
                raise WorkersError(f"expected workers with {name} {ours}, found {found.get(name, 'none')}")

    def has_room(self, *, alone: bool) -> bool:
        """True if one more block can be sent out. ``alone``: it must be the only one."""
        return len(self.in_flight) < (1 if alone else 2 * self._workers.jobs)

    def submit(self, block: Block) -> None:
        try:
            future = self._executor.submit(play_block, block)
        except (BrokenExecutor, OSError, EOFError) as error:
            # The latter two come from a fork server that has just been killed.
            future = Future()
            future.set_exception(BrokenExecutor(str(error)))
        except Exception as error:
            raise WorkersError(f"no worker takes a game: {type(error).__name__}: {error}") from error
        self.in_flight[future] = block

    def completed(self) -> Iterator[tuple[Block, BlockResult | None]]:
        """Wait for blocks, and yield each with its results, or None if it is lost."""
        done: set[Future[BlockResult]] = set()
        while self.in_flight and not done:
            done, _ = wait(self.in_flight, timeout=CHECK_SECONDS, return_when=FIRST_COMPLETED)
            if not done and not self._workers.are_alive():
                raise WorkersError("the workers are gone, and with them the games that they were playing")
        broken = False
        for future in done:
            block = self.in_flight.pop(future)
            error = CancelledError() if future.cancelled() else future.exception()
            broken = broken or isinstance(error, BrokenExecutor)
            if error is None:
                self._check_versions(future.result().versions)
            yield block, None if error else future.result()
        if broken:
            # With one worker of a pool all others are gone, and their blocks.
            for block in self.in_flight.values():
                yield block, None
            self.in_flight.clear()
            self._workers.stop(self._executor, True)
            self._executor = self._started()

    def shutdown(self) -> None:
        """Release the workers, also those that are still playing."""
        self._workers.stop(self._executor, bool(self.in_flight))
