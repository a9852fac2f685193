"""Work that is shared among processes, and kept in a file when it is finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

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
    with workers.running() as executor:
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


class KeptLines:
    """Finished work in a file, a line of JSON with a ``key`` for each piece.

    Nothing is kept without a path. Lines that an interrupt has cut are left out; of several with a key the last counts.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.found: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            for line in path.read_text("utf-8", errors="replace").splitlines():
                with suppress(ValueError, KeyError, TypeError):
                    values = json.loads(line)
                    self.found[values["key"]] = values

    def add(self, pieces: Iterable[Mapping[str, object]]) -> None:
        """Keep some pieces."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as kept:
                kept.writelines(json.dumps(values) + "\n" for values in pieces)
