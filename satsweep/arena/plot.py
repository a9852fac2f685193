"""Figures of a report: curves against density, mines or area, or rows of dots.

Where the settings vary along the axis, each agent has a curve with 95 % intervals; each size of board (or other kind of
setting) has a small panel if there are several, or a curve if there is one agent. Elsewhere each agent has a dot with
its interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from satsweep.arena.canvas import FORMATS, GREY, LETTER, check_installed, framed, line_style, save, styled, suffix_of
from satsweep.arena.measures import MEASURES, Measure
from satsweep.arena.plan import Figure
from satsweep.arena.report import Report, Section, common_and_distinct, split_common
from satsweep.arena.stats import Estimate
from satsweep.arena.tables import times
from satsweep.errors import SatsweepError
from satsweep.games.setting import Setting, short_rules
from satsweep.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure as Drawing

__all__ = ["AXES", "FORMATS", "check_installed", "figure", "save", "suffix_of", "suggested"]

_DASHED = (0, (4, 3))
_MAX_BARS = 14
"""A curve with more points has its intervals as a band, and small markers."""
_MAX_ANCHORS = 4


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve: its label, and pairs of a position on the axis and an estimate."""

    label: str
    points: list[tuple[float, Estimate]]


AXES: dict[str, tuple[str, Callable[[Setting], float]]] = {
    "density": ("Mines, % of the cells", lambda setting: 100 * float(setting.density)),
    "mines": ("Mines", lambda setting: setting.mines),
    "area": ("Cells of the board", lambda setting: setting.area),
}
"""Axes by name: the label, and the position of a setting."""


def figure(report: Report, shown: Figure | None = None) -> Drawing:
    """A figure of a report: ``shown``, or that of its plan, or the suggested one.

    Raises ValueError for an unknown measure or axis, SatsweepError without games or matplotlib.
    """
    check_installed()
    shown = shown or report.plan.figure or suggested(report)
    for name, table in ((shown.measure, MEASURES), (shown.against, AXES)):
        if name not in table:
            raise ValueError(f"expected one of {', '.join(table)}, found {name!r}")
    sections = [section for section in report.sections if section.summaries]
    if not sections:
        raise SatsweepError("expected games to draw a figure of, found none")
    with styled():
        if _varies(sections, shown.against):
            return _curves_figure(report, sections, shown)
        return _dots_figure(report, sections, shown.measure)


def suggested(report: Report) -> Figure:
    """Games won against density, or against area where density does not vary."""
    sections = report.sections
    return Figure("won", "area" if _varies(sections, "area") and not _varies(sections, "density") else "density")


def _varies(sections: Sequence[Section], against: str) -> bool:
    """True if a curve can be drawn: some kind of setting has three positions."""
    return any(len(_positions(group, against)) > 2 for group in _groups(sections, against).values())


def _positions(sections: Sequence[Section], against: str) -> set[float]:
    return {AXES[against][1](section.setting) for section in sections}


def _groups(sections: Sequence[Section], against: str) -> dict[tuple[str, ...], list[Section]]:
    """Settings that differ only in their position on the axis, by their description."""
    kinds = [_kind(section.setting, against) for section in sections]
    found: dict[tuple[str, ...], list[Section]] = {}
    densities = [section.setting.density for section in sections]
    if against == "area" and max(densities) - min(densities) < Fraction(2, 100):
        # Densities are equal as far as whole numbers of mines allow.
        kinds = [("", rules) for _, rules in kinds]
    for section, kind in zip(sections, kinds, strict=True):
        found.setdefault(kind, []).append(section)
    return found


def _curves_figure(report: Report, sections: Sequence[Section], shown: Figure) -> Drawing:
    from matplotlib.ticker import MaxNLocator

    found = {
        kind: group
        for kind, group in _groups(sections, shown.against).items()
        if len(_positions(group, shown.against)) > 1
    }
    sections = [section for group in found.values() for section in group]
    groups, labels = list(found.values()), split_common(list(found))[1]
    agents = [agent for agent in report.plan.labels if any(_has_agent(section, agent) for section in sections)]
    subtitle = [split_common([_kind(section.setting, shown.against) for section in sections])[0]]
    if len(agents) == 1:
        subtitle.insert(0, agents[0])
        panels = [("", [_curve(*one, agents[0], shown) for one in zip(labels, groups, strict=True)])]
    else:
        panels = [
            (label, [_curve(agent, group, agent, shown) for agent in agents])
            for label, group in zip(labels, groups, strict=True)
        ]
    measure, curves = MEASURES[shown.measure], [curve for _, panel in panels for curve in panel]
    small, names = len(panels) > 1, [curve.label for curve in panels[0][1]]
    drawing, grid = framed(
        [label for label, _ in panels],
        width=(3.3 if len(panels) in (2, 4) else 2.5) if small else 6.2,
        height=2.1 if small else 3.7,
        title=_title(report, measure),
        subtitle=_subtitle(sections, subtitle),
        foot=_foot(report, measure),
        legend=[(name, line_style(number)) for number, name in enumerate(names)] if len(names) > 1 else [],
        xlabel=AXES[shown.against][0],
        ylabel=_axis_label(measure),
    )
    for axes, (_, panel) in zip(grid, panels, strict=True):
        for number, (curve, shift) in enumerate(zip(panel, _shifts(panel), strict=True)):
            _draw_curve(axes, curve, line_style(number), shift)
        _set_limits(axes, measure, shown.against, curves)
        if not (measure.log and shown.against == "area"):
            axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=shown.against != "density"))
    return drawing


def _curve(label: str, group: Sequence[Section], agent: str, shown: Figure) -> Curve:
    points = []
    for section in group:
        for summary in section.summaries:
            found = summary.measured[shown.measure]
            drawn = found is not None and not (MEASURES[shown.measure].log and found.mean <= 0)
            if summary.agent == agent and found is not None and drawn:
                points.append((AXES[shown.against][1](section.setting), found.scaled(MEASURES[shown.measure].factor)))
    return Curve(label, sorted(points))


_ALIKE = 1.5
"""Distance of marks below which they overlap, in percent of the axis."""
_APART = 5.0
"""Distance that curves with such marks are drawn apart, in points."""


def _shifts(panel: Sequence[Curve]) -> list[float]:
    """Distances in points that curves of a panel are drawn aside, if marks overlap."""
    at: dict[float, list[float]] = {}
    for curve in panel:
        for position, found in curve.points:
            at.setdefault(position, []).append(found.mean)
    means = [mean for own in at.values() for mean in own]
    near = _ALIKE / 100 * (max(means) - min(means)) if means else 0.0
    hidden = any(after - before <= near for own in at.values() for before, after in pairwise(sorted(own)))
    middle = (len(panel) - 1) / 2
    return [(number - middle) * _APART if hidden and len(at) <= _MAX_BARS else 0.0 for number in range(len(panel))]


def _draw_curve(axes: Axes, curve: Curve, style: dict[str, Any], shift: float = 0.0) -> None:
    """Draw a curve with its intervals, ``shift`` points to the right of its positions."""
    from matplotlib.transforms import ScaledTranslation

    figure = axes.get_figure(root=True)
    assert figure is not None
    place = axes.transData + ScaledTranslation(shift / 72, 0, figure.dpi_scale_trans)
    positions, means = [position for position, _ in curve.points], [found.mean for _, found in curve.points]
    dense = len(positions) > _MAX_BARS
    drawn: dict[str, Any] = {"transform": place} if shift else {}
    axes.plot(positions, means, **style, markersize=3 if dense else 5, zorder=3, clip_on=False, **drawn)
    bounded = [(position, found.low, found.high) for position, found in curve.points if found.bounded]
    xs, lows, highs = ([row[part] for row in bounded] for part in range(3))
    if dense:
        axes.fill_between(xs, lows, highs, color=style["color"], alpha=0.18, linewidth=0, zorder=2)
    else:
        axes.vlines(xs, lows, highs, color=style["color"], linewidth=1.1, alpha=0.8, zorder=2, **drawn)


def _set_limits(axes: Axes, measure: Measure, against: str, curves: Sequence[Curve]) -> None:
    """Set the limits and scales of a panel, which are the same in all panels.

    Shares go from 0 to 100, counts from 0 to somewhat above the highest mean. A power of the area is a straight line
    where both axes are logarithmic.
    """
    found = [point for curve in curves for _, point in curve.points]
    highest = max((point.mean for point in found), default=1.0) or 1.0
    positions = [position for curve in curves for position, _ in curve.points]
    if measure.log:
        axes.set_yscale("log")
        axes.set_ylim(min((point.mean for point in found), default=1.0) / 1.5, 1.5 * highest)
        _set_plain_labels(axes.yaxis)
    else:
        axes.set_ylim((0, 100) if measure.share else (0, 1.15 * highest))
    if positions and measure.log and against == "area":
        axes.set_xscale("log")
        axes.set_xlim(min(positions) / 1.1, 1.1 * max(positions))
        _set_plain_labels(axes.xaxis)
    elif positions:
        margin = 0.03 * (max(positions) - min(positions))
        axes.set_xlim(min(positions) - margin, max(positions) + margin)


def _set_plain_labels(axis: Axis) -> None:
    """Label a logarithmic axis without exponents.

    The labels are powers of ten, also 2 and 5 times these where the axis is shorter than two of them.
    """
    low, high = axis.get_view_interval()
    minor = "25" if high < 100 * low else ()
    axis.set_major_formatter(lambda value, _: f"{value:,.12g}")
    axis.set_minor_formatter(lambda value, _: f"{value:,.12g}" if f"{value:e}"[0] in minor else "")


def _dots_figure(report: Report, sections: Sequence[Section], name: str) -> Drawing:
    """A panel per setting with a row per agent, and published win rates below.

    Agents come by their mean over all settings, the highest first.
    """
    measure, agents, alone = MEASURES[name], _ranked(sections, name), len(sections) == 1
    common, labels = common_and_distinct([section.setting for section in sections])
    published = name == "won" and any(section.anchors for section in sections)
    anchors = sections[0].anchors[:_MAX_ANCHORS] if alone and published else ()
    rows = [*agents, *(anchor.program for anchor in anchors)]
    dashed = f"Dashed: {'published win rates' if alone else 'the best published win rate'}. " if published else ""
    drawing, grid = framed(
        [""] if alone else labels,
        width=(5.0 if alone else 3.3 if len(sections) in (2, 4) else 2.3) + LETTER * max(map(len, rows)) / len(labels),
        height=(0.3 if alone else 0.24) * len(rows) + 0.1,
        title=_title(report, measure),
        subtitle=_subtitle(sections, [common]),
        foot=_foot(report, measure, dashed),
        xlabel=_axis_label(measure),
    )
    ends: list[float] = []
    for axes, section in zip(grid, sections, strict=True):
        axes.grid(axis="y", visible=False)
        for summary in section.summaries:
            if (found := summary.measured[name]) is not None:
                ends += _draw_dot(
                    axes, agents.index(summary.agent), found.scaled(measure.factor), line_style(0)["color"], "o"
                )
        for number, anchor in enumerate(anchors, len(agents)):
            error = anchor.plus_minus or 0
            ends += _draw_dot(axes, number, Estimate(anchor.rate, anchor.rate - error, anchor.rate + error), GREY, "D")
            axes.vlines(anchor.rate, -0.5, number, color=GREY, linewidth=0.8, linestyle=_DASHED, zorder=1)
        if not alone and published and section.anchors:
            axes.axvline(section.anchors[0].rate, color=GREY, linewidth=1, linestyle=_DASHED, zorder=1)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), rows)
        axes.tick_params(axis="y", length=0)
        for tick in axes.get_yticklabels()[len(agents) :]:
            tick.set_color(GREY)
    for axes in grid:
        axes.set_xlim(_axis_range(ends, measure))
    return drawing


def _draw_dot(axes: Axes, row: int, found: Estimate, colour: str, marker: str) -> list[float]:
    """Draw a dot and its interval; return the values that the axis must cover."""
    ends = [found.mean]
    if found.bounded:
        axes.hlines(row, found.low, found.high, color=colour, linewidth=2, alpha=0.55, zorder=2)
        ends += [found.low, found.high]
    axes.plot([found.mean], [row], marker=marker, color=colour, zorder=3, linestyle="", clip_on=False)
    return ends


def _axis_range(ends: Sequence[float], measure: Measure) -> tuple[float, float]:
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    margin = 0.06 * (high - low) or 1.0
    low = 0.0 if low - margin < 0.25 * high else low - margin
    return low, min(high + margin, 100.0) if measure.share else high + margin


def _ranked(sections: Sequence[Section], name: str) -> list[str]:
    """Agents by their mean over all settings, the highest first."""
    means: dict[str, list[float]] = {}
    for section in sections:
        for summary in section.summaries:
            found = summary.measured[name]
            means.setdefault(summary.agent, []).append(found.mean if found else 0.0)
    return sorted(means, key=lambda agent: -sum(means[agent]) / len(means[agent]))


def _title(report: Report, measure: Measure) -> str:
    """The title of the plan on its own figure; otherwise the label of the measure."""
    shown = report.plan.figure or suggested(report)
    return report.plan.title if report.plan.title and MEASURES[shown.measure] is measure else measure.label


def _subtitle(sections: Sequence[Section], parts: Sequence[str]) -> str:
    games = sorted({summary.games for section in sections for summary in section.summaries})
    count = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    layouts = sorted({summary.layouts for section in sections for summary in section.summaries if summary.layouts})
    boards = f" on {counted(layouts[-1], 'layout')}" if layouts else ""
    return "; ".join([*filter(None, parts), f"{count} {'game' if games == [1] else 'games'} each{boards}"])


def _foot(report: Report, measure: Measure, first: str = "") -> list[str]:
    program = f"satsweep {report.versions['satsweep']}, " if "satsweep" in report.versions else ""
    lines = [f"{first}{'' if measure.timed else 'Intervals: 95 %. '}{program}seed {report.plan.seed}."]
    plan = " - ".join(filter(None, (report.plan.name, report.plan.source)))
    by = times(report.summaries) if measure.timed else ""
    return [*lines, *filter(None, (by, plan and f"Plan: {plan}"))]


def _axis_label(measure: Measure) -> str:
    return f"{measure.label}, %" if measure.share else measure.label


def _has_agent(section: Section, agent: str) -> bool:
    return any(summary.agent == agent for summary in section.summaries)


def _kind(setting: Setting, against: str) -> tuple[str, str]:
    """Description of a setting without its position: size or density, and rules."""
    size = f"{round(100 * setting.density)} % mines" if against == "area" else setting.board.rsplit(", ", 1)[0]
    return size, short_rules(setting.rules)
