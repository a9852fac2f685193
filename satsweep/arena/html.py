"""A report as a self-contained HTML page: facts, figures, tables, failed games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from io import BytesIO

from satsweep.arena.canvas import write
from satsweep.arena.plan import Figure
from satsweep.arena.plot import figure, suggested
from satsweep.arena.report import Report
from satsweep.arena.tables import Column, ReportTable, game_name, note_of, tables_of
from satsweep.text import counted

MAX_FAILURES = 100
MAX_PAIRS = 15
"""Tables of more comparisons are folded."""

STYLE = """\
:root { color-scheme: light dark; --ink: #1a1a1a; --soft: #5c5c5c; --line: #d5d5d5; --paper: #ffffff; --tint: #f3f5f7 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --soft: #a6a6a6; --line: #444444; --paper: #191a1c; --tint: #232528 }
  figure svg { filter: invert(0.9) hue-rotate(180deg) }
}
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0 }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.5rem }
h3 { font-size: 1rem; margin: 1.5rem 0 0.4rem }
summary h3 { display: inline-block; margin: 0.6rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.2rem; margin: 1rem 0 }
dt, .note, .reference { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
.note { font-size: 0.875rem; margin: 0.4rem 0 }
figure { margin: 1.5rem 0; overflow-x: auto }
figure svg { max-width: 100%; height: auto }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums }
th, td { padding: 0.3rem 0.7rem; text-align: right; white-space: nowrap }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; font-weight: 600; white-space: pre }
tbody tr:hover { background: var(--tint) }
tbody th[rowspan] { vertical-align: top; background: var(--paper) }
tbody tr.start > * { border-top: 1px solid var(--line) }
.left { text-align: left }
.source { white-space: normal; min-width: 16rem }
tbody th { font-weight: 600 }
.reference tbody th { font-weight: 400; font-style: italic }
pre { background: var(--tint); padding: 0.7rem; overflow-x: auto; line-height: 1.2 }
code { font-size: 0.9em }
"""


def page(report: Report, command: str = "") -> str:
    """The page; ``command`` is the command line that made the report.

    Raises SatsweepError without matplotlib.
    """
    return "".join(_page(report, command))


def _page(report: Report, command: str) -> Iterator[str]:
    plan = report.plan
    title = plan.title or plan.name or f"{', '.join(plan.labels)} on the same boards"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    yield f"<h1>{escape(title)}</h1>\n"
    yield from _facts(report, command)
    yield from _figures(report)
    for table in tables_of(report, brief=False):
        yield from table_html(table, note_of(plan))
    yield f'<p class="note">{escape(note_of(plan))} Games that failed count as not won, and nowhere else.</p>\n'
    yield from _failures(report)
    yield "</main>\n</body>\n</html>\n"


def _facts(report: Report, command: str) -> Iterator[str]:
    plan = report.plan
    limits = [
        "" if plan.games is None else f"{counted(plan.games, 'game')} in each setting",
        "" if plan.seconds is None else f"as many as {plan.seconds:g} seconds allow",
        "" if plan.until is None else f"until every win rate is within {plan.until:g} points",
        "" if plan.sprt is None else f"until a sequential test of {plan.sprt.h0:g},{plan.sprt.h1:g} points decides",
    ]
    failed = sum(summary.failed for summary in report.summaries)
    facts = {
        "Plan": plan.name,
        "Source": plan.source,
        "Agents": ", ".join(plan.labels),
        "Settings": f"{len(plan.settings):,}",
        "Games": f"{sum(summary.games for summary in report.summaries):,} played"
        + (f", {failed:,} failed" if failed else ""),
        "Plays": f"{plan.plays:,} of each layout" if plan.plays > 1 else "",
        "Wanted": "; ".join(filter(None, limits)),
        "Seed": plan.seed,
        "Versions": ", ".join(f"{name} {version}" for name, version in report.versions.items()),
    }
    yield "<dl>\n"
    for name, value in facts.items():
        if value:
            yield f"<dt>{name}</dt><dd>{escape(value)}</dd>\n"
    if command:
        yield f"<dt>Command</dt><dd><code>{escape(command)}</code></dd>\n"
    yield "</dl>\n"


def _figures(report: Report) -> Iterator[str]:
    """The figure of the plan, and one of games won unless it is the same."""
    if not report.summaries:
        return
    shown = report.plan.figure or suggested(report)
    wanted = [shown] if shown.measure == "won" else [shown, Figure("won", shown.against)]
    for number, axes in enumerate(wanted, 1):
        yield f"<figure>\n{_inline_svg(report, axes, number)}</figure>\n"


def _inline_svg(report: Report, shown: Figure, number: int) -> str:
    """A figure as an element of the page, without a background.

    Its ids begin with its number, so those of several figures differ.
    """
    file = BytesIO()
    drawing = figure(report, shown)
    drawing.patch.set_visible(False)
    for axes in drawing.axes:
        axes.patch.set_visible(False)
    write(drawing, file, "svg")
    text = file.getvalue().decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="figure{number}-', text)
    text = re.sub(r'(href="|url\()#', rf"\1#figure{number}-", text)
    label = f"The numbers of this figure are in the tables below: {shown.measure}"
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def table_html(table: ReportTable, common_note: str) -> Iterator[str]:
    """A table, with its note unless it is the one that all tables share."""
    title = escape(table.title)
    kind = ' class="reference"' if table.reference else ""
    folded = table.level > 2 and len(table.columns[0].cells) > MAX_PAIRS
    yield "<details>\n<summary>" if folded else ""
    yield f"<h{table.level}>{title}</h{table.level}>"
    yield "</summary>\n" if folded else "\n"
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{title}">\n'
    yield f"<table{kind}>\n<thead><tr>"
    for column in table.columns:
        yield f'<th scope="col"{_class(column)}>{escape(column.head)}</th>'
    yield "</tr></thead>\n<tbody>\n"
    for row, cells in enumerate(zip(*(column.cells for column in table.columns), strict=True)):
        yield from _row(table, row, cells)
    yield "</tbody>\n</table>\n</div>\n"
    if table.note and table.note != common_note:
        yield f'<p class="note">{escape(table.note)}</p>\n'
    yield "</details>\n" if folded else ""


def _row(table: ReportTable, row: int, cells: tuple[str, ...]) -> Iterator[str]:
    """A row; the first cell of a group of rows spans the group."""
    yield '<tr class="start">' if row in table.group_starts else "<tr>"
    for index, (column, cell) in enumerate(zip(table.columns, cells, strict=True)):
        text = f"{_class(column)}>{escape(cell)}"
        if table.group_starts and not index:
            if row in table.group_starts:
                end = next((start for start in table.group_starts if start > row), len(column.cells))
                yield f'<th scope="rowgroup" rowspan="{end - row}"{text}</th>'
        elif index == bool(table.group_starts):
            yield f'<th scope="row"{text}</th>'
        else:
            yield f"<td{text}</td>"
    yield "</tr>\n"


def _class(column: Column) -> str:
    if column.head == "source":
        return ' class="left source"'
    return ' class="left"' if column.left else ""


def _failures(report: Report) -> Iterator[str]:
    if not report.failures:
        return
    plan = report.plan
    yield f"<h2>Games that failed ({len(report.failures):,})</h2>\n"
    for failure in report.failures[:MAX_FAILURES]:
        setting = escape(str(plan.settings[failure.setting]))
        agent = escape(plan.labels[failure.agent])
        yield f"<h3>{agent}, {game_name(plan, failure)} of {setting}</h3>\n<p>{escape(failure.message or '')}</p>\n"
        if failure.layout is not None:
            yield f"<pre>{escape(failure.layout)}</pre>\n"
    if len(report.failures) > MAX_FAILURES:
        yield f'<p class="note">and {len(report.failures) - MAX_FAILURES:,} more</p>\n'
