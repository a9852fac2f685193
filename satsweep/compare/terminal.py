"""A report as text: tables that fit the width there is, plain or in the colours of the terminal.

Nothing but names is beyond ASCII, so that it can go through every pipe and into every file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING

from satsweep.compare.report import Report
from satsweep.compare.tables import Column, ReportTable, tables_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDTH = 120
MOST_FAILURES = 5


def to_text(report: Report, *, width: int | None = None, colour: bool = False) -> str:
    """The tables of a report, without columns that there is no room for, and the first of the games that failed."""
    from rich.console import Console

    text = StringIO()
    console = Console(
        file=text,
        width=width or WIDTH,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    if report.plan.title:
        console.print(f"{report.plan.title}\n", style="bold")
    for at, sheet in enumerate(tables_of(report)):
        if at:
            console.print()
        _print(console, sheet)
    for line in _failures(report):
        console.print(line, style="red", soft_wrap=True)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def _print(console: Console, sheet: ReportTable) -> None:
    console.print(sheet.title, style="dim" if sheet.reference else "bold cyan" if sheet.level == 2 else "cyan")
    gap, columns = _fitting(sheet.columns, console.width)
    console.print(_table(sheet, columns, gap), soft_wrap=False)
    if sheet.note:
        console.print(sheet.note, style="dim")


def _fitting(columns: list[Column], width: int) -> tuple[int, list[Column]]:
    """The gap between columns, and those that there is room for."""
    for spare in range(max(column.spare for column in columns), -1, -1):
        kept = [column for column in columns if column.spare <= spare]
        room = width - sum(map(_width, kept))
        for gap in (2, 1):
            if room >= gap * (len(kept) - 1):
                return gap, kept
    return 1, kept


def _width(column: Column) -> int:
    """What a column needs; sources can be wrapped."""
    needed = max(map(len, [*column.head.split("\n"), *column.cells]))
    return min(needed, 30) if column.head == "source" else needed


def _table(sheet: ReportTable, columns: list[Column], gap: int) -> Table:
    from rich.box import Box
    from rich.table import Table
    from rich.text import Text

    # Nothing but a line of hyphens below the heads.
    box = Box("\n".join(["    ", "    ", " -- ", "    ", "    ", "    ", "    ", "    "]) + "\n", ascii=True)
    table = Table(
        box=box, show_edge=False, padding=(0, gap - 1, 0, 0), pad_edge=False, style="dim", header_style="bold",
    )  # fmt: skip
    for column in columns:
        wide = column.head == "source"
        table.add_column(
            Text(column.head), justify="left" if column.left else "right", no_wrap=not wide,
            vertical="top" if sheet.reference else "bottom",
            style="dim" if sheet.reference else "bold" if column.head == "agent" else "",
        )  # fmt: skip
    for at, (first, *others) in enumerate(zip(*(column.cells for column in columns), strict=True)):
        again = sheet.starts and at not in sheet.starts
        table.add_row(Text("" if again else first), *map(Text, others))
    return table


def _failures(report: Report) -> Iterator[str]:
    found, plan = report.failures, report.plan
    if not found:
        return
    yield f"\n{len(found):,} game{'s' * (len(found) != 1)} failed:"
    for failure in found[:MOST_FAILURES]:
        setting = plan.settings[failure.setting]
        yield f"\n  {plan.labels[failure.agent]}, game {failure.game} of {setting}:\n  {failure.message}"
        yield textwrap.indent(failure.layout or "", "    ")
    if len(found) > MOST_FAILURES:
        yield f"\n  and {len(found) - MOST_FAILURES:,} more"
