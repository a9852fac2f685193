"""Paired comparison of players on the same games: win rates and speed.

    python benchmarks/strength.py deep:2 deep:1 --games 100000 --jobs 2
    python benchmarks/strength.py deep:2,worlds=1000,corner=0.05 deep:2 --level intermediate

A player is ``sat``, or a level of ``deep`` with fields of ``Depth`` changed. All players play each game on one layout,
so only *discordant* games, won by one of two alone, distinguish them; the interval is that of paired games.
Two other columns have the same mean, with less noise. ``expected``: a game counts as the first exact chance to win that
its player knew, or as won or lost if there was none. ``luckless``: that, less the luck of the guesses before
(``satsweep.kernels.api.play_games``). Times are processor times.
"""

import argparse
import json
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

from satsweep.games.deal import LEVELS
from satsweep.kernels.api import DEEP, OUTCOMES, Depth, neighbour_table, play_games
from satsweep.topology import SQUARE

BLOCK = 1_000
BINS = 10
COLUMNS = ("won", "expected", "luckless")
Played = tuple[np.ndarray, float]


def read_policy(text: str) -> tuple[str, int | Depth]:
    """Return the policy and the level of a player."""
    name, *changes = text.split(",")
    policy, _, level = name.partition(":")
    if policy == "sat":
        return policy, 1
    fields = {key: float(value) for key, value in (change.split("=") for change in changes)}
    return policy, DEEP[int(level or 2)]._replace(**fields)


def play(text: str, size: tuple[int, int, int], first: str, start: int, seed: str, games: range) -> Played:
    """Play games; return the columns of each, shape (3, games), and the seconds of them all."""
    rows, cols, mines = size
    table = neighbour_table(SQUARE.neighbours(rows, cols))
    policy, level = read_policy(text)
    estimates = np.zeros((len(games), 2))
    play_games(table, mines, seed, range(1), first=first, start=start, policy=policy, level=level)
    clock = time.process_time()
    results = play_games(
        table, mines, seed, games, first=first, start=start, policy=policy, level=level, estimates=estimates
    )
    clock = time.process_time() - clock
    assert {OUTCOMES[outcome] for outcome in np.unique(results["outcome"])} <= {"cleared", "exploded"}
    return columns_of(results["won"], estimates, policy), clock


def columns_of(won: np.ndarray, estimates: np.ndarray, policy: str) -> np.ndarray:
    """Return won, expected and luckless of games, shape (3, games)."""
    if policy == "sat":
        return np.array([won, won, won], float)
    exact, luck = estimates[:, 0], estimates[:, 1]
    expected = np.where(exact >= 0, exact, won)
    return np.array([won, expected, expected - luck])


def calibration_of(won: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return, for the guesses in each tenth of expected chances, three sums, shape (3, BINS).

    They are the number of guesses, the chances, and the number of guesses in games that were won. ``expected`` has a
    row for each game, -1 where there is no guess.
    """
    there = expected >= 0
    bins = np.minimum((expected[there] * BINS).astype(int), BINS - 1)
    achieved = np.repeat(won, expected.shape[1]).reshape(expected.shape)[there]
    return np.array([np.bincount(bins, weights, BINS) for weights in (None, expected[there], achieved)], float)


def achieved_of(calibrations: Iterable[Any]) -> list[list[float]]:
    """Return the number of guesses in each tenth, their mean chance, and the share of them in games won."""
    sums = np.sum([*calibrations], axis=0)
    return [[int(n), round(float(h / n), 4), round(float(a / n), 4)] for n, h, a in sums.T if n]


def interval(values: np.ndarray) -> list[float]:
    """Return a mean and 1.96 standard errors, in percent."""
    return [round(float(100 * values.mean()), 3), round(float(196 * values.std() / len(values) ** 0.5), 3)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ways", nargs="+")
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--from", type=int, default=0, dest="begin")
    parser.add_argument("--level", default="expert", choices=LEVELS)
    parser.add_argument("--first", default="safe")
    parser.add_argument("--start", type=int, nargs=2, default=(0, 0))
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    size = LEVELS[asked.level]
    start = asked.start[0] * size[1] + asked.start[1]
    blocks = [
        range(begin, min(begin + BLOCK, asked.begin + asked.games))
        for begin in range(asked.begin, asked.begin + asked.games, BLOCK)
    ]
    first: np.ndarray | None = None
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for name in asked.ways:
            waiting = [pool.submit(play, name, size, asked.first, start, asked.seed, block) for block in blocks]
            parts = [future.result() for future in waiting]
            columns = np.concatenate([part[0] for part in parts], axis=1)
            speed = round(columns.shape[1] / sum(part[1] for part in parts), 1)
            print(json.dumps({"way": name, "games": columns.shape[1], **intervals(columns),
                              "games_per_cpu_second": speed}), flush=True)  # fmt: skip
            if first is None:
                first = columns
                continue
            alone, other = int((columns[0] > first[0]).sum()), int((columns[0] < first[0]).sum())
            print(json.dumps({"than": asked.ways[0], "alone": alone, "other_alone": other,
                              **intervals(columns - first)}), flush=True)  # fmt: skip


def intervals(columns: np.ndarray) -> dict[str, list[float]]:
    """Return the interval of each column."""
    return {name: interval(column) for name, column in zip(COLUMNS, columns, strict=True)}


if __name__ == "__main__":
    main()
