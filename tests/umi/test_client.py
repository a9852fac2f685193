"""Engines as agents: names, limits, options, versions, and games."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from satsweep.agents import agent_named
from satsweep.agents.engine import EngineProcess, command_named
from satsweep.agents.fingerprint import fingerprint, source_files
from satsweep.agents.isolated import isolated, rules_of, versions_of
from satsweep.agents.load import LoadedAgent, load_agent
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.plan import Plan
from satsweep.arena.run import run_plan
from satsweep.arena.store import Store
from satsweep.arena.workers import processes
from satsweep.board import Board, Cell
from satsweep.errors import AgentError, StoreError
from satsweep.games.deal import with_start
from satsweep.games.game import play
from satsweep.games.record import Record
from satsweep.games.rules import FIND_MINES_RULES, STANDARD_RULES, FirstClick, Redraw, Rules
from satsweep.games.setting import Setting
from satsweep.oracle.audit import audits_of_games
from satsweep.why.influence import chains
from tests import ROOT
from tests.cli import invoke

EXAMPLE = ROOT / "examples" / "umi" / "basic.py"
ENGINE = f"cmd:{shlex.join([sys.executable, str(EXAMPLE)])}"
SATSWEEP = f"cmd:{shlex.quote(sys.executable)} -m satsweep umi --agent"
SETTING = Setting(7, 9, 10)

# A small engine, of which tests change lines.
SCRIPT = """
import sys
options = {}
rows = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "umi":
        print("name Small\\nversion 1.0\\noption depth integer default 2\\ncan sound risks untold\\numi 1")
    elif words[0] == "option":
        options[words[1]] = words[2]
    elif words[0] == "ping":
        print("pong")
    elif words[0] == "game":
        rows = int(words[1])
    elif words[0] == "board":
        board = [sys.stdin.readline().strip() for _ in range(rows)]
        covered = [(r, c) for r, row in enumerate(board) for c, symbol in enumerate(row) if symbol == "#"]
    elif words[0] == "go":
        print("guess %d,%d 0.5\\ndone" % covered[int(options.get("depth", 0))])
    elif words[0] == "risks":
        print("risk " + " ".join("%d,%d=0.5" % cell for cell in covered) + "\\ndone")
    sys.stdout.flush()
"""


def small(path: Path, *changes: tuple[str, str]) -> str:
    """The name of the small engine, changed, as a file."""
    text = SCRIPT
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)
    return f"cmd:{shlex.join([sys.executable, str(path)])}"


def test_claims_reasons_and_guesses_arrive() -> None:
    with isolated(ENGINE, 60) as agent:
        player = load_agent(agent).fresh()
        assert tuple(player.deduce(Board(("#1.", "#2.", "#1."), mines=2))) == ((), ())
        safe, mines = player.deduce(Board(("1#", "##"), mines=3).with_flags([(0, 1)]))
        assert (safe, mines) == ((Cell(1, 0), Cell(1, 1)), ())
        assert agent.version == "Basic in Python 1.0"


@pytest.mark.extended
@pytest.mark.parametrize("usual", [STANDARD_RULES, FIND_MINES_RULES], ids=["clear", "find"])
def test_the_own_engine_plays_the_games_of_its_agent(usual: Rules) -> None:
    """But for its guesses, which are drawn from other numbers: these boards need none."""
    rules = replace(usual, first=FirstClick.GIVEN)
    layout = next(
        layout
        for game in count()
        if play(layout := with_start(*SETTING.layout("a", game)), agent_named("gem"), rules).measures.guesses == 0
    )
    with isolated(f"{SATSWEEP} gem", 60) as agent:
        own = play(layout, agent_named("gem"), rules)
        assert play(layout, agent.fresh(), rules).moves == own.moves


def test_chains_follow_the_reasons_of_an_engine() -> None:
    with isolated(ENGINE, 60) as agent:
        layout, rng = SETTING.layout("b", 2)
        record = play(layout, agent.fresh(), STANDARD_RULES, rng)
    assert chains(record).length > 0


def test_options_and_limits_of_a_file(tmp_path: Path) -> None:
    small(tmp_path / "small.py")
    file = tmp_path / "engine.toml"
    file.write_text(f'command = [{json.dumps(sys.executable)}, "small.py"]\nmemory = 700\n[options]\ndepth = 3\n')
    command = command_named(f"cmd:{file}")
    assert (command.memory, command.options) == (700, {"depth": "3"})
    assert source_files(f"cmd:{file}") == [file, Path(sys.executable), tmp_path / "small.py"]
    engine = EngineProcess(f"cmd:{file}", 60)
    try:
        guess = engine.fresh().guess(Board(("####",), mines=1), None)  # type: ignore[arg-type]
        assert guess is not None and tuple(guess)[0] == Cell(0, 3)
    finally:
        engine.end()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cmd:", "expected a command after cmd:, found none"),
        ("cmd:'", "cmd:': expected a command, found no closing quotation"),
        ("cmd:/nothing/here --x", "expected a program that can be run, found '/nothing/here'"),
        (f"cmd:{shlex.quote(sys.executable)} -c pass", "not loaded: the engine's process ended with exit code 0"),
        ("cmd:sh -c 'echo hello; cat'", "not loaded: expected a line of the protocol, found the line 'hello'"),
    ],
)
def test_commands_that_are_no_engines(name: str, message: str) -> None:
    with pytest.raises(AgentError) as caught, isolated(name, 60):
        pass
    assert message in str(caught.value)


def test_an_option_that_is_not_declared(tmp_path: Path) -> None:
    file = tmp_path / "engine.toml"
    file.write_text(f"command = {json.dumps([sys.executable, str(EXAMPLE)])}\n[options]\ndepth = 3\n")
    with pytest.raises(AgentError, match=r"expected an option that the engine declares \(none\), found 'depth'"):
        EngineProcess(f"cmd:{file}", 60)


@pytest.mark.parametrize(
    ("word", "setting"),
    [
        ("topologies", Setting(5, 5, 4, topology=Board(("#",), topology="torus").topology)),
        ("redraw", Setting(5, 5, 4, Rules(redraw=Redraw.FAIR))),
    ],
)
def test_abilities_that_are_not_declared(word: str, setting: Setting) -> None:
    with isolated(ENGINE, 60) as agent:
        layout, rng = setting.layout("0", 0)
        with pytest.raises(AgentError, match=f"does not declare '{word}', so it cannot play"):
            play(layout, agent.fresh(), setting.rules, rng)


def test_an_engine_wins_fair_games() -> None:
    setting = Setting(8, 8, 16, Rules(redraw=Redraw.FAIR))
    with isolated(f"{SATSWEEP} sat", 60) as agent:
        for game in range(3):
            layout, rng = setting.layout("0", game)
            assert play(layout, agent.fresh(), setting.rules, rng).won


def test_the_same_seed_gives_the_same_game() -> None:
    with isolated(ENGINE, 60) as agent:
        first, again, other = (_played(agent, game) for game in (1, 1, 2))
    assert first == again != other


def _played(agent: LoadedAgent, game: int) -> Record:
    layout, rng = SETTING.layout("c", game)
    return play(layout, agent.fresh(), SETTING.rules, rng)


def test_wrong_risks_are_found(tmp_path: Path) -> None:
    """The engine says 1/2 of every cell, and of its guess."""
    name = small(tmp_path / "small.py")
    with isolated(name, 60) as agent:
        layout, _ = Setting(3, 3, 2).layout("0", 1)
        (report,) = audits_of_games(agent, [layout])
    assert report.risks > 0 and report.wrong_risks and not report.unsound
    worst = report.wrong_risks[0]
    assert worst.reported == 0.5 and worst.error == abs(worst.exact - worst.reported) > 0
    assert report.wrong_risk_cells >= len(report.wrong_risks)
    result = invoke("audit", "--agent", name, "--board", "3x3/2", "--games", 3)
    assert result.exit_code == 1
    assert "of them wrong, by up to" in result.stdout and "is reported to be a mine with 50 %" in result.stdout


def test_false_claims_are_found_and_refuted(tmp_path: Path) -> None:
    name = small(tmp_path / "small.py", ('"guess %d,%d 0.5', '"safe %d,%d'))
    result = invoke("audit", "--agent", name, "--board", "4x4/6", "--games", 2)
    assert result.exit_code == 1 and "is claimed to be safe. This world agrees" in result.stdout
    played = invoke("play", "--agent", name, "--board", "4x4/10", "--seed", 3)
    assert played.exit_code == 3
    assert "the engine claims in the line 'safe" in played.stderr and "is a mine" in played.stderr


def test_a_changed_engine_begins_another_run(tmp_path: Path) -> None:
    name = small(tmp_path / "small.py")
    plan = Plan((name, "basic"), (Setting(3, 3, 2),), games=2)
    before = fingerprint(name)
    assert versions_of(plan.agents) == {name: "Small 1.0"}
    with Store(tmp_path / "store.db") as store:
        run_plan(plan, processes(1), store)
        small(tmp_path / "small.py", ("version 1.0", "version 1.1"))
        assert fingerprint(name) != before
        run_plan(plan, processes(1), store)
        assert [run.versions[name] for run in store.runs()] == ["Small 1.0", "Small 1.1"]


def test_versions_of_one_run_are_not_mixed(tmp_path: Path) -> None:
    """An engine that is changed where its command does not show it, too."""
    small(tmp_path / "small.py")
    (tmp_path / "start.py").write_text("import runpy, sys\nrunpy.run_path(sys.path[0] + '/small.py')\n")
    plan = Plan((f"cmd:{shlex.join([sys.executable, str(tmp_path / 'start.py')])}",), (Setting(3, 3, 2),), games=2)
    with Store(tmp_path / "store.db") as store:
        run_plan(plan, processes(1), store)
        small(tmp_path / "small.py", ("version 1.0", "version 1.1"))
        with pytest.raises(StoreError, match=r"Small 1\.0"):
            run_plan(plan, processes(1), store)


def test_generated_boards_are_solved_by_an_engine(tmp_path: Path) -> None:
    """The engine knows single numbers, so its boards are those of ``basic``; one that lies clears none."""
    size = ("--board", "6x6/6", "--seed", 4)
    found = invoke("generate", *size, "--solvable-by", ENGINE)
    own = invoke("generate", *size, "--solvable-by", "basic")
    assert found.exit_code == 0
    assert f"solved by {ENGINE}" in found.stdout
    assert found.stdout.partition("\n")[2] == own.stdout.partition("\n")[2]
    broken = invoke("generate", *size, "--solvable-by", "cmd:echo hello")
    assert (broken.exit_code, broken.stderr.count("\n")) == (3, 1)


def test_chances_to_win_are_kept(tmp_path: Path) -> None:
    """With calibration the store has them; an engine states one for a guess."""
    engine = small(tmp_path / "engine.py", ("0.5\\ndone", "0.5\\nwins 1/4\\ndone"))
    plan = Plan((engine,), (Setting(3, 3, 8),), games=1, calibration=True)
    (result,) = play_block(Block.of(plan, 0, range(1))).results
    assert result.win_chances == "250000" and result.risks == "500000"
    (plain,) = play_block(Block.of(replace(plan, calibration=False), 0, range(1))).results
    assert plain.win_chances is None
    twice = small(tmp_path / "twice.py", ("0.5\\ndone", "0.5\\nwins 1/4\\nwins 1\\ndone"))
    (wrong,) = play_block(Block.of(replace(plan, agents=(twice,)), 0, range(1))).results
    assert wrong.message == "expected one `wins PROBABILITY`, found the line 'wins 1'"


def test_a_run_starts_an_engine_once_for_its_facts(tmp_path: Path) -> None:
    """Its rules and its version are asked for before it plays, which takes another process."""
    name = small(
        tmp_path / "small.py", ("import sys\n", f"import sys\nopen({str(tmp_path / 'starts')!r}, 'a').write('x')\n")
    )
    assert rules_of(name) == STANDARD_RULES and versions_of([name]) == {name: "Small 1.0"}
    assert (tmp_path / "starts").read_text() == "x"
    assert versions_of([name]) == {name: "Small 1.0"}, "an engine that may have changed is asked again"
    assert (tmp_path / "starts").read_text() == "xx"
