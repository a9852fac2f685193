"""Names of ``satsweep.envs``: the reward of a move, and environments that pay it."""

from .minesweeper import (
    ID as ID,
    MinesweeperEnv as MinesweeperEnv,
    Rewards as Rewards,
    policy_agent as policy_agent,
    register_envs as register_envs,
)
from .reward import MoveReward as MoveReward, RewardFunction as RewardFunction

__all__: list[str]
