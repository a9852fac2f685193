"""Best openings: the first cell of each board, and the second one after each answer.

    python benchmarks/openings.py --games 65536 --worlds 2048 --jobs 2 --output benchmarks/results/openings.jsonl --book

First cells: one of each symmetry class is the start of games of ``deep:2`` on boards of its own, luck taken away
(``strength.py``). Second cells: where the first cell shows a number and nothing follows from it, one of each class that
the first cell leaves is rolled out in the same worlds (``satsweep.kernels.api.roll_out``). Cells that are more than
four standard errors worse than the best one are left out of the next round, which has twice the games or worlds.

Results are printed as JSON, a line for each first cell or answer: the best cells with their chances to win, in percent,
with 95 % intervals, and that of the best one in as many other games, as the best of several is the luckiest, too; for
an answer how likely it is, and what the cell of ``deep:2`` is short of the best one, with the interval of the
difference. Boards that the output already has are not measured again. ``--book`` writes the book that ships with
satsweep (``satsweep.games.deal``) from the output and from the boards that ``optimal.py`` has solved.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from math import comb
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import advantage
import numpy as np
from records import RECORDS
from strength import columns_of, interval

from satsweep.kernels.api import DEEP, advise, neighbour_table, play_games, roll_out
from satsweep.kernels.shared.memory import COVERED
from satsweep.topology import SQUARE

PLAYER = DEEP[2]
FIRST_ROUND, BLOCK = 2_000, 2_000
FIRST_WORLDS = 64
CLEAR = 4.0
"""Standard errors by which a cell has to be worse than the best one to be left out."""
SHOWN = 4
"""Cells of a line."""
RESULTS = Path(__file__).parent / "results"
BOOK = RESULTS.parents[1] / "satsweep" / "games" / "openings.json"
Values = dict[int, np.ndarray]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file of results."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def images(rows: int, cols: int, fixed: int | None = None) -> Iterator[np.ndarray]:
    """Yield the symmetries of a board that leave a cell where it is, as the place of each cell."""
    cells = np.arange(rows * cols).reshape(rows, cols)
    turned = [cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    if rows == cols:
        turned += [one.T for one in turned]
    for one in turned:
        if fixed is None or one.flat[fixed] == fixed:
            yield one.ravel()


def classes(rows: int, cols: int, fixed: int | None = None) -> list[int]:
    """Return the lowest cell of each symmetry class."""
    lowest = np.min([*images(rows, cols, fixed)], axis=0)
    return sorted({int(cell) for cell in lowest})


def halving(cells: list[int], first: int, last: int, value: Callable[[list[int], range], Values]) -> Values:
    """Return the values of the best cells after rounds that double the sample.

    ``value`` gives more values of some cells, those of a range of the sample.
    """
    found: Values = {cell: np.zeros(0) for cell in cells}
    done = 0
    while done < last and (done == 0 or len(found) > 1):
        stop = min(max(first, 2 * done), last)
        for cell, more in value([*found], range(done, stop)).items():
            found[cell] = np.concatenate([found[cell], more])
        done = stop
        best = max(found, key=lambda cell: float(found[cell].mean()))
        found = {
            cell: values
            for cell, values in found.items()
            if found[best].mean() - values.mean() <= CLEAR * (found[best].var() / done + values.var() / done) ** 0.5
        }
    return dict(sorted(found.items(), key=lambda item: -float(item[1].mean())))


def play(setting: advantage.Setting, seed: str, cell: int, games: range) -> np.ndarray:
    """Return the luckless results of games that start in a cell."""
    table = neighbour_table(SQUARE.neighbours(setting.rows, setting.cols))
    estimates = np.zeros((len(games), 2))
    results = play_games(
        table, setting.mines, f"{seed}/{cell}", games, first=setting.first, start=cell, policy="deep", level=PLAYER,
        estimates=estimates,
    )  # fmt: skip
    found: np.ndarray = columns_of(results["won"], estimates, "deep")[2]
    return found


def first_values(pool: Executor, setting: advantage.Setting, seed: str, cells: list[int], games: range) -> Values:
    """Return the luckless results of each of some first cells."""
    blocks = [range(begin, min(begin + BLOCK, games.stop)) for begin in range(games.start, games.stop, BLOCK)]
    waiting = {cell: [pool.submit(play, setting, seed, cell, block) for block in blocks] for cell in cells}
    return {cell: np.concatenate([future.result() for future in parts]) for cell, parts in waiting.items()}


def roll(setting: advantage.Setting, symbols: np.ndarray, worlds: int, salt: int, cells: list[int]) -> np.ndarray:
    """Return the values of some second cells, a row for each world."""
    table = neighbour_table(SQUARE.neighbours(setting.rows, setting.cols))
    return roll_out(symbols, table, setting.mines, cells, worlds, PLAYER, salt)


def second_values(
    pool: Executor, setting: advantage.Setting, symbols: np.ndarray, cells: list[int], sample: range
) -> Values:
    """Return the values of each of some second cells, in the same worlds."""
    salts = range(1 + sample.start // FIRST_WORLDS, 1 + sample.stop // FIRST_WORLDS)
    parts = pool.map(partial(roll, setting, symbols, FIRST_WORLDS, cells=cells), salts)
    return dict(zip(cells, np.concatenate([*parts]).T, strict=True))


def named(setting: advantage.Setting, values: Values) -> list[list[Any]]:
    """Return the best cells, as row and column, with their intervals."""
    return [[divmod(cell, setting.cols), interval(found)] for cell, found in [*values.items()][:SHOWN]]


def second_cells(
    pool: Executor, setting: advantage.Setting, start: int, worlds: int, known: set[int]
) -> Iterator[tuple[float, int, Values, int]]:
    """Yield each answer of a first cell but ``known`` ones: its chance, the number, the best cells, the player's."""
    cells = setting.rows * setting.cols
    near = SQUARE.neighbours(setting.rows, setting.cols)
    table = neighbour_table(near)
    degree = len(near[start])
    ways = [comb(degree, shown) * comb(cells - 1 - degree, setting.mines - shown) for shown in range(degree + 1)]
    for shown in sorted({*range(1, degree)} - known):
        symbols = np.full(cells, COVERED, np.int8)
        symbols[start] = shown
        asked = [cell for cell in classes(setting.rows, setting.cols, start) if cell != start]
        advice = advise(symbols, table, setting.mines, PLAYER)
        own = int(np.min([image[advice.cell] for image in images(setting.rows, setting.cols, start)]))
        value = partial(second_values, pool, setting, symbols)
        found = halving(asked, FIRST_WORLDS, worlds, value)
        if own not in found:
            found[own] = value([own], range(len(next(iter(found.values())))))[own]
        yield ways[shown] / sum(ways), shown, found, own


def book_of(lines: list[dict[str, Any]], solved: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the book: by board and promise the best first cell, its wins, player, games, and second cells."""
    book: dict[str, dict[str, Any]] = {}
    for line in lines:
        rows, cols, mines, first, *_ = RECORDS[line["board"]]
        rules = book.setdefault(f"{rows}x{cols}/{mines}", {})
        if "first" in line:
            (cell, _), *_ = line["first"]
            mean, half = line["again"]
            wins = f"{mean:.2f} ± {half:.2f} %"
            rules[first] = {"start": cell, "wins": wins, "player": "deep:2", "games": line["games"], "second": {}}
        else:
            rules[first]["second"][str(line["shown"])] = {
                name: line[name] for name in ("chance", "second", "worlds", "deep:2", "short")
            }
    for line in solved:
        for first in ("safe", "zero"):
            if won := line.get(first):
                wins = f"{won['won']:,} of {won['boards']:,}"
                exact = {"start": won["cell"], "wins": wins, "player": "best play", "games": 0}
                book.setdefault(line["board"], {})[first] = exact
    return book


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=list(RECORDS), choices=RECORDS)
    parser.add_argument("--games", type=int, default=200_000, help="most games of a first cell")
    parser.add_argument("--worlds", type=int, default=8_192, help="most worlds of a second cell")
    parser.add_argument("--seed", default="openings")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, help="file of results, one line of JSON each")
    parser.add_argument("--book", action="store_true", help="write the book from the output")
    asked = parser.parse_args()
    kept = read_lines(asked.output) if asked.output and asked.output.exists() else []

    def write(line: dict[str, Any]) -> None:
        print(json.dumps(line), flush=True)
        if asked.output:
            with asked.output.open("a") as file:
                print(json.dumps(line), file=file)

    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for board in asked.boards:
            setting = RECORDS[board].setting()
            done = [line for line in kept if line["board"] == board]
            first = [line for line in done if "first" in line]
            if not first:
                value = partial(first_values, pool, setting, asked.seed)
                found = halving(classes(setting.rows, setting.cols), FIRST_ROUND, asked.games, value)
                games = len(next(iter(found.values())))
                first = [{"board": board, "first": named(setting, found), "games": games}]
                best, more = next(iter(found)), range(asked.games, 2 * asked.games)
                first[0]["again"] = interval(first_values(pool, setting, asked.seed, [best], more)[best])
                write(first[0])
            if setting.first == "zero":
                continue
            row, col = first[0]["first"][0][0]
            known = {line["shown"] for line in done if "shown" in line}
            for chance, shown, values, own in second_cells(
                pool, setting, row * setting.cols + col, asked.worlds, known
            ):
                most = next(iter(values.values()))
                write({"board": board, "start": [row, col], "shown": shown, "chance": round(chance, 4),
                       "second": named(setting, values), "worlds": len(most),
                       "deep:2": divmod(own, setting.cols), "short": interval(most - values[own])})  # fmt: skip
    if asked.book:
        book = book_of(read_lines(asked.output), read_lines(RESULTS / "optimal.jsonl"))
        text = ",\n".join(f"  {json.dumps(board)}: {json.dumps(rules)}" for board, rules in book.items())
        BOOK.write_text(f"{{\n{text}\n}}\n")


if __name__ == "__main__":
    main()
