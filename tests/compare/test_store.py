"""The store keeps what it is given, in whole blocks, and never mixes two runs."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from satsweep.board import Cell
from satsweep.compare.blocks import COUNTED, FAILED, Block, Result, play_block, versions
from satsweep.compare.export import TEXT, columns, rows
from satsweep.compare.plan import Plan
from satsweep.compare.store import Run, Store
from satsweep.compare.sums import summed
from satsweep.errors import StoreError
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting

PLAN = Plan(
    ("basic", "gem", f"{Path(__file__).with_name('troubled_agents.py')}:raises"),
    (Setting(5, 5, 4), Setting(4, 6, 5, Rules(FirstClick.ANY, fatal=False))),
    games=20,
)


def played(plan: Plan = PLAN) -> list[Result]:
    return [
        result
        for setting in range(len(plan.settings))
        for result in play_block(Block.of(plan, setting, 0, plan.games or 0)).results
    ]


RESULTS = played()
CHAINS = replace(PLAN, agents=("basic", "gem", "sat"), chains=True)


def kept(path: Path | None = None, results: list[Result] = RESULTS) -> Run:
    run = Store(path).begin(PLAN, versions())
    run.add(results)
    return run


def test_what_is_kept_comes_back() -> None:
    shuffled = Random(1).sample(RESULTS, len(RESULTS))
    assert list(kept(results=shuffled).results()) == RESULTS
    assert 5 < sum(result.failed for result in RESULTS) < 35


def test_failures_come_with_message_and_layout() -> None:
    failures = kept().failures()
    assert failures == [result._replace(seconds=0.0) for result in RESULTS if result.failed]
    assert failures[0].message == "raises raised ValueError at troubled_agents.py:21: a three"
    assert failures[0].layout == str(PLAN.settings[0].layout("0", failures[0].game)[0])


@pytest.mark.parametrize("limit", [None, 0, 1, 7, 20, 100])
def test_sums_are_those_of_the_games(limit: int | None) -> None:
    """The sums that SQL makes are those that plain Python makes of the same games."""
    run = kept()
    below = [result for result in RESULTS if limit is None or result.game < limit]
    tallies, pairs = summed(below)
    found = run.tallies(limit)
    assert [replace(tally, seconds=0.0) for tally in found] == [replace(tally, seconds=0.0) for tally in tallies]
    assert [tally.seconds for tally in found] == pytest.approx([tally.seconds for tally in tallies])
    assert run.pairs(limit) == pairs
    assert run.failures(limit) == [result._replace(seconds=0.0) for result in below if result.failed]


def test_chains_are_kept_and_added_up() -> None:
    """Where they are told: not for sat, which does not say why, and not in games that failed."""
    failed = Result(0, 20, 0, FAILED, message="no")
    results = [*played(CHAINS), failed]
    run = Store().begin(CHAINS, versions())
    run.add(results)
    assert sorted(run.results()) == sorted(results)
    tallies, _ = summed(results)
    assert [replace(tally, seconds=0.0) for tally in run.tallies()] == [
        replace(tally, seconds=0.0) for tally in tallies
    ]
    assert [(tally.traced, tally.finished) for tally in tallies[:2]] == [(20, 20), (20, 20)]
    assert 0 <= tallies[2].traced < tallies[2].finished
    assert tallies[0].sums["chain"] == sum(result.chain or 0 for result in results if result[:3:2] == (0, 0)) > 0
    assert {tally.traced for tally in summed(RESULTS)[0]} == {0}


def test_finished_games_are_those_that_everybody_played() -> None:
    run = Store().begin(PLAN, versions())
    assert run.finished() == {}
    run.add([result for result in RESULTS if result.game in (0, 1, 5) and result.setting == 0])
    run.add([result for result in RESULTS if result.game == 7 and result.agent < 2])
    assert run.finished() == {0: [range(0, 2), range(5, 6)]}


def test_what_is_there_stays() -> None:
    run = kept()
    run.add([result._replace(outcome="cleared", won=1, turns=99) for result in RESULTS])
    assert list(run.results()) == RESULTS


def test_a_block_is_kept_as_a_whole_or_not_at_all() -> None:
    run = Store().begin(PLAN, versions())
    with pytest.raises(StoreError, match="constraint"):
        run.add([*RESULTS[:5], RESULTS[5]._replace(turns=None)])  # type: ignore[arg-type]
    assert list(run.results()) == []


def test_runs_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        first = store.begin(PLAN, versions())
        assert store.begin(replace(PLAN, games=99, seconds=5.0, title="another"), versions()).number == first.number
        others = [
            replace(PLAN, seed="1"),
            replace(PLAN, agents=("gem", "basic")),
            replace(PLAN, settings=PLAN.settings[:1]),
            replace(PLAN, settings=(replace(PLAN.settings[0], rules=Rules(start=Cell(0, 0))), PLAN.settings[1])),
            replace(PLAN, chains=True),
        ]
        assert [store.begin(plan, versions()).number for plan in others] == [2, 3, 4, 5, 6]
        first.add(RESULTS)
    with Store(path, writing=False) as store:
        assert [(run.number, run.games) for run in store.runs()] == [(1, 120), *((run, 0) for run in (2, 3, 4, 5, 6))]
        assert store.runs()[0].plan == replace(PLAN, games=None)
        assert store.runs()[5].plan == replace(PLAN, games=None, chains=True)
        assert dict(store.runs()[0].versions) == versions()
        with pytest.raises(StoreError, match="expected the number of a run, there are 1, 2, 3, 4, 5, 6"):
            store.run()
        with pytest.raises(StoreError, match="expected a run among 1, 2, 3, 4, 5, 6"):
            store.run(7)


def test_what_is_not_asked_for_leaves_no_mark_on_a_run() -> None:
    """Runs that were begun before there was such a thing go on."""
    assert "chains" not in PLAN.identity and "chains" not in PLAN.described()
    assert '"chains":true' in CHAINS.identity


def test_the_code_of_an_agent_is_part_of_a_run(tmp_path: Path) -> None:
    """Results of an agent as it was yesterday are not to be mixed with those of today."""
    mine = tmp_path / "mine.py"
    mine.write_text("def deduce(board): return (), ()\n")
    plan = Plan((f"{mine}:deduce",), (Setting(4, 4, 3),))
    before = plan.identity
    assert plan.identity == before
    mine.write_text("def deduce(board): return [], []\n")
    assert plan.identity != before


def test_other_versions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        store.begin(PLAN, {**versions(), "satsweep": "0.0.9"})
        with pytest.raises(StoreError) as caught:
            store.begin(PLAN, versions())
    now = versions()["satsweep"]
    message = f"{path}: expected what run 1 was begun with, satsweep 0.0.9, found {now}; keep them apart"
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no database at all, but long enough to be one" * 30, "file is not a database"),
        (None, "expected a store of results, found something else"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "other.sqlite"
    if content is None:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE mine (x)")
        other.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    for writing in (False, True):
        with pytest.raises(StoreError) as caught:
            Store(path, writing=writing)
        assert str(caught.value) == f"{path}: {message}"
    assert path.read_bytes() == before


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 2")
    other.close()
    with pytest.raises(StoreError, match="expected a store of version 1, found another"):
        Store(path)


def test_reading_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="found no file"):
        Store(tmp_path / "none.sqlite", writing=False)
    assert not list(tmp_path.iterdir())


def test_a_closed_store_is_one_file_that_can_be_read_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    kept(path).store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["runs.sqlite"]
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with Store(path, writing=False) as store:
            assert list(store.run().results()) == RESULTS
    finally:
        tmp_path.chmod(0o755)


def test_others_may_read_while_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    run = Store(path).begin(PLAN, versions())
    run.add(RESULTS[:60])
    with Store(path, writing=False) as reader:
        assert len(list(reader.run().results())) == 60
        run.add(RESULTS[60:])
        assert len(list(reader.run().results())) == 120


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_a_full_disk_keeps_the_file_intact(tmp_path: Path) -> None:
    """Files that may not grow any more look to SQLite like a full disk."""
    path = tmp_path / "runs.sqlite"
    kept(path, RESULTS[:30]).store.close()
    code = (
        "import resource, signal, sys\n"
        "from tests.compare.test_store import *\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"with Store({str(path)!r}) as store:\n"
        "    run = store.begin(PLAN, versions())\n"
        f"    limit = {path.stat().st_size} + 8192\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
        "    try:\n"
        "        for _ in range(1000):\n"
        "            run.add([result._replace(game=result.game + 1000 * _) for result in RESULTS[30:]])\n"
        "    except StoreError as error:\n"
        "        print(error)\n"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stdout.startswith(f"{path}: "), found.stderr
    assert "full" in found.stdout or "I/O" in found.stdout
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    with Store(path) as store:
        run = store.run()
        assert list(run.results())[:30] == RESULTS[:30]
        assert len(list(run.results())) % 90 == 30, "whole blocks only"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anything")
def test_a_protected_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    kept(path).store.close()
    path.chmod(0o444)
    with pytest.raises(StoreError, match="readonly"):
        Store(path).begin(replace(PLAN, seed="2"), versions())


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_exports_do_not_depend_on_the_order_of_play(format: str) -> None:
    def exported(run: Run) -> str:
        found = rows(run.kept.plan, run.results())
        return "".join(TEXT[format](found, columns()))

    text = exported(kept())
    assert text == exported(kept(results=RESULTS[::-1]))
    assert text.count("\n") == len(RESULTS) + (format == "csv")
    assert all(name in text for name in COUNTED)
    assert "seconds" not in text
