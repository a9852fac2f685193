"""How well pictures are read: ``python benchmarks/pictures.py DIRECTORY [NAME...]``.

The directory has pictures and beside each NAME.txt its board, a character a cell; ``?`` is not scored, and neither is a
cell that the board has and the picture cuts. Each picture is read three times over: by looks alone, with the local
rules, and with the exact engine. A table tells of doubtful cells how many are right at each probability said.
``python -m tests.pictures.skins DIRECTORY`` makes such a directory.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from satsweep.errors import BoardError
from satsweep.formats.pictures.reading import RULES, Reading, read_picture

BOUNDS = (0.0, 0.4, 0.6, 0.8, 0.9, 0.95, 1.01)
SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


@dataclass(frozen=True)
class Score:
    """One picture: is its grid right, how many of its cells are wrong, and how many of these bear no doubt."""

    name: str
    grid: bool
    cells: int
    wrong: int = 0
    silent: int = 0
    doubts: int = 0
    seconds: float = 0.0
    said: tuple[tuple[float, bool], ...] = ()
    """For each doubtful cell the probability of what was read, and whether it is right."""


def score(name: str, truth: Sequence[str], reading: Reading | None, seconds: float) -> Score:
    """Score of a reading, none if the reader gave up."""
    cells = [(row, col) for row, line in enumerate(truth) for col, symbol in enumerate(line) if symbol != "?"]
    if reading is None or (reading.board.rows, reading.board.cols) != (len(truth), len(truth[0])):
        return Score(name, False, len(cells), seconds=seconds)
    doubted = {*reading.doubts, *reading.conflict}
    wrong = [cell for cell in cells if truth[cell[0]][cell[1]] != reading.board[cell]]
    silent = sum(cell not in doubted for cell in wrong)
    said = tuple(
        (symbols.get(reading.board[cell], 0.0), truth[cell.row][cell.col] == reading.board[cell])
        for cell, symbols in reading.doubts.items()
        if truth[cell.row][cell.col] != "?"
    )
    return Score(name, True, len(cells), len(wrong), silent, len(doubted), seconds, said)


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """Figures of all pictures."""
    there = [one for one in scores if one.grid]
    cells = sum(one.cells for one in there)
    return {
        "pictures": len(scores),
        "grids": len(there),
        "whole": sum(one.wrong == 0 for one in there),
        "cells": cells,
        "wrong": sum(one.wrong for one in there),
        "doubted": sum(one.doubts for one in there),
        "silent boards": sum(one.silent > 0 for one in there),
        "median seconds": round(median(one.seconds for one in scores), 2),
        "most seconds": round(max(one.seconds for one in scores), 2),
    }


def calibration(scores: Sequence[Score]) -> list[tuple[str, int, float, float]]:
    """Doubtful cells by the probability said: how many, its mean, and the share that is right."""
    said = [one for score in scores for one in score.said]
    found = []
    for low, high in pairwise(BOUNDS):
        part = [one for one in said if low <= one[0] < high]
        if part:
            mean, right = (sum(float(one[at]) for one in part) / len(part) for at in (0, 1))
            found.append((f"{low:.2f} to {high:.2f}", len(part), round(mean, 3), round(right, 3)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("names", nargs="*", help="only these pictures")
    parser.add_argument("--rules", choices=RULES, nargs="*", default=list(RULES), help="ways to decide")
    parser.add_argument("--json", type=Path, help="file for all figures")
    parser.add_argument("--quiet", action="store_true", help="only the summaries")
    given = parser.parse_args()
    files = sorted(
        file
        for file in given.directory.iterdir()
        if file.suffix.lower() in SUFFIXES and file.with_suffix(".txt").exists()
        and (not given.names or file.stem in given.names)
    )  # fmt: skip
    if not files:
        sys.exit(f"{given.directory}: expected pictures with boards beside them, found none")
    results = {}
    for rules in given.rules:
        scores = []
        for file in files:
            truth = file.with_suffix(".txt").read_text().split()
            started = time.process_time()
            try:
                reading = read_picture(file, rules=rules)
            except BoardError:
                reading = None
            scores.append(score(file.stem, truth, reading, round(time.process_time() - started, 2)))
            if not given.quiet:
                print(rules, scores[-1])
        results[rules] = {"summary": summary(scores), "pictures": [asdict(one) for one in scores]}
        print(rules, results[rules]["summary"])
        for row in calibration(scores):
            print(rules, "said {}: {} cells, mean {:.3f}, right {:.3f}".format(*row))
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
