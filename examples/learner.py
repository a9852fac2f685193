"""Learner: trained by rewards in `satsweep.learn.envs`, then compared in the arena.

It learns a weight for each symbol at each place around a cell, up to two steps in every direction: how much likelier a
mine it makes the cell (logistic regression, one step after each action). It opens the cell that looks least risky, and
now and then another one. It starts without knowing what numbers mean. Run it from the repository:

    python examples/learner.py

In a comparison with other agents it learns first: ``satsweep compare --agents basic,examples/learner.py:agent``
"""

from functools import cache

import numpy as np

from satsweep import Agent
from satsweep.agents.policy import policy_agent
from satsweep.arena import Plan, Setting, run_plan
from satsweep.games.rules import FirstClick, Rules

ROWS, COLS, MINES = 6, 6, 5
REACH = 2
KINDS = 13  # symbols at a place: -3 to 8, or beyond the edge of the board


def features(observation: np.ndarray) -> np.ndarray:
    """Return the indices of each cell's weights: one for each place around it."""
    rows, cols = observation.shape
    edge = KINDS - 1
    padded = np.full((rows + 2 * REACH, cols + 2 * REACH), edge)
    padded[REACH:-REACH, REACH:-REACH] = observation + 3
    size = 2 * REACH + 1
    around = np.lib.stride_tricks.sliding_window_view(padded, (size, size)).reshape(rows * cols, size * size)
    return around + KINDS * np.arange(size * size)


class Learner:
    """Weights, the policy that follows from them, and the learning step."""

    def __init__(self) -> None:
        self.weights = np.zeros(KINDS * (2 * REACH + 1) ** 2)

    def policy(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """Return the cell that looks least risky."""
        looks = self.weights[features(observation)].sum(axis=1)
        return int(np.where(mask, looks, np.inf).argmin())

    def learn(self, observation: np.ndarray, action: int, mine: bool, rate: float) -> None:
        """Take a step of logistic regression after opening a mine or a safe cell."""
        active = features(observation)[action]
        risk = 1 / (1 + np.exp(-self.weights[active].sum()))
        self.weights[active] += rate * (mine - risk)


def trained(games: int, explore: float = 0.1, seed: int = 0) -> Learner:
    """Return a learner after a number of games."""
    from satsweep.learn.envs import MinesweeperEnv

    env = MinesweeperEnv(rows=ROWS, cols=COLS, mines=MINES, first="zero", reward={})
    rng = np.random.default_rng(seed)
    learner = Learner()
    for game in range(games):
        observation, info = env.reset(seed=seed if game == 0 else None)
        over = False
        while not over:
            mask = info["action_mask"]
            action = learner.policy(observation, mask)
            if rng.random() < explore:
                action = int(rng.choice(np.flatnonzero(mask)))
            after, reward, terminated, truncated, info = env.step(action)
            learner.learn(observation, action, reward < 0, rate=0.05 / (1 + game / games))
            observation, over = after, terminated or truncated
    return learner


@cache
def learned(games: int = 2000) -> Learner:
    """Return the learner of the arena, trained once; the same every time."""
    return trained(games)


def agent() -> Agent:
    """Make a trained agent for one game in the arena."""
    return policy_agent(learned().policy)


def main() -> None:
    setting = Setting(ROWS, COLS, MINES, Rules(FirstClick.ZERO))
    agents = ("random", "basic", f"{__file__}:agent")
    # A run with another seed, so that none of its games was used for training.
    report = run_plan(Plan(agents, (setting,), games=300, seed="arena"))
    for name, standing in zip(("random", "basic", "learner"), report.summaries, strict=True):
        won = standing.measured["won"]
        assert won is not None
        print(f"{name:<8} won {won.mean:.1%} ({won.low:.1%} to {won.high:.1%}) of {standing.games} games")


if __name__ == "__main__":
    main()
