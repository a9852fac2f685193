"""The page's questions about what to do: advice, hints in steps, endgames."""

import json
from fractions import Fraction
from typing import Any

import pytest

from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.page.advice import NOT_THERE
from satsweep.render.advice_text import advice_values, sentence
from satsweep.render.page_values import with_parts
from tests.page import pages


def ask(kind: str, **fields: object) -> Any:
    """The answer to a question, as it comes to the page."""
    return json.loads(json.dumps(pages.ask(kind, **fields)))


def test_advice_is_that_of_the_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(("#1#", "1##", "###"), mines=2)
    answer = ask("advice", board=str(board))
    advised = analyse(board).advice
    assert answer == json.loads(json.dumps(with_parts(advice_values(advised, board))))
    assert answer["sentence"][1] == [*advised.candidates[0].cell]
    assert str(advised.candidates[0].cell) in sentence(advised, board)
    assert (answer["kind"], answer["dead"]) == ("exact", [[1, 1]]) and "note" not in answer
    assert ask("solve", board=str(board))["advice"] == answer
    many = str(Board(("########",) * 7, mines=20))
    monkeypatch.setattr("satsweep.solver.compiled.is_there", lambda: False)
    cold = ask("advice", board=many, deep=True)
    assert cold["kind"] == "risk" and cold["note"] == NOT_THERE
    assert "note" not in ask("advice", board=many, deep=False)
    with pytest.raises(BoardError, match="expected a board that is possible"):
        ask("advice", board="mines 0\n1#")


def test_a_sentence_about_risk_needs_an_open_cell() -> None:
    """In most games the first cell is safe."""
    said = ["No cell is open yet. Begin at ", [0, 0], ": most games make the first cell safe."]
    for board in ("mines 10\n" + "#########\n" * 9, "mines 1\nF#"):
        assert ask("advice", board=board)["sentence"] == ask("solve", board=board)["advice"]["sentence"] == said
    stuck = ask("advice", board="mines 2\n#1#\n1##\n###")
    assert stuck["sentence"] == [
        "No cell is safe. The best guess is ", [0, 0], ": 16.67 % risk; best play wins with 66.67 %.",
    ]  # fmt: skip
    assert stuck["candidates"][0]["why"].startswith("16.67 % risk. With it best play wins with 66.67 %. ")
    assert ask("advice", board="mines 0\n##")["sentence"] == ["Open ", [0, 0], ": it is safe, and so is 1 more cell."]


def test_a_hint_goes_from_the_place_to_the_move() -> None:
    answer = ask("hint", board="111122\n######", last=[0, 4])
    assert (answer["cell"], answer["safe"]) == ([1, 3], True)
    look, numbers, conclusion, move = answer["steps"]
    assert look["cells"] == [[1, 2], [1, 3], [1, 4], [1, 5]] and numbers["cells"] == [[0, 3], [0, 5]]
    assert conclusion["text"][-2:] == [[1, 3], " is safe."] and conclusion["text"][-3].endswith("so ")
    assert move == {"text": ["Open ", [1, 3], "."], "cell": [1, 3], "action": "open"}
    assert ask("hint", board="111122\n######", last=[0, 0])["cell"] == [1, 2]
    flagged = ask("hint", board="111122\n###F##", last=[0, 4])["steps"]
    assert flagged[-1]["text"] == ["Remove the flag and open ", [1, 3], "."]
    guess = ask("hint", board="mines 2\n#1#\n1##\n###")
    assert (guess["cell"], guess["safe"]) == ([0, 0], False)
    assert guess["steps"][0] == {"text": ["No cell is safe: a guess is due."], "cells": [[0, 0]]}
    with pytest.raises(BoardError, match="found none"):
        ask("hint", board="mines 1\n1#")


def test_an_endgame_is_walked_to_its_end() -> None:
    board = "mines 2\n#1#\n1##\n###"
    node = ask("endgame", board=board)
    assert (node["worlds"], node["win_exact"], node["best"], node["cell"]) == (6, "2/3", [0, 0], [0, 0])
    path: list[list[int]] = []
    while node["numbers"]:
        wins = sum(Fraction(after["win_exact"]) * after["worlds"] for after in node["numbers"])
        chances = {tuple(own["cell"]): Fraction(own["win_exact"]) for own in node["cells"]}
        assert wins == chances[tuple(node["best"])] * node["worlds"]
        assert max(chances.values()) == chances[tuple(node["best"])] == Fraction(node["win_exact"])
        path.append([*node["best"], node["numbers"][-1]["number"]])
        node = ask("endgame", board=board, path=path)
    assert (node["cells"], node["best"], node["worlds"], node["win_exact"]) == ([], None, 1, "1")
    assert [after["number"] for after in ask("endgame", board=board, cell=[1, 1])["numbers"]] == [2]
    for wrong in ({"path": [[0, 0, 8]]}, {"path": [[0, 0]]}, {"path": [[9, 9, 1]]}, {"cell": [0, 1]}):
        with pytest.raises(BoardError, match="expected"):
            ask("endgame", board=board, **wrong)
    assert ask("endgame", board=str(Board(("########",) * 7, mines=20)))["cells"] is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"wins": [[[0, 0], 2]]}, "from 0 to 1"),
        ({"wins": [[[9, 9], 0.5]]}, "a covered cell"),
        ({"wins": [[0, 0]]}, "expected"),
        ({"wins": [[[0, 0]]]}, "a cell and a chance to win"),
    ],
)
def test_odd_chances_to_win_are_refused(fields: dict[str, object], said: str) -> None:
    with pytest.raises(BoardError, match=said):
        ask("further_advice", board="mines 2\n#1#\n1##\n###", **fields)
