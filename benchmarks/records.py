"""Strength and speed of the compiled players, beside the best known figures.

    python benchmarks/records.py --jobs 2 --parts parts.jsonl --output benchmarks/results/records.jsonl

The table of docs/ideas/strength.md has these figures, with intervals of 95 % (1.96 standard errors). All players play
the same layouts of a board, from the start of the best known figure; ``BASE`` plays as many from the best start of the
book of openings (``openings.py``) where that is another cell. ``won`` are games won; ``expected`` and ``luckless`` have
the same mean, with less noise (``strength.py``). For deep, ``achieved`` groups guesses by the chance to win that it
expected, in tenths: their number, the mean of that chance, and the share of them in games that were won. The slower
players of ``GAINS`` play fewer games: ``gain`` is what they win more often than ``BASE``, measured decision by decision
(``advantage.py``); the table has the sum of both. Speed is games a second of processor time, in the median block.
``--start`` has ``BASE`` alone play from another cell. Results are printed one by one as JSON. Those that the output
already has are not measured again, nor are the blocks of games in the file of parts: an interrupted run goes on where
it was, and a longer one adds to a shorter one.
"""

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import advantage
import numpy as np
from strength import BINS, COLUMNS, achieved_of, calibration_of, columns_of, interval, read_policy

from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.plan import Plan
from satsweep.board import Cell
from satsweep.games.deal import best_opening
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from satsweep.kernels.api import OUTCOMES, neighbour_table, play_games
from satsweep.kernels.shared.memory import NOTED
from satsweep.topology import SQUARE

BLOCK = 20_000
BASE, GAINS = "deep:2", ("deep:4", "deep:5")


class Record(NamedTuple):
    """A board, the start of the best known win rate, and that rate.

    After as many ``games`` as these the interval of ``BASE`` is ± 0.02 points; the slower players play ``gains`` games.
    """

    rows: int
    cols: int
    mines: int
    first: str
    start: tuple[int, int]
    rate: str
    games: int
    gains: int

    def setting(self, start: tuple[int, int] | None = None) -> advantage.Setting:
        """The board and a start."""
        return advantage.Setting(*self[:4], start or self.start)

    @property
    def best(self) -> tuple[int, int]:
        """The start from which most games are won, as far as is known."""
        row, col = best_opening(*self[:4]).start
        return row, col


RECORDS = {
    "expert": Record(16, 30, 99, "safe", (0, 0), "41.132 ± 0.03", 8_800_000, 10_200),
    "expert zero": Record(16, 30, 99, "zero", (3, 3), "54.3", 9_400_000, 2_400),
    "intermediate": Record(16, 16, 40, "safe", (0, 0), "78.230 ± 0.008", 5_200_000, 2_400),
    "intermediate zero": Record(16, 16, 40, "zero", (2, 2), "89.076 ± 0.006", 4_200_000, 2_400),
    "beginner": Record(9, 9, 10, "safe", (0, 0), "91.695 ± 0.005", 1_600_000, 2_400),
    "beginner zero": Record(9, 9, 10, "zero", (2, 2), "97.167 ± 0.003", 1_300_000, 2_400),
    "8x8": Record(8, 8, 10, "safe", (0, 0), "81.771 ± 0.008", 4_000_000, 2_400),
    "8x8 zero": Record(8, 8, 10, "zero", (2, 2), "90.345 ± 0.006", 3_800_000, 2_400),
}


class Part(NamedTuple):
    """Results of a range of games, as sums.

    ``sums`` and ``squares`` have those of won, expected and luckless. ``calibration`` is that of ``calibration_of``.
    """

    games: tuple[int, int]
    seconds: float
    sums: list[float]
    squares: list[float]
    calibration: list[list[float]]


def play(setting: advantage.Setting, player: str, seed: str, games: range) -> Part:
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
    assert {OUTCOMES[outcome] for outcome in np.unique(results["outcome"])} <= {"cleared", "exploded", "beyond"}
    won = results["won"].astype(float)
    for at in np.flatnonzero(results["outcome"] == OUTCOMES.index("beyond")).tolist():
        won[at], estimates[at, :2] = play_in_python(setting, player, seed, games[at]), (-1, 0)
    columns = columns_of(won, estimates, policy)
    sums, squares = columns.sum(axis=1), (columns**2).sum(axis=1)
    calibration = calibration_of(won, estimates[:, 2:]) if policy == "deep" else np.zeros((3, BINS))
    return Part((games.start, games.stop), clock, sums.tolist(), squares.tolist(), calibration.tolist())


def play_in_python(setting: advantage.Setting, player: str, seed: str, game: int) -> float:
    """Whether a game is won that is beyond the kernels: on expert boards one of the first seven million is."""
    rules = Rules(first=FirstClick(setting.first), start=Cell(*setting.start))
    plan = Plan((player,), (Setting(*setting[:3], rules),), seed=seed)
    block = Block.of(plan, 0, range(game, game + 1), in_python=True)
    (result,) = play_block(block).results
    assert result.outcome in ("cleared", "exploded"), result
    return float(result.outcome == "cleared")


def intervals_of(parts: Iterable[Part]) -> dict[str, list[float]]:
    """Return the mean of each column and 1.96 standard errors, in percent."""
    parts = list(parts)
    games = sum(stop - begin for begin, stop in (part.games for part in parts))
    means, squares = (np.sum([getattr(part, name) for part in parts], axis=0) / games for name in ("sums", "squares"))
    halves = 1.96 * np.sqrt((squares - means**2) / games)
    return {
        name: [round(100 * mean, 3), round(100 * half, 3)]
        for name, mean, half in zip(COLUMNS, means.tolist(), halves.tolist(), strict=True)
    }


def parts_of(
    pool: Executor, setting: advantage.Setting, player: str, seed: str, games: int, path: Path | None
) -> Iterator[Part]:
    """Yield the parts of a run: those that the file has, then the rest, which it gets one by one."""
    key = json.loads(json.dumps([setting, player, seed]))
    lines = map(json.loads, path.read_text().splitlines() if path and path.exists() else [])
    reached = 0
    for part in sorted(Part(*line["part"]) for line in lines if line["of"] == key):
        if part.games[0] == reached and part.games[1] <= games:
            reached = part.games[1]
            yield part
    blocks = [range(begin, min(begin + BLOCK, games)) for begin in range(reached, games, BLOCK)]
    for part in pool.map(play, repeat(setting), repeat(player), repeat(seed), blocks):
        if path:
            with path.open("a") as file:
                print(json.dumps({"of": key, "part": part}), file=file)
        yield part


def measure(
    pool: Executor, setting: advantage.Setting, player: str, seed: str, games: int, path: Path | None
) -> dict[str, Any]:
    """Return the result of a player on a board."""
    parts = list(parts_of(pool, setting, player, seed, games, path))
    speeds = [(part.games[1] - part.games[0]) / part.seconds for part in parts]
    line: dict[str, Any] = {**intervals_of(parts), "games_per_cpu_second": round(float(np.median(speeds)), 1)}
    if player.startswith("deep"):
        line["achieved"] = achieved_of(part.calibration for part in parts)
    return line


def gain(pool: Executor, setting: advantage.Setting, player: str, seed: str, games: int) -> dict[str, Any]:
    """Return the result of a slower player on a board."""
    blocks = [range(begin, min(begin + advantage.BLOCK, games)) for begin in range(0, games, advantage.BLOCK)]
    parts = list(pool.map(advantage.measure, *map(repeat, (player, BASE, setting, seed, 96)), blocks))
    return {
        "gain": interval(advantage.gains_of(parts)),
        "games_per_cpu_second": round(games / sum(part.seconds for part in parts), 1),
        "achieved": achieved_of(part.calibration for part in parts),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=list(RECORDS), choices=RECORDS)
    parser.add_argument("--players", nargs="+", default=["sat", BASE, *GAINS], choices=["sat", BASE, *GAINS])
    parser.add_argument("--start", type=int, nargs=2, metavar=("ROW", "COL"), help=f"another first cell of {BASE}")
    parser.add_argument("--games", type=int, help="games of each board, in place of its own number")
    parser.add_argument("--gains", type=int, help="games of the slower players, in place of the board's own number")
    parser.add_argument("--seed", default="records")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--parts", type=Path, help="file of the blocks of games that are played, one line of JSON each")
    parser.add_argument("--output", type=Path, help="file of results, one line of JSON each")
    asked = parser.parse_args()
    kept = asked.output.read_text().splitlines() if asked.output and asked.output.exists() else []
    found = {key_of(line): line for line in map(json.loads, kept)}
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for board in asked.boards:
            record = RECORDS[board]
            games, gains = asked.games or record.games, asked.gains or record.gains
            wanted = [(record.start, player) for player in asked.players]
            if asked.start:
                wanted = [((asked.start[0], asked.start[1]), BASE)]
            elif BASE in asked.players and record.best != record.start:
                wanted.append((record.best, BASE))
            for start, player in wanted:
                line = {"board": board, "start": [*start], "player": player, "seed": asked.seed}
                line["games"] = gains if player in GAINS else games
                setting = record.setting(start)
                if key_of(line) not in found:
                    if player in GAINS:
                        line |= gain(pool, setting, player, asked.seed, gains)
                    else:
                        line |= measure(pool, setting, player, asked.seed, games, asked.parts)
                    found[key_of(line)] = line
                    if asked.output:
                        with asked.output.open("a") as file:
                            print(json.dumps(line), file=file)
                print(json.dumps(found[key_of(line)]), flush=True)


def key_of(line: dict[str, Any]) -> tuple[Any, ...]:
    """Return what tells one line of the table from another."""
    return line["board"], tuple(line["start"]), line["player"], line["games"], line["seed"]


if __name__ == "__main__":
    main()
