"""Keys of two published sets of Minesweeper questions, made again by the procedures that their authors describe.

    python benchmarks/wrong_keys.py --rows 300 [--write FOLDER]

Enigmata opens a share of the cells at random; SynLogic a share of the safe cells. A key is what single numbers prove
that have as many covered cells as mines. SynLogic repeats that with the mines that were found, which proves no more.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from satsweep.board import Board, Cell
from satsweep.games.deal import random_layout
from satsweep.learn.corpus.keys import KeyAudit, KeyedPosition, audit_key

ENIGMATA = {
    "easy": (9, 9, 0.1, 0.3),
    "medium": (12, 12, 0.15, 0.2),
    "hard": (16, 16, 0.2, 0.15),
    "expert": (16, 20, 0.25, 0.1),
}
"""Columns, rows, density of mines, share that is opened."""
SYNLOGIC = ((8, 0.2, 0.4), (8, 0.2, 0.5), (10, 0.2, 0.4), (6, 0.2, 0.4), (8, 0.3, 0.4))
"""Rows, density of mines, share of the safe cells that is opened."""


def enigmata(level: str, rng: Random) -> KeyedPosition:
    cols, rows, density, share = ENIGMATA[level]
    cells = rows * cols
    least = int(cells * share)
    while True:
        layout = random_layout(rows, cols, int(cells * density), rng)
        opened = [layout.cell(at) for at in rng.sample(range(cells), rng.randrange(least, least + int(cells * 0.05)))]
        board = layout.board([cell for cell in opened if not layout.is_mine(cell)], tells_total=False)
        if key := single_numbers(board):
            return KeyedPosition(board, key, total=layout.mines)


def synlogic(n: int, density: float, share: float, rng: Random) -> KeyedPosition:
    while True:
        layout = random_layout(n, n, int(n * n * density), rng)
        safe = [layout.cell(at) for at in range(n * n) if not layout.is_mine(layout.cell(at))]
        board = layout.board(rng.sample(safe, max(1, int(len(safe) * share))), tells_total=False)
        if key := single_numbers(board):
            return KeyedPosition(board, key, total=layout.mines)


def single_numbers(board: Board) -> frozenset[Cell]:
    """The covered cells around numbers that have no more of them than mines."""
    mines: set[Cell] = set()
    for cell in board:
        number = board.number(cell)
        around = [other for other in board.neighbours(cell) if board.is_covered(other)]
        if number and number == len(around):
            mines.update(around)
    return frozenset(mines)


def settings(seed: int, rows: int) -> Iterator[tuple[str, list[KeyedPosition]]]:
    for level in ENIGMATA:
        rng = Random(f"enigmata/{level}/{seed}")
        yield f"Enigmata, {level}", [enigmata(level, rng) for _ in range(rows)]
    for setting in SYNLOGIC:
        rng = Random(f"synlogic/{setting}/{seed}")
        n, density, share = setting
        yield f"SynLogic, {n}x{n}, {density} mines, {share} open", [synlogic(*setting, rng) for _ in range(rows)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="folder for the rows, as `satsweep audit-keys` reads them")
    given = parser.parse_args()
    print(f"{'set':40}{'incomplete':>12}{'wrong':>8}{'lacking':>20}")
    for name, positions in settings(given.seed, given.rows):
        report = KeyAudit()
        for line, position in enumerate(positions, 1):
            report.add(line, position, audit_key(position))
        share = report.verdicts["incomplete"] / report.rows
        lacking = f"{report.missing} of {report.forced}"
        print(f"{name:40}{share:12.1%}{report.verdicts['wrong']:8}{lacking:>20}", flush=True)
        if given.write is not None:
            given.write.mkdir(exist_ok=True)
            rows = ({"board": list(one.board.cells), "mined": sorted(one.key)} for one in positions)
            text = "".join(json.dumps(row) + "\n" for row in rows)
            (given.write / f"{name.translate(str.maketrans(' ', '-', ',.'))}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
