"""Names of ``satsweep.solver``: values that exported functions return, and what else is asked for by name."""

from .advice import MoveAdvice as MoveAdvice, Candidate as Candidate
from .analysis import Analysis as Analysis
from .budget import Meter as Meter
from .components import frontier_graph as frontier_graph
from .constraints import Frontier as Frontier, frontier as frontier
from .named_cells import NamedCellsAnalysis as NamedCellsAnalysis, graph_statements as graph_statements
from .unavoidable import UnavoidableGuess as UnavoidableGuess

__all__: list[str]
