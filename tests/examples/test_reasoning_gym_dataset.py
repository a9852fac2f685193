"""Door to reasoning-gym: its datasets hold our questions, and score answers as we do."""

import json
from typing import Any

import pytest

from satsweep.learn.envs.tasks import TASKS, deal

reasoning_gym = pytest.importorskip("reasoning_gym", reason="reasoning-gym is not installed")

import reasoning_gym_dataset  # noqa: E402, F401  registers the dataset


def created(**options: Any) -> Any:
    return reasoning_gym.create_dataset("minesweeper", **{"board": "5x5/5", "seed": 7, "size": 4, **options})


@pytest.mark.parametrize("task", TASKS)
def test_right_answers_earn_one_and_no_answer_nothing(task: str) -> None:
    """In full, and without the words that stand around them."""
    dataset = created(task=task)
    assert len(list(dataset)) == len(dataset) == 4
    for number, entry in enumerate(dataset):
        assert entry["question"] == deal(task, f"7/{number}", board="5x5/5").prompt
        bare = entry["answer"].removeprefix("risk ").removeprefix("open ")
        for answer in (entry["answer"], bare, f"I think: {entry['answer']}"):
            assert dataset.score_answer(answer, entry) == 1.0
        assert [dataset.score_answer(wrong, entry) for wrong in (None, "", "no idea")] == [0.0, 0.0, 0.0]


def test_entries_survive_json() -> None:
    dataset = created(task="why")
    for entry in dataset:
        assert dataset.score_answer(entry["answer"], json.loads(json.dumps(entry))) == 1.0


def test_datasets_are_dealt_by_seed() -> None:
    assert list(created()) == list(created())
    assert list(created()) != list(created(seed=8))


def test_wrong_options() -> None:
    for options, expected in (({"task": "guess"}, "task among deduce, move, risk, why"),
                              ({"needs": "luck"}, "needs among None, single"),
                              ({"board": "huge"}, "beginner, intermediate, expert")):  # fmt: skip
        with pytest.raises(ValueError, match=f"expected {expected}"):
            created(**options)


def test_a_composite_takes_them_as_any_other() -> None:
    """The form in which other libraries load several datasets at once."""
    specs = [
        reasoning_gym.composite.DatasetSpec(name=name, weight=1, config={}) for name in ("minesweeper", "leg_counting")
    ]
    mixed = reasoning_gym.create_dataset("composite", size=6, seed=1, datasets=specs)
    assert {entry["metadata"]["source_dataset"] for entry in mixed} == {"minesweeper", "leg_counting"}
    assert all(mixed.score_answer(entry["answer"], entry) == 1.0 for entry in mixed)
