"""Names that ``satsweep`` exports: the only list of them, read by type checkers and at run time."""

from .agents import AGENTS as AGENTS, agent_named as agent_named
from .arena.report import Report as Report
from .arena.run import compare as compare, play as play
from .assessment.first_guess import FirstGuess as FirstGuess
from .assessment.rate import Rating as Rating, rate as rate
from .assessment.review import review as review
from .assessment.verdicts import Judgement as Judgement, MoveClass as MoveClass, Review as Review
from .board import Board as Board, Cell as Cell
from .clues import Clues as Clues
from .errors import (
    AgentError as AgentError,
    BoardError as BoardError,
    BudgetExceeded as BudgetExceeded,
    Contradiction as Contradiction,
    ImpossibleSpec as ImpossibleSpec,
    KernelError as KernelError,
    SatsweepError as SatsweepError,
)
from .formats import (
    read_board as read_board,
    read_game as read_game,
    read_games as read_games,
    read_layout as read_layout,
    read_layouts as read_layouts,
    read_record as read_record,
    write_record as write_record,
)
from .formats.registry import FORMATS as FORMATS
from .games.agent import Agent as Agent, Deduction as Deduction, Guess as Guess, Inference as Inference
from .games.deal import game_rng as game_rng, random_layout as random_layout
from .games.game import Game as Game
from .games.record import (
    Action as Action,
    GameMeasures as GameMeasures,
    Move as Move,
    MoveReason as MoveReason,
    Outcome as Outcome,
    Record as Record,
)
from .games.rules import (
    FIND_MINES_RULES as FIND_MINES_RULES,
    STANDARD_RULES as STANDARD_RULES,
    FirstClick as FirstClick,
    Goal as Goal,
    Rules as Rules,
)
from .generator.difficulty import Difficulty as Difficulty
from .generator.run import GeneratedBoard as GeneratedBoard, generate_boards as generate_boards
from .generator.spec import BoardSpec as BoardSpec, GenerationMethod as GenerationMethod
from .layout import Layout as Layout
from .oracle.audit import audit as audit, audit_games as audit_games
from .oracle.report import Audit as Audit, Unsound as Unsound
from .proofs.certificate import Certificate as Certificate
from .proofs.trace import Trace as Trace
from .render.game_animation import animated_svg as animated_svg
from .solver.analysis import Analysis as Analysis, analyse as analyse
from .solver.budget import Budget as Budget
from .solver.components import frontier_graph as frontier_graph
from .solver.constraints import Frontier as Frontier, frontier as frontier
from .solver.float_risks import risks as risks
from .solver.named_cells import (
    NamedCellsAnalysis as NamedCellsAnalysis,
    Statement as Statement,
    graph_statements as graph_statements,
    solve_statements as solve_statements,
)
from .solver.witness import find_world as find_world
from .topology import Topology as Topology
from .why.conflicts import conflict as conflict
from .why.explainer import explain as explain
from .why.values import (
    Conflict as Conflict,
    Correction as Correction,
    Explanation as Explanation,
    Undecided as Undecided,
)

__version__: str
__all__: list[str]
