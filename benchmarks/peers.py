"""Programs of others beside satsweep on one core, by turns: one position, one move, and games.

    python examples/umi/foreign/build.py
    python benchmarks/peers.py build/foreign --output benchmarks/results/peers.json

All figures are processor times, to be compared with those of the same run alone. A program of others gets each position
over UMI and answers with the risks of all cells; its time is that of its process, text included, without ours. For
satsweep it is ``Board``, ``analyse``, all fractions and the number of worlds, then the best cell. ``ms_toollib`` is
called in this process, too. Games are those that each program deals itself in a loop of its own, where it has one; ours
are those of the kernels of ``sat`` and of ``deep``.
"""

import argparse
import json
import resource
import statistics
import subprocess
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from rich.progress import track

from satsweep import Board, analyse
from satsweep.agents.engine import EngineProcess
from satsweep.errors import SatsweepError
from satsweep.games.deal import LEVELS
from satsweep.games.rules import STANDARD_RULES
from satsweep.kernels.api import neighbour_table, play_games
from satsweep.topology import SQUARE

ROOT = Path(__file__).resolve().parent.parent
RECIPES = ROOT / "examples" / "umi" / "foreign" / "recipes.toml"
OURS = {"sat": 0, "deep:2": 2, "deep:4": 4}
"""Level of each player; 0 for ``sat``."""


def analysed(board: Board) -> float:
    begun = time.process_time()
    found = analyse(Board(board.cells, mines=board.mines))
    assert found.risks and found.worlds
    return time.process_time() - begun


def named(board: Board) -> float:
    """The time of the best cell of a new analysis."""
    found = analyse(board)
    begun = time.process_time()
    assert found.best is not None
    return time.process_time() - begun


def called(board: Board) -> float:
    """The time of ms_toollib in this process."""
    import ms_toollib

    rows = [[10 if symbol == "#" else 0 if symbol == "." else int(symbol) for symbol in row] for row in board.cells]
    begun = time.process_time()
    ms_toollib.cal_probability_onboard(rows, board.mines or 0)
    return time.process_time() - begun


def asked(engine: EngineProcess) -> Callable[[Board], float]:
    """The time of an engine for the risks of a position, or for a move if it has none."""

    def seconds(board: Board) -> float:
        agent = engine.fresh()
        assert agent.begin is not None
        agent.begin(STANDARD_RULES, Random(0))
        (agent.rates or agent.deduce)(board)
        return engine.seconds

    return seconds


def positions(folder: Path, corpus: Path, rounds: int) -> Iterator[dict[str, Any]]:
    """Milliseconds of a position, in rounds that give each to every program in turn."""
    rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    boards = [Board(row["board"], mines=row["mines"]) for row in rows]
    ways: dict[str, Callable[[Board], float]] = {"satsweep": analysed, "satsweep, best cell": named}
    ways["ms_toollib, in process"] = called
    recipes = tomllib.loads(RECIPES.read_text(encoding="utf-8"))
    for recipe in recipes.values():
        name = min(recipe["engines"])  # of several depths the least: they have the same risks
        ways[name] = asked(EngineProcess(f"cmd:{folder / name}.toml"))
    times: dict[str, list[float]] = {name: [] for name in ways}
    for board in track(boards * rounds, "positions", transient=True):
        for name, way in ways.items():
            try:
                times[name].append(way(board))
            except SatsweepError as error:
                raise SystemExit(f"{name}: {error}") from None
    ours = statistics.median(times["satsweep"])
    for name, found in times.items():
        middle = statistics.median(found)
        yield {"program": name, "positions": len(found), "milliseconds": 1000 * middle, "ratio": middle / ours}


def games(folder: Path, board: str, count: int, rounds: int) -> Iterator[dict[str, Any]]:
    """Milliseconds of a game, in rounds that have every program once."""
    rows, cols, mines = LEVELS[board]
    values = {"board": board, "rows": rows, "cols": cols, "mines": mines, "games": count}
    recipes = tomllib.loads(RECIPES.read_text(encoding="utf-8"))
    loops = {name: loop for recipe in recipes.values() for name, loop in recipe.get("loops", {}).items()}
    table, times = neighbour_table(SQUARE.neighbours(rows, cols)), defaultdict[str, list[float]](list)
    for turn in track(range(rounds), board, transient=True):
        for name, level in OURS.items():
            begun, seeds = time.process_time(), range(turn * 10 * count, (turn + 1) * 10 * count)
            policy = "deep" if level else "sat"
            play_games(table, mines, "peers", seeds, start=0, policy=policy, level=level or 2)
            times[name].append(100 * (time.process_time() - begun) / count)
        for name, words in loops.items():
            begun = _children_seconds()
            subprocess.run([word.format(**values) for word in words], cwd=folder, check=True, capture_output=True)
            times[name].append(1000 * (_children_seconds() - begun) / count)
    for name, found in times.items():
        ratios = sorted(one / ours for one, ours in zip(found, times["sat"], strict=True))
        middle = statistics.median(found)
        yield {
            "board": board,
            "program": name,
            "games": count * rounds * (10 if name in OURS else 1),
            "milliseconds": middle,
            "a_second": 1000 / middle,
            "ratio": [statistics.median(ratios), ratios[0], ratios[-1]],
        }


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder in which the programs of others were built")
    parser.add_argument("--corpus", type=Path, default=ROOT / "tests" / "data" / "positions_expert.jsonl")
    parser.add_argument("--games", type=int, default=300, help="games of a program of others in a round; ours have ten")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, help="JSON file")
    given = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {"positions": [*positions(given.folder, given.corpus, given.rounds)]}
    found["games"] = [
        line
        for board in ("beginner", "intermediate", "expert")
        for line in games(given.folder, board, given.games, given.rounds)
    ]
    for line in (*found["positions"], *found["games"]):
        print(json.dumps(line))
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
