"""Names of ``satsweep.games``: values that exported functions return, and what else is asked for by name."""

from .agent import Lie as Lie
from .deal import game_rng as game_rng
from .record import (
    Action as Action,
    GameMeasures as GameMeasures,
    Move as Move,
    MoveReason as MoveReason,
    Outcome as Outcome,
)
from .rules import (
    FirstClick as FirstClick,
    Goal as Goal,
    Redraw as Redraw,
    FIND_MINES_RULES as FIND_MINES_RULES,
    STANDARD_RULES as STANDARD_RULES,
)
from .setting import Setting as Setting

__all__: list[str]
