"""Ratings of many layouts, by processes; finished ones are kept in a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from satsweep.cli.shared_work import KeptLines, KeptWork

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


class RatingOptions(NamedTuple):
    """All that the output depends on beside the layout and its name."""

    format: str
    exact: bool
    quick: bool
    budget: float | None
    columns: int | None


def rate_batch(batch: Sequence[GivenLayout], options: RatingOptions) -> list[RatedLayout]:
    """Rate some layouts."""
    from satsweep.assessment.rate import rate, ratings

    layouts = [given.layout for given in batch]
    found = ratings(layouts) if options.quick else (rate(layout, budget=options.budget) for layout in layouts)
    return [
        RatedLayout(given, _rendered(given, rating, options), rating)
        for given, rating in zip(batch, found, strict=True)
    ]


def _rendered(given: GivenLayout, found: Rating, options: RatingOptions) -> str:
    from satsweep.render import rating as rendered

    if options.format == "text":
        return "".join(rendered.rating_to_text(found, given.name, exact=options.exact, width=options.columns))
    if options.format == "csv":
        return rendered.csv_line(found, given.file, given.number)
    return rendered.json_line(found, given.file, given.number)


def rate_files(
    layouts: Iterable[GivenLayout], options: RatingOptions, kept: KeptLines, jobs: int | None
) -> Iterator[RatedLayout]:
    """Yield layouts in their order, with their output."""
    from satsweep.assessment.rate import BATCH

    def key(given: GivenLayout) -> object:
        layout = given.layout
        return options, given.name, layout.cells, layout.start and (*layout.start,), layout.topology.name

    work = KeptWork(
        partial(rate_batch, options=options),
        key,
        lambda rated: {"text": rated.text},
        lambda given, values: RatedLayout(given, str(values["text"]), None),
        batch=BATCH if options.quick else 1,
        few=FEW_BATCHES if options.quick else FEW,
    )
    ready: dict[int, RatedLayout] = {}
    at = 0
    for place, rated in work.finished(layouts, jobs, kept):
        ready[place] = rated
        while at in ready:
            yield ready.pop(at)
            at += 1
