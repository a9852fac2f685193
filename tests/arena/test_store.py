"""The store keeps what it is given, in whole blocks, and never mixes two runs."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from threading import Barrier

import pytest

from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, versions
from satsweep.arena.export import TEXT, columns, rows
from satsweep.arena.plan import Plan
from satsweep.arena.result import COUNTS, FAILED, Result
from satsweep.arena.store import Run, Store
from satsweep.board import Cell
from satsweep.errors import StoreError
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from tests import PATIENCE
from tests.arena.reports import sum_results

PLAN = Plan(
    ("basic", "gem", f"{Path(__file__).with_name('troubled_agents.py')}:raises"),
    (Setting(5, 5, 4), Setting(4, 6, 5, Rules(FirstClick.ANY, fatal=False))),
    games=20,
)


def played(plan: Plan = PLAN) -> list[Result]:
    return [
        result
        for setting in range(len(plan.settings))
        for result in play_block(Block.of(plan, setting, range(plan.games or 0))).results
    ]


@cache
def all_results() -> list[Result]:
    return played()


VERSION_1 = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    versions TEXT NOT NULL,
    begun TEXT NOT NULL
);
CREATE TABLE games (
    run INTEGER NOT NULL REFERENCES runs,
    setting INTEGER NOT NULL,
    game INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    won INTEGER NOT NULL, turns INTEGER NOT NULL, opened INTEGER NOT NULL, right INTEGER NOT NULL,
    wrong INTEGER NOT NULL, mines_hit INTEGER NOT NULL, guesses INTEGER NOT NULL, guesses_lost INTEGER NOT NULL,
    claims INTEGER NOT NULL, beyond_basic INTEGER NOT NULL, chain INTEGER, reach INTEGER, breadth INTEGER,
    seconds REAL NOT NULL,
    PRIMARY KEY (run, setting, game, agent)
) WITHOUT ROWID;
CREATE TABLE failures (
    run INTEGER NOT NULL REFERENCES runs,
    setting INTEGER NOT NULL,
    game INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    message TEXT NOT NULL,
    layout TEXT,
    PRIMARY KEY (run, setting, game, agent)
) WITHOUT ROWID;
PRAGMA application_id = 1398231122;
PRAGMA user_version = 1;
"""
"""The tables of a store of version 1, literally."""
CHAINS = replace(PLAN, agents=("basic", "gem", "sat"), chains=True)


def stored(path: Path | None = None, results: list[Result] | None = None) -> Run:
    run = Store(path).begin(PLAN, versions())
    run.add(all_results() if results is None else results)
    return run


def test_results_come_back() -> None:
    shuffled = Random(1).sample(all_results(), len(all_results()))
    assert list(stored(results=shuffled).results()) == all_results()
    assert 5 < sum(result.failed for result in all_results()) < 35


def test_failures_come_with_message_and_layout() -> None:
    failures = stored().failures()
    assert failures == [result._replace(seconds=0.0) for result in all_results() if result.failed]
    assert failures[0].message == "raises raised ValueError at troubled_agents.py:18: a three"
    assert failures[0].layout == str(PLAN.settings[0].layout("0", failures[0].game)[0])


@pytest.mark.parametrize("limit", [None, 0, 1, 7, 20, 100])
def test_sums_are_those_of_the_games(limit: int | None) -> None:
    """The sums that SQL makes are those that plain Python makes of the same games."""
    run = stored()
    below = [result for result in all_results() if limit is None or result.game < limit]
    agents, pairs = sum_results(below)
    found = run.agent_sums(limit)
    assert [replace(sums, seconds=0.0, python_seconds=0.0) for sums in found] == [
        replace(sums, seconds=0.0, python_seconds=0.0) for sums in agents
    ]
    for name in ("seconds", "python_seconds"):
        assert [getattr(sums, name) for sums in found] == pytest.approx([getattr(sums, name) for sums in agents])
    assert limit == 0 or all(0 <= sums.timed <= sums.finished for sums in found)
    assert run.pair_sums(limit) == pairs
    assert run.failures(limit) == [result._replace(seconds=0.0) for result in below if result.failed]


@pytest.mark.parametrize("statement", ["pair_sums", "agent_sums", "finished", "layout_changes"])
def test_the_work_of_a_sum_is_in_proportion_to_the_games(statement: str) -> None:
    """Also below a limit: SQLite must not look through all games for the partner of each."""

    def steps(games: int) -> int:
        run = Store().begin(replace(PLAN, agents=("basic", "gem")), versions())
        run.add(Result(0, game, agent, "cleared") for game in range(games) for agent in range(2))
        ticks: list[int] = []
        run.store._db.set_progress_handler(lambda: ticks.append(1), 100)
        found = getattr(run, statement)(*([] if statement == "finished" else [games]))
        assert list(found)
        return len(ticks)

    assert 1.5 < steps(2_000) / steps(1_000) < 2.5


def test_chains_are_kept_and_added_up() -> None:
    """Chains are missing for sat, which does not name clues, and in failed games."""
    failed = Result(0, 20, 0, FAILED, message="no")
    results = [*played(CHAINS), failed]
    run = Store().begin(CHAINS, versions())
    run.add(results)
    assert sorted(run.results()) == sorted(results)
    agents, _ = sum_results(results)
    assert [replace(sums, seconds=0.0) for sums in run.agent_sums()] == [replace(sums, seconds=0.0) for sums in agents]
    assert [(sums.chain_games, sums.finished) for sums in agents[:2]] == [(20, 20), (20, 20)]
    assert 0 <= agents[2].chain_games < agents[2].finished
    assert agents[0].sums["chain"] == sum(result.chain or 0 for result in results if result[:3:2] == (0, 0)) > 0
    assert {sums.chain_games for sums in sum_results(all_results())[0]} == {0}


def test_finished_games_are_those_that_all_agents_played() -> None:
    run = Store().begin(PLAN, versions())
    assert run.finished() == {}
    run.add([result for result in all_results() if result.game in (0, 1, 5) and result.setting == 0])
    run.add([result for result in all_results() if result.game == 7 and result.agent < 2])
    assert run.finished() == {0: [range(0, 2), range(5, 6)]}


def test_results_in_the_store_stay() -> None:
    run = stored()
    run.add([result._replace(outcome="cleared", won=1, turns=99) for result in all_results()])
    assert list(run.results()) == all_results()


def test_a_block_is_kept_as_a_whole_or_not_at_all() -> None:
    run = Store().begin(PLAN, versions())
    with pytest.raises(StoreError, match="constraint"):
        run.add([*all_results()[:5], all_results()[5]._replace(turns=None)])  # type: ignore[arg-type]
    assert list(run.results()) == []


def test_runs_are_common_and_distinct(tmp_path: Path) -> None:
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
        first.add(all_results())
    with Store(path, writing=False) as store:
        assert [(run.number, run.games) for run in store.runs()] == [(1, 120), *((run, 0) for run in (2, 3, 4, 5, 6))]
        assert store.runs()[0].plan == replace(PLAN, games=None)
        assert store.runs()[5].plan == replace(PLAN, games=None, chains=True)
        assert dict(store.runs()[0].versions) == versions()
        with pytest.raises(StoreError, match="expected the number of a run, there are 1, 2, 3, 4, 5, 6"):
            store.run()
        with pytest.raises(StoreError, match="expected a run among 1, 2, 3, 4, 5, 6"):
            store.run(7)


def test_optional_measurements_are_no_part_of_a_plan_without_them() -> None:
    """Runs that were begun before chains could be measured can be continued."""
    assert "chains" not in PLAN.identity and "chains" not in PLAN.described()
    assert '"chains":true' in CHAINS.identity


def test_the_code_of_an_agent_is_part_of_a_run(tmp_path: Path) -> None:
    """Results of two versions of an agent must not be mixed."""
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
    message = f"{path}: expected the versions that began run 1: satsweep 0.0.9, found {now}; use another store"
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


def test_tables_are_those_of_version_1(tmp_path: Path) -> None:
    """A change to the columns of results is a change of the file format, but for those that may be missing."""

    def tables(db: sqlite3.Connection) -> list[tuple[str, ...]]:
        found = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        return [(name, " ".join(sql.split())) for name, sql in found]

    with Store() as store, sqlite3.connect(":memory:") as old:
        old.executescript(
            VERSION_1.replace("breadth INTEGER,", "breadth INTEGER, evaluations INTEGER, risks TEXT, win_chances TEXT,")
        )
        assert tables(store._db) == tables(old)
    old.close()


def test_a_store_of_version_1_is_continued(tmp_path: Path) -> None:
    """The rows and the identity are literally those that earlier code has written."""
    path = tmp_path / "runs.sqlite"
    rules = (
        '"cascade":true,"clues":"exact","cols":5,"fatal":true,"first":"safe","goal":"clear","layouts":null,'
        '"mines":4,"rows":5,"start":[0,0],"tells_total":true,"topology":"square"'
    )
    identity = f'{{"agents":[["basic",null],["gem",null]],"seed":"0","settings":[{{{rules}}}]}}'
    described = (
        '{"agents":["basic","gem"],"figure":null,"name":"","seed":"0",'
        f'"settings":[{{{rules}}}],"source":"","title":""}}'
    )
    with sqlite3.connect(path) as old:
        old.executescript(VERSION_1)
        old.execute(
            "INSERT INTO runs VALUES (1, ?, ?, ?, '2025-01-01T00:00:00+00:00')",
            (identity, described, json.dumps(versions(), sort_keys=True)),
        )
        old.executemany(
            f"INSERT INTO games VALUES ({', '.join('?' * 19)})",
            [
                (1, 0, 0, 0, "cleared", 1, 7, 21, 4, 0, 0, 1, 0, 17, 0, None, None, None, 0.001),
                (1, 0, 0, 1, "failed", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, None, None, None, 0.0),
            ],
        )
        old.execute("INSERT INTO failures VALUES (1, 0, 0, 1, 'no', '*.')")
    old.close()
    plan = Plan(("basic", "gem"), (Setting(5, 5, 4, Rules(start=Cell(0, 0))),), games=3)
    with Store(path) as store:
        run = store.begin(plan, versions())
        assert run.number == 1 and run.info.plan == replace(plan, games=None)
        cleared, failed = run.results()
        assert cleared == Result(0, 0, 0, "cleared", 1, 7, 21, 4, 0, 0, 1, 0, 17, 0, seconds=0.001)
        assert failed == Result(0, 0, 1, FAILED, message="no", layout="*.")
        run.add(play_block(Block.of(plan, 0, range(3))).results)
        assert list(run.results())[:2] == [cleared, failed] and run.finished() == {0: [range(3)]}


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 2")
    other.close()
    with pytest.raises(StoreError, match="expected a store of version 1, found another"):
        Store(path)


def test_reading_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="expected a readable file: No such file"):
        Store(tmp_path / "none.sqlite", writing=False)
    assert not list(tmp_path.iterdir())


def test_a_closed_store_is_one_file_that_can_be_read_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    stored(path).store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["runs.sqlite"]
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with Store(path, writing=False) as store:
            assert list(store.run().results()) == all_results()
    finally:
        tmp_path.chmod(0o755)


def test_others_may_read_while_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    run = Store(path).begin(PLAN, versions())
    run.add(all_results()[:60])
    with Store(path, writing=False) as reader:
        assert len(list(reader.run().results())) == 60
        run.add(all_results()[60:])
        assert len(list(reader.run().results())) == 120


@pytest.mark.extended
@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_a_full_disk_keeps_the_file_intact(tmp_path: Path) -> None:
    """A limit on the size of files looks to SQLite like a full disk."""
    path = tmp_path / "runs.sqlite"
    stored(path, all_results()[:30]).store.close()
    code = (
        "import resource, signal, sys\n"
        "from tests.arena.test_store import *\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"with Store({str(path)!r}) as store:\n"
        "    run = store.begin(PLAN, versions())\n"
        f"    limit = {path.stat().st_size} + 8192\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"
        "    try:\n"
        "        for _ in range(1000):\n"
        "            run.add([result._replace(game=result.game + 1000 * _) for result in all_results()[30:]])\n"
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
        assert list(run.results())[:30] == all_results()[:30]
        assert len(list(run.results())) % 90 == 30, "whole blocks only"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anything")
def test_a_protected_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    stored(path).store.close()
    path.chmod(0o444)
    with pytest.raises(StoreError, match="readonly"):
        Store(path).begin(replace(PLAN, seed="2"), versions())


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_exports_do_not_depend_on_the_order_of_play(format: str) -> None:
    def exported(run: Run) -> str:
        found = rows(run.info.plan, run.results())
        return "".join(TEXT[format](found, columns()))

    text = exported(stored())
    assert text == exported(stored(results=all_results()[::-1]))
    assert text.count("\n") == len(all_results()) + (format == "csv")
    assert all(name in text for name in COUNTS)
    assert "seconds" not in text


@pytest.mark.extended
def test_several_create_one_store_in_the_same_moment(tmp_path: Path) -> None:
    """All of them have it, and the run that they begin in it is one."""
    together = Barrier(6, timeout=PATIENCE)

    def begin(path: Path) -> int:
        together.wait()
        with Store(path) as store:
            together.wait()
            return store.begin(PLAN, versions()).number

    with ThreadPoolExecutor(6) as threads:
        for number in range(40):
            assert list(threads.map(begin, [tmp_path / f"{number}.db"] * 6)) == [1] * 6
