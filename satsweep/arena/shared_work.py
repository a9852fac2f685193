"""Work that processes of this machine share, for commands and for the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack
from typing import Any, Generic, TypeVar

from satsweep.arena.workers import processes

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
