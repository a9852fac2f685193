"""Upper bound of the chance to win that no player can exceed (docs/optimal.md).

    python benchmarks/bound.py --jobs 2 --to benchmarks/results/bound.json

The player of a *relaxation* is told more than the rules allow, and is never worse off:

* After some guesses the player is told all cells outside of a few *windows* and the number of mines in each window
  (``windows.py``). Then windows are games of their own, and the chance to win is the product of their values.
* Before that, every guess is a maximum over all covered cells, computed on a sample of worlds. The expected maximum of
  means is at least the maximum of the expected ones, so a sample can only raise the bound.

``guesses.py`` has the second; docs/optimal.md has the proof. The boards are those whose first cell, in the corner, is a
zero: each is bounded at its first guess, and fewer ones after more guesses. The other first numbers are three
positions, bounded after two or three guesses on large samples; other first cells after two more guesses.
Values are written to the file as they come, and a run goes on from there, if seeds, efforts and code are the same.
``bound_statistics.py`` has the intervals.
"""

import argparse
import json
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import repeat
from math import comb, isfinite
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from bound_statistics import levels_of, part_of, total_of
from guesses import LUCK, Plan, bound_position, told_at_once
from windows import STUCK, Cells, Size, open_forced, show, table_of

from satsweep.games.deal import LEVELS
from satsweep.kernels.shared.memory import COVERED

BOARD = Plan(worlds=64, guesses=1, thorough=False)
"""Effort on each of the boards."""
MIDDLE = Plan(worlds=400, guesses=2, least=16, fade=1, guides=100, forgive=0.015)
"""Effort on the first of them, each once more."""
DEEPER = MIDDLE._replace(worlds=3_000, guesses=3, least=8, guides=300, margins=(1, 1, 0.03), most=8)
"""Effort on the first of these, again once more."""
AGAIN = MIDDLE._replace(worlds=128, guides=32, forgive=0.03)
"""Effort on each position that is bounded anew."""
FIRST = MIDDLE._replace(guesses=3, forgive=0.03, opening=0.35, near=0.06, anew=300, again=AGAIN)
"""Effort on the position after a 1 in the corner."""
SECOND = FIRST._replace(margins=(1, 0.04), anew=150)
"""Effort on the position after a 2."""
OTHER = MIDDLE
"""Effort on the position after a 3."""
ELSEWHERE = MIDDLE._replace(anew=150, again=BOARD)
"""Effort on each first cell that is no corner."""
TOLD, TOLD_PARTS = 2_500, 16
"""Worlds of each part, and parts, that say what each of the three is worth if all is told."""
LEVEL_NAMES = ("boards", "middle", "deeper")
"""Names of the bounds of boards after a zero, from all of them to few."""
ANY, OTHERS = "any first cell", "other first cells"
"""Name of the bound under this rule, and of the samples for all first cells but the corners."""
SEEDS = (101, 102, 103, 104, 105, 106, 107, 108)
"""Seeds of which no board was looked at while efforts were chosen, as those of 19 were."""
ROOT = Path(__file__).resolve().parents[1]
CODE = ("benchmarks/bound.py", "benchmarks/guesses.py", "benchmarks/windows.py", "satsweep/kernels")
"""Files and folders that decide what a bound is."""
Seeds: TypeAlias = Sequence[int]
BOARDS = LEVELS | {"8x8": (8, 8, 10)}
SUCCESS = {"expert": 0.65, "intermediate": 0.85, "8x8": 0.9, "beginner": 0.95}
"""About the mean chance to win of a board that has been told: the weight of the control variate."""


def seed_of(seeds: Seeds, number: int) -> int:
    """The seed of a board or sample: they take turns."""
    return seeds[number % len(seeds)]


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


def bound_zero(board: int, size: Size, seeds: Seeds, plan: Plan = BOARD) -> float:
    """Bound the board of this number."""
    rng = np.random.default_rng([seed_of(seeds, board), board])
    symbols, state = deal_zero(size, rng)
    return bound_position(size, symbols, plan, rng) if state == STUCK else 1.0


def cornered(size: Size, shown: int) -> Cells:
    """The position after a first number, not zero, in the corner."""
    symbols = np.full(size.rows * size.cols, COVERED, np.int8)
    symbols[0] = shown
    return symbols


def bound_first(
    sample: int, size: Size, seeds: Seeds, shown: int, plan: Plan = OTHER, told_mean: float | None = None, jobs: int = 1
) -> float:
    """Bound the position after a first number, not zero, in the corner."""
    rng = np.random.default_rng([seed_of(seeds, sample), sample, shown, 1])
    return bound_position(size, cornered(size, shown), plan, rng, told_mean=told_mean, jobs=jobs)


def told_first(part: int, size: Size, seeds: Seeds, shown: int) -> float:
    """What the position after a first number is worth if all is told at once, in one part of the worlds."""
    rng = np.random.default_rng([seed_of(seeds, part), part, shown, 2])
    return told_at_once(size, cornered(size, shown), TOLD, rng)


def first_cells(size: Size) -> list[int]:
    """One first cell of each symmetry class, without the corner: rows and columns mirrored, and a square turned."""
    square = size.rows == size.cols
    return [
        row * size.cols + col
        for row in range((size.rows + 1) // 2)
        for col in range((size.cols + 1) // 2)
        if (row or col) and not (square and row > col)
    ]


def bound_elsewhere(sample: int, size: Size, seeds: Seeds, plan: Plan = ELSEWHERE, jobs: int = 1) -> float:
    """Bound a board whose first cell is any but a corner, and safe."""
    blank = np.full(size.rows * size.cols, COVERED, np.int8)
    rng = np.random.default_rng([seed_of(seeds, sample), sample, 4, 1])
    return bound_position(size, blank, plan, rng, promised=first_cells(size), jobs=jobs)


def summary(size: Size, done: dict[str, list[float]]) -> dict[str, Any]:
    """The bound and half its 95 % interval, in percent, with its parts; None where a single sample has none."""
    chances = chances_of_first_numbers(size)
    weights = {f"first {shown}": chances[shown] for shown in (1, 2, 3)} | {"boards": chances[0]}
    parts = {name: part_of(done[name]) for name in weights if done[name]}
    for shown in (1, 2, 3):
        if done.get(f"told {shown}") and f"first {shown}" in parts:
            told = part_of(done[f"told {shown}"])._replace(mean=0.0)
            parts[f"first {shown}"] = total_of([(1.0, parts[f"first {shown}"]), (LUCK, told)])
    if done["boards"]:
        parts["boards"] = levels_of(*(done[name] for name in LEVEL_NAMES))
    results: dict[str, Any] = {
        name: {"chance": round(100 * weights[name], 2), "mean": round(100 * part.mean, 2), "95 %": _percent(part.half),
               "count": len(done[name])}
        for name, part in parts.items()
    }  # fmt: skip
    if done["boards"]:
        results["boards"] |= {name: len(done[name]) for name in LEVEL_NAMES[1:]}
    bounds = {OTHERS: part_of(done[OTHERS])} if done[OTHERS] else {}
    if parts.keys() == weights.keys():
        bounds["bound"] = total_of((weights[name], part) for name, part in parts.items())
    results |= {
        name: {"percent": round(100 * part.mean, 2), "95 %": _percent(part.half)} for name, part in bounds.items()
    }
    if len(bounds) == 2:
        mean = max(part.mean for part in bounds.values())
        end = max(part.mean + part.half for part in bounds.values())
        results[ANY] = {"percent": round(100 * mean, 2), "95 %": _percent(end - mean)}
    return results


def _percent(share: float) -> float | None:
    return round(100 * share, 2) if isfinite(share) else None


def code_version() -> str:
    """The last commit of the code that bounds, with a plus sign if it has been changed since."""

    def said(*words: str) -> str:
        return subprocess.run(["git", *words, "--", *CODE], cwd=ROOT, check=True, capture_output=True, text=True).stdout

    return said("log", "-1", "--format=%h", "--abbrev=12").strip() + "+" * bool(said("status", "--porcelain"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="expert", choices=BOARDS)
    parser.add_argument("--boards", type=int, default=10_000, help="boards whose corner is a zero")
    parser.add_argument("--middle", type=int, default=600, help="the first ones of them, bounded after two guesses")
    parser.add_argument("--deeper", type=int, default=120, help="the first ones of these, bounded after three guesses")
    parser.add_argument("--repeats", type=int, default=8, help="samples for each other first number")
    parser.add_argument("--worlds", type=int, default=4_500, help="of each such sample, and an eighth as many guides")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="of boards and samples in turn")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--to", type=Path, help="result, written as it grows; a run goes on from there")
    asked = parser.parse_args()
    size, steady = Size(*BOARDS[asked.level]), SUCCESS[asked.level]
    numbered = [
        plan._replace(steady=steady, worlds=asked.worlds, guides=asked.worlds // 8)
        for plan in (FIRST, SECOND, OTHER, ELSEWHERE)
    ]
    zero = [plan._replace(steady=steady) for plan in (BOARD, MIDDLE, DEEPER)]
    setting = {
        "level": asked.level,
        "seeds": list(asked.seeds),
        "code": code_version(),
        "plan": plan_text(*numbered, *zero),
    }
    names = [f"{kind} {shown}" for kind in ("told", "first") for shown in (1, 2, 3)]
    done: dict[str, list[float]] = {name: [] for name in (*names, OTHERS, *LEVEL_NAMES)}
    seconds, written = 0.0, time.monotonic()
    if asked.to and asked.to.exists():
        try:
            done, seconds = continued(asked.to, setting, done)
        except ValueError as error:
            parser.error(str(error))

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

    for shown in (1, 2, 3):
        add_all(f"told {shown}", told_first, TOLD_PARTS, size, asked.seeds, shown)
    for sample in range(asked.repeats):
        for shown, plan in enumerate(numbered[:3], 1):
            if len(done[f"first {shown}"]) <= sample:
                mean = float(np.mean(done[f"told {shown}"]))
                add(f"first {shown}", timed(bound_first, sample, size, asked.seeds, shown, plan, mean, asked.jobs))
        if len(done[OTHERS]) <= sample:
            add(OTHERS, timed(bound_elsewhere, sample, size, asked.seeds, numbered[-1], asked.jobs))
    most = asked.boards
    for name, plan in zip(LEVEL_NAMES, zero, strict=True):
        most = min(most, getattr(asked, name))
        add_all(name, bound_zero, most, size, asked.seeds, plan)
    if asked.to:
        asked.to.write_text(json.dumps(result() | {"values": done}) + "\n")
    print(json.dumps(result()))


def plan_text(*plans: Plan) -> str:
    """All efforts of a run in a short form: values of two runs with another one do not mix."""
    return sha256(repr((plans, TOLD, TOLD_PARTS, LUCK)).encode()).hexdigest()[:12]


def continued(
    path: Path, setting: dict[str, Any], none: dict[str, list[float]]
) -> tuple[dict[str, list[float]], float]:
    """The values of a file and their seconds; ValueError if it is of another setting."""
    before = json.loads(path.read_text())
    for name, wanted in setting.items():
        if before.get(name) != wanted:
            raise ValueError(f"{path}: expected the {name} {wanted} to go on from, found {before.get(name)}")
    return none | before["values"], before["cpu_seconds"]


def timed(function: Callable[..., float], number: int, *arguments: Any) -> tuple[float, float]:
    """What a function returns, and the processor time that it took, with that of its processes."""
    begun = sum(os.times()[:4])
    return function(number, *arguments), sum(os.times()[:4]) - begun


if __name__ == "__main__":
    main()
