"""A report as a self-contained HTML page: facts, figures, tables, failed games."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO

from satsweep.arena.canvas import write
from satsweep.arena.plan import Figure
from satsweep.arena.plot import figure, suggested
from satsweep.arena.report import Report
from satsweep.arena.tables import game_name, note_of, tables_of
from satsweep.templates import page_of
from satsweep.text import counted

MAX_FAILURES = 100
MAX_PAIRS = 15
"""Tables of more comparisons are folded."""


def page(report: Report, command: str = "") -> str:
    """The page; ``command`` is the command line that made the report.

    Raises SatsweepError without matplotlib.
    """
    plan = report.plan
    failures = [
        {
            "agent": plan.labels[failure.agent],
            "game": game_name(plan, failure),
            "setting": plan.settings[failure.setting],
            "message": failure.message,
            "layout": failure.layout,
        }
        for failure in report.failures[:MAX_FAILURES]
    ]
    return page_of(
        "report.html",
        title=plan.title or plan.name or f"{', '.join(plan.labels)} on the same boards",
        facts=[(name, value) for name, value in _facts(report) if value],
        command=command,
        out=[(report.why_out(failure), failure.layout) for failure in report.out],
        figures=list(_figures(report)),
        failed=len(report.failures),
        failures=failures,
        **_tables(report),
    )


def tables_html(report: Report) -> str:
    """The tables of a report, without a page around them."""
    return page_of("tables_only.html", **_tables(report))


def _tables(report: Report) -> Mapping[str, object]:
    return {
        "tables": list(tables_of(report, brief=False)),
        "note": note_of(report.plan),
        "most_rows": MAX_PAIRS,
    }


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    plan = report.plan
    limits = [
        "" if plan.games is None else f"{counted(plan.games, 'game')} in each setting",
        "" if plan.seconds is None else f"as many as {plan.seconds:g} seconds allow",
        "" if plan.until is None else f"until every win rate is within {plan.until:g} points",
        "" if plan.sprt is None else f"until a sequential test of {plan.sprt.h0:g},{plan.sprt.h1:g} points decides",
    ]
    failed = sum(summary.failed for summary in report.summaries)
    yield from {
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
    }.items()


def _figures(report: Report) -> Iterator[tuple[str, str]]:
    """The figure of the plan, and one of games won unless it is the same, with labels."""
    if not report.summaries:
        return
    from markupsafe import Markup

    shown = report.plan.figure or suggested(report)
    wanted = [shown] if shown.measure == "won" else [shown, Figure("won", shown.against)]
    for number, axes in enumerate(wanted, 1):
        label = f"The numbers of this figure are in the tables below: {axes.measure}"
        yield label, Markup(_inline_svg(report, axes, number))


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
    return text
