"""Certificates as JSON: one proof a line, and read as strictly as boards are.

A clue is ``{"cell": [row, col], "number": n}``, or ``{"cell": [row, col], "flag": true}``; a bound is
``{"cells": [[row, col], ...], "least": n}`` or ``"most"``; a step is a list of bounds, at least one of which holds; a
part is ``{"clues": [[row, col], ...], "sums": [n, ...]}``. ``schemas/certificate.schema.json`` in this package says
the same to other programs. What a certificate claims is none of the reader's business: that is for ``verify``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from satsweep.board import Board, Cell
from satsweep.clues import EXACT
from satsweep.errors import BoardError
from satsweep.formats.strict import Node
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, ProofStep
from satsweep.topology import SQUARE

_KEYS = ("board", "proofs", "uncertified")
_PROOF = ("cell", "mine", "clues")


def to_json(certificate: Certificate) -> str:
    """The JSON form of a certificate, one proof a line."""
    board = certificate.board
    head = "" if board.mines is None else f'  "mines": {board.mines},\n'
    head += "" if board.topology == SQUARE else f'  "topology": {json.dumps(board.topology.name)},\n'
    head += "" if board.clues == EXACT else f'  "clues": {json.dumps(str(board.clues))},\n'
    proofs = _lines(map(_written, certificate.proofs))
    tail = json.dumps(certificate.uncertified)
    return f'{{\n{head}  "board": {_lines(board.cells)},\n  "proofs": {proofs},\n  "uncertified": {tail}\n}}\n'


def _lines(values: Iterable[object]) -> str:
    written = ",\n".join(f"    {json.dumps(value)}" for value in values)
    return f"[\n{written}\n  ]" if written else "[]"


def _written(proof: Proof) -> dict[str, object]:
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
    """Read the JSON form of a certificate. Raises BoardError with line and column for whatever is malformed."""
    return from_node(Node.of(text))


def from_node(node: Node) -> Certificate:
    """Read a certificate that is a part of a JSON text, as ``from_json`` reads one that is all of it."""
    fields = node.fields(_KEYS, ("mines", "topology", "clues"))
    return Certificate(_board(fields), tuple(map(_proof, fields["proofs"].items())), _cells(fields["uncertified"]))


def _board(fields: dict[str, Node]) -> Board:
    rows = [row.string() for row in fields["board"].items()]
    mines = fields["mines"].integer() if "mines" in fields else None
    topology = fields["topology"].string() if "topology" in fields else SQUARE
    clues = fields["clues"].string() if "clues" in fields else EXACT
    try:
        return Board(rows, mines=mines, topology=topology, clues=clues)
    except BoardError as error:
        if isinstance(error.at, str):
            fields[error.at].fail(error.message)
        fields["board"].fail(error.message, *(error.at or ())[:1])


def _proof(node: Node) -> Proof:
    fields = node.fields(_PROOF, ("total", "steps", "parts"))
    if ("steps" in fields) == ("parts" in fields):
        node.fail("expected either 'steps' or 'parts'")
    parts = tuple(map(_part, fields["parts"].items())) if "parts" in fields else ()
    if "parts" in fields and not parts:
        fields["parts"].fail("expected at least one part")
    return Proof(
        cell=fields["cell"].cell(),
        mine=fields["mine"].truth(),
        clues=tuple(map(_clue, fields["clues"].items())),
        total=fields["total"].integer() if "total" in fields else None,
        steps=tuple(map(_step, fields["steps"].items())) if "steps" in fields else (),
        parts=parts,
    )


def _clue(node: Node) -> Clue:
    fields = node.fields(("cell",), ("number", "flag"))
    if "flag" not in fields:
        return Clue(fields["cell"].cell(), node.fields(("cell", "number"))["number"].integer())
    if "number" in fields or not fields["flag"].truth():
        node.fail("expected 'flag' to be true, and no number beside it")
    return Clue(fields["cell"].cell(), None)


def _step(node: Node) -> ProofStep:
    return tuple(map(_bound, node.items()))


def _bound(node: Node) -> Bound:
    fields = node.fields(("cells",), ("least", "most"))
    if ("least" in fields) == ("most" in fields):
        node.fail("expected either 'least' or 'most'")
    at_least = "least" in fields
    return Bound(_cells(fields["cells"]), at_least, fields["least" if at_least else "most"].integer())


def _part(node: Node) -> CountedPart:
    fields = node.fields(("clues", "sums"))
    return CountedPart(_cells(fields["clues"]), tuple(fields["sums"].integers()))


def _cells(node: Node) -> tuple[Cell, ...]:
    return tuple(map(Node.cell, node.items()))
