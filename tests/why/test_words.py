"""Arguments in JavaScript: the sentences of Python, step by step, where nothing has to be supposed."""

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from satsweep import Board, analyse
from satsweep.sentence import CellName, Sentence
from satsweep.topology import SQUARE
from satsweep.why import Conflict, Explanation, argument_in_words
from satsweep.why.sentences import Argument, conflict_in_words
from tests.kernels.boards import HEXAGONS, stuck
from tests.kernels.test_reasons import expert_boards, fewest_mines, uncovered, wrong

SCRIPT = Path(__file__).with_name("words.mjs")
SUPPOSES = {"supposition", "cases"}


def told(boards: Iterable[Board], cells: bool) -> Iterator[tuple[Board, Any]]:
    """Boards with what JavaScript says about their forced cells, or that they are impossible."""
    node, kept = shutil.which("node") or pytest.skip("needs node"), list(boards)
    asked = []
    for board in kept:
        grid = board.topology
        near = None if grid is SQUARE else grid.neighbours(board.rows, board.cols)
        one: dict[str, Any] = {
            "board": board.cells,
            "mines": board.mines,
            **({} if near is None else {"neighbours": near}),
        }
        if cells:
            found = analyse(board)
            one["cells"] = [board.index(cell) for cell in (*found.safe, *found.mines)]
        asked.append(json.dumps(one))
    ran = subprocess.run([node, str(SCRIPT)], input="\n".join(asked), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return zip(kept, map(json.loads, ran.stdout.splitlines()), strict=True)


def in_detail(sentence: Sentence) -> list[object]:
    return [(part, part.rows, part.cols) if isinstance(part, CellName) else part for part in sentence.parts]


def compare(board: Board, said: Any, argument: Argument) -> str:
    """Compare an argument of both languages; return its rule, in JavaScript."""
    first, *more = argument.steps
    if argument.rule in SUPPOSES or (argument.rule == "conflict" and any(step.supposing for step in more)):
        assert len(said["steps"]) == 1 and said["rule"] in ("clue set", "conflict")
        return str(said["rule"])
    assert said["rule"] == argument.rule
    assert [step["text"] for step in said["steps"]] == list(argument.sentences)
    for own, step in zip(said["steps"], argument.steps, strict=True):
        assert (own["rule"], own["total"], own["mine"]) == (step.rule, step.total, step.mine if step.cells else None)
        assert [*map(board.cell, own["clues"])] == list(step.clues)
        assert [*map(board.cell, own["cells"])] == list(step.cells)
        said_in_parts = Sentence(*(part if isinstance(part, str) else CellName(**part) for part in own["said"]))
        assert in_detail(said_in_parts) == in_detail(step.text)
    return str(argument.rule)


def compare_reasons(boards: Iterable[Board]) -> Counter[str]:
    rules = Counter[str]()
    for board, answers in told(boards, cells=True):
        found = analyse(board)
        for cell, said in zip((*found.safe, *found.mines), answers, strict=True):
            clues = tuple(map(board.cell, said["clues"]))
            explanation = Explanation(board, cell, said["kind"] == "mine", clues, said["total"])
            rules[compare(board, said, argument_in_words(explanation))] += 1
    return rules


def few_worlds() -> Iterator[Board]:
    """Boards on two grids whose mine totals settle many cells."""
    for topology in (SQUARE, HEXAGONS):
        for game in range(4):
            for board in stuck(9, 9, 10, topology, game)[:2]:
                yield fewest_mines(uncovered(board))


def test_sentences_are_those_of_python() -> None:
    rules = compare_reasons([*islice(expert_boards(), 10), *few_worlds()])
    assert rules.total() > 500 and rules["clue set"] < rules.total() / 50
    assert {"single point", "1-1", "1-2", "subset", "overlap", "chain", "mine count"} <= rules.keys()


@pytest.mark.extended
def test_sentences_are_those_of_python_on_all_expert_boards() -> None:
    rules = compare_reasons(expert_boards())
    assert rules.total() == 15_869 and rules["clue set"] < 400
    assert {"1-2-1", "1-2-2-1", "all mines found"} <= rules.keys()


def test_conflicts_are_those_of_python() -> None:
    boards = [wrong(board, turn) for turn, board in enumerate([*expert_boards(60), *few_worlds()])]
    boards += [replace(board, mines=(board.mines or 1) - 1) for board in few_worlds()]
    seen = 0
    for board, said in told(boards, cells=False):
        if said is not None:
            clues = tuple(map(board.cell, said["clues"]))
            compare(board, said, conflict_in_words(Conflict(board, clues, said["total"])))
            seen += 1
    assert seen > 40
