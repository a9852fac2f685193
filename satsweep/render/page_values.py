"""Values that the page draws: sentences, reviewed games, fewest clicks, a grid."""

from functools import lru_cache
from typing import TypeVar

from satsweep.assessment.verdicts import Review
from satsweep.board import MINE, NUMBERS
from satsweep.clicks.fewest import FewestClicks
from satsweep.render.board_geometry import SIDE, BoardGeometry, element, svg_text
from satsweep.render.board_text import variant_remarks
from satsweep.render.clicks import click_in_words, made_of
from satsweep.render.review_json import review_values
from satsweep.render.review_text import move_in_words, review_facts, summary_in_words
from satsweep.sentence import CellName, Sentence
from satsweep.topology import Topology

MARGIN = 26
"""Room for the row and column numbers, in the units of the geometry."""
Plain = TypeVar("Plain")


def with_parts(values: Plain) -> Plain:
    """Plain values in which sentences are lists of words and cells.

    >>> from satsweep.sentence import named
    >>> with_parts({"why": Sentence("Open ", named((0, 4)), " or ", CellName("rows 1 and 2, column 3", (1, 2), (3,)))})
    {'why': ['Open ', (0, 4), ' or ', {'rows': (1, 2), 'cols': (3,)}]}
    """
    found: object = values
    match values:
        case Sentence():
            found = [_cells(part) if isinstance(part, CellName) else part for part in values.parts]
        case dict():
            found = {key: with_parts(value) for key, value in values.items()}
        case list():
            found = [with_parts(value) for value in values]
    return found  # type: ignore[return-value]


def _cells(place: CellName) -> object:
    if len(place.rows) == len(place.cols) == 1:
        return (place.rows[0], place.cols[0])
    return {"rows": place.rows, "cols": place.cols}


@lru_cache(maxsize=8)
def geometry_values(rows: int, cols: int, topology: Topology) -> dict[str, object]:
    """Centres, neighbours and shape of the cells, and the picture behind them.

    The side of a square is ``side`` units long. Raises BoardError if a board of this size cannot have the topology.
    """
    topology.check(rows, cols)
    wide = 6 if topology.edges else MARGIN
    places = BoardGeometry(rows, cols, topology, left=wide, top=wide)
    shape = places.shape
    ground = element("g")
    places.background(ground)
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    return {
        "topology": topology.name,
        "side": SIDE,
        "width": places.left + places.width + 6,
        "height": places.top + places.height + 6,
        "wide": shape.wide,
        "high": shape.high,
        "shape": "circle" if topology.edges else "hexagon" if shape.corners else "square",
        "middles": [part for cell in cells for part in places.middle(cell)],
        "neighbours": topology.neighbours(rows, cols),
        "most": topology.most,
        "ground": svg_text(ground),
        "remarks": list(variant_remarks(topology)),
    }


def fewest_values(found: FewestClicks) -> dict[str, object]:
    """The fewest clicks of a layout; ``path`` pairs clicks with indices of cells."""
    return {
        "upper": found.upper,
        "lower": found.lower,
        "proved": found.proved,
        "bv": found.bv,
        "made": made_of(found),
        "path": [(click.kind.value, found.layout.index(click.cell)) for click in found.path],
    }


def reviewed_values(found: Review) -> dict[str, object]:
    """A review with verdicts in words, the layout, and the cells that moves opened."""
    values, clicks = review_values(found), found.clicks
    for move, told in zip(found.moves, values["moves"], strict=True):
        click = None if clicks is None else clicks.by_move[move.number - 1]
        told["said"] = move_in_words(move)
        told["click_said"] = "" if clicks is None or click is None else click_in_words(click, clicks.bv)
        told["opened"] = [(found.record.layout.index(cell), shown_symbol(n)) for cell, n in move.move.revealed]
    layout, facts = found.record.layout.cells, list(review_facts(found))
    return with_parts({**values, "layout": layout, "facts": facts, "summary": summary_in_words(found)})


def shown_symbol(number: int | str | None) -> str:
    """The symbol of an open cell: of its number, or (None) of a mine."""
    if isinstance(number, int):
        return NUMBERS[number]
    return MINE if number is None else number
