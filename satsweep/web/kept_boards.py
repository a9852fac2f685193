"""Collection of certified boards that need no guess, where the search is slow.

The file is made by ``scripts/kept_boards.py``: each board comes from ``satsweep generate``, which has checked its
proof. A mirrored board is as good, so a few dozen serve every first cell. Seeds of the folder's own games begin with
``PREFIX``; these alone name boards of the collection, here and on the server, so a link deals the same board on both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product

from satsweep.games.deal import game_rng
from satsweep.generator.spec import BoardSpec
from satsweep.layout import Layout
from satsweep.topology import SQUARE

PREFIX = "kept-"


@dataclass(frozen=True, slots=True)
class Collection:
    """Boards of one size, and the technique that clears them.

    ``boards`` pairs each layout with the cells, as indices, from which the technique clears it.
    """

    rows: int
    cols: int
    mines: int
    technique: str
    boards: tuple[tuple[Layout, frozenset[int]], ...]


@cache
def collection() -> Collection:
    """The boards that are kept."""
    told = json.loads(files("satsweep").joinpath("web", "kept_boards.json").read_text("utf-8"))
    rows, cols = told["rows"], told["cols"]
    boards = []
    for board in told["boards"]:
        bits = f"{int(board['mines'], 16):0{rows * cols}b}"
        layout = Layout.from_mines(rows, cols, {index for index, bit in enumerate(bits) if bit == "1"})
        boards.append((layout, frozenset().union(*(opening(layout, start) for start in board["starts"]))))
    return Collection(rows, cols, told["mines"], told["technique"], tuple(boards))


def opening(layout: Layout, index: int) -> set[int]:
    """The cells without a mine around them that hang together with one of them."""
    table = layout.topology.neighbours(layout.rows, layout.cols)
    found, reached = {index}, [index]
    while reached:
        for other in table[reached.pop()]:
            if other not in found and layout.number(layout.cell(other)) == 0:
                found.add(other)
                reached.append(other)
    return found


def kept_layout(spec: BoardSpec, technique: str, seed: str) -> Layout | None:
    """The board that a seed names for a specification; None without one."""
    kept, start = collection(), spec.start
    if not seed.startswith(PREFIX) or start is None or spec.topology is not SQUARE:
        return None
    if (spec.rows, spec.cols, spec.mines, technique) != (kept.rows, kept.cols, kept.mines, kept.technique):
        return None
    choices = []
    for layout, starts in kept.boards:
        for down, across in product((1, -1), repeat=2):
            row, col = range(kept.rows)[::down][start.row], range(kept.cols)[::across][start.col]
            if row * kept.cols + col in starts:
                choices.append((layout, down, across))
    if not choices:
        return None
    layout, down, across = game_rng(seed, 0).choice(choices)
    return Layout(tuple(line[::across] for line in layout.cells[::down]), start=start)
