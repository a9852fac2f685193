"""Ratings of many layouts, by processes; finished ones are kept in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from satsweep.cli.shared_work import KeptLines, finished

if TYPE_CHECKING:
    from satsweep.assessment.rate import Rating
    from satsweep.layout import Layout

FEW, FEW_BATCHES = 20, 4
"""Least numbers of layouts, and of batches of quick ratings, that processes share.

For fewer it is not worth the time to start them.
"""


class GivenLayout(NamedTuple):
    """A layout of a file, with its number in the file and among all."""

    layout: Layout
    file: str
    number: int
    total: int

    @property
    def name(self) -> str:
        """File and, if it has several layouts, the number in it."""
        return self.file if self.total == 1 else f"{self.file}: layout {self.number}"


class RatedLayout(NamedTuple):
    """A layout with its output, and its rating unless the output was kept."""

    given: GivenLayout
    text: str
    rating: Rating | None


class KeptRatings:
    """Output of finished ratings in a file, a line of JSON for each layout.

    Nothing is kept without a path. ``settings`` are all that the output depends on beside the layout and its name.
    """

    def __init__(self, path: Path | None, settings: tuple[object, ...]) -> None:
        self._lines, self.settings = KeptLines(path), settings

    def of(self, given: GivenLayout) -> str | None:
        """The output of a layout that is kept; None if there is none."""
        found = self._lines.found.get(self._key(given), {}) if self._lines.found else {}
        return str(found["text"]) if "text" in found else None

    def add(self, rated: Iterable[RatedLayout]) -> None:
        """Keep the output of some layouts."""
        self._lines.add({"key": self._key(own.given), "text": own.text} for own in rated)

    def _key(self, given: GivenLayout) -> str:
        layout = given.layout
        whole = (self.settings, given.name, layout.cells, layout.start and (*layout.start,), layout.topology.name)
        return sha256(repr(whole).encode("utf-8", "surrogateescape")).hexdigest()


def rate_batch(batch: Sequence[tuple[int, GivenLayout]], *, quick: bool, budget: float | None) -> list[Rating]:
    """Rate some layouts."""
    from satsweep.assessment.rate import rate, ratings

    layouts = [given.layout for _, given in batch]
    return list(ratings(layouts)) if quick else [rate(layout, budget=budget) for layout in layouts]


def rate_files(
    layouts: Iterable[GivenLayout],
    render: Callable[[GivenLayout, Rating], str],
    kept: KeptRatings,
    jobs: int | None,
    *,
    quick: bool,
    budget: float | None,
) -> Iterator[RatedLayout]:
    """Yield layouts in their order, with their output."""
    from satsweep.assessment.rate import BATCH

    ready: dict[int, RatedLayout] = {}
    at = 0

    def batches() -> Iterator[list[tuple[int, GivenLayout]]]:
        batch: list[tuple[int, GivenLayout]] = []
        for place, given in enumerate(layouts):
            if (known := kept.of(given)) is not None:
                ready[place] = RatedLayout(given, known, None)
                continue
            batch.append((place, given))
            if len(batch) == (BATCH if quick else 1):
                yield batch
                batch = []
        if batch:
            yield batch

    def in_order() -> Iterator[RatedLayout]:
        nonlocal at
        while at in ready:
            yield ready.pop(at)
            at += 1

    work = partial(rate_batch, quick=quick, budget=budget)
    for batch, found in finished(work, batches(), jobs, FEW_BATCHES if quick else FEW):
        rated = [RatedLayout(given, render(given, own), own) for (_, given), own in zip(batch, found, strict=True)]
        kept.add(rated)
        ready.update(zip((place for place, _ in batch), rated, strict=True))
        yield from in_order()
    yield from in_order()
