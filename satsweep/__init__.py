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

A name is imported when it is first asked for, so that the command starts without the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_HOMES = {
    "analysis": ("Analysis", "analyse"),
    "board": ("Board", "Cell", "Topology"),
    "budget": ("Budget",),
    "errors": ("BoardError", "BudgetExceeded", "Contradiction", "SatsweepError"),
    "formats": ("FORMATS", "read_board", "read_layout"),
    "layout": ("Layout",),
    "rules": ("Rule", "RulesAnalysis", "solve_rules"),
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    for module, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"satsweep.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'satsweep' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
