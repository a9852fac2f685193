"""Programs of others beside `sat` on the same layouts: games won, published rates, and times as ratios.

    python examples/umi/foreign/build.py
    cd build/foreign
    satsweep compare --agents sat,cmd:pseq.toml --board beginner --games 10000 --store stores/pseq.sqlite
    python ../../benchmarks/field.py stores --output ../../benchmarks/results/field.json

    python benchmarks/field.py --loops build/foreign --output benchmarks/results/field_loops.json

The stores have runs of ``sat`` with engines of examples/umi/foreign; of several runs of an engine the one with the most
games counts. Times are processor times, to be compared with those of ``sat`` in the same run, since other work may have
slowed down both. docs/ladder/README.md has the commands of the committed results.

Over UMI a program reads a board and writes an answer each turn. With ``--loops`` it plays expert games that it deals
itself, in a loop of its own, and so do the kernels of ``sat`` and ``deep:2``, by turns.
"""

import argparse
import json
import resource
import statistics
import subprocess
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from satsweep.agents.engine import PREFIX
from satsweep.arena import Store
from satsweep.arena.ladder import read_ladder
from satsweep.arena.report import AgentSummary, Section, anchor_values, estimate_values
from satsweep.arena.run import report_on
from satsweep.kernels.api import neighbour_table, play_games
from satsweep.topology import SQUARE

ROOT = Path(__file__).resolve().parent.parent
OURS = "sat"


def milliseconds(summary: AgentSummary) -> dict[str, float]:
    """The processor time of a game and of a turn."""
    game, turns = summary.measured["ms"], summary.measured["turns"]
    assert game is not None and turns is not None
    return {"game": game.mean, "turn": game.mean / turns.mean}


def lines(section: Section, published: dict[tuple[str, str], Any], seed: str) -> Iterator[dict[str, Any]]:
    """The engines of a run on one board."""
    by_name = {summary.agent: summary for summary in section.summaries}
    ours = by_name.get(OURS)
    for summary in section.summaries:
        if ours is None or not summary.agent.startswith(PREFIX):
            continue
        (pair,) = (one for one in section.comparisons if {one.first, one.second} == {OURS, summary.agent})
        difference = pair.difference if pair.first == OURS or pair.difference is None else pair.difference.negated
        yield {
            "board": f"{section.setting.rows}x{section.setting.cols}, {section.setting.mines} mines",
            "engine": Path(summary.agent.removeprefix(PREFIX)).stem,
            "seed": seed,
            "games": summary.games,
            "failed": summary.failed,
            "won": estimate_values(summary.measured["won"]),
            "published": published.get((str(section.setting), summary.agent)),
            "ahead_of_sat": estimate_values(difference),
            "milliseconds": milliseconds(summary),
            "milliseconds_of_sat": milliseconds(ours),
        }


def read_stores(stores: Path) -> list[dict[str, Any]]:
    """The engines of all stores, the smallest board first."""
    published = {
        (str(section.setting), line.engine): line.published and anchor_values(line.published)
        for section in read_ladder(stores)
        for line in section.lines
    }
    most: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(stores.glob("*.sqlite")):
        with Store(path, writing=False) as store:
            for info in store.runs():
                report = report_on(store.run(info.number))
                for section in report.sections:
                    for line in lines(section, published, report.plan.seed):
                        key = line["board"], line["engine"]
                        if key not in most or line["games"] > most[key]["games"]:
                            most[key] = line
    return [most[key] for key in sorted(most, key=lambda key: (int(key[0].split()[1]), key[1]))]


def own_loops(folder: Path, games: int, rounds: int) -> Iterator[dict[str, Any]]:
    """Milliseconds of an expert game, in rounds that have every program once."""
    recipes = tomllib.loads((ROOT / "examples" / "umi" / "foreign" / "recipes.toml").read_text(encoding="utf-8"))
    loops = {name: loop for recipe in recipes.values() for name, loop in recipe.get("loops", {}).items()}
    table, times = neighbour_table(SQUARE.neighbours(16, 30)), defaultdict[str, list[float]](list)
    for turn in range(rounds):
        for name, level in (("sat", 0), ("deep:2", 2)):
            begun, seed = time.process_time(), range(turn * 10 * games, (turn + 1) * 10 * games)
            play_games(table, 99, "field", seed, start=0, policy="deep" if level else "sat", level=level)
            times[name].append(100 * (time.process_time() - begun) / games)
        for name, words in loops.items():
            begun = children_seconds()
            asked = [word.replace("{games}", str(games)) for word in words]
            subprocess.run(asked, cwd=folder, check=True, capture_output=True)
            times[name].append(1000 * (children_seconds() - begun) / games)
    for name, found in times.items():
        ratios = sorted(one / ours for one, ours in zip(found, times["sat"], strict=True))
        yield {
            "program": name,
            "games": games,
            "rounds": rounds,
            "milliseconds": statistics.median(found),
            "ratio": [statistics.median(ratios), ratios[0], ratios[-1]],
        }


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", type=Path, nargs="?", help="folder of stores")
    parser.add_argument("--loops", type=Path, metavar="FOLDER", help="time the programs that were built there")
    parser.add_argument("--games", type=int, default=500, help="games of a program in a round of --loops")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of --loops")
    parser.add_argument("--output", type=Path, required=True, help="JSON file")
    given = parser.parse_args()
    if (given.stores is None) == (given.loops is None):
        parser.error("expected a folder of stores or --loops")
    found = own_loops(given.loops, given.games, given.rounds) if given.loops else read_stores(given.stores)
    given.output.write_text(json.dumps([*found], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
