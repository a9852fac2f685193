"""Geometry of a board on the page, from the same source as in every picture."""

from __future__ import annotations

from functools import lru_cache

from satsweep.render.board_geometry import SIDE, BoardGeometry
from satsweep.render.elements import element, svg_text
from satsweep.topology import topology_named
from satsweep.web.questions import Values

MARGIN = 26
"""Room for the row and column numbers, in the units of the geometry."""


@lru_cache(maxsize=8)
def geometry(rows: int, cols: int, topology: str) -> Values:
    """Centres, neighbours and shape of the cells, and the picture behind them.

    The side of a square is ``side`` units long. Raises BoardError if a board of this size cannot have the topology.
    """
    named = topology_named(topology)
    named.check(rows, cols)
    wide = 6 if named.edges else MARGIN
    places = BoardGeometry(rows, cols, named, left=wide, top=wide)
    shape = places.shape
    ground = element("g")
    places.background(ground)
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
        "ground": svg_text(ground),
    }
