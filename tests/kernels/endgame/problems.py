"""Problems of the endgame search from Python.

A table of worlds goes in; the best opening, or the value of each cell, comes out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from satsweep.kernels.endgame.few import BUDGET, NODES, UNLIMITED
from satsweep.kernels.endgame.play import ROOT
from satsweep.kernels.endgame.search import choose, value
from satsweep.kernels.endgame.sets import FULL, N_CELLS, UNIT, Sets, prepare, sets
from tests.optimal import SOLVED

Code = NDArray[np.integer[Any]]
"""The number that each cell shows in each world, or ``MINE``: (worlds, cells)."""
Scopes = Sequence[tuple[int, Sequence[int]]]
"""Pairs: the cell whose number sees some cells, -1 for an open one, and the cells."""


class Opening(NamedTuple):
    """A cell to open, with bounds on the weight of the worlds won after it.

    The bounds are equal unless a budget was spent.
    """

    cell: int
    low: int
    high: int


def room_for(code: Code, weights: Sequence[int] | None = None, scopes: Scopes = (), slots: int = 1 << 16) -> Sets:
    """The problem of a table of worlds, prepared, all of them chosen."""
    worlds, cells = code.shape
    m = sets(worlds, cells, scopes=len(scopes), slots=slots)
    m.code[:, :cells] = code
    m.weight[:] = 1 if weights is None else weights
    for i, (owner, seen) in enumerate(scopes):
        m.owner[i] = owner
        for cell in seen:
            m.scope[i, cell >> 6] |= np.uint64(1 << (cell & 63))
    m.chosen[:worlds] = np.arange(worlds)
    prepare(m, worlds, cells, len(scopes))
    return m


def best_opening(
    code: Code, weights: Sequence[int] | None = None, scopes: Scopes = (), budget: int = UNLIMITED
) -> Opening:
    """The best cell to open, with bounds on the weight won after it."""
    return Opening(*choose(room_for(code, weights, scopes), len(code), budget))


def values_of_openings(code: Code, weights: Sequence[int] | None = None, scopes: Scopes = ()) -> list[Opening]:
    """Every cell, with bounds on the weight that is won if it is opened now."""
    return values_in(room_for(code, weights, scopes), len(code))


def values_in(m: Sets, worlds: int) -> list[Opening]:
    """Return the same of a prepared problem with ``chosen[:worlds]`` left."""
    m.spent[NODES], m.spent[BUDGET], m.size[FULL] = 0, UNLIMITED, 0
    bounds = [value(m, 0, worlds, cell, 0, worlds, 0) for cell in range(m.size[N_CELLS])]
    return [Opening(cell, *(int(bound * m.size[UNIT]) for bound in pair)) for cell, pair in enumerate(bounds)]


def solved(most: int) -> list[Any]:
    """Boards that deep searches from the first cell on; those of more layouts are slow."""
    found = [board for board in SOLVED if board.layouts <= ROOT]
    return [
        pytest.param(board, id=str(board), marks=[pytest.mark.slow] if board.layouts > most else []) for board in found
    ]
