"""Where the page draws the cells of a board: the same places as in every picture, so that there is one that knows."""

from __future__ import annotations

from functools import lru_cache

from satsweep.render.shapes import SIDE, Places
from satsweep.topology import topology_named
from satsweep.web.questions import Values

MARGIN = 26
"""The room for the numbers of rows and columns."""


@lru_cache(maxsize=8)
def geometry(rows: int, cols: int, topology: str) -> Values:
    """For every cell its middle and the cells that it touches, their shape, and what is drawn behind them all.

    Lengths are in units of which a square has ``side``. Raises BoardError for a topology that such a board cannot have.
    """
    named = topology_named(topology)
    named.check(rows, cols)
    wide = 6 if named.edges else MARGIN
    places = Places(rows, cols, named, left=wide, top=wide)
    shape = places.shape
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    return {
        "topology": named.name,
        "side": SIDE,
        "width": places.left + places.width + 6,
        "height": places.top + places.height + 6,
        "wide": shape.wide,
        "high": shape.high,
        "shape": "circle" if named.edges else "hexagon" if shape.corners else "square",
        "middles": [part for cell in cells for part in places.middle(cell)],
        "neighbours": named.neighbours(rows, cols),
        "most": named.most,
        "ground": "".join(places.ground()),
    }
