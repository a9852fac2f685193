"""Public functions take what a person would type, and say what they expected otherwise."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import satsweep
from satsweep import Board, BoardSpec, Cell, Layout
from satsweep.agents import agent_named

BOARD = Board("mines 3\n##1.\n##21\n####")
LAYOUT = Layout(("..*.", "....", "..*."), start=(0, 0))
FORMS: dict[str, Callable[[Board], Any]] = {
    "text": str,
    "rows": lambda board: list(board.cells),
    "lists": lambda board: board.to_array().tolist(),
    "array": lambda board: board.to_array(),
}
OF_A_BOARD: dict[str, Callable[[Any], object]] = {
    "analyse": lambda board: satsweep.analyse(board).risks,
    "explain": lambda board: satsweep.explain(board, (2, 1)),
    "conflict": satsweep.conflict,
    "find_world": satsweep.find_world,
    "frontier": satsweep.frontier,
    "frontier_graph": lambda board: sorted(map(str, satsweep.frontier_graph(board).edges)),
    "audit": lambda board: satsweep.audit("basic", [board]),
    "risks": lambda board: [risk.tobytes() for risk in satsweep.risks([board], 3)],
}
"""Functions that take a board, or several."""
OF_A_LAYOUT: dict[str, Callable[[Any], object]] = {
    "play": lambda layout: satsweep.play(layout, "basic"),
    "audit_games": lambda layout: satsweep.audit_games("basic", [layout]),
    "rate": lambda layout: satsweep.rate(layout, (0, 0)),
}
"""Functions that take a layout, or several."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", OF_A_BOARD)
def test_a_board_in_any_form(name: str, form: str) -> None:
    board = BOARD if form == "text" else Board(BOARD.cells)
    assert OF_A_BOARD[name](FORMS[form](board)) == OF_A_BOARD[name](board)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", OF_A_LAYOUT)
def test_a_layout_in_any_form(name: str, form: str) -> None:
    layout = LAYOUT if form == "text" else Layout(LAYOUT.cells)
    assert OF_A_LAYOUT[name](FORMS[form](layout)) == OF_A_LAYOUT[name](layout)  # type: ignore[arg-type]


def test_every_function_of_a_board_or_a_layout_is_tried() -> None:
    for name in satsweep.__all__:
        function = getattr(satsweep, name)
        if inspect.isfunction(function):
            kinds = " ".join(str(parameter.annotation) for parameter in inspect.signature(function).parameters.values())
            assert (name in OF_A_BOARD) == ("BoardLike" in kinds), name
            assert (name in OF_A_LAYOUT) == ("LayoutLike" in kinds), name


def claims(board: Board) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    return satsweep.analyse(board).safe, ()


def policy(observation: np.ndarray[Any, Any], mask: np.ndarray[Any, Any]) -> int:
    return int(mask.argmax())


AGENTS: dict[str, object] = {
    "name": "basic",
    "agent": agent_named("basic"),
    "function": claims,
    "policy": policy,
}


@pytest.mark.parametrize("agent", AGENTS.values(), ids=list(AGENTS))
def test_an_agent_in_any_form(agent: object) -> None:
    assert satsweep.play(LAYOUT, agent, seed=1).moves
    assert satsweep.audit(agent, [BOARD]).positions == 1
    assert satsweep.audit_games(agent, [LAYOUT]).games == 1


@pytest.mark.parametrize(
    ("expected", "call"),
    [
        ("rows of symbols or of integers, or text, found 5", lambda: satsweep.analyse(5)),  # type: ignore[arg-type]
        ("integers, found None at row 0, column 0", lambda: satsweep.analyse([[None]])),  # type: ignore[list-item]
        ("integers, found 0.0", lambda: satsweep.analyse(np.zeros((2, 2)))),
        ("a Budget, or seconds, found 'x'", lambda: satsweep.analyse(BOARD, budget="x")),  # type: ignore[arg-type]
        ("a topology or its name, found 5", lambda: Board("#1.", topology=5)),  # type: ignore[arg-type]
        ("a model of numbers or its name, found 5", lambda: Board("#1.", clues=5)),  # type: ignore[arg-type]
        ("a cell as \\(row, column\\), found 5", lambda: satsweep.explain(BOARD, 5)),  # type: ignore[arg-type]
        ("a cell as \\(row, column\\), found '2,1'", lambda: satsweep.explain(BOARD, "2,1")),  # type: ignore[arg-type]
        ("a cell as \\(row, column\\)", lambda: satsweep.analyse(BOARD).risk((0.5, 1))),  # type: ignore[arg-type]
        ("a mapping from cells", lambda: satsweep.find_world(BOARD, [(0, 0)])),  # type: ignore[arg-type]
        ("several boards, as a list", lambda: satsweep.risks(BOARD)),  # type: ignore[arg-type]
        ("several boards, as a list", lambda: satsweep.risks(str(BOARD))),
        ("a mine total, or one for each board", lambda: satsweep.risks([BOARD], "3")),  # type: ignore[arg-type]
        ("an array of boards, rows and columns, found 2", lambda: satsweep.risks(BOARD.to_array())),
        ("several boards, as a list", lambda: satsweep.audit("basic", BOARD)),  # type: ignore[arg-type]
        ("several layouts, as a list", lambda: satsweep.audit_games("basic", LAYOUT)),  # type: ignore[arg-type]
        ("an agent or a function of a board, found 5", lambda: satsweep.play(LAYOUT, 5)),
        ("an agent or a function of a board, found 5", lambda: satsweep.compare([5], "beginner", games=1)),
        ("Rules, found 'x'", lambda: satsweep.play(LAYOUT, "basic", "x")),  # type: ignore[arg-type]
        ("several agents, as a list, found 'sat'", lambda: satsweep.compare("sat", "beginner", games=1)),
        ("agents, found none", lambda: satsweep.compare([], "beginner", games=1)),
        ("a number for games, found 'x'", lambda: satsweep.compare(["sat"], games="x")),  # type: ignore[arg-type]
        ("more than 0 for jobs, found 0", lambda: satsweep.compare(["sat"], games=1, jobs=0)),
        ("levels, sizes, settings or layouts, found 5", lambda: satsweep.compare(["sat"], 5)),  # type: ignore[arg-type]
        ("a cell as \\(row, column\\), found 'x'", lambda: BoardSpec(9, 9, 10, start="x")),  # type: ignore[arg-type]
        ("a Record, found 5", lambda: satsweep.review(5)),  # type: ignore[arg-type]
        ("a BoardSpec, found 5", lambda: next(satsweep.generate_boards(5))),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_argument_says_what_was_expected(expected: str, call: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^expected {expected}") as caught:
        call()
    assert "\n" not in str(caught.value)


def test_cells_are_pairs_of_integers() -> None:
    assert BoardSpec(9, 9, 10, start=(4, 4)).start == Cell(4, 4)  # type: ignore[arg-type]
    assert Cell.of(np.array([2, 1])) == (2, 1) and isinstance(Cell.of([2, 1]), Cell)


def test_long_values_have_a_short_repr() -> None:
    record = satsweep.play("expert", "sat", seed=1)
    values = [
        record,
        satsweep.analyse(record.layout.board([])),
        satsweep.rate(LAYOUT),
        satsweep.review(satsweep.play("5x5/3", "basic", seed=1), kernels=False),
        satsweep.conflict(["#####", "#131#", "#####"]),
    ]
    for value in values:
        assert len(repr(value)) <= 200 and type(value).__name__ in repr(value)


@pytest.mark.parametrize("kind", [Board, Layout, satsweep.Analysis, satsweep.Record, satsweep.Report, satsweep.Review])
def test_no_property_beside_a_method_of_the_same_family(kind: type) -> None:
    """A method without parameters is a conversion, or else it is a property."""
    for name, member in inspect.getmembers(kind, inspect.isfunction):
        parameters = list(inspect.signature(member).parameters)
        if not name.startswith("_") and parameters == ["self"] and "classmethod" not in repr(member):
            assert name.startswith(("to_", "as_", "without_", "trusting_")) or name in {"rows"}, (
                f"{kind.__name__}.{name}"
            )


def test_the_help_reads_like_a_page() -> None:
    """The docstring of the package names what there is, in groups of one line each."""
    text = satsweep.__doc__ or ""
    for name in satsweep.__all__:
        value = getattr(satsweep, name)
        if inspect.isfunction(value):
            assert name in re.findall(r"\w+", text), name


SCRIPT = """
import multiprocessing
multiprocessing.set_start_method("spawn")
import satsweep

def mine(board):
    return [], []

report = satsweep.compare([mine, "basic"], "5x5/3", games=4, jobs=2)
print([(row["agent"], row["games"]) for row in report.rows()])
"""


@pytest.mark.extended
def test_a_script_without_a_guard_under_spawn(tmp_path: Path) -> None:
    """As on Windows and macOS: processes do not run the script again."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=300)
    assert (run.returncode, run.stdout) == (0, "[('mine', 4), ('basic', 4)]\n"), run.stderr[-2000:]
