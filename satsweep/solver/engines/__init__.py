"""Counting engines with one contract: ``count(component, budget) -> Counts``.

``ENGINES`` maps a name to the function; CP-SAT is one where OR-Tools is installed. Another package adds one through an
entry point in the group ``satsweep.engines``.
"""

from collections.abc import Callable

from satsweep.arguments import did_you_mean
from satsweep.solver import is_installed
from satsweep.solver.budget import Budget
from satsweep.solver.components import Component, Counts
from satsweep.solver.engines import auto, compiled, cpsat, elimination, sat

Engine = Callable[[Component, Budget], Counts]

ENGINES: dict[str, Engine] = {
    "auto": auto.count,
    "elimination": elimination.count,
    "sat": sat.count,
    "compiled": compiled.count,
}
if is_installed("ortools"):
    ENGINES["cpsat"] = cpsat.count


def engine_named(name: str) -> Engine:
    """An engine by its name, installed ones included.

    Raises ValueError for an unknown name, and ModuleNotFoundError for CP-SAT where OR-Tools is not installed.
    """
    if name == "cpsat" and name not in ENGINES:
        raise ModuleNotFoundError("the engine cpsat needs ortools, which is not installed", name="ortools")
    if name not in ENGINES:
        from importlib.metadata import entry_points

        for entry in entry_points(group="satsweep.engines", name=name):
            ENGINES[name] = entry.load()
    if name not in ENGINES:
        meant = did_you_mean(name, ENGINES)
        raise ValueError(f"expected an engine among {', '.join(ENGINES)}, found {name!r}{meant}")
    return ENGINES[name]
