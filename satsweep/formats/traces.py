"""Traces as JSON: the layout, and the list of its certificates."""

from satsweep.formats import certificates
from satsweep.formats.json_fields import JsonText, grid_fields, json_text, lines, read_layout
from satsweep.formats.strict import Node
from satsweep.proofs.trace import Trace

_KEYS = ("mines", "start", "layout", "certificates")


def to_json(trace: Trace) -> str:
    """Return the JSON form of a trace."""
    layout = trace.layout
    proofs = lines(JsonText(certificates.to_json(one).rstrip("\n")) for one in trace.certificates)
    fields: dict[str, object] = {"mines": layout.mines, "start": layout.start, **grid_fields(layout)}
    return json_text(fields | {"layout": lines(layout.cells), "certificates": proofs})


def is_trace(text: str) -> bool:
    """Return whether a text is a trace, which has certificates in it."""
    return '"certificates"' in text


def from_json(text: str) -> Trace:
    """Read the JSON form of a trace. Raises BoardError with line and column."""
    fields = Node.of(text).fields(_KEYS, ("topology",))
    found = tuple(map(certificates.from_node, fields["certificates"].items()))
    return Trace(read_layout(fields), found)
