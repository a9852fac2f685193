"""A report as one HTML page that needs nothing else: what was run, figures, tables, and the games that failed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from io import BytesIO

from satsweep.compare.canvas import write
from satsweep.compare.plan import Figure
from satsweep.compare.plot import figure, suggested
from satsweep.compare.report import Report
from satsweep.compare.tables import NOTE, Column, ReportTable, tables_of

MOST_FAILURES = 100
MOST_PAIRS = 15
"""More comparisons than this are folded away."""

_STYLE = """\
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
    """The page; ``command`` is what the report was made with. Raises SatsweepError without matplotlib."""
    return "".join(_page(report, command))


def _page(report: Report, command: str) -> Iterator[str]:
    plan = report.plan
    title = plan.title or plan.name or f"{', '.join(plan.labels)} on the same boards"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<main>\n"
    yield f"<h1>{escape(title)}</h1>\n"
    yield from _facts(report, command)
    yield from _figures(report)
    for sheet in tables_of(report, brief=False):
        yield from _table(sheet)
    yield f'<p class="note">{escape(NOTE)} Games that failed count as not won, and nowhere else.</p>\n'
    yield from _failures(report)
    yield "</main>\n</body>\n</html>\n"


def _facts(report: Report, command: str) -> Iterator[str]:
    plan = report.plan
    limits = [
        "" if plan.games is None else f"{plan.games:,} games in each setting",
        "" if plan.seconds is None else f"as many as {plan.seconds:g} seconds allow",
        "" if plan.until is None else f"until every win rate is within {plan.until:g} points",
    ]
    failed = sum(standing.failed for standing in report.rows)
    facts = {
        "Plan": plan.name,
        "Source": plan.source,
        "Agents": ", ".join(plan.labels),
        "Settings": f"{len(plan.settings):,}",
        "Games": f"{sum(standing.games for standing in report.rows):,} played"
        + (f", {failed:,} failed" if failed else ""),
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
    """What the plan is about, and the games won if that is something else."""
    if not report.rows:
        return
    shown = report.plan.figure or suggested(report)
    wanted = [shown] if shown.measure == "won" else [shown, Figure("won", shown.against)]
    for number, one in enumerate(wanted, 1):
        yield f"<figure>\n{_inline(report, one, number)}</figure>\n"


def _inline(report: Report, shown: Figure, number: int) -> str:
    """A figure as an element of the page, its names apart from those of others, without a background."""
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


def _table(sheet: ReportTable) -> Iterator[str]:
    title = escape(sheet.title)
    kind = ' class="reference"' if sheet.reference else ""
    folded = sheet.level > 2 and len(sheet.columns[0].cells) > MOST_PAIRS
    yield "<details>\n<summary>" if folded else ""
    yield f"<h{sheet.level}>{title}</h{sheet.level}>"
    yield "</summary>\n" if folded else "\n"
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{title}">\n'
    yield f"<table{kind}>\n<thead><tr>"
    for column in sheet.columns:
        yield f'<th scope="col"{_class(column)}>{escape(column.head)}</th>'
    yield "</tr></thead>\n<tbody>\n"
    for at, cells in enumerate(zip(*(column.cells for column in sheet.columns), strict=True)):
        yield from _row(sheet, at, cells)
    yield "</tbody>\n</table>\n</div>\n"
    if sheet.note and sheet.note != NOTE:
        yield f'<p class="note">{escape(sheet.note)}</p>\n'
    yield "</details>\n" if folded else ""


def _row(sheet: ReportTable, at: int, cells: tuple[str, ...]) -> Iterator[str]:
    """A row; a first cell that stays the same for several rows spans them."""
    yield '<tr class="start">' if at in sheet.starts else "<tr>"
    for place, (column, cell) in enumerate(zip(sheet.columns, cells, strict=True)):
        text = f"{_class(column)}>{escape(cell)}"
        if sheet.starts and not place:
            if at in sheet.starts:
                end = next((start for start in sheet.starts if start > at), len(column.cells))
                yield f'<th scope="rowgroup" rowspan="{end - at}"{text}</th>'
        elif place == bool(sheet.starts):
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
    for failure in report.failures[:MOST_FAILURES]:
        setting = escape(str(plan.settings[failure.setting]))
        agent = escape(plan.labels[failure.agent])
        yield f"<h3>{agent}, game {failure.game:,} of {setting}</h3>\n<p>{escape(failure.message or '')}</p>\n"
        if failure.layout is not None:
            yield f"<pre>{escape(failure.layout)}</pre>\n"
    if len(report.failures) > MOST_FAILURES:
        yield f'<p class="note">and {len(report.failures) - MOST_FAILURES:,} more</p>\n'
