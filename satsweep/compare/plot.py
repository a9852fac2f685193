"""Figures of a report: a measure against density, mines or area, or a row of dots where nothing varies.

A line per agent with its 95 % interval; a small panel for each size of board (or other kind of setting) when there are
several, or a line for each when there is one agent. Colours are those of Okabe and Ito, "Color universal design"
(2008), which all eyes tell apart, and markers differ, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from satsweep.compare.canvas import FORMATS, GREY, Canvas, check_installed, save, styled, suffix_of, text_width, wrapped
from satsweep.compare.measures import MEASURES, Measure
from satsweep.compare.plan import Figure
from satsweep.compare.report import Report, Section, told_apart
from satsweep.compare.stats import Estimate
from satsweep.games.setting import Setting, short_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

__all__ = ["AXES", "FORMATS", "check_installed", "figure", "save", "suffix_of", "suggested"]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = "osD^vPX"
_LINES = ("-", "--", ":")
_DASHED = (0, (4, 3))
_MOST_MARKED = 14
"""With more points on a line than this, intervals are a band, and markers are small."""
_MOST_ANCHORS = 4


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a figure: its label, and the estimates at each place of the axis."""

    label: str
    points: list[tuple[float, Estimate]]


AXES: dict[str, tuple[str, Callable[[Setting], float]]] = {
    "density": ("Mines, % of the cells", lambda setting: 100 * float(setting.density)),
    "mines": ("Mines", lambda setting: setting.mines),
    "area": ("Cells of the board", lambda setting: setting.area),
}
"""What a figure may be against: the name of the axis, and where a setting is on it."""


def figure(report: Report, shown: Figure | None = None) -> Drawing:
    """The figure of a report: what is asked for, or what its plan says, or what its settings suggest.

    Raises ValueError for a measure or an axis that there is not, SatsweepError without matplotlib.
    """
    check_installed()
    shown = shown or report.plan.figure or suggested(report)
    for name, table in ((shown.measure, MEASURES), (shown.against, AXES)):
        if name not in table:
            raise ValueError(f"expected one of {', '.join(table)}, found {name!r}")
    sections = [section for section in report.sections if section.standings]
    with styled():
        if _varies(sections, shown.against):
            return _lines(report, sections, shown)
        return _dots(report, sections, shown.measure)


def suggested(report: Report) -> Figure:
    """Games won, against the density of mines, or against the area of the board where only that varies."""
    sections = report.sections
    return Figure("won", "area" if _varies(sections, "area") and not _varies(sections, "density") else "density")


def _varies(sections: Sequence[Section], against: str) -> bool:
    """Whether there is a line to draw: some kind of setting with three places on the axis."""
    place = AXES[against][1]
    return any(len({place(section.setting) for section in group}) > 2 for group in _groups(sections, against).values())


def _groups(sections: Sequence[Section], against: str) -> dict[tuple[str, ...], list[Section]]:
    """Settings that differ in nothing but their place on the axis, by what tells them from the others."""
    kinds = [_kind(section.setting, against) for section in sections]
    found: dict[tuple[str, ...], list[Section]] = {}
    densities = [section.setting.density for section in sections]
    if against == "area" and max(densities) - min(densities) < Fraction(2, 100):
        # They are the same, as far as whole mines allow.
        kinds = [("", rules) for _, rules in kinds]
    for section, kind in zip(sections, kinds, strict=True):
        found.setdefault(kind, []).append(section)
    return found


def _lines(report: Report, sections: Sequence[Section], shown: Figure) -> Drawing:
    from matplotlib.ticker import MaxNLocator

    found = _groups(sections, shown.against)
    groups, labels = list(found.values()), _apart(list(found))
    agents = [agent for agent in report.plan.labels if any(_has(section, agent) for section in sections)]
    subtitle = [_common(sections, shown.against)]
    if len(agents) == 1:
        subtitle.insert(0, agents[0])
        panels = [("", [_curve(*one, agents[0], shown) for one in zip(labels, groups, strict=True)])]
    else:
        panels = [
            (label, [_curve(agent, group, agent, shown) for agent in agents])
            for label, group in zip(labels, groups, strict=True)
        ]
    measure, curves = MEASURES[shown.measure], [curve for _, panel in panels for curve in panel]
    small = len(panels) > 1
    names = [curve.label for curve in panels[0][1]]
    height = 2.1 if small else 3.7
    beside = wrapped(_named(measure), 10, height)
    canvas = Canvas.of(
        [label for label, _ in panels],
        width=(3.3 if len(panels) in (2, 4) else 2.5) if small else 6.2,
        height=height,
        left=0.65 + 0.2 * len(beside),
        title=_title(report, measure),
        subtitle=_subtitle(sections, subtitle),
        foot=_foot(report),
        legend=[(name, _look(number)) for number, name in enumerate(names)] if len(names) > 1 else [],
    )
    for at, (_, panel) in enumerate(panels):
        axes = canvas.panel(at)
        for number, curve in enumerate(panel):
            _draw(axes, curve, _look(number))
        _scale(axes, measure, curves)
        axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=shown.against != "density"))
        if canvas.is_lowest(at):
            axes.set_xlabel(AXES[shown.against][0])
        if at % canvas.across == 0:
            axes.set_ylabel("\n".join(beside))
    return canvas.figure


def _curve(label: str, group: Sequence[Section], agent: str, shown: Figure) -> Curve:
    points = []
    for section in group:
        for standing in section.standings:
            found = standing.measured[shown.measure]
            if standing.agent == agent and found is not None:
                points.append((AXES[shown.against][1](section.setting), found.scaled(MEASURES[shown.measure].factor)))
    return Curve(label, sorted(points))


def _look(number: int) -> dict[str, Any]:
    """How the curve with this number looks."""
    return {
        "color": _COLOURS[number % len(_COLOURS)],
        "linestyle": _LINES[number // len(_COLOURS) % len(_LINES)],
        "marker": _MARKERS[number % len(_MARKERS)],
    }


def _draw(axes: Axes, curve: Curve, look: dict[str, Any]) -> None:
    places, means = [place for place, _ in curve.points], [found.mean for _, found in curve.points]
    dense = len(places) > _MOST_MARKED
    axes.plot(places, means, **look, markersize=3 if dense else 5, zorder=3, clip_on=False)
    bounded = [(place, found.low, found.high) for place, found in curve.points if found.bounded]
    at, lows, highs = ([row[part] for row in bounded] for part in range(3))
    if dense:
        axes.fill_between(at, lows, highs, color=look["color"], alpha=0.18, linewidth=0, zorder=2)
    else:
        axes.vlines(at, lows, highs, color=look["color"], linewidth=1.1, alpha=0.8, zorder=2)


def _scale(axes: Axes, measure: Measure, curves: Sequence[Curve]) -> None:
    """All panels alike: shares from 0 to 100, anything else from 0 to the highest mean or so."""
    found = [point for curve in curves for _, point in curve.points]
    highest = max((point.mean for point in found), default=1.0) or 1.0
    axes.set_ylim((0, 100) if measure.share else (0, 1.15 * highest))
    places = [place for curve in curves for place, _ in curve.points]
    if places:
        margin = 0.03 * (max(places) - min(places))
        axes.set_xlim(min(places) - margin, max(places) + margin)


def _dots(report: Report, sections: Sequence[Section], name: str) -> Drawing:
    """A panel per setting, in each a row per agent, the best first in the whole; published win rates below."""
    measure, agents, alone = MEASURES[name], _ranked(sections, name), len(sections) == 1
    common, labels = told_apart([section.setting for section in sections])
    published = name == "won" and any(section.anchors for section in sections)
    anchors = sections[0].anchors[:_MOST_ANCHORS] if alone and published else ()
    rows = [*agents, *(anchor.who for anchor in anchors)]
    dashed = f"Dashed: {'published win rates' if alone else 'the best published win rate'}. " if published else ""
    canvas = Canvas.of(
        [""] if alone else labels,
        width=5.0 if alone else 3.3 if len(sections) in (2, 4) else 2.3,
        height=(0.3 if alone else 0.24) * len(rows) + 0.1,
        left=0.4 + text_width(max(rows, key=len), 10),
        title=_title(report, measure),
        subtitle=_subtitle(sections, [common]),
        foot=_foot(report, dashed),
    )
    ends: list[float] = []
    for at, section in enumerate(sections):
        axes = canvas.panel(at)
        axes.grid(axis="y", visible=False)
        for standing in section.standings:
            if (found := standing.measured[name]) is not None:
                ends += _dot(axes, agents.index(standing.agent), found.scaled(measure.factor), _COLOURS[0], "o")
        for number, anchor in enumerate(anchors, len(agents)):
            error = anchor.plus_minus or 0
            ends += _dot(axes, number, Estimate(anchor.rate, anchor.rate - error, anchor.rate + error), GREY, "D")
            axes.vlines(anchor.rate, -0.5, number, color=GREY, linewidth=0.8, linestyle=_DASHED, zorder=1)
        if not alone and published and section.anchors:
            axes.axvline(section.anchors[0].rate, color=GREY, linewidth=1, linestyle=_DASHED, zorder=1)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), rows)
        axes.tick_params(axis="y", length=0)
        for tick in axes.get_yticklabels()[len(agents) :]:
            tick.set_color(GREY)
        if canvas.is_lowest(at):
            axes.set_xlabel(_named(measure))
    for axes in canvas.figure.axes:
        axes.set_xlim(_span(ends, measure))
    return canvas.figure


def _dot(axes: Axes, row: int, found: Estimate, colour: str, marker: str) -> list[float]:
    """A dot and its interval; where they begin and end."""
    ends = [found.mean]
    if found.bounded:
        axes.hlines(row, found.low, found.high, color=colour, linewidth=2, alpha=0.55, zorder=2)
        ends += [found.low, found.high]
    axes.plot([found.mean], [row], marker=marker, color=colour, zorder=3, linestyle="", clip_on=False)
    return ends


def _span(ends: Sequence[float], measure: Measure) -> tuple[float, float]:
    """From end to end with some room, and no further than a share can go."""
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.06 * (high - low) or 1.0
    low = 0.0 if low - room < 0.25 * high else low - room
    return low, min(high + room, 100.0) if measure.share else high + room


def _ranked(sections: Sequence[Section], name: str) -> list[str]:
    """The agents by their mean over all settings, the highest first."""
    means: dict[str, list[float]] = {}
    for section in sections:
        for standing in section.standings:
            found = standing.measured[name]
            means.setdefault(standing.agent, []).append(found.mean if found else 0.0)
    return sorted(means, key=lambda agent: -sum(means[agent]) / len(means[agent]))


def _title(report: Report, measure: Measure) -> str:
    """The title of the plan, for the figure that it is about."""
    shown = report.plan.figure or suggested(report)
    return report.plan.title if report.plan.title and MEASURES[shown.measure] is measure else measure.label


def _subtitle(sections: Sequence[Section], parts: Sequence[str]) -> str:
    """What is the same in all of it: the agent, the settings, and how many games there are."""
    games = sorted({standing.games for section in sections for standing in section.standings})
    many = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    return "; ".join([*filter(None, parts), f"{many}\xa0game{'s' * (games != [1])}\xa0each"])


def _foot(report: Report, first: str = "") -> list[str]:
    program = f"satsweep {report.versions['satsweep']}, " if "satsweep" in report.versions else ""
    lines = [f"{first}Intervals: 95 %. {program}seed {report.plan.seed}."]
    plan = " - ".join(filter(None, (report.plan.name, report.plan.source)))
    return [*lines, f"Plan: {plan}"] if plan else lines


def _named(measure: Measure) -> str:
    return f"{measure.label}, %" if measure.share else measure.label


def _has(section: Section, agent: str) -> bool:
    return any(standing.agent == agent for standing in section.standings)


def _apart(kinds: Sequence[tuple[str, ...]]) -> list[str]:
    """What tells the panels apart."""
    same = [len(set(values)) == 1 for values in zip(*kinds, strict=True)]
    return [", ".join(part for part, shared in zip(own, same, strict=True) if not shared) for own in kinds]


def _common(sections: Sequence[Section], against: str) -> str:
    """What all of the settings have in common."""
    parts = zip(*(_kind(section.setting, against) for section in sections), strict=True)
    return ", ".join(values[0] for values in parts if len(set(values)) == 1)


def _kind(setting: Setting, against: str) -> tuple[str, str]:
    size = f"{round(100 * setting.density)} % mines" if against == "area" else setting.board.rsplit(", ", 1)[0]
    return size, short_rules(setting.rules)
