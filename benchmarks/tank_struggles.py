"""Positions in which tank has to guess, and the safe cells that it misses there.

    python benchmarks/tank_struggles.py --games 200 --json benchmarks/results/tank_struggles.json

Tank plays on 20x20 boards with rising numbers of mines, the first cell safe. Each time that it guesses with a number
open, the exact analysis tells three cases apart: a safe cell follows from the numbers, only from the mine total as
well, or none does. The first is grouped by the least numbers that prove some safe cell, and for each stronger agent it
is counted how often it would have found one at that moment. One position of each group, the smallest, is kept: cut out
around its numbers, with ``?`` for open cells whose number takes no part.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from satsweep import Board, Cell, Rules, agent_named, analyse, play, random_layout
from satsweep.agents import tank
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.deal import game_rng
from satsweep.why import Explainer, Explanation

STRONGER = ("subset", "gem", "gem-full", "gem-refute")
MOST_NUMBERS = 6
"""Groups of this many numbers and more are one."""


def stuck_positions(rows: int, cols: int, mines: int, games: int) -> Iterator[Board]:
    """Yield each board at which tank guesses, but for the first cells of games."""
    for game in range(games):
        seen: list[Board] = []

        def guess(board: Board, rng: Random, seen: list[Board] = seen) -> Guess | None:
            seen.append(board)
            return tank.guess(board, rng)

        rng = game_rng(0, game)
        play(random_layout(rows, cols, mines, rng), Agent(tank.deduce, guess), Rules(), rng)
        yield from (board for board in seen if any(board.number(cell) is not None for cell in board))


def shortest(board: Board) -> Explanation | None:
    """Return the smallest proof of a safe cell; None if no cell is safe."""
    known = board.trusting_flags()
    analysis = analyse(known)
    by_total = set(analysis.stages["mine total"])
    cells = [cell for cell in analysis.safe if cell not in by_total] or analysis.safe[:1]
    with Explainer(known, analysis=analysis) as explainer:
        found = [explainer.of(cell) for cell in cells]
    return min((why for why in found if isinstance(why, Explanation)), key=lambda why: len(why.clues), default=None)


def relation(clues: tuple[Cell, ...]) -> str:
    """Return the group of a proof from numbers: how many there are, and two's distance."""
    if len(clues) == 2:
        apart = max(abs(clues[0].row - clues[1].row), abs(clues[0].col - clues[1].col))
        return "2 neighbouring numbers" if apart == 1 else "2 numbers, 2 cells apart"
    return f"{len(clues)} numbers" if len(clues) < MOST_NUMBERS else f"{MOST_NUMBERS} numbers or more"


def window(why: Explanation) -> dict[str, Any]:
    """Return the part of a board around a proof as text, and where its safe cell is."""
    board = why.board
    shown = {*why.clues, *(cell for clue in why.clues for cell in board.neighbours(clue))}
    top, left = (min(cell[axis] for cell in shown) for axis in (0, 1))
    bottom, right = (max(cell[axis] for cell in shown) for axis in (0, 1))

    def symbol(cell: Cell) -> str:
        if board.number(cell) is not None and cell not in why.clues:
            return "?"
        return board[cell]

    lines = [
        "".join(symbol(Cell(row, col)) if (row, col) in shown else " " for col in range(left, right + 1))
        for row in range(top, bottom + 1)
    ]
    return {"board": lines, "safe": [why.cell.row - top, why.cell.col - left], "cells": len(shown)}


def struggles(mines: int, games: int, kept: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the counts for one number of mines; ``kept`` gets smaller positions."""
    cases, groups, found = Counter[str](), Counter[str](), Counter[str]()
    for board in stuck_positions(20, 20, mines, games):
        why = shortest(board)
        cases["nothing is safe" if why is None else "mine total" if why.total else "numbers"] += 1
        if why is not None and not why.total:
            group = relation(why.clues)
            groups[group] += 1
            found.update(name for name in STRONGER if Deduction.of(agent_named(name).deduce(board), board).safe)
            cut = window(why)
            if group not in kept or (cut["cells"], cut["board"]) < (kept[group]["cells"], kept[group]["board"]):
                kept[group] = cut
    return {"mines": mines, "games": games, "cases": dict(cases), "groups": dict(groups), "found": dict(found)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=200, help="games for each number of mines")
    options.add_argument("--mines", type=int, nargs="+", default=[40, 50, 60, 70, 80])
    options.add_argument("--json", type=Path, help="file for the result")
    chosen = options.parse_args()
    kept: dict[str, dict[str, Any]] = {}
    counts = []
    for mines in chosen.mines:
        counts.append(struggles(mines, chosen.games, kept))
        print(json.dumps(counts[-1]), flush=True)
        if chosen.json:
            result = {"counts": counts, "positions": dict(sorted(kept.items()))}
            chosen.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for group, cut in sorted(kept.items()):
        print(group, cut["safe"], *cut["board"], sep="\n")


if __name__ == "__main__":
    main()
