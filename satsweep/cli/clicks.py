"""Command ``clicks``: the fewest clicks that clear a layout, with proof."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import INCOMPLETE, exiting_on_interrupt, fail, note
from satsweep.cli.game_options import GameFiles
from satsweep.cli.option_groups import with_groups
from satsweep.cli.output import check_outputs, check_readable, display_name, make_directory, progress_bar, width, write
from satsweep.cli.renderers import format_option, rendered
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
    certify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a proof that fewer clicks are impossible, for `satsweep verify`."),
    ] = None,
    drup: Annotated[
        Path | None,
        typer.Option(metavar="DIRECTORY", help="Write the proof for DRUP checkers: a formula and its refutation."),
    ] = None,
    seconds: Annotated[
        float, options.seconds_option(f"Time limit; bounds may remain apart. Default: {SECONDS:g}.")
    ] = SECONDS,
    format: Annotated[str | None, format_option("clicks")] = None,
    json: options.Json = False,
    output: options.Output = None,
    files: GameFiles,
) -> None:
    """Find the fewest clicks that clear a layout, with a proof that no fewer do.

    A click digs a cell, sets a flag, or chords a number. The answer is a path, the clicks in order, and a lower bound:
    where both meet, the path is best. Interrupted, or when the time is up, the best path so far is printed with both
    bounds. With --animation the path is a moving picture, with --record a game. With --certify the lower bound is
    proved again, in a form that needs no trust; a line says if the proof would be too long.

    Exit codes: 0 proved, 2 usage, 3 bad input, 4 the time was up before or the proof is too long, 130 interrupted.
    """
    proof = "--certify" if certify is not None else "--drup"
    proves = (certify, drup) != (None, None)
    options.refuse(
        (anywhere and start is not None, "--anywhere", "expected no --start with it"),
        (anywhere and board is not None, "--anywhere", "expected no --board with it"),
        (proves and board is not None, proof, "expected no --board with it"),
        (proves and no_flags, proof, "expected no --no-flags with it"),
    )
    chosen = options.chosen_format(format, json)
    inputs = {"LAYOUT": layout, "--board": board}
    outputs = {"--output": output, "--certify": certify, "--drup": drup}
    check_outputs(outputs, inputs)
    files.check({**inputs, **outputs})
    given, position = _read(layout, board)
    name = display_name(layout)
    latest: list[FewestClicks] = []

    def finish() -> None:
        if latest:
            write(rendered("clicks", chosen, latest[0], name=name, width=width()), output)

    def finish_early() -> None:
        finish()
        note(f"interrupted: {'nothing found yet' if not latest else _state(latest[0])}")

    from satsweep.clicks.fewest import bounds

    starts = () if anywhere or position is not None else None
    cells = starts if start is None else [cell for place in start if (cell := options.to_cell(place)) is not None]
    with options.naming_options({"start": "--start"} if start else {}), exiting_on_interrupt(finish_early):
        with progress_bar() as bar:
            for found in bounds(given, cells, not no_flags, seconds, board=position, cores=drup is not None):
                latest[:] = [found]
                share = found.lower / found.upper if found.lower else found.swept
                swept = f", {found.swept:.0%} swept" if found.swept else ""
                bar.show(share, f"{_state(found)}{swept}", total=1)
        finish()
    if latest[0].path:
        files.write(latest[0].record())
    if proves:
        with exiting_on_interrupt():
            _write_proof(latest[0], certify, drup)
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


def _write_proof(found: FewestClicks, certificate: Path | None, directory: Path | None) -> None:
    """Write the proof of a lower bound, as a certificate and for DRUP checkers."""
    from satsweep.clicks.certify import certify_clicks, certify_sweep
    from satsweep.errors import BudgetExceeded
    from satsweep.formats.certificates import to_json
    from satsweep.proofs.clicks import dimacs

    if found.proved and found.cores is None and directory is None and certificate is not None:
        with suppress(BudgetExceeded):
            write([to_json(certify_sweep(found))], certificate)
            return
    try:
        proof = certify_clicks(found)
    except BudgetExceeded as error:
        fail(f"no proof was written: {error}", INCOMPLETE)
    if certificate is not None:
        write([to_json(proof)], certificate)
    if directory is not None:
        make_directory(directory)
        write(dimacs(proof), directory / "clicks.cnf")
        write([proof.refutation], directory / "clicks.drup")


def _state(found: FewestClicks) -> str:
    if found.proved:
        return counted(found.upper, "click")
    return f"{found.lower:,} to {counted(found.upper, 'click')}"
