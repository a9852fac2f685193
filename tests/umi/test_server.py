"""satsweep as an engine: exact answers to moves and queries, and errors that leave it usable."""

import os
import re
import subprocess
from dataclasses import replace
from functools import partial

import pytest

from satsweep.agents import agent_named
from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.clues import clues_named
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.rules import FirstClick, Goal, Redraw, Rules
from satsweep.render import analysis_text
from satsweep.solver.budget import Budget
from satsweep.umi import server
from satsweep.umi.server import Server
from tests import PATIENCE
from tests.cli import COMMAND

BOARD = Board(("##1.", "##21", "####"), mines=3)
THREE = "game 1 3 2\nboard\n###\n"
"""Three cells with two mines."""


class Talk:
    """A server; a call returns the lines that it answers to those of a text."""

    def __init__(self, server: Server | None = None) -> None:
        self.server = server or Server("sat", ("sat", "gem"))

    def __call__(self, text: str) -> list[str]:
        return "".join(map(self.server.answer, text.splitlines(keepends=True))).splitlines()


def shown(board: Board) -> str:
    rows = "\n".join(board.cells)
    return f"game {board.rows} {board.cols} {board.mines}\nboard\n{rows}\n"


def test_moves_and_queries_are_exact() -> None:
    talk, analysis = Talk(), analyse(BOARD)
    assert {"sound", "complete", "risks", "queries"} <= {*talk("umi 1\n")[-2].split()[1:]}
    assert talk(shown(BOARD)) == []
    assert talk("go\n") == [f"safe {' '.join(map(str, analysis.safe))}", "done"]
    risks = " ".join(f"{cell}={analysis.risk(cell)}" for cell in BOARD.covered)
    assert talk("risks\n") == [f"risk {risks}", "done"]
    told = "".join(analysis_text.to_json(analysis)).replace("\n", " ")
    assert talk("analysis\n") == [f"analysis {told.strip()}", "done"]
    because = talk("explain 2,1\n")
    assert len(because) > 2 and because.pop() == "done" and all(line.startswith("because ") for line in because)


def test_guesses_are_of_least_risk() -> None:
    guess, done = Talk()("umi 1\ngame 2 2 1\nseed 3\nboard\n##\n##\ngo\n")[-2:]
    assert re.fullmatch("guess [01],[01] 1/4", guess) and done == "done"


def test_changes_are_the_board() -> None:
    layout = random_layout(5, 6, 6, game_rng(1, 1))
    before, after = layout.board(()), layout.board([cell for cell in layout.board(()) if not layout.is_mine(cell)][:9])
    cells = " ".join(f"{cell}={after[cell]}" for cell in after if after[cell] != before[cell])
    assert Talk()(f"{shown(before)}set {cells}\nrisks\ngo\n") == Talk()(f"{shown(after)}risks\ngo\n") != []


def test_answers_are_about_the_board_that_was_shown_last() -> None:
    talk = Talk()
    before, after = Board(("1#", "##"), mines=1), Board(("11", "##"), mines=1)
    assert talk(f"{shown(before)}risks\n") == ["risk 0,1=1/3 1,0=1/3 1,1=1/3", "done"]
    assert talk("set 0,1=1\nrisks\n") == ["risk 1,0=1/2 1,1=1/2", "done"] == talk(f"{shown(after)}risks\n")


@pytest.mark.parametrize(
    ("change", "error"),
    [("3,0=1", "expected a cell on the 3x4 grid, found 3,0"), ("0,4=1", "found 0,4"), ("0,0=4", "expected at most 3")],
)
def test_a_change_that_cannot_be_is_refused(change: str, error: str) -> None:
    talk = Talk()
    (said,) = talk(f"{shown(BOARD)}set {change}\n")
    assert said.startswith("error ") and error in said
    assert talk("ping\n") == ["pong"]


def test_risks_that_were_not_counted_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    short = partial(analyse, budget=Budget(states=0))
    monkeypatch.setattr(server, "analyse", short)
    board = Board(("#1#1#1#1#1#", "###########"), mines=5)
    assert short(board).unknown, "else this shows nothing"
    told = Talk()(f"{shown(board)}risks\n")
    assert told[-1] == "done" and not any(line.startswith("error") for line in told)


REFUSED = (
    "game 1 3 2\nrule topology zz\n",
    "game 1 3 4\n",
    "game 1 x 1\n",
    "game 1 3\n",
    "game 1 3 1\nrule fatal\n",
    "game 1 3 1\nseed x\n",
    "game 1 3 1\nrule colour red\nnonsense\n",
    "game 1 3 1\nping\nrule fatal no\n",
)


@pytest.mark.parametrize("lines", REFUSED)
@pytest.mark.parametrize("begun", ["", "game 1 3 1\nboard\n###\n"])
def test_a_refused_game_leaves_no_game(lines: str, begun: str) -> None:
    """Nothing is answered from the game before it, and no line after it is lost."""
    talk = Talk()
    assert talk(begun) == []
    refused = [line.split()[0] for line in talk(f"{lines}ping\n")]
    assert refused.count("pong") == lines.count("ping") + 1 and {*refused} == {"pong", "error"}
    for request in ("board\n###\n", "set 0,0=#\n", "go\n", "risks\n"):
        found = [line.split()[0] for line in talk(f"{request}ping\n")]
        assert found[-1] == "pong" and {*found[:-1]} == {"error"}, request
    assert talk(f"{THREE}risks\n") == ["risk 0,0=2/3 0,1=2/3 0,2=2/3", "done"]


def test_a_game_before_a_bad_line_has_begun() -> None:
    talk = Talk()
    (trouble,) = talk("game 1 3 1\nboard\n###\ngame 1 3 2\nnonsense\nboard\n###\n")
    assert trouble == "error expected a line of the protocol, found the line 'nonsense'"
    assert talk("risks\n") == talk(f"{THREE}risks\n")


def test_the_agent_is_an_option() -> None:
    told = Talk()("option agent gem\numi 1\n")
    assert told[0] == "name satsweep gem" and "sound" not in told[-2].split()


def test_the_command_answers_a_pipe() -> None:
    """Bytes that are no text are an error."""
    sent = b"umi 1\nping \xff\xfe\nnonsense\ngame 1 2 1\nboard\n1#\ngo\nquit\nping\n"
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run([*COMMAND, "umi"], input=sent, capture_output=True, check=True, timeout=PATIENCE, env=strict)
    assert done.stdout.splitlines()[-4:] == [
        b"error expected a line of the protocol, found the line 'ping \\xff\\xfe'",
        b"error expected a line of the protocol, found the line 'nonsense'",
        b"mine 0,1",
        b"done",
    ]
    assert done.stderr == b""


def test_the_agent_gets_the_rules_of_the_game() -> None:
    seen: list[Rules] = []
    agent = replace(agent_named("gem"), begin=lambda rules, rng: seen.append(rules))
    talk = Talk(Server("mine", (), lambda: agent))
    given = "rule first zero\nrule cascade no\nrule fatal no\nrule goal find\nrule clues underestimate\n"
    assert talk(f"game 1 2 -\n{given}board\n##\ngame 1 2 1\nboard\n##\n") == []
    clues = clues_named("underestimate")
    assert seen == [Rules(FirstClick.ZERO, None, False, False, Goal.FIND, clues, tells_total=False), Rules()]
    assert talk("game 1 2 1\nrule redraw fair-any\nboard\n##\n") == []
    assert seen[-1] == Rules(redraw=Redraw.FAIR_ANY)
    assert talk("game 1 2 1\nrule redraw kind\nboard\n##\n") == [
        "error expected the rule redraw as one of never, fair, fair-any, cruel, cruel-all, found 'kind'",
        "error expected a game before its board",
    ]
    assert talk("game 1 2 -\nrule redraw fair\nboard\n##\n")[0] == (
        "error expected exact clues and a mine total that is told to redraw mines, found a mine total that is not told"
    )
