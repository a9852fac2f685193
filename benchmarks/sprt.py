"""Error rates and games of the sequential test, in simulated runs.

    python benchmarks/sprt.py --json benchmarks/results/sprt.json

In every run the second agent alone wins a layout with one probability, the first alone with another, and the test
looks at the ratio after each layout, as ``compare --sprt`` does. With two plays of each layout the two changes of a
layout are drawn so that they are alike: with probability one half the second is the first again. Each line of the
result is one case: the runs that accept H1, in a two-sided test also -H1, the mean and the 95 % quantile of the layouts
played, what Wald's approximation says, and the layouts that a test of fixed length with the same errors takes.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

from satsweep.arena.sprt import Sprt

CHUNK = 250
"""Layouts that all runs play before those that have ended are dropped."""
BATCH = 1000
"""Runs that are simulated at a time, which bounds memory."""


class Case(NamedTuple):
    """A test, the true change in points, and the percentage of discordant games."""

    test: Sprt
    change: float
    discordant: float
    plays: int = 1


TESTS = (
    (Sprt(0, 0.5), (-0.25, 0, 0.25, 0.5, 0.75), 5, 1),
    (Sprt(0, 1), (0, 1), 2, 1),
    (Sprt(0, 2), (-1, 0, 1, 2, 3), 30, 1),
    (Sprt(0, 5), (0, 5), 60, 1),
    (Sprt(-1, 0), (-1, 0), 10, 1),
    (Sprt(0, 2, 0.01, 0.1), (0, 2), 30, 1),
    (Sprt(0, 2, two_sided=True), (-2, 0, 2), 30, 1),
    (Sprt(0, 5), (0, 5), 60, 2),
)
CASES = tuple(Case(test, change, discordant, plays) for test, changes, discordant, plays in TESTS for change in changes)


def layouts_of(case: Case, runs: int, rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Draw the changes of some layouts for each run; 0 is the least."""
    first, second = (case.discordant - case.change) / 200, (case.discordant + case.change) / 200

    def game() -> np.ndarray[Any, np.dtype[np.int64]]:
        drawn = rng.random((runs, CHUNK))
        return 1 - (drawn < first) + (drawn > 1 - second)

    one = game()
    if case.plays == 1:
        return one
    return one + np.where(rng.random((runs, CHUNK)) < 0.5, one, game())


def variance(case: Case) -> float:
    """Variance of the change of a layout."""
    of_game = case.discordant / 100 - (case.change / 100) ** 2
    return of_game if case.plays == 1 else of_game * 0.75


def simulate(case: Case, runs: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Play runs to their decision: 1 for H1, -1 for -H1, 0 for H0; and their layouts."""
    test, sides = case.test, 2 if case.test.two_sided else 1
    low, high = test.bounds
    verdicts, ends = np.zeros(runs, int), np.zeros(runs, int)
    going = np.arange(runs)
    counts = np.zeros((runs, 2 * case.plays + 1), np.int64)
    accepted = np.full((sides, runs), -1)
    played = 0
    while going.size:
        drawn = layouts_of(case, going.size, rng)
        steps = np.cumsum(drawn[..., None] == np.arange(counts.shape[1]), axis=1) + counts[:, None]
        flat = steps.reshape(-1, counts.shape[1])
        closed, found = np.zeros((sides, going.size), int), accepted.copy()
        for side in range(sides):
            ratios = test.log_ratios(flat if not side else flat[:, ::-1]).reshape(going.size, CHUNK)
            crossed = (ratios <= low) | (ratios >= high)
            first = np.where(crossed.any(axis=1), crossed.argmax(axis=1), CHUNK)
            is_open = accepted[side] < 0
            closed[side] = np.where(is_open, first, 0)
            ending = is_open & (first < CHUNK)
            at = ratios[np.arange(going.size), np.minimum(first, CHUNK - 1)]
            found[side] = np.where(ending, at >= high, found[side])
        # A run ends when a direction accepts H1, or when all have accepted H0.
        ends_at = np.where(found == 1, closed, CHUNK).min(axis=0)
        ends_at = np.minimum(ends_at, np.where((found == 0).all(axis=0), closed.max(axis=0), CHUNK))
        over = ends_at < CHUNK
        winner = np.where(found == 1, closed, CHUNK).argmin(axis=0)
        has_h1 = (found == 1).any(axis=0)
        verdicts[going[over]] = np.where(has_h1, np.where(winner == 0, 1, -1), 0)[over]
        ends[going[over]] = played + ends_at[over] + 1
        played += CHUNK
        going, counts, accepted = going[~over], steps[~over, -1], found[:, ~over]
    return verdicts, ends


def fixed_length(case: Case) -> float:
    """Layouts of the test of fixed length that has the same errors."""
    test = case.test
    quantiles = norm.isf(test.alpha / (2 if test.two_sided else 1)) + norm.isf(test.beta)
    return float(variance(case) * (quantiles / ((test.h1 - test.h0) / 100)) ** 2)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=10_000, help="simulated runs of each case")
    options.add_argument("--from", type=int, default=0, dest="first", help="number of the first case")
    options.add_argument("--json", type=Path, help="file for the result")
    chosen = options.parse_args()
    lines = []
    for number, case in enumerate(CASES[chosen.first :], chosen.first):
        begun = time.perf_counter()
        rng = np.random.default_rng(number)
        batches = [simulate(case, min(BATCH, chosen.runs - done), rng) for done in range(0, chosen.runs, BATCH)]
        verdicts, ends = (np.concatenate(parts) for parts in zip(*batches, strict=True))
        test = case.test
        line = {
            "h0": test.h0, "h1": test.h1, "alpha": test.alpha, "beta": test.beta, "two_sided": test.two_sided,
            "plays": case.plays, "discordant": case.discordant, "change": case.change, "runs": chosen.runs,
            "h1_accepted": int((verdicts == 1).sum()), "minus_h1_accepted": int((verdicts == -1).sum()),
            "layouts": round(float(ends.mean()), 1), "layouts_95": int(np.quantile(ends, 0.95)),
            "wald": None if test.two_sided else round(test.expected_layouts(case.change / 100, variance(case)), 1),
            "fixed": round(fixed_length(case), 1),
        }  # fmt: skip
        lines.append(line)
        print(json.dumps(line), f"{time.perf_counter() - begun:.1f} s", flush=True)
    if chosen.json:
        chosen.json.write_text("[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
