"""Worst case of Covre and Reddy's agents: boards full of mines but for the start.

    python benchmarks/worst_case.py --output benchmarks/results/worst_case.json

On each board, a square with its start in the middle, ``ai0`` and ``ai1`` play several times. Cells opened and processor
time of the agent alone (the smallest of all plays, as other work only adds to it) are fitted against the number of
cells on logarithmic axes: exponents with 95 % intervals, over all boards and over the largest four.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from math import log
from pathlib import Path
from typing import Any, TypeVar

from scipy.stats import linregress, t

from satsweep import FIND_MINES_RULES, Agent, Layout, agent_named, game_rng, play

AGENTS = ("ai0", "ai1")
SIDES = (8, 11, 16, 23, 32, 45)
_Answer = TypeVar("_Answer")


def full_board(side: int) -> Layout:
    """Return a square board where every cell but the start is a mine."""
    middle = side // 2
    rows = ["*" * side] * side
    rows[middle] = "*" * middle + "." + "*" * (side - middle - 1)
    return Layout(rows, start=(middle, middle))


def played(name: str, side: int, number: int) -> dict[str, Any]:
    """Return cells opened and processor seconds of a game."""
    agent, seconds = agent_named(name), 0.0

    def timed(answer: Callable[..., _Answer]) -> Callable[..., _Answer]:
        def measured(*arguments: Any) -> _Answer:
            nonlocal seconds
            begun = time.process_time()
            found = answer(*arguments)
            seconds += time.process_time() - begun
            return found

        return measured

    record = play(
        full_board(side),
        Agent(timed(agent.deduce), timed(agent.guess)),
        FIND_MINES_RULES,
        game_rng("worst", number),
        name=name,
    )
    assert record.won, "every mine is found"
    return {"opened": record.measures.opened, "seconds": seconds}


def exponent(areas: list[int], values: list[float]) -> list[float]:
    """Return the exponent of a power law, and its 95 % interval: a line on logarithms."""
    found = linregress([log(area) for area in areas], [log(value) for value in values])
    half = float(t.ppf(0.975, len(areas) - 2)) * found.stderr
    return [float(end) for end in (found.slope, found.slope - half, found.slope + half)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plays", type=int, default=3)
    parser.add_argument("--output", type=Path, help="file of the results, as JSON")
    asked = parser.parse_args()
    areas = [side * side for side in SIDES]
    large = slice(-4, None)
    results: dict[str, Any] = {"plays": asked.plays, "cells": areas, "agents": {}}
    for name in AGENTS:
        opened, seconds = [], []
        for side in SIDES:
            games = [played(name, side, number) for number in range(asked.plays)]
            opened.append(games[0]["opened"])
            assert {game["opened"] for game in games} == {opened[-1]}, "luck makes no difference"
            seconds.append(min(game["seconds"] for game in games))
            print(f"{name} {side}x{side}: opens {opened[-1]:,}, {seconds[-1]:.3f} s", flush=True)
        results["agents"][name] = {
            "opened": opened,
            "seconds": seconds,
            "exponents": {
                which: {"all": exponent(areas, values), "large": exponent(areas[large], values[large])}
                for which, values in (("opened", opened), ("seconds", seconds))
            },
        }
        print(json.dumps(results["agents"][name]["exponents"], indent=1))
    if asked.output is not None:
        asked.output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
