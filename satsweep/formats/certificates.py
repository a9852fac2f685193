"""Certificates, traces and further proofs as JSON, read strictly.

A clue is ``{"cell": [row, col], "number": n}``, or ``{"cell": [row, col], "flag": true}``; a bound is
``{"cells": [[row, col], ...], "least": n}`` or ``"most"``, where unseen cells around a part of a larger board are off
its grid; a step is a list of bounds, at least one of which holds; a counted part is
``{"clues": [[row, col], ...], "sums": [n, ...]}``. ``schemas/certificate.schema.json`` in this package says the same to
other programs. A trace is a layout and a list of certificates, a proof that a board needs a guess a layout, a position
and worlds. A proof of fewest clicks names cells by row-major indices; a thing that a core counts is ``{"dig": cell}``,
``{"chord": cell}``, ``{"flag": cell}``, or ``{"core": place, "least": n}``. A proof by a sweep has an order of
chords in place of sets, cores and refutation. Only the form is checked here; ``verify`` checks the proofs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from satsweep.board import Board, Cell
from satsweep.clues import EXACT
from satsweep.errors import BoardError
from satsweep.formats.board_json import errors_in_fields, grid_fields, read_layout
from satsweep.formats.strict import JsonText, Node, json_text, lines
from satsweep.layout import Layout
from satsweep.part import WHOLE
from satsweep.proofs.certificate import Bound, Certificate, Clue, CountedPart, Proof, ProofStep
from satsweep.proofs.click_sweep import SweepProof, check_sweep, sweep_line
from satsweep.proofs.clicks import ClicksProof, Counted, CountedKind, check_clicks, clicks_line
from satsweep.proofs.covered_cells import Replaced
from satsweep.proofs.trace import GuessProof, Trace, check, check_guess, guess_line, traced_line
from satsweep.proofs.verify import verified_lines, verify
from satsweep.topology import SQUARE

_KEYS = ("board", "proofs", "uncertified")
_LAYOUT = ("mines", "start", "layout")
_PROOF = ("cell", "mine", "clues")
_CLICKS = ("mines", "layout", "clicks", "first", "replaced")
_CORES = ("sets", "cores", "refutation")

Proved = Certificate | Trace | GuessProof | ClicksProof | SweepProof


def to_json(value: Proved) -> str:
    """Return the JSON form of a certificate, a trace or another proof."""
    return kind_of(value).write(value)


def from_json(text: str) -> Proved:
    """Read a certificate, a trace or another proof."""
    node = Node.of(text)
    keys = node.value if isinstance(node.value, dict) else ()
    return next((kind for kind in CERTIFICATES.values() if kind.key in keys), CERTIFICATES["certificate"]).read(node)


# --- writing


def _certificate_json(value: Certificate) -> str:
    board = value.board
    fields = {key: field for key, field in grid_fields(board).items() if key != "density"}
    fields |= {"board": lines(board.cells), "proofs": lines(map(_proof_values, value.proofs))}
    return json_text(fields | {"uncertified": value.uncertified})


def _trace_json(value: Trace) -> str:
    certificates = lines(JsonText(_certificate_json(one).rstrip("\n")) for one in value.certificates)
    return json_text(_layout_fields(value.layout) | {"certificates": certificates})


def _guess_json(value: GuessProof) -> str:
    fields = {"board": lines(value.board.cells), "worlds": lines(world.cells for world in value.worlds)}
    return json_text(_layout_fields(value.layout) | fields)


def _layout_fields(layout: Layout) -> dict[str, object]:
    return {"mines": layout.mines, "start": layout.start, **grid_fields(layout), "layout": lines(layout.cells)}


def _proof_values(proof: Proof) -> dict[str, object]:
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


def _clicks_json(proof: ClicksProof) -> str:
    cores = lines(list(map(_thing_values, core)) for core in proof.cores)
    return json_text(
        {**_clicks_fields(proof), "sets": lines(proof.sets), "cores": cores, "refutation": proof.refutation}
    )


def _sweep_json(proof: SweepProof) -> str:
    return json_text({**_clicks_fields(proof), "order": proof.order})


def _clicks_fields(proof: ClicksProof | SweepProof) -> dict[str, object]:
    fields: dict[str, object] = {"mines": proof.layout.mines, **grid_fields(proof.layout)}
    fields |= {"layout": lines(proof.layout.cells), "clicks": proof.clicks, "first": proof.first}
    return fields | {"replaced": lines({"chord": one.chord, "digs": one.digs} for one in proof.replaced)}


def _thing_values(thing: Counted) -> dict[str, int]:
    least = {"least": thing.least} if thing.kind is CountedKind.CORE else {}
    return {thing.kind.value: thing.place, **least}


# --- reading


def _trace(node: Node) -> Trace:
    fields = node.fields((*_LAYOUT, "certificates"), ("topology",))
    return Trace(read_layout(fields), tuple(map(_certificate, fields["certificates"].items())))


def _guess_proof(node: Node) -> GuessProof:
    fields = node.fields((*_LAYOUT, "board", "worlds"), ("topology",))
    layout = read_layout(fields)
    rows = [row.string() for row in fields["board"].items()]
    with errors_in_fields(fields, "board"):
        board = Board(rows, mines=layout.mines, topology=layout.topology)
    return GuessProof(layout, board, tuple(_world(item, layout) for item in fields["worlds"].items()))


def _world(node: Node, layout: Layout) -> Layout:
    rows = [row.string() for row in node.items()]
    try:
        return Layout(rows, topology=layout.topology)
    except BoardError as error:
        node.fail(error.message)


def _clicks_proof(node: Node) -> ClicksProof:
    fields = node.fields((*_CLICKS, *_CORES), ("topology",))
    return ClicksProof(
        *_claimed_clicks(fields),
        sets=tuple(tuple(nodes.integers()) for nodes in fields["sets"].items()),
        cores=tuple(tuple(map(_thing, core.items())) for core in fields["cores"].items()),
        refutation=fields["refutation"].string(),
    )


def _sweep_proof(node: Node) -> SweepProof:
    fields = node.fields((*_CLICKS, "order"), ("topology",))
    return SweepProof(*_claimed_clicks(fields), order=tuple(fields["order"].integers()))


def _claimed_clicks(fields: dict[str, Node]) -> tuple[Layout, int, tuple[Cell, ...], tuple[Replaced, ...]]:
    """Read what both proofs of fewest clicks have."""
    replaced = tuple(map(_replaced, fields["replaced"].items()))
    return read_layout(fields), fields["clicks"].integer(), _cells(fields["first"]), replaced


def _replaced(node: Node) -> Replaced:
    fields = node.fields(("chord", "digs"))
    return Replaced(fields["chord"].integer(), tuple(fields["digs"].integers()))


def _thing(node: Node) -> Counted:
    """Read a thing that a core counts: a click, or a number of things of a core."""
    fields = node.fields((), (*(kind.value for kind in CountedKind), "least"))
    kinds = [kind for kind in CountedKind if kind.value in fields]
    if len(kinds) != 1 or ("least" in fields) != (kinds[0] is CountedKind.CORE):
        node.fail("expected one of 'dig', 'chord' and 'flag', or 'core' with 'least'")
    least = fields["least"].integer() if "least" in fields else 1
    return Counted(kinds[0], fields[kinds[0].value].integer(), least)


def _certificate(node: Node) -> Certificate:
    fields = node.fields(_KEYS, ("mines", "topology", "clues", "part"))
    return Certificate(_board(fields), tuple(map(_proof, fields["proofs"].items())), _cells(fields["uncertified"]))


def _board(fields: dict[str, Node]) -> Board:
    rows = [row.string() for row in fields["board"].items()]
    mines = fields["mines"].integer() if "mines" in fields else None
    topology = fields["topology"].string() if "topology" in fields else SQUARE
    clues = fields["clues"].string() if "clues" in fields else EXACT
    part = fields["part"].string() if "part" in fields else WHOLE
    with errors_in_fields(fields, "board"):
        board = Board(rows, mines=mines, topology=topology, clues=clues, part=part)
    return board


def _proof(node: Node) -> Proof:
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
    fields = node.fields(("cells",), ("least", "most"))
    if ("least" in fields) == ("most" in fields):
        node.fail("expected either 'least' or 'most'")
    at_least = "least" in fields
    cells = tuple(item.cell(off_grid=True) for item in fields["cells"].items())
    return Bound(cells, at_least, fields["least" if at_least else "most"].integer())


def _part(node: Node) -> CountedPart:
    fields = node.fields(("clues", "sums"))
    return CountedPart(_cells(fields["clues"]), tuple(fields["sums"].integers()))


def _cells(node: Node) -> tuple[Cell, ...]:
    return tuple(map(Node.cell, node.items()))


# --- the table


@dataclass(frozen=True, slots=True)
class CertificateKind:
    """A kind of certificate: class of its values, and how they are stored and checked.

    Its JSON has the field ``key``, which no other kind has; its schema has its name in the table. ``command`` writes
    it. ``check`` returns what is proved, in lines, or raises Rejected; ``noun`` is what it is called if it is rejected.
    """

    made: type
    key: str
    command: str
    read: Callable[[Node], Proved]
    write: Callable[[Any], str]
    check: Callable[[Any], list[str]]
    noun: str = "proof"


CERTIFICATES = {
    "certificate": CertificateKind(
        Certificate,
        "proofs",
        "solve --certify",
        _certificate,
        _certificate_json,
        lambda proof: verified_lines(verify(proof.board, proof)),
        noun="certificate",
    ),
    "trace": CertificateKind(
        Trace,
        "certificates",
        "generate --trace",
        _trace,
        _trace_json,
        lambda proof: [traced_line(proof, check(proof))],
        noun="trace",
    ),
    "guess": CertificateKind(
        GuessProof,
        "worlds",
        "rate --proof",
        _guess_proof,
        _guess_json,
        lambda proof: [guess_line(proof, check_guess(proof))],
    ),
    "clicks-sweep": CertificateKind(
        SweepProof,
        "order",
        "clicks --certify",
        _sweep_proof,
        _sweep_json,
        lambda proof: [sweep_line(proof, check_sweep(proof))],
    ),
    "clicks-proof": CertificateKind(
        ClicksProof,
        "refutation",
        "clicks --certify",
        _clicks_proof,
        _clicks_json,
        lambda proof: [clicks_line(proof, check_clicks(proof))],
    ),
}
"""Every kind of certificate by the name of its schema."""


def kind_of(value: Proved) -> CertificateKind:
    (found,) = (kind for kind in CERTIFICATES.values() if isinstance(value, kind.made))
    return found
