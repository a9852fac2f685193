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
    from satsweep.agent import Agent, Deduction, Guess, Inference
    from satsweep.agents import AGENTS, agent_named
    from satsweep.analysis import Analysis, analyse
    from satsweep.board import Board, Cell
    from satsweep.budget import Budget
    from satsweep.clues import Clues
    from satsweep.errors import (
        AgentError,
        BoardError,
        BudgetExceeded,
        Contradiction,
        ImpossibleOrder,
        SatsweepError,
    )
    from satsweep.findings import Audit
    from satsweep.formats import FORMATS, read_board, read_layout, read_layouts, read_record, write_record
    from satsweep.game import Game, play
    from satsweep.generate import random_layout, rng_of
    from satsweep.layout import Layout
    from satsweep.oracle import audit, audit_games
    from satsweep.order import Method, Order
    from satsweep.record import Action, Measures, Move, Outcome, Reason, Record
    from satsweep.rulebook import FIND_MINES, STANDARD, First, Goal, Rules
    from satsweep.rules import Rule, RulesAnalysis, graph_rules, solve_rules
    from satsweep.topology import Topology
    from satsweep.trace import Trace
    from satsweep.why import conflict, explain
    from satsweep.workshop import Made, boards
    from satsweep.worlds import world

__version__ = "0.1.0"

__all__ = [
    "AGENTS",
    "FIND_MINES",
    "FORMATS",
    "STANDARD",
    "Action",
    "Agent",
    "AgentError",
    "Analysis",
    "Audit",
    "Board",
    "BoardError",
    "Budget",
    "BudgetExceeded",
    "Cell",
    "Clues",
    "Contradiction",
    "Deduction",
    "First",
    "Game",
    "Goal",
    "Guess",
    "ImpossibleOrder",
    "Inference",
    "Layout",
    "Made",
    "Measures",
    "Method",
    "Move",
    "Order",
    "Outcome",
    "Reason",
    "Record",
    "Rule",
    "Rules",
    "RulesAnalysis",
    "SatsweepError",
    "Topology",
    "Trace",
    "agent_named",
    "analyse",
    "audit",
    "audit_games",
    "boards",
    "conflict",
    "explain",
    "graph_rules",
    "play",
    "random_layout",
    "read_board",
    "read_layout",
    "read_layouts",
    "read_record",
    "rng_of",
    "solve_rules",
    "world",
    "write_record",
]

_HOMES = {
    "agent": ("Agent", "Deduction", "Guess", "Inference"),
    "agents": ("AGENTS", "agent_named"),
    "analysis": ("Analysis", "analyse"),
    "board": ("Board", "Cell"),
    "budget": ("Budget",),
    "clues": ("Clues",),
    "errors": ("AgentError", "BoardError", "BudgetExceeded", "Contradiction", "ImpossibleOrder", "SatsweepError"),
    "findings": ("Audit",),
    "formats": ("FORMATS", "read_board", "read_layout", "read_layouts", "read_record", "write_record"),
    "game": ("Game", "play"),
    "generate": ("random_layout", "rng_of"),
    "layout": ("Layout",),
    "oracle": ("audit", "audit_games"),
    "order": ("Method", "Order"),
    "record": ("Action", "Measures", "Move", "Outcome", "Reason", "Record"),
    "rulebook": ("FIND_MINES", "STANDARD", "First", "Goal", "Rules"),
    "rules": ("Rule", "RulesAnalysis", "graph_rules", "solve_rules"),
    "topology": ("Topology",),
    "trace": ("Trace",),
    "why": ("conflict", "explain"),
    "workshop": ("Made", "boards"),
    "worlds": ("world",),
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
