"""The referee's script: it shares no code with the package, misses no result, and sees what is wrong."""

import ast
import importlib
import json
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satsweep import Board, analyse
from satsweep.arena.stats import t_quantile, wilson
from satsweep.learn.bench.keys import values_of
from satsweep.learn.bench.tasks import frozen_tasks
from tests import ROOT

sys.path.append(str(ROOT / "benchmarks"))
referee: Any = importlib.import_module("referee")
exact: Any = importlib.import_module("referee_exact")
RESULTS = ROOT / "benchmarks" / "results"


def test_it_imports_python_alone() -> None:
    for name in ("referee", "referee_exact"):
        tree = ast.parse((ROOT / "benchmarks" / f"{name}.py").read_text(encoding="utf-8"))
        found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        found |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {one.partition(".")[0] for one in found} <= {*sys.stdlib_module_names, "referee_exact"}


def test_every_result_is_recomputed_or_said_to_be_measured() -> None:
    files = {path.stem for path in RESULTS.iterdir() if path.suffix in (".json", ".jsonl")}
    recomputed = {name for _, names in referee.CLAIMS.values() for name in names.split()} - {"*.csv"}
    assert files == recomputed | {*referee.MEASURED}
    assert not recomputed & {*referee.MEASURED}


def test_a_small_sample_agrees(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["referee.py", "--sample", "1", "--seed", "test"])
    assert referee.main() == 0
    said = capsys.readouterr().out
    assert "differs" not in said and all(f"{name}: " in said for name in referee.CLAIMS)


def test_counts_risks_and_quantiles_are_those_of_the_package() -> None:
    """The two share nothing, so each tests the other."""
    for task in [task for task in frozen_tasks().tasks if task.task in ("why", "risk")][:12]:
        board = Board(task.board, task.mines)
        position, analysis = exact.Position(board.cells, task.mines), analyse(board)
        assert position.count() == analysis.worlds
        assert position.risks() == {cell: analysis.risk(cell) for cell in board.covered}
    for freedom in (1.0, 1.4, 3.0, 7.0, 60.0):
        assert exact.student(freedom) == pytest.approx(t_quantile(freedom), rel=1e-5)
    assert exact.wilson(0.3, 50) == pytest.approx(wilson(0.3, 50)[1:])


def planted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, beside: str = "*.[jc]s*"
) -> None:
    """A result with a planted error in place of the committed one, and those beside it."""
    for path in RESULTS.glob(beside):
        (folder / path.name).write_bytes(path.read_bytes())
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    monkeypatch.setattr(referee, "RESULTS", folder)


def test_it_sees_a_bound_of_other_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = json.loads((RESULTS / "bound_8x8.json").read_text())
    old = json.dumps(kept["bound"])
    for key in ("percent", "95 %"):
        new = json.dumps(kept["bound"] | {key: kept["bound"][key] + 0.1})
        planted(tmp_path, monkeypatch, "bound_8x8.json", old, new, beside="bound_8x8.json")
        wrong = [one.about for one in referee.bound(1, Random(0)) if not one.agrees]
        assert wrong == ["bound_8x8.json in all"]


def test_it_sees_a_wrong_count_of_best_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(tmp_path, monkeypatch, "optimal.jsonl", '"0,1": [3, 4, 6]', '"0,1": [2, 2, 6]')
    wrong = [one.about for one in referee.optimal(1_000, Random(0)) if not one.agrees]
    assert wrong == ["1x5/2 from 0,1, safe"]


def test_it_sees_a_wrong_interval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(tmp_path, monkeypatch, "compare.csv", ",0.364176,", ",0.374176,")
    wrong = [one.about for one in referee.won_games(1_000, Random(0)) if not one.agrees]
    assert wrong == ["compare.csv basic 16x16/40"]


@pytest.mark.parametrize(("task", "value"), [("risk", "1/7"), ("deduce", "0"), ("guess", "1/7")])
def test_it_sees_a_wrong_key(task: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head, *rows = (ROOT / "satsweep/learn/bench/tasks.jsonl").read_text().splitlines()
    found = [json.loads(row) for row in rows]
    of_task = [row for row in found if row["task"] == task]
    if task == "guess":  # with few layouts
        of_task = [row for row in of_task if row["mines"] == 10]
        chosen = next(row for row in of_task if exact.Position(row["board"].split("\n"), 10).count() <= 30)
    else:
        chosen = of_task[0]
    # Of other risks there have to be ten; those of small boards take no time.
    others = [row for row in found if row["task"] == "risk" and row is not chosen]
    others.sort(key=lambda row: len(row["board"]))
    risks = [*{next(iter(row["values"])): row for row in reversed(others)}.values()]
    cells = " ".join(chosen["values"].values())
    wrong = chosen | {"id": "planted", "values": {value: cells}}
    (tmp_path / "tasks.jsonl").write_text("\n".join([head, *map(json.dumps, [*risks[-12:], wrong])]))
    monkeypatch.setattr(referee, "TASKS", tmp_path / "tasks.jsonl")
    assert values_of(chosen["values"], lambda cell: cell) != {cell: Fraction(value) for cell in chosen["values"]}
    differing = [one.about for one in referee.keys(1_000, Random(0)) if not one.agrees]
    assert differing == ["planted"]
