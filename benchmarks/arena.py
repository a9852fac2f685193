"""Overhead of the arena over a bare loop of games, of a million results, and of many games that kernels play.

    python benchmarks/arena.py --games 10000 --repeats 3
    python benchmarks/arena.py --million
    python benchmarks/arena.py --blocks --reported 100000000

The first command plays the same games of one agent with ``compare`` and in a loop that only draws the layout and calls
``play``, in turns. It prints the ratio of the medians of elapsed time, with one worker process; its start and the
report count. It also prints the share of a bare game that the agent's decisions take. The second fills a store with a
million results (the games of three agents, repeated under new numbers) and takes the processor time of commands on it.

The third plays a block of `sat` of about a second on each level. It prints processor time a game: of the worker beyond
the kernels (sums and packing), and of the process that collects blocks (unpickling, counting, storing), which gets the
block fifty times under new numbers. It prints the bytes that a game takes in the file, and then fills a store with so
many games of these blocks and times the report on them.
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from satsweep.agents import agent_named
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, versions
from satsweep.arena.packed_games import PackedGames
from satsweep.arena.plan import Plan
from satsweep.arena.progress import BlockQueue, RunProgress
from satsweep.arena.run import report_on, run_plan
from satsweep.arena.store import Store
from satsweep.arena.workers import processes
from satsweep.board import Cell
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import Rules
from satsweep.games.setting import Setting

EXPERT = Setting(*LEVELS["expert"], Rules(start=Cell(0, 0)))


def bare(agent: str, games: int) -> tuple[float, float]:
    """Seconds of a loop of games, and seconds that the agent took to decide."""
    begun = time.perf_counter()
    of_agent = 0.0
    for game in range(games):
        rng = game_rng(0, game)
        layout = random_layout(EXPERT.rows, EXPERT.cols, EXPERT.mines, rng)
        of_agent += play(layout, agent_named(agent), EXPERT.rules, rng).seconds
    return time.perf_counter() - begun, of_agent


def arena(agent: str, games: int) -> float:
    """Seconds of the same games in the arena, with everything that it does."""
    with tempfile.TemporaryDirectory() as directory, Store(Path(directory) / "runs.sqlite") as store:
        begun = time.perf_counter()
        run_plan(Plan((agent,), (EXPERT,), games), processes(1), store)
        return time.perf_counter() - begun


def overhead(agent: str, games: int, repeats: int) -> dict[str, object]:
    """Medians of the times of a bare loop and of the arena, and their ratio."""
    arena(agent, 100)
    bare_times, agent_times, arena_times = [], [], []
    for _ in range(repeats):
        seconds, of_agent = bare(agent, games)
        bare_times.append(seconds)
        agent_times.append(of_agent)
        arena_times.append(arena(agent, games))
        print(f"bare {seconds:.2f} s, {of_agent:.2f} s of it the agent; arena {arena_times[-1]:.2f} s", flush=True)
    return {
        "agent": agent,
        "games": games,
        "bare_seconds": round(median(bare_times), 3),
        "arena_seconds": round(median(arena_times), 3),
        "overhead_percent": round(100 * (median(arena_times) / median(bare_times) - 1), 2),
        "thinking_percent_of_bare": round(100 * median(agent_times) / median(bare_times), 1),
        "thinking_percent_of_arena": round(100 * median(agent_times) / median(arena_times), 1),
    }


def million(directory: Path) -> dict[str, object]:
    """Processor times to fill a store with a million results, to report on it and to export it."""
    plan = Plan(("basic", "gem", "sat"), (EXPERT,), seed="million")
    path = directory / "million.sqlite"
    played = play_block(Block.of(plan, 0, range(200))).games
    begun = time.process_time()
    with Store(path) as store:
        run = store.begin(plan, versions())
        for first in range(0, 333_400, 200):
            run.add([moved(played, first)])
    found: dict[str, object] = {"rows": 333_400 * 3, "fill_seconds": round(time.process_time() - begun, 2)}
    for name, arguments in (
        ("results", ["results", str(path), "--run", "1"]),
        ("export", ["export", str(path), "-o", str(directory / "million.csv")]),
    ):
        before = os.times()
        subprocess.run([sys.executable, "-m", "satsweep", *arguments], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        seconds = after.children_user + after.children_system - before.children_user - before.children_system
        found[f"{name}_seconds"] = round(seconds, 2)
    return found


def blocks(directory: Path, level: str, games: int, reported: int) -> dict[str, object]:
    """Processor time and bytes that a game of the kernels costs beyond its play, and time of the report on many."""
    plan = Plan(("sat",), (Setting(*LEVELS[level], Rules(start=Cell(0, 0))),), seed="blocks")
    play_block(Block.of(plan, 0, range(1)))
    begun = time.process_time()
    played = play_block(Block.of(plan, 0, range(games)))
    in_worker = time.process_time() - begun - played.games.sums.agents[0, 0].seconds
    sent = [pickle.dumps(played._replace(games=moved(played.games, number * games))) for number in range(BLOCKS)]
    path = directory / f"{level}.sqlite"
    with Store(path) as store:
        run, empty = store.begin(plan, versions()), path.stat().st_size
        queue = BlockQueue(plan, {}, RunProgress(plan, None), 1)
        begun = time.process_time()
        for number, pickled in enumerate(sent):
            block = Block.of(plan, 0, range(number * games, (number + 1) * games))
            run.add(queue.complete(block, pickle.loads(pickled)))
        in_collector = time.process_time() - begun
    found: dict[str, object] = {
        "level": level,
        "games": games,
        "worker_us": round(1e6 * in_worker / games, 3),
        "collector_us": round(1e6 * in_collector / (BLOCKS * games), 4),
        "bytes": round((path.stat().st_size - empty) / (BLOCKS * games), 2),
    }
    if reported:
        with Store(path) as store:
            run = store.begin(plan, versions())
            run.add(moved(played.games, first) for first in range(BLOCKS * games, reported, games))
        begun = time.process_time()
        with Store(path, writing=False) as store:
            report_on(store.run()).to_json()
            found["reported"] = store.run().info.games
        found["report_seconds"] = round(time.process_time() - begun, 2)
    return found


def moved(block: PackedGames, by: int) -> PackedGames:
    """The games of a block under higher numbers."""
    return block._replace(first=block.first + by, stop=block.stop + by)


BLOCKS = 50
ONE_SECOND = {"beginner": 70_000, "expert": 12_500}
"""Games of ``sat`` that take a worker about a second."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", default="basic")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--blocks", action="store_true")
    parser.add_argument("--reported", type=int, default=10**8)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found: object
    if arguments.blocks:
        with tempfile.TemporaryDirectory() as directory:
            place, reported = Path(directory), {"expert": arguments.reported}
            found = [blocks(place, level, games, reported.get(level, 0)) for level, games in ONE_SECOND.items()]
    elif arguments.million:
        with tempfile.TemporaryDirectory() as directory:
            found = million(Path(directory))
    else:
        found = overhead(arguments.agent, arguments.games, arguments.repeats)
    print(json.dumps(found, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
