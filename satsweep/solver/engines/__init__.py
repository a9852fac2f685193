"""Counting engines with one contract: ``count(component, budget) -> Counts``.

``ENGINES`` maps a name to the function. Another package adds one through an entry point in the group
``satsweep.engines``.
"""

from __future__ import annotations

from collections.abc import Callable

from satsweep.solver.budget import Budget
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines import auto, compiled, cpsat, elimination, sat

Engine = Callable[[Component, Budget], Counts]

ENGINES: dict[str, Engine] = {
    "auto": auto.count,
    "elimination": elimination.count,
    "sat": sat.count,
    "cpsat": cpsat.count,
    "compiled": compiled.count,
}


def engine_named(name: str) -> Engine:
    """An engine by its name, installed ones included.

    Raises ValueError for an unknown name.
    """
    if name not in ENGINES:
        from importlib.metadata import entry_points

        for entry in entry_points(group="satsweep.engines", name=name):
            ENGINES[name] = entry.load()
    if name not in ENGINES:
        raise ValueError(f"expected an engine among {', '.join(ENGINES)}, found {name!r}")
    return ENGINES[name]
