"""Files of answers: an interrupt loses nothing, other files are refused, games go on turn by turn."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier

import pytest

from satsweep.errors import AgentError, SatsweepError
from satsweep.learn.bench.answers import Answers, ask, next_prompts
from satsweep.learn.bench.models import PLAYERS, LateReply
from satsweep.learn.bench.scores import score
from satsweep.learn.bench.tasks import CANARY, FIRST_EDITION, Episode, TaskSet
from satsweep.learn.bench.variants import Variant
from tests.learn.bench import few

TASKS = few(1)
SINGLE = TaskSet("single", tuple(task for task in TASKS.tasks if task.task != "game"))


def asked(path: Path, tasks: TaskSet = TASKS, variant: Variant | None = None) -> list[str]:
    """Have the exact engine answer what is left; the replies to what it was asked."""
    said = list[str]()

    def model(episode: Episode) -> str:
        said.append(PLAYERS["sat"](episode))
        return said[-1]

    list(ask(model, Answers(path, tasks, model="sat", variant=variant), tasks.tasks))
    return said


@pytest.mark.parametrize("end", ["", '{"id": "dedu', "\n\n"])
def test_a_run_goes_on_wherever_it_was_interrupted(end: str, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    said = asked(whole)
    lines = whole.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + len(said) and CANARY in lines[0]
    for kept in (0, 1, 3, len(lines) - 1):
        part = tmp_path / f"{kept}.jsonl"
        part.write_text("".join(lines[:kept]) + end)
        assert asked(part) == said[max(0, kept - 1) :]
        assert "".join(part.read_text().split()) == "".join(whole.read_text().split())
        assert asked(part) == []


def test_a_last_line_without_its_end_counts(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.jsonl"
    first, *others = SINGLE.tasks
    path.write_text(json.dumps({"id": first.id, "reply": Episode(first).position.answer}))
    assert len(asked(path, SINGLE)) == len(others)
    found = Answers(path, SINGLE)
    assert found.model == "elsewhere" and all(one.reward == 1 for one in score(found, SINGLE.tasks).scores)
    assert all(map(json.loads, path.read_text().splitlines()))


HEAD = json.dumps({"tasks": TASKS.digest, "model": "sat", "symmetry": "mirrored"})
A = TASKS.tasks[0].id


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("hm\n{}\n", "jsonl:1:1: expected JSON: expecting value"),
        ("[]\n", r"jsonl:1: expected a JSON object, found \[\]"),
        ('{"tasks": "other"}\n', 'jsonl:1: expected answers to the tasks [0-9a-f]{16}, found "other"'),
        (json.dumps({"tasks": FIRST_EDITION}), "found answers to the first edition, whose scores docs/bench.md keeps"),
        (json.dumps({"tasks": TASKS.digest, "symmetry": "sideways"}), "jsonl:1: expected a symmetry among"),
        ('{"id": "chess-1", "reply": ""}\n', 'jsonl:1: expected a task of few, found "chess-1"'),
        (f'{{"id": "{A}"}}\n', "jsonl:1: expected an object with id, turn and reply"),
        (f'{{"id": "{A}", "reply": "", "turn": "0"}}\n', "expected an object with id, turn and reply"),
        (f'{{"id": "{A}", "reply": ""}}\n' * 2, f"jsonl:2: expected one reply to turn 0 of {A}, found two"),
        (f'{{"id": "{A}", "reply": "", "turn": 1}}\n', rf"expected every turn of {A} from 0, found \[1\]"),
    ],
)
def test_files_with_other_content_are_refused(text: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(text)
    with pytest.raises(SatsweepError, match=error):
        Answers(path, TASKS)


def test_a_file_is_of_one_model_and_one_variant(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f"{HEAD}\n")
    assert Answers(path, TASKS, model="sat").variant == Variant("mirrored")
    with pytest.raises(SatsweepError, match="expected answers of the model gem, found sat; use another file"):
        Answers(path, TASKS, model="gem")
    with pytest.raises(SatsweepError, match="expected answers of the variant usual, found mirrored"):
        Answers(path, TASKS, variant=Variant())
    with pytest.raises(SatsweepError, match="No such file"):
        Answers(tmp_path / "none.jsonl", TASKS, exists=True)
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\n")
    with pytest.raises(SatsweepError, match="UTF-8"):
        Answers(tmp_path / "binary.jsonl", TASKS)
    (tmp_path / "folder").mkdir()
    with pytest.raises(SatsweepError, match="Is a directory|Permission denied"):
        Answers(tmp_path / "folder", TASKS)


def test_an_answer_after_the_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": A, "turn": turn, "reply": "none"}) + "\n" for turn in (0, 1)))
    with pytest.raises(SatsweepError, match=f"expected no reply to {A} after its end"):
        score(Answers(path, TASKS), TASKS.tasks)


def test_an_error_ends_the_run_and_keeps_what_was_said(tmp_path: Path) -> None:
    path, replies = tmp_path / "answers.jsonl", iter(["none", "none"])

    def model(episode: Episode) -> str:
        if (reply := next(replies, None)) is None:
            raise AgentError("no more credit")
        return reply

    with pytest.raises(AgentError, match="no more credit"):
        list(ask(model, Answers(path, SINGLE), SINGLE.tasks))
    assert len(Answers(path, SINGLE).replies) == 2


def test_a_late_reply_scores_nothing_and_is_counted(tmp_path: Path) -> None:
    def model(episode: Episode) -> str:
        raise LateReply("late")

    path = tmp_path / "answers.jsonl"
    list(ask(model, Answers(path, SINGLE), SINGLE.tasks))
    found = score(Answers(path, SINGLE), SINGLE.tasks)
    assert found.late == len(SINGLE.tasks) and {one.reward for one in found.scores} == {0}


def test_several_tasks_are_asked_at_once(tmp_path: Path) -> None:
    """Each waits for the other one, so one at a time would never end."""
    together = Barrier(2, timeout=60)

    def model(episode: Episode) -> str:
        together.wait()
        return "none"

    pair = TaskSet("pair", SINGLE.tasks[:2])
    path = tmp_path / "answers.jsonl"
    done = list(ask(model, Answers(path, pair), pair.tasks, jobs=2))
    assert {task.id for task in done} == set(Answers(path, pair).replies) == set(pair.by_id)


def rounds(path: Path, tasks: TaskSet) -> Iterator[int]:
    """Prompts of one round after another, answered elsewhere."""
    solved = {task.id: Episode(task) for task in tasks.tasks}
    while rows := list(next_prompts(tasks.tasks, Answers(path, tasks, exists=True))):
        yield len(rows)
        for row in rows:
            episode = solved[row["id"]]
            assert (row["prompt"], row["canary"]) == (episode.prompt, CANARY)
            answer = {"id": row["id"], "turn": row["turn"], "reply": episode.position.answer}
            episode.answer(answer["reply"])
            with path.open("a") as file:
                file.write(json.dumps(answer) + "\n")


def test_answers_that_are_made_elsewhere_round_by_round(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.touch()
    counts = list(rounds(path, TASKS))
    assert counts[0] == len(TASKS.tasks) and set(counts[1:]) == {1} and len(counts) > 3
    assert all(one.reward == 1 for one in score(Answers(path, TASKS), TASKS.tasks).scores)
    first = list(next_prompts(TASKS.tasks, variant=Variant("mirrored")))
    assert len(first) == len(TASKS.tasks) and first[0]["turn"] == 0
