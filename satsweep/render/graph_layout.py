"""Graph drawing: places of the cells of a graph, apart but near their neighbours.

Each connected component is laid out by itself, by the stress of Kamada and Kawai (1989) or, if it has many cells, by
the springs of Fruchterman and Reingold (1991). Then cells that would overlap are pushed apart, and components are put
beside each other, the largest first.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from itertools import product
from typing import TYPE_CHECKING, Any

from satsweep.topology import Offsets

if TYPE_CHECKING:
    from networkx import Graph

Point = tuple[int, int]

MOST_BY_STRESS, MOST = 100, 600
"""Most cells of a component placed by stress, and of a graph not placed in rows."""
_ROUNDS = 300
_STEP, _WIDTH = 1.7, 14
"""Mean distance of neighbours, width of a row of components: in least distances."""


@lru_cache(maxsize=16)
def place_nodes(edges: Offsets, rows: int, cols: int, apart: int) -> tuple[Point, ...]:
    """Middle of every cell of a graph.

    No two are closer than ``apart``, and none is closer than half of that to a side of the picture. Without networkx
    and numpy, as in a browser, the cells stand in rows.

    >>> place_nodes(((0, 1),), 1, 2, 10)
    ((5, 5), (22, 5))
    """
    if rows * cols > MOST or not all(map(find_spec, ("networkx", "numpy"))):
        cells = product(range(rows), range(cols))
        return tuple((apart // 2 + 2 * apart * col, apart // 2 + 2 * apart * row) for row, col in cells)
    from networkx import Graph, connected_components

    graph: Graph[int] = Graph()
    graph.add_nodes_from(range(rows * cols))
    graph.add_edges_from(edges)
    parts = sorted(map(sorted, connected_components(graph)), key=lambda part: (-len(part), part[0]))
    return _side_by_side([_place_part(graph.subgraph(part), part, apart) for part in parts], apart)


def _place_part(graph: Graph[int], part: list[int], apart: int) -> dict[int, Point]:
    """Middles of the cells of a component, from 0 in both directions."""
    import networkx
    import numpy

    if len(part) == 1:
        return {part[0]: (0, 0)}
    # Give networkx the cells in a fixed order: the drawing depends on it.
    ordered: Graph[int] = networkx.Graph()
    ordered.add_nodes_from(part)
    ordered.add_edges_from(sorted(map(sorted, graph.edges)))
    if len(part) == 2:
        found = {part[0]: (0.0, 0.0), part[1]: (1.0, 0.0)}
    elif len(part) <= MOST_BY_STRESS:
        found = networkx.kamada_kawai_layout(ordered)
    else:
        found = networkx.spring_layout(ordered, seed=0, iterations=200)
    places = numpy.array([found[cell] for cell in part])
    number = {cell: at for at, cell in enumerate(part)}
    ends = numpy.array([[number[one], number[other]] for one, other in ordered.edges])
    lengths = numpy.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    places = _spread(places * (_STEP * apart / lengths.mean()), ends, apart)
    whole = numpy.ceil(places - places.min(axis=0)).astype(int)
    return {cell: (int(x), int(y)) for cell, (x, y) in zip(part, whole, strict=True)}


def _spread(places: Any, ends: Any, apart: int) -> Any:
    """Push places away from each other and from lines until none overlap.

    If some still do after the last round, all places are moved apart in proportion.
    """
    import numpy

    # Allow for the rounding of places at the end.
    room = apart + 2
    for _ in range(_ROUNDS):
        away = places[:, None] - places[None]
        far = numpy.linalg.norm(away, axis=2)
        numpy.fill_diagonal(far, room)
        push = (away / far.clip(1e-9)[:, :, None] * ((room - far).clip(0) / 2)[:, :, None]).sum(axis=1)
        push += _away_from_lines(places, ends, room / 2)
        if not push.any():
            return places
        places = places + push
    least = _least_distance(places)
    return places * max(1.0, room / least) if least else places + numpy.arange(len(places))[:, None] * room


def _away_from_lines(places: Any, ends: Any, room: float) -> Any:
    """Move of each place away from lines that run through it without ending there."""
    import numpy

    start, line = places[ends[:, 0]], places[ends[:, 1]] - places[ends[:, 0]]
    along = ((places[:, None] - start) * line).sum(axis=2) / (line**2).sum(axis=1).clip(1e-9)
    away = places[:, None] - (start + along.clip(0, 1)[:, :, None] * line)
    far = numpy.linalg.norm(away, axis=2)
    # A place on the line itself moves to the left of it.
    aside = numpy.stack([-line[:, 1], line[:, 0]], axis=1)
    away = numpy.where((far < 1e-6)[:, :, None], aside[None], away)
    size = numpy.linalg.norm(away, axis=2).clip(1e-9)
    between = (along > 0) & (along < 1)
    between[ends[:, 0], numpy.arange(len(ends))] = between[ends[:, 1], numpy.arange(len(ends))] = False
    strength = numpy.where(between, (room - far).clip(0), 0) / size
    return (away * strength[:, :, None]).sum(axis=1) / 2


def _least_distance(places: Any) -> float:
    import numpy

    far = numpy.linalg.norm(places[:, None] - places[None], axis=2)
    numpy.fill_diagonal(far, numpy.inf)
    return float(far.min())


def _side_by_side(parts: list[dict[int, Point]], apart: int) -> tuple[Point, ...]:
    """Middles of all cells, with the components in rows, one after the other."""
    found: dict[int, Point] = {}
    left = top = below = 0
    for part in parts:
        width, height = (max(place[axis] for place in part.values()) + apart for axis in (0, 1))
        if left and left + width > _WIDTH * apart:
            left, top = 0, below
        for cell, (x, y) in part.items():
            found[cell] = (left + x + apart // 2, top + y + apart // 2)
        left, below = left + width, max(below, top + height)
    return tuple(found[cell] for cell in sorted(found))
