"""JSON of a position on any graph: its edges, and the numbers of open nodes.

``{"edges": [["a", "b"], ["b", "c"]], "open": {"b": 1}, "known_mines": [], "total_mines": 1}``: nodes have any names, a
number in an edge is one, too. Every node that is neither open nor a known mine is covered. ``mine_prob`` may stand in
place of the total, as in statements about named cells, which a graph is read as.
"""

import re

from satsweep.errors import BoardError
from satsweep.formats.format import StatementSet, mine_probability
from satsweep.formats.strict import Node
from satsweep.text import MAX_CELLS, counted

_KEY = re.compile(r'"edges"\s*:')
_KEYS = ("known_mines", "total_mines", "mine_prob")


def recognises(text: str) -> bool:
    return text.lstrip()[:1] == "{" and _KEY.search(text) is not None


def read_statements(text: str) -> StatementSet:
    """Read a graph as statements about its covered nodes. Raises BoardError.

    >>> read_statements('{"edges": [["a", "b"], ["b", "c"]], "open": {"b": 1}}').total_cells
    2
    """
    from satsweep.questions.statements import graph_statements  # no other reader takes a solver

    fields = Node.of(text).fields(("edges", "open"), _KEYS)
    fields = {key: node for key, node in fields.items() if node.value is not None}
    edges = [_edge(node) for node in fields["edges"].items()]
    shown = _shown(fields["open"])
    nodes = {*shown, *(node for edge in edges for node in edge)}
    known = {_name(node) for node in fields["known_mines"].items()} if "known_mines" in fields else set()
    if both := sorted(known & shown.keys()):
        fields["known_mines"].fail(f"expected nodes that are not open, found {both[0][:40]!r}")
    nodes |= known
    covered = tuple(sorted(nodes - shown.keys() - known))
    most = len(known) + len(covered)
    if len(nodes) > MAX_CELLS:
        fields["edges"].fail(f"expected at most {MAX_CELLS:,} nodes, found {len(nodes):,}")
    total = fields["total_mines"].integer() if "total_mines" in fields else None
    if total is not None and not len(known) <= total <= most:
        fields["total_mines"].fail(
            f"expected {len(known):,}, as many as are known, to {counted(most, 'mine')}, found {total:,}"
        )
    density = mine_probability(fields, total)
    try:
        statements = graph_statements(edges, shown, known_mines=known)
    except BoardError as error:
        fields["open"].fail(error.message)
    return StatementSet(
        tuple(statements), len(covered), None if total is None else total - len(known), density, covered
    )


def _edge(node: Node) -> tuple[str, str]:
    ends = [_name(end) for end in node.items()]
    if len(ends) != 2 or ends[0] == ends[1]:
        node.fail("expected an edge as a list of two nodes that differ")
    return ends[0], ends[1]


def _name(node: Node) -> str:
    return str(node.integer()) if type(node.value) is int else node.string()


def _shown(node: Node) -> dict[str, int | None]:
    """Number of each open node; None for a node that shows nothing."""
    if not isinstance(node.value, dict):
        node.fail("expected 'open' as an object with the number of each open node")
    fields = node.fields((), node.value)
    return {name: None if number.value is None else number.integer() for name, number in fields.items()}
