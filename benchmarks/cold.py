"""Elapsed time of ``satsweep compare`` with a cold cache of kernels, next to Python alone and compiling first.

    python benchmarks/cold.py --json benchmarks/results/cold.json

Four ways take turns, each run with a cache of its own: *cold*, an empty cache as it comes; *python*, where nothing can
be compiled; *compiled*, which waits for ``satsweep warm`` (its kernels of games) and then compares; *warm*, the second
part of that. Python alone plays at most ``MOST`` games, and the time for more is scaled from the difference of two
runs. The ratio is that of *cold* to the lesser of *python* and *compiled* in the same turn, the median over the turns.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 2_000
COMPARE = ("compare", "--agents", "sat", "--board", "beginner", "--jobs", "2", "--json", "--games")
WARM = """
from satsweep.solver.compiled import library
library.require()
"""
PYTHON = """
import satsweep.arena.run
satsweep.arena.run.parts_for = lambda *_: ()
from satsweep.cli import main
main()
"""


def seconds(cache: str, *command: str) -> float:
    """Elapsed time of a Python process."""
    environment = {**os.environ, "SATSWEEP_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, *command], check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - begun


def end_compiler(cache: str) -> None:
    """Wait until no process compiles in a cache, so that it does not disturb the next run."""
    code = "import time\nfrom satsweep.kernels import library\nwhile library.is_being_built(): time.sleep(0.2)"
    seconds(cache, "-c", code)


def measured(games: int) -> dict[str, float]:
    """Elapsed seconds of each way to play some games."""
    with tempfile.TemporaryDirectory() as cold, tempfile.TemporaryDirectory() as kept:
        found = {"cold": seconds(cold, "-m", "satsweep", *COMPARE, str(games))}
        end_compiler(cold)
        few = seconds(cold, "-c", PYTHON, *COMPARE, str(min(games, MOST)))
        if games > MOST:
            fewer = seconds(cold, "-c", PYTHON, *COMPARE, str(MOST // 2))
            few += (few - fewer) * (games - MOST) / (MOST - MOST // 2)
        compiling = seconds(kept, "-c", WARM)
        warm = seconds(kept, "-m", "satsweep", *COMPARE, str(games))
        return found | {"python": few, "compiled": compiling + warm, "warm": warm}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--games", type=int, nargs="+", default=[100, 900, 100_000])
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    times: dict[int, list[dict[str, float]]] = {games: [] for games in chosen.games}
    for _ in range(chosen.runs):
        for games, runs in times.items():
            runs.append(measured(games))
            print(games, {way: round(taken, 2) for way, taken in runs[-1].items()}, flush=True)
    record = []
    for games, runs in times.items():
        medians = {way: statistics.median(run[way] for run in runs) for way in runs[0]}
        ratio = statistics.median(run["cold"] / min(run["python"], run["compiled"]) for run in runs)
        record.append({"games": games, "seconds": medians, "ratio": ratio, "runs": runs})
        print(f"{games:7,} games:", *(f"{way} {taken:.1f} s," for way, taken in medians.items()), f"ratio {ratio:.2f}")
    if chosen.json:
        chosen.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
