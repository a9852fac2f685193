"""Forms of agents, each from a file to a game, and refusals of others."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satsweep.agents.forms import FORMS, Form
from satsweep.agents.isolated import isolated
from satsweep.agents.load import LoadedAgent, load_agent
from satsweep.agents.no_screen import StandIn, without_screen
from satsweep.board import Board
from satsweep.errors import AgentError, AgentLate, UnknownForm
from satsweep.games.agent import Agent, Guess
from satsweep.games.deal import NAMED_BOARDS, dimensions_named, random_layout
from satsweep.games.game import Game, play, play_moves
from satsweep.games.record import MoveReason, Outcome, Record
from satsweep.games.rules import Rules
from tests import ROOT
from tests.cli import invoke

CS50 = NAMED_BOARDS["cs50"]
GUIDE = (ROOT / "docs/guides/test-your-agent.md").read_text(encoding="utf-8")


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Callable[..., LoadedAgent]]:
    """Loads an agent, in a process of its own, from a file with this text."""
    with ExitStack() as held:

        def load(text: str, path: str = "", move_seconds: float | None = None) -> LoadedAgent:
            file = tmp_path / "mine.py"
            file.write_text(text)
            return held.enter_context(isolated(f"{file}{path and ':' + path}", move_seconds=move_seconds))

        yield load


def first_cell(agent: LoadedAgent) -> str:
    return str(next(play_moves(Game(random_layout(8, 8, 0, 0), CS50.rules), agent.fresh(), Random(0))).cell)


def game(agent: LoadedAgent, seed: int = 0, rules: Rules = CS50.rules) -> Record:
    return play(random_layout(8, 8, 8, seed=seed), agent.fresh(), rules, Random(seed))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.title)
def test_the_example_of_each_form_plays_by_its_file_alone(form: Form, written: Callable[..., LoadedAgent]) -> None:
    agent = written(form.example)
    for seed in range(3):
        assert game(agent, seed).outcome in Outcome
    assert len(form.example.splitlines()) <= 5


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.title)
def test_the_guide_prints_each_form(form: Form) -> None:
    assert f"{form.title[0].upper()}{form.title[1:]}:\n\n```text\n{form.example}```\n" in GUIDE


LESSONS = """
class MinesweeperAI():
    def __init__(self, height=8, width=8):
        self.said = [(height, width)]
        self.mines, self.safes = set(), set()

    def add_knowledge(self, cell, count):
        self.said.append((cell, count))
        if count == 0:
            self.safes |= {(r, c) for r in range(cell[0], cell[0] + 2) for c in range(cell[1], cell[1] + 2)
                           if r < self.said[0][0] and c < self.said[0][1]}

    def make_safe_move(self):
        opened = {cell for cell, _ in self.said[1:]}
        return min(self.safes - opened, default=None)

    def make_random_move(self):
        raise ValueError(self.said)
"""


@pytest.mark.parametrize("path", ["", "MinesweeperAI", "object", "MinesweeperAI(2, width=3)"])
def test_the_class_of_cs50_is_told_each_opened_cell_once(path: str, written: Callable[..., LoadedAgent]) -> None:
    """Its size is that of the board, not that of an object in the file."""
    agent = written(LESSONS + "object = MinesweeperAI(5, 5)\n", path or "MinesweeperAI")
    for _ in range(2):  # nothing is left of the first game
        with pytest.raises(AgentError, match=r"^make_random_move raised ValueError at mine.py:18: (.*)$") as caught:
            play(random_layout("2x3/1", seed=1), agent.fresh(), Rules("zero", cascade=False, start=(0, 0)))  # type: ignore[arg-type]
        assert str(caught.value).endswith(": [(2, 3), ((0, 0), 0), ((0, 1), 1), ((1, 0), 0), ((1, 1), 1)]")


def test_a_safe_move_to_an_open_cell_is_an_error_with_its_line(written: Callable[..., LoadedAgent]) -> None:
    agent = written(LESSONS.replace("return min(self.safes - opened, default=None)", "return self.said[-1][0]"))
    with pytest.raises(
        AgentError, match=r"^the agent opens 0,0, which is open already \(make_safe_move at mine.py:13\)$"
    ):
        play(random_layout("2x3/1", seed=1), agent.fresh(), Rules("zero", start=(0, 0), cascade=False))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("Solver(3, word='a')", None),
        ("Solver(1)", "found word of Solver; give values, as FILE.py:Solver(word=1)"),
        ("Solver(deep)", "expected plain values as arguments, found 'deep'"),
        ("Solver", "found depth, word of Solver; give values, as FILE.py:Solver(depth=1)"),
    ],
)
def test_arguments_of_a_class(path: str, said: str | None, written: Callable[..., LoadedAgent]) -> None:
    text = (
        "class Solver:\n    def __init__(self, depth, word, height=2): self.size = (depth, word, height)\n"
        "    def deduce(self, board): raise ValueError(self.size)\n"
    )
    if said is not None:
        with pytest.raises((AgentError, ValueError), match=re.escape(said)):
            written(text, path)
    else:
        with pytest.raises(AgentError, match=r"ValueError at mine.py:3: \(3, 'a', 8\)"):
            game(written(text, path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def first(board): return [], []\ndef second(board): return [], []\n", "mine.py:first or .*mine.py:second"),
        ("N = 3\n", "expected an agent, found no function or class"),
    ],
)
def test_a_file_has_one_agent(text: str, said: str, written: Callable[..., LoadedAgent]) -> None:
    with pytest.raises(AgentError, match=said):
        written(text)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("def helper(cell): ...\ndef solve(board): return (0, 1)\n", "0,1"),
        (
            "class A:\n    def act(self, board): return (0, 1)\nclass B(A):\n    def act(self, board): return (0, 2)\n",
            "0,2",
        ),
        ("class A:\n    def act(self, board): return self.c\na = A()\na.c = 0, 3\n", "0,3"),
        ("import random\nfrom math import dist\ndef chosen(board): return 0, 4\n", "0,4"),
    ],
)
def test_the_agent_of_a_file_is_found(text: str, cells: str, written: Callable[..., LoadedAgent]) -> None:
    assert first_cell(written(text)) == cells


def test_what_is_no_agent_is_told_the_three_nearest(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class AI:\n    def knowledge_add(self, cell, n): ...\n    def safe_move(self): ...\n"
    )
    result = invoke("audit", "--agent", tmp_path / "mine.py")
    first, *rest = result.stderr.splitlines()
    assert first == (
        f"{tmp_path}/mine.py: expected an agent, found the class AI with the names knowledge_add, safe_move; "
        "the nearest forms:"
    )
    assert (result.exit_code, rest.count("")) == (3, 3) and "def add_knowledge" in rest[4]
    with pytest.raises(UnknownForm):
        load_agent(lambda board, more, other, another: 0)


def answering(answer: object) -> Agent:
    """An agent whose function of a board always returns this."""

    def solve(board: Board) -> object:
        return answer

    return load_agent(solve).fresh()


def test_a_cell_or_claims_or_both() -> None:
    board = Board(("1#", "##"))
    cells: list[object] = [(1, 1), ([], [], (1, 1)), {"safe": [], "guess": [1, 1]}]
    for answer in cells:
        agent = answering(answer)
        assert not agent.deduce(board)
        guess = Guess.of(agent.guess(board, Random(1)), board)
        assert guess is not None and (guess.cell, guess.drawn) == ((1, 1), False)
    for answer in (([], []), ([], [], None)):
        agent = answering(answer)
        agent.deduce(board)
        guess = Guess.of(agent.guess(board, Random(1)), board)
        assert guess is not None and guess.drawn


def test_none_gives_up_after_a_cell_and_is_an_error_before(written: Callable[..., LoadedAgent]) -> None:
    agent = written("said = [(0, 0)]\ndef solve(board): return said.pop() if said else None\n")
    for _ in range(2):
        record = game(agent, rules=Rules("zero", cascade=False))  # type: ignore[arg-type]
        assert record.outcome is Outcome.STUCK and [move.reason for move in record.moves] == [MoveReason.GUESSED]
    with pytest.raises(AgentError, match=r"does it return anything\? \(solve at mine.py:1\)$"):
        game(written("def solve(board): [], []\n"))


def test_drawn_numbers_and_values_of_a_file_are_those_of_a_game(written: Callable[..., LoadedAgent]) -> None:
    agent = written(
        "import random\nfrom random import choice\nturns, seen = 0, set()\ndef solve(board):\n    global turns\n"
        "    turns += 1\n    seen.add(turns)\n    assert len(seen) == turns\n    return choice(board.covered)\n"
    )
    first = [game(agent, seed).moves for seed in range(3)]
    assert first == [game(agent, seed).moves for seed in range(3)] and len({moves[0].cell for moves in first}) > 1


def test_windows_are_not_opened(written: Callable[..., LoadedAgent]) -> None:
    agent = written(
        "import pygame, turtle\nimport pygame.locals as keys\nfrom pygame.locals import *\nfrom tkinter import Tk\n"
        "pygame.init()\nclass Player(pygame.sprite.Sprite):\n    def act(self, board): return 0, 0\n"
        "for event in pygame.event.get(): print(event)\n"
    )
    assert first_cell(agent) == "0,0"
    with without_screen():
        assert isinstance(import_module("pygame"), StandIn)
    assert "pygame" not in sys.modules


def test_a_python_without_tk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard library's own modules fail halfway there."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tkinter", "turtle")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "_tkinter", None)
    with without_screen():
        assert isinstance(import_module("turtle"), StandIn)
    assert "turtle" not in sys.modules


def test_a_slow_move_has_a_line(written: Callable[..., LoadedAgent]) -> None:
    agent = written("def solve(board):\n    while True: pass\n", move_seconds=0.1)
    with pytest.raises(AgentLate, match=r"^the agent took more than 0.1 s for a move, in solve at mine.py:2$"):
        game(agent)


@pytest.mark.skipif(sys.platform == "win32", reason="an audit of late agents takes long there")
def test_an_audit_ends_where_an_agent_is_late_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def solve(board):\n    while True: pass\n")
    result = invoke("audit", "--agent", tmp_path / "mine.py", "--move-seconds", 0.1, "--board", "cs50")
    assert result.exit_code == 1 and "failed        3, which" in result.stdout
    assert result.stderr == "the agent was late 3 times: the audit ended after 3 of 100 games\n"


def test_boards_by_name_have_their_rules(tmp_path: Path) -> None:
    assert dimensions_named("cs50") == (8, 8, 8)
    record = tmp_path / "game.json"
    assert invoke("play", "--board", "cs50", "--agent", "sat", "--seed", 1, "--record", record).exit_code == 0
    rules: dict[str, Any] = json.loads(record.read_text())["rules"]
    assert (rules["first"], rules["cascade"], rules["tells_total"]) == ("any", False, False)
    compared = invoke("compare", "--agents", "basic", "--board", "cs50", "--first", "zero", "--games", 1, "--json")
    setting = json.loads(compared.stdout)["settings"][0]["setting"]
    assert (setting["first"], setting["cascade"], setting["tells_total"]) == ("zero", False, False)
