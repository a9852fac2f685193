"""Regression for the tastes of the deep player: features of the better guess.

    python benchmarks/tastes.py --games 400000 --seed learn --explore 0.07 --only 4 16 18 20

In the games that are played, chance decides between the two best cells if the second score is within the share
``--explore`` of the first. The result of a game then depends on this choice through its effect alone, so a regression
on the differences of the two cells estimates the worth of each feature. The means of the features of both cells enter
as covariates, which only reduces noise. Effects are relative to the chance to win; divided by those of the two plies
themselves they are tastes.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from satsweep.games.deal import LEVELS
from satsweep.kernels.api import Depth, neighbour_table, play_games
from satsweep.kernels.lookahead.features import NAMES
from satsweep.kernels.memory import FEATURES, TRACED
from satsweep.topology import SQUARE

BLOCK = 5_000
PLIES = (0, 1)


def gather(size: tuple[int, int, int], seed: str, games: range, explore: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the features of both cells, and the result of the game."""
    rows, cols, mines = size
    table = neighbour_table(SQUARE.neighbours(rows, cols))
    estimates = np.full((len(games), 2), -1.0)
    traces = np.full((len(games), TRACED, 2, FEATURES), np.nan)
    level = Depth(explore=explore)
    results = play_games(
        table, mines, seed, games, start=0, policy="deep", level=level, estimates=estimates, traces=traces
    )
    came_to = np.where(estimates[:, 1] >= 0, estimates[:, 1], results["won"])
    there = ~np.isnan(traces[:, :, 0, 0])
    return traces[there], np.repeat(came_to, TRACED).reshape(-1, TRACED)[there]


def effects(both: np.ndarray, came_to: np.ndarray, features: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the effect of each feature, and its standard error."""
    middle, half = both.mean(axis=1), (both[:, 0] - both[:, 1]) / 2
    known = np.column_stack([np.ones(len(middle)), middle, middle[:, :3] ** 2])
    expected = known @ np.linalg.lstsq(known, came_to, rcond=None)[0]
    rest = came_to - expected
    differences = half[:, features] * np.clip(expected, 0.05, 1)[:, None]
    found = np.linalg.lstsq(differences, rest, rcond=None)[0]
    return found, np.sqrt(np.diag(np.linalg.inv(differences.T @ differences)) * rest.var())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", default="tastes")
    parser.add_argument("--level", default="expert", choices=LEVELS)
    parser.add_argument("--explore", type=float, default=0.05)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*", help="the features to weigh together; else one by one")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        waiting = [
            pool.submit(gather, LEVELS[asked.level], asked.seed, range(begin, begin + BLOCK), asked.explore)
            for begin in range(0, asked.games, BLOCK)
        ]
        parts = [future.result() for future in waiting]
    both, came_to = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    print(f"{len(came_to)} choices")
    wanted = [asked.only] if asked.only else [[feature] for feature in range(2, FEATURES - 3)]
    for features in wanted:
        spread = (both[:, 0] - both[:, 1]).std(axis=0)
        if all(spread[feature] > 0 for feature in features):
            for feature, effect, error in zip(
                [*PLIES, *features], *effects(both, came_to, [*PLIES, *features]), strict=True
            ):
                print(f"{feature:3} {NAMES[feature]:42} {effect:8.4f} +-{error:.4f}   differs by {spread[feature]:.3f}")


if __name__ == "__main__":
    main()
