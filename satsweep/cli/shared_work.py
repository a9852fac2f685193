"""Work that is shared among processes, in the order in which it is finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import chain, islice
from typing import TypeVar

_Item = TypeVar("_Item")
_Found = TypeVar("_Found")
AHEAD = 4
"""Items for each process that are handed out ahead."""


def finished(
    function: Callable[[_Item], _Found], items: Iterable[_Item], jobs: int | None, few: int = 2
) -> Iterator[tuple[_Item, _Found]]:
    """Yield items with what a function returns of them, as they are finished.

    ``jobs`` processes share them, one for each core by default. Fewer than ``few`` items stay in this process, as do
    those of one job, in their order.
    """
    waiting = iter(items)
    first = [] if jobs == 1 else list(islice(waiting, few))
    if len(first) < few:
        for item in chain(first, waiting):
            yield item, function(item)
        return
    from satsweep.arena.workers import processes

    workers = processes(jobs)
    executor = workers.start()
    busy = True
    try:
        rest = chain(first, waiting)
        going: dict[Future[_Found], _Item] = {}

        def submit(count: int) -> None:
            for item in islice(rest, count):
                going[executor.submit(function, item)] = item

        submit(AHEAD * workers.jobs)
        while going:
            for done in wait(going, return_when=FIRST_COMPLETED).done:
                item = going.pop(done)
                submit(1)
                yield item, done.result()
        busy = False
    finally:
        workers.stop(executor, busy)
