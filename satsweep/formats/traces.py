"""Traces as JSON: the layout, and the certificates one after the other, each as ``certificates`` writes it."""

from __future__ import annotations

import json
from textwrap import indent

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.formats import certificates
from satsweep.formats.strict import Node
from satsweep.layout import Layout
from satsweep.proofs.trace import Trace
from satsweep.topology import SQUARE

_KEYS = ("mines", "start", "layout", "certificates")


def to_json(trace: Trace) -> str:
    """The JSON form of a trace."""
    layout = trace.layout
    fields: dict[str, object] = {"mines": layout.mines, "start": layout.start}
    if layout.topology != SQUARE:
        fields["topology"] = layout.topology.name
    head = "".join(f"  {json.dumps(key)}: {json.dumps(field)},\n" for key, field in fields.items())
    rows = ",\n".join(f"    {json.dumps(row)}" for row in layout.cells)
    proofs = ",\n".join(indent(certificates.to_json(one).rstrip("\n"), "    ") for one in trace.certificates)
    held = f"[\n{proofs}\n  ]" if proofs else "[]"
    return f'{{\n{head}  "layout": [\n{rows}\n  ],\n  "certificates": {held}\n}}\n'


def is_trace(text: str) -> bool:
    """Whether a text is a trace rather than a certificate: which of the two has certificates in it."""
    return '"certificates"' in text


def from_json(text: str) -> Trace:
    """Read the JSON form of a trace. Raises BoardError with line and column for whatever is malformed."""
    fields = Node.of(text).fields(_KEYS, ("topology",))
    found = tuple(map(certificates.from_node, fields["certificates"].items()))
    return Trace(_layout(fields), found)


def _layout(fields: dict[str, Node]) -> Layout:
    rows = [row.string() for row in fields["layout"].items()]
    start: Cell = fields["start"].cell()
    topology = fields["topology"].string() if "topology" in fields else SQUARE
    try:
        layout = Layout(rows, start=start, topology=topology)
        layout.check_mines(fields["mines"].integer())
    except BoardError as error:
        if error.line is not None:
            raise
        if isinstance(error.at, str):
            fields[error.at].fail(error.message)
        fields["layout"].fail(error.message, *(error.at or ())[:1])
    return layout
