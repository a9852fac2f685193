"""Size of the matrix of gem and time of its elimination, by board and by progress.

    python benchmarks/gem_matrix.py --json benchmarks/results/gem_matrix.json --plots benchmarks/results

Gem plays on square boards with a mine in every fifth cell, by the rules of the plan gem-density: play goes on after a
mine. Each time that single numbers say nothing, the matrix is built and reduced; its rows are the numbers beside unknown
cells, its columns these cells. The *knowledge base* of Haridas and Nair (2021) is all open numbers. Seconds are of
processor time. Exponents are the slopes of straight lines through the logarithms of all eliminations of at least 20
rows.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from satsweep import Agent, Board, Deduction, Rules, game_rng, play, random_layout
from satsweep.agents import gem, uniform
from satsweep.agents.knowledge import Knowledge
from satsweep.agents.matrix import reduced_rows
from satsweep.board import COVERED, FLAG
from satsweep.compare.canvas import Canvas, save, styled
from satsweep.games.rules import FirstClick

RULES = Rules(first=FirstClick.ANY, fatal=False, cascade=False)
DENSITY = 0.2
GAMES = {10: 40, 15: 20, 20: 12, 25: 40, 30: 6, 40: 3, 50: 2, 60: 1}
"""Games by the side of the board; those on 25x25 are for the progress, too."""
PROGRESS_SIDE = 25
LEAST_ROWS = 20
SHOWN = ("base", "rows", "columns", "seconds")
MARKS = {"base": "#0072b2", "columns": "#d55e00", "rows": "#009e73"}
LABELS = {"base": "open numbers", "columns": "columns of the matrix", "rows": "rows of the matrix"}


class Elimination(NamedTuple):
    """Sizes and time of one elimination; ``opened`` is the share of cells open by then."""

    opened: float
    base: int
    rows: int
    columns: int
    seconds: float


def eliminations(side: int, games: int) -> Iterator[Elimination]:
    """Yield every elimination of some games."""
    for game in range(games):
        found: list[Elimination] = []

        def deduce(board: Board, found: list[Elimination] = found) -> Deduction:
            knowledge = Knowledge(board)
            if not knowledge.single_point() and knowledge.unknown:
                columns = len({cell for cells in knowledge.unknown.values() for cell in cells})
                covered = sum(symbol in (COVERED, FLAG) for symbol in board.symbols)
                base = sum(board.number(cell) is not None for cell in board)
                begun = time.process_time()
                reduced_rows(knowledge)
                seconds = time.process_time() - begun
                share = 1 - covered / len(board.symbols)
                found.append(Elimination(share, base, len(knowledge.unknown), columns, seconds))
            return gem.deduce(board)

        rng = game_rng(0, game)
        layout = random_layout(side, side, round(DENSITY * side * side), rng)
        play(layout, Agent(deduce, uniform.guess), RULES, rng)
        yield from found


def means(found: Sequence[Elimination]) -> dict[str, float]:
    """Return the number of eliminations, and means and greatest values of each size."""
    line: dict[str, float] = {"eliminations": len(found)}
    for name in SHOWN:
        values = [getattr(one, name) for one in found]
        line |= {name: sum(values) / len(values), f"most_{name}": max(values)}
    return line


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the exponent of y as a power of x."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def figures(result: dict[str, list[dict[str, float]]], folder: Path) -> None:
    """Draw sizes by progress, and time by the number of cells."""
    common = {"width": 5.2, "height": 3.0, "left": 0.8, "foot": ["gem, 20 % mines, play goes on after a mine."]}
    with styled():
        legend = [(LABELS[name], {"color": colour, "marker": "o"}) for name, colour in MARKS.items()]
        subtitle = f"{PROGRESS_SIDE}x{PROGRESS_SIDE}, means of all eliminations"
        title = "The matrix of gem in the course of a game"
        canvas = Canvas.of([""], title=title, subtitle=subtitle, legend=legend, **common)
        axes = canvas.panel(0)
        for name, colour in MARKS.items():
            points = [(100 * line["opened"], line[name]) for line in result["progress"]]
            axes.plot(*zip(*points, strict=True), color=colour, marker="o")
        axes.set_xlabel("cells opened, %")
        axes.set_ylim(bottom=0)
        save(canvas.figure, folder / "gem_matrix_progress.svg")
        title, subtitle = "Time of one elimination by board", "milliseconds of processor time, mean and longest"
        legend = [("mean", {"color": "#0072b2", "marker": "o"}), ("longest", {"color": "#d55e00", "marker": "s"})]
        canvas = Canvas.of([""], title=title, subtitle=subtitle, legend=legend, **common)
        axes = canvas.panel(0)
        cells = [line["side"] ** 2 for line in result["sizes"]]
        axes.loglog(cells, [1000 * line["seconds"] for line in result["sizes"]], color="#0072b2", marker="o")
        axes.loglog(cells, [1000 * line["most_seconds"] for line in result["sizes"]], color="#d55e00", marker="s")
        axes.set_xlabel("cells of the board")
        save(canvas.figure, folder / "gem_matrix_size.svg")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", type=Path, help="file for the result")
    options.add_argument("--plots", type=Path, help="folder for the figures")
    chosen = options.parse_args()
    every: list[Elimination] = []
    sizes, progress = [], []
    for side, games in GAMES.items():
        found = list(eliminations(side, games))
        every += found
        sizes.append({"side": side, "games": games, **means(found)})
        print(json.dumps(sizes[-1]), flush=True)
        if side == PROGRESS_SIDE:
            for tenth in range(10):
                some = [one for one in found if tenth == min(int(10 * one.opened), 9)]
                progress += [{"opened": tenth / 10 + 0.05, **means(some)}] if some else []
    large = [one for one in every if one.rows >= LEAST_ROWS]
    rows = [one.rows for one in large]
    exponents = {
        "seconds_by_rows": slope(rows, [one.seconds for one in large]),
        "columns_by_rows": slope(rows, [one.columns for one in large]),
        "mean_seconds_by_cells": slope([line["side"] ** 2 for line in sizes], [line["seconds"] for line in sizes]),
        "mean_rows_by_cells": slope([line["side"] ** 2 for line in sizes], [line["rows"] for line in sizes]),
    }
    result = {"sizes": sizes, "progress": progress, "exponents": exponents}
    print(json.dumps(exponents))
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if chosen.plots:
        figures(result, chosen.plots)


if __name__ == "__main__":
    main()
