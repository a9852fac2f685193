"""The puzzles of the page's view Train, chosen from a corpus.

satsweep corpus make build/corpus --seed 2026 --count 3000 --table puzzles
satsweep corpus make build/corpus --seed 2026 --count 400 --table guesses
python scripts/puzzles.py build/corpus     write satsweep/page/static/train/puzzles.json
python scripts/puzzles.py --check [STEP]   make every row of it (every STEP-th) anew; fail if one differs

The file has at most ``MOST`` puzzles of each band, pattern and number of numbers. A puzzle is cut down to what it
needs. It has the reasons of all cells that are right, and solutions that refute all that are wrong.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from satsweep.analysis.analyse import analyse
from satsweep.analysis.endgame import endgame
from satsweep.board import HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.learn.corpus import load
from satsweep.learn.corpus.maker import candidate_of
from satsweep.learn.corpus.rows import rows_of
from satsweep.learn.corpus.tables import Row, canonical
from satsweep.render.explanation_text import explanation_values
from satsweep.render.page_values import with_parts
from satsweep.why.explainer import Explainer
from satsweep.why.values import Explanation

FILE = Path(__file__).parent.parent / "satsweep" / "page" / "static" / "train" / "puzzles.json"
MOST = 15
"""Puzzles of a kind."""
NUMBERS, SIDE, COVERED_CELLS = 6, 10, 30
"""Most numbers of a reason, rows or columns, and covered cells of a guess."""
GUESS = "best guess"
MARGIN = Fraction(1, 50)
"""Least difference between the chances to win of the best cell and the next."""

STARTS = {
    "pairs and subsets": (1200, 2),
    "several numbers": (1600, 3),
    "case distinction": (1850, 3),
    "mine total": (1450, 1),
    GUESS: (1600, 0),
}
"""Ratings of the easiest puzzles of a band, and numbers of their reasons.

They are assumed: no player has been measured.
"""
MORE = {"1-2": 50, "1-2-1": 25, "chain": 75, "subset": 100, "cases": 100}
MORE |= {"least risk is best": 0, "risks are equal": 150, "least risk is not best": 400}
"""Ratings that patterns add."""
FOR_A_NUMBER = 75
"""Rating that each further number of the reason adds."""


def rating(band: str, pattern: str, numbers: int) -> int:
    """The assumed rating of a puzzle."""
    start, least = STARTS[band]
    return start + MORE.get(pattern, 0) + FOR_A_NUMBER * (numbers - least)


@dataclass(frozen=True)
class Cut:
    """A board cut down to what is needed, and where its corner was."""

    board: Board
    top: int
    left: int

    def cell(self, cell: Cell) -> Cell:
        return Cell(cell.row - self.top, cell.col - self.left)

    def cells(self, cells: Iterable[Iterable[int]]) -> list[Cell]:
        return sorted(self.cell(Cell.of(tuple(cell))) for cell in cells)


def cut(board: Board) -> Cut:
    """Cut a board down to its covered cells, their numbers, and mines of these.

    Other mines are counted off the total, and other cells are open ones that show nothing, so the same follows.
    """
    covered = set(board.covered)
    numbers = {cell for cell in board if board[cell] in NUMBER_OF and covered & set(board.neighbours(cell))}
    mines = {cell for number in numbers for cell in board.neighbours(number) if board[cell] == MINE}
    kept = covered | numbers | mines
    rows, cols = sorted(cell.row for cell in kept), sorted(cell.col for cell in kept)
    lines = [
        "".join(
            board[cell] if cell in kept else HIDDEN for cell in (Cell(row, col) for col in range(cols[0], cols[-1] + 1))
        )
        for row in range(rows[0], rows[-1] + 1)
    ]
    away = sum(symbol == MINE for symbol in map(board.__getitem__, board)) - len(mines)
    return Cut(Board(lines, mines=None if board.mines is None else board.mines - away), rows[0], cols[0])


def puzzle(row: Row) -> dict[str, Any] | None:
    """A puzzle for the page from a row of the corpus; None if it is too large."""
    whole = Board(row["board"].splitlines(), mines=row["mines"])
    made = cut(whole)
    board, key = made.board, made.cell(Cell.of(row["cell"]))
    if not 0 < row["numbers"] <= NUMBERS or max(board.rows, board.cols) > SIDE:
        return None
    analysis = analyse(board)
    assert (made.cells(row["safe"]), made.cells(row["mined"])) == (sorted(analysis.safe), sorted(analysis.mines))
    right, others = (analysis.mines, analysis.safe) if row["mine"] else (analysis.safe, analysis.mines)
    reasons, refutations = [], list[str]()
    with Explainer(board) as explainer:
        for cell in [key, *sorted(set(right) - {key})]:
            found = explainer.of(cell)
            assert isinstance(found, Explanation)
            reasons.append(_reason(found))
        assert reasons[0]["rule"] == row["pattern"]
        for cell in board.covered:
            if cell in right or cell in others:
                continue
            undecided = explainer.of(cell)
            assert not isinstance(undecided, Explanation)
            at = cell.row * board.cols + cell.col
            # A solution in which the cell is not what is asked for; one that refutes another cell may do.
            world = "".join((undecided.safe if row["mine"] else undecided.mined).cells)
            if not any((one[at] == MINE) != row["mine"] for one in refutations):
                refutations.append(world)
    return {
        **{"id": row["id"], "band": row["band"], "pattern": row["pattern"]},
        "rating": rating(row["band"], row["pattern"], row["numbers"]),
        **{"board": str(board), "mine": row["mine"], "reasons": reasons, "others": others, "refutations": refutations},
    }


def _reason(found: Explanation) -> dict[str, Any]:
    values = explanation_values(found)
    steps = values["steps"]
    assert isinstance(steps, list)
    told = with_parts([{name: step[name] for name in ("said", "clues", "cells")} for step in steps])
    return {name: values[name] for name in ("cell", "clues", "total", "rule")} | {"steps": told}


def guess(row: Row) -> dict[str, Any] | None:
    """A choice between guesses; None if it is too large, or nothing is to choose."""
    whole = Board(row["board"].splitlines(), mines=row["mines"])
    made = cut(whole)
    board = made.board
    if max(board.rows, board.cols) > SIDE or len(board.covered) > COVERED_CELLS:
        return None
    analysis = analyse(board)
    search = endgame(analysis)
    assert search is not None
    wins = {cell: search.win_with(cell) for cell in board.covered}
    risks = {cell: analysis.risk(cell) for cell in board.covered}
    best = sorted((cell for cell in board.covered if wins[cell] == max(wins.values())), key=risks.__getitem__)
    assert (max(wins.values()), sorted(best)) == (Fraction(row["win"]), made.cells(row["best"]))
    next_best = max((win for cell, win in wins.items() if cell not in best), default=Fraction(0))
    if 3 * len(best) > len(wins) or wins[best[0]] - next_best < MARGIN:
        return None
    least = [cell for cell in board.covered if risks[cell] == analysis.least_risk]
    pattern = "least risk is best" if set(least) <= set(best) else "risks are equal"
    if not set(least) & set(best):
        pattern = "least risk is not best"
    return {
        **{
            "id": row["id"],
            "band": GUESS,
            "pattern": pattern,
            "rating": rating(GUESS, pattern, 0),
            "board": str(board),
        },
        "best": best,
        "chances": [[*cell, str(risks[cell]), str(wins[cell])] for cell in board.covered],
    }


MAKERS = {"puzzles": puzzle, "guesses": guess}


def chosen(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield puzzles from the rows of a folder, at most MOST of a kind."""
    forms = set()
    for table, made in MAKERS.items():
        kinds: Counter[tuple[object, ...]] = Counter()
        last: dict[tuple[object, ...], int] = {}
        for row in load(folder, table):
            found = made(row)
            if found is None:
                continue
            kind = (found["band"], found["pattern"], row.get("numbers"))
            form = canonical(Board.from_text(found["board"]).cells)
            # Puzzles of one game are often much the same.
            if kinds[kind] < MOST and last.get(kind) != candidate_of(row) and form not in forms:
                forms.add(form)
                kinds[kind] += 1
                last[kind] = candidate_of(row)
                yield found


def again(entry: dict[str, Any]) -> object:
    """An entry made anew from its id alone, as JSON has it."""
    table, seed, number = entry["id"].split("-")
    rows = rows_of(table, seed, int(number.rstrip("abcdefghijklmnopqrstuvwxyz")))
    found = [MAKERS[table](row) for row in rows if row["id"] == entry["id"]]
    return json.loads(json.dumps(found[0])) if found else None


def main() -> None:
    """Write the file, or compare it with what its rows give today."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    parser.add_argument("--check", nargs="?", const=1, type=int, metavar="STEP")
    arguments = parser.parse_args()
    if arguments.check:
        wrong = [
            entry["id"] for entry in json.loads(FILE.read_text("utf-8"))[:: arguments.check] if again(entry) != entry
        ]
        if wrong:
            sys.exit(f"{FILE.name} differs in {', '.join(wrong)}: write it anew")
    elif arguments.folder:
        order = list(STARTS).index
        found = sorted(chosen(arguments.folder), key=lambda entry: (order(entry["band"]), entry["rating"]))
        lines = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in found]
        FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
        print(f"{len(lines)} puzzles in {FILE.name}")
    else:
        parser.error("expected FOLDER or --check")


if __name__ == "__main__":
    main()
