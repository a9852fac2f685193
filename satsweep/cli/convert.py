"""Command ``convert``: boards, layouts and rules in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, fail
from satsweep.cli.output import check_outputs, check_readable, display_name, write

if TYPE_CHECKING:
    from satsweep.formats import Format, Value

FIELDS = ("start", "mines", "density", "flags")
"""Fields that can be left out without making another board."""


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
        bool, typer.Option("--covered", help="Write a layout as the position with every cell covered.")
    ] = False,
    at: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time of the position in a replay. Default: the last one.")
    ] = None,
    mines: options.MineTotal = None,
    part: options.Part = None,
    without: Annotated[list[str] | None, options.without_option(FIELDS)] = None,
) -> None:
    """Write a board, a layout or rules in another format.

    The format of IN is recognised by its content. The command refuses a format that cannot hold all of IN, unless
    --without names the rest.

    Exit codes: 0 done, 2 usage, 3 bad input, or the content of IN cannot be written in that format.
    """
    from satsweep.errors import BoardError
    from satsweep.formats import format_named

    target = None if output is None or str(output) == "-" else output
    check_outputs({"OUT": target}, {"IN": file})
    check_readable(file, "a file")
    name = options.chosen_format(format, json) if format or json else options.format_of_suffix(target)
    form = format_named(name)
    value = options.read_as_part(lambda name: _read(name, source, form, at), file, part)
    try:
        content = form.write(_prepared(value, form, covered=covered, mines=mines, without=without or []))
    except BoardError as error:
        fail(f"{display_name(file)}: cannot be written as {name}: {error.message}", BAD_INPUT)
    write([content], target)


def _read(file: str, source: str | None, form: Format[Any], at: float | None) -> Value:
    """Read a file; of several values in it, one that the output format can hold."""
    from satsweep.formats import read, read_replay

    if at is not None:
        return read_replay(file, format=source).at(at)
    return read(file, format=source, layout=form.layouts and not form.boards)


def _prepared(value: Value, form: Format[Any], *, covered: bool, mines: int | None, without: list[str]) -> Value:
    """Value without the fields to leave out; with ``covered`` a layout as a position."""
    from dataclasses import replace

    from satsweep.board import Board
    from satsweep.errors import BoardError
    from satsweep.layout import Layout

    if isinstance(value, Layout):
        if covered:
            value = value.board(())
        elif form.boards and not form.layouts:
            raise BoardError("expected a board, found a layout: --covered makes a board of it, with every cell covered")
        elif "start" in without:
            value = replace(value, start=None)
    if isinstance(value, Board):
        if "flags" in without:
            value = value.without_flags()
        if "mines" in without or mines is not None:
            value = replace(value, mines=None)
        if "density" in without or mines is not None:
            value = replace(value, density=None)
        if mines is not None:
            with options.naming_options({"mines": "--mines"}):
                value = replace(value, mines=mines)
    return value
