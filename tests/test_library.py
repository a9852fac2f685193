"""Public functions take what a person would type, and say what they expected otherwise."""

import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import find

import satsweep
from satsweep import Board, BoardSpec, Cell, Layout
from satsweep.agents import agent_named
from satsweep.testing import assert_complete, assert_sound, games
from tests import PATIENCE


def compared(agents: list[object], layout: Any) -> list[object]:
    with ThreadPoolExecutor(1) as one:
        report = satsweep.compare(agents, [layout], games=1, workers=one)
    return [(row["games"], row["won"]) for row in report.rows()]


BOARD = Board("mines 3\n##1.\n##21\n####")
LAYOUT = Layout(("..*.", "....", "..*."), start=(0, 0))
WORLD = Layout(("**..", "....", "..*."))
"""A world of the board."""
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
    "random_world": lambda board: satsweep.random_world(board, rng=Random(1)),
    "frontier": satsweep.solver.frontier,
    "audit": lambda board: satsweep.audit("basic", [board]),
    "risks": lambda board: [risk.tobytes() for risk in satsweep.risks([board], 3)],
    "fewest_clicks": lambda board: satsweep.fewest_clicks(WORLD, board=board).path,
    "assert_sound": lambda board: assert_sound("basic", board),
    "assert_complete": lambda board: assert_complete("sat", board),
}
"""Functions that take a board, or several."""
OF_A_LAYOUT: dict[str, Callable[[Any], object]] = {
    "play": lambda layout: satsweep.play(layout, "basic"),
    "audit_games": lambda layout: satsweep.oracle.audit_games("basic", [layout]),
    "rate": lambda layout: satsweep.rate(layout, (0, 0)),
    "compare": lambda layout: compared(["basic"], layout),
    "Game": lambda layout: satsweep.Game(layout).layout.symbols,
    "fewest_clicks": lambda layout: satsweep.fewest_clicks(layout).path,
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


def _public() -> Iterator[tuple[str, Any]]:
    folders = [value for name in satsweep.__all__ if inspect.ismodule(value := getattr(satsweep, name))]
    for place in [*folders, satsweep]:
        values = [(name, getattr(place, name)) for name in getattr(place, "__all__", ())]
        yield from [(name, value) for name, value in values if inspect.isfunction(value) or inspect.isclass(value)]


PUBLIC = dict(_public())
"""Functions and classes that users call by name, of the package and its folders."""


def public() -> Iterator[tuple[str, dict[str, inspect.Parameter]]]:
    """Names of what users call, with its parameters."""
    for name, value in PUBLIC.items():
        called = inspect.isfunction(value) and name in satsweep.__all__ or value is satsweep.Game
        if called or name in OF_A_BOARD or name in OF_A_LAYOUT:
            yield name, dict(inspect.signature(value).parameters)
    for function in (assert_sound, assert_complete):
        yield function.__name__, dict(inspect.signature(function).parameters)


def test_every_function_of_a_board_or_a_layout_is_tried() -> None:
    """Also, none has a parameter that is a Board or a Layout and nothing else."""
    for name, parameters in public():
        kinds = " ".join(str(parameter.annotation) for parameter in parameters.values())
        assert (name in OF_A_BOARD) == ("BoardLike" in kinds), name
        assert (name in OF_A_LAYOUT) == ("LayoutLike" in kinds), name
        assert re.findall(r"\b(?:Board|Layout)\b", kinds) == (["Layout"] if name == "compare" else []), name


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


def passed(check: Callable[..., None], *arguments: object, **named: object) -> bool:
    check(*arguments, **named)
    return True


OF_AN_AGENT: dict[str, Callable[[Any], object]] = {
    "play": lambda agent: satsweep.play(LAYOUT, agent, seed=1).moves,
    "audit": lambda agent: satsweep.audit(agent, [BOARD]).positions == 1,
    "audit_games": lambda agent: satsweep.oracle.audit_games(agent, [LAYOUT]).games == 1,
    "compare": lambda agent: compared([agent, "basic"], LAYOUT)[1:],
    "assert_sound": lambda agent: passed(assert_sound, agent, BOARD),
    "assert_complete": lambda agent: passed(assert_complete, "sat", BOARD, like=agent),
    "BoardSpec": lambda agent: BoardSpec(4, 4, 2, solvable_by=agent, beyond=agent if callable(agent) else None),
    "games": lambda agent: find(games(rows=2, cols=2, agent=agent), lambda boards: True),
}
"""Functions that take an agent, or several."""


@pytest.mark.parametrize("form", AGENTS)
@pytest.mark.parametrize("name", OF_AN_AGENT)
def test_an_agent_in_any_form(name: str, form: str) -> None:
    if (name, form) == ("BoardSpec", "function"):
        with pytest.raises(satsweep.ImpossibleSpec, match="no board that claims clears is beyond claims"):
            OF_AN_AGENT[name](AGENTS[form])
    elif (name, form) == ("BoardSpec", "policy"):
        assert BoardSpec(4, 4, 2, solvable_by=policy).labels == ("policy", None)
    else:
        assert OF_AN_AGENT[name](AGENTS[form])


def test_every_function_of_an_agent_is_tried() -> None:
    for name, parameters in public():
        takes = not {"agent", "agents", "deduce"}.isdisjoint(parameters)
        assert takes == (name in OF_AN_AGENT), name


def test_boards_that_a_function_clears() -> None:
    """A function generates as the agent does that it is; one that lies generates nothing."""
    spec = BoardSpec(4, 5, 3, solvable_by=claims)
    by_name, by_function = (
        [board.layout for board in satsweep.generate(each, 3, seed=1)]
        for each in (replace(spec, solvable_by="sat"), spec)
    )
    assert by_name == by_function

    def cheating(board: Board) -> tuple[list[Cell], list[Cell]]:
        return list(board.covered), []

    liar = BoardSpec(2, 2, 1, first=satsweep.games.FirstClick.SAFE, solvable_by=cheating)
    with pytest.raises(satsweep.ImpossibleSpec):
        next(satsweep.generate(liar))


class Odd:
    """A value that no parameter takes."""


VALID: dict[str, dict[str, Any]] = {
    "agent_named": {"name": "basic"},
    "analyse": {"board": BOARD},
    "audit": {"agent": "basic", "boards": [BOARD]},
    "audit_games": {"agent": "basic", "layouts": [LAYOUT]},
    "compare": {"agents": ["basic"], "boards": [LAYOUT], "games": 1},
    "conflict": {"board": BOARD},
    "explain": {"board": BOARD, "cell": (2, 1)},
    "fewest_clicks": {"layout": LAYOUT},
    "find_world": {"board": BOARD},
    "frontier": {"board": BOARD},
    "frontier_graph": {"frontier": satsweep.solver.frontier(BOARD)},
    "game_rng": {"seed": 0, "game": 0},
    "generate": {"spec": BoardSpec(4, 5, 3)},
    "graph_statements": {"edges": [("a", "b")], "shown": {"a": 1}},
    "play": {"layout": LAYOUT, "agent": "basic"},
    "random_layout": {"rows": 4, "cols": 4, "mines": 2},
    "random_world": {"board": BOARD},
    "rate": {"layout": LAYOUT},
    "read_picture": {"picture": np.zeros((40, 40, 3), np.uint8)},
    "review": {"record": satsweep.play(LAYOUT, "basic")},
    "risks": {"boards": [BOARD]},
    "solve_statements": {"rules": [(1, ["a", "b"])]},
    "Board": {"cells": BOARD.cells},
    "BoardSpec": {"rows": 4, "cols": 4, "mines": 2},
    "Budget": {},
    "Clues": {},
    "Game": {"layout": LAYOUT},
    "Layout": {"cells": LAYOUT.cells},
    "Rules": {},
    "Statement": {"mines": 1, "cells": ["a"]},
    "Topology": {"name": "offsets 0,1", "offsets": ((0, 1), (0, -1))},
}
"""Arguments of everything that is called with values of one's own."""
UNCHECKED = {
    *("cascade", "fatal", "tells_total", "no_guess", "traced", "loop", "guesses", "trust_flags", "quick", "kernels"),
    *("flags", "wraps_rows", "wraps_cols", "watch", "progress", "workers", "executor", "store", "source", "path"),
}
"""Truth values, functions and executors that are taken as they are; paths, which Python checks."""


def test_every_function_is_called_with_wrong_arguments() -> None:
    assert {name for name in satsweep.__all__ if inspect.isfunction(PUBLIC.get(name))} <= set(VALID)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name in VALID
        for parameter in inspect.signature(PUBLIC[name]).parameters
        if parameter not in UNCHECKED
    ],
)
def test_each_parameter_says_what_it_expected(name: str, parameter: str) -> None:
    function, arguments = PUBLIC[name], {**VALID[name], parameter: Odd()}
    with pytest.raises((TypeError, ValueError), match="^expected .*found|^expected rng or seed"):
        made = function(**arguments)
        if inspect.isgenerator(made):
            next(made)


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
        satsweep.explain(record.layout.board([(0, 0)]), (0, 1)),
        satsweep.explain(BOARD, (0, 0)),
        satsweep.Game(record.layout),
        BoardSpec(9, 9, 10, solvable_by=claims),
        next(satsweep.generate(BoardSpec(9, 9, 10), seed=1)),
        satsweep.random_layout("100x100/2000", seed=1),
        satsweep.random_layout("100x100/2000", seed=1).board([(0, 0)]),
        satsweep.audit("basic", [BOARD]),
    ]
    for value in values:
        assert len(repr(value)) <= 200 and type(value).__name__ in repr(value)


@pytest.mark.parametrize(
    "kind",
    [kind for kind in map(satsweep.__getattr__, satsweep.__all__) if inspect.isclass(kind)],
    ids=lambda kind: kind.__name__,
)
def test_no_property_beside_a_method_of_the_same_family(kind: type) -> None:
    """A method without parameters is a conversion, or else it is a property."""
    for name, member in inspect.getmembers(kind, inspect.isfunction):
        parameters = list(inspect.signature(member).parameters)
        if not name.startswith("_") and parameters == ["self"] and "classmethod" not in repr(member):
            assert name.startswith(("to_", "as_", "without_", "trusting_")) or name in {"rows", "meter"}, (
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
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (run.returncode, run.stdout) == (0, "[('mine', 4), ('basic', 4)]\n"), run.stderr[-2000:]
