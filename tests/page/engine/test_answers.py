"""Answers of the engine in the browser, in Node: those of Python, to every question that it answers."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.games.deal import random_layout
from satsweep.games.rules import FirstClick
from satsweep.generator.run import generate
from satsweep.generator.spec import BoardSpec
from satsweep.layout import Layout
from satsweep.page.deals import TECHNIQUES
from satsweep.page.questions import LIMITS, Limits
from satsweep.page.values import ConflictingValues
from satsweep.topology import SQUARE
from tests import DATA
from tests.kernels.boards import stuck
from tests.page.answer_types import misfit
from tests.page.pages import ask, pieces

SCRIPT = Path(__file__).with_name("answers.mjs")
SQUARE_SIZES = [(1, 1), (2, 3), (9, 9), (16, 30)]
Asked = dict[str, Any]


def positions() -> list[str]:
    """The development positions."""
    texts = []
    for name in ("expert", "hard"):
        for line in (DATA / f"positions_{name}.jsonl").read_text().splitlines():
            one = json.loads(line)
            texts.append(str(Board(tuple(one["board"]), mines=one["mines"])))
    return texts


def engine(questions: Iterable[Asked], file: str = "satsweep.wasm") -> list[tuple[list[Any], Any]]:
    """Parts and answers of the engine; None where it has no answer."""
    node = shutil.which("node") or pytest.skip("needs node")
    lines = "".join(f"{json.dumps(one)}\n" for one in questions)
    done = subprocess.run([node, str(SCRIPT), file], input=lines, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def python(kind: str, limits: Limits = LIMITS, /, **fields: object) -> Any:
    """The answer of Python as the page gets it."""
    return json.loads(json.dumps(ask(kind, limits, **fields), default=str))


def odds_of(answer: Any) -> list[Any]:
    return [None if level < 0 else answer["odds"][level] for level in answer["cells"]]


def test_the_quick_engine_answers_the_quick_questions_as_the_whole_one() -> None:
    """Its file lacks what the others need."""
    table = (SCRIPT.parents[3] / "satsweep/page/static/engine/questions.js").read_text()
    stuck = "mines 2\n#1#\n1##\n###"
    asked: list[Asked] = [
        {"ask": "solve", "board": stuck},
        {"ask": "solve", "board": "mines 0\n1#\n##"},
        {"ask": "explain", "board": stuck, "cell": [0, 0]},
        {"ask": "explain", "board": "mines 3\n##1.\n##21\n####", "cell": [2, 1]},
        {"ask": "deal", "rows": 9, "cols": 9, "mines": 10, "start": [4, 4], "seed": "5", "first": "zero"},
        {"ask": "redraw", "board": "mines 1\n##\n##", "layout": "mines 1\n.*\n..", "opening": [0, 1], "redraw": "fair"},
    ]
    assert {one["ask"] for one in asked} == set(re.findall(r'^  (\w+): { by: "quick",', table, re.MULTILINE))
    found = engine(asked, "quick.wasm")
    for mine, whole in zip(found, engine(asked), strict=True):
        mine[1].pop("seconds", None), whole[1].pop("seconds", None)
        assert mine == whole


def test_grids() -> None:
    asked = [{"rows": rows, "cols": cols} for rows, cols in SQUARE_SIZES]
    found = engine({"ask": "grid", **one} for one in asked)
    assert [answer for _, answer in found] == [python("grid", **one) for one in asked]


@pytest.mark.extended
def test_risks_of_all_development_positions() -> None:
    boards = positions()
    beyond = fractions = 0
    for board, (_, answer) in zip(boards, engine({"ask": "solve", "board": one} for one in boards), strict=True):
        if answer is None:  # too wide
            beyond += 1
            continue
        expected = python("solve", board=board)
        same = ["safe", "mines", "unknown", "covered", "worlds", "expected", "remarks", "complete"]
        assert [answer[name] for name in same] == [expected[name] for name in same], board
        for mine, own in zip(odds_of(answer), odds_of(expected), strict=True):
            if own is not None and mine["exact"] is not None:
                fractions += mine["exact"] not in ("0", "1")
                assert mine == own
            elif own is not None:
                close = pytest.approx(own["risk"], rel=1e-11)
                assert (mine["percent"], mine["label"], mine["risk"]) == (own["percent"], own["label"], close)
        assert (answer["advice"]["kind"] == "safe") == (expected["advice"]["kind"] == "safe")
    assert beyond <= 10 and fractions > 1_000


@pytest.mark.extended
def test_advice_in_two_steps_is_that_of_python_alone() -> None:
    """The deep player here, what else there is to know from Python: together as if Python had asked its own."""
    boards = [str(board) for game in range(5) for board in stuck(16, 30, 99, SQUARE, game)]
    boards += [str(board) for game in range(3) for board in stuck(9, 9, 10, SQUARE, game)]
    kinds = set()
    for board, (_, answer) in zip(boards, engine({"ask": "advice", "board": one} for one in boards), strict=True):
        alone = python("advice", board=board)
        both = python("further_advice", board=board, wins=answer["wins"], exact=answer["kind"] == "exact")
        kinds.add(alone["kind"])
        if alone["kind"] == "estimate":
            assert both == alone and answer["sentence"] == alone["sentence"], board
        else:
            best = [found["candidates"][0] for found in (answer, both)]
            assert best[0]["cell"] == best[1]["cell"] and best[0]["win_exact"] == alone["candidates"][0]["win_exact"]
            assert sorted(both["candidates"], key=str) == sorted(alone["candidates"], key=str)
    assert kinds == {"exact", "estimate"}


def dealings() -> Iterator[Asked]:
    sizes = [(9, 9, 10), (16, 30, 99), (5, 4, 3)]
    for number, (rows, cols, mines) in enumerate(sizes):
        size = {"rows": rows, "cols": cols, "mines": mines, "seed": f"seed {number}", "start": [1, 2]}
        for first in ("any", "safe", "zero"):
            yield {"ask": "deal", **size, "clues": "exact", "first": first}
        for technique in TECHNIQUES:
            if mines < 99 or technique == "all":
                yield {"ask": "deal_no_guess", **size, "first": "zero", "technique": technique}
    torus = {"rows": 8, "cols": 8, "mines": 10, "topology": "torus", "start": [0, 0], "seed": "7"}
    grid = python("grid", rows=8, cols=8, topology="torus")
    yield {"ask": "deal", **torus, "first": "zero", "grid": grid}
    yield {"ask": "deal_no_guess", **torus, "technique": "all", "grid": grid}
    layout = "mines 2\nstart 1,1\n..*.\n....\n*..."
    yield {"ask": "deal", "layout": layout, "first": "any", "start": [1, 1]}
    yield {"ask": "rate", "layout": layout}


def without_order(answer: Any) -> Any:
    return {name: sorted(value) if name == "opened" else value for name, value in answer.items()}


def test_boards_are_dealt_as_python_deals_them() -> None:
    asked = list(dealings())
    for question, (_, answer) in zip(asked, engine(asked), strict=True):
        kind, fields = question["ask"], {name: own for name, own in question.items() if name not in ("ask", "grid")}
        assert without_order(answer) == without_order(python(kind, **fields)), question


@pytest.mark.extended
def test_boards_are_rated_as_python_rates_them() -> None:
    """Boards of all techniques, and random ones."""
    layouts = []
    for number in range(40):
        rng = Random(number)
        layout = Layout(random_layout(9, 9, 10, rng).cells, start=Cell(4, 4))
        layouts.append(layout if not layout.is_mine(Cell(4, 4)) else None)
        technique = [*TECHNIQUES.values()][number % 3]
        spec = BoardSpec(10, 10, 20, Cell(4, 4), FirstClick.ZERO, solvable_by=technique)
        layouts += [board.layout for board in generate(spec, seed=number, traced=False)]
    asked = [{"ask": "rate", "layout": str(layout)} for layout in layouts if layout is not None]
    needs = set()
    for question, (_, answer) in zip(asked, engine(asked), strict=True):
        assert answer == python("rate", layout=question["layout"]), question["layout"]
        needs.add(answer["needs"])
    assert needs == {"single", "pairs", "all", "guess"}


def games() -> Iterator[Asked]:
    for agent in ("sat", "deep", "deep:1"):
        for seed in range(3):
            size = {"agent": agent, "rows": 9, "cols": 9, "mines": 12, "seed": str(seed), "goal": "clear"}
            yield {"ask": "watch", **size, "first": "safe"}
            yield {"ask": "watch", **size, "first": "zero", "start": [4, 4]}
    layout = "mines 4\n..*...\n......\n*...**\n......"
    yield {
        "ask": "watch",
        "agent": "sat",
        "layout": layout,
        "first": "any",
        "start": [3, 0],
        "seed": "1",
        "goal": "clear",
    }
    yield {"ask": "watch", "agent": "deep", "layout": layout, "first": "any", "seed": "1", "goal": "clear"}


@pytest.mark.extended
def test_games_are_those_that_python_plays() -> None:
    """Move for move; reasons in words, and the seconds, are their own."""

    def told(parts: list[Any], end: Any) -> Any:
        moves = [move for part in parts for move in part.get("moves", [])]
        known = [(one["turn"], one["action"], one["cell"], sorted(one.get("opened", []))) for one in moves]
        head = {name: parts[0][name] for name in ("rows", "cols", "mines", "topology", "goal", "remarks")}
        facts = [fact for fact in end["facts"] if fact[0]]
        return known, head, facts, {name: end[name] for name in ("outcome", "won", "why", "layout")}

    asked = list(games())
    for question, (parts, end) in zip(asked, engine(asked), strict=True):
        fields = {name: own for name, own in question.items() if name != "ask"}
        expected = json.loads(json.dumps(pieces("watch", **fields), default=str))
        assert told(parts, end) == told(*expected), question


def test_what_only_python_knows_is_left_to_it() -> None:
    board, size = "mines 1\n1#\n##", {"rows": 4, "cols": 4, "mines": 2, "start": [0, 0]}
    asked: list[Asked] = [
        {"ask": "solve", "board": "1#\n##"},
        {"ask": "solve", "board": f"clues random 1/2\n{board}"},
        {"ask": "solve", "board": f"part all\n{board}"},
        {"ask": "deal", **size, "clues": "underestimate"},
        {"ask": "deal_no_guess", **size, "technique": "all", "clues": "underestimate"},
        {"ask": "watch", **size, "agent": "basic"},
        {"ask": "watch", **size, "agent": "sat", "goal": "find"},
    ]
    assert [answer for _, answer in engine(asked)] == [None] * len(asked)


def test_no_estimate_is_above_the_chance_to_survive() -> None:
    """An engine that is too confident, as the advice of Python bounds it."""
    node, static = shutil.which("node") or pytest.skip("needs node"), SCRIPT.parents[3] / "satsweep/page/static"
    script = f"""import {{ answer }} from {json.dumps(str(static / "engine/answer.js"))};
        import {{ load }} from {json.dumps(str(static / "engine/engine.js"))};
        import {{ squareGrid }} from {json.dumps(str(static / "basics/square-grid.js"))};
        const real = await load();
        const cells = [0, 2, 4, 8];
        const candidates = cells.map((cell) => ({{ cell, score: 1 }}));
        const guess = {{ cell: 0, chance: 0.999, exact: false, candidates }};
        const engine = {{ analyse: (board) => real.analyse(board), advise: () => ({{ guess }}) }};
        const how = {{ grid: squareGrid(3, 3), onPart: () => {{}} }};
        const found = await answer(engine, "advice", {{ board: "mines 2\\n#1#\\n1##\\n###" }}, how);
        console.log(JSON.stringify(found.candidates.map(({{ risk, win }}) => [risk, win])));"""
    ran = subprocess.run([node, "--input-type=module"], input=script, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told = [(Fraction(risk), win) for risk, win in json.loads(ran.stdout) if win is not None]
    assert len(told) == 4 and all(win == pytest.approx(float(1 - risk)) for risk, win in told)


def test_safe_cells_are_counted_and_those_of_single_numbers_come_first() -> None:
    mixed = "mines 3\n###\n121\n...\n11.\n*1#"
    boards = [mixed, *(one for one in positions()[:40] if len(analyse(Board.from_text(one)).safe) > 1)]
    for board, (_, answer) in zip(boards, engine({"ask": "solve", "board": one} for one in boards), strict=True):
        safe = [list(cell) for cell in analyse(Board.from_text(board)).safe]
        advice = answer["advice"]
        shown = [one["cell"] for one in advice["candidates"]]
        assert sorted(shown) == safe and advice["sentence"][1] == shown[0]
        more = "is 1 more cell" if len(safe) == 2 else f"are {len(safe) - 1} more cells"
        assert advice["sentence"][2] == f": it is safe, and so {more}."
        alone = [one["why"] == "It is safe by single numbers." for one in advice["candidates"]]
        assert alone == sorted(alone, reverse=True)
        assert board != mixed or shown == [[4, 2], [0, 1]]


def test_hints_are_those_of_python() -> None:
    """Step by step: the same cell, and mostly the same numbers."""
    boards = ["mines 8\n111122\n######\n######", *positions()[:5]]
    same = 0
    for board, (_, hint) in zip(boards, engine({"ask": "hint", "board": one} for one in boards), strict=True):
        expected = python("hint", board=board)
        assert hint["safe"] and hint["steps"][-1]["cell"] == hint["cell"]
        assert len(hint["steps"]) == len(expected["steps"]) == 4
        same += hint == expected
    assert same > 4
    flagged = "mines 1\n#F#\n11.\n..."
    ((_, hint),) = engine([{"ask": "hint", "board": flagged}])
    assert hint["steps"][-1] == python("hint", board=flagged)["steps"][-1]
    assert hint["steps"][-1]["text"] == ["Remove the flag and open ", [0, 1], "."]
    ((_, guess),) = engine([{"ask": "hint", "board": "mines 2\n#1#\n1##\n###"}])
    expected = python("hint", board="mines 2\n#1#\n1##\n###")
    assert guess["cell"] == expected["cell"] and not guess["safe"]
    assert [step["text"] for step in guess["steps"]][::3] == [step["text"] for step in expected["steps"]][::3]


CONFLICTS = (
    "mines 4\n#####\n#131#\n#####",
    "mines 3\n#####\n#141#\n#####",
    "mines 9\n1#1\n###\n1#1",
    "mines 0\n1#\n##",
    "mines 1\n#2\n##",
    "mines 3\n#*1\n1*#\n###",
    "mines 2\n1?1\n1?1\n###",
    "mines 5\n######\n#1221#\n#1331#\n######",
    "mines 20\n########\n#122221#\n########",
    "mines 2\n#?.\n*3#\n...",
)
"""Boards that are impossible: by numbers, by the total, by known mines."""


def test_conflicts_are_those_of_python() -> None:
    """The same numbers, sentences and corrections; or as many numbers, where there are several smallest sets."""
    asked = [{"ask": "conflict", "board": board} for board in (*CONFLICTS, "mines 2\n#1#\n1##\n###")]
    same = 0
    for question, (_, answer) in zip(asked, engine(asked), strict=True):
        expected = python("conflict", board=question["board"])
        if answer is None or expected["conflict"] is None:
            assert answer is None or answer == expected
            continue
        assert misfit(answer, ConflictingValues) is None
        assert len(answer["conflict"]["clues"]) == len(expected["conflict"]["clues"])
        if answer["conflict"]["clues"] == expected["conflict"]["clues"]:
            same += 1
            assert answer == expected
    assert same > 6


def test_an_impossible_board_is_no_question_to_python() -> None:
    told = [answer for _, answer in engine({"ask": "solve", "board": board} for board in CONFLICTS)]
    assert [[*answer] for answer in told] == [["impossible"]] * len(CONFLICTS)


def test_reasons_are_those_of_python() -> None:
    """Where nothing has to be supposed; Python has the others."""
    asked: list[Asked] = []
    for board in map(Board.from_text, positions()[:4]):
        covered = sorted(board.covered)[::7]
        asked += [{"ask": "explain", "board": str(board), "cell": [*cell]} for cell in covered]
    counts = {"same": 0, "other clues": 0, "either": 0, "none": 0}
    for question, (_, answer) in zip(asked, engine(asked), strict=True):
        expected = python("explain", board=question["board"], cell=question["cell"])
        if answer is None:
            counts["none"] += "reason" in expected
        elif "undecided" in answer:
            names = ("risk_percent", "risk_exact", "cell")
            assert [answer["undecided"][name] for name in names] == [expected["undecided"][name] for name in names]
            for kind, symbol in (("mined", "*"), ("safe", ".")):
                rows, (row, col) = answer["undecided"][kind], question["cell"]
                assert rows[row][col] == symbol and "".join(rows).count("*") == 99
            counts["either"] += 1
        elif answer["reason"]["clues"] == expected["reason"]["clues"]:
            assert answer == expected
            counts["same"] += 1
        else:
            assert len(answer["reason"]["clues"]) == len(expected["reason"]["clues"])
            counts["other clues"] += 1
    assert counts["same"] > 40 and counts["either"] > 1 and counts["other clues"] + counts["none"] < 7, counts
