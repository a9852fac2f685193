"""Size of the matrix of gem and time of its elimination, by board and progress.

    python benchmarks/gem_matrix.py --json benchmarks/results/gem_matrix.json --plots benchmarks/results

Gem plays on square boards of two densities, by the rules of the plan gem-density: play goes on after a mine. Each time
that single numbers say nothing, the matrix is built and reduced; its rows are the numbers beside unknown cells, its
columns these cells. The *knowledge base* of Haridas and Nair (2021) is all open numbers. Seconds are of processor time,
without garbage collection. Exponents are the slopes of straight lines through the logarithms of all eliminations of at
least 20 rows, or through those of the means of each board.
"""

import argparse
import gc
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from satsweep import Agent, Board, Deduction, Rules, play, random_layout
from satsweep.agents import gem, random_agent
from satsweep.agents.gem import reduced_rows
from satsweep.agents.knowledge import Knowledge
from satsweep.arena.canvas import framed, save, styled
from satsweep.board import COVERED, FLAG
from satsweep.games.deal import game_rng
from satsweep.games.rules import FirstClick

RULES = Rules(first=FirstClick.ANY, fatal=False, cascade=False)
GAMES = {
    0.2: {10: 40, 15: 20, 20: 20, 25: 40, 30: 10, 40: 6, 60: 3},
    0.4: {10: 20, 15: 10, 20: 6, 25: 10, 30: 3, 40: 2, 60: 1},
}
"""Games by density and side of the board; those of one side are for the progress, too."""
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


def eliminations(density: float, side: int, games: int) -> Iterator[Elimination]:
    """Yield every elimination of some games."""
    for game in range(games):
        found: list[Elimination] = []

        def deduce(board: Board, found: list[Elimination] = found) -> Deduction:
            knowledge = Knowledge(board)
            if not knowledge.single_point() and knowledge.unknown:
                columns = len({cell for cells in knowledge.unknown.values() for cell in cells})
                covered = sum(symbol in (COVERED, FLAG) for symbol in board.symbols)
                base = sum(board.number(cell) is not None for cell in board)
                gc.disable()
                begun = time.process_time()
                reduced_rows(knowledge)
                seconds = time.process_time() - begun
                gc.enable()
                share = 1 - covered / len(board.symbols)
                found.append(Elimination(share, base, len(knowledge.unknown), columns, seconds))
            return gem.deduce(board)

        rng = game_rng(0, game)
        layout = random_layout(side, side, round(density * side * side), rng)
        play(layout, Agent(deduce, random_agent.guess), RULES, rng)
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


def measured(density: float) -> dict[str, Any]:
    """Return sizes and times by board, those by progress, and exponents."""
    every: list[Elimination] = []
    sizes, progress = [], []
    for side, games in GAMES[density].items():
        found = list(eliminations(density, side, games))
        every += (one for one in found if one.rows >= LEAST_ROWS)
        sizes.append({"side": side, "games": games, **means(found)})
        print(json.dumps(sizes[-1]), flush=True)
        for tenth in range(10) if side == PROGRESS_SIDE else ():
            some = [one for one in found if tenth == min(int(10 * one.opened), 9)]
            progress += [{"opened": tenth / 10 + 0.05, **means(some)}] if some else []
    rows, cells = [one.rows for one in every], [line["side"] ** 2 for line in sizes]
    exponents = {
        "seconds_by_rows": slope(rows, [one.seconds for one in every]),
        "columns_by_rows": slope(rows, [one.columns for one in every]),
        "seconds_by_cells": slope(cells, [line["seconds"] for line in sizes]),
        "rows_by_cells": slope(cells, [line["rows"] for line in sizes]),
    }
    print(json.dumps(exponents), flush=True)
    return {"density": density, "sizes": sizes, "progress": progress, "exponents": exponents}


def figures(result: list[dict[str, Any]], folder: Path) -> None:
    """Draw sizes by progress, and time by the number of cells."""
    panels = [f"{100 * line['density']:.0f} % mines" for line in result]
    common: dict[str, Any] = {"width": 3.4, "height": 2.8, "foot": ["gem, play goes on after a mine."]}
    with styled():
        legend = [(LABELS[name], {"color": colour, "marker": "o"}) for name, colour in MARKS.items()]
        subtitle = f"{PROGRESS_SIDE}x{PROGRESS_SIDE}, means of all eliminations"
        title = "The matrix of gem in the course of a game"
        drawing, grid = framed(
            panels, title=title, subtitle=subtitle, legend=legend, xlabel="cells opened, %", **common
        )  # fmt: skip
        most = max(line["base"] for part in result for line in part["progress"])
        for axes, part in zip(grid, result, strict=True):
            for name, colour in MARKS.items():
                points = [(100 * line["opened"], line[name]) for line in part["progress"]]
                axes.plot(*zip(*points, strict=True), color=colour, marker="o")
            axes.set_ylim(0, 1.1 * most)
        save(drawing, folder / "gem_matrix_progress.svg")
        title, subtitle = "Time of one elimination by board", "milliseconds of processor time"
        shown = [("seconds", "mean", "#0072b2", "o"), ("most_seconds", "longest", "#d55e00", "s")]
        legend = [(label, {"color": colour, "marker": marker}) for _, label, colour, marker in shown]
        drawing, grid = framed(
            panels, title=title, subtitle=subtitle, legend=legend, xlabel="cells of the board", **common
        )  # fmt: skip
        times = [1000 * line[name] for part in result for line in part["sizes"] for name, *_ in shown]
        for axes, part in zip(grid, result, strict=True):
            cells = [line["side"] ** 2 for line in part["sizes"]]
            for name, _, colour, marker in shown:
                axes.loglog(cells, [1000 * line[name] for line in part["sizes"]], color=colour, marker=marker)
            axes.set_ylim(min(times) / 1.5, 1.5 * max(times))
        save(drawing, folder / "gem_matrix_size.svg")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", type=Path, help="file for the result")
    options.add_argument("--plots", type=Path, help="folder for the figures")
    chosen = options.parse_args()
    result = [measured(density) for density in GAMES]
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if chosen.plots:
        figures(result, chosen.plots)


if __name__ == "__main__":
    main()
