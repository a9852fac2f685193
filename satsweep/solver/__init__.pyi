"""Names of ``satsweep.solver``: values that exported functions return, and what else is asked for by name."""

from .budget import Meter as Meter
from .components import frontier_graph as frontier_graph
from .constraints import Frontier as Frontier, frontier as frontier

__all__: list[str]

def is_installed(name: str) -> bool: ...
