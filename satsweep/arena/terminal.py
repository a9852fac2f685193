"""A report as text: tables that fit the width, plain or in colours.

The text is ASCII except for names, so every pipe and file can take it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import TYPE_CHECKING

from satsweep.arena.report import Report
from satsweep.arena.tables import Column, ReportTable, game_name, meanings, tables_of
from satsweep.text import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDTH = 120
MAX_FAILURES = 5
_WHOLE = 10_000
"""Width that every table fits."""


def to_text(report: Report, *, width: int | None = None, colour: bool = False) -> str:
    """Agents that are out, tables of a report, and its first failed games.

    Columns that do not fit the width are dropped.
    """
    console = _console(width or WIDTH, colour)
    for failure in report.out:
        said = f"{report.why_out(failure)}\n{textwrap.indent(failure.layout or '', '  ')}\n"
        console.print(said, style="red", soft_wrap=True)
    if report.plan.title:
        console.print(f"{report.plan.title}\n", style="bold")
    _print_all(console, tables_of(report))
    for line in _failures(report):
        console.print(line, style="red", soft_wrap=True)
    return _text(console)


def tables_text(tables: Iterable[ReportTable]) -> str:
    console = _console(_WHOLE, colour=False)
    _print_all(console, tables)
    return _text(console)


def _console(width: int, colour: bool) -> Console:
    """A console that keeps what it prints."""
    from rich.console import Console

    return Console(
        file=StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )


def _text(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines()) + "\n"


def _print_all(console: Console, tables: Iterable[ReportTable]) -> None:
    """Print tables; the meaning of a column stands under the first table that has it."""
    told: set[str] = set()
    for number, table in enumerate(tables):
        if number:
            console.print()
        shown = _print(console, table)
        if said := meanings(column for column in shown if column.meaning not in told):
            console.print(textwrap.fill(said, min(console.width, WIDTH)), style="dim", soft_wrap=True)
        told |= {column.meaning for column in shown}


def _print(console: Console, table: ReportTable) -> list[Column]:
    """Print a table; return its columns that fit."""
    console.print(table.title, style="dim" if table.reference else "bold cyan" if table.level == 2 else "cyan")
    gap, columns = _fitting(table.columns, console.width)
    console.print(_drawn(table, columns, gap), soft_wrap=False)
    if table.note:
        console.print(table.note, style="dim")
    return columns


def _fitting(columns: list[Column], width: int) -> tuple[int, list[Column]]:
    """The gap between columns, and the columns that fit a width."""
    for rank in range(max(column.drop_rank for column in columns), -1, -1):
        kept = [column for column in columns if column.drop_rank <= rank]
        room = width - sum(map(_width, kept))
        for gap in (2, 1):
            if room >= gap * (len(kept) - 1):
                return gap, kept
    return 1, kept


def _width(column: Column) -> int:
    needed = max(map(len, [*column.head.split("\n"), *column.cells]))
    return min(needed, 30) if column.head == "source" else needed


def _drawn(table: ReportTable, columns: list[Column], gap: int) -> Table:
    """The columns of a table as a table of rich."""
    from rich.box import Box
    from rich.table import Table
    from rich.text import Text

    # The only line is one of hyphens below the heads.
    box = Box("\n".join(["    ", "    ", " -- ", "    ", "    ", "    ", "    ", "    "]) + "\n", ascii=True)
    drawn = Table(
        box=box, show_edge=False, padding=(0, gap - 1, 0, 0), pad_edge=False, style="dim", header_style="bold",
    )  # fmt: skip
    for column in columns:
        wide = column.head == "source"
        drawn.add_column(
            Text(column.head), justify="left" if column.left else "right", no_wrap=not wide,
            vertical="top" if table.reference else "bottom",
            style="dim" if table.reference else "bold" if column.head == "agent" else "",
        )  # fmt: skip
    for row, (first, *others) in enumerate(zip(*(column.cells for column in columns), strict=True)):
        repeated = table.group_starts and row not in table.group_starts
        drawn.add_row(Text("" if repeated else first), *map(Text, others))
    return drawn


def _failures(report: Report) -> Iterator[str]:
    found, plan = report.failures, report.plan
    if not found:
        return
    yield f"\n{counted(len(found), 'game')} failed:"
    for failure in found[:MAX_FAILURES]:
        setting = plan.settings[failure.setting]
        game = game_name(plan, failure)
        yield f"\n  {plan.labels[failure.agent]}, {game} of {setting}, seed {plan.seed}:"
        yield f"  {failure.message}"
        yield textwrap.indent(failure.layout or "", "    ")
    if len(found) > MAX_FAILURES:
        yield f"\n  and {len(found) - MAX_FAILURES:,} more"
