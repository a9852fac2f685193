"""Tests of ``satsweep/learn/bench``: a few tasks of every kind, shared by all of them."""

from satsweep.learn.bench.tasks import KINDS, BenchTask, TaskSet, frozen_tasks

FROZEN = frozen_tasks()


def few(each: int = 2, size: str = "9x9/10") -> TaskSet:
    """Tasks of every kind on small boards."""
    chosen: list[BenchTask] = []
    for name in KINDS:
        chosen += [task for task in FROZEN.tasks if (task.task, task.size) == (name, size)][:each]
    return TaskSet("few", tuple(chosen))
