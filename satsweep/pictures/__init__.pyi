"""Names of ``satsweep.pictures``: values that exported functions return, and what else is asked for by name."""

from .grid import Lattice as Lattice
from .reading import Reading as Reading

__all__: list[str]
