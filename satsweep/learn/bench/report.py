"""Reports of scores: tables, a figure, a page, plain values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from satsweep.arena.canvas import framed, line_style
from satsweep.arena.pages import inline_svg
from satsweep.arena.stats import Estimate
from satsweep.arena.tables import Column, ReportTable
from satsweep.arena.terminal import tables_text
from satsweep.learn.bench.scores import GROUPS, GroupScore, ModelScores, groups_of, of_group, pairs_of
from satsweep.learn.bench.tasks import TaskSet
from satsweep.render.templates import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLES = {
    "task": "Solved by task",
    "band": "Solved by band, deduce and why",
    "size": "Solved by size",
    "form": "Solved by form of the text",
}
NOTE = (
    "Percent of the answered tasks that are solved, with Wilson's interval of 95 %. Points are the mean of what "
    "answers earn, in percent. The tasks nothing, where none is right, are left out of all tables. With deduce they "
    "ask whether anything is certain: the column notices is the balanced accuracy of that, of which every constant "
    "reply has a half at most."
)
_PAIRS_NOTE = (
    "The second less the first, on the tasks that both have answered: points of solved tasks with an interval of 95 % "
    "(Agresti and Min), and the exact p of McNemar's test of the pair alone."
)


def tables_of(models: Sequence[ModelScores]) -> Iterator[ReportTable]:
    """All tables: one of all tasks, one for each way to group them, one of pairs."""
    yield _overall(models)
    for by, title in _TITLES.items():
        yield _grouped(models, by, title)
    if len(models) > 1:
        yield _pairs(models)


def _overall(models: Sequence[ModelScores]) -> ReportTable:
    found = [of_group("all", model.counted) for model in models]
    columns = [
        _names(models),
        Column("solved %", [_percent(one.solved) for one in found]),
        Column("95 %", [_interval(one.solved) for one in found]),
        Column("points %", ["" if one.points is None else f"{100 * one.points:.1f}" for one in found]),
        Column("notices %", [_percent(model.noticed) for model in models]),
        Column("95 % ", [_interval(model.noticed) for model in models]),
        Column("answered", [f"{one.answered:,} of {one.tasks:,}" for one in found]),
    ]
    if any(model.late for model in models):
        columns.append(Column("late replies", [f"{model.late:,}" for model in models]))
    return ReportTable("All tasks", columns, NOTE)


def _names(models: Sequence[ModelScores]) -> Column:
    return Column("model", [model.label for model in models], left=True)


def _grouped(models: Sequence[ModelScores], by: str, title: str) -> ReportTable:
    found = [{group.name: group for group in groups_of(model.counted, by)} for model in models]
    names = dict.fromkeys(name for groups in found for name in groups)
    columns = [Column(name, [_share(groups.get(name)) for groups in found]) for name in names]
    return ReportTable(title, [_names(models), *columns])


def _share(group: GroupScore | None) -> str:
    return "" if group is None or group.solved is None else f"{_percent(group.solved)} ({_interval(group.solved)})"


def _percent(found: Estimate | None) -> str:
    return "" if found is None else f"{100 * found.mean:.1f}"


def _interval(found: Estimate | None) -> str:
    return "" if found is None else f"{100 * found.low:.1f} to {100 * found.high:.1f}"


def _pairs(models: Sequence[ModelScores]) -> ReportTable:
    pairs = list(pairs_of(models))
    texts: dict[str, Callable[[Any], str]] = {
        "first": lambda pair: pair.first,
        "second": lambda pair: pair.second,
        "tasks": lambda pair: f"{pair.tasks:,}",
        "only the first": lambda pair: f"{pair.only_first:,}",
        "only the second": lambda pair: f"{pair.only_second:,}",
        "difference": lambda pair: _points(pair.difference),
        "p": lambda pair: f"{pair.p:.2g}",
    }
    columns = [
        Column(head, [text(pair) for pair in pairs], left=head in ("first", "second")) for head, text in texts.items()
    ]
    return ReportTable("Pairs of models", columns, _PAIRS_NOTE)


def _points(found: Estimate | None) -> str:
    return "" if found is None else f"{100 * found.mean:+.1f} ± {100 * found.half:.1f}"


def bench_text(models: Sequence[ModelScores]) -> str:
    return tables_text(tables_of(models))


def bench_values(tasks: TaskSet, models: Sequence[ModelScores]) -> dict[str, object]:
    """The scores as plain values, which ``schemas/bench.schema.json`` describes."""
    return {
        "tasks": {"digest": tasks.digest, "seed": tasks.seed},
        "models": [
            {
                "model": model.model,
                "symmetry": model.variant.symmetry,
                "symbols": model.variant.symbols,
                "late": model.late,
                "noticed": _estimate(model.noticed),
                "all": _group_values(of_group("all", model.counted)),
                "groups": {by: [_group_values(group) for group in groups_of(model.counted, by)] for by in GROUPS},
                "scores": {one.task.id: None if one.reward is None else str(one.reward) for one in model.scores},
            }
            for model in models
        ],
        "pairs": [{**pair._asdict(), "difference": _estimate(pair.difference)} for pair in pairs_of(models)],
    }


def bench_json(models: Sequence[ModelScores], tasks: TaskSet) -> str:
    return json.dumps(bench_values(tasks, models), indent=2) + "\n"


def _group_values(group: GroupScore) -> dict[str, object]:
    return {**group._asdict(), "solved": _estimate(group.solved)}


def _estimate(found: Estimate | None) -> dict[str, float] | None:
    return None if found is None else found._asdict()


def figure(models: Sequence[ModelScores]) -> Figure:
    """Solved tasks of each model by task, band, size and form, with intervals.

    Raises SatsweepError without matplotlib.
    """
    from satsweep.arena.canvas import check_installed

    check_installed()
    styles: list[dict[str, Any]] = [line_style(at) | {"linestyle": ""} for at in range(len(models))]
    drawing, panels = framed(
        list(_TITLES.values()),
        width=4.6,
        height=2.2,
        title="Solved tasks of satsweep bench",
        subtitle="Percent, with 95 % intervals",
        foot=["All answered tasks; the tables have the numbers."],
        legend=[(model.label, style) for model, style in zip(models, styles, strict=True)],
    )
    for axes, by in zip(panels, _TITLES, strict=True):
        names = list(dict.fromkeys(group.name for model in models for group in groups_of(model.counted, by)))
        for at, (model, style) in enumerate(zip(models, styles, strict=True)):
            step = 0.12 * (at - (len(models) - 1) / 2)
            for group in groups_of(model.counted, by):
                if group.solved is not None:
                    place, solved = names.index(group.name) + step, group.solved.scaled(100)
                    axes.vlines(place, solved.low, solved.high, color=style["color"], linewidth=2, alpha=0.55)
                    axes.plot([place], [solved.mean], clip_on=False, **style)
        axes.set_xticks(range(len(names)), [name.replace(" ", "\n", 1) for name in names])
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(0, 100)
        axes.grid(axis="x", visible=False)
    return drawing


def bench_page(tasks: TaskSet, models: Sequence[ModelScores]) -> str:
    """Page with the figure and all tables; SatsweepError without matplotlib."""
    from markupsafe import Markup

    return page_of(
        "bench.html",
        title="Minesweeper for language models",
        tasks=f"{len(models[0].scores):,}",
        digest=tasks.digest,
        seed=tasks.seed,
        figure=Markup(inline_svg(figure(models), "figure-")),
        tables=list(tables_of(models)),
        note=NOTE,
    )
