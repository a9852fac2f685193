"""Certificates as JSON, one proof a line, read strictly.

A clue is ``{"cell": [row, col], "number": n}``, or ``{"cell": [row, col], "flag": true}``; a bound is
``{"cells": [[row, col], ...], "least": n}`` or ``"most"``; a step is a list of bounds, at least one of which holds; a
part is ``{"clues": [[row, col], ...], "sums": [n, ...]}``. ``schemas/certificate.schema.json`` in this package says
the same to other programs. Only the form is checked here; ``verify`` checks the proofs.
"""

from satsweep.board import Board, Cell
from satsweep.clues import EXACT
from satsweep.formats.json_fields import errors_in_fields, grid_fields, json_text, lines
from satsweep.formats.strict import Node
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, ProofStep
from satsweep.topology import SQUARE

_KEYS = ("board", "proofs", "uncertified")
_PROOF = ("cell", "mine", "clues")


def to_json(certificate: Certificate) -> str:
    """Return the JSON form of a certificate, one proof a line."""
    board = certificate.board
    fields = {key: value for key, value in grid_fields(board).items() if key != "density"}
    fields |= {"board": lines(board.cells), "proofs": lines(map(_proof_values, certificate.proofs))}
    return json_text(fields | {"uncertified": certificate.uncertified})


def _proof_values(proof: Proof) -> dict[str, object]:
    """A proof as plain values."""
    fields: dict[str, object] = {
        "cell": proof.cell,
        "mine": proof.mine,
        "clues": [
            {"cell": clue.cell} | ({"flag": True} if clue.number is None else {"number": clue.number})
            for clue in proof.clues
        ],
    }
    if proof.total is not None:
        fields["total"] = proof.total
    if proof.parts:
        fields["parts"] = [{"clues": part.clues, "sums": part.sums} for part in proof.parts]
    else:
        fields["steps"] = [
            [{"cells": bound.cells, "least" if bound.at_least else "most": bound.count} for bound in step]
            for step in proof.steps
        ]
    return fields


def from_json(text: str) -> Certificate:
    """Read the JSON form of a certificate. Raises BoardError with line and column."""
    return from_node(Node.of(text))


def from_node(node: Node) -> Certificate:
    """Read a certificate that is a part of a JSON text."""
    fields = node.fields(_KEYS, ("mines", "topology", "clues"))
    return Certificate(_board(fields), tuple(map(_proof, fields["proofs"].items())), _cells(fields["uncertified"]))


def _board(fields: dict[str, Node]) -> Board:
    """Read the board that a certificate is about."""
    rows = [row.string() for row in fields["board"].items()]
    mines = fields["mines"].integer() if "mines" in fields else None
    topology = fields["topology"].string() if "topology" in fields else SQUARE
    clues = fields["clues"].string() if "clues" in fields else EXACT
    with errors_in_fields(fields, "board"):
        board = Board(rows, mines=mines, topology=topology, clues=clues)
    return board


def _proof(node: Node) -> Proof:
    """Read a proof of one cell."""
    fields = node.fields(_PROOF, ("total", "steps", "parts"))
    if ("steps" in fields) == ("parts" in fields):
        node.fail("expected either 'steps' or 'parts'")
    parts = tuple(map(_part, fields["parts"].items())) if "parts" in fields else ()
    if "parts" in fields and not parts:
        fields["parts"].fail("expected at least one part")
    return Proof(
        cell=fields["cell"].cell(),
        mine=fields["mine"].boolean(),
        clues=tuple(map(_clue, fields["clues"].items())),
        total=fields["total"].integer() if "total" in fields else None,
        steps=tuple(map(_step, fields["steps"].items())) if "steps" in fields else (),
        parts=parts,
    )


def _clue(node: Node) -> Clue:
    """Read a clue: an open cell with its number, or a trusted flag."""
    fields = node.fields(("cell",), ("number", "flag"))
    if "flag" not in fields:
        return Clue(fields["cell"].cell(), node.fields(("cell", "number"))["number"].integer())
    if "number" in fields or not fields["flag"].boolean():
        node.fail("expected 'flag' to be true, and no number beside it")
    return Clue(fields["cell"].cell(), None)


def _step(node: Node) -> ProofStep:
    """Read a step: bounds, at least one of which holds."""
    return tuple(map(_bound, node.items()))


def _bound(node: Node) -> Bound:
    """Read a bound on the mines of a group."""
    fields = node.fields(("cells",), ("least", "most"))
    if ("least" in fields) == ("most" in fields):
        node.fail("expected either 'least' or 'most'")
    at_least = "least" in fields
    return Bound(_cells(fields["cells"]), at_least, fields["least" if at_least else "most"].integer())


def _part(node: Node) -> CountedPart:
    """Read a part of a proof that counts mines."""
    fields = node.fields(("clues", "sums"))
    return CountedPart(_cells(fields["clues"]), tuple(fields["sums"].integers()))


def _cells(node: Node) -> tuple[Cell, ...]:
    """Read a list of cells."""
    return tuple(map(Node.cell, node.items()))
