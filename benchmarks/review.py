"""Reviews of many games: mean luck, ranking by skill, speed, first cells.

    python benchmarks/review.py play --level beginner --games 100000 --jobs 2 --output review.jsonl
    python benchmarks/review.py report review.jsonl --output benchmarks/results/reviews.csv
    python benchmarks/review.py starts --games 1000 --corner 1000000 --jobs 2 --output satsweep/assessment/starts.json

``play`` lets all agents play the same layouts from the corner, block by block, and reviews the games. Blocks that the
output has are not played again, and after an interrupt all agents have about as many games. ``report`` sums up the
layouts that all agents of a level have played. For each agent it prints, and writes, the mean luck and the mean skill
of a game with standard errors, in points (percent of a game), the luck in standard errors, the wins, and the games that
are reviewed in a second of processor time; and for all but the first the difference of skill to the one before on the
same layouts, with its p-value (paired t-test, one-sided). ``starts`` estimates the chance of every first cell of the
standard levels (``satsweep.assessment.estimates``), that of the corner from more games.
"""

import argparse
import csv
import json
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from satsweep.agents import agent_named
from satsweep.assessment.estimates import play_from
from satsweep.assessment.review import review
from satsweep.board import Board, Cell
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules

BLOCK = 50
AGENTS = ["random", "basic", "gem", "sat", "deep:2"]
"""Agents from the weakest to the strongest."""


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
    for line in path.read_text().splitlines() if path is not None and path.exists() else ():
        with suppress(ValueError):  # an interrupt has cut the line
            yield json.loads(line)


def mean(values: np.ndarray) -> tuple[float, float]:
    """The mean of some values with its standard error, in points."""
    return 100 * float(values.mean()), 100 * float(values.std(ddof=1)) / len(values) ** 0.5


def sums(blocks: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    """Rows of what all blocks say of each level and agent, on layouts that all agents have played."""
    found: dict[tuple[Any, ...], dict[str, dict[int, dict[str, Any]]]] = {}
    for block in blocks:
        agent, *settings = block["of"]
        found.setdefault(tuple(settings), {}).setdefault(agent, {})[block["games"][0]] = block
    rows = []
    for (level, *_), agents in found.items():
        common = sorted(set.intersection(*map(set, agents.values())))
        before = None
        for agent in [name for name in AGENTS if name in agents] if common else ():
            own = [agents[agent][begin] for begin in common]
            games = np.array([game for block in own for game in block["found"]])
            skill, (luck, error) = mean(games[:, 1]), mean(games[:, 2])
            row = {
                "level": level,
                "agent": agent,
                "games": str(len(games)),
                "won": f"{100 * (games[:, 3] == 1).mean():.2f}",
                "luck": f"{luck:.3f}",
                "luck_error": f"{error:.3f}",
                "errors": f"{luck / error:.2f}",
                "skill": f"{skill[0]:.3f}",
                "skill_error": f"{skill[1]:.3f}",
                "above": "",
                "above_error": "",
                "p": "",
                "games_per_second": f"{len(games) / sum(block['seconds'] for block in own):.1f}",
            }
            if before is not None:
                above = mean(games[:, 1] - before)
                row["above"], row["above_error"] = f"{above[0]:.3f}", f"{above[1]:.3f}"
                row["p"] = f"{stats.ttest_rel(games[:, 1], before, alternative='greater').pvalue:.2g}"
            rows.append(row)
            before = games[:, 1]
    return rows


def report(blocks: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    """Print the sums of blocks, and return them."""
    rows = sums(blocks)
    for row in rows:
        line = (f"{row['level']} {row['agent']:>8} {int(row['games']):,} games: "
                f"luck {row['luck']} ± {row['luck_error']} ({row['errors']} standard errors), "
                f"skill {row['skill']} ± {row['skill_error']}, won {row['won']} %, "
                f"{row['games_per_second']} games/s")  # fmt: skip
        if row["above"]:
            line += f"; above the one before by {row['above']} ± {row['above_error']}, p = {row['p']}"
        print(line)
    return rows


def run_report(asked: argparse.Namespace) -> None:
    rows = report(block for path in asked.files for block in read(path))
    if asked.output and rows:
        with asked.output.open("w", newline="") as file:
            table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            table.writeheader()
            table.writerows(rows)


def run_play(asked: argparse.Namespace) -> None:
    settings = [asked.level, asked.first, asked.rolled, asked.seed]
    names = [[agent, *settings] for agent in asked.agents]
    blocks = [block for block in read(asked.output) if block["of"] in names]
    done = {(*block["of"], *block["games"]) for block in blocks}
    wanted = [
        (agent, range(begin, min(begin + BLOCK, asked.games)))
        for begin in range(0, asked.games, BLOCK) for agent in asked.agents
    ]  # fmt: skip
    rest = [(agent, games) for agent, games in wanted if (agent, *settings, games.start, games.stop) not in done]
    if asked.output and asked.output.exists() and not asked.output.read_bytes().endswith(b"\n"):
        with asked.output.open("a") as file:
            file.write("\n")
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        arguments = zip(*((agent, *settings, games) for agent, games in rest), strict=True) if rest else repeat((), 0)
        for block in pool.map(play_block, *arguments):
            blocks.append(block)
            if asked.output:
                with asked.output.open("a") as file:
                    file.write(json.dumps(block) + "\n")
    report(blocks)


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
                games = [asked.games if any(cell) else asked.corner for cell in cells]
                found = pool.map(start_of, repeat((rows, cols, mines)), repeat(first),
                                 [row * cols + col for row, col in cells], games)  # fmt: skip
                for (row, col), chance in zip(cells, found, strict=True):
                    known[f"{row},{col}"] = chance
                    asked.output.write_text(json.dumps(table, indent=1) + "\n")
                    print(rows, cols, first, row, col, chance, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--agents", nargs="+", choices=AGENTS, default=AGENTS)
    playing.add_argument("--level", default="beginner", choices=LEVELS)
    playing.add_argument("--first", default="safe", choices=("safe", "zero"))
    playing.add_argument("--games", type=int, default=200)
    playing.add_argument("--rolled", type=int, default=8)
    playing.add_argument("--seed", default="review")
    playing.set_defaults(run=run_play)
    starting = commands.add_parser("starts")
    starting.add_argument("--games", type=int, default=1_000)
    starting.add_argument("--corner", type=int, default=1_000_000)
    starting.set_defaults(run=run_starts)
    reporting = commands.add_parser("report")
    reporting.add_argument("files", type=Path, nargs="+")
    reporting.add_argument("--output", type=Path)
    reporting.set_defaults(run=run_report)
    for command in (playing, starting):
        command.add_argument("--jobs", type=int, default=1)
        command.add_argument("--output", type=Path, required=command is starting)
    asked = parser.parse_args()
    asked.run(asked)


if __name__ == "__main__":
    main()
