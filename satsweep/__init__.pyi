"""Names that ``satsweep`` exports: what one calls or constructs.

This is the only list of them, read by type checkers, at run time, and by the manual, whose pages are the headings
here. The values that they return are names of the folders after the heading, such as ``satsweep.analysis.Analysis``,
and are documented on the same page.
"""

# Boards and layouts
from .board import Board as Board, Cell as Cell
from .clues import Clues as Clues
from .games.deal import random_layout as random_layout
from .layout import Layout as Layout
from .topology import Topology as Topology

# Forced cells and risks: solver, analysis, questions
from .analysis.analyse import analyse as analyse
from .questions.float_risks import risks as risks
from .questions.sampling import random_world as random_world
from .questions.statements import Statement as Statement, solve_statements as solve_statements
from .questions.witness import find_world as find_world
from .solver.budget import Budget as Budget

# Reasons, conflicts and proofs: why, proofs
from .why.explainer import conflict as conflict
from .why.explainer import explain as explain

# Games and agents: games
from .agents import AGENTS as AGENTS, agent_named as agent_named
from .arena.run import play as play
from .games.agent import Agent as Agent, Deduction as Deduction, Guess as Guess, Inference as Inference
from .games.game import Game as Game
from .games.record import Record as Record
from .games.rules import Rules as Rules

# Audits and comparisons of agents: oracle, arena
from .arena.run import compare as compare
from .oracle.audit import audit as audit

# Ratings and reviews: assessment
from .assessment.rate import rate as rate
from .assessment.review import review as review

# Fewest clicks: clicks
from .clicks.fewest import fewest_clicks as fewest_clicks

# Boards on request: generator
from .generator.run import generate as generate
from .generator.spec import BoardSpec as BoardSpec

# Files
from .formats.pictures.reading import read_picture as read_picture
from .formats.registry import FORMATS as FORMATS

# Errors
from .errors import (
    AgentError as AgentError,
    BoardError as BoardError,
    BudgetExceeded as BudgetExceeded,
    Contradiction as Contradiction,
    ImpossibleSpec as ImpossibleSpec,
    KernelError as KernelError,
    SatsweepError as SatsweepError,
)

# Folders
from . import (
    agents as agents,
    analysis as analysis,
    arena as arena,
    assessment as assessment,
    clicks as clicks,
    formats as formats,
    games as games,
    generator as generator,
    learn as learn,
    oracle as oracle,
    proofs as proofs,
    questions as questions,
    render as render,
    solver as solver,
    umi as umi,
    why as why,
)

__version__: str
__all__: list[str]
