"""Best play on whole boards, exactly: the most layouts that any player can win.

    python benchmarks/optimal.py --boards 5x5/8 6x6/4 --seconds 600 --output benchmarks/results/optimal.jsonl
    python benchmarks/optimal.py --play deep:4 --most 100000 --output benchmarks/results/optimal.jsonl

A board is solved for two rules: the first cell is safe, or it is a zero. Among the layouts that the rule allows, the
player wins a fraction; the result is the greatest fraction, over all first cells and all ways to go on. Results are
appended one by one as JSON; a board that the output already has is not solved again. Time is that of one core. The
second command lets a player play all layouts of the solved boards, from the best first cells.

Positions with at most ``FEW`` worlds go to the compiled search of endgames. Larger ones are searched here: what safe
cells show falls into parts, whose values add up; where no cell is safe the best cell counts. The search is branch and
bound: a set of worlds is asked whether it is worth more than ``above``, and first cells that cannot beat the best one
are left as soon as that is known. A set is given by the cells that look the same in all its worlds, and what they look
like (``satsweep.kernels.endgame.sets``), so positions that are mirror images of each other are solved once.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from strength import read_policy

from satsweep.kernels.api import neighbour_table, play_games
from satsweep.kernels.endgame.few import BUDGET, MINE, NODES, UNLIMITED
from satsweep.kernels.endgame.search import value
from satsweep.kernels.endgame.sets import FULL, Sets, prepare, sets
from satsweep.kernels.shared.memory import Depth
from satsweep.topology import SQUARE

FEW = 2_000_000
"""Most worlds of a set that goes to the compiled search."""
Worlds = NDArray[np.uint8]
"""What each cell shows in each world, or ``MINE``: (cells, worlds)."""


class Bounds(NamedTuple):
    """Bounds on the worlds that best play wins; equal where it is known exactly."""

    low: int
    high: int


class Grid(NamedTuple):
    """A rectangle with a number of mines."""

    rows: int
    cols: int
    mines: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}/{self.mines}"

    @classmethod
    def read(cls, text: str) -> Grid:
        """Return the board of a text such as ``6x6/4``."""
        rows, _, rest = text.partition("x")
        cols, _, mines = rest.partition("/")
        return cls(int(rows), int(cols), int(mines))

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.rows * self.cols

    def symmetries(self) -> NDArray[np.intp]:
        """Return for each mirror image or rotation the cell that comes to each place."""
        here = np.arange(self.cells).reshape(self.rows, self.cols)
        images = [here, here[::-1], here[:, ::-1], here[::-1, ::-1]]
        if self.rows == self.cols:
            images += [image.T for image in images]
        return np.unique([image.ravel() for image in images], axis=0)

    def first_cells(self) -> list[int]:
        """Return one cell of each symmetry class, the corner first; last if there are many mines.

        With few mines the best first cell is one that is likely to be a zero, with many one that tells more.
        """
        classes = {int(cell) for cell in self.symmetries().min(0)}
        near = SQUARE.neighbours(self.rows, self.cols)
        sign = 1 if 3 * self.mines < self.cells else -1
        return sorted(classes, key=lambda cell: (sign * len(near[cell]), cell))

    def worlds(self) -> Worlds:
        """Return all layouts."""
        mined = np.zeros((self.cells, comb(self.cells, self.mines)), np.uint8)
        fill_choices(mined, self.mines)
        shown = np.zeros_like(mined)
        for cell, near in enumerate(SQUARE.neighbours(self.rows, self.cols)):
            for other in near:
                shown[cell] += mined[other]
        shown[mined == 1] = MINE
        return shown


def fill_choices(mined: Worlds, mines: int) -> None:
    """Write all choices of some cells as columns of 0 and 1."""
    if mines == 0 or mines == len(mined):
        mined[:] = mines > 0
        return
    with_first = comb(len(mined) - 1, mines - 1)
    mined[0, :with_first] = 1
    fill_choices(mined[1:, :with_first], mines - 1)
    fill_choices(mined[1:, with_first:], mines)


class Search:
    """Search for best play from positions of one board."""

    def __init__(self, grid: Grid, few: int = FEW) -> None:
        self.grid, self.few = grid, few
        self.symmetries = grid.symmetries()
        near = SQUARE.neighbours(grid.rows, grid.cols)
        self.scopes = [[cell, *near[cell]] for cell in range(grid.cells)]
        self.known: dict[bytes, Bounds] = {}
        self.nodes = 0

    def key(self, worlds: Worlds) -> bytes:
        """Return the key of a set: how its settled cells look, mirrored if need be."""
        look = self.look(worlds)
        return min(bytes(look[image]) for image in self.symmetries)

    def look(self, worlds: Worlds) -> Worlds:
        """Return what the settled cells of a set look like, ``MINE - 1`` for the others."""
        first = worlds[:, :1]
        return np.where((worlds == first).all(1), first[:, 0], np.uint8(MINE - 1))

    def value(self, worlds: Worlds, above: int) -> Bounds:
        """Return bounds that meet if the value exceeds ``above``; else the upper is at most that."""
        count = worlds.shape[1]
        if count == 1:
            return Bounds(1, 1)
        if count <= above:
            return Bounds(1, count)
        key = self.key(worlds)
        low, high = self.known.get(key, (1, count))
        if low == high or high <= above:
            return Bounds(low, high)
        found = self._searched(worlds, above)
        found = Bounds(max(low, found.low), min(high, found.high))
        self.known[key] = found
        return found

    def _searched(self, worlds: Worlds, above: int) -> Bounds:
        unlike = (worlds != worlds[:, :1]).any(1)
        safe = (worlds != MINE).all(1)
        telling = np.flatnonzero(unlike & safe)
        if len(telling):
            return self.opened(worlds, telling, above)
        if worlds.shape[1] <= self.few:
            return self.finished(worlds, np.flatnonzero(unlike), above)
        best, high = 1, 0
        chances = [(self.hope(worlds, cell), int(cell)) for cell in np.flatnonzero(unlike)]
        for hope, cell in sorted(chances, reverse=True):
            if hope <= max(above, best):
                high = max(high, hope)
                break
            found = self.opened(worlds[:, worlds[cell] != MINE], [cell], max(above, best))
            best, high = max(best, found.low), max(high, found.high)
        return Bounds(best, max(best, high))

    def hope(self, worlds: Worlds, cell: int | np.intp) -> int:
        """Return an upper bound of the worlds that are won if a cell is opened."""
        return int((worlds[cell] != MINE).sum())

    def opened(self, worlds: Worlds, cells: Any, above: int) -> Bounds:
        """Return bounds on the value after safe cells have shown their numbers."""
        parts = list(parts_of(worlds, cells))
        most = [self.most(part) for part in parts]
        low, high = 0, sum(most)
        for part, bound in zip(parts, most, strict=True):
            if high <= above:
                break
            high -= bound
            found = self.value(part, above - high)
            low, high = low + found.low, high + found.high
        return Bounds(low, high)

    def most(self, worlds: Worlds) -> int:
        """Return the upper bound of a set that is known already."""
        return self.known.get(self.key(worlds), Bounds(1, worlds.shape[1])).high

    def finished(self, worlds: Worlds, cells: NDArray[np.intp], above: int) -> Bounds:
        """Return bounds by the compiled search. No cell outside of ``cells`` differs."""
        room, count = self.room(worlds, cells), worlds.shape[1]
        images = [image for image in self.symmetries if (self.look(worlds)[image] == self.look(worlds)).all()]
        if len(images) == 1:
            return self._bounds(value(room, 0, count, -1, above, count, 0), room)
        # The set is its own mirror image: of cells that are images of each other, one is tried.
        classes = sorted({int(min(image[cell] for image in images)) for cell in cells})
        classes.sort(key=lambda cell: -self.hope(worlds, cell))
        best, high = 1, 0
        for cell in classes:
            at = int(np.searchsorted(cells, cell))
            found = self._bounds(value(room, 0, count, at, max(above, best), count, 0), room)
            best, high = max(best, found.low), max(high, found.high)
        return Bounds(best, max(best, high))

    def _bounds(self, found: tuple[int, int], room: Sets) -> Bounds:
        self.nodes += int(room.spent[NODES])
        room.spent[NODES] = 0
        assert not room.size[FULL], "the room is too small"
        return Bounds(int(found[0]), int(found[1]))

    def room(self, worlds: Worlds, cells: NDArray[np.intp]) -> Sets:
        """Return the problem of a set of worlds, for the compiled search."""
        count = worlds.shape[1]
        slots = 1 << max(12, count.bit_length() + 4)
        room = sets(count, len(cells), scopes=self.grid.cells, slots=slots)
        room.code[:, : len(cells)] = worlds[cells].T
        place = {int(cell): at for at, cell in enumerate(cells)}
        for at, scope in enumerate(self.scopes):
            room.owner[at] = place.get(at, -1)
            for cell in scope:
                if cell in place:
                    room.scope[at, place[cell] >> 6] |= np.uint64(1 << (place[cell] & 63))
        room.chosen[:count] = np.arange(count)
        prepare(room, count, len(cells), len(self.scopes))
        room.spent[NODES], room.spent[BUDGET], room.size[FULL] = 0, UNLIMITED, 0
        return room


def parts_of(worlds: Worlds, cells: Any) -> Iterator[Worlds]:
    """Return the parts of a set in which some cells show the same, smallest first."""
    seen = worlds[cells]
    order = np.lexsort(seen)
    seen = seen[:, order]
    ends = np.flatnonzero((seen[:, 1:] != seen[:, :-1]).any(0)) + 1
    parts = np.split(order, ends)
    return (worlds[:, part] for part in sorted(parts, key=len))


class Rule:
    """The best first cell under one rule, as far as they have been looked at."""

    def __init__(self) -> None:
        self.cell, self.won, self.boards = -1, 0, 0
        self.cells: dict[int, list[int]] = {}

    def above(self, boards: int) -> int:
        """Return the most that a first cell with this many boards can win without being better."""
        return self.won * boards // self.boards if self.boards else 0

    def note(self, cell: int, found: Bounds, boards: int) -> None:
        """Note the bounds of a first cell."""
        self.cells[cell] = [found.low, found.high, boards]
        if found.low == found.high and Fraction(found.low, boards) > Fraction(self.won, self.boards or 1):
            self.cell, self.won, self.boards = cell, found.low, boards


def solve(grid: Grid, few: int = FEW) -> dict[str, Any]:
    """Return the best first cells of a board, and what is won from there, for both rules."""
    clock = time.process_time()
    search, everything = Search(grid, few), grid.worlds()
    safe, zero = Rule(), Rule()
    answers: dict[int, dict[int, list[int]]] = {}
    for cell in grid.first_cells():
        worlds = everything[:, everything[cell] != MINE]
        if not worlds.shape[1]:
            continue
        zeros = worlds[:, worlds[cell] == 0]
        if zeros.shape[1]:
            count = zeros.shape[1]
            zero.note(cell, search.value(zeros, zero.above(count)), count)
        found = search.opened(worlds, [cell], safe.above(worlds.shape[1]))
        safe.note(cell, found, worlds.shape[1])
        if found.low == found.high:
            parts = [worlds[:, worlds[cell] == number] for number in np.unique(worlds[cell])]
            answers[cell] = {int(part[cell, 0]): [search.value(part, 0).low, part.shape[1]] for part in parts}
    return {
        "board": str(grid),
        "safe": result(grid, safe),
        "zero": result(grid, zero),
        "answers": answers.get(safe.cell),
        "seconds": round(time.process_time() - clock, 2),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "nodes": search.nodes,
    }


def result(grid: Grid, rule: Rule) -> dict[str, Any] | None:
    """Return the best first cell of a rule as JSON, None if no cell can keep the promise."""
    if not rule.boards:
        return None
    cells = {"{},{}".format(*divmod(cell, grid.cols)): found for cell, found in rule.cells.items()}
    return {"cell": list(divmod(rule.cell, grid.cols)), "won": rule.won, "boards": rule.boards, "cells": cells}


def play(grid: Grid, rule: str, cell: int, policy: str, level: int | Depth) -> int:
    """Return how many layouts a player wins, of all that the rule allows for a first cell."""
    shown = grid.worlds()
    shown = shown[:, (shown[cell] == 0) if rule == "zero" else (shown[cell] != MINE)]
    near = SQUARE.neighbours(grid.rows, grid.cols)
    # Games that begin alike one after the other: that is quicker where the board is searched from its first cell.
    layouts = (shown == MINE).astype(np.int8).T[np.lexsort((*shown[list(near[cell])], shown[cell]))]
    played = play_games(
        neighbour_table(near), grid.mines, "all", range(len(layouts)),
        first=rule, start=cell, layouts=layouts, policy=policy, level=level,
    )  # fmt: skip
    return int(played["won"].sum())


def append(line: dict[str, Any], path: Path | None) -> None:
    """Print a result, and keep it."""
    text = json.dumps(line)
    print(text, flush=True)
    if path:
        with path.open("a") as file:
            print(text, file=file)


def _solve(text: str, seconds: int, path: Path | None) -> None:
    """Solve a board in a process of its own."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    append(solve(Grid.read(text)), path)


def main() -> None:
    """Solve the boards that the output does not have yet, or play those that it has."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", default=[], help="rows x columns / mines, such as 6x6/4")
    parser.add_argument("--seconds", type=int, default=600, help="processor time after which a board is given up")
    parser.add_argument("--output", type=Path, help="file of results, one line of JSON each")
    parser.add_argument("--play", metavar="PLAYER", help="such as deep:4; it plays all layouts of the boards")
    parser.add_argument("--most", type=int, default=100_000, help="layouts above which a board is not played")
    asked = parser.parse_args()
    kept = asked.output.read_text().splitlines() if asked.output and asked.output.exists() else []
    lines = [json.loads(line) for line in kept]
    solved = {line["board"]: line for line in lines if "player" not in line}
    for board in asked.boards:
        if board not in solved and not asked.play:
            process = get_context("spawn").Process(target=_solve, args=(board, asked.seconds, asked.output))
            process.start()
            process.join()
            if process.exitcode:
                print(f"{board}: not solved in {asked.seconds} s", flush=True)
    if asked.play:
        known = {(line["board"], line["rule"]) for line in lines if line.get("player") == asked.play}
        for board in asked.boards or solved:
            for rule in "safe", "zero":
                best = solved[board][rule]
                if best and best["boards"] <= asked.most and (board, rule) not in known:
                    grid, (row, col) = Grid.read(board), best["cell"]
                    won = play(grid, rule, row * grid.cols + col, *read_policy(asked.play))
                    line = {"board": board, "rule": rule, "player": asked.play, "won": won, "best": best["won"]}
                    append(line, asked.output)


if __name__ == "__main__":
    main()
