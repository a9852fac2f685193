"""Scores of answers: exact, without luck, in groups, and paired between models.

A task is *solved* if its replies earn 1, and *points* are the mean of what they earn. Both depend on what can be known
alone: the same replies have the same score in every layout that agrees with the board. A share has Wilson's interval,
and two models are compared on the tasks that both have answered (McNemar), as ``satsweep compare`` does.

``none`` is right in every task ``nothing``, so these count apart, with ``deduce``, as one question: is anything certain
here? Its score is the *balanced accuracy*, the mean of two shares: of ``deduce``, the replies that name a covered cell,
and of ``nothing``, those that are right. Any constant reply has at most a half.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from satsweep.arena.stats import Estimate, difference, mcnemar, share
from satsweep.learn.bench.answers import Answers
from satsweep.learn.bench.tasks import KINDS, BenchTask
from satsweep.learn.bench.variants import Variant
from satsweep.learn.corpus.bands import BANDS
from satsweep.learn.envs.text import OBSERVATIONS


class TaskScore(NamedTuple):
    """Earnings of the replies to a task, from 0 to 1; None if it is not done.

    ``names_a_cell`` is True if a reply claims something of a covered cell.
    """

    task: BenchTask
    reward: Fraction | None
    names_a_cell: bool = False

    @property
    def is_solved(self) -> bool:
        return self.reward == 1


@dataclass(frozen=True, slots=True)
class ModelScores:
    """Scores of a file of answers, task by task; ``late`` counts replies out of time."""

    model: str
    variant: Variant
    scores: tuple[TaskScore, ...]
    late: int = 0

    @property
    def label(self) -> str:
        """The model, with its variant where that is not the usual one."""
        return self.model if self.variant == Variant() else f"{self.model} ({self.variant})"

    @property
    def counted(self) -> list[TaskScore]:
        """The scores of all tasks but ``nothing``, which a constant reply solves."""
        return [one for one in self.scores if one.task.task != "nothing"]

    @property
    def noticed(self) -> Estimate | None:
        """Balanced accuracy of whether anything is certain; None if either is unanswered."""
        done = [one for one in self.scores if one.reward is not None]
        some = [one.names_a_cell for one in done if one.task.task == "deduce"]
        none = [one.is_solved for one in done if one.task.task == "nothing"]
        return balanced(share(sum(some), len(some)), share(sum(none), len(none)))


def balanced(first: Estimate | None, second: Estimate | None) -> Estimate | None:
    """Mean of two independent shares, with an interval from theirs.

    The interval is the method of variance estimates recovery (Zou and Donner 2008).
    """
    if first is None or second is None:
        return None
    middle = (first.mean + second.mean) / 2
    below = math.hypot(first.mean - first.low, second.mean - second.low) / 2
    above = math.hypot(first.high - first.mean, second.high - second.mean) / 2
    return Estimate(middle, middle - below, middle + above)


class GroupScore(NamedTuple):
    """Tasks with something in common: how many, answered, solved, and mean points."""

    name: str
    tasks: int
    answered: int
    solved: Estimate | None
    points: float | None


GROUPS: dict[str, tuple[Callable[[BenchTask], str | None], Sequence[str] | None]] = {
    "task": (lambda task: task.task, tuple(name for name in KINDS if name != "nothing")),
    "band": (lambda task: task.band if task.task in ("deduce", "why") else None, BANDS),
    "size": (lambda task: task.size, None),
    "form": (lambda task: task.form, tuple(OBSERVATIONS)),
}
"""Groups of tasks, and their order; bands are those of ``deduce`` and ``why``."""


def score(
    answers: Answers, tasks: Iterable[BenchTask], shown: Callable[[int], None] = lambda done: None
) -> ModelScores:
    """Score the answers of a file; ``shown`` is told how many tasks are done."""
    found = []
    for done, task in enumerate(tasks, 1):
        episode = answers.episode(task)
        found.append(TaskScore(task, episode.reward if episode.is_over else None, episode.names_a_cell))
        shown(done)
    return ModelScores(answers.model, answers.variant, tuple(found), answers.late)


def of_group(name: str, scores: Sequence[TaskScore]) -> GroupScore:
    rewards = [one.reward for one in scores if one.reward is not None]
    solved = share(rewards.count(Fraction(1)), len(rewards))
    points = float(sum(rewards) / len(rewards)) if rewards else None
    return GroupScore(name, len(scores), len(rewards), solved, points)


def groups_of(scores: Sequence[TaskScore], by: str) -> Iterator[GroupScore]:
    """The groups of a kind that have tasks, in order."""
    group, order = GROUPS[by]
    found: dict[str, list[TaskScore]] = {name: [] for name in order or ()}
    for one in scores:
        if (name := group(one.task)) is not None:
            found.setdefault(name, []).append(one)
    names = list(found) if order else sorted(found, key=_area)
    yield from (of_group(name, found[name]) for name in names if found[name])


def _area(size: str) -> int:
    rows, _, cols = size.partition("/")[0].partition("x")
    return int(rows) * int(cols)


class ModelPair(NamedTuple):
    """Two models on the tasks that both have answered, ``nothing`` left out.

    ``difference`` is the share that the second solves less that of the first, ``p`` that of McNemar's test.
    """

    first: str
    second: str
    tasks: int
    only_first: int
    only_second: int
    difference: Estimate | None
    p: float


def pairs_of(models: Sequence[ModelScores]) -> Iterator[ModelPair]:
    for one, other in combinations(models, 2):
        answered = {score.task.id: score for score in other.counted if score.reward is not None}
        both = [(score, answered[score.task.id]) for score in one.counted
                if score.reward is not None and score.task.id in answered]  # fmt: skip
        only_first = sum(first.is_solved and not second.is_solved for first, second in both)
        only_second = sum(second.is_solved and not first.is_solved for first, second in both)
        found = difference(len(both), only_first, only_second)
        p = mcnemar(only_first, only_second)
        yield ModelPair(one.label, other.label, len(both), only_first, only_second, found, p)
