"""Command ``bench``: ask, score, compare, in the words of a new user; a server on this machine stands for a model."""

import json
import os
import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from satsweep.learn.bench.answers import Answers
from satsweep.learn.bench.tasks import CANARY, TaskSet
from tests import EXAMPLES
from tests.cli import invoke, posix, said, start, validate
from tests.learn.bench import few
from tests.learn.bench.test_models import RIGHT, completion, python, serving

TASKS = few(1)
EXACT = f"cmd: {sys.executable} {EXAMPLES / 'bench' / 'exact.py'}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.jsonl").write_text(TASKS.text)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return tmp_path


@pytest.mark.extended
def test_a_player_is_asked_and_scored(folder: Path) -> None:
    done = invoke("bench", "--model", "sat", "--count", 3)
    assert (done.exit_code, done.stderr) == (0, "answers are in bench-sat.jsonl\n")
    assert re.search(r"^sat +100\.0 .* 2 of 2$", done.stdout, re.MULTILINE)
    again = invoke("bench", "bench-sat.jsonl", "--count", 3)
    assert again.stdout == done.stdout
    partly = invoke("bench", "bench-sat.jsonl", "--json")
    validate(json.loads(partly.stdout), "bench")
    assert json.loads(partly.stdout)["models"][0]["all"]["answered"] == 2  # the third is a task ``nothing``


def test_players_are_compared_in_pairs(folder: Path) -> None:
    for name in ("basic", "sat"):
        assert invoke("bench", "--model", name, "--tasks", "few.jsonl", f"{name}.jsonl").exit_code == 0
    done = invoke("bench", "basic.jsonl", "sat.jsonl", "--tasks", "few.jsonl", "--html", "page.html", "--json")
    values = json.loads(done.stdout)
    validate(values, "bench")
    assert [pair["tasks"] for pair in values["pairs"]] == [len(TASKS.tasks) - 1]  # all but the task ``nothing``
    assert values["pairs"][0]["only_first"] == 0 < values["pairs"][0]["only_second"]
    assert "<svg" in Path("page.html").read_text()


@pytest.mark.extended
@pytest.mark.parametrize(
    "variant", ["", "--symbols letters", "--symmetry quarter-turn", "--symmetry mirrored --symbols signs"]
)
def test_a_program_that_reads_the_text_solves_every_task(variant: str, folder: Path) -> None:
    """The text has all that is needed, in every form, symmetry and with other symbols."""
    tasks = TaskSet("forms", few(2).tasks[:-2])
    Path("forms.jsonl").write_text(tasks.text)
    assert len({task.form for task in tasks.tasks}) == 4
    done = invoke("bench", "--model", EXACT, "--tasks", "forms.jsonl", *variant.split(), "--json", "out.jsonl")
    assert done.exit_code == 0
    assert set(json.loads(done.stdout)["models"][0]["scores"].values()) == {"1"}


def test_an_address_is_asked_with_the_key_of_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[object]()

    def handle(request: dict[str, object], headers: dict[str, str]) -> tuple[int, object]:
        seen.append((request["model"], request["top_p"], headers.get("Authorization")))
        return completion(RIGHT)

    monkeypatch.setenv("OWN_KEY", "secret")
    with serving(handle) as url:
        options = ("--url", url, "--key-variable", "OWN_KEY", "--request", '{"top_p": 1}', "--jobs", 2)
        done = invoke("bench", "--model", "org/small", *options, "--tasks", "few.jsonl", "--task", "deduce")
    assert (done.exit_code, seen) == (0, [("org/small", 1, "Bearer secret")])
    kept = Path("bench-org-small.jsonl").read_text()
    assert "secret" not in kept and CANARY in kept and RIGHT.split(";")[0] in kept


def test_a_refusal_ends_the_run_with_one_line(folder: Path) -> None:
    with serving(lambda request, headers: (401, {"error": {"message": "wrong key"}})) as url:
        done = invoke("bench", "--model", "small", "--url", url, "--tasks", "few.jsonl")
    assert (done.exit_code, done.stdout, done.stderr) == (3, "", f"{url}/chat/completions: 401 wrong key\n")


@pytest.mark.extended
@posix
def test_an_interrupt_loses_nothing(folder: Path) -> None:
    """The command interrupts its owner after three replies, and hangs; the next run goes on."""
    code = (
        "import os, signal, sys, time; sys.stdin.read(); n = len(open('out.jsonl').readlines()) if os.path.exists("
        "'out.jsonl') else 0; print('none') if n < 4 else (open('hang', 'w').close(), time.sleep(600))"
    )
    tasks = TaskSet("single", TASKS.tasks[:5])
    Path("single.jsonl").write_text(tasks.text)
    process = start("bench", "--model", python(code), "--tasks", "single.jsonl", "out.jsonl", "--jobs", 1, cwd=folder)
    assert process.stderr is not None
    while not (folder / "hang").exists() and process.poll() is None:
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert b"interrupted after 3 of 5 tasks; the next run of out.jsonl goes on" in process.stderr.read()
    assert process.stdout is not None
    process.stdout.close()
    process.stderr.close()
    assert len(Answers(folder / "out.jsonl", tasks).replies) == 3
    shutil.copy("out.jsonl", "kept.jsonl")
    done = invoke("bench", "kept.jsonl", "--tasks", "single.jsonl", "--json")
    answered = [one for one in json.loads(done.stdout)["models"][0]["scores"].values() if one is not None]
    assert len(answered) == 3


def test_prompts_are_written_for_answers_made_elsewhere(folder: Path) -> None:
    done = invoke("bench", "--prompts", "prompts.jsonl", "--tasks", "few.jsonl", "--symbols", "letters")
    rows = [json.loads(line) for line in Path("prompts.jsonl").read_text().splitlines()]
    assert (done.stdout, done.stderr) == ("", f"prompts.jsonl: {len(TASKS.tasks)} prompts\n")
    assert {tuple(row) for row in rows} == {("id", "turn", "prompt", "canary")} and "a=0 b=1" in rows[0]["prompt"]


def test_tasks_of_another_seed_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.learn.bench.maker.make_tasks", lambda seed, **_: TaskSet(seed, TASKS.tasks))
    assert invoke("bench", "--seed", "own", "--tasks", "own.jsonl").exit_code == 0
    assert json.loads(Path("own.jsonl").read_text().partition("\n")[0])["seed"] == "own"
    done = invoke("bench", "--model", "sat", "--seed", "own", "--tasks", "own.jsonl", "--count", 1)
    assert done.exit_code == 0 and "1 of 1" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("--model", "small"), 2, "expected 'cmd: COMMAND', a player among constant, most-covered, random, basic,"),
        (("--model", "sat", "--url", "here"), 2, "expected an address such as http://127.0.0.1:8000/v1"),
        (("--url", "http://here"), 2, "expected it with --model only"),
        (("--timeout", "1"), 2, "expected it with --model only"),
        (("--model", "sat", "--retries", "1"), 2, "expected it with --url only"),
        (("--model", "sat", "a.jsonl", "b.jsonl"), 2, "expected one file with --model"),
        (("--model", "m", "--url", "http://here", "--request", "[]"), 2, "expected a JSON object"),
        (("--model", "m", "--url", "http://here", "--key-variable", "NO_KEY"), 2, "expected an environment variable"),
        (("--model", "sat", "--symmetry", "sideways"), 2, "expected a symmetry among none, upside-down"),
        (("--model", "sat", "--symbols", "abc"), 2, "expected symbols among usual, letters, signs"),
        (("--model", "sat", "--task", "chess"), 2, "expected a task among deduce, nothing, guess, why, risk, game"),
        (("--seed", "1"), 2, "expected --tasks FILE, where the tasks are kept"),
        (("--seed", "1", "--tasks", "few.jsonl"), 2, "expected the seed of few.jsonl, 'few', found '1'"),
        (("--tasks", "none.jsonl", "few.jsonl"), 3, "none.jsonl: expected a readable file: No such file or directory"),
        (("none.jsonl",), 3, "none.jsonl: expected a readable file: No such file or directory"),
        (("few.jsonl",), 3, "few.jsonl:1: expected"),
        (("--model", "cmd: no-such-program-here", "--count", "1"), 3, "expected a program that can be run"),
        (("few.jsonl", "--html", "few.jsonl"), 2, "expected another file than that of FILE"),
        (("--prompts", "p.jsonl", "a.jsonl", "b.jsonl"), 2, "expected one file at most with --prompts"),
        ((), 2, "expected --model, answers to score, --prompts, or --seed"),
    ],
)
def test_what_is_wrong_is_one_line(words: tuple[str, ...], code: int, error: str, folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    done = invoke("bench", *words)
    assert (done.exit_code, done.stdout) == (code, "") and error in said(done.stderr)
    assert code == 2 or done.stderr.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == before
