"""Names of ``satsweep.learn.envs``: the reward of a move, environments that pay it, text tasks."""

from .minesweeper import (
    ID as ID,
    MinesweeperEnv as MinesweeperEnv,
    Rewards as Rewards,
    policy_agent as policy_agent,
    register_envs as register_envs,
)
from .reward import MoveReward as MoveReward, RewardFunction as RewardFunction
from .tasks import (
    TASKS as TASKS,
    TextTask as TextTask,
    deal as deal,
)
from .text import (
    GRAMMARS as GRAMMARS,
    METRICS as METRICS,
    OBSERVATIONS as OBSERVATIONS,
    Score as Score,
    observe as observe,
)
from .text_game import TextGame as TextGame, Turn as Turn

__all__: list[str]
