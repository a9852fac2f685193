"""Neighbourhoods: squares, a torus, hexagons, knight's moves, any graph.

A grid is rows of cells in all cases; a *topology* says which of them touch, and mostly by offsets from a cell. Nothing
that reasons about a board ever asks for more. Names are text that board files contain::

    square                      the eight cells around
    torus                       the same, and opposite edges touch
    hexagonal                   six around; every second row is shifted to the right by half a cell
    orthogonal                  four around, those that share an edge
    knight                      eight, a knight's move away
    offsets 0,1 1,1             any others; each offset stands for its opposite, too
    edges 0-1 1-2               any graph: pairs of cells, counted row by row from 0
    square wrapping cols        left and right edge touch; likewise ``rows``, and ``both``
    square in 3 planes          the rows in three stacked planes: a cell also touches what is above and below it
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from satsweep.arguments import check_kind, check_whole, short_repr
from satsweep.errors import BoardError
from satsweep.part import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Offsets = tuple[tuple[int, int], ...]

MOST_NEIGHBOURS = 35
"""The most neighbours that a cell may have: the highest number of one symbol."""


@dataclass(frozen=True, slots=True)
class Topology:
    """A neighbour relation: offsets from a cell, and wrapping of rows and columns.

    ``odd`` are the offsets in every second row where they differ there. With ``planes`` the rows are cut into that
    number of equal parts, each of which touches the next. ``edges`` are pairs of row-major indices, in place of
    offsets.
    """

    name: str
    offsets: Offsets
    wraps_rows: bool = False
    wraps_cols: bool = False
    odd: Offsets = ()
    planes: int = 1
    edges: Offsets = ()

    def __post_init__(self) -> None:
        check_kind(self.name, str, "text for name")
        object.__setattr__(self, "planes", check_whole(self.planes, "planes", least=1))
        for name in ("offsets", "odd", "edges"):
            check_kind(getattr(self, name), tuple, f"a tuple of pairs for {name}")

    def __str__(self) -> str:
        """The name, which ``topology_named`` reads."""
        return self.name

    def __hash__(self) -> int:
        """Hash of the name: edges may be many, and each look-up of neighbours takes it."""
        return hash(self.name)

    @property
    def most(self) -> int:
        """The most neighbours that a cell can have."""
        if self.edges:
            return max(Counter(end for edge in self.edges for end in edge).values())
        return len(self.offsets) + (self.planes > 1) * 2 * (len(self.offsets) + 1)

    @property
    def is_hexagonal(self) -> bool:
        """True if the cells are hexagons."""
        return bool(self.odd)

    def check(self, rows: int, cols: int) -> None:
        """Raise BoardError unless a grid of this size can have this topology."""
        if rows % self.planes:
            raise BoardError(f"expected rows for {self.planes} equal planes, found {rows}", at="topology")
        if self.odd and self.wraps_rows and rows // self.planes % 2:
            raise BoardError(f"expected an even number of rows to wrap hexagons, found {rows}", at="topology")
        beyond = max((end for edge in self.edges for end in edge), default=0)
        if beyond >= rows * cols:
            raise BoardError(f"expected edges between the {rows * cols} cells, found one to {beyond}", at="topology")

    def neighbours(self, rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each cell, in row-major order.

        They are row-major indices, ascending.

        >>> SQUARE.neighbours(2, 2)[0]
        (1, 2, 3)
        >>> len(TORUS.neighbours(3, 5)[0])
        8
        >>> HEXAGONAL.neighbours(3, 3)[4]
        (1, 2, 3, 5, 7, 8)
        """
        return _neighbours(self, rows, cols)

    def padded_neighbours(self, rows: int, cols: int) -> NDArray[np.int32]:
        """The neighbours of each cell as a row of an array, padded with -1.

        >>> ORTHOGONAL.padded_neighbours(2, 2).tolist()
        [[1, 2, -1, -1], [0, 3, -1, -1], [0, 3, -1, -1], [1, 2, -1, -1]]
        """
        import numpy as np

        table = np.full((rows, cols, max(1, self.most)), -1, np.int32)
        for row in range(rows):
            like = row if self.edges else _first_alike(self, rows, row)
            if like < row:
                table[row] = np.where(table[like] < 0, -1, table[like] + (row - like) * cols)
                continue
            near = self.neighbours(rows, cols)[row * cols :] if self.edges else _row(self, rows, cols, row)
            for own, others in zip(table[row], near, strict=False):
                own[: len(others)] = others
        return table.reshape(rows * cols, -1)

    def degrees(self, rows: int, cols: int) -> bytes:
        """The number of neighbours of each cell, in row-major order.

        >>> list(SQUARE.degrees(2, 3))
        [3, 5, 3, 3, 5, 3]
        """
        if self.edges:
            return bytes(map(len, self.neighbours(rows, cols)))
        found: list[bytes] = []
        for row in range(rows):
            like = _first_alike(self, rows, row)
            found.append(found[like] if like < row else bytes(map(len, _row(self, rows, cols, row))))
        return b"".join(found)

    @property
    def sides(self) -> Part:
        """The sides that can be cut: none that wraps, and none of planes or graphs."""
        flat = not self.edges and self.planes == 1
        rows, cols = flat and not self.wraps_rows, flat and not self.wraps_cols
        return Part(top=rows, left=cols, bottom=rows, right=cols)

    def check_part(self, part: Part) -> None:
        """Raise BoardError unless a board with this topology can have these sides cut."""
        if not part <= self.sides:
            expected = f"sides among {self.sides}, as no other" if self.sides else "a whole board, as no side"
            raise BoardError(f"expected {expected} of {self.name[:40]} can be cut, found {part}", at="part")

    def surroundings(self, rows: int, cols: int, part: Part) -> Surroundings:
        """The unseen cells that touch a part of a larger board.

        >>> SQUARE.surroundings(1, 2, Part(left=True, bottom=True)).indices
        {(0, -1): 2, (1, -1): 3, (1, 0): 4, (1, 1): 5}
        """
        return _surroundings(self, rows, cols, part)


class Surroundings(NamedTuple):
    """Unseen cells beyond the cut sides, in row-major order, and all neighbours.

    ``indices`` has the index of each by its row and column, which are negative or past the end of the part. In
    ``table`` they follow the cells of the part, and touch cells of the part only.
    """

    indices: dict[tuple[int, int], int]
    table: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=16)
def _surroundings(topology: Topology, rows: int, cols: int, part: Part) -> Surroundings:
    offsets = (*topology.offsets, *topology.odd)
    reach, across = (max(abs(offset[axis]) for offset in offsets) for axis in (0, 1))
    rim = [col for col in range(cols) if not across <= col < cols - across]
    touched: dict[tuple[int, int], set[int]] = {}
    for row in range(rows):
        offsets = topology.odd if topology.odd and row % 2 else topology.offsets
        for col in rim if reach <= row < rows - reach else range(cols):
            for down, right in offsets:
                r = (row + down) % rows if topology.wraps_rows else row + down
                c = (col + right) % cols if topology.wraps_cols else col + right
                above_or_left = (r >= 0 or part.top) and (c >= 0 or part.left)
                below_or_right = (r < rows or part.bottom) and (c < cols or part.right)
                if not (0 <= r < rows and 0 <= c < cols) and above_or_left and below_or_right:
                    touched.setdefault((r, c), set()).add(row * cols + col)
    table = list(topology.neighbours(rows, cols))
    indices = {place: index for index, place in enumerate(sorted(touched), len(table))}
    for place, index in indices.items():
        table.append(tuple(sorted(touched[place])))
        for cell in touched[place]:
            table[cell] += (index,)
    return Surroundings(indices, tuple(table))


@lru_cache(maxsize=16)
def _neighbours(topology: Topology, rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each cell, as ``Topology.neighbours`` has them.

    On a small torus several offsets reach one cell, or the cell itself: it counts once, or not at all.
    """
    if topology.edges:
        return _joined(topology.edges, rows * cols)
    table: list[tuple[int, ...]] = []
    for row in range(rows):
        like = _first_alike(topology, rows, row)
        if like == row:
            table += _row(topology, rows, cols, row)
        else:
            down = (row - like) * cols
            table += [tuple([other + down for other in near]) for near in table[like * cols : (like + 1) * cols]]
    return tuple(table)


def _row(topology: Topology, rows: int, cols: int, row: int) -> list[tuple[int, ...]]:
    """The neighbours of the cells of a row."""
    height = rows // topology.planes
    levels = (-1, 0, 1) if topology.planes > 1 else (0,)
    plane, place = divmod(row, height)
    offsets = topology.odd if topology.odd and place % 2 else topology.offsets
    near = [plane + level for level in levels if 0 <= plane + level < topology.planes]
    reached = [(other, offset) for other in near for offset in (offsets if other == plane else ((0, 0), *offsets))]
    table: list[tuple[int, ...]] = []
    for col in range(cols):
        touched = set()
        for other, (down, right) in reached:
            r, c = place + down, col + right
            if topology.wraps_rows:
                r %= height
            if topology.wraps_cols:
                c %= cols
            if 0 <= r < height and 0 <= c < cols:
                touched.add((other * height + r) * cols + c)
        touched.discard(row * cols + col)
        table.append(tuple(sorted(touched)))
    return table


def _first_alike(topology: Topology, rows: int, row: int) -> int:
    """The first row with the same neighbours, but for their distance from it.

    It is the row itself in several planes, and where an offset leads past the first or the last row.
    """
    reach = max(abs(down) for down, _ in (*topology.offsets, *topology.odd))
    if topology.planes > 1 or not reach <= row < rows - reach:
        return row
    return reach + (row - reach) % 2 if topology.odd else reach


def _joined(edges: Offsets, cells: int) -> tuple[tuple[int, ...], ...]:
    touched: list[set[int]] = [set() for _ in range(cells)]
    for one, other in edges:
        touched[one].add(other)
        touched[other].add(one)
    return tuple(tuple(sorted(others)) for others in touched)


EIGHT = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)
_FOUR = ((-1, 0), (0, -1), (0, 1), (1, 0))
_EVEN = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0))
_ODD = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))
_KNIGHT = tuple((d, r) for d in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(d) != abs(r))

SQUARE = Topology("square", EIGHT)
TORUS = Topology("torus", EIGHT, wraps_rows=True, wraps_cols=True)
HEXAGONAL = Topology("hexagonal", _EVEN, odd=_ODD)
ORTHOGONAL = Topology("orthogonal", _FOUR)
KNIGHT = Topology("knight", _KNIGHT)


def offset_topology(offsets: Iterable[tuple[int, int]]) -> Topology:
    """The topology of cells that are an offset apart, in either direction.

    Raises BoardError without offsets, or for too many.

    >>> offset_topology([(0, 2), (0, -2)]).offsets
    ((0, -2), (0, 2))
    """
    half = sorted({max(offset, (-offset[0], -offset[1])) for offset in offsets})
    if not half or (0, 0) in half:
        raise BoardError("expected offsets, and none of a cell to itself", at="topology")
    _check_most(2 * len(half))
    both = tuple(sorted({*half, *((-down, -right) for down, right in half)}))
    return Topology("offsets " + " ".join(f"{down},{right}" for down, right in half), both)


def graph_topology(edges: Iterable[tuple[int, int]]) -> Topology:
    """The topology of cells that an edge joins, given by row-major indices.

    Raises BoardError for edges that make no graph.
    """
    pairs = tuple(sorted({(min(edge), max(edge)) for edge in edges}))
    if not pairs or any(one == other or one < 0 for one, other in pairs):
        raise BoardError("expected edges, and none of a cell to itself", at="topology")
    topology = Topology("edges " + " ".join(f"{one}-{other}" for one, other in pairs), (), edges=pairs)
    _check_most(topology.most)
    return topology


def _check_most(found: int) -> None:
    if found > MOST_NEIGHBOURS:
        message = f"expected at most {MOST_NEIGHBOURS} neighbours of a cell, found {found}"
        raise BoardError(message, at="topology")


@dataclass(frozen=True, slots=True)
class Shape:
    """First word of a topology's name, which says which cells of a plane touch.

    ``topology`` is that of the name alone. Where it is None, pairs of numbers follow the name: ``pair`` is the pattern
    of one, and ``made`` makes the topology of them. ``example`` is a whole name. ``remark`` says beneath a board which
    cells touch, unless its look does; ``label`` says it in a list to choose from. A shape without one is in no list, as
    it means nothing without the cells of a board.
    """

    topology: Topology | None
    example: str
    label: str = ""
    remark: str = ""
    pair: re.Pattern[str] | None = None
    made: Callable[[Iterable[tuple[int, int]]], Topology] | None = None


SHAPES = {
    "square": Shape(SQUARE, "square", "eight neighbours"),
    "torus": Shape(TORUS, "torus", "square, opposite edges touch"),
    "hexagonal": Shape(HEXAGONAL, "hexagonal", "six neighbours", "six cells around"),
    "orthogonal": Shape(ORTHOGONAL, "orthogonal", "four neighbours", "cells that share an edge touch"),
    "knight": Shape(KNIGHT, "knight", "a knight's move away", "cells a knight's move apart touch"),
    "offsets": Shape(
        None,
        example="offsets 0,1 1,2",
        label="any offsets, here two and their opposites",
        remark="cells at these distances in rows and columns touch",
        pair=re.compile(r"(-?\d{1,7}),(-?\d{1,7})", re.ASCII),
        made=offset_topology,
    ),
    "edges": Shape(
        None,
        example="edges 0-1 1-2",
        remark="cells joined by a line touch",
        pair=re.compile(r"(\d{1,7})-(\d{1,7})", re.ASCII),
        made=graph_topology,
    ),
}
"""Every shape by its name."""
TOPOLOGIES = {name: shape.topology for name, shape in SHAPES.items() if shape.topology}
"""Those with a name of one word."""

_NAME = re.compile(
    r"(?P<shape>[a-z]+)(?P<pairs>(\s+[-\d]+,[-\d]+|\s+\d+-\d+)*)"
    r"(\s+in\s+(?P<planes>\d{1,7})\s+planes)?(\s+wrapping\s+(?P<wraps>rows|cols|both))?"
)


def topology_named(topology: Topology | str) -> Topology:
    """A topology by its name. Raises BoardError for an unknown name.

    >>> topology_named("hexagonal wrapping cols").wraps_cols
    True
    >>> print(topology_named("square  wrapping both"), topology_named("offsets 1,1 -1,-1"), sep=", ")
    torus, offsets 1,1
    """
    if not isinstance(topology, Topology | str):
        raise TypeError(f"expected a topology or its name, found {short_repr(topology)}")
    return topology if isinstance(topology, Topology) else _named(topology)


@lru_cache(maxsize=16)
def _named(name: str) -> Topology:
    if name in TOPOLOGIES:
        return TOPOLOGIES[name]
    found = _NAME.fullmatch(name.strip())
    if found is None or found["shape"] not in SHAPES:
        others = " or ".join(name for name in SHAPES if name not in TOPOLOGIES)
        message = f"expected a topology among {', '.join(TOPOLOGIES)}, or {others}, found {name[:40]!r}"
        raise BoardError(message, at="topology")
    shape = _shape(found["shape"], found["pairs"].split())
    return _altered(shape, int(found["planes"] or 1), found["wraps"])


def _shape(name: str, texts: list[str]) -> Topology:
    shape = SHAPES[name]
    if shape.topology:
        if texts:
            raise BoardError(f"expected nothing but planes and edges that wrap after {name!r}", at="topology")
        return shape.topology
    assert shape.pair and shape.made
    found = [shape.pair.fullmatch(text) for text in texts]
    pairs = [(int(pair[1]), int(pair[2])) for pair in found if pair is not None]
    if not pairs or len(pairs) < len(found):
        form = " like ".join(shape.example.split()[:2])
        raise BoardError(f"expected {form}, separated by blanks, found {' '.join(texts)[:40]!r}", at="topology")
    return shape.made(pairs)


def _altered(shape: Topology, planes: int, wraps: str | None) -> Topology:
    """A shape stacked and wrapped, under its shortest name."""
    if shape.edges and (planes != 1 or wraps):
        raise BoardError("expected nothing after the edges of a graph", at="topology")
    if planes < 1:
        raise BoardError("expected at least one plane", at="topology")
    plain = replace(shape, name="square", wraps_rows=False, wraps_cols=False) if shape == TORUS else shape
    rows = shape.wraps_rows or wraps in ("rows", "both")
    cols = shape.wraps_cols or wraps in ("cols", "both")
    stacked = f" in {planes} planes" if planes > 1 else ""
    wrapping = {(True, True): " wrapping both", (True, False): " wrapping rows", (False, True): " wrapping cols"}
    name = plain.name + stacked + wrapping.get((rows, cols), "")
    if name == "square wrapping both":
        return TORUS
    made = replace(plain, name=name, planes=planes, wraps_rows=rows, wraps_cols=cols)
    _check_most(made.most)
    return made
