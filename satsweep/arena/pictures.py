"""Reports in notebooks: their tables, and their figure."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from satsweep.arena import canvas, plot, terminal
from satsweep.arena.html import tables_html
from satsweep.arena.plan import Figure
from satsweep.arena.report import Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


def figure_of(report: Report, shown: Figure | None = None) -> Drawing:
    """The figure of a report as one of matplotlib. Raises as ``plot.figure`` does."""
    return plot.figure(report, shown)


def svg_of(report: Report) -> str:
    """The figure of a report. Raises SatsweepError without matplotlib."""
    file = BytesIO()
    canvas.write(plot.figure(report), file, "svg")
    return file.getvalue().decode("utf-8")


def html_of(report: Report) -> str:
    """The tables of a report."""
    return tables_html(report)


def text_of(report: Report) -> str:
    """The tables of a report as text."""
    return terminal.to_text(report).rstrip("\n")


def json_of(report: Report) -> str:
    """A report as JSON."""
    return report.to_json()
