"""Names that ``satsweep`` exports: the only list of them, read by type checkers and at run time."""

from .agents import AGENTS as AGENTS, agent_named as agent_named
from .board import Board as Board, Cell as Cell
from .clues import Clues as Clues
from .errors import (
    AgentError as AgentError,
    BoardError as BoardError,
    BudgetExceeded as BudgetExceeded,
    Contradiction as Contradiction,
    ImpossibleOrder as ImpossibleOrder,
    SatsweepError as SatsweepError,
)
from .formats import (
    FORMATS as FORMATS,
    read_board as read_board,
    read_layout as read_layout,
    read_layouts as read_layouts,
    read_record as read_record,
    write_record as write_record,
)
from .games.agent import Agent as Agent, Deduction as Deduction, Guess as Guess, Inference as Inference
from .games.deal import random_layout as random_layout, rng_of as rng_of
from .games.game import Game as Game, play as play
from .games.record import (
    Action as Action,
    Measures as Measures,
    Move as Move,
    Outcome as Outcome,
    Reason as Reason,
    Record as Record,
)
from .games.rules import FIND_MINES as FIND_MINES, STANDARD as STANDARD, First as First, Goal as Goal, Rules as Rules
from .generator.run import Made as Made, boards as boards
from .generator.spec import Method as Method, Order as Order
from .layout import Layout as Layout
from .oracle.audit import audit as audit, audit_games as audit_games
from .oracle.report import Audit as Audit
from .proofs.trace import Trace as Trace
from .solver.analysis import Analysis as Analysis, analyse as analyse
from .solver.budget import Budget as Budget
from .solver.named_cells import (
    Rule as Rule,
    RulesAnalysis as RulesAnalysis,
    graph_rules as graph_rules,
    solve_rules as solve_rules,
)
from .solver.witness import world as world
from .topology import Topology as Topology
from .why import conflict as conflict, explain as explain

__version__: str
