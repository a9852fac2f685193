"""Names of ``satsweep.questions``: values that exported functions return, and what else is asked for by name."""

from .statements import NamedCellsAnalysis as NamedCellsAnalysis, graph_statements as graph_statements

__all__: list[str]
