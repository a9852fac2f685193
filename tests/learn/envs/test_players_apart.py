"""``benchmarks/rewards.py``: episodes that tell players apart, with intervals over seeds."""

import importlib
import math
import sys
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

from satsweep.games.game import play
from satsweep.games.setting import Setting
from satsweep.learn.envs import RewardFunction
from tests import ROOT

sys.path.append(str(ROOT / "benchmarks"))
rewards: Any = importlib.import_module("rewards")


def test_the_interval_covers_the_episodes_that_are_needed() -> None:
    """Of normal rewards whose difference is known, 400 episodes of each of 8 seeds."""
    rng, runs, covered = np.random.default_rng(2), 500, 0
    truth = ((ndtri(0.975) + ndtri(0.8)) / (0.25 / math.sqrt(1 + 1.5**2))) ** 2
    for _ in range(runs):
        effects = [rewards.effect(rng.normal(0, 1, 400), rng.normal(0.25, 1.5, 400)) for _ in range(8)]
        found = rewards.episodes(effects)
        covered += found.low - 1 <= truth <= found.high
    assert 0.92 < covered / runs < 0.98


def test_an_effect_that_may_be_none_has_no_number_of_episodes() -> None:
    assert rewards.episodes([0.1, -0.1, 0.2, 0.1]).high == math.inf
    assert rewards.episodes([-0.1, -0.11, -0.1])[:] == (math.inf, math.inf, math.inf)
    assert rewards.effect(np.ones(5), np.ones(5)) == 0
    low, high = np.array([0.0, 2.0]), np.array([3.0, 5.0])
    assert rewards.effect(low, high) == pytest.approx(3 / math.sqrt(4))


def test_each_reward_is_0_for_the_player_whose_rule_it_is() -> None:
    """Regret for ``sat``, win chances for ``deep``, which estimates them; each earns less by the other reward."""
    setting = Setting(9, 9, 10, rewards.RULES)
    functions = [RewardFunction(kind, rewards.RULES) for kind in ("regret", "win")]
    sums = {}
    for player in ("sat", "deep"):
        rows = []
        for game in range(40):
            layout, rng = setting.layout("apart", game)
            rows.append(rewards.rewards_of(play(layout, rewards.agent_named(player), rewards.RULES, rng), *functions))
        sums[player] = {name: sum(row[name] for row in rows) for name in ("regret", "win chance")}
    assert sums["sat"]["regret"] == 0 > sums["deep"]["regret"]
    assert sums["sat"]["win chance"] < sums["deep"]["win chance"] <= 0
