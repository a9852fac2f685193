"""Traces as JSON: the layout, and the list of its certificates."""

from __future__ import annotations

from satsweep.formats import certificates
from satsweep.formats.json_fields import field_lines, list_of_texts, list_of_values, read_layout
from satsweep.formats.strict import Node
from satsweep.proofs.trace import Trace
from satsweep.topology import SQUARE

_KEYS = ("mines", "start", "layout", "certificates")


def to_json(trace: Trace) -> str:
    """Return the JSON form of a trace."""
    layout = trace.layout
    fields: dict[str, object] = {"mines": layout.mines, "start": layout.start}
    if layout.topology != SQUARE:
        fields["topology"] = layout.topology.name
    rows = list_of_values(layout.cells)
    proofs = list_of_texts(certificates.to_json(one).rstrip("\n") for one in trace.certificates)
    return f'{{\n{field_lines(fields)}  "layout": {rows},\n  "certificates": {proofs}\n}}\n'


def is_trace(text: str) -> bool:
    """Return whether a text is a trace, which has certificates in it."""
    return '"certificates"' in text


def from_json(text: str) -> Trace:
    """Read the JSON form of a trace. Raises BoardError with line and column."""
    fields = Node.of(text).fields(_KEYS, ("topology",))
    found = tuple(map(certificates.from_node, fields["certificates"].items()))
    return Trace(read_layout(fields), found)
