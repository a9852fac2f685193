"""Proofs that a board needs a guess, as JSON: the layout, a position, worlds."""

from satsweep.board import Board
from satsweep.errors import BoardError
from satsweep.formats.json_fields import errors_in_fields, grid_fields, json_text, lines, read_layout
from satsweep.formats.strict import Node
from satsweep.layout import Layout
from satsweep.proofs.trace import GuessProof

_KEYS = ("mines", "start", "layout", "board", "worlds")


def to_json(proof: GuessProof) -> str:
    """Return the JSON form of a proof, a world a line."""
    layout = proof.layout
    fields: dict[str, object] = {"mines": layout.mines, "start": layout.start, **grid_fields(layout)}
    grids = {"layout": layout.cells, "board": proof.board.cells, "worlds": [world.cells for world in proof.worlds]}
    return json_text(fields | {key: lines(rows) for key, rows in grids.items()})


def is_guess_proof(text: str) -> bool:
    """Return whether a text is such a proof, which has worlds in it."""
    return '"worlds"' in text


def from_json(text: str) -> GuessProof:
    """Read the JSON form of a proof. Raises BoardError with line and column."""
    fields = Node.of(text).fields(_KEYS, ("topology",))
    layout = read_layout(fields)
    rows = [row.string() for row in fields["board"].items()]
    with errors_in_fields(fields, "board"):
        board = Board(rows, mines=layout.mines, topology=layout.topology)
    return GuessProof(layout, board, tuple(_world(item, layout) for item in fields["worlds"].items()))


def _world(node: Node, layout: Layout) -> Layout:
    """Read a world, on the grid of a layout."""
    rows = [row.string() for row in node.items()]
    try:
        return Layout(rows, topology=layout.topology)
    except BoardError as error:
        node.fail(error.message)
