"""Names of ``satsweep.learn.envs``: the reward of a move, environments that pay it, text tasks."""

from .minesweeper import (
    ID as ID,
    MinesweeperEnv as MinesweeperEnv,
    Rewards as Rewards,
    policy_agent as policy_agent,
    register_envs as register_envs,
)
from .metrics import METRICS as METRICS, Score as Score
from .replies import GRAMMARS as GRAMMARS
from .reward import MoveReward as MoveReward, RewardFunction as RewardFunction
from .tasks import (
    TASKS as TASKS,
    TextTask as TextTask,
    deal as deal,
)
from .text import OBSERVATIONS as OBSERVATIONS, observe as observe
from .text_game import TextGame as TextGame, Turn as Turn

__all__: list[str]
