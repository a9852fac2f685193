"""Topology and clue model of a board in words, where they are not the usual ones."""

from __future__ import annotations

from collections.abc import Iterator

from satsweep.clues import EXACT, ClueKind, Clues
from satsweep.topology import SQUARE, Topology

_TOUCHING = {
    "hexagonal": "six cells around",
    "orthogonal": "cells that share an edge touch",
    "knight": "cells a knight's move apart touch",
    "offsets": "cells at these distances in rows and columns touch",
    "edges": "cells joined by a line touch",
}
_MEANING = {
    ClueKind.RANDOM: "a number is shown with this probability, else ?",
    ClueKind.UNDERESTIMATE: "numbers may be too low",
    ClueKind.OVERESTIMATE: "numbers may be too high",
}


def variant_fields(topology: Topology, clues: Clues = EXACT) -> dict[str, str]:
    """Topology and clues as fields of a board file; usual ones are left out.

    >>> from satsweep.topology import TORUS
    >>> variant_fields(TORUS)
    {'topology': 'torus'}
    """
    fields = {} if topology == SQUARE else {"topology": topology.name}
    return fields if clues == EXACT else fields | {"clues": str(clues)}


def variant_remarks(topology: Topology, clues: Clues = EXACT) -> Iterator[str]:
    """Topology and clues explained, a line each; usual ones are left out.

    >>> from satsweep.topology import TORUS
    >>> print(*variant_remarks(TORUS))
    torus: cells on the dashed edges touch those on the opposite edge
    """
    if topology != SQUARE:
        wraps = topology.wraps_rows or topology.wraps_cols
        parts = [
            _TOUCHING.get(topology.name.split()[0], ""),
            "each plane touches the next" if topology.planes > 1 else "",
            "cells on the dashed edges touch those on the opposite edge" if wraps else "",
        ]
        name = f"graph of {len(topology.edges):,} edges" if topology.edges else topology.name
        yield f"{name}: {'; '.join(part for part in parts if part)}"
    if clues != EXACT:
        yield f"{clues} clues: {_MEANING[clues.kind]}"
