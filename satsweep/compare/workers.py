"""Who plays the games: processes of this machine, or a Dask cluster, both as executors of ``concurrent.futures``.

An executor whose worker was killed is of no use any more where it is a pool of processes; so what a run is given is a
way to start one, again if need be.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from satsweep.errors import WorkersError


@dataclass(frozen=True, slots=True)
class Workers:
    """How to start an executor, how many blocks it can play at a time, and how to let go of it: also of what it is
    still at, if there is anything. ``are_there`` tells whether an executor that does not answer may still do so.
    """

    start: Callable[[], Executor]
    jobs: int
    stop: Callable[[Executor, bool], None]
    are_there: Callable[[], bool] = lambda: True

    @classmethod
    def of(cls, executor: Executor) -> Workers:
        """An executor that belongs to somebody else: it is neither started nor shut down here."""
        jobs = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        return cls(lambda: executor, jobs, lambda executor, busy: None)


def processes(jobs: int | None = None) -> Workers:
    """So many processes of this machine; one for every core unless said otherwise.

    They are forked from a server that has loaded what games need, where that is possible. They end with the process
    that started them, however that ends, and leave interrupts to it.
    """
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload(["satsweep.compare.blocks", "networkx", "pysat.solvers"])
    count = jobs or os.cpu_count() or 1
    others = set(multiprocessing.active_children())

    def start() -> Executor:
        return ProcessPoolExecutor(count, mp_context=context, initializer=_begin)

    def stop(executor: Executor, busy: bool) -> None:
        if busy:
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
        executor.shutdown(cancel_futures=True)

    return Workers(start, count, stop)


def _begin() -> None:
    """What a worker process does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def cluster(scheduler: str | None = None, jobs: int | None = None) -> Iterator[Workers]:
    """The workers of a Dask scheduler, or of a cluster of processes on this machine that lasts as long as the context.

    Raises WorkersError when Dask is not installed or the scheduler cannot be reached.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise WorkersError("a cluster needs Dask: pip install 'satsweep[cluster]'") from None
    local: Any = None
    try:
        if scheduler is None:
            local = LocalCluster(n_workers=jobs or os.cpu_count(), threads_per_worker=1, dashboard_address=None)
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
