"""Command ``rate``: how hard layouts are, and if they need a guess, with proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, INTERRUPTED, fail, note
from satsweep.cli.options import CLICKS_SECONDS
from satsweep.cli.output import check_outputs, display_name, width, write
from satsweep.cli.renderers import format_option, rendered
from satsweep.cli.shared_work import KeptLines, KeptWork, files_given
from satsweep.text import printable

if TYPE_CHECKING:
    from satsweep.assessment.rate import Rating
    from satsweep.layout import Layout

NUMBER = "{}"
"""Placeholder for the number of the layout in the name of a file."""
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
    clicks: bool


def rate_batch(batch: Sequence[GivenLayout], options: RatingOptions) -> list[RatedLayout]:
    from satsweep.assessment.rate import rate, ratings

    layouts = [given.layout for given in batch]
    if options.quick and not options.clicks:
        found: Iterable[Rating] = ratings(layouts)
    else:
        more: dict[str, Any] = {"quick": options.quick, "clicks": CLICKS_SECONDS} if options.clicks else {}
        found = (rate(layout, budget=options.budget, **more) for layout in layouts)
    return [
        RatedLayout(given, _rendered(given, rating, options), rating)
        for given, rating in zip(batch, found, strict=True)
    ]


def _rendered(given: GivenLayout, found: Rating, options: RatingOptions) -> str:
    pieces = rendered(
        "rating",
        options.format,
        found,
        name=given.name,
        file=given.file,
        number=given.number,
        exact=options.exact,
        width=options.columns,
    )
    return "".join(pieces)


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
        batch=BATCH if options.quick and not options.clicks else 1,
        few=FEW_BATCHES if options.quick or options.clicks else FEW,
    )
    ready: dict[int, RatedLayout] = {}
    at = 0
    for place, rated in work.finished(layouts, jobs, kept):
        ready[place] = rated
        while at in ready:
            yield ready.pop(at)
            at += 1


def rate(
    layouts: Annotated[
        list[str],
        typer.Argument(
            metavar="LAYOUT...",
            help="Layouts and games in any format, one JSON object a line for many, folders, links, IDs; - is standard "
            "input.",
        ),
    ],
    start: options.Start = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out all that takes long: a thousand expert boards a second.")
    ] = False,
    budget: Annotated[
        float | None,
        options.seconds_option("Time limit for the risks at the first guess of a layout. Default: 10 seconds."),
    ] = None,
    clicks: Annotated[
        bool,
        typer.Option(
            "--clicks",
            help=f"Find the fewest clicks that clear a layout, too, in at most {CLICKS_SECONDS:g} seconds; see "
            "`satsweep clicks`.",
        ),
    ] = False,
    format: Annotated[
        str | None, format_option("ratings", help="Output format; jsonl is an object a line. Default: text.")
    ] = None,
    json: options.Json = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Short for --format jsonl.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Print chances as fractions.")] = False,
    output: options.Output = None,
    proof: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the proof for `satsweep verify`: that no guess is needed, or that one is. {} stands for the "
            "number of the layout.",
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Keep finished ratings here; a later run goes on from them."),
    ] = None,
    jobs: options.Jobs = None,
) -> None:
    """Say whether layouts need a guess, with proof, and how hard they are.

    From its start a layout is cleared with all that can be deduced. If that is enough, a trace proves it; if not, the
    first guess is shown, with two worlds between which nothing decides, and some worlds prove that every cell may be a
    mine. Beside it come 3BV, openings and islands, the agents that clear the board, the forced cells that each
    technique misses, the longest chain, and the win chance of best play from the first guess on, where it is known
    exactly.

    A game starts where its player did; a layout without a start needs --start. A folder is all files in it. Processes
    share the layouts if there are many.

    Exit codes: 0 done, 2 usage, 3 bad input, of which the rest was rated, 130 interrupted.
    """
    other = "--json" if json else f"--format {format}"
    otherwise = json or format not in (None, "jsonl")
    options.refuse(
        (jsonl and otherwise, "--jsonl", f"expected --jsonl or {other}, found both"),
        (keep is not None and proof is not None, "--keep", "expected no --proof with it"),
        (quick and (proof, budget) != (None, None), "--quick", "expected no --proof and no --budget with it"),
    )
    chosen = "jsonl" if jsonl else options.chosen_format(format, json)
    check_outputs({"--output": output, "--proof": proof, "--keep": keep}, {"LAYOUT": layouts})
    files = files_given(layouts, "layout")
    kept = KeptLines(keep, "ratings")
    run = _Run(files, start, RatingOptions(chosen, exact, quick, budget, width(), clicks), proof, kept, jobs)
    write(rendered("ratings", chosen, run.pieces(), quick=quick), output)
    if run.interrupted:
        fail(f"interrupted after {run.done:,}", INTERRUPTED)
    if run.failed:
        raise typer.Exit(BAD_INPUT)


class _Run:
    """The ratings of a call in order; bad input is reported and left out."""

    def __init__(
        self,
        files: list[str],
        start: str | None,
        options: RatingOptions,
        proof: Path | None,
        kept: KeptLines,
        jobs: int | None,
    ) -> None:
        self.files, self.start, self.options, self.proof = files, start, options, proof
        self.kept, self.jobs = kept, jobs
        self.done = 0
        self.failed = self.interrupted = False

    def pieces(self) -> Iterator[str]:
        """Yield the output for each layout, up to an interrupt."""
        try:
            for given, text, found in rate_files(self._given(), self.options, self.kept, self.jobs):
                if found is not None:
                    self._write_proof(given, found)
                yield text
                self.done += 1
        except KeyboardInterrupt:
            self.interrupted = True

    def _given(self) -> Iterator[GivenLayout]:
        """Yield the layouts of all files, with their starts."""
        from satsweep.assessment.rate import starting_at
        from satsweep.errors import BoardError
        from satsweep.formats import read_layouts_with_starts

        start = options.to_cell(self.start)
        for file in self.files:
            try:
                found = read_layouts_with_starts(file)
            except BoardError as error:
                self._report(str(error))
                continue
            for number, layout in enumerate(found, 1):
                given = GivenLayout(layout, display_name(file), number, len(found))
                try:
                    yield given._replace(layout=starting_at(layout, start))
                except BoardError as error:
                    self._report(f"{given.name}: {error.message}")

    def _report(self, line: str) -> None:
        note(printable(line))
        self.failed = True

    def _write_proof(self, given: GivenLayout, found: Rating) -> None:
        """Write the proof of a rating to the file of its number, if there is one."""
        from satsweep.formats import certificates

        if self.proof is None:
            return
        if NUMBER not in self.proof.name and given.total * len(self.files) > 1:
            raise options.wrong("--proof", f"expected {NUMBER} in the name, one file a layout")
        file = self.proof.with_name(self.proof.name.replace(NUMBER, str(self.done + 1)))
        if found.trace is not None:
            write([certificates.to_json(found.trace)], file)
        elif found.guess is not None:
            write([certificates.to_json(found.guess.proof)], file)
        else:
            self._report(f"{given.name}: no proof, {'without a start' if found.needs_guess is None else 'too long'}")
