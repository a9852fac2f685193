"""Reviews of many games: mean luck, ranking by skill, speed, first cells.

    python benchmarks/review.py play --agents random basic gem sat deep:2 --games 100000 --jobs 2 --output review.jsonl
    python benchmarks/review.py starts --games 1000 --jobs 2 --output satsweep/assessment/starts.json

``play`` lets agents play expert games from the corner and reviews them. Printed are, for each agent, the mean luck and
the mean skill of a game with standard errors, in points (percent of a game), how many standard errors of the start the
luck is off, the wins, and the games that are reviewed in a second of processor time; then for neighbours in the order
the difference of skill with its p-value (Welch's test, one-sided). Blocks that the output has are not played again.
``starts`` estimates the chance of every first cell of the standard levels (``satsweep.assessment.starts``).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from satsweep.agents import agent_named
from satsweep.assessment.review import review
from satsweep.assessment.starts import play_from
from satsweep.board import Board, Cell
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules

BLOCK = 50


def play_block(agent: str, level: str, first: str, rolled: int, seed: str, games: range) -> dict[str, Any]:
    """Play and review some games.

    The block has start, skill, luck and end of each, and the seconds of the reviews.
    """
    rules = Rules(first=FirstClick(first), start=Cell(0, 0))
    clock, found = 0.0, []
    for game in games:
        rng = game_rng(seed, game)
        record = play(random_layout(*LEVELS[level], rng), agent_named(agent), rules, rng)
        begun = time.process_time()
        own = review(record, rolled=rolled)
        clock += time.process_time() - begun
        found.append([float(part or 0) for part in (own.start, own.skill, own.luck, own.end)])
    return {"of": [agent, level, first, rolled, seed], "games": [games.start, games.stop], "seconds": clock,
            "found": found}  # fmt: skip


def read(path: Path | None) -> Iterator[dict[str, Any]]:
    """Yield the blocks of an output, as far as it is written."""
    if path is not None and path.exists():
        yield from map(json.loads, path.read_text().splitlines())


def mean(values: np.ndarray) -> str:
    """The mean of some values with its standard error, in points."""
    return f"{100 * values.mean():+7.3f} ± {100 * values.std(ddof=1) / len(values) ** 0.5:.3f}"


def report(agents: Iterable[str], blocks: list[dict[str, Any]]) -> None:
    """Print what all blocks say of each agent, and of neighbours in the order."""
    skills: dict[str, np.ndarray] = {}
    for agent in agents:
        own = [block for block in blocks if block["of"][0] == agent]
        rows = np.array([row for block in own for row in block["found"]])
        seconds = sum(block["seconds"] for block in own)
        skills[agent] = rows[:, 1]
        luck = rows[:, 2]
        errors = luck.mean() / (luck.std(ddof=1) / len(luck) ** 0.5)
        print(f"{agent:>8} {len(rows):,} games: luck {mean(luck)} ({errors:+.2f} standard errors), "
              f"skill {mean(rows[:, 1])}, won {100 * (rows[:, 3] == 1).mean():.2f} %, "
              f"{len(rows) / seconds:.1f} games/s")  # fmt: skip
    names = list(skills)
    for worse, better in zip(names, names[1:], strict=False):
        found = stats.ttest_ind(skills[better], skills[worse], equal_var=False, alternative="greater")
        print(f"{better} above {worse}: {mean(skills[better])} against {mean(skills[worse])}, p = {found.pvalue:.2g}")


def run_play(asked: argparse.Namespace) -> None:
    settings = [asked.level, asked.first, asked.rolled, asked.seed]
    names = [[agent, *settings] for agent in asked.agents]
    blocks = [block for block in read(asked.output) if block["of"] in names]
    done = {(*block["of"], *block["games"]) for block in blocks}
    wanted = [
        (agent, range(begin, min(begin + BLOCK, asked.games)))
        for agent in asked.agents for begin in range(0, asked.games, BLOCK)
    ]  # fmt: skip
    rest = [(agent, games) for agent, games in wanted if (agent, *settings, games.start, games.stop) not in done]
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        arguments = zip(*((agent, *settings, games) for agent, games in rest), strict=True) if rest else repeat((), 0)
        for block in pool.map(play_block, *arguments):
            blocks.append(block)
            if asked.output:
                with asked.output.open("a") as file:
                    print(json.dumps(block), file=file)
    report(asked.agents, blocks)


def start_of(size: tuple[int, int, int], first: str, cell: int, games: int) -> float | None:
    """The chance of a first cell."""
    rows, cols, mines = size
    found = play_from(Board(("#" * cols,) * rows, mines=mines), cell, FirstClick(first), games)
    return None if found is None else round(found[0], 5)


def run_starts(asked: argparse.Namespace) -> None:
    table: dict[str, dict[str, dict[str, float | None]]] = (
        json.loads(asked.output.read_text()) if asked.output.exists() else {}
    )
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for rows, cols, mines in LEVELS.values():
            for first in ("safe", "zero"):
                known = table.setdefault(f"{rows}x{cols}/{mines}", {}).setdefault(first, {})
                cells = [(row, col) for row in range((rows + 1) // 2) for col in range((cols + 1) // 2)]
                cells = [cell for cell in cells if f"{cell[0]},{cell[1]}" not in known]
                found = pool.map(start_of, repeat((rows, cols, mines)), repeat(first),
                                 [row * cols + col for row, col in cells], repeat(asked.games))  # fmt: skip
                for (row, col), chance in zip(cells, found, strict=True):
                    known[f"{row},{col}"] = chance
                    asked.output.write_text(json.dumps(table, indent=1) + "\n")
                    print(rows, cols, first, row, col, chance, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--agents", nargs="+", default=["random", "basic", "gem", "sat", "deep:2"])
    playing.add_argument("--level", default="expert", choices=LEVELS)
    playing.add_argument("--first", default="safe", choices=("safe", "zero"))
    playing.add_argument("--games", type=int, default=200)
    playing.add_argument("--rolled", type=int, default=8)
    playing.add_argument("--seed", default="review")
    playing.set_defaults(run=run_play)
    starting = commands.add_parser("starts")
    starting.add_argument("--games", type=int, default=1_000)
    starting.set_defaults(run=run_starts)
    for command in (playing, starting):
        command.add_argument("--jobs", type=int, default=1)
        command.add_argument("--output", type=Path, required=command is starting)
    asked = parser.parse_args()
    asked.run(asked)


if __name__ == "__main__":
    main()
