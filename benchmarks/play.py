"""Strength and speed of agents: games won, and games per second on one core.

    python benchmarks/play.py --agent sat --games 10000 --jobs 2
    python benchmarks/play.py --agent basic gem sat ms_toollib --games 500

Games won have a 95 % Wilson interval. All agents play the same layouts: game i of a seed depends on the seed and i
alone. Speed is games by the time of one process, the drawing of layouts included. ``ms_toollib`` is a peer: it takes
its compiled, float64 risks, and guesses uniformly among the safest cells; ``sat-forgetful`` is ``sat`` without its
cache of components.
"""

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any

import networkx  # noqa: F401  imported before any clock starts
import pysat.solvers  # noqa: F401
from scipy.stats import binomtest

from satsweep.agents import agent_named
from satsweep.agents.sat import SatPlayer
from satsweep.board import Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.solver.pipeline import ComponentCache

BLOCK = 50


def peer() -> Agent:
    """Make an agent on the risks of ms_toollib: certain cells, else a safest one."""
    import ms_toollib

    def risks(board: Board) -> dict[Cell, float]:
        assert board.mines is not None, "the peer needs the mine total"
        shown = [[10 if s in "#F" else int(s.replace(".", "0")) for s in row] for row in board.cells]
        table = ms_toollib.cal_probability_onboard(shown, board.mines)[0]
        return {Cell(row, col): table[row][col] for row, col in board.covered}

    def deduce(board: Board) -> Deduction:
        return Deduction(tuple(cell for cell, risk in risks(board).items() if risk < 1e-9))

    def guess(board: Board, rng: Random) -> Guess:
        risk_of = risks(board)
        least = min(risk_of.values())
        return Guess(rng.choice([cell for cell, risk in risk_of.items() if risk < least + 1e-9]))

    return Agent(deduce, guess)


class Forgetful(SatPlayer):
    """The exact agent without its cache: it solves each position anew."""

    def deduce(self, board: Board) -> Deduction:
        self.cache, self.placements = ComponentCache(), {}
        return super().deduce(board)


CACHES: list[ComponentCache] = []


def fresh(name: str) -> Agent:
    if name == "ms_toollib":
        return peer()
    if name.startswith("sat"):
        engine = name.partition(":")[2] or "auto"
        player = Forgetful(engine) if name == "sat-forgetful" else SatPlayer(engine)
        CACHES.append(player.cache)
        return Agent(player.deduce, player.guess)
    return agent_named(name)


def block(name: str, setting: tuple[int, int, int], rules: Rules, seed: str, first: int, games: int) -> dict[str, Any]:
    """Play a block of games of a run, and return its totals."""
    CACHES.clear()
    start = time.perf_counter()
    won = guesses = turns = 0
    for game in range(first, first + games):
        rng = game_rng(seed, game)
        record = play(random_layout(*setting, rng), fresh(name), rules, rng)
        won += record.won
        guesses += record.measures.guesses
        turns += record.measures.turns
    seconds = time.perf_counter() - start
    asked, found = sum(cache.lookups for cache in CACHES), sum(cache.hits for cache in CACHES)
    totals = {"won": won, "guesses": guesses, "turns": turns, "seconds": seconds, "asked": asked, "found": found}
    return {"games": games, **totals}


def run(name: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Play all games of an agent in blocks, and return its result."""
    first, start = FirstClick(arguments.first), Cell(*arguments.start)
    rules = Rules(first=first, start=start)
    setting = (arguments.rows, arguments.cols, arguments.mines)
    starts = range(0, arguments.games, BLOCK)
    sizes = [min(BLOCK, arguments.games - begin) for begin in starts]
    with ProcessPoolExecutor(arguments.jobs) as executor:
        jobs = executor.map(block, repeat(name), repeat(setting), repeat(rules), repeat(arguments.seed), starts, sizes)
        parts = list(jobs)
    totals = {key: sum(part[key] for part in parts) for key in parts[0]}
    low, high = binomtest(totals["won"], totals["games"]).proportion_ci(method="wilson")
    return {
        "agent": name,
        "games": totals["games"],
        "won": totals["won"],
        "percent": round(100 * totals["won"] / totals["games"], 3),
        "interval": [round(100 * low, 2), round(100 * high, 2)],
        "games_per_second_per_core": round(totals["games"] / totals["seconds"], 1),
        "guesses_per_game": round(totals["guesses"] / totals["games"], 2),
        "turns_per_game": round(totals["turns"] / totals["games"], 2),
        "remembered": round(totals["found"] / totals["asked"], 3) if totals["asked"] else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", nargs="+", default=["basic", "gem", "sat"])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rows", type=int, default=16)
    parser.add_argument("--cols", type=int, default=30)
    parser.add_argument("--mines", type=int, default=99)
    parser.add_argument("--first", default="safe", choices=[first.value for first in FirstClick])
    parser.add_argument("--start", type=int, nargs=2, default=[0, 0])
    parser.add_argument("--seed", default="play")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    results = []
    for name in arguments.agent:
        result = run(name, arguments)
        results.append(result)
        low, high = result["interval"]
        print(
            f"{name:<14} won {result['won']:>6} of {result['games']:<7,} {result['percent']:6.2f} % "
            f"[{low:5.2f}, {high:5.2f}]  {result['games_per_second_per_core']:8.1f} games/s  "
            f"{result['guesses_per_game']:5.2f} guesses  {result['turns_per_game']:5.1f} turns"
            + (f"  {result['remembered']:.0%} remembered" if result["remembered"] is not None else ""),
            flush=True,
        )
    if arguments.json:
        setting = {key: value for key, value in vars(arguments).items() if key not in ("json", "agent", "jobs")}
        arguments.json.write_text(json.dumps({"setting": setting, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
