"""The store keeps what it is given, in whole blocks, and never mixes two runs."""

import base64
import os
import resource
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Barrier

import pytest

from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, versions
from satsweep.arena.export import TEXT, columns, rows
from satsweep.arena.game_columns import GameColumns
from satsweep.arena.packed_games import pack
from satsweep.arena.plan import Plan
from satsweep.arena.progress import BlockQueue, RunProgress
from satsweep.arena.result import COUNTS, FAILED, Result
from satsweep.arena.run import report_on
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


VERSION_2 = """
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    versions TEXT NOT NULL,
    begun TEXT NOT NULL
);
CREATE TABLE blocks (
    run INTEGER NOT NULL REFERENCES runs,
    setting INTEGER NOT NULL,
    first INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    games INTEGER NOT NULL,
    sums TEXT NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (run, setting, first)
);
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
PRAGMA user_version = 2;
"""
"""The tables of a store of version 2, literally."""
PACKED = (
    "eAFNkM9qwzAMxlUYDHbfveicHfYPRhnsCQa7lxGcRElNHMvE9rrS5YH2OnuT3XeYnLZJjcH6Pv8kIe2xUR15XN1lyDGUPIo11kobqjDD0pDqx6jm"
    "aJNDn85wNVrOqB1VS0kUv9M+qJashD7Esh1fdk7Id6nDJnZWGu1RNWQDrvAr3gqT+k9iy3aKQ+wTf8TYkZVKJ9nrZjPX2PZsm+mv05Z8vtHzfxPJ+z"
    "TlqedB54b9DJVG6W5mCtqxrfJCeV1OiccVTdpTKVBKeq6fcJAduqDZKpPmpA9lokpagPVjZqMxsole+zYZeHO/fMCDOwxXsAC5l3ANF3B+FvAH3/AL"
    "P/AKBbzBC/wDClKDdQ=="
)
"""A packed block of a store of version 2."""
CHAINS = replace(PLAN, agents=("basic", "gem", "sat"), chains=True)


def stored(path: Path | None = None, results: list[Result] | None = None) -> Run:
    run = Store(path).begin(PLAN, versions())
    run.add(pack(all_results() if results is None else results))
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


def filled(blocks: int, games: int) -> Run:
    """A run of two agents with some blocks, each of some games of both."""
    run = Store().begin(replace(PLAN, agents=("basic", "gem")), versions())
    for first in range(0, blocks * games, games):
        rows = (Result(0, first + game, agent, "cleared", won=1) for game in range(games) for agent in range(2))
        run.add(pack(rows))
    return run


@pytest.mark.parametrize("question", ["pair_sums", "agent_sums", "finished", "report"])
def test_the_work_of_a_report_is_in_proportion_to_the_blocks(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many games they have: none is unpacked, and SQLite looks at no more."""
    monkeypatch.setattr("satsweep.arena.store.FEW", 0)

    def steps(blocks: int, games: int) -> int:
        run = filled(blocks, games)
        ticks: list[int] = []
        run.store._db.set_progress_handler(lambda: ticks.append(1), 1)
        with monkeypatch.context() as watched:
            watched.delattr(GameColumns, "unpack")
            assert report_on(run) if question == "report" else getattr(run, question)()
        return len(ticks)

    assert steps(20, 1) == steps(20, 100)
    assert 1.5 < steps(80, 3) / steps(40, 3) < 2.5


def test_the_work_of_collecting_is_in_proportion_to_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is counted by its sums and stored as it came: no game is unpacked, and none has a statement."""
    plan = Plan(("sat", "basic"), (Setting(5, 5, 4),))

    def statements(games: int) -> list[str]:
        block, run = Block.of(plan, 0, range(games)), Store().begin(plan, versions())
        progress, played = RunProgress(plan, None), play_block(block)
        found: list[str] = []
        run.store._db.set_trace_callback(lambda text: found.append(text.split()[0]))
        with monkeypatch.context() as watched:
            watched.setattr("satsweep.arena.store.FEW", 0)
            watched.delattr(GameColumns, "unpack")
            run.add(BlockQueue(plan, {}, progress, 1).complete(block, played))
        assert progress.games == {(0, 0): games, (0, 1): games}
        return found

    assert statements(3) == statements(60) == ["BEGIN", "SELECT", "INSERT", "COMMIT"]


@pytest.mark.parametrize("question", ["agent_sums", "pair_sums"])
def test_a_limit_costs_the_games_of_the_blocks_that_it_cuts(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.arena.store.FEW", 0)
    run, unpack = filled(30, 10), GameColumns.unpack
    unpacked: list[int] = []

    def watched(setting: int, first: int, packed: bytes) -> GameColumns:
        unpacked.append(first)
        return unpack(setting, first, packed)

    monkeypatch.setattr(GameColumns, "unpack", watched)
    for limit, first, cut in ((None, 0, []), (200, 100, []), (205, 100, [200]), (205, 101, [100, 200]), (8, 3, [0])):
        (sums, *_) = getattr(run, question)(limit, first)
        assert (sums.games, unpacked) == ((300 if limit is None else limit) - first, cut)
        unpacked.clear()


@pytest.mark.parametrize("few", [0, 50, 1000])
def test_games_in_any_pieces_are_one_run(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a setting do not overlap, whatever comes in which order, some of it twice."""
    monkeypatch.setattr("satsweep.arena.store.FEW", few)
    for seed in range(4):
        rng, run = Random(seed), Store().begin(PLAN, versions())
        for _ in range(12):
            first, games = rng.randrange(20), rng.choice((1, 2, 9))
            piece = [one for one in all_results() if first <= one.game < first + games and rng.random() < 0.8]
            run.add(pack({*piece, *rng.sample(all_results(), rng.choice((0, 2)))}))
        assert len(list(run.results())) < len(all_results())
        run.add(pack(all_results()))
        assert list(run.results()) == all_results()
        found, (agents, pairs) = run.agent_sums(), sum_results(all_results())
        assert [one.sums for one in found] == [one.sums for one in agents] and run.pair_sums() == pairs
        extents = run.store._db.execute("SELECT setting, first, stop, games FROM blocks ORDER BY 1, 2").fetchall()
        assert sum(games for *_, games in extents) == len(all_results())
        for (setting, _, stop, _), (other, first, _, _) in pairwise(extents):
            assert setting != other or stop <= first
        assert run.finished() == {0: [range(20)], 1: [range(20)]}


def test_blocks_of_few_games_are_kept_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long game is a block of its own when it comes in."""
    monkeypatch.setattr("satsweep.arena.store.FEW", 20)
    run = filled(100, 1)
    assert run.finished() == {0: [range(100)]} and len(list(run.results())) == 200
    sizes = [block.games for block in run.blocks()]
    assert min(sizes) >= 20 and max(sizes) <= 22
    other = Store().begin(PLAN, versions())
    for game in Random(1).sample(range(20), 20):
        other.add(pack(one for one in all_results() if one.game == game and one.setting == 0))
    assert len(list(other.blocks())) <= 5, "beside one of few games there is none of many alone"
    assert list(other.results()) == [one for one in all_results() if one.setting == 0]
    assert other.failures() == [one._replace(seconds=0.0) for one in other.results() if one.failed]


def test_a_game_takes_few_bytes(tmp_path: Path) -> None:
    """Expert games of the kernels, with all that the file has beside them."""
    path, plan = tmp_path / "runs.sqlite", Plan(("sat",), (Setting(16, 30, 99),))
    with Store(path) as store:
        run, empty = store.begin(plan, versions()), path.stat().st_size
        run.add([play_block(Block.of(plan, 0, range(3000))).games])
    assert (path.stat().st_size - empty) / 3000 <= 12


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("packed = x'00'", "expected packed games"),
        ("packed = zeroblob(0)", "expected packed games"),
        ("sums = '{'", "expected JSON: expecting property name"),
        ("sums = '[]'", "list indices"),
        ("""sums = '{"agents":[{}],"pairs":[]}'""", "'agent'"),
        ("""sums = '{"agents":[{"agent":0,"games":"9","sums":{},"squares":{}}],"pairs":[]}'""", "expected numbers"),
    ],
)
def test_a_store_that_others_made_is_refused_in_a_line(broken: str, said: str) -> None:
    run = stored()
    run.store._db.execute(f"UPDATE blocks SET {broken}")
    with pytest.raises(StoreError, match=f"<memory>: run 1 cannot be read: .*{said}"):
        list(run.results()) if "packed" in broken else run.agent_sums()


def test_chains_are_kept_and_added_up() -> None:
    """Chains are missing for sat, which does not name clues, and in failed games."""
    failed = Result(0, 20, 0, FAILED, message="no")
    results = [*played(CHAINS), failed]
    run = Store().begin(CHAINS, versions())
    run.add(pack(results))
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
    run.add(pack([result for result in all_results() if result.game in (0, 1, 5) and result.setting == 0]))
    run.add(pack([result for result in all_results() if result.game == 7 and result.agent < 2]))
    assert run.finished() == {0: [range(0, 2), range(5, 6)]}


def test_results_in_the_store_stay() -> None:
    run = stored()
    run.add(pack([result._replace(outcome="cleared", won=1, turns=99) for result in all_results()]))
    assert list(run.results()) == all_results()


def test_a_block_is_kept_as_a_whole_or_not_at_all() -> None:
    run = Store().begin(PLAN, versions())
    failed = Result(1, 5, 0, FAILED)
    with pytest.raises(StoreError, match=r"NOT NULL constraint failed: failures\.message"):
        run.add(pack([*all_results()[:5], failed]))
    assert list(run.results()) == [] and run.info.games == 0


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
        first.add(pack(all_results()))
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


def test_tables_are_those_of_version_2(tmp_path: Path) -> None:
    """Other tables are another file format, and so is a change to what is packed."""

    def tables(db: sqlite3.Connection) -> list[tuple[str, ...]]:
        found = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        return [(name, " ".join(sql.split())) for name, sql in found]

    with Store() as store, sqlite3.connect(":memory:") as old:
        old.executescript(VERSION_2)
        assert tables(store._db) == tables(old)
    old.close()


def test_packed_games_are_those_of_version_2() -> None:
    """The row is literally one that earlier code has written."""
    run = Store().begin(replace(PLAN, agents=("basic", "gem")), versions())
    sums = (
        '{"agents":[{"agent":0,"games":1,"seconds":0.001,"timed":1,"sums":{"won":1,"turns":7,"opened":21,"right":4},'
        '"squares":{"won":1,"turns":49,"opened":441,"right":16}},'
        '{"agent":1,"games":1,"failed":1,"sums":{},"squares":{}}],'
        '"pairs":[{"agents":[0,1],"games":1,"only_first":1}]}'
    )
    run.store._db.execute(
        "INSERT INTO blocks VALUES (1, 0, 300, 301, 2, ?, ?)",
        (sums, base64.b64decode(PACKED)),
    )
    run.store._db.execute("INSERT INTO failures VALUES (1, 0, 300, 1, 'no', '*.')")
    won = Result(0, 300, 0, "cleared", 1, 7, 21, 4, evaluations=5, risks="-3 4", seconds=0.001)
    failed = Result(0, 300, 1, FAILED, message="no", layout="*.")
    assert list(run.results()) == [won, failed]
    (block,), (same,) = run.blocks(), pack([won._replace(evaluations=None, risks=None), failed])
    assert block.sums == same.sums and block.sums.to_json() == sums and block[:4] == same[:4]


@pytest.mark.parametrize("writing", [True, False])
def test_a_store_of_another_version_is_refused(tmp_path: Path, writing: bool) -> None:
    path = tmp_path / "runs.sqlite"
    with sqlite3.connect(path) as old:
        old.executescript(VERSION_2.replace("user_version = 2", "user_version = 1"))
    old.close()
    with pytest.raises(StoreError) as caught:
        Store(path, writing=writing)
    assert str(caught.value) == f"{path}: expected a store of version 2, found version 1"


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
    run.add(pack(all_results()[:60]))
    with Store(path, writing=False) as reader:
        assert len(list(reader.run().results())) == 60
        run.add(pack(all_results()[60:]))
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
        "            run.add(pack(result._replace(game=result.game + 1000 * _) for result in all_results()[30:]))\n"
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
