"""Upper bound of the chance to win that no player can exceed (docs/optimal.md).

    python benchmarks/bound.py --to benchmarks/results/bound.json

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
import time
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from guesses import Plan, bound_position
from windows import STUCK, Cells, Size, open_forced, show, table_of

from satsweep.games.deal import LEVELS
from satsweep.kernels.shared.memory import COVERED

BOARD = Plan(worlds=64, guesses=1, thorough=False)
"""Effort on each of the boards."""
DEEPER = Plan(worlds=1_000, guesses=3, least=8, fade=1, guides=200, margins=(1, 1, 0.03), most=8)
"""Effort on the first of them, each once more."""
WIDER = Plan(worlds=300, guesses=1, fade=1)
"""The same where at most ``DENSE`` cells are covered: then most of them share a part with the guess before."""
DENSE = 60
FIRST = Plan(worlds=1_500, guesses=3, least=16, fade=1, guides=200, margins=(1,), opening=0.33, anew=40, again=(256, 2))
"""Effort on the position after a 1 in the corner."""
SECOND = FIRST._replace(margins=(1, 0.04), anew=20, again=(128, 1))
"""Effort on the position after a 2."""
OTHER = Plan(worlds=4_000, guesses=2, least=16, fade=1)
"""Effort on the position after a 3."""
MIDDLE = Plan(worlds=400, guesses=2, least=16, fade=1)
"""Effort on more of them, in between."""
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


def bound_zero(size: Size, seed: int, board: int, plan: Plan = BOARD, dense: Plan = BOARD) -> float:
    """Bound the board of this number."""
    rng = np.random.default_rng([seed, board])
    symbols, state = deal_zero(size, rng)
    chosen = plan if np.count_nonzero(symbols == COVERED) > DENSE else dense
    return bound_position(size, symbols, chosen, rng) if state == STUCK else 1.0


def bound_first(size: Size, seed: int, repeat: int, shown: int, plan: Plan = OTHER) -> float:
    """Bound the position after a first number, not zero, in the corner."""
    symbols = np.full(size.rows * size.cols, COVERED, np.int8)
    symbols[0] = shown
    return bound_position(size, symbols, plan, np.random.default_rng([seed, repeat, shown, 1]))


def bound_any(size: Size, seed: int, repeat: int, plan: Plan = OTHER) -> float:
    """Bound a board whose first cell is any, and safe."""
    blank, rng = np.full(size.rows * size.cols, COVERED, np.int8), np.random.default_rng([seed, repeat, 4, 1])
    return bound_position(size, blank, plan._replace(guesses=1), rng, promised=True)


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
    parser.add_argument("--middle", type=int, default=500, help="the first ones of them, bounded after two guesses")
    parser.add_argument("--deeper", type=int, default=200, help="the first ones of these, bounded after three guesses")
    parser.add_argument("--repeats", type=int, default=2, help="samples for each other first number")
    parser.add_argument("--worlds", type=int, default=1_500, help="of each such sample")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--to", type=Path, help="result, written as it grows; a run goes on from there")
    asked = parser.parse_args()
    size, steady = Size(*BOARDS[asked.level]), SUCCESS[asked.level]
    setting = {"level": asked.level, "seed": asked.seed}
    done: dict[str, list[float]] = {name: [] for name in ("first 1", "first 2", "first 3", ANY, *LEVEL_NAMES)}
    seconds = 0.0
    if asked.to and asked.to.exists():
        before = json.loads(asked.to.read_text())
        if {name: before[name] for name in setting} != setting:
            parser.error(f"{asked.to} has another setting")
        done, seconds = done | before["values"], before["cpu_seconds"]
    begun, written = time.process_time(), time.monotonic()

    def keep(at_once: bool = False) -> None:
        nonlocal written
        if asked.to and (at_once or time.monotonic() - written > 20):
            found = setting | summary(size, done) | {"cpu_seconds": round(seconds + time.process_time() - begun)}
            asked.to.write_text(json.dumps(found | {"values": done}) + "\n")
            written = time.monotonic()

    once, middle, deeper, wider = (plan._replace(steady=steady) for plan in (BOARD, MIDDLE, DEEPER, WIDER))
    numbered = [
        plan._replace(steady=steady, worlds=asked.worlds, guides=asked.worlds // 8 if plan.guides else 0)
        for plan in (FIRST, SECOND, OTHER)
    ]
    for repeat in range(asked.repeats):
        for shown, plan in enumerate(numbered, 1):
            if len(done[f"first {shown}"]) <= repeat:
                done[f"first {shown}"].append(round(bound_first(size, asked.seed, repeat, shown, plan), 5))
                keep(True)
        if len(done[ANY]) <= repeat:
            done[ANY].append(round(bound_any(size, asked.seed, repeat, numbered[-1]), 5))
            keep(True)
    plans = {"boards": (once, once), "middle": (middle, wider), "deeper": (deeper, wider)}
    most = asked.boards
    for name, some in plans.items():
        most = min(most, getattr(asked, name))
        for board in range(len(done[name]), most):
            done[name].append(round(bound_zero(size, asked.seed, board, *some), 5))
            keep()
    keep(True)
    print(json.dumps(setting | summary(size, done) | {"cpu_seconds": round(seconds + time.process_time() - begun)}))


if __name__ == "__main__":
    main()
