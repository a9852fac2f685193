"""Other people's files: ``convert`` from any format to any other, and ``formats``, which lists them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satsweep.cli import options
from satsweep.cli.output import BAD_INPUT, check_writable, fail, named, write

if TYPE_CHECKING:
    from satsweep.formats import Format, Value

FIELDS = ("start", "mines", "density", "flags")
"""What can be left out; nothing that would make another board of it."""


def format_names(incomplete: str) -> list[str]:
    """The formats that a name may become, for completion."""
    from satsweep.formats import all_formats

    return [name for name in all_formats() if name.startswith(incomplete)]


def format_exists(name: str | None) -> str | None:
    """The name of a format. Raises BadParameter, which lists those there are, for a name that none has."""
    if name is not None and name not in (names := format_names("")):
        raise typer.BadParameter(f"expected a format among {', '.join(names)}, found {name!r}")
    return name


def convert(
    file: Annotated[str, typer.Argument(metavar="IN|-", help="A file, a link or an ID; - is standard input.")],
    output: Annotated[
        Path | None, typer.Argument(metavar="OUT|-", help="Where to. Default, and -: standard output.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            callback=format_exists,
            autocompletion=format_names,
            help="What to write; see `satsweep formats`. Default: what OUT ends to.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="NAME",
            callback=format_exists,
            autocompletion=format_names,
            help="What IN is, if not told.",
        ),
    ] = None,
    covered: Annotated[
        bool, typer.Option("--covered", help="Make of a layout the position in which every cell is covered.")
    ] = False,
    at: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Of a replay, the position then. Default: the last one.")
    ] = None,
    mines: Annotated[int | None, typer.Option(metavar="N", help="The mine total, instead of what IN says.")] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            callback=options.each_in(FIELDS),
            help=f"Leave out what the format cannot hold: {', '.join(FIELDS)}.",
        ),
    ] = None,
) -> None:
    """Write a board, a layout or rules in another format.

    What IN is, its content tells. A format that cannot hold all that IN says is refused, unless the rest is left out
    by name.

    Exit codes: 0 done, 2 usage, 3 bad input, or what IN holds cannot be written in that format.
    """
    from satsweep.errors import BoardError
    from satsweep.formats import format_named

    target = None if output is None or str(output) == "-" else output
    check_writable(target)
    if file == "-" and sys.stdin is None:
        fail("<stdin>: expected a file, found it closed", BAD_INPUT)
    name = format or told_by(target)
    form = format_named(name)
    try:
        value = _read(file, source, form, at)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    try:
        content = form.write(_prepared(value, form, covered=covered, mines=mines, without=without or []))
    except BoardError as error:
        fail(f"{named(file)}: cannot be written as {name}: {error.message}", BAD_INPUT)
    if isinstance(content, str):
        write([content], target)
    else:
        write_bytes(content, target)


def formats() -> None:
    """List the formats: what each holds, and whether it can be read and written."""
    from satsweep.formats import all_formats

    for name, form in all_formats().items():
        kinds = (("board", form.boards), ("layout", form.layouts), ("rules", form.statements is not None))
        held = " ".join(kind for kind, there in kinds if there)
        how = "read and write" if form.writer is not None else "read only"
        typer.echo(f"{name:<17} {held:<13} {how:<15} {', '.join(form.suffixes)}".rstrip())
        typer.echo(f"{'':<17} {form.summary}")


def told_by(output: Path | None) -> str:
    """The format that the name of a file asks for."""
    from satsweep.formats import all_formats

    for name, form in all_formats().items():
        if output is not None and output.suffix.lower() in form.suffixes and form.writer is not None:
            return name
    raise typer.BadParameter("expected --format, or a file whose name ends as files of a format do")


def _read(file: str, source: str | None, form: Format[Any], at: float | None) -> Value:
    """What a file holds, of the kind that can be written where it holds several."""
    from satsweep.formats import read, read_replay

    if at is not None:
        return read_replay(file, format=source).at(at)
    return read(file, format=source, layout=form.layouts and not form.boards)


def _prepared(value: Value, form: Format[Any], *, covered: bool, mines: int | None, without: list[str]) -> Value:
    """The value without what is to be left out, and as a position if that is asked for."""
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
            value = replace(value, mines=mines)
    return value


def write_bytes(content: bytes, output: Path | None) -> None:
    """Write to a file, or to standard output where there is none."""
    try:
        if output is not None:
            output.write_bytes(content)
        elif sys.stdout is None:
            raise OSError("standard output is closed")
        else:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
    except OSError as error:
        fail(f"{output or '<stdout>'}: cannot write: {error.strerror or error}", BAD_INPUT)
