"""Gain of a stronger deep player over a faster one, decision by decision.

    python benchmarks/advantage.py deep:5 deep:2 --games 20000 --jobs 2 --output advantage.jsonl

Let the stronger player play. The chance to win that it has beyond that of the faster one is the sum, over its guesses,
of what its cell is worth more than the cell that the faster one would open, where the faster one plays on after both
(performance difference lemma, Kakade and Langford 2002). Where both open the same cell that is nothing. Elsewhere both
cells are rolled out in the same worlds, luck taken away (``satsweep.kernels.lookahead.rollouts``), and these worlds are
others than those by which the player chose. The mean over games is therefore the gain, without bias, and with so little
noise that 1,500 games tell 0.03 points. Where the faster player knows the rest of the game exactly, it can gain
nothing. Worlds in which the kernels meet a component that is beyond their limits, one in 100,000, are left out.

Printed are the gain in points (percent of the games) with its 95 % interval, its parts by phase of the game (share of
cells undecided), by number of worlds, and by the kinds of the two cells, each with the number of decisions; and the
processor time of a game. Blocks of games that the output already has are not played again.
"""

import argparse
import json
import time
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from math import log10
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from strength import BINS, achieved_of, calibration_of, interval, read_policy

from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.games.deal import LEVELS
from satsweep.kernels.api import Depth, advise, neighbour_table, play_games, roll_out
from satsweep.kernels.shared.memory import COVERED, MINE, NOTED
from satsweep.topology import SQUARE

Near = Sequence[Sequence[int]]
BLOCK = 50
GUESSED, FLAG = 2, 1
"""Reason and action of a move (``play_games``)."""
PHASES, MAGNITUDES = (0.0, 0.15, 0.3, 0.45, 0.6, 0.8, 0.97, 1.01), (0, 3, 4, 5, 6, 8, 10, 15, 20, 40, 60, 130)


class Decision(NamedTuple):
    """Decision in which two players open different cells.

    ``share`` of the cells is undecided, ``worlds`` is the log of their number to base 10, ``gain`` the mean difference
    of the roll-outs.
    """

    game: int
    share: float
    worlds: float
    kinds: str
    gain: float


class Setting(NamedTuple):
    """A board, what is promised about the first cell, and that cell, as row and column."""

    rows: int
    cols: int
    mines: int
    first: str = "safe"
    start: tuple[int, int] = (0, 0)


class Played(NamedTuple):
    """Some games of the stronger player.

    Their numbers, processor time, decisions, and the calibration of its guesses (``strength.calibration_of``).
    """

    games: range
    seconds: float
    decisions: list[Decision]
    calibration: list[list[float]]


def guesses(moves: np.ndarray, layout: np.ndarray, near: Near) -> Iterator[tuple[np.ndarray, int]]:
    """Yield the symbols before each guess of a game, and the cell that was opened."""
    around = np.array([layout[list(cells)].sum() for cells in near], np.int8)
    symbols = np.full(len(layout), COVERED, np.int8)
    for _, action, cell, reason in moves.tolist():
        if reason == GUESSED:
            yield symbols, cell
        if action == FLAG:
            symbols[cell] = MINE
            continue
        wave = [] if layout[cell] else [cell]
        while wave:
            opened = wave.pop()
            if symbols[opened] == COVERED:
                symbols[opened] = around[opened]
                wave.extend(near[opened] if around[opened] == 0 else ())


def layouts(setting: Setting, seed: str, games: range) -> Iterator[np.ndarray]:
    """Yield a layout for each game, shape (1, cells), with a start as it is promised."""
    cells = setting.rows * setting.cols
    start = setting.start[0] * setting.cols + setting.start[1]
    clear = {start, *(SQUARE.neighbours(setting.rows, setting.cols)[start] if setting.first == "zero" else ())}
    free = np.array([cell for cell in range(cells) if cell not in clear])
    for game in games:
        layout = np.zeros((1, cells), np.int8)
        layout[0, np.random.default_rng([*seed.encode(), game]).permutation(free)[: setting.mines]] = 1
        yield layout


def describe(symbols: np.ndarray, setting: Setting, cells: list[int]) -> tuple[float, str]:
    """Return the log of the number of worlds, to base 10, and the kinds of two cells."""
    rows, cols, mines = setting[:3]
    text = "".join("#" if symbol == COVERED else "*" if symbol == MINE else str(symbol) for symbol in symbols)
    board = Board([text[at : at + cols] for at in range(0, len(text), cols)], mines=mines)
    numbered = [any(symbols[other] >= 0 for other in SQUARE.neighbours(rows, cols)[cell]) for cell in cells]
    worlds = analyse(board).worlds
    assert worlds
    return log10(worlds), " for ".join("frontier" if near else "sea" for near in numbered)


def measure(player: str, base: str, setting: Setting, seed: str, worlds: int, games: range) -> Played:
    """Play games of a player and roll out where the base would open another cell."""
    rows, cols, mines, first, (row, col) = setting
    near = SQUARE.neighbours(rows, cols)
    table = neighbour_table(near)
    stronger, faster = (read_policy(name)[1] for name in (player, base))
    assert isinstance(faster, Depth) and not faster.rollouts
    moves = np.full((2 * rows * cols, 4), -1, np.int32)
    clock, decisions, calibration = 0.0, [], np.zeros((3, BINS))
    estimates = np.zeros((1, 2 + NOTED))
    for game, layout in zip(games, layouts(setting, seed, games), strict=True):
        estimates[:] = -1
        start = time.process_time()
        result = play_games(
            table, mines, "", range(1), first=first, start=row * cols + col, layouts=layout, moves=moves,
            policy="deep", level=stronger, estimates=estimates,
        )  # fmt: skip
        clock += time.process_time() - start
        calibration += calibration_of(result["won"], estimates[:, 2:])
        for symbols, cell in guesses(moves[: (moves[:, 0] >= 0).sum()], layout[0], near):
            advice = advise(symbols, table, mines, faster)
            if advice.exact:
                break
            if advice.cell != cell:
                cells = [cell, advice.cell]
                values = roll_out(symbols, table, mines, cells, worlds, faster)
                gain = float((values[:, 0] - values[:, 1])[values.min(axis=1) >= 0].mean())
                share = float((symbols == COVERED).mean())
                decisions.append(Decision(game, share, *describe(symbols, setting, cells), gain))
    return Played(games, clock, decisions, calibration.tolist())


def part(name: str, of: Iterable[tuple[Any, float]], games: int) -> None:
    """Print the parts of a gain by a key: points, and decisions."""
    found: dict[Any, list[float]] = defaultdict(list)
    for key, gain in of:
        found[key].append(gain)
    for key in sorted(found):
        print(f"{name} {key}: {100 * sum(found[key]) / games:+.3f} points in {len(found[key]):,} decisions")


def gains_of(parts: Iterable[Played]) -> np.ndarray:
    """Return the gain of each game."""
    gains = {game: 0.0 for played in parts for game in played.games}
    for decision in (decision for played in parts for decision in played.decisions):
        gains[decision.game] += decision.gain
    return np.array([*gains.values()])


def report(parts: list[Played]) -> None:
    """Print the gain, its parts, and the time of a game."""
    games = sum(len(played.games) for played in parts)
    decisions = [decision for played in parts for decision in played.decisions]
    mean, half = interval(gains_of(parts))
    seconds = sum(played.seconds for played in parts)
    print(f"{games:,} games: {mean:+.3f} ± {half:.3f} points, {1000 * seconds / games:.1f} ms a game")
    part("undecided", ((band(one.share, PHASES), one.gain) for one in decisions), games)
    part("log of worlds", ((band(one.worlds, MAGNITUDES), one.gain) for one in decisions), games)
    for count, expected, achieved in achieved_of(one.calibration for one in parts):
        print(f"expected {expected:.3f}, achieved {achieved:.3f} at {count:,} guesses")
    part("opens", ((one.kinds, one.gain) for one in decisions), games)


def band(number: float, bounds: tuple[float, ...]) -> tuple[float, float]:
    """Return the two bounds between which a number lies."""
    at = bisect(bounds, number)
    return bounds[at - 1], bounds[at]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player")
    parser.add_argument("base", nargs="?", default="deep:2")
    parser.add_argument("--level", default="expert", choices=LEVELS)
    parser.add_argument("--first", default="safe", choices=("safe", "zero"))
    parser.add_argument("--start", type=int, nargs=2, default=(0, 0))
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--worlds", type=int, default=96, help="roll-outs of each cell")
    parser.add_argument("--seed", default="advantage")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, help="file of results, a line of JSON for each block of games")
    asked = parser.parse_args()
    setting = Setting(*LEVELS[asked.level], asked.first, tuple(asked.start))
    key = json.loads(json.dumps([asked.player, asked.base, setting, asked.seed, asked.worlds]))
    lines = map(json.loads, asked.output.read_text().splitlines() if asked.output and asked.output.exists() else [])
    kept = {
        tuple(line["games"]): Played(
            range(*line["games"]), line["seconds"], [Decision(*one) for one in line["decisions"]], line["calibration"]
        )
        for line in lines
        if line["of"] == key
    }
    blocks = [range(begin, min(begin + BLOCK, asked.games)) for begin in range(0, asked.games, BLOCK)]
    rest = [games for games in blocks if (games.start, games.stop) not in kept]
    parts = [played for bounds, played in kept.items() if range(*bounds) in blocks]
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for played in pool.map(measure, *map(repeat, (*key[:2], setting, *key[3:])), rest):
            parts.append(played)
            line = {"of": key, "games": [played.games.start, played.games.stop], "seconds": played.seconds,
                    "decisions": played.decisions, "calibration": played.calibration}  # fmt: skip
            if asked.output:
                with asked.output.open("a") as file:
                    print(json.dumps(line), file=file)
    report(parts)


if __name__ == "__main__":
    main()
