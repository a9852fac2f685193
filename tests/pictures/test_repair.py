"""The cheapest changes of a contradictory reading, against trying all of them; what they mean for doubts."""

from collections.abc import Mapping
from itertools import product
from math import exp, isfinite
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from satsweep.board import Board
from satsweep.formats.pictures import repair as repair_module
from satsweep.formats.pictures.exact import REPAIRED, Weigher, contradiction, posteriors
from satsweep.formats.pictures.kinds import COVERED, FLAG, MINE, SYMBOLS, ZERO
from satsweep.formats.pictures.meaning import rule_score
from satsweep.formats.pictures.repair import GIVEN_UP, Repair, repair
from satsweep.part import WHOLE, Part

IMPOSSIBLE = 7.0


def prices_of(rows: list[str], **others: float) -> list[dict[int, float]]:
    """Prices of a board: numbers may be given up, and cell ``r1c2_3`` may be a 3 as well."""
    prices = [{GIVEN_UP: IMPOSSIBLE} if symbol in SYMBOLS[ZERO:FLAG] else {} for symbol in "".join(rows)]
    names = {"covered": COVERED, "mine": MINE, **{str(digit): ZERO + digit for digit in range(9)}}
    for name, price in others.items():
        place, reading = name.split("_")
        row, col = map(int, place[1:].split("c"))
        prices[row * len(rows[0]) + col][names[reading]] = price
    return prices


def repaired(rows: list[str], part: Part = WHOLE, **others: float) -> Repair:
    flat = [SYMBOLS.index(symbol) for symbol in "".join(rows)]
    return repair(flat, Board.trusted(tuple(rows), part=part).table, prices_of(rows, **others))


def is_possible(symbols: list[int], rows: int, cols: int, part: Part = WHOLE) -> bool:
    """Whether mines can lie as symbols say, layout by layout."""
    table = Board.trusted(("#" * cols,) * rows, part=part).table
    free = [cell for cell in range(len(table)) if cell >= len(symbols) or symbols[cell] in (COVERED, FLAG)]
    shown = {cell for cell, symbol in enumerate(symbols) if symbol == MINE}
    for mined in product((0, 1), repeat=len(free)):
        mines = shown | {cell for cell, one in zip(free, mined, strict=True) if one}
        if all(len(mines.intersection(table[cell])) == symbol - ZERO
               for cell, symbol in enumerate(symbols) if ZERO <= symbol < FLAG):  # fmt: skip
            return True
    return False


@pytest.mark.parametrize("seed", range(40))
def test_no_changes_are_cheaper(seed: int) -> None:
    """Of small random readings, whose cells may be one or two other things each."""
    rng = Random(seed)
    rows, cols = rng.choice([(2, 3), (3, 3), (2, 4)])
    part = Part(right=True) if seed % 4 == 0 and rows == 2 else WHOLE
    symbols = [rng.choice([COVERED, FLAG, MINE, ZERO, *range(ZERO + 1, ZERO + 5)]) for _ in range(rows * cols)]
    prices: list[dict[int, float]] = []
    for symbol in symbols:
        others = [one for one in (COVERED, MINE, ZERO, ZERO + 1, ZERO + 2, ZERO + 3) if one != symbol]
        own = {one: rng.uniform(0.5, 8) for one in rng.sample(others, rng.randrange(2))}
        prices.append({**own, GIVEN_UP: IMPOSSIBLE} if ZERO <= symbol < FLAG else own)
    found = repair(symbols, Board.trusted(("#" * cols,) * rows, part=part).table, prices)

    def price(changes: Mapping[int, int]) -> float:
        return sum(prices[cell][reading] for cell, reading in changes.items())

    possible = []
    for chosen in product(*([symbol, *own] for symbol, own in zip(symbols, prices, strict=True))):
        # A number that is given up is open, and says nothing: any number of mines around it will do.
        unsaid = [cell for cell, one in enumerate(chosen) if one == GIVEN_UP]
        for numbers in product(range(ZERO, ZERO + 9), repeat=len(unsaid)) if len(unsaid) < 2 else ():
            told = list(chosen)
            for cell, number in zip(unsaid, numbers, strict=True):
                told[cell] = number
            if is_possible(told, rows, cols, part):
                possible.append({cell: one for cell, one in enumerate(chosen) if one != symbols[cell]})
                break
    if possible and (best := min(map(price, possible))) < 2 * IMPOSSIBLE:
        assert price(found.changes) == pytest.approx(best)
        assert bool(found.changes) == (best > 0)


def test_the_digit_that_looks_least_like_itself_is_changed() -> None:
    """Two numbers beside one covered cell contradict each other, and one of them may well be a 1."""
    found = repaired(["1#2", "111"], r0c2_1=0.7, r0c0_2=6.0)
    assert found.changes == {2: ZERO + 1}
    assert found.doubts[2][ZERO + 1] == pytest.approx(0.997, abs=0.01)


def test_the_next_best_repair_is_told() -> None:
    """A 1 and a zero beside the same covered cell: one of them is misread."""
    found = repaired(["1#."], r0c2_1=1.0, r0c0_0=1.5)
    share = 1 / (1 + exp(1.0 - 1.5))
    assert found.changes == {2: ZERO + 1}
    assert found.doubts[2] == pytest.approx({ZERO + 1: share, ZERO: 1 - share})
    assert found.doubts[0] == pytest.approx({ZERO + 1: share, ZERO: 1 - share})


def test_a_picture_of_an_impossible_board_keeps_its_symbols() -> None:
    """Nothing else is as likely as that the picture is wrong: the 2 says nothing then."""
    assert repaired(["2#1"], r0c0_1=9.0).changes == {0: GIVEN_UP}


def test_conflicts_far_apart_are_repaired_each() -> None:
    rows = ["2#1....1#2"]
    assert repaired(rows, r0c0_1=1.0, r0c9_1=2.0).changes == {0: ZERO + 1, 9: ZERO + 1}


def test_a_conflict_that_is_too_hard_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair_module, "MOST_TRIED", 1)
    found = repaired(["1#2"], r0c2_1=1.0)
    assert found.changes and set(found.changes.values()) == {GIVEN_UP}
    assert all(found.doubts[cell] == {GIVEN_UP: 1.0} for cell in found.changes)


class Found:
    """A search that has found a board, each cell of which is a kind of its own with some looks."""

    def __init__(self, rows: list[str], looks: dict[int, dict[str, float]]) -> None:
        self.shape = len(rows), len(rows[0])
        self.meaning = np.array([SYMBOLS.index(symbol) for symbol in "".join(rows)], np.int8)
        self.apart: dict[int, int] = {}
        count = len(self.meaning)
        unary = np.full((count, len(SYMBOLS)), -12.0, np.float32)
        unary[np.arange(count), self.meaning] = 0
        for kind, own in looks.items():
            for symbol, look in own.items():
                unary[kind, SYMBOLS.index(symbol)] = look
        self.unary = unary
        self.kinds = SimpleNamespace(
            of=np.arange(count), sizes=np.ones(count, int), blank=self.meaning <= ZERO, unary=unary
        )

    @property
    def symbols(self) -> Any:
        return self.meaning[self.kinds.of].reshape(self.shape)

    def looks(self, meaning: Any) -> float:
        return float(self.kinds.unary[np.arange(len(meaning)), meaning].sum())

    def set_apart(self, cell: int, symbol: int) -> None:
        self.meaning[cell] = symbol

    def posteriors(self) -> dict[int, dict[int, float]]:
        return {}


def search_of(rows: list[str], looks: dict[int, dict[str, float]]) -> Any:
    return Found(rows, looks)


def test_a_misread_digit_does_not_cost_the_mines_of_a_lost_game() -> None:
    """One 1 was taken for a 2; the mines around it are shown, and stay that."""
    rows = ["1*1", "121", "111", "1*1"]
    search = search_of(rows, {4: {"1": -1.0}, 1: {"F": -1.1, "#": -3.0}, 10: {"F": -1.1, "#": -3.0}})
    found = posteriors(search)
    assert contradiction(Board(tuple("".join(SYMBOLS[one] for one in row) for row in search.symbols))) is None
    assert search.symbols[1, 1] == ZERO + 1 and search.symbols[0, 1] == search.symbols[3, 1] == MINE
    assert found.cells[4][ZERO + 1] <= REPAIRED


def test_a_kind_that_was_misread_is_turned_as_a_whole() -> None:
    """Both 2s are one kind that looks more like 1s; one that looks like 2s stays."""
    search = search_of(["2#1....1#2"], {0: {"1": 0.5}})
    search.kinds.of[9], search.kinds.sizes[0] = 0, 2
    Weigher(search).repair()
    assert "".join(SYMBOLS[one] for one in search.symbols[0]) == "1#1....1#1"
    assert search.apart == {}
    search = search_of(["2#1....1#2"], {0: {"1": -9.0}})
    search.kinds.of[9], search.kinds.sizes[0] = 0, 2
    Weigher(search).repair()
    assert "".join(SYMBOLS[one] for one in search.symbols[0]) == "2#1....1#2"


def test_a_digit_in_doubt_counts_mines_that_are_shown() -> None:
    """A 1 that may be a 2 beside one shown mine and no covered cell is sure."""
    search = search_of(["*1.", "11."], {1: {"2": -0.2}})
    weigher = Weigher(search)
    assert isfinite(weigher.weight(search.symbols))
    assert weigher.posterior(1)[ZERO + 1] > 0.99


def test_shown_mines_are_as_likely_as_flags() -> None:
    """Where the numbers force them anyway, looks decide, not the density of mines."""
    rows = ["*1..", "1111", "..1#"]
    mine, flag = (search_of([row.replace("*", symbol) for row in rows], {}) for symbol in "*F")
    first, second = (Weigher(one).weight(one.symbols) - rule_score(one.symbols, numbers=False)
                     for one in (mine, flag))  # fmt: skip
    assert first == pytest.approx(second)
