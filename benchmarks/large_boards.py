"""Large boards after their zeros were opened: processor time of each part of an answer.

    python benchmarks/large_boards.py --output benchmarks/results/large_boards.json

The board is made, forced cells and worlds are found, then the risks of all cells as floats, then the best cell. Each
board has a process of its own, so nothing is known of it; ``a cell`` is the sum of all by the cells of the board.
"""

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import convolve, maximum_filter

from satsweep import Board, analyse

BOARDS = ((100, 0.18), (200, 0.18), (500, 0.18), (1000, 0.18), (350, 0.25), (700, 0.25), (1000, 0.25))


def opened_zeros(size: int, density: float) -> tuple[list[str], int]:
    """Rows of a square board of which all zeros and the cells around them are open."""
    rng = np.random.default_rng(7)
    mines = np.zeros((size, size), np.int8)
    mines.flat[rng.choice(size * size, int(density * size * size), replace=False)] = 1
    around = convolve(mines, np.ones((3, 3), np.int8), mode="constant")
    shown = np.where(maximum_filter(around == 0, 3), around + ord("0"), ord("#")).astype(np.uint8)
    return [row.tobytes().decode("ascii") for row in shown], int(mines.sum())


def measured(size: int, density: float) -> dict[str, Any]:
    analyse(Board(("#1", "##"), mines=1)).to_array()  # loads what all boards need
    rows, mines = opened_zeros(size, density)
    times = [time.process_time()]
    board = Board(rows, mines=mines)
    times.append(time.process_time())
    found = analyse(board)
    times.append(time.process_time())
    assert np.nansum(found.to_array()) - mines < 1e-6 * mines
    times.append(time.process_time())
    assert found.best is not None
    times.append(time.process_time())
    parts = [after - before for before, after in zip(times, times[1:], strict=False)]
    return {
        "board": f"{size}x{size}, {density}",
        "components": len(found.work),
        "seconds": dict(zip(("board", "analyse", "risks", "best"), parts, strict=True)),
        "microseconds_a_cell": 1e6 * sum(parts) / size**2,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="JSON file")
    given = parser.parse_args()
    found = []
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        for size, density in BOARDS:
            found.append(pool.submit(measured, size, density).result())
            print(json.dumps(found[-1]))
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
