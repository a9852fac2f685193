"""Scores: shares with intervals by group, pairs on the same tasks, tables, page and JSON of them."""

import re
from fractions import Fraction
from pathlib import Path

from satsweep.arena.stats import difference, mcnemar, share
from satsweep.learn.bench.report import bench_page, bench_text, bench_values
from satsweep.learn.bench.scores import GROUPS, ModelScores, TaskScore, groups_of, of_group, pairs_of
from satsweep.learn.bench.variants import Variant
from tests.cli import validate
from tests.learn.bench import FROZEN

TASKS = [task for task in FROZEN.tasks if task.task != "nothing"][:100]


def scores(name: str, *rewards: float | None, variant: Variant | None = None) -> ModelScores:
    """Scores of a model whose rewards repeat."""
    found = (None if one is None else Fraction(one) for one in rewards * len(TASKS))
    return ModelScores(name, variant or Variant(), tuple(map(TaskScore, TASKS, found)))


HALF, NONE, PART = scores("half", 1, 0), scores("none", 0), scores("part", 1, 0.5, None, 1)


def test_shares_are_of_answered_tasks() -> None:
    found = of_group("all", PART.scores)
    assert (found.tasks, found.answered, found.solved, found.points) == (100, 75, share(50, 75), 62.5 / 75)
    none = of_group("all", scores("nobody", None).scores)
    assert (none.answered, none.solved, none.points) == (0, None, None)


def test_tasks_in_which_nothing_is_certain_count_apart() -> None:
    """With ``deduce`` they ask whether anything is: the mean of two shares, not the share of all."""
    deduce, nothing = ([task for task in FROZEN.tasks if task.task == name][:10] for name in ("deduce", "nothing"))
    found = [TaskScore(task, Fraction(1, 4), at < 8) for at, task in enumerate(deduce)]
    found += [TaskScore(task, Fraction(at < 3), at >= 3) for at, task in enumerate(nothing[:5])]
    model = ModelScores("some", Variant(), tuple(found))
    assert [one.task.task for one in model.counted] == ["deduce"] * 10
    assert [group.name for group in groups_of(model.counted, "task")] == ["deduce"]
    first, second, both = share(8, 10), share(3, 5), model.noticed
    assert first is not None and second is not None and both is not None
    assert both.mean == (first.mean + second.mean) / 2
    assert first.low / 2 + second.low / 2 < both.low < both.mean < both.high < first.high / 2 + second.high / 2
    assert ModelScores("none", Variant(), tuple(found[:10])).noticed is None
    assert list(pairs_of([model, model]))[0].tasks == 10


def test_every_task_is_in_its_group() -> None:
    for by in GROUPS:
        groups = list(groups_of(HALF.scores, by))
        asked = [task for task in TASKS if by != "band" or task.task in ("deduce", "why")]
        assert sum(group.tasks for group in groups) == len(asked)
        assert len({group.name for group in groups}) == len(groups)
    assert [group.name for group in groups_of(HALF.scores, "size")] == ["9x9/10", "20x10/35", "16x16/40", "16x30/99"]


def test_pairs_are_compared_on_the_tasks_that_both_have_answered() -> None:
    (pair,) = pairs_of([HALF, PART])
    # of four tasks: 1 and 1, 0 and a half, 1 and none, 0 and 1
    assert pair[:5] == ("half", "part", 75, 0, 25)
    assert pair.difference == difference(75, 0, 25) and pair.p == mcnemar(0, 25)
    (other,) = pairs_of([PART, HALF])
    assert other[:5] == ("part", "half", 75, 25, 0)
    assert " +33.3 ± " in bench_text([HALF, PART]) and " -33.3 ± " in bench_text([PART, HALF])


def test_tables_name_models_and_variants() -> None:
    turned = scores("half", 1, 0, variant=Variant("mirrored", "letters"))
    text = bench_text([HALF, turned, PART, scores("nobody", None)])
    assert "half (mirrored, letters)" in text and "75 of 100" in text
    (line,) = re.findall(r"^half  .*of 100$", text, re.MULTILINE)
    assert line.split() == ["half", "50.0", "40.4", "to", "59.6", "50.0", "100", "of", "100"]
    assert all(title in text for title in ("Solved by task", "Solved by band", "Solved by size", "Pairs of models"))
    assert "Pairs of models" not in bench_text([HALF])


def test_values_are_as_their_schema_says() -> None:
    values = bench_values(FROZEN, [HALF, PART])
    validate(values, "bench")
    validate(bench_values(FROZEN, [scores("nobody", None)]), "bench")


def test_the_page_has_a_figure_and_all_tables(tmp_path: Path) -> None:
    page = bench_page(FROZEN, [HALF, scores("<b>", 1)])
    assert page.count("<svg") == 1 and "&lt;b&gt;" in page and "<b>" not in page
    assert all(f"<h2>{title}" in page for title in ("All tasks", "Solved by task", "Pairs of models"))
    assert bench_page(FROZEN, [HALF]) == bench_page(FROZEN, [HALF])
