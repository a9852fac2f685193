"""The book of openings: best first cells, as they were solved and measured."""

import json

import pytest

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.games.deal import LEVELS, best_opening
from tests import ROOT

RESULTS = ROOT / "benchmarks" / "results"


def lines(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (RESULTS / name).read_text().splitlines()]


def test_solved_boards_are_in_the_book() -> None:
    for line in [line for line in lines("optimal.jsonl") if "safe" in line]:
        rows, _, rest = str(line["board"]).partition("x")
        cols, _, mines = rest.partition("/")
        for first in ("safe", "zero"):
            asked = int(rows), int(cols), int(mines), first
            solved = line[first]
            if isinstance(solved, dict):
                opening = best_opening(*asked)
                assert opening.start == Cell(*solved["cell"]) and opening.player == "best play"
                assert opening.wins == f"{solved['won']:,} of {solved['boards']:,}"
            else:
                with pytest.raises(BoardError):
                    best_opening(*asked)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("first", ["safe", "zero"])
def test_usual_boards_are_in_the_book(level: str, first: str) -> None:
    name = level if first == "safe" else f"{level} zero"
    (measured,) = (line["first"] for line in lines("openings.jsonl") if line["board"] == name and "first" in line)
    assert isinstance(measured, list)
    opening = best_opening(*LEVELS[level], first)
    assert opening.start == Cell(*measured[0][0]) and opening.player == "deep:2"
    assert all(measured[0][1][0] >= chance for _, (chance, _) in measured)


def test_other_boards_are_refused_with_those_that_are_known() -> None:
    with pytest.raises(BoardError, match=r"zero: 16x30/99.*9x9/10.*found 10x10/10"):
        best_opening(10, 10, 10, "zero")
    with pytest.raises(BoardError, match="any: none"):
        best_opening(9, 9, 10, "any")
