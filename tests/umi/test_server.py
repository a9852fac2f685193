"""satsweep as an engine: exact answers to moves and queries, and errors that leave it usable."""

import json
import os
import subprocess
from dataclasses import replace
from fractions import Fraction

import pytest

from satsweep.agents import agent_named
from satsweep.board import Board, Cell
from satsweep.clues import clues_named
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.solver.analysis import analyse
from satsweep.umi.forms import FORMS, Form
from satsweep.umi.messages import (
    Changes,
    EngineAnswer,
    FullPosition,
    Go,
    Greeting,
    Identity,
    NewGame,
    Query,
    Reply,
    Request,
    SetOption,
    Trouble,
)
from satsweep.umi.server import Server
from tests.cli.test_cli import COMMAND

every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
BOARD = Board(("##1.", "##21", "####"), mines=3)


class Talk:
    """A server, and the replies to what it is sent."""

    def __init__(self, form: Form, server: Server | None = None) -> None:
        self.server, self.form, self.reader = server or Server("sat", ("sat", "gem")), form, form.reply_reader()

    def __call__(self, *requests: Request) -> list[Reply]:
        return self.lines("".join(map(self.form.write_request, requests)))

    def lines(self, text: str) -> list[Reply]:
        answered = "".join(self.server.answer(line) for line in text.splitlines(keepends=True))
        found = [self.reader.read(line) for line in answered.splitlines(keepends=True)]
        return [reply for reply in found if reply is not None]

    def show(self, board: Board) -> list[Reply]:
        return self(NewGame(board.rows, board.cols, board.mines), FullPosition(board.cells))


@every_form
def test_moves_and_queries_are_exact(form: Form) -> None:
    talk, analysis = Talk(form), analyse(BOARD)
    (identity,) = talk(Greeting())
    assert isinstance(identity, Identity) and {"sound", "complete", "risks", "queries"} <= identity.can
    assert talk.show(BOARD) == []
    move, risks, told, why = talk(Go(), Query("risks"), Query("analysis"), Query("explain", Cell(2, 1)))
    assert move == EngineAnswer(safe=analysis.safe)
    assert isinstance(risks, EngineAnswer) and risks.risks == {cell: analysis.risk(cell) for cell in BOARD.covered}
    assert isinstance(told, EngineAnswer) and json.loads(told.analysis or "")["worlds"] == "12"
    assert isinstance(why, EngineAnswer) and "2,1" in " ".join(why.because) + "2,1" and len(why.because) > 1


@every_form
def test_guesses_are_of_least_risk(form: Form) -> None:
    talk = Talk(form)
    talk(Greeting(), NewGame(2, 2, 1, seed=3), FullPosition(("##", "##")))
    (found,) = talk(Go())
    assert isinstance(found, EngineAnswer) and found.risk == Fraction(1, 4) and found.guess is not None


@every_form
def test_changes_are_the_board(form: Form) -> None:
    layout = random_layout(5, 6, 6, game_rng(1, 1))
    before, after = layout.board(()), layout.board([cell for cell in layout.board(()) if not layout.is_mine(cell)][:9])
    cells = tuple((cell, after[cell]) for cell in after if after[cell] != before[cell])
    changed, full = Talk(form), Talk(form)
    changed(Greeting())
    full(Greeting())
    changed.show(before)
    full.show(after)
    assert changed(Changes(cells), Query("risks"), Go()) == full(Query("risks"), Go())


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        ((Go(),), "expected a board before `go`"),
        ((Query("risks"),), "expected a board before `risks`"),
        ((FullPosition(("##",)),), "expected a game before its board"),
        ((NewGame(1, 2, 1), FullPosition(("#",))), "expected 1 rows of 2 symbols"),
        ((NewGame(1, 2, 1), FullPosition(("#x",))), "expected one of # ."),
        ((NewGame(1, 2, 1), FullPosition(("9#",))), "found '9'"),
        ((NewGame(1, 2, 1), FullPosition(("##",)), FullPosition(("5#",))), "found 5"),
        ((NewGame(1, 2, 1), FullPosition(("##",)), Changes(((Cell(0, 0), "x"),))), "expected one of # ."),
        ((NewGame(1, 2, 1, {"topology": "sphere"}), Go()), "expected a topology among"),
        ((NewGame(1, 2, 1, {"fatal": "maybe"}), Go()), "expected the rule fatal as one of yes, no, found 'maybe'"),
        ((NewGame(1, 2, 1, {"colour": "red"}), Go()), "expected a rule of the protocol, found 'colour'"),
        ((NewGame(1, 2, 1), FullPosition(("##",)), Changes(((Cell(3, 3), "1"),))), "found 3,3"),
        ((NewGame(1, 3, 3), FullPosition(("1##",)), Query("analysis")), "the mine total leaves 3"),
        ((NewGame(1, 2, 1), FullPosition(("1#",)), Query("explain", Cell(0, 0))), "expected a covered cell"),
        ((NewGame(1, 2, 1), FullPosition(("1#",)), Query("explain", Cell(9, 0))), "expected a cell of the board"),
        ((SetOption("speed", "9"),), "expected the option agent with one of sat, gem, found 'speed'"),
    ],
)
def test_errors_are_answers(requests: tuple[Request, ...], message: str) -> None:
    for form in FORMS.values():
        talk = Talk(form)
        talk(Greeting())
        found = talk(*requests)
        assert any(isinstance(one, Trouble) and message in one.text for one in found)
        assert talk("ping") == ["pong"]


REFUSED = {
    "text": (
        "game 1 3 2\nrule topology zz\n",
        "game 1 3 4\n",
        "game 1 x 1\n",
        "game 1 3\n",
        "game 1 3 1\nrule fatal\n",
        "game 1 3 1\nseed x\n",
        "game 1 3 1\nrule colour red\nnonsense\n",
        "game 1 3 1\nping\nrule fatal no\n",
    ),
    "json": (
        '{"game": {"rows": 1, "cols": 3, "mines": 2, "rules": {"topology": "zz"}}}\n',
        '{"game": {"rows": 1, "cols": 3, "mines": 4}}\n',
        '{"game": {"rows": 1, "cols": "x"}}\n',
        '{"game": 3}\n',
    ),
}


@pytest.mark.parametrize(("form", "lines"), [(FORMS[form], lines) for form, all in REFUSED.items() for lines in all])
@pytest.mark.parametrize("begun", [False, True])
def test_a_refused_game_leaves_no_game(form: Form, lines: str, begun: bool) -> None:
    """Nothing is answered from the game before it, and no line after it is lost."""
    talk = Talk(form)
    talk(Greeting())
    if begun:
        talk.show(Board(("###",), mines=1))
    pings = lines.count("ping")
    refused = talk.lines(lines) + talk("ping")
    assert refused.count("pong") == pings + 1 and len(refused) > pings + 1
    assert all(isinstance(one, Trouble) for one in refused if one != "pong")
    for request in (FullPosition(("###",)), Changes(((Cell(0, 0), "#"),)), Go(), Query("risks")):
        found = talk(request, "ping")
        assert len(found) > 1 and found[-1] == "pong" and all(isinstance(one, Trouble) for one in found[:-1]), request
    talk.show(Board(("###",), mines=2))
    (risks,) = talk(Query("risks"))
    assert isinstance(risks, EngineAnswer) and {*risks.risks.values()} == {Fraction(2, 3)}


def test_a_game_before_a_bad_line_has_begun() -> None:
    talk = Talk(FORMS["text"])
    (trouble,) = talk.lines("umi 1\ngame 1 3 1\nboard\n###\ngame 1 3 2\nnonsense\nboard\n###\n")[1:]
    assert isinstance(trouble, Trouble) and "nonsense" in trouble.text
    (risks,) = talk(Query("risks"))
    assert isinstance(risks, EngineAnswer) and {*risks.risks.values()} == {Fraction(2, 3)}


def test_the_agent_is_an_option() -> None:
    talk = Talk(FORMS["text"])
    talk(Greeting(), SetOption("agent", "gem"))
    (identity,) = talk(Greeting())
    assert isinstance(identity, Identity) and identity.name == "satsweep gem" and "sound" not in identity.can


def test_the_command_answers_a_pipe() -> None:
    sent = "umi 1\nnonsense\ngame 1 2 1\nboard\n1#\ngo\nquit\nping\n"
    done = subprocess.run([*COMMAND, "umi"], input=sent, capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.endswith("error expected a line of the protocol, found the line 'nonsense'\nmine 0,1\ndone\n")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "line",
    ['{"game": {"rows": 2, "cols": 2, "mines": 1, "rules": "x"}}', '{"game": 3}', '{"go": []}', '{"set": [[0, 0]]}'],
)
def test_json_of_other_shapes_is_an_error(line: str) -> None:
    talk = Talk(FORMS["json"])
    talk(Greeting())
    (found,) = talk.lines(f"{line}\n")
    assert isinstance(found, Trouble) and "expected" in found.text
    assert talk("ping") == ["pong"]


def test_bytes_that_are_no_text_are_an_error() -> None:
    sent, strict = b"umi 1\nping \xff\xfe\nping\n", {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run([*COMMAND, "umi"], input=sent, capture_output=True, check=True, timeout=100, env=strict)
    assert done.stdout.splitlines()[-2:] == [
        b"error expected a line of the protocol, found the line 'ping \\xff\\xfe'", b"pong",
    ]  # fmt: skip


@every_form
def test_the_agent_gets_the_rules_of_the_game(form: Form) -> None:
    seen: list[Rules] = []
    agent = replace(agent_named("gem"), begin=lambda rules, rng: seen.append(rules))
    talk = Talk(form, Server("mine", (), lambda: agent))
    rules = Rules(FirstClick.ZERO, None, False, False, Goal.FIND, clues_named("underestimate"), tells_total=False)
    given = {"first": "zero", "cascade": "no", "fatal": "no", "goal": "find", "clues": "underestimate"}
    talk(Greeting(), NewGame(1, 2, None, given), FullPosition(("##",)), NewGame(1, 2, 1), FullPosition(("##",)))
    assert seen == [rules, Rules()]
