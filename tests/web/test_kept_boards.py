"""Boards that the page keeps: each is certified, every first cell has some, and a seed always names the same."""

import subprocess
import sys
from typing import Any

import pytest

from satsweep.board import Cell
from satsweep.generator.spec import BoardSpec
from satsweep.generator.walkthrough import walkthrough
from satsweep.layout import Layout
from satsweep.proofs.trace import check
from satsweep.web import deals
from satsweep.web.deals import PREFIX, collection, kept_layout
from tests import ROOT
from tests.web.pages import ask
from tests.web.test_deals import clears, layout_of

KEPT = collection()
SIZE = {"rows": KEPT.rows, "cols": KEPT.cols, "mines": KEPT.mines}
STARTS = [Cell(0, 0), Cell(0, 29), Cell(15, 0), Cell(7, 14), Cell(8, 29), Cell(3, 20), Cell(12, 9), Cell(15, 16)]


def dealt(**fields: object) -> Layout:
    """The layout that the page gets, without any search."""
    return layout_of(ask("deal_no_guess", **{**SIZE, "technique": KEPT.technique, **fields}))


@pytest.mark.extended
@pytest.mark.parametrize("number", range(len(KEPT.boards)))
def test_each_board_is_certified(number: int) -> None:
    """A proof of every step, checked, from one start; the technique clears it from all."""
    layout, starts = KEPT.boards[number]
    assert layout.mines == KEPT.mines and starts
    zeros = {cell for cell in starts if layout.number(layout.cell(cell)) == 0}
    assert zeros == starts
    walked = walkthrough(Layout(layout.cells, start=layout.cell(min(starts))))
    assert walked.record.won
    check(walked.trace)
    for cell in sorted(starts)[:: max(1, len(starts) // 4)]:
        assert clears(deals.TECHNIQUES[KEPT.technique], Layout(layout.cells, start=layout.cell(cell)))


@pytest.mark.parametrize("start", STARTS)
def test_a_seed_names_a_board_for_every_first_cell(start: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "DRAWN", 0)
    monkeypatch.setattr(deals, "REPAIRED", 0)
    found = {dealt(start=start, seed=f"{PREFIX}{number}").cells for number in range(40)}
    assert len(found) > 5
    layout = dealt(start=start, seed=f"{PREFIX}7")
    assert layout == dealt(start=start, seed=f"{PREFIX}7")
    assert layout.mines == KEPT.mines and layout.number(start) == 0
    assert clears(deals.TECHNIQUES[KEPT.technique], layout)


def test_an_upright_board_is_a_kept_one_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "DRAWN", 0)
    monkeypatch.setattr(deals, "REPAIRED", 0)
    upright = dealt(rows=KEPT.cols, cols=KEPT.rows, start=Cell(20, 3), seed=f"{PREFIX}7")
    lying = dealt(start=Cell(3, 20), seed=f"{PREFIX}7")
    assert upright.start == Cell(20, 3)
    assert list(map(tuple, upright.cells)) == list(zip(*lying.cells, strict=True))


def test_every_first_cell_has_several_boards() -> None:
    """A mirrored board counts for the mirrored cell."""
    number = [0] * (KEPT.rows * KEPT.cols)
    for _, starts in KEPT.boards:
        for row, col in (divmod(cell, KEPT.cols) for cell in starts):
            for mirrored in (row, KEPT.rows - 1 - row):
                for place in (col, KEPT.cols - 1 - col):
                    number[mirrored * KEPT.cols + place] += 1
    assert min(number) >= 3 and sum(number) > 15 * len(number)


def test_other_seeds_and_other_boards_are_drawn() -> None:
    def kept(seed: str, technique: str = KEPT.technique, **fields: Any) -> Layout | None:
        spec = BoardSpec(**{**SIZE, "start": Cell(4, 4), "solvable_by": "basic", **fields})
        return kept_layout(spec, technique, seed)

    assert kept("kept-1") is not None
    assert kept("1") is None and kept("7 kept-1") is None
    assert kept("kept-1", "pairs") is None
    assert kept("kept-1", mines=98) is None and kept("kept-1", rows=17) is None


@pytest.mark.extended
def test_the_file_is_what_generate_makes() -> None:
    subprocess.run([sys.executable, "scripts/kept_boards.py", "--check", "3"], cwd=ROOT, check=True)
