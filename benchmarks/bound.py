"""Upper bound of the chance to win that no player can exceed (docs/optimal.md).

    python benchmarks/bound.py --jobs 2 --to benchmarks/results/bound.json

The player of a *relaxation* is told more than the rules allow, and is never worse off:

* After some guesses the player is told all cells outside of a few *windows* and the number of mines in each window
  (``windows.py``). Then windows are games of their own, and the chance to win is the product of their values.
* Before that, every guess is a maximum over all covered cells, computed on a sample of worlds. The expected maximum of
  means is at least the maximum of the expected ones, so a sample can only raise the bound.

``guesses.py`` has the second; docs/optimal.md has the proof. The boards are those whose first cell, in the corner, is a
zero: each is bounded at its first guess, and fewer ones after more guesses. The other first numbers are three
positions, bounded after two or three guesses on large samples. Values are written to the file as they come, and a run
goes on from there.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from math import comb
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from guesses import LUCK, Plan, bound_position, told_at_once
from windows import STUCK, Cells, Size, open_forced, show, table_of

from satsweep.games.deal import LEVELS
from satsweep.kernels.shared.memory import COVERED

BOARD = Plan(worlds=64, guesses=1, thorough=False)
"""Effort on each of the boards."""
MIDDLE = Plan(worlds=400, guesses=2, least=16, fade=1, guides=100, forgive=0.015)
"""Effort on the first of them, each once more."""
DEEPER = MIDDLE._replace(worlds=1_000, guesses=3, least=8, guides=200, margins=(1, 1, 0.03), most=8)
"""Effort on the first of these, again once more."""
AGAIN = MIDDLE._replace(worlds=128, guides=32, forgive=0.03)
"""Effort on each position that is bounded anew."""
FIRST = MIDDLE._replace(guesses=3, forgive=0.03, opening=0.35, near=0.06, anew=300, again=AGAIN)
"""Effort on the position after a 1 in the corner."""
SECOND = FIRST._replace(margins=(1, 0.04), anew=150)
"""Effort on the position after a 2."""
OTHER = MIDDLE
"""Effort on the position after a 3."""
TOLD, TOLD_PARTS = 2_500, 16
"""Worlds of each part, and parts, that say what each of the three is worth if all is told."""
LEVEL_NAMES = ("boards", "middle", "deeper")
"""Names of the bounds of boards after a zero, from all of them to few."""
ANY = "any first cell"
"""Name of the bound under this rule."""
BOARDS = LEVELS | {"8x8": (8, 8, 10)}
SUCCESS = {"expert": 0.65, "intermediate": 0.85, "8x8": 0.9, "beginner": 0.95}
"""About the mean chance to win of a board that has been told: the weight of the control variate."""


def chances_of_first_numbers(size: Size) -> list[float]:
    """The chance of each number in the corner, if it is safe."""
    rest = size.rows * size.cols - 4
    return [comb(3, shown) * comb(rest, size.mines - shown) / comb(rest + 3, size.mines) for shown in range(4)]


def deal_zero(size: Size, rng: np.random.Generator) -> tuple[Cells, int]:
    """The position after a zero in the corner and all forced moves, and its state."""
    cells = size.rows * size.cols
    corner = np.array([0, 1, size.cols, size.cols + 1])
    mined = np.zeros((1, cells), np.int8)
    mined[0, rng.permutation(np.setdiff1d(np.arange(cells), corner))[: size.mines]] = 1
    truth = show(mined.reshape(1, size.rows, size.cols)).reshape(1, -1)
    symbols = np.full((1, cells), COVERED, np.int8)
    symbols[0, 0] = 0
    _, state = open_forced(symbols, truth, table_of(size.rows, size.cols), np.array([size.mines]))
    return symbols[0], int(state[0])


def bound_zero(board: int, size: Size, seed: int, plan: Plan = BOARD) -> float:
    """Bound the board of this number."""
    rng = np.random.default_rng([seed, board])
    symbols, state = deal_zero(size, rng)
    return bound_position(size, symbols, plan, rng) if state == STUCK else 1.0


def cornered(size: Size, shown: int) -> Cells:
    """The position after a first number, not zero, in the corner."""
    symbols = np.full(size.rows * size.cols, COVERED, np.int8)
    symbols[0] = shown
    return symbols


def bound_first(
    sample: int, size: Size, seed: int, shown: int, plan: Plan = OTHER, told_mean: float | None = None, jobs: int = 1
) -> float:
    """Bound the position after a first number, not zero, in the corner."""
    rng = np.random.default_rng([seed, sample, shown, 1])
    return bound_position(size, cornered(size, shown), plan, rng, told_mean=told_mean, jobs=jobs)


def told_first(part: int, size: Size, seed: int, shown: int) -> float:
    """What the position after a first number is worth if all is told at once, in one part of the worlds."""
    return told_at_once(size, cornered(size, shown), TOLD, np.random.default_rng([seed, part, shown, 2]))


def bound_any(sample: int, size: Size, seed: int, plan: Plan = OTHER, jobs: int = 1) -> float:
    """Bound a board whose first cell is any, and safe."""
    blank, rng = np.full(size.rows * size.cols, COVERED, np.int8), np.random.default_rng([seed, sample, 4, 1])
    return bound_position(size, blank, plan._replace(guesses=1, guides=0), rng, promised=True, jobs=jobs)


def mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and the variance of the mean."""
    return float(np.mean(values)), float(np.var(values, ddof=1) / len(values)) if len(values) > 1 else 0.0


def mean_of_levels(*levels: Sequence[float]) -> tuple[float, float]:
    """Mean of the best bounds, and its variance: of all boards the first one, of fewer ones what the next one gains.

    Each level has the bounds of the first boards of the one before.
    """
    counts = [len(level) for level in levels if len(level)]
    shares = np.zeros(counts[0])
    for count, level, before in zip(counts, levels, [(), *levels], strict=False):
        shares[:count] += (np.array(level) - np.array(before[:count] or 0.0)) / count
    # Boards that have reached the same level are alike.
    variance = 0.0
    for first, last in zip([*counts[1:], 0], counts, strict=True):
        if last - first > 1:
            variance += float(np.var(shares[first:last], ddof=1)) * (last - first)
    return float(shares.sum()), variance


def summary(size: Size, done: dict[str, list[float]]) -> dict[str, Any]:
    """The bound and half its 95 % interval, in percent, with its parts."""
    chances = chances_of_first_numbers(size)
    parts = {f"first {shown}": chances[shown] for shown in (1, 2, 3)} | {"boards": chances[0]}
    strata = {name: (*mean_and_variance(done[name]), len(done[name])) for name in parts if done[name]}
    for shown in (1, 2, 3):
        if done.get(f"told {shown}") and f"first {shown}" in strata:
            mean, variance, count = strata[f"first {shown}"]
            strata[f"first {shown}"] = mean, variance + LUCK**2 * mean_and_variance(done[f"told {shown}"])[1], count
    if done["boards"]:
        strata["boards"] = (*mean_of_levels(*(done[name] for name in LEVEL_NAMES)), len(done["boards"]))
    results: dict[str, Any] = {
        name: {
            "chance": round(100 * parts[name], 2),
            "mean": round(100 * mean, 2),
            "95 %": round(196 * variance**0.5, 2),
            "count": count,
        }
        for name, (mean, variance, count) in strata.items()
    }
    if done["boards"]:
        results["boards"] |= {name: len(done[name]) for name in LEVEL_NAMES[1:]}
    if done[ANY]:
        mean, variance = mean_and_variance(done[ANY])
        results[ANY] = {"percent": round(100 * mean, 2), "95 %": round(196 * variance**0.5, 2)}
    if strata.keys() == parts.keys():
        mean = sum(chance * strata[name][0] for name, chance in parts.items())
        variance = sum(chance**2 * strata[name][1] for name, chance in parts.items())
        results["bound"] = {"percent": round(100 * mean, 2), "95 %": round(196 * variance**0.5, 2)}
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="expert", choices=BOARDS)
    parser.add_argument("--boards", type=int, default=10_000, help="boards whose corner is a zero")
    parser.add_argument("--middle", type=int, default=600, help="the first ones of them, bounded after two guesses")
    parser.add_argument("--deeper", type=int, default=120, help="the first ones of these, bounded after three guesses")
    parser.add_argument("--repeats", type=int, default=2, help="samples for each other first number")
    parser.add_argument("--worlds", type=int, default=4_500, help="of each such sample, and an eighth as many guides")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--to", type=Path, help="result, written as it grows; a run goes on from there")
    asked = parser.parse_args()
    size, steady = Size(*BOARDS[asked.level]), SUCCESS[asked.level]
    setting = {"level": asked.level, "seed": asked.seed}
    names = [f"{kind} {shown}" for kind in ("told", "first") for shown in (1, 2, 3)]
    done: dict[str, list[float]] = {name: [] for name in (*names, ANY, *LEVEL_NAMES)}
    seconds, written = 0.0, time.monotonic()
    if asked.to and asked.to.exists():
        before = json.loads(asked.to.read_text())
        if {name: before[name] for name in setting} != setting:
            parser.error(f"{asked.to} has another setting")
        done, seconds = done | before["values"], before["cpu_seconds"]

    def result() -> dict[str, Any]:
        return setting | summary(size, done) | {"cpu_seconds": round(seconds)}

    def add(name: str, found: tuple[float, float]) -> None:
        nonlocal written, seconds
        done[name].append(round(found[0], 5))
        seconds += found[1]
        if asked.to and (name not in LEVEL_NAMES or time.monotonic() - written > 20):
            asked.to.write_text(json.dumps(result() | {"values": done}) + "\n")
            written = time.monotonic()

    def add_all(name: str, function: Callable[..., float], count: int, *arguments: Any) -> None:
        """Add what a function of a number returns for those that are missing, up to a count."""
        missing = range(len(done[name]), count)
        with ProcessPoolExecutor(asked.jobs, get_context("spawn")) as pool:
            for found in pool.map(partial(timed, function), missing, *map(repeat, arguments), chunksize=2):
                add(name, found)

    numbered = [
        plan._replace(steady=steady, worlds=asked.worlds, guides=asked.worlds // 8) for plan in (FIRST, SECOND, OTHER)
    ]
    for shown in (1, 2, 3):
        add_all(f"told {shown}", told_first, TOLD_PARTS, size, asked.seed, shown)
    for sample in range(asked.repeats):
        for shown, plan in enumerate(numbered, 1):
            if len(done[f"first {shown}"]) <= sample:
                mean = float(np.mean(done[f"told {shown}"]))
                add(f"first {shown}", timed(bound_first, sample, size, asked.seed, shown, plan, mean, asked.jobs))
        if len(done[ANY]) <= sample:
            add(ANY, timed(bound_any, sample, size, asked.seed, numbered[-1], asked.jobs))
    most = asked.boards
    for name, plan in zip(LEVEL_NAMES, (BOARD, MIDDLE, DEEPER), strict=True):
        most = min(most, getattr(asked, name))
        add_all(name, bound_zero, most, size, asked.seed, plan._replace(steady=steady))
    if asked.to:
        asked.to.write_text(json.dumps(result() | {"values": done}) + "\n")
    print(json.dumps(result()))


def timed(function: Callable[..., float], number: int, *arguments: Any) -> tuple[float, float]:
    """What a function returns, and the processor time that it took, with that of its processes."""
    begun = sum(os.times()[:4])
    return function(number, *arguments), sum(os.times()[:4]) - begun


if __name__ == "__main__":
    main()
