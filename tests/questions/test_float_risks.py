"""Risks of many boards as floats, against exact ones."""

import math
import random

import numpy as np
import pytest

from satsweep import Board, Contradiction, risks
from satsweep.questions import float_risks
from satsweep.solver import compiled
from tests.solver.test_corpora import answer, corpus

BOARDS = [
    Board(("##1.", "##21", "####"), mines=3),
    Board(("##1.", "##21", "####"), density="1/3"),
    Board(("#1##", "####"), mines=2),
    Board(("##1.", "#*21", "F###"), mines=3),
    Board(("##1.", "##21", "####")),
    Board(("##2##", "#####", "####2", "#####"), mines=4, topology="torus"),
    Board(("#1#1", "####"), mines=2, clues="overestimate"),
    Board(("#?1#", "####"), mines=2, clues="random 1/2"),
]
IMPOSSIBLE = Board(("##1.", "##21", "####"), mines=9)


@pytest.fixture(params=["python", "compiled"])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Without kernels and with them."""
    monkeypatch.setattr(compiled, "is_preferred", lambda: request.param == "compiled")
    return str(request.param)


def check(boards: list[Board], *, threads: int = 1) -> None:
    found = risks(iter(boards), threads=threads)
    assert len(found) == len(boards)
    for board, own in zip(boards, found, strict=True):
        exact = float_risks.exact_risks(board)
        assert own.dtype == np.float64 and own.shape == (board.rows, board.cols)
        assert np.array_equal(np.isnan(own), np.isnan(exact))
        assert np.allclose(own, exact, rtol=1e-12, atol=0, equal_nan=True)
        for forced in (0, 1):
            assert np.array_equal(own == forced, exact == forced)


def test_boards_of_all_kinds(by: str) -> None:
    check(BOARDS)
    check([])


def test_shapes_may_alternate(by: str) -> None:
    check(random.Random(0).choices(BOARDS, k=40), threads=3)


def test_a_board_that_is_impossible(by: str) -> None:
    with pytest.raises(Contradiction):
        risks([*BOARDS, IMPOSSIBLE])


def test_exact_risks() -> None:
    third = float_risks.exact_risks(BOARDS[0])[0]
    assert third[0] == 1 / 3 and math.isnan(third[2])


@pytest.mark.extended
@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("name", ["positions_expert", "positions_hard"])
def test_corpora(name: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All in one call, and some of the hard ones by the exact path."""
    monkeypatch.setattr(compiled, "is_preferred", lambda: True)
    monkeypatch.setattr(float_risks, "CHUNK", 7)
    given = corpus(name)
    for number, own in zip(given, risks(given.values(), threads=threads), strict=True):
        for cell in given[number].covered:
            assert own[cell] == pytest.approx(float(answer(name, number).risk(cell)), rel=1e-12, abs=0)


def test_arrays_of_boards() -> None:
    boards = [Board("mines 3\n##1.\n##21\n####"), Board("mines 2\n#2##\n####\n####")]
    arrays = np.array([board.to_array() for board in boards])
    expected = np.stack(risks(boards))
    assert np.array_equal(risks(arrays, [3, 2]), expected, equal_nan=True)
    assert np.array_equal(risks(arrays, mines=3)[0], expected[0], equal_nan=True)
    assert np.array_equal(risks([str(boards[0]), arrays[1]], mines=2), expected, equal_nan=True)
    assert risks(arrays[:0]).shape == (0, 3, 4)
    with pytest.raises(ValueError, match="expected an array of boards, rows and columns, found 2 dimensions"):
        risks(arrays[0])
    with pytest.raises(ValueError, match="expected a mine total for each of 2 boards, found 1"):
        risks(arrays, [3])
