"""The pool of workers that play blocks, which are started again if they die."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait

from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, BlockResult, versions
from satsweep.arena.workers import Workers
from satsweep.errors import WorkersError

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
