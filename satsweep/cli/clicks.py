"""Command ``clicks``: the fewest clicks that clear a layout, with proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import INCOMPLETE, exiting_on_interrupt, note
from satsweep.cli.option_groups import with_groups
from satsweep.cli.output import check_outputs, check_readable, display_name, progress_bar, width, write
from satsweep.cli.play import GameFiles
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.board import Board
    from satsweep.clicks.fewest import FewestClicks
    from satsweep.layout import Layout

SECONDS = 60.0
"""Time limit, unless another one is given."""


@with_groups
def clicks(
    *,
    layout: Annotated[
        str, typer.Argument(metavar="LAYOUT", help="A layout, or a game, in any format; - is standard input.")
    ],
    start: Annotated[
        list[str] | None,
        typer.Option(
            metavar="R,C",
            callback=lambda places: [options.cell_at(place) for place in places or ()] or None,
            help="Cell to dig first, counted from 0; may be given several times. Default: the start of the layout.",
        ),
    ] = None,
    anywhere: Annotated[
        bool, typer.Option("--anywhere", help="Begin where it is best, even if the layout has a start.")
    ] = False,
    board: Annotated[
        str | None,
        typer.Option(metavar="BOARD", help="A position of the game, of which only the rest is to be cleared."),
    ] = None,
    no_flags: Annotated[bool, typer.Option("--no-flags", help="Set no flags: the fewest clicks are 3BV.")] = False,
    seconds: Annotated[
        float, options.seconds_option(f"Time limit; bounds may remain apart. Default: {SECONDS:g}.")
    ] = SECONDS,
    format: options.Format = None,
    json: options.Json = False,
    output: options.Output = None,
    files: GameFiles,
) -> None:
    """Find the fewest clicks that clear a layout, with a proof that no fewer do.

    A click digs a cell, sets a flag, or chords a number. The answer is a path, the clicks in order, and a lower bound:
    where both meet, the path is best. Interrupted, or when the time is up, the best path so far is printed with both
    bounds. With --animation the path is a moving picture, with --record a game.

    Exit codes: 0 proved, 2 usage, 3 bad input, 4 the time was up before, 130 interrupted.
    """
    options.refuse((anywhere and start is not None, "--anywhere", "expected no --start with it"))
    chosen = options.chosen_format(format, json)
    inputs = {"LAYOUT": layout, "--board": board}
    check_outputs({"--output": output}, inputs)
    files.check({**inputs, "--output": output})
    given, position = _read(layout, board)
    name = display_name(layout)
    latest: list[FewestClicks] = []

    def finish() -> None:
        if latest:
            write(_pieces(latest[0], name, chosen), output)

    def finish_early() -> None:
        finish()
        note(f"interrupted: {'nothing found yet' if not latest else _state(latest[0])}")

    from satsweep.clicks.fewest import bounds

    starts = () if anywhere or position is not None else None
    cells = starts if start is None else [cell for place in start if (cell := options.to_cell(place)) is not None]
    with options.naming_options({"start": "--start"} if start else {}), exiting_on_interrupt(finish_early):
        with progress_bar() as bar:
            for found in bounds(given, cells, not no_flags, seconds, board=position):
                latest[:] = [found]
                bar.show(found.lower, _state(found), total=found.upper)
        finish()
    if latest[0].path:
        files.write(latest[0].record())
    if not latest[0].proved:
        raise typer.Exit(INCOMPLETE)


def _read(layout: str, board: str | None) -> tuple[Layout, Board | None]:
    from satsweep.board import Board
    from satsweep.errors import BoardError
    from satsweep.formats import read_layouts_with_starts

    if layout == board == "-":
        raise options.wrong("--board", "expected one file that is not standard input, found none")
    for file in (layout, board):
        check_readable(file, "a file")
    found = read_layouts_with_starts(layout)
    if len(found) != 1:
        raise BoardError(f"expected one layout, found {len(found):,}", file=display_name(layout))
    return found[0], None if board is None else Board.load(board)


def _pieces(found: FewestClicks, name: str, format: str) -> Iterator[str]:
    from satsweep.render.clicks import clicks_to_json, clicks_to_text

    if format == "json":
        yield clicks_to_json(found, name)
    else:
        yield from clicks_to_text(found, name, width=width())


def _state(found: FewestClicks) -> str:
    if found.proved:
        return counted(found.upper, "click")
    return f"{found.lower:,} to {counted(found.upper, 'click')}"
