"""Values and texts that are refused: every call of the golden, with the error that it ends with.

After a new line that begins with $, ``pytest --update tests/test_refusals.py`` writes its error.
"""

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import satsweep
from satsweep import Board, BoardSpec, Cell, Layout, Record, Rules
from satsweep.agents import AGENTS
from satsweep.agents.engine import command_named
from satsweep.agents.fingerprint import fingerprint
from satsweep.arena.plan import Plan
from satsweep.arena.planfile import read_plan
from satsweep.arena.sprt import Sprt
from satsweep.clues import clues_named
from satsweep.errors import BoardError, SatsweepError
from satsweep.formats import read_content, read_layouts
from satsweep.games.rules import FirstClick
from satsweep.games.setting import Setting
from satsweep.learn.bench.answers import Answers as ModelAnswers
from satsweep.learn.bench.tasks import TaskSet, read_tasks
from satsweep.learn.corpus import tables
from satsweep.topology import topology_named
from satsweep.umi.protocol.lines import ReplyReader, RequestReader
from satsweep.umi.protocol.messages import ProtocolError
from satsweep.umi.server import Server
from tests.conftest import Answers

BOARD, LAYOUT = Board("mines 3\n##1.\n##21\n####"), Layout(("..*.", "....", "..*."), start=(0, 0))


def pasted(text: str) -> object:
    """A text as the library reads it; the command and the page say the same about it."""
    with pytest.raises(BoardError) as caught:
        read_content(text.encode())
    try:
        return Board.from_text(text)
    except BoardError as error:
        assert str(error) == str(caught.value)
        raise


def plan(text: str) -> Plan:
    Path("plan.toml").write_text(text)
    return read_plan("plan.toml")


def engine(text: str) -> object:
    Path("engine.toml").write_text(text)
    return command_named("cmd:engine.toml")


def model(written: str) -> object:
    """A model of clues, which a board names by the same words."""
    with pytest.raises(BoardError) as caught:
        Board.from_text(f"clues {written or '?'}\n##\n")
    assert (caught.value.line, caught.value.column) == (1, 7)
    return clues_named(written)


def reply(line: str) -> object:
    return ReplyReader().read(f"{line}\n")


def request(line: str) -> object:
    """A line to an engine; one after a wrong line is read."""
    reader = RequestReader()
    try:
        return list(reader.read(f"{line}\n"))
    except ProtocolError:
        assert list(reader.read("ping\n")) == ["ping"]
        raise


def umi(text: str) -> None:
    """Lines to the engine that satsweep is; it lives on."""
    server = Server("sat", ("sat", "gem"))
    lines = "".join(map(server.answer, f"umi 1\n{text}\nping\n".splitlines(keepends=True))).splitlines()
    assert lines[-1] == "pong"
    raise SatsweepError(next(line for line in lines if line.startswith("error ")))


NAMES: dict[str, Any] = {
    **{value.__name__: value for value in (Board, BoardSpec, Cell, Fraction, Layout, Plan, Rules, Setting, Sprt)},
    **{value.__name__: value for value in (pasted, plan, engine, model, reply, request, umi, FirstClick)},
    **{"satsweep": satsweep, "np": np, "math": math, "sys": sys, "BOARD": BOARD, "LAYOUT": LAYOUT},
    **{"content": read_content, "topology": topology_named, "nan": math.nan},
    **{"BASIC": 'agents = ["basic"]\n', "BOARDS": "[[boards]]\nsize = [2, 3]\nmines = 1\n"},
}
"""Names in the golden. A plan that is right consists of the last two."""


def test_refusals(answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each error has its kind, its one line, and the part of the value that is wrong."""
    monkeypatch.chdir(tmp_path)

    def error_of(call: str) -> str:
        with pytest.raises((SatsweepError, TypeError, ValueError, IndexError)) as caught:
            eval(call, NAMES)
        at = getattr(caught.value, "at", None)
        said = f"{caught.typename}{'' if at is None else f' at {at}'}: {caught.value}"
        assert said.isprintable() and len(said) < 500, call
        return said.replace(f"among {', '.join(AGENTS)}", "among AGENTS")

    answers("refusals.txt", error_of)


@pytest.mark.parametrize(
    "read",
    [
        Board.load,
        Layout.load,
        Record.load,
        read_layouts,
        read_plan,
        read_tasks,
        lambda file: list(tables.read(file)),
        lambda file: ModelAnswers(file, TaskSet("none", ()), exists=True),
        lambda file: fingerprint(f"{file}.py:deduce"),
    ],
)
def test_a_missing_file_is_said_in_one_way(read: Callable[[str], object], tmp_path: Path) -> None:
    with pytest.raises(SatsweepError, match=r"none(\.py)?: expected a readable file: No such file or directory$"):
        read(str(tmp_path / "none"))
