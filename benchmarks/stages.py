"""Stages at work: the forced cells that each finds in games, and the components that each engine counts.

    python benchmarks/stages.py --games 1000 --jobs 2 --output benchmarks/results/stages.json

``sat`` plays games of each level in Python, first cell safe. A forced cell counts for the stage that settled it, in the
position in which it was first forced: a single number, a pair of numbers, SAT, or the mine total. A component counts
once a game for the engine that has counted it; the next position takes it from the cache.
"""

import argparse
import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from satsweep.agents.sat import SatPlayer
from satsweep.board import Board
from satsweep.games.agent import Agent, Deduction
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import play

BLOCK = 25


def played(level: str, seed: str, games: range) -> tuple[Counter[str], Counter[str], int]:
    """Return forced cells by stage, components by engine, and the number of positions."""
    forced: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    positions = 0
    for game in games:
        player = SatPlayer("auto")

        def deduce(board: Board, player: SatPlayer = player) -> Deduction:
            nonlocal positions
            positions += 1
            for stage, cells in player.analysis(board).stages.items():
                forced[stage] += len(cells)
            return player.deduce(board)

        rng = game_rng(seed, game)
        play(random_layout(*LEVELS[level], rng), Agent(deduce, player.guess), rng=rng)
        counted.update(counts.work.engine for counts in player.cache.counts.values())
    return forced, counted, positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--seed", default="stages")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, help="file of the results, as JSON")
    asked = parser.parse_args()
    blocks = [range(begin, min(begin + BLOCK, asked.games)) for begin in range(0, asked.games, BLOCK)]
    results: dict[str, Any] = {"games": asked.games, "seed": asked.seed, "levels": {}}
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for level in LEVELS:
            forced: Counter[str] = Counter()
            counted: Counter[str] = Counter()
            positions = 0
            for stages, engines, number in pool.map(played, repeat(level), repeat(asked.seed), blocks):
                forced += stages
                counted += engines
                positions += number
            results["levels"][level] = {"positions": positions, "forced": forced, "components": counted}
            print(level, json.dumps(results["levels"][level]), flush=True)
    if asked.output:
        asked.output.write_text(json.dumps(results) + "\n")


if __name__ == "__main__":
    main()
