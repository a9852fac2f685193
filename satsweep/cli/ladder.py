"""Command ``ladder``: engines ranked on each board, as a page."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.output import check_outputs, is_terminal, write
from satsweep.cli.results import failing_on_errors, store_files


def ladder(
    directory: Annotated[str, typer.Argument(metavar="DIRECTORY", help="Stores of `compare --store`, all of them.")],
    output: options.Output = None,
    format: Annotated[
        Literal["html", "text", "json"] | None,
        typer.Option(help="Output format; for json see `satsweep schema ladder`. Default: html; text on a terminal."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Rank the engines of all stores in a directory: one self-contained HTML page.

    Each board has the engines by win rate, with paired differences on the same layouts, speed, calibration of stated
    risks, wrong claims, and the command that plays the same layouts again.

    Exit codes: 0 done, 2 usage, 3 bad input, or the output cannot be written.
    """
    default = "text" if output is None and is_terminal(sys.stdout) else "html"
    shown = options.chosen_format(format or (None if json else default), json)
    folder = Path(directory)
    stores = [file for path in folder.glob("*") for file in store_files(path)] if folder.is_dir() else []
    check_outputs({"--output": output}, {"DIRECTORY": [file for file in stores if Path(file).suffix != ".html"]})
    with failing_on_errors():
        from satsweep.arena.ladder import ladder_values, read_ladder
        from satsweep.arena.pages import ladder_page, ladder_text

        sections = read_ladder(folder)
    if shown == "json":
        from json import dumps

        write([dumps(ladder_values(sections), indent=2, ensure_ascii=False) + "\n"], output)
    else:
        write([ladder_page(sections) if shown == "html" else ladder_text(sections)], output)
