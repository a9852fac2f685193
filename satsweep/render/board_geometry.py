"""Geometry of a board in a picture: elements, cells and their places.

Cells are squares; hexagons, every second row of which is shifted by half a cell, so that those that touch share an
edge; or circles joined by lines, where the board is a graph. Planes stand below each other. Edges of the board that
touch the opposite one are dashed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from itertools import product
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, tostring

from satsweep.text import harmless
from satsweep.topology import Offsets, Topology

if TYPE_CHECKING:
    from networkx import Graph

Point = tuple[int, int]


def element(tag: str, text: str = "", /, **attributes: object) -> Element:
    """An element of a picture.

    An underscore in the name of an attribute stands for a hyphen, one at its end for nothing; None leaves it out.

    >>> svg_text(element("text", "1 < 2", class_="clue", font_size=12, x=None)).strip()
    '<text class="clue" font-size="12">1 &lt; 2</text>'
    """
    made = Element(tag, {_name(key): str(value) for key, value in attributes.items() if value is not None})
    made.text, made.tail = text or None, "\n"
    return made


def add(parent: Element, tag: str, text: str = "", /, **attributes: object) -> Element:
    made = element(tag, text, **attributes)
    parent.append(made)
    return made


def svg_text(picture: Element) -> str:
    """A picture as text, one line an element."""
    return harmless(tostring(picture, "unicode"))


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


SIDE = 36
LEFT, TOP = 40, 66
_HEAD, _BETWEEN = 22, 46
"""Space above and between planes, for a caption and column numbers."""
_OUTSIDE = 4
"""Distance of the dashed lines from the cells."""


@dataclass(frozen=True, slots=True)
class CellShape:
    """Shape of a cell around its middle.

    ``across`` and ``down`` are the distances to the next cell of a row and to the next row, ``wide`` and ``high`` half
    the width and the height. ``corners`` are those of a hexagon; ``radius`` rounds the corners of a square; ``mine`` is
    the radius of a mine.
    """

    across: int
    down: int
    wide: int
    high: int
    corners: tuple[Point, ...] = ()
    radius: int = 0
    mine: int = SIDE // 4

    def draw(self, parent: Element, middle: Point, inset: int = 0, **attributes: object) -> None:
        """Append the outline to an element; it may be drawn ``inset`` within the cell."""
        x, y = middle
        if self.corners:
            scale = 1 - inset / self.wide
            points = " ".join(f"{x + scale * right:g},{y + scale * down:g}" for right, down in self.corners)
            add(parent, "polygon", points=points, **attributes)
            return
        wide, high = self.wide - inset, self.high - inset
        rounded = self.radius - inset if self.radius else None
        add(parent, "rect", x=x - wide, y=y - high, width=2 * wide, height=2 * high, rx=rounded, **attributes)


SQUARES = CellShape(SIDE, SIDE, SIDE // 2, SIDE // 2)
HEXAGONS = CellShape(38, 33, 19, 22, corners=((0, -22), (19, -11), (19, 11), (0, 22), (-19, 11), (-19, -11)))
CIRCLES = CellShape(0, 0, 21, 21, radius=21, mine=SIDE // 5)
_APART = 54
"""Least distance between the middles of two circles."""


def shape_of(topology: Topology) -> CellShape:
    return CIRCLES if topology.edges else HEXAGONS if topology.is_hexagonal else SQUARES


@dataclass(frozen=True)
class BoardGeometry:
    """Geometry of a board in a picture; its cells begin at ``left`` and ``top``."""

    rows: int
    cols: int
    topology: Topology
    left: int = LEFT
    top: int = TOP

    @property
    def shape(self) -> CellShape:
        return shape_of(self.topology)

    @property
    def width(self) -> int:
        if self.topology.edges:
            return max(x for x, _ in self._nodes) + _APART // 2
        shifted = self.topology.is_hexagonal and self._plane > 1
        return self.cols * self.shape.across + shifted * self.shape.wide

    @property
    def height(self) -> int:
        """Height of all cells together, captions between planes included."""
        return self.plane_top(self.topology.planes - 1) + self.plane_height - self.top

    @property
    def plane_height(self) -> int:
        if self.topology.edges:
            return max(y for _, y in self._nodes) + _APART // 2
        return (self._plane - 1) * self.shape.down + 2 * self.shape.high

    def plane_top(self, plane: int) -> int:
        head = _HEAD if self.topology.planes > 1 else 0
        return self.top + head + plane * (self.plane_height + _BETWEEN)

    def plane(self, cell: tuple[int, int]) -> int:
        return cell[0] // self._plane

    def plane_box(self, plane: int) -> tuple[int, int, int, int]:
        """Box around the cells of a plane: left and top, width and height."""
        return self.left, self.plane_top(plane), self.width, self.plane_height

    @property
    def periods(self) -> Point:
        """Distances to the right and down at which a board repeats itself, or 0."""
        shape, topology = self.shape, self.topology
        return self.cols * shape.across * topology.wraps_cols, self._plane * shape.down * topology.wraps_rows

    @property
    def _plane(self) -> int:
        return self.rows // self.topology.planes

    @cached_property
    def _nodes(self) -> tuple[Point, ...]:
        return place_nodes(self.topology.edges, self.rows, self.cols, _APART)

    def middle(self, cell: tuple[int, int]) -> Point:
        row, col = cell
        if self.topology.edges:
            x, y = self._nodes[row * self.cols + col]
            return self.left + x, self.top + y
        plane, place = divmod(row, self._plane)
        shape = self.shape
        x = self.left + col * shape.across + shape.wide + self._shift(place)
        return x, self.plane_top(plane) + place * shape.down + shape.high

    def _shift(self, place: int) -> int:
        return self.shape.wide if self.topology.is_hexagonal and place % 2 else 0

    def outline(self, parent: Element, cell: tuple[int, int], fill: str | None = None) -> None:
        self.shape.draw(parent, self.middle(cell), fill=fill)

    def adapt_style(self, style: str) -> str:
        """Adapt a style sheet for squares to the shape of the cells."""
        return style.replace(" rect {", " polygon {") if self.shape.corners else style

    def background(self, parent: Element) -> None:
        """Append the parts that are drawn before the cells.

        These are numbers of rows and columns, captions of planes and dashed edges, or the lines of a graph.
        """
        if self.topology.edges:
            add(parent, "path", d="".join(self._lines()), fill="none", stroke="#999999", stroke_width=2)
            return
        axis, planes = add(parent, "g", class_="axis"), range(self.topology.planes)
        for plane in planes:
            for col in range(self.cols):
                x, _ = self.middle((plane * self._plane, col))
                add(axis, "text", str(col), x=x, y=self.plane_top(plane) - 12)
        for row in range(self.rows):
            add(axis, "text", str(row), x=self.left - 16, y=self.middle((row, 0))[1])
        if len(planes) > 1:
            captions = add(parent, "g", class_="foot")
            for plane in planes:
                caption = f"plane {plane + 1} of {len(planes)}"
                add(captions, "text", caption, x=self.left, y=self.plane_top(plane) - 24)
        if self.topology.wraps_rows or self.topology.wraps_cols:
            path = "".join(piece for plane in planes for piece in self._edges(plane))
            dashes = {"stroke": "#1a1a1a", "stroke-width": 1.5, "stroke-dasharray": "5 4"}
            add(parent, "path", class_="wraps", d=path, fill="none", **dashes)

    def cell_names(self, parent: Element) -> None:
        """Append the names of the cells of a graph, which lacks row and column numbers."""
        if not self.topology.edges:
            return
        names = add(parent, "g", class_="names", font_size=8, text_anchor="middle")
        for row in range(self.rows):
            for col in range(self.cols):
                x, y = self.middle((row, col))
                add(names, "text", f"{row},{col}", x=x, y=y + 15)

    def _lines(self) -> Iterator[str]:
        for one, other in self.topology.edges:
            (x, y), (to_x, to_y) = self.middle(divmod(one, self.cols)), self.middle(divmod(other, self.cols))
            yield f"M{x} {y}L{to_x} {to_y}"

    def _edges(self, plane: int) -> Iterator[str]:
        """Dashed edges of a plane, a little outside of it, as parts of an SVG path."""
        shape, first = self.shape, plane * self._plane
        shoulder = min((y for _, y in shape.corners), key=abs, default=shape.high)
        shoulder = abs(shoulder)
        if self.topology.wraps_rows:
            for row, out in ((first, -1), (first + self._plane - 1, 1)):
                ends = [self.middle((row, col)) for col in range(self.cols)]
                x, y = ends[0]
                path = [f"M{x - shape.wide} {y + out * (shoulder + _OUTSIDE)}"]
                for x, y in ends:
                    tip = f"L{x} {y + out * (shape.high + _OUTSIDE)}" if shape.corners else ""
                    path.append(f"{tip}L{x + shape.wide} {y + out * (shoulder + _OUTSIDE)}")
                yield "".join(path)
        if self.topology.wraps_cols:
            for col, out in ((0, -1), (self.cols - 1, 1)):
                path = []
                for row in range(first, first + self._plane):
                    x, y = self.middle((row, col))
                    x += out * (shape.wide + _OUTSIDE)
                    path.append(f"L{x} {y - shoulder}L{x} {y + shoulder}")
                yield "M" + "".join(path)[1:]


MOST_BY_STRESS, MOST = 100, 600
"""Most cells of a component placed by stress, and of a graph not placed in rows."""
_ROUNDS = 300
_STEP, _WIDTH = 1.7, 14
"""Mean distance of neighbours, width of a row of components: in least distances."""


@lru_cache(maxsize=16)
def place_nodes(edges: Offsets, rows: int, cols: int, apart: int) -> tuple[Point, ...]:
    """Middle of every cell of a graph.

    Each connected component is laid out by itself, by the stress of Kamada and Kawai (1989) or, if it has many cells,
    by the springs of Fruchterman and Reingold (1991). Then cells that would overlap are pushed apart, and components
    are put beside each other, the largest first.

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
