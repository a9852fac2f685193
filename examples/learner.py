"""A learner: it plays in `satsweep.envs`, learns from its rewards, and then meets other agents in the arena.

What it learns is one number for each thing that can stand at each place around a cell, two steps in every direction:
how much likelier a mine that makes the cell (logistic regression, a step after each action). It opens the cell that
looks least risky, and now and then another one. Nobody tells it what numbers mean. Run it from the repository:

    python examples/learner.py

or let others meet it, in which case it learns first: ``satsweep compare --agents basic,examples/learner.py:agent``
"""

from functools import cache

import numpy as np

from satsweep import Agent, FirstClick
from satsweep.agents.policy import policy_agent
from satsweep.compare import Plan, Setting, compare
from satsweep.games.rules import Rules

ROWS, COLS, MINES = 6, 6, 5
REACH = 2
KINDS = 13  # what can stand there: -3 to 8, or the edge of the board


def features(observation: np.ndarray) -> np.ndarray:
    """For each cell, which of all weights apply to it: one for each place around it."""
    rows, cols = observation.shape
    edge = KINDS - 1
    padded = np.full((rows + 2 * REACH, cols + 2 * REACH), edge)
    padded[REACH:-REACH, REACH:-REACH] = observation + 3
    size = 2 * REACH + 1
    around = np.lib.stride_tricks.sliding_window_view(padded, (size, size)).reshape(rows * cols, size * size)
    return around + KINDS * np.arange(size * size)


class Learner:
    """The weights, how they act, and how they change."""

    def __init__(self) -> None:
        self.weights = np.zeros(KINDS * (2 * REACH + 1) ** 2)

    def policy(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The cell that looks least risky."""
        looks = self.weights[features(observation)].sum(axis=1)
        return int(np.where(mask, looks, np.inf).argmin())

    def learn(self, observation: np.ndarray, action: int, mine: bool, rate: float) -> None:
        """Opening a cell of this look was a mine, or was none."""
        active = features(observation)[action]
        risk = 1 / (1 + np.exp(-self.weights[active].sum()))
        self.weights[active] += rate * (mine - risk)


def trained(games: int, explore: float = 0.1, seed: int = 0) -> Learner:
    """What is known after so many games."""
    from satsweep.envs import MinesweeperEnv

    env = MinesweeperEnv(rows=ROWS, cols=COLS, mines=MINES, first="zero")
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
    """Learned once, the same every time."""
    return trained(games)


def agent() -> Agent:
    """What was learned, for one game in the arena."""
    return policy_agent(learned().policy)


def main() -> None:
    setting = Setting(ROWS, COLS, MINES, Rules(FirstClick.ZERO))
    agents = ("random", "basic", f"{__file__}:agent")
    # A run of its own seed, so that no game is one that it has learned from.
    report = compare(Plan(agents, (setting,), games=300, seed="arena"))
    for name, standing in zip(("random", "basic", "learner"), report.rows, strict=True):
        won = standing.measured["won"]
        print(f"{name:<8} won {won.mean:.1%} ({won.low:.1%} to {won.high:.1%}) of {standing.games} games")


if __name__ == "__main__":
    main()
