"""An engine, whatever it does, costs its own games only, and the report quotes the line that did it."""

import os
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from satsweep.agents.isolated import isolated
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.plan import Plan
from satsweep.arena.store import Store
from satsweep.arena.terminal import to_text
from satsweep.games.setting import Setting
from tests import PATIENCE
from tests.arena.reports import HostileRun, hostile_run

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(sys.platform != "linux", reason="these engines use POSIX, the limits are of Linux"),
]

FILE = Path(__file__).with_name("hostile_engine.py")
LATE = "the agent took more than 2 s after 'go game N'"
FAILING = {
    "sleeps": LATE,
    "sleeps_deaf": LATE,
    "exits": "the engine's process ended with exit code 7 after 'go game N'",
    "dies": "the engine's process was killed by SIGKILL after 'go game N'",
    "closes": "the engine closed its output after 'go game N'",
    "floods": "expected at most 1,050,880 bytes in an answer, found more after 'go game N'",
    "floods_one_line": "expected at most 1,050,880 bytes in an answer, found more after 'go game N'",
    "babbles": "expected a line of the protocol, found the line 'what now?'",
    "writes_bytes": r"expected a line of the protocol, found the line '\xff\xfe\x00\x1b[31m'",
    "names_a_strange_cell": "the agent names 77,77, which is no covered cell, in the line 'safe 77,77'",
    "names_an_open_cell": "the agent names N, which is no covered cell, in the line 'guess N'",
    "contradicts_itself": "the agent claims N to be safe and a mine, in the lines 'safe N' and 'mine N'",
    "lies": "the engine claims in the line 'safe ...' what is false: N is a mine",
    "lies_about_mines": "the engine claims in the line 'mine ...' what is false: N is safe",
    "complains": "the engine answers 'error no more' after 'go game N'",
    "answers_pong": "expected an answer to the request, found `pong` after 'go game N'",
}
"""Failures of the engine, by its deeds."""


def engine(deed: str) -> str:
    return f"cmd:{shlex.join([sys.executable, str(FILE), deed])}"


def unlike_games(message: str) -> str:
    """A message without what differs from game to game."""
    message = re.sub(r"(safe|mine) (\d+,\d+ )+\d+,\d+(\.\.\.)?", r"\1 ...", message)
    return re.sub(r"game \d+|\b(?!77)\d,\d\b", lambda found: "game N" if "game" in found[0] else "N", message)


SETTING = Setting(6, 6, 6)
GOOD = Plan(("basic", "gem"), (SETTING,), games=2, game_seconds=PATIENCE)
ENDING = [deed for deed, message in FAILING.items() if message != LATE]
ALL = replace(GOOD, agents=("basic", *map(engine, ENDING), "gem"))
NEVER = replace(GOOD, agents=tuple(engine(deed) for deed in FAILING if deed not in ENDING), game_seconds=2.0)


run, late_run = hostile_run(ALL), hostile_run(NEVER)


def test_good_agents_play_as_if_they_were_alone(run: HostileRun) -> None:
    run.check_good_agents(GOOD)


@pytest.mark.parametrize("deed", FAILING)
def test_the_game_is_lost_and_reported(request: pytest.FixtureRequest, deed: str) -> None:
    run: HostileRun = request.getfixturevalue("run" if deed in ENDING else "late_run")
    failures = run.failures_of(engine(deed))
    assert failures, "at least the first game of a process has two moves"
    assert {unlike_games(one.message or "") for one in failures} == {FAILING[deed]}


def test_the_report_is_whole(run: HostileRun, late_run: HostileRun) -> None:
    assert "sleeps, game 0 of 6x6, 6 mines" in to_text(late_run.report)
    with Store(run.path, writing=False) as store:
        versions = store.run().info.versions
    assert versions[engine("lies")] == run.report.versions[engine("lies")] == "lies 2.5"


@pytest.mark.parametrize(
    ("deed", "limits", "message"),
    [
        ("spins", "processor-seconds = 0.5", "the engine used more processor time than it may after 'go game N'"),
        ("eats_memory", "memory = 128", "the engine's process ended with exit code 1 after 'go game N'"),
    ],
)
def test_limits_of_a_file(tmp_path: Path, deed: str, limits: str, message: str) -> None:
    file = tmp_path / "engine.toml"
    file.write_text(f"command = {[sys.executable, str(FILE), deed]}\n{limits}\n")
    plan = replace(GOOD, agents=(f"cmd:{file}",), games=1)
    (result,) = play_block(Block.of(plan, 0, range(1))).results
    assert unlike_games(result.message or "") == message


def test_what_an_engine_leaves_behind_does_not_hold_the_arena() -> None:
    plan = replace(GOOD, agents=(engine("leaves_a_child"),), games=1)
    (result,) = play_block(Block.of(plan, 0, range(1))).results
    assert unlike_games(result.message or "") == "the engine's process ended with exit code 3 after 'go game N'"


def test_the_memory_that_an_engine_may_use_is_half_of_the_machine() -> None:
    with isolated(engine("none"), PATIENCE) as agent:
        agent.fresh()
        from satsweep.agents import child_process

        (pid,) = (child.pid for child in child_process._alive if "none" in str(child.process.args))
        limits = Path(f"/proc/{pid}/limits").read_text()
        half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
        assert re.search(rf"Max data size +{half} ", limits)
        assert Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n"
