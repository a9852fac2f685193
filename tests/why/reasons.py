"""Golden explanations: for every rule cells of real positions and small boards.

This file holds boards, cells and clues, so nothing depends on how clues are found.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from satsweep.board import Board, Cell
from satsweep.render.explanation_text import to_text
from satsweep.why.values import Conflict, Correction, Explanation
from tests.solver.test_corpora import corpus

WIDTH = 100
DRAWING = re.compile(r"\n\n +\d+( +\d+)+(\n *\d+ .*)+")
"""The board in a text."""


class GoldenCase(NamedTuple):
    """A cell of a position, the clues that force it, and the rule of its argument."""

    rule: str
    board: str
    cell: tuple[int, int]
    mine: bool
    clues: tuple[tuple[int, int], ...]
    total: bool = False

    @property
    def explanation(self) -> Explanation:
        return Explanation(
            board(self.board), Cell(*self.cell), self.mine, tuple(Cell(*at) for at in self.clues), self.total
        )


SMALL = {
    "opened mine": Board(("*1##", "11##"), mines=3),
    "triple corner": Board(("3##", "###"), mines=4),
    "wall": Board(("####", "1221"), mines=2),
    "upright wall": Board(("#1", "#2", "#2", "#1"), mines=2),
    "sloping": Board(("12#1.1##", "###2.##1", "1##1.#11", "#1##.#..", "..##..##"), mines=4),
    "small": Board(("##1.", "##21", "####"), mines=3),
    "all found": Board(("...2##", "..13##", "..##32", "11111.", "#1...#", "11#..."), mines=5),
    "last cells": Board(("*#", "##"), mines=4),
    "far away": Board((".11##.##", "1###111#", "1##22#21", "##3#4###", "..2##2##"), mines=7),
    "full": Board(("#.#1#", "#2##1", "#####", "##32#", "###21"), mines=8),
    "few safe": Board(("###2#", "#212#", "22##.", "##222", "##2##"), mines=6),
    "one too many": Board(("#11#.#", "####2#", "#3#4##", "####3#", "122#21", "##.1##"), mines=7),
    "torus": Board(("1###", "####", "####"), mines=1, topology="torus"),
    "flags": Board(("F1#", "11#"), mines=2),
    "too low": Board(("#1?",), clues="underestimate"),
    "perhaps silent": Board(("#1?",), clues="random 1/2"),
    "too high": Board(("*1#",), clues="overestimate"),
    "none is none": Board((".#",), clues="overestimate"),
    "at least": Board(("#1#?#1#?#",), mines=2, clues="underestimate"),
    "at most": Board(("#1#?#1#?#",), mines=3, clues="overestimate"),
}

REASONS = (
    GoldenCase("single point", "opened mine", (0, 2), False, ((0, 1),)),
    GoldenCase("single point", "triple corner", (0, 1), True, ((0, 0),)),
    GoldenCase("single point", "expert-46", (5, 22), True, ((4, 21),)),
    GoldenCase("1-1", "expert-7", (2, 26), False, ((0, 25), (1, 25))),
    GoldenCase("1-1", "scatter50-0", (46, 47), False, ((46, 48), (46, 49))),
    GoldenCase("1-2", "wall", (0, 2), True, ((1, 0), (1, 1))),
    GoldenCase("1-2", "expert-35", (5, 20), False, ((6, 19), (7, 19))),
    GoldenCase("1-2", "scatter50-0", (5, 4), True, ((6, 5), (6, 6))),
    GoldenCase("1-2-1", "expert-47", (1, 23), False, ((2, 22), (2, 23), (2, 24))),
    GoldenCase("1-2-1", "sloping", (1, 2), False, ((0, 3), (1, 3), (2, 3))),
    GoldenCase("1-2-2-1", "wall", (0, 0), False, ((1, 0), (1, 2), (1, 3))),
    GoldenCase("1-2-2-1", "upright wall", (0, 0), False, ((0, 1), (2, 1), (3, 1))),
    GoldenCase("subset", "expert-1", (1, 24), False, ((1, 22), (1, 23))),
    GoldenCase("subset", "scatter50-4", (22, 29), True, ((23, 28), (24, 28))),
    GoldenCase("overlap", "expert-44", (12, 27), False, ((10, 26), (11, 26))),
    GoldenCase("overlap", "scatter50-2", (8, 8), True, ((7, 11), (8, 9))),
    GoldenCase("subsets", "small", (2, 1), False, ((0, 2), (1, 2), (1, 3))),
    GoldenCase("subsets", "scatter50-2", (18, 31), True, ((19, 31), (19, 33), (20, 29))),
    GoldenCase("all mines found", "all found", (0, 5), False, ((0, 3), (2, 4), (3, 0)), total=True),
    GoldenCase("mine count", "torus", (1, 2), False, ((0, 0),), total=True),
    GoldenCase("only mines left", "last cells", (1, 1), True, (), total=True),
    GoldenCase("mine count", "far away", (3, 7), False, ((0, 1), (1, 4), (3, 2), (4, 5)), total=True),
    GoldenCase("mine count", "full", (3, 0), True, ((0, 1), (1, 4), (3, 2)), total=True),
    GoldenCase("mine count", "few safe", (3, 0), False, ((0, 3), (1, 1), (1, 3), (3, 2), (3, 3)), total=True),
    GoldenCase("chain", "expert-7", (5, 26), False, ((0, 25), (1, 25), (3, 25), (4, 24), (4, 25))),
    GoldenCase("chain", "expert-0", (13, 0), False, ((10, 1), (12, 1), (12, 2))),
    GoldenCase("chain", "expert-1", (12, 18), False, ((9, 17), (11, 17), (12, 17), (13, 15), (13, 17))),
    GoldenCase("flag", "flags", (0, 0), True, ((0, 0),)),
    GoldenCase("single point", "flags", (0, 2), False, ((0, 0), (0, 1))),
    GoldenCase("single point", "too low", (0, 0), True, ((0, 1),)),
    GoldenCase("single point", "perhaps silent", (0, 0), True, ((0, 1),)),
    GoldenCase("single point", "too high", (0, 2), False, ((0, 1),)),
    GoldenCase("single point", "none is none", (0, 1), False, ((0, 0),)),
    GoldenCase("mine count", "at least", (0, 8), False, ((0, 1), (0, 5)), total=True),
    GoldenCase("mine count", "at most", (0, 8), True, ((0, 1), (0, 5)), total=True),
    GoldenCase("supposition", "expert-16", (4, 6), True, ((2, 6), (2, 8), (3, 5))),
    GoldenCase("supposition", "one too many", (1, 1), False, ((0, 2), (1, 4), (2, 3), (4, 0), (4, 4)), total=True),
    GoldenCase("cases", "expert-1", (15, 17), True, ((12, 17), (13, 17), (15, 16))),
    GoldenCase("clue set", "scatter50-2", (29, 13), False, ((29, 11), (29, 12), (31, 14), (33, 14), (34, 14))),
)

CONFLICTS = (
    Conflict(
        Board(("#####", "#131#", "#####"), mines=4),
        (Cell(1, 1), Cell(1, 2), Cell(1, 3)),
        smallest=True,
        corrections=tuple(Correction(Cell(1, col), 1, instead) for instead in (3, 4) for col in (1, 3)),
    ),
    Conflict(
        Board(("1#", "##"), mines=0),
        (Cell(0, 0),),
        total=True,
        smallest=True,
        corrections=(Correction(None, 0, 1), Correction(Cell(0, 0), 1, 0)),
    ),
    Conflict(
        Board(("F1F",)),
        (Cell(0, 0), Cell(0, 1), Cell(0, 2)),
        smallest=True,
        corrections=(Correction(Cell(0, 0)), Correction(Cell(0, 2)), Correction(Cell(0, 1), 1, 2)),
    ),
    Conflict(
        Board(("11", "11")),
        (Cell(0, 0),),
        smallest=True,
        corrections=tuple(Correction(Cell(row, col), 1) for row in range(2) for col in range(2)),
    ),
    Conflict(Board(("1..", "..1")), (Cell(0, 0),), smallest=True),
    Conflict(
        Board(("*.#", "###")),
        (Cell(0, 1),),
        smallest=True,
        corrections=(Correction(Cell(0, 0)), *(Correction(Cell(0, 1), 0, instead) for instead in (1, 2, 3, 4, 5))),
    ),
)


def board(name: str) -> Board:
    """Return a board above or of the corpora by its name."""
    return SMALL.get(name) or (corpus("positions_expert") | corpus("positions_hard"))[name]


def golden() -> Iterator[str]:
    """Yield the text of all explanations, then of all conflicts; those of the corpora without their boards."""
    for case in REASONS:
        text = "".join(to_text(case.explanation, width=WIDTH))
        yield f"--- {case.board}\n{text if case.board in SMALL else DRAWING.sub('', text)}\n"
    for conflict in CONFLICTS:
        yield "--- impossible\n"
        yield from to_text(conflict, width=WIDTH)
        yield "\n"
