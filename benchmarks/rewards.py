"""Episodes that a reward needs to tell players apart, on the same beginner boards of several seeds.

    python benchmarks/rewards.py --games 400 --json benchmarks/results/rewards.json

Each player plays the same layouts from a safe corner. Five rewards are summed over every game: regret and win chance
(``satsweep.learn.envs.reward``, *regret* and *win*), 1 for a win, the share of safe cells that are open at the end,
and +10 for a safe cell, -25 for a mine, +100 for a win. *careless* decides as ``sat`` does, and guesses a cell up to
ten points above the least risk.

For each pair of players and each reward: the episodes of each player that a two-sided test of means at 5 % needs to
see the difference with a power of 80 %. It depends on the difference of the means in standard deviations, which every
seed has on its own; the interval of 95 % is Student's over the seeds. Where it reaches 0 no number of episodes is known
to be enough.
"""

import argparse
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
from scipy.special import ndtri

from satsweep import Agent, Board, Guess, Rules, analyse
from satsweep.agents import agent_named
from satsweep.arena.stats import Estimate, normal_quantile, t_interval
from satsweep.board import Cell
from satsweep.games.game import play, replay
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick
from satsweep.games.setting import Setting
from satsweep.learn.envs import RewardFunction

PLAYERS = ("random", "basic", "gem", "careless", "sat", "deep")
PAIRS = (("random", "basic"), ("basic", "gem"), ("gem", "sat"), ("careless", "sat"))
RULES = Rules(FirstClick.SAFE, start=Cell(0, 0))
MARGIN = Fraction(1, 10)


def careless() -> Agent:
    """Make a player that knows all risks, and guesses any cell a little above the least."""
    exact = agent_named("sat")

    def guess(board: Board, rng: Random) -> Guess | None:
        analysis = analyse(board)
        least = analysis.least_risk or Fraction(0)
        cells = [cell for cell in board.covered if analysis.risk(cell) <= least + MARGIN]
        return Guess(rng.choice(cells)) if cells else None

    return Agent(exact.deduce, guess)


def rewards_of(record: Record, by_regret: RewardFunction, by_win: RewardFunction) -> dict[str, float]:
    """All rewards of a game, each summed over its moves after the start."""
    layout, regret, chance, opened = record.layout, Fraction(0), Fraction(0), 0
    board = Board(("#" * layout.cols,) * layout.rows, layout.mines)
    safe = steps = hits = 0
    for place, (move, game) in enumerate(replay(record)):
        if move.revealed:
            shown = sum(number is not None for _, number in move.revealed)
            safe += shown
            if place:
                regret += by_regret.of(board, move.cell).value
                chance += by_win.of(board, move.cell).value
                opened += shown
                steps += bool(shown)
                hits += not shown
        board = game.board
    return {
        "regret": float(regret),
        "win chance": float(chance),
        "win": float(record.won),
        "share opened": safe / (layout.rows * layout.cols - layout.mines),
        "+10, -25, +100": 10 * steps - 25 * hits + 100 * record.won,
    }


def played(player: str, seed: str, games: int) -> dict[str, np.ndarray]:
    """All rewards of the games of a player on the layouts of a seed."""
    setting = Setting(9, 9, 10, RULES)
    functions = [RewardFunction(kind, RULES) for kind in ("regret", "win")]
    rows = []
    for game in range(games):
        layout, rng = setting.layout(seed, game)
        agent = careless() if player == "careless" else agent_named(player)
        rows.append(rewards_of(play(layout, agent, RULES, rng), *functions))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def effect(worse: np.ndarray, better: np.ndarray) -> float:
    """The difference of two means, in standard deviations of a difference of episodes."""
    spread = math.sqrt(worse.var(ddof=1) + better.var(ddof=1))
    return float(better.mean() - worse.mean()) / spread if spread else 0.0


def over_seeds(values: Sequence[float]) -> Estimate:
    """Mean over seeds, with Student's interval."""
    mean = fmean(values)
    return t_interval(mean, sum((value - mean) ** 2 for value in values), len(values))


def episodes(effects: Sequence[float]) -> Estimate:
    """Episodes of each player that are needed; infinite for an effect that may be none."""
    z = normal_quantile() + float(ndtri(0.8))
    found = over_seeds(effects)
    needed = [math.ceil((z / size) ** 2) if size > 0 else math.inf for size in (found.mean, found.high, found.low)]
    return Estimate(*needed)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=400, help="of each player and seed")
    options.add_argument("--seeds", nargs="+", default=[f"rewards-{number}" for number in range(1, 9)])
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    sums: dict[str, list[dict[str, np.ndarray]]] = {}
    found: dict[str, Any] = {"games": chosen.games, "seeds": chosen.seeds, "means": {}, "pairs": []}
    for player in PLAYERS:
        sums[player] = [played(player, seed, chosen.games) for seed in chosen.seeds]
        means = {name: over_seeds([float(seed[name].mean()) for seed in sums[player]]) for name in sums[player][0]}
        found["means"][player] = {name: [*one] for name, one in means.items()}
        print(player, {name: f"{one.mean:.4f} ± {one.half:.4f}" for name, one in means.items()}, flush=True)
    for pair in PAIRS:
        both = [*zip(sums[pair[0]], sums[pair[1]], strict=True)]
        needed = {name: episodes([effect(one[name], other[name]) for one, other in both]) for name in both[0][0]}
        finite = {name: [end if math.isfinite(end) else None for end in one] for name, one in needed.items()}
        found["pairs"].append({"players": pair, "episodes": finite})
        print(" < ".join(pair), {name: [*one] for name, one in needed.items()}, flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
