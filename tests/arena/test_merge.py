"""Parts of a run: ranges of games in stores of their own, and what a merge makes of them."""

import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from satsweep.arena import compare
from satsweep.arena.blocks import versions
from satsweep.arena.packed_games import pack
from satsweep.arena.plan import Plan
from satsweep.arena.result import FAILED, Result
from satsweep.arena.run import merge, report_on, run_plan
from satsweep.arena.sprt import Sprt
from satsweep.arena.store import Store
from satsweep.errors import BoardError, StoreError
from satsweep.games.rules import Rules
from satsweep.games.setting import Setting, settings_by_kind
from tests.arena.reports import Serial, run_results, untimed
from tests.cli import invoke

SETTING = Setting(5, 5, 4)
PLAN = Plan(("basic", "gem", "sat"), (SETTING, Setting(4, 4, 3)), games=40, seed="parts")


def played(path: Path, plan: Plan, first: int, end: int) -> Path:
    with Store(path) as store:
        run_plan(replace(plan, first=first, games=end), Serial(), store)
    return path


def merged(into: Path, *parts: Path) -> list[tuple[int, int]]:
    """The games of each run of the parts, and those that were new."""
    with Store(into) as store:
        found = []
        for part in parts:
            with Store(part, writing=False) as source:
                found += [(games, new) for _, games, new in merge(store, [source])]
        return found


def results_of(path: Path) -> list[Result]:
    with Store(path, writing=False) as store:
        return untimed(store.run().results())


@pytest.mark.extended
@pytest.mark.parametrize("plays", [1, 3])
@pytest.mark.parametrize("ranges", [[(0, 17), (17, 40)], [(25, 40), (0, 30)], [(0, 40), (8, 12)]], ids=str)
def test_parts_are_the_whole_run(tmp_path: Path, ranges: list[tuple[int, int]], plays: int) -> None:
    """Games that several parts have count once; parts come in any order, and may cut a layout."""
    plan = replace(PLAN, plays=plays)
    parts = [played(tmp_path / f"{number}.db", plan, *ends) for number, ends in enumerate(ranges)]
    for part, (first, end) in zip(parts, ranges, strict=True):
        assert {result.game for result in results_of(part)} == {*range(first, end)}
    expected = run_results(plan, Serial())
    counts = merged(tmp_path / "all.db", *parts)
    assert sum(new for _, new in counts) == len(expected) == 240
    assert [games for games, _ in counts] == [6 * (end - first) for first, end in ranges]
    assert results_of(tmp_path / "all.db") == expected
    assert [new for _, new in merged(tmp_path / "all.db", *parts)] == [0] * len(parts), "a merge may be repeated"
    with Store(tmp_path / "all.db", writing=False) as store, Store() as fresh:
        found = report_on(store.run(), plan)
        assert list(found.csv()) == list(run_plan(plan, Serial(), fresh).csv())


def test_a_part_plays_and_reports_its_own_games(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        run_plan(replace(PLAN, games=10), Serial(), store)
        seen = []
        part = replace(PLAN, first=30)
        report = run_plan(part, Serial(), store, lambda now: seen.append((now.played, now.total)))
        assert seen[0] == (0, 60) and seen[-1] == (60, 60)
        assert [row.games for row in report.summaries] == [10] * 6
        assert [pair.games for section in report.sections for pair in section.comparisons] == [10] * 6
        assert {result.game for result in store.run().results()} == {*range(10), *range(30, 40)}
        assert [row.games for row in report_on(store.run()).summaries] == [20] * 6


def test_parts_of_given_layouts(tmp_path: Path) -> None:
    layouts = [SETTING.layout("given", number)[0] for number in range(9)]
    plan = replace(PLAN, settings=settings_by_kind(layouts, Rules()), games=None)
    parts = [played(tmp_path / f"{first}.db", plan, first, first + 4) for first in (0, 4, 8, 12)]
    assert [len(results_of(part)) for part in parts] == [12, 12, 3, 0]
    merged(tmp_path / "all.db", *parts)
    assert results_of(tmp_path / "all.db") == run_results(plan, Serial())


def test_a_part_that_was_killed_is_taken_as_far_as_it_got(tmp_path: Path) -> None:
    """Whole blocks are there; what is missing is played afterwards."""
    part = tmp_path / "killed.db"
    code = (
        "import os, signal\n"
        "from tests.arena.test_merge import *\n"
        "def watch(progress):\n"
        "    if progress.played > 30:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        f"run_plan(replace(PLAN, first=20), Serial(), Store({str(part)!r}), watch)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code], check=False)
    assert killed.returncode == -signal.SIGKILL
    first = played(tmp_path / "first.db", PLAN, 0, 20)
    expected, into = run_results(PLAN, Serial()), tmp_path / "all.db"
    counts = merged(into, first, part)
    assert counts[0] == (120, 120) and 30 < counts[1][1] < 120
    assert set(results_of(into)) < set(expected)
    assert not any(result.game < 20 for result in results_of(part))
    played(into, PLAN, 0, 40)
    assert results_of(into) == expected


def test_a_merge_that_was_interrupted_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where games were stored of some agents only."""
    monkeypatch.setattr("satsweep.arena.store.FEW", 0)
    part = played(tmp_path / "part.db", PLAN, 0, 40)
    with Store(tmp_path / "all.db") as store, Store(part, writing=False) as source:
        run = store.adopt(source.run())
        run.add(pack(list(source.run().results())[:100]))
    assert merged(tmp_path / "all.db", part) == [(240, 140)]
    assert results_of(tmp_path / "all.db") == results_of(part)


def test_parts_of_other_versions_are_refused(tmp_path: Path) -> None:
    first, second = (played(tmp_path / f"{first}.db", PLAN, first, first + 20) for first in (0, 20))
    with Store(second) as store:
        store._db.execute("UPDATE runs SET versions = json_set(versions, '$.satsweep', '0.0.9')")
        store._db.commit()
    with pytest.raises(StoreError) as caught:
        merged(tmp_path / "all.db", first, second)
    said = f"{second}: expected the versions that began run 1: satsweep {versions()['satsweep']}, found 0.0.9"
    assert str(caught.value).startswith(said)
    assert results_of(tmp_path / "all.db") == results_of(first), "nothing of it was taken"


def test_two_results_of_one_game_are_refused(tmp_path: Path) -> None:
    first, second = (played(tmp_path / f"{name}.db", PLAN, start, 20) for name, start in (("a", 0), ("b", 10)))
    with Store(second) as store:
        rows = [
            result._replace(won=1 - result.won) if result[:3] == (1, 12, 2) else result
            for result in store.run().results()
        ]
        store._db.execute("DELETE FROM blocks")
        store._db.commit()
        store.run().add(pack(rows))
    (true,) = (one for one in results_of(first) if (one.setting, one.game, one.agent) == (1, 12, 2))
    message = f"has of game 12 of sat on {PLAN.settings[1]}, won {true.won}, found {1 - true.won}"
    with pytest.raises(StoreError, match=re.escape(message)):
        merged(tmp_path / "all.db", first, second)
    assert results_of(tmp_path / "all.db") == results_of(first), "nothing of it was taken"
    done = invoke("results", "merge", tmp_path / "all.db", second)
    assert (done.exit_code, done.stderr.count("\n")) == (3, 1) and message in done.stderr


def test_a_part_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Beside a block of few games it would become a part of it."""
    first, second = (played(tmp_path / f"{first}.db", PLAN, first, first + 20) for first in (0, 20))
    with Store(second) as store:
        store._db.execute("UPDATE blocks SET packed = x'00'")
        store._db.commit()
    merged(tmp_path / "all.db", first)
    done = invoke("results", "merge", tmp_path / "all.db", second)
    assert (done.exit_code, done.stderr.count("\n")) == (
        3,
        1,
    ) and "cannot be read: expected packed games" in done.stderr
    assert results_of(tmp_path / "all.db") == results_of(first)


def test_other_runs_stay_apart(tmp_path: Path) -> None:
    parts = [played(tmp_path / f"{seed}.db", replace(PLAN, seed=seed), 0, 5) for seed in ("a", "b")]
    merged(tmp_path / "all.db", *parts)
    with Store(tmp_path / "all.db", writing=False) as store:
        assert [(run.plan.seed, run.games) for run in store.runs()] == [("a", 30), ("b", 30)]


@pytest.mark.parametrize("failed_first", [True, False])
def test_a_game_that_failed_in_one_part_is_one_game(tmp_path: Path, failed_first: bool) -> None:
    """The part that is merged first has it, with or without its failure."""
    plan = replace(PLAN, agents=("basic",), settings=(SETTING,))
    lost = Result(0, 0, 0, FAILED, message="late", layout="*.")
    paths = [tmp_path / "failed.db", played(tmp_path / "played.db", plan, 0, 3)]
    with Store(paths[0]) as store:
        store.begin(plan, versions()).add(pack([lost]))
    merged(tmp_path / "all.db", *(paths if failed_first else paths[::-1]))
    with Store(tmp_path / "all.db", writing=False) as store:
        run = store.run()
        assert [result.failed for result in run.results()] == [failed_first, False, False]
        assert run.failures() == ([lost] if failed_first else [])
        assert len(report_on(run).failures) == int(failed_first)


def test_a_sequential_test_begins_at_the_first_game() -> None:
    with pytest.raises(BoardError, match="expected games from 0 on with a sequential test, found 5"):
        Plan(("basic", "gem"), (SETTING,), first=5, sprt=Sprt(0, 5))


def test_a_range_from_python(tmp_path: Path) -> None:
    with Serial() as workers:
        report = compare(["basic"], "5x5/4", games=range(3, 8), workers=workers, store=tmp_path / "a.db")
    assert report.rows()[0]["games"] == 5
    assert [result.game for result in results_of(tmp_path / "a.db")] == [*range(3, 8)]
    for games in (range(5, 5), range(0, 9, 2)):
        with pytest.raises(ValueError, match="expected"):
            compare(["basic"], "5x5/4", games=games)


@pytest.mark.extended
def test_the_commands(tmp_path: Path) -> None:
    parts = [str(tmp_path / f"{number}.db") for number in range(2)]
    options = ("--agents", "basic,gem", "--board", "5x5/4", "--jobs", 1, "--json")
    for part, games in zip(parts, ("0:6", "4:10"), strict=True):
        done = invoke("compare", *options, "--games", games, "--store", part)
        assert (done.exit_code, done.stderr) == (0, "")
    into = str(tmp_path / "all.db")
    done = invoke("results", "merge", into, *parts)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        f"{parts[0]}: 12 games of single agents, in run 1\n"
        f"{parts[1]}: 12 games of single agents, 4 of them there already, in run 1\n"
    )
    assert "20 games of single agents" in invoke("results", into).stdout
    same = invoke("compare", *options, "--games", 10).stdout
    assert [one["games"] for one in json.loads(same)["settings"][0]["agents"]] == [10, 10]
    for words, code, said in (
        (("results", "merge", into, into), 2, "expected another file"),
        (("compare", *options, "--games", "-1"), 2, "expected a number from 1"),
        (("compare", *options, "--games", "3:9", "--sprt", "0,5"), 2, "expected games from 0 on"),
    ):
        done = invoke(*words)
        assert done.exit_code == code and said in " ".join(done.stderr.replace("│", " ").split()), words
