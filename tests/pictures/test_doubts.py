"""What a reading says of itself: doubts, conflicts, cut sides; rules and weights that decide between readings."""

from fractions import Fraction
from itertools import product
from math import exp
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from satsweep import read_picture
from satsweep.board import Board, Cell
from satsweep.formats.pictures import reading as reading_module
from satsweep.formats.pictures.exact import DENSITY, Posteriors, Weigher
from satsweep.formats.pictures.grid import Lattice
from satsweep.formats.pictures.kinds import COVERED, PALETTE, SYMBOLS, UNKNOWN, ZERO, Kinds, _by_colour
from satsweep.formats.pictures.meaning import MeaningSearch, rule_score
from satsweep.part import WHOLE, Part
from tests.pictures.skins import SKINS, drawn
from tests.pictures.test_reading import BOARD


def symbols(*rows: str) -> Any:
    return np.array([[SYMBOLS.index(symbol) for symbol in row] for row in rows], np.int8)


def test_doubts_stand_at_their_cells_with_the_likeliest_meaning_first() -> None:
    """Two rows of three cells: sure ones, a 1 that may be a 2, and a cell under something."""
    one, two = SYMBOLS.index("1"), SYMBOLS.index("2")
    unary = np.zeros((3, len(SYMBOLS)))
    kinds = SimpleNamespace(
        of=np.array([0, 0, 1, 0, 2, 0]), blank=[True, False, True], textured=[False] * 3, sizes=[4, 1, 1], unary=unary
    )
    meaning = np.array([COVERED, one, UNKNOWN])
    likeness = np.eye(len(SYMBOLS))
    search: Any = SimpleNamespace(
        kinds=kinds, meaning=meaning, symbols=meaning[kinds.of].reshape(2, 3), likeness=lambda kind: likeness[COVERED]
    )
    shares = {0: {COVERED: 1.0}, 1: {two: 0.3, one: 0.699, 0: 0.001}, 2: {}}
    found = reading_module._reading(search, Posteriors(shares, {}), Lattice(0, 0, 20, 20, 2, 3), WHOLE)
    assert found.board.cells == ("##1", "###")
    assert {cell: list(own.items()) for cell, own in found.doubts.items()} == {
        Cell(0, 2): [("1", 0.699), ("2", 0.3)], Cell(1, 1): [("?", 1.0)],
    }  # fmt: skip
    assert found.conflict == ()


def test_what_was_read_against_its_look_is_in_doubt() -> None:
    """Rules that look at one kind at a time cannot tell flags from mines, if several are misread."""
    flag, mine, one = (SYMBOLS.index(symbol) for symbol in "F*1")
    unary = np.full((2, len(SYMBOLS)), -12.0)
    unary[0, [mine, flag]], unary[1, [mine, one]] = (-0.3, -1.4), (-0.3, -1.4)
    kinds = SimpleNamespace(blank=[False, False], textured=[False, False], sizes=[1, 1], unary=unary)
    search: Any = SimpleNamespace(kinds=kinds, meaning=np.array([flag, one]))
    assert reading_module._less_sure(search, 0, {flag: 1.0, mine: 0.0})[flag] < reading_module.SURE
    # Numbers are exact.
    assert reading_module._less_sure(search, 1, {one: 1.0, mine: 0.0}) == {one: 1.0, mine: 0.0}
    search.meaning[0] = mine
    assert reading_module._less_sure(search, 0, {mine: 1.0, flag: 0.0}) == {mine: 1.0, flag: 0.0}


def blanks(grounds: list[float], meaning: str) -> Any:
    """Kinds with nothing drawn, by the brightness of their grounds, with what they mean."""
    count = len(grounds)
    behind = np.repeat(np.array(grounds, np.float32)[:, None], 3, 1)
    unary = np.full((count, len(SYMBOLS)), -11.0, np.float32)
    unary[:, [COVERED, ZERO]] = -0.7
    none = np.zeros(count, bool)
    kinds = Kinds(np.arange(count), np.ones(count, int), np.ones(count, bool), unary, behind,
                  np.zeros((count, 4), np.float32), none, none, 0.0, 0.0, 0.0)  # fmt: skip
    search = MeaningSearch(kinds, 1, count, rules=False)
    search.meaning = np.array([SYMBOLS.index(symbol) for symbol in meaning], np.int8)
    return search


def test_a_covered_cell_that_is_like_a_zero_is_in_doubt() -> None:
    search = blanks([100, 104, 150, 154, 125], "##..#")
    assert [float(search.likeness(kind)[search.meaning[kind]]) > 0.99 for kind in range(4)] == [True] * 4
    assert search.likeness(4)[COVERED] > 0.9
    search = blanks([100, 104, 150, 154, 146], "##..#")
    assert search.likeness(4)[COVERED] < 0.5 and search.likeness(4)[ZERO] > 0.5
    # A kind of its own may be like no other.
    assert blanks([100, 150], "#.").likeness(0)[COVERED] > 0.99


def test_a_plain_cell_that_is_like_no_other_is_in_doubt() -> None:
    """Painted, hidden, or filled by a mine: the rules alone made it a covered one."""
    search = blanks([100, 102, 104, 101, 103, 220, 225, 30], "#####..#")
    sure = [float(search.likeness(kind)[search.meaning[kind]]) for kind in range(8)]
    assert min(sure[:7]) > 0.99 and sure[7] == 0.5
    # Where covered cells are of two sorts, as on a checkerboard, none is odd.
    assert blanks([100, 102, 60, 62, 220], "####.").likeness(2)[COVERED] > 0.99


def test_plain_cells_are_in_doubt_where_the_numbers_are() -> None:
    """Numbers say which plain cells are covered; one in six of these is wrong, as it is said."""
    doubted = {Cell(0, col): {"1": 0.8, "F": 0.2} for col in range(8)}
    kinds = SimpleNamespace(of=np.array([0] * 10 + [1] * 10), blank=[False, True])
    search: Any = SimpleNamespace(kinds=kinds, symbols=symbols("1111111111", "##########"))
    doubts: dict[Cell, dict[str, float]] = dict(doubted)
    reading_module._doubt_plain(search, doubts)
    assert doubts == {**doubted, **{Cell(1, col): {"#": 0.9, ".": pytest.approx(0.1)} for col in range(10)}}
    few: dict[Cell, dict[str, float]] = dict(list(doubted.items())[:4])
    reading_module._doubt_plain(search, few)
    assert len(few) == 4


@pytest.mark.parametrize(("ground", "doubted"), [(100, True), (180, False)])
def test_plain_cells_of_one_kind_alone_are_as_sure_as_the_ground_of_digits(ground: int, doubted: bool) -> None:
    """A board whose covered cells all have flags has no other plain kind."""
    search = blanks([100, ground, 180], "#1F")
    search.kinds.blank[1:] = False
    assert bool(search.likeness(0)[COVERED] < 0.9) is doubted


def test_a_drawing_on_all_covered_cells_is_no_mine() -> None:
    """Its look alone says so, on three cells of four."""
    unary = np.full((2, len(SYMBOLS)), -12.0, np.float32)
    unary[0, [SYMBOLS.index("*"), COVERED]] = -0.3, -6.8
    unary[1, SYMBOLS.index("1")] = -0.01
    of = np.array([1, 1, 1, *[0] * 13])
    none = np.zeros(2, bool)
    kinds = Kinds(of, np.bincount(of), none, unary, np.zeros((2, 3), np.float32), np.zeros((2, 4), np.float32),
                  none, none, 0.0, 0.0, 0.0)  # fmt: skip
    assert MeaningSearch(kinds, 4, 4).meaning[0] == COVERED
    assert MeaningSearch(kinds, 4, 4, rules=False).meaning[0] == SYMBOLS.index("*")


def test_numbers_that_cannot_all_be_true_are_named() -> None:
    pixels = np.asarray(drawn(SKINS[0], [BOARD[0].replace("...1", "...2"), *BOARD[1:]]))
    found = read_picture(pixels, rules="none")
    assert found.board.cells[0] == "#F1...2##" and len(found.conflict) > 1 and Cell(0, 6) in found.conflict
    assert "cannot all be true" in found.remarks[-1]


def test_a_number_above_its_neighbours_is_a_doubtful_cell() -> None:
    found = read_picture(np.asarray(drawn(SKINS[0], [BOARD[0][:-1] + "4", *BOARD[1:]])), rules="none")
    assert found.board[0, 8] == "#" and found.doubts[Cell(0, 8)] == {"?": 1.0}


def test_the_grid_is_told_in_pixels_of_the_picture_however_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = np.repeat(np.repeat(np.asarray(drawn(SKINS[0], BOARD)), 2, 0), 2, 1)
    whole = read_picture(pixels).grid
    monkeypatch.setattr(reading_module, "KEPT_PIXELS", pixels.shape[0] * pixels.shape[1] // 2)
    small = read_picture(pixels).grid
    assert (small.rows, small.cols) == (whole.rows, whole.cols)
    for name in ("left", "top", "width", "height"):
        assert getattr(small, name) == pytest.approx(getattr(whole, name), abs=2)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_a_picture_that_ends_within_the_board_says_at_which_side(side: str) -> None:
    pixels = np.asarray(drawn(SKINS[0], BOARD))
    grid = read_picture(pixels).grid
    left, top = round(grid.left + 2 * grid.width), round(grid.top + 2 * grid.height)
    right, bottom = round(grid.left + 7 * grid.width), round(grid.top + 7 * grid.height)
    parts = {"top": pixels[top:], "bottom": pixels[:bottom], "left": pixels[:, left:], "right": pixels[:, :right]}
    assert read_picture(parts[side]).board.part == Part(**{side: True})


def test_the_colour_of_an_ink_speaks_for_its_digit() -> None:
    for digit, colour in PALETTE.items():
        assert int(_by_colour(np.array(colour, np.float32)).argmax()) + 1 == digit


def test_rules_prefer_what_can_be() -> None:
    """A number without enough room, or with too many mines, and a zero beside a mine cost much."""
    pairs = (("2#", "1#"), ("*1*", "*2*"), (".*", "1*"), ("...", "..#"), ("*" * 20, "*" * 8 + "#" * 12))
    for wrong, right in pairs:
        assert rule_score(symbols(wrong)) < rule_score(symbols(right)) - 3


def test_many_numbers_say_little_of_how_dense_mines_are() -> None:
    """Sixty 2s, between two covered cells each, are about as likely as 1s."""
    ones, twos = (rule_score(symbols(f"#{digit}#" * 60)) for digit in "12")
    assert abs(ones - twos) < 20


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_cells_beyond_a_cut_side_may_be_mines(side: str) -> None:
    """A 1 in the middle of one row or column, open beside it: only beyond the cut may be its mine."""
    rows = ("111",) if side in ("top", "bottom") else ("1", "1", "1")
    cut = rule_score(symbols(*rows), Part(**{side: True}))
    assert cut > rule_score(symbols(*rows)) + 10
    first, last = (rule_score(symbols(*rows), Part(**{side: True})) for rows in (("1.", ".."), ("..", ".1")))
    assert (first > last) == (side in ("top", "left"))


@pytest.mark.parametrize("rows", [("#1",), ("###", "#3#"), ("1#", "#1"), ("2##", "###")])
def test_a_reading_weighs_as_its_numbers_are_likely(rows: tuple[str, ...]) -> None:
    """At the usual density, counted here layout by layout."""
    board = Board(rows)
    covered = [cell for cell in board if board[cell] == "#"]
    likely = Fraction(0)
    for mined in product((0, 1), repeat=len(covered)):
        mines = {cell for cell, one in zip(covered, mined, strict=True) if one}
        if all(len(mines.intersection(board.neighbours(cell))) == board.number(cell) for cell in board
               if board.number(cell) is not None):  # fmt: skip
            likely += DENSITY ** len(mines) * (1 - DENSITY) ** (len(covered) - len(mines))
    search: Any = SimpleNamespace(meaning=[], apart={})
    found = Weigher(search).weight(symbols(*rows))
    assert exp(found - rule_score(symbols(*rows), numbers=False)) == pytest.approx(float(likely))
