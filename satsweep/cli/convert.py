"""Command ``convert``: boards, layouts and rules in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, fail
from satsweep.cli.output import check_outputs, check_readable, display_name, write

if TYPE_CHECKING:
    from satsweep.formats import FileContent, Format, Value
    from satsweep.games.record import Record
    from satsweep.layout import Layout

FIELDS = ("start", "mines", "density", "flags")
"""Fields that can be left out without making another board."""
PARTS = ("moves", "board", "layout", "id", "comment")
"""Parts of a file that can be left out, as ``satsweep.formats.format`` names them."""


def convert(
    file: Annotated[str, typer.Argument(metavar="IN|-", help="A file, a link or an ID; - is standard input.")],
    output: Annotated[
        Path | None, typer.Argument(metavar="OUT|-", help="Output file. Default, and -: standard output.")
    ] = None,
    format: Annotated[
        str | None,
        options.name_option(
            "a format",
            options.format_names,
            "Output format; see `satsweep formats`. Default: by the end of OUT.",
            "--format",
            "--to",
        ),
    ] = None,
    json: options.Json = False,
    source: Annotated[
        str | None,
        options.name_option("a format", options.format_names, "Input format. Default: by the content.", "--from"),
    ] = None,
    covered: Annotated[
        bool, typer.Option("--covered", help="Write a layout as the position with every cell covered, without a start.")
    ] = False,
    at: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Write the position of a replay at this time.")
    ] = None,
    mines: options.MineTotal = None,
    part: options.Part = None,
    without: Annotated[list[str] | None, options.without_option((*FIELDS, *PARTS))] = None,
) -> None:
    """Write a board, a layout, rules or a game in another format.

    The format of IN is recognised by its content. The command refuses a format that cannot hold all of IN, unless
    --without names the rest: a field, or a part such as the moves of a game, of which the layout is left then. An
    option that would make no difference is refused, too.

    Exit codes: 0 done, 2 usage, 3 bad input, or the content of IN cannot be written in that format.
    """
    from satsweep.errors import BoardError
    from satsweep.formats import format_named, read_replay

    gone = set(without or ())
    options.refuse(
        (at is not None and not gone.isdisjoint(PARTS), "--at", "expected no part to leave out with it"),
        (mines is not None and not gone.isdisjoint(("mines", "density")), "--mines", "expected no --without for it"),
    )
    target = None if output is None or str(output) == "-" else output
    check_outputs({"OUT": target}, {"IN": file})
    check_readable(file, "a file")
    name = options.chosen_format(format, json) if format or json else options.format_of_suffix(target)
    form = format_named(name)
    try:
        with options.reading_part(part):
            if at is not None:
                value: Value | Record = read_replay(file, format=source).at(at)
            else:
                value = _read(file, source, form, gone, layout=covered or (form.layouts and not form.boards))
        value = options.as_part(value, part)
        content = form.write(_prepared(value, form, covered=covered, mines=mines, fields=gone.intersection(FIELDS)))
    except BoardError as error:
        if error.file is not None:
            raise
        fail(f"{display_name(file)}: cannot be written as {name}: {error.message}", BAD_INPUT)
    write([content], target)


def _read(file: str, source: str | None, form: Format[Any], without: set[str], *, layout: bool) -> Value | Record:
    """Read a file; of several values in it the one that stays without some, or a game.

    Raises BoardError if there is anything else in it that would be lost.
    """
    from satsweep.board import Board
    from satsweep.errors import BoardError
    from satsweep.formats import FileContent
    from satsweep.games.record import Record

    found = FileContent.of(file, format=source)
    parts, gone = found.parts, without & set(PARTS)
    if "moves" in parts and "moves" in gone and found.form.boards:
        parts |= {"layout"}  # or the position at the end, without it
    if unknown := sorted(gone - parts):
        raise options.wrong("--without", f"expected a part of the input, found {unknown[0]!r}, which it does not have")
    if gone >= {"board", "layout"}:
        raise options.wrong("--without", "expected something that is left, found nothing")
    value: Value | Record
    if "moves" in parts - gone and "Record" not in form.writes:
        position = ", and --without layout with it the position at the end" if found.form.boards else ""
        raise BoardError(f"expected no game, found one: --without moves leaves its layout{position}")
    if "moves" in parts - gone:
        value = found.read_as(Record)
    elif "moves" in parts or {"board", "layout"} <= parts:
        if "moves" not in parts and not gone & {"board", "layout"}:
            raise BoardError("expected a board or a layout, found both: --without board or --without layout leaves one")
        value = found.read_as(Board) if "layout" in gone else _layout_in(found)
    else:
        value = found.read(layout=layout)
    for part in ("id", "comment"):
        if part in parts - gone:
            raise BoardError(f"expected no {part}, found one: --without {part} leaves it out")
    return value


def _layout_in(found: FileContent) -> Layout:
    """The layout of a file, or that of its game: a record has no other."""
    from satsweep.errors import BoardError
    from satsweep.games.record import Record
    from satsweep.layout import Layout

    try:
        return found.read_as(Layout)
    except BoardError as error:
        if "moves" not in found.parts:
            raise
        wrong = error
    try:
        return found.read_as(Record).layout
    except BoardError:
        raise wrong from None


def _prepared(
    value: Value | Record, form: Format[Any], *, covered: bool, mines: int | None, fields: set[str]
) -> Value | Record:
    """Value without the fields to leave out; with ``covered`` a layout as a position.

    Raises BadParameter for an option that makes no difference to such a value.
    """
    from dataclasses import replace

    from satsweep.board import Board
    from satsweep.errors import BoardError
    from satsweep.formats.format import CONTENT_KINDS
    from satsweep.layout import Layout

    words = CONTENT_KINDS[type(value).__name__].words
    if covered and not isinstance(value, Layout):
        raise options.wrong("--covered", f"expected a layout with it, found {words}")
    if isinstance(value, Layout):
        if covered:
            value = value.board(())
        elif form.boards and not form.layouts:
            raise BoardError("expected a board, found a layout: --covered makes a board of it, with every cell covered")
    if mines is not None:
        if not isinstance(value, Board):
            raise options.wrong("--mines", f"expected a board with it, found {words}")
        with options.naming_options({"mines": "--mines"}):
            value = replace(replace(value, density=None), mines=mines)
    for field in sorted(fields):
        before = value
        if isinstance(value, Board) and field == "flags":
            value = value.without_flags()
        elif isinstance(value, Board) and field == "mines":
            value = replace(value, mines=None)
        elif isinstance(value, Board) and field == "density":
            value = replace(value, density=None)
        elif isinstance(value, Layout) and field == "start":
            value = replace(value, start=None)
        if value == before:
            raise options.wrong("--without", f"expected a field of the input, found {field!r}, which it does not have")
    return value
