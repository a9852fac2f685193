"""Layouts by name, size and seed; the book of openings, as they were solved and measured."""

import json
from random import Random
from typing import Any

import pytest

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.games.deal import LEVELS, best_opening, dimensions_named, game_rng, random_layout, rng_of
from tests import ROOT


def test_a_name_is_a_size() -> None:
    assert random_layout("expert", seed=3) == random_layout(16, 30, 99, game_rng(3, 0))
    assert random_layout("4x5/0.5", seed="a").mines == 10
    assert dimensions_named("4x5/6") == (4, 5, 6)


@pytest.mark.parametrize("size", ["beginer", "4x5", "4x5/2/1", "4x5/1.5", ""])
def test_other_names_are_refused(size: str) -> None:
    with pytest.raises(BoardError, match="expected beginner, intermediate, expert, .* or rows x cols"):
        random_layout(size)


def test_generators_and_seeds() -> None:
    assert rng_of(3).random() == rng_of(seed=3).random() == game_rng(3, 0).random()
    given = Random(1)
    assert rng_of(given) is given
    assert rng_of().random() != rng_of().random()
    assert random_layout("expert") != random_layout("expert")


@pytest.mark.parametrize(
    ("size", "random", "message"),
    [
        ((9, 9), {}, "expected rows, columns and mines"),
        (("expert", 9, 9), {}, "without columns and mines"),
        (("expert",), {"rng": Random(1), "seed": 1}, "expected rng or seed, found both"),
        (("expert",), {"seed": 1.5}, "expected a seed or a random.Random, found 1.5"),
    ],
)
def test_arguments_that_make_no_layout(size: Any, random: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        random_layout(*size, **random)


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
