"""Command ``static``: the page as a folder for any web host."""

from pathlib import Path
from typing import Annotated

import typer

from satsweep.cli.output import BAD_INPUT, fail, fail_to_write


def static(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="Where the folder is written.")],
    wheels: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder with the pieces of others: Pyodide from npm, and wheels. Without it npm and pip load them.",
        ),
    ] = None,
) -> None:
    """Write the page as a folder that needs no server: Python runs in the browser.

    Any web host can serve it, or `python -m http.server`. It keeps working without a network once it was opened. Every
    file is the same each time the folder is written. A folder of an earlier build is replaced as a whole; one with
    other files is refused. The agent `deep` is left to `satsweep serve`.

    Exit codes: 0 written, 2 usage, 3 a piece cannot be loaded, or the folder cannot be written, 130 interrupted.
    """
    from satsweep.errors import SatsweepError
    from satsweep.offline.build import build, check_own, write
    from satsweep.offline.pieces import gathered

    if Path.cwd().is_relative_to(directory.resolve()):
        raise typer.BadParameter("expected another folder than the current one, which is replaced as a whole")
    try:
        check_own(directory)
        found = build(gathered(wheels))
    except SatsweepError as error:
        fail(str(error), BAD_INPUT)
    try:
        write(found, directory)
    except OSError as error:
        fail_to_write(directory, error)
    size = sum(map(len, found.values()))
    typer.echo(
        f"{directory}: {len(found)} files, {size / 1e6:.1f} MB; `python -m http.server -d {directory}` serves it"
    )
