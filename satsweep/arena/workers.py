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
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

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
        # Without networkx: the few blocks that need it load it in 0.13 s, for which every block would wait here.
        context.set_forkserver_preload(["satsweep.arena.block_play", "pysat.solvers"])
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

    multiprocessing tells each new process the file of ``sys.modules["__main__"]``, to be run there first, so that what
    is pickled may be defined in it. Workers need nothing of it, and a script without ``if __name__ == "__main__"``
    would start its own run in each of them. There is no option against it, but a main module without a file has
    nothing to be run: an empty one takes the place of the real one while the process starts.
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
