"""Names of ``satsweep.solver``: values that exported functions return, and what else is asked for by name."""

from .advice import Candidate as Candidate, MoveAdvice as MoveAdvice, UnavoidableGuess as UnavoidableGuess
from .analysis import Analysis as Analysis
from .budget import Meter as Meter
from .components import frontier_graph as frontier_graph
from .constraints import Frontier as Frontier, frontier as frontier
from .named_cells import NamedCellsAnalysis as NamedCellsAnalysis, graph_statements as graph_statements

__all__: list[str]

def is_installed(name: str) -> bool: ...
