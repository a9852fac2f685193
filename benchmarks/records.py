"""Strength and speed of the compiled players, beside the best known figures.

    python benchmarks/records.py --jobs 2 --output benchmarks/results/records.jsonl

The table of docs/ideas/strength.md has these figures, with intervals of 95 %. All players play the same layouts of a
board. ``won`` are games won; ``expected`` and ``luckless`` have the same mean, with less noise (``strength.py``). For
deep, ``achieved`` groups guesses by the chance to win that it expected, in tenths: their number, the mean of that
chance, and the share of them in games that were won. The slower players of ``GAINS`` play fewer games: ``gain`` is
what they win more often than ``BASE``, measured decision by decision (``advantage.py``), and ``luckless`` is the sum
of both. Speed is games a second of processor time, without compiling. Results are printed one by one as JSON, and as
Markdown at the end; results that the output already has are not measured again.
"""

import argparse
import json
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import repeat
from math import hypot
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import advantage
import numpy as np
from strength import achieved_of, calibration_of, columns_of, interval, intervals, read_policy

from satsweep.kernels.api import OUTCOMES, neighbour_table, play_games
from satsweep.kernels.shared.memory import NOTED
from satsweep.topology import SQUARE

BLOCK = 2_000
BASE, GAINS = "deep:2", ("deep:4", "deep:5")


class Record(NamedTuple):
    """A board, its start, and the best known win rate; it gets ``times`` the games."""

    rows: int
    cols: int
    mines: int
    first: str
    start: tuple[int, int]
    rate: str
    times: int = 1

    @property
    def setting(self) -> advantage.Setting:
        """The board and its start."""
        return advantage.Setting(*self[:5])


RECORDS = {
    "expert": Record(16, 30, 99, "safe", (0, 0), "41.132 ± 0.03", 17),
    "expert zero": Record(16, 30, 99, "zero", (3, 3), "54.3", 4),
    "intermediate": Record(16, 16, 40, "safe", (0, 0), "78.230 ± 0.008"),
    "intermediate zero": Record(16, 16, 40, "zero", (3, 3), "89.076 ± 0.006"),
    "beginner": Record(9, 9, 10, "safe", (0, 0), "91.695 ± 0.005"),
    "beginner zero": Record(9, 9, 10, "zero", (2, 2), "97.167 ± 0.003"),
    "8x8": Record(8, 8, 10, "safe", (0, 0), "81.771 ± 0.008"),
    "8x8 zero": Record(8, 8, 10, "zero", (2, 2), "90.345 ± 0.006"),
}


class Played(NamedTuple):
    """Results of some games, and the calibration of their guesses.

    ``columns``, shape (3, games), has won, expected and luckless. ``calibration`` is that of ``calibration_of``.
    """

    columns: np.ndarray
    seconds: float
    calibration: np.ndarray


def play(setting: advantage.Setting, player: str, seed: str, games: range) -> Played:
    """Return the results of a player on a range of games."""
    policy, level = read_policy(player)
    table = neighbour_table(SQUARE.neighbours(setting.rows, setting.cols))
    start = setting.start[0] * setting.cols + setting.start[1]
    estimates = np.full((len(games), 2 + NOTED), -1.0)
    play_games(table, setting.mines, "warm", range(20), first=setting.first, start=start, policy=policy, level=level)
    clock = time.process_time()
    results = play_games(
        table, setting.mines, seed, games,
        first=setting.first, start=start, policy=policy, level=level, estimates=estimates,
    )  # fmt: skip
    clock = time.process_time() - clock
    assert {OUTCOMES[outcome] for outcome in np.unique(results["outcome"])} <= {"cleared", "exploded"}
    won = results["won"].astype(float)
    return Played(columns_of(won, estimates, policy), clock, calibration_of(won, estimates[:, 2:]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=list(RECORDS), choices=RECORDS)
    parser.add_argument("--players", nargs="+", default=["sat", BASE, *GAINS])
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--gains", type=int, default=2_000, help="games of the slower players")
    parser.add_argument("--seed", default="records")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, help="file of results, one line of JSON each")
    asked = parser.parse_args()
    kept = asked.output.read_text().splitlines() if asked.output and asked.output.exists() else []
    found = {(line["board"], line["player"], line["games"], line["seed"]): line for line in map(json.loads, kept)}
    lines = ["| board, start | best known | " + " | ".join(f"`{name}` | games/s" for name in asked.players) + " |"]
    lines.append("|---" * (2 + 2 * len(asked.players)) + "|")
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for board in asked.boards:
            record = RECORDS[board]
            cells = [f"{board.split()[0]}, {record.first} at {record.start[0]},{record.start[1]}", record.rate]
            for name in asked.players:
                key = board, name, (asked.gains if name in GAINS else asked.games) * record.times, asked.seed
                if key not in found:
                    found[key] = (
                        gain(pool, *key, found[board, BASE, asked.games * record.times, asked.seed])
                        if name in GAINS
                        else measure(pool, *key)
                    )
                    if asked.output:
                        with asked.output.open("a") as file:
                            print(json.dumps(found[key]), file=file)
                print(json.dumps(found[key]), flush=True)
                cells += [
                    "{:.2f} ± {:.2f}".format(*found[key]["luckless"]),
                    f"{found[key]['games_per_cpu_second']:,.0f}",
                ]
            lines.append("| " + " | ".join(cells) + " |")
    print("\n".join(lines))


def measure(pool: Executor, board: str, player: str, games: int, seed: str) -> dict[str, Any]:
    """Return the result of a player on a board, as a line of the table."""
    blocks = [range(begin, min(begin + BLOCK, games)) for begin in range(0, games, BLOCK)]
    parts = list(pool.map(play, repeat(RECORDS[board].setting), repeat(player), repeat(seed), blocks))
    columns = np.concatenate([part.columns for part in parts], axis=1)
    speed = games / sum(part.seconds for part in parts)
    line: dict[str, Any] = {"board": board, "player": player, "games": games, "seed": seed, **intervals(columns)}
    line["games_per_cpu_second"] = round(speed, 1)
    if player.startswith("deep"):
        line["achieved"] = achieved_of(part.calibration for part in parts)
    return line


def gain(pool: Executor, board: str, player: str, games: int, seed: str, base: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a slower player, as a line of the table: what it gains."""
    blocks = [range(begin, min(begin + advantage.BLOCK, games)) for begin in range(0, games, advantage.BLOCK)]
    asked = map(repeat, (player, BASE, RECORDS[board].setting, seed, 96))
    parts = list(pool.map(advantage.measure, *asked, blocks))
    mean, half = interval(advantage.gains_of(parts))
    luckless = [round(base["luckless"][0] + mean, 3), round(hypot(base["luckless"][1], half), 3)]
    speed = games / sum(part.seconds for part in parts)
    return {"board": board, "player": player, "games": games, "seed": seed, "gain": [mean, half],
            "luckless": luckless, "games_per_cpu_second": round(speed, 1),
            "achieved": achieved_of(part.calibration for part in parts)}  # fmt: skip


if __name__ == "__main__":
    main()
