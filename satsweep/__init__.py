"""satsweep: the exact Minesweeper engine.

>>> import satsweep
>>> analysis = satsweep.analyse(satsweep.Board.from_text('''
... mines 3
... ##1.
... ##21
... ####
... '''))
>>> analysis.worlds, analysis.best, analysis.risk((0, 0))
(12, Cell(row=2, col=1), Fraction(1, 3))
"""

from __future__ import annotations

from satsweep.analysis import Analysis, analyse
from satsweep.board import Board, Cell, Topology
from satsweep.budget import Budget
from satsweep.errors import BoardError, BudgetExceeded, Contradiction, SatsweepError
from satsweep.formats import FORMATS, read_board, read_layout
from satsweep.layout import Layout
from satsweep.rules import Rule, RulesAnalysis, solve_rules

__version__ = "0.1.0"

__all__ = [
    "FORMATS",
    "Analysis",
    "Board",
    "BoardError",
    "Budget",
    "BudgetExceeded",
    "Cell",
    "Contradiction",
    "Layout",
    "Rule",
    "RulesAnalysis",
    "SatsweepError",
    "Topology",
    "analyse",
    "read_board",
    "read_layout",
    "solve_rules",
]
