"""Command ``corpus``: make tables of boards and positions with proofs, check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, INTERRUPTED, NO, fail, note
from satsweep.cli.output import progress_bar, write
from satsweep.cli.renderers import format_option, rendered
from satsweep.text import counted, printable

if TYPE_CHECKING:
    from satsweep.errors import BoardError

DEFAULT_COUNT = 200
"""Rows of each table if no number is given."""
MOST_FAULTS = 20
"""Most faults of a table, or rows that cannot be read, that are printed."""


def corpus(
    action: Annotated[Literal["make", "check"], typer.Argument(help="Make tables, or check them.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the tables, a JSONL file each.")],
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this table: boards, positions, puzzles or guesses; repeatable."),
    ] = None,
    count: Annotated[
        int | None, typer.Option(metavar="N", min=1, help=f"Rows of each table that is made. Default: {DEFAULT_COUNT}.")
    ] = None,
    seed: options.FixedSeed = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write each table as Parquet, too.")] = False,
    jobs: options.Jobs = None,
) -> None:
    """Make a corpus with proofs, or check one.

    The rows depend on the seed and on the number of rows alone, byte for byte, not on the number of processes. A run
    that was interrupted goes on where it stopped. To check a corpus, every proof is verified by a checker that trusts
    no solver, and every figure found again by a second engine; tables that the folder does not have are named.

    Exit codes: 0 done, or all rows are right, 1 a row is wrong, 2 usage, 3 bad input, 130 interrupted.
    """
    from satsweep.learn.corpus.tables import TABLES

    options.refuse(
        (action == "check" and count is not None, "--count", "expected it with make only"),
        (action == "check" and seed is not None, "--seed", "expected it with make only"),
        (action == "check" and parquet, "--parquet", "expected it with make only"),
    )
    for name in table or ():
        if name not in TABLES:
            raise options.wrong("--table", f"expected a table among {', '.join(TABLES)}, found {name!r}")
    if action == "make":
        _make(folder, tuple(table or TABLES), count or DEFAULT_COUNT, seed or "0", parquet, jobs)
    elif not all([_check(folder, name, jobs) for name in table or _tables_in(folder)]):
        raise typer.Exit(NO)


def _tables_in(folder: Path) -> list[str]:
    """Names of the tables that a folder has; says which are absent. Exits without any."""
    from satsweep.learn.corpus.tables import TABLES

    there = [name for name in TABLES if (folder / f"{name}.jsonl").exists()]
    if not there:
        files = ", ".join(f"{name}.jsonl" for name in TABLES)
        fail(f"{folder}: expected a folder with one of {files}, found none", BAD_INPUT)
    for name in TABLES:
        if name not in there:
            write([f"{name}: absent\n"], None)
    return there


def _make(folder: Path, tables: tuple[str, ...], count: int, seed: str, parquet: bool, jobs: int | None) -> None:
    from satsweep.learn.corpus.maker import make
    from satsweep.learn.corpus.tables import write_parquet

    for table in tables:
        done = 0
        try:
            with progress_bar(count, table) as bar:
                for done, _ in enumerate(make(folder, table, count, seed, jobs=jobs), 1):
                    bar.show(done, f"{table}: {done:,} of {counted(count, 'row')}")
        except KeyboardInterrupt:
            fail(f"interrupted after {done:,} of {counted(count, 'row')} of {table}; the next run goes on", INTERRUPTED)
        written = [folder / f"{table}.jsonl"] + ([write_parquet(folder, table)] if parquet else [])
        write([f"{table}: {counted(done, 'row')} in {' and '.join(map(str, written))}\n"], None)


def _check(folder: Path, table: str, jobs: int | None) -> bool:
    from satsweep.learn.corpus.checker import check

    rows = wrong = 0
    try:
        with progress_bar(text=table) as bar:
            for _, faults in check(folder, table, jobs=jobs):
                rows += 1
                wrong += bool(faults)
                bar.show(rows, f"{table}: {counted(rows, 'row')}")
                for fault in faults if wrong <= MOST_FAULTS else ():
                    with bar.hidden():
                        note(printable(f"{folder / table}.jsonl, {fault}"))
    except KeyboardInterrupt:
        fail(f"interrupted after {counted(rows, 'row')} of {table}, {wrong:,} of them wrong", INTERRUPTED)
    write([f"{table}: {counted(rows, 'row')}, {f'{wrong:,} wrong' if wrong else 'all right'}\n"], None)
    return not wrong


def audit_keys(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Rows with positions and keys: JSONL or Parquet.")],
    board: Annotated[str | None, typer.Option(metavar="FIELD", help="Field of the position. Default: board.")] = None,
    key: Annotated[
        str | None, typer.Option(metavar="FIELD", help="Field of the key, a list of cells. Default: mined, or safe.")
    ] = None,
    mines: Annotated[str | None, typer.Option(metavar="FIELD", help="Field of the mine total. Default: none.")] = None,
    safe: Annotated[bool, typer.Option("--safe", help="The keys name safe cells, not mines.")] = False,
    format: Annotated[str | None, format_option("audit of keys")] = None,
    json: options.Json = False,
) -> None:
    """Audit the answer keys of a data set: do they name exactly the cells that follow?

    Every position is analysed as it is asked, and its key compared with all forced cells. A key that lacks some marks
    a reader wrong who finds them. Rows of Enigmata and SynLogic are read as they are; for others the options name the
    fields, with dots for fields of fields. One example of each fault is explained. A row that cannot be read is
    reported with its line, and the audit goes on.

    Exit codes: 0 all keys are right, 1 some are not, 2 usage, 3 bad input in any row, 130 interrupted.
    """
    from satsweep.learn.corpus.keys import KeyAudit, audit_key, keyed_rows

    chosen = options.chosen_format(format, json)
    report = KeyAudit()
    interrupted = False
    try:
        with progress_bar(text=Path(file).name) as bar:

            def refused(error: BoardError) -> None:
                report.refused += 1
                if report.refused <= MOST_FAULTS:
                    with bar.hidden():
                        note(printable(str(error)))

            for line, position in keyed_rows(file, board=board, key=key, mines=mines, safe=safe, refused=refused):
                report.add(line, position, audit_key(position))
                bar.show(report.rows, counted(report.rows, "row"))
    except KeyboardInterrupt:
        interrupted = True
    write(rendered("audit of keys", chosen, report), None)
    if interrupted:
        fail(f"interrupted after {counted(report.rows, 'row')}", INTERRUPTED)
    if report.refused:
        fail(f"{file}: {counted(report.refused, 'row')} could not be read", BAD_INPUT)
    if report.verdicts["right"] < report.rows:
        raise typer.Exit(NO)
