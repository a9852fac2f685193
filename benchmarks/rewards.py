"""Episodes that a reward needs to tell players apart, on the same beginner boards.

    python benchmarks/rewards.py --games 1000 --json benchmarks/results/rewards.json

Each player plays the same layouts from a safe corner. Four rewards are summed over every game: regret
(``satsweep.learn.envs.reward``), 1 for a win, the share of safe cells that are open at the end, and +10 for a safe
cell, -25 for a mine, +100 for a win. For each pair of players: p of the first 100 episodes by regret (Mann and
Whitney, as these sums are skewed), and for every reward the episodes of each player that a two-sided
test of means at 5 % needs to see the difference with a power of 80 %. *careless* decides as
``sat`` does, and guesses a cell up to ten points above the least risk.
"""

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scipy.stats import mannwhitneyu, norm

from satsweep import Agent, Board, Guess, Rules, analyse
from satsweep.agents import agent_named
from satsweep.board import Cell
from satsweep.games.game import play, replay
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick
from satsweep.games.setting import Setting
from satsweep.learn.envs import RewardFunction

PLAYERS = ("random", "basic", "gem", "careless", "sat")
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


def rewards_of(record: Record, function: RewardFunction) -> dict[str, float]:
    """All rewards of a game, each summed over its moves after the start."""
    layout, regret, opened = record.layout, Fraction(0), 0
    board = Board(("#" * layout.cols,) * layout.rows, layout.mines)
    safe = steps = hits = 0
    for place, (move, game) in enumerate(replay(record)):
        if move.revealed:
            shown = sum(number is not None for _, number in move.revealed)
            safe += shown
            if place:
                regret += function.of(board, move.cell).value
                opened += shown
                steps += bool(shown)
                hits += not shown
        board = game.board
    return {
        "regret": float(regret),
        "win": float(record.won),
        "share opened": safe / (layout.rows * layout.cols - layout.mines),
        "+10, -25, +100": 10 * steps - 25 * hits + 100 * record.won,
    }


def played(player: str, games: int) -> Iterator[dict[str, float]]:
    setting, function = Setting(9, 9, 10, RULES), RewardFunction("regret", RULES)
    for game in range(games):
        layout, rng = setting.layout("rewards", game)
        agent = careless() if player == "careless" else agent_named(player)
        yield rewards_of(play(layout, agent, RULES, rng), function)


def episodes(one: np.ndarray, other: np.ndarray) -> float:
    """Episodes of each that are needed."""
    z = norm.ppf(0.975) + norm.ppf(0.8)
    return float(np.ceil(z**2 * (one.var(ddof=1) + other.var(ddof=1)) / (one.mean() - other.mean()) ** 2))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=1000)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    sums: dict[str, dict[str, np.ndarray]] = {}
    for player in PLAYERS:
        rows = list(played(player, chosen.games))
        sums[player] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        print(player, {name: round(float(values.mean()), 4) for name, values in sums[player].items()}, flush=True)
    found: dict[str, Any] = {
        "games": chosen.games,
        "means": {player: {name: float(own.mean()) for name, own in sums[player].items()} for player in PLAYERS},
        "pairs": [],
    }
    for one, other in PAIRS:
        first, second = sums[one], sums[other]
        test = mannwhitneyu(first["regret"][:100], second["regret"][:100])
        needed = {name: episodes(first[name], second[name]) for name in first}
        found["pairs"].append({"players": [one, other], "p": float(test.pvalue), "episodes": needed})
        print(f"{one} < {other}: p = {test.pvalue:.1e} in 100 episodes; needed {needed}")
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
