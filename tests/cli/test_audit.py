"""The command ``audit``: what it prints, and with which exit code."""

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from textwrap import indent

import pytest

from satsweep import Board, Layout, audit
from satsweep.board import Cell
from satsweep.formats import read_boards, write
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.rules import FirstClick, Rules
from satsweep.oracle.audit import audit_games
from satsweep.render.audit import audit_to_json
from tests import PATIENCE, ROOT
from tests.cli import COMMAND, interrupted, invoke, on_terminal, posix
from tests.questions.test_witness import seen

WRONG = "examples/wrong_agent.py:deduce"
SUBSET = "mines 1\n###\n11#\n"


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def facts(stdout: str) -> dict[str, str]:
    """Facts printed before the first drawing, by name."""
    return {line[:14].strip(): line[14:] for line in stdout.split("\n\n")[0].splitlines()}


def test_a_sound_agent() -> None:
    result = invoke("audit", "--agent", "gem", "--games", 8, "--rows", 6, "--cols", 7, "--mines", 6, "--seed", 4)
    assert (result.exit_code, result.stderr) == (0, "")
    layouts = [random_layout(6, 7, 6, game_rng(4, game)) for game in range(8)]
    report = audit_games("gem", layouts, seed=4)
    said = facts(result.stdout)
    assert list(said) == ["agent", "examined", "claims", "found", "beyond basic", "guesses", "regret"]
    assert said["agent"] == "gem" and said["examined"] == f"8 games, {report.positions} positions"
    assert said["claims"] == f"{report.claims}, all of them true"
    assert said["found"].startswith(f"{report.found} of {report.forced} forced cells, ")
    assert said["guesses"] == f"{report.guesses}, {report.least_risk_guesses} of them of least risk"


def test_json_says_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("mines 3\n##1\n#3#\n###\n")
    result = invoke("audit", "--agent", WRONG, "--position", path, "--json")
    answer = json.loads(result.stdout)
    board = Board.load(path)
    report = audit(WRONG, [board])
    assert (result.exit_code, answer["sound"], answer["agent"]) == (1, False, WRONG)
    for key in ("games", "positions", "claims", "forced", "found", "forced_beyond", "found_beyond", "guesses"):
        assert answer[key] == getattr(report, key)
    assert len(answer["unsound"]) == len(report.unsound) == 5
    for unsound in answer["unsound"]:
        world = Layout(unsound["world"])
        assert world.is_mine(unsound["cell"]) == (unsound["claimed"] == "safe")
        assert seen(world, board) == board and unsound["mines"] == 3


def test_json_has_exact_fractions() -> None:
    arguments = ("audit", "--agent", "basic", "--games", 10, "--mines", 12)
    answer = json.loads(invoke(*arguments, "--json").stdout)
    report = audit_games("basic", [random_layout(9, 9, 12, game_rng(0, game)) for game in range(10)])
    assert json.loads("".join(audit_to_json(report))) == answer
    assert Fraction(answer["completeness_exact"]) == report.completeness == Fraction(report.found, report.forced)
    assert Fraction(answer["mean_regret_exact"]) == report.mean_regret
    assert answer["mean_regret"] == float(report.mean_regret or 0) > 0
    assert answer["unsound"] == [] and answer["completeness_beyond"] == 0
    exact = facts(invoke(*arguments, "--exact").stdout)
    assert exact["regret"] == f"{report.mean_regret} on average, {report.greatest_regret} at most"


def test_rules_of_play(tmp_path: Path) -> None:
    layout = Layout(("*...", "....", "...*"), start=(0, 3))
    path = tmp_path / "layout.json"
    write(layout, path)
    options = ("--layout", path, "--no-cascade", "--play-on", "--hide-total", "--games", 3, "--seed", 1)
    for first, start in (("given", None), ("any", Cell(2, 2)), ("zero", None)):
        more = () if start is None else ("--start", f"{start[0]},{start[1]}")
        answer = json.loads(invoke("audit", "--agent", "subset", *options, "--first", first, *more, "--json").stdout)
        rules = Rules(FirstClick(first), start, cascade=False, fatal=False, tells_total=False)
        report = audit_games("subset", [layout] * 3, rules, seed=1)
        assert json.loads("".join(audit_to_json(report))) == answer and answer["games"] == 3


def test_files_with_many_boards(tmp_path: Path) -> None:
    positions = "tests/data/positions_expert.jsonl"
    assert len(read_boards(positions)) == 200
    one = tmp_path / "one.txt"
    one.write_text(SUBSET)
    lines = tmp_path / "two.jsonl"
    lines.write_text('{"board": ["1#"]}\n\n{"board": ["###"], "mines": 1}\n')
    result = invoke("audit", "--agent", "basic", "--position", one, "--position", lines)
    assert facts(result.stdout)["examined"] == "3 positions"
    lines.write_text('{"board": ["1#"]}\n{"board": ["##", "#"]}\n')
    result = invoke("audit", "--agent", "basic", "--position", lines)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"{lines}:2:") and result.stderr.count("\n") == 1


def test_past_the_budget_guesses_are_not_judged() -> None:
    said = facts(invoke("audit", "--agent", "random", "--position", "examples/lattice.txt", "--budget", 0).stdout)
    assert said["not judged"] == "1 guess: the risk was not known within the budget"
    assert said["claims"] == "none" and "guesses" not in said


HOSTILE = """import os, sys, time

def hostile(deed):
    return lambda board: deed(board) if board.rows == 2 else ([], [])

raises = hostile(lambda board: board.nothing)
claims = hostile(lambda board: ([(99, 99)], []))
exits = hostile(lambda board: sys.exit(5))
dies = hostile(lambda board: os._exit(6))
hangs = hostile(lambda board: time.sleep(99))
prints = lambda board: print("not JSON") or ([], [])
"""


@pytest.mark.extended
@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("raises", "<lambda> raised AttributeError at agent.py:6: 'Board' object has no attribute 'nothing'"),
        ("claims", "the agent names 99,99, which is no covered cell (<lambda> at agent.py:4)"),
        ("exits", "<lambda> raised SystemExit at agent.py:8: 5"),
        ("dies", "the agent's process ended with exit code 6"),
        ("hangs", "the agent took more than 2 s, in <lambda> at agent.py:10"),
    ],
)
def test_an_agent_that_does_what_it_must_not(tmp_path: Path, function: str, said: str) -> None:
    """It loses the board, which is reported, and is examined on the others."""
    agent, boards = tmp_path / "agent.py", tmp_path / "boards.jsonl"
    agent.write_text(HOSTILE)
    boards.write_text('{"board": ["1#"]}\n{"board": ["##", "1#"]}\n{"board": ["#1"]}\n')
    limit = 2 if function == "hangs" else PATIENCE
    arguments = ("audit", "--agent", f"{agent}:{function}", "--position", boards, "--game-seconds", limit)
    result = invoke(*arguments)
    assert (result.exit_code, result.stderr) == (1, "")
    told = facts(result.stdout)
    assert (told["examined"], told["failed"]) == ("2 positions", "1, which take no part in the rest")
    assert result.stdout.endswith(f"\nboard 1 failed: {said}\n  ##\n  1#\n")
    answer = json.loads(invoke(*arguments, "--json").stdout)
    assert answer["failures"] == [{"number": 1, "position": "##\n1#", "message": said}]
    assert (answer["positions"], answer["forced"], answer["found"], answer["sound"]) == (2, 2, 0, True)


def test_an_agent_that_fails_in_every_game(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(HOSTILE)
    result = invoke("audit", "--agent", f"{path}:raises", "--rows", 2, "--mines", 3, "--games", 5)
    assert (result.exit_code, result.stderr) == (1, "")
    assert facts(result.stdout)["failed"] == "5, which take no part in the rest"
    layouts = [str(random_layout(2, 9, 3, game_rng(0, game))) for game in range(3)]
    for game, layout in enumerate(layouts):
        assert f"\ngame {game} failed: <lambda> raised" in result.stdout and indent(layout, "  ") in result.stdout
    assert result.stdout.endswith("\nand 2 more failures\n")


@pytest.mark.parametrize(
    ("risk", "code", "verdict"), [("1, 4", 0, "all of them right"), ("1, 3", 1, "1 of them wrong")]
)
def test_a_risk_that_is_wrong_is_no_success(tmp_path: Path, risk: str, code: int, verdict: str) -> None:
    """Its claims are true: it makes none."""
    path, board = tmp_path / "agent.py", tmp_path / "board.txt"
    path.write_text(
        "from fractions import Fraction\nfrom satsweep import Agent, Cell, Guess\n"
        f"agent = Agent(lambda board: ([], []), lambda board, rng: Guess(Cell(0, 0), risk=Fraction({risk})))\n"
    )
    board.write_text("mines 1\n##\n##\n")
    result = invoke("audit", "--agent", f"{path}:agent", "--position", board)
    assert facts(result.stdout)["risks"].startswith(f"1 reported, {verdict}")
    assert result.exit_code == code


def test_what_an_agent_prints_is_no_part_of_the_report(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(HOSTILE)
    command = [*COMMAND, "audit", "--agent", f"{path}:prints", "--games", "1", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["games"] == 1 and "not JSON" in ran.stderr


@posix
@pytest.mark.parametrize("json_wanted", [True, pytest.param(False, marks=pytest.mark.extended)])
def test_an_interrupt_keeps_what_was_examined(tmp_path: Path, json_wanted: bool) -> None:
    path = tmp_path / "agent.py"
    path.write_text(
        "import sys, time\nmade = []\n\ndef agent():\n    made.append(1)\n    return deduce\n\n"
        "def deduce(board):\n    if len(made) == 7:  # the first to be made is a sample\n"
        "        print('counting', file=sys.stderr)\n        time.sleep(99)\n    return [], []\n"
    )
    more = ["--json"] if json_wanted else []
    out, err, code = interrupted("", "audit", "--agent", f"{path}:agent", "--games", 9, *more)
    assert (code, err) == (130, b"interrupted after 5 of 9 games\n")
    games = json.loads(out)["games"] if json_wanted else facts(out.decode())["examined"].split()[0]
    assert int(games) == 5


def test_its_code_may_lie_in_the_current_directory(tmp_path: Path) -> None:
    (tmp_path / "my_minesweeper.py").write_text("def deduce(rows: list):\n    return [], []\n")
    command = [*COMMAND, "audit", "--agent", "my_minesweeper:deduce", "--games", "2"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "") and "claims        none" in ran.stdout


@posix
def test_progress_is_shown_on_a_terminal_only() -> None:
    shown, printed = on_terminal("audit", "--agent", "basic", "--games", 5, streams=("stderr",))
    assert "4 of 5 games" in shown and shown.endswith("\x1b[2K"), "the bar is taken away"
    assert printed.startswith("agent         basic\n")
