"""Figures show the numbers of the report, fit their canvas, and are reproducible."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib
import pytest
from numpy import asarray

from satsweep.arena import canvas, plot
from satsweep.arena.measures import MEASURES
from satsweep.arena.plan import Figure, Plan
from satsweep.arena.report import Report
from satsweep.board import Cell
from satsweep.errors import SatsweepError
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from tests.arena.reports import AREAS, DENSITIES, LEVELS, SINGLE, SIZES, report_of

if TYPE_CHECKING:  # it takes long to load
    from matplotlib.figure import Figure as Drawing, SubFigure

pytestmark = pytest.mark.extended

ALONE = replace(SIZES, agents=("basic",), title="Where it becomes hard for an agent that looks at one number at a time")
LONG = Plan(
    ("basic", "gem-select"),
    tuple(Setting(16, 30, 99, Rules(first=first, start=Cell(2, 2))) for first in (FirstClick.SAFE, FirstClick.ZERO)),
    games=2,
)
LARGE = Plan(
    ("bfs", "dfs"),
    tuple(
        Setting(side, side, side * side // part, Rules(FirstClick.ZERO)) for side in (10, 40) for part in (20, 15, 10)
    ),
    games=2,
    figure=Figure("evaluations"),
    evaluations=True,
)
PLANS = {
    "a setting": (SINGLE, 1),
    "densities": (DENSITIES, 1),
    "sizes": (SIZES, 4),
    "an agent": (ALONE, 1),
    "areas": (AREAS, 1),
    "levels": (LEVELS, 4),
    "long names": (LONG, 2),
    "large numbers": (LARGE, 2),
}
every_figure = pytest.mark.parametrize(("plan", "panels"), PLANS.values(), ids=PLANS)


def nested(figure: Drawing | SubFigure) -> Iterator[Drawing | SubFigure]:
    """The figure, and those in it."""
    yield figure
    for inner in figure.subfigs:
        yield from nested(inner)


def texts_of(figure: Drawing) -> list[str]:
    return [text.get_text() for part in nested(figure) for text in part.texts]


def drawn(report: Report, shown: Figure | None = None) -> Drawing:
    from matplotlib.figure import Figure as Drawing

    figure = plot.figure(report, shown)
    assert isinstance(figure, Drawing)
    return figure


@every_figure
def test_every_kind_of_setting_has_its_panel(plan: Plan, panels: int) -> None:
    assert len(drawn(report_of(plan)).axes) == panels


@pytest.mark.extended
@every_figure
def test_nothing_sticks_out_or_covers_another(plan: Plan, panels: int) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with canvas.styled():
        figure = drawn(report_of(plan))
        # Matplotlib does not annotate this method.
        renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
        figure.draw(renderer)
        width, height = figure.bbox.size
        boxes = [one.get_window_extent(renderer) for part in nested(figure) for one in (*part.texts, *part.legends)]
        for axes in figure.axes:
            panel = axes.get_tightbbox(renderer)
            assert panel is not None
            boxes.append(panel)
        for box in boxes:
            assert box.x0 >= -1 and box.x1 <= width + 1
            assert box.y0 >= -1 and box.y1 <= height + 1
        for one, other in combinations(boxes, 2):
            across = min(one.x1, other.x1) - max(one.x0, other.x0)
            down = min(one.y1, other.y1) - max(one.y0, other.y0)
            assert min(across, down) < 3


@pytest.mark.parametrize("measure", MEASURES)
def test_lines_are_the_estimates(measure: str) -> None:
    report = report_of(DENSITIES)
    (axes,) = drawn(report, Figure(measure, "mines")).axes
    for agent, line in zip(DENSITIES.agents, axes.lines, strict=True):
        places, means = [], []
        for section in report.sections:
            for summary in section.summaries:
                found = summary.measured[measure]
                if summary.agent == agent and found is not None:
                    places.append(section.setting.mines)
                    means.append(found.mean * MEASURES[measure].factor)
        assert list(asarray(line.get_xdata())) == places
        assert list(asarray(line.get_ydata())) == means
    assert "Mines" in texts_of(drawn(report, Figure(measure, "mines")))


def test_intervals_are_bars_where_there_are_few_places_and_bands_where_there_are_many() -> None:
    from matplotlib.collections import LineCollection

    report = report_of(DENSITIES)
    (axes,) = drawn(report).axes
    found = report.sections[3].summaries[0].measured["score"]
    assert found is not None
    bars = axes.collections[0]
    assert isinstance(bars, LineCollection)
    ends = [tuple(segment[:, 1]) for segment in map(asarray, bars.get_segments())]
    assert ends[3] == pytest.approx((100 * found.low, 100 * found.high))
    many = Plan(("basic",), tuple(Setting(5, 5, mines) for mines in range(1, 18)), games=2, figure=Figure("won"))
    (axes,) = drawn(report_of(many)).axes
    assert [type(one).__name__ for one in axes.collections] == ["FillBetweenPolyCollection"]


def test_a_line_for_each_size_if_there_is_one_agent() -> None:
    figure = drawn(report_of(ALONE))
    (legend,) = (legend for part in nested(figure) for legend in part.legends)
    assert [text.get_text() for text in legend.get_texts()] == ["5x5", "6x6", "7x7", "8x8"]
    assert len(figure.axes[0].lines) == 4


def test_a_row_for_each_agent_where_nothing_varies() -> None:
    report = report_of(SINGLE)
    (axes,) = drawn(report).axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    rates = {summary.agent: summary.measured["won"] for summary in report.summaries}
    assert names[3:] == ["PSEQ-D256", "PSEQ", "JSMinesweeper"]
    shown = {name: asarray(line.get_xdata())[0] for name, line in zip(SINGLE.agents, axes.lines[:3], strict=True)}
    assert shown == {name: 100 * rate.mean for name, rate in rates.items() if rate}
    ranked = sorted(SINGLE.agents, key=lambda name: -shown[name])
    assert names[:3] == ranked
    assert any("Dashed: published win rates" in text for text in texts_of(drawn(report)))


def test_a_figure_is_titled_by_its_plan_or_by_its_measure() -> None:
    report = report_of(DENSITIES)
    texts = texts_of(drawn(report))
    assert texts[0] == "Mines found" and any(text.endswith("\nPlan: densities - a document") for text in texts)
    assert texts_of(drawn(report, Figure("won")))[0] == "Games won"


def test_the_suggested_figure() -> None:
    assert plot.suggested(report_of(DENSITIES)) == Figure("won", "density")
    assert plot.suggested(report_of(replace(AREAS, figure=None))) == Figure("won", "area")
    assert plot.suggested(report_of(LEVELS)) == Figure("won", "density")


@pytest.mark.extended
@every_figure
@pytest.mark.parametrize("suffix", plot.FORMATS)
def test_the_same_report_makes_the_same_file(plan: Plan, panels: int, suffix: str) -> None:
    first, second = BytesIO(), BytesIO()
    canvas.write(drawn(report_of(plan)), first, suffix)
    drawn(report_of(SINGLE))
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": None}):
        canvas.write(drawn(report_of(plan)), second, suffix)
    assert first.getvalue() == second.getvalue()
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert first.getvalue().startswith(starts[suffix])


def test_files_by_their_names(tmp_path: Path) -> None:
    figure = drawn(report_of(SINGLE))
    for name in ("a.png", "b.svg", "c.PDF"):
        plot.save(figure, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    for name in ("a.jpg", "png", "a.png.txt"):
        with pytest.raises(ValueError, match=r"expected a name ending in \.png, \.svg, \.pdf"):
            plot.save(figure, tmp_path / name)
        assert not (tmp_path / name).exists()


@pytest.mark.parametrize("shown", [Figure("luck"), Figure("won", "weather")])
def test_unknown_measures_and_axes(shown: Figure) -> None:
    with pytest.raises(ValueError, match="expected one of"):
        plot.figure(report_of(SINGLE), shown)


def test_the_error_without_matplotlib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "find_spec", lambda name: None)
    with pytest.raises(SatsweepError, match=r"pip install -e '\.\[plot\]' in the checkout"):
        plot.figure(report_of(SINGLE))


@pytest.mark.extended
def test_settings_of_the_caller_stay() -> None:
    before = dict(matplotlib.rcParams)
    canvas.write(drawn(report_of(SIZES)), BytesIO(), "png")
    assert dict(matplotlib.rcParams) == before
    code = (
        "import sys; from tests.arena.reports import SINGLE, report_of; from satsweep.arena import plot;"
        "plot.figure(report_of(SINGLE)); print('matplotlib.pyplot' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
