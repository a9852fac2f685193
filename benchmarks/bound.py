"""Upper bound of the chance to win that no player can exceed (docs/optimal.md).

    python benchmarks/bound.py --to benchmarks/results/bound.json

The player of a *relaxation* is told more than the rules allow, and is never worse off:

* After some guesses the player is told all cells outside of a few *windows* and the number of mines in each window.
  Then windows are games of their own, and the chance to win is the product of their values, which the endgame search
  computes exactly. A window that is too large for the search is cut in two: the line between is told as well.
* Before that, every guess is a maximum over all covered cells, computed on a sample of worlds. The expected maximum of
  means is at least the maximum of the expected ones, so a sample can only raise the bound.

``bound_position`` has both; docs/optimal.md has the proof. The boards are those whose first cell, in the corner, is a
zero: each is bounded at its first guess. The other first numbers are three positions, bounded after two guesses, each
on large samples. Values are written to the file as they come, and a run goes on from there.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.games.deal import LEVELS
from satsweep.kernels.api import DEEP, NeighbourTable, advise, neighbour_table, positions, sample_worlds
from satsweep.kernels.shared.memory import COVERED, FINE, IMPOSSIBLE, MINE, SAFE
from satsweep.topology import SQUARE

Cells = NDArray[np.int8]
"""Symbols of cells, or 1 for a mine and 0 for none; a row for each world."""
Window = tuple[int, int, int, int]
"""First row, rows, first column, columns."""
SEARCH = DEEP[4]._replace(worlds=3_000, nodes=20_000)
"""Limits of the exact search of a window; 30,000 worlds lower the bound by 0.3 points, and take four times as long."""
LIVE = 40
"""Most covered cells of a window that is searched, and half again as many of a board."""
SMALL = 20
"""Cells of a window that is not cut any more."""
STEADY = 0.65
"""Weight of the control variate, about the mean chance to win of a board that has been told."""
NARROW = 64
"""Boards of more cells are never solved from the root by ``advise``."""


class Size(NamedTuple):
    """Rows, columns and mines of a board."""

    rows: int
    cols: int
    mines: int


class Plan(NamedTuple):
    """Effort of a bound: sampled worlds, and guesses before the player is told.

    Worlds with the same history are a group. After a guess, groups of at least ``least`` worlds go on to the next one,
    of ``guesses`` at most; the others are told.
    """

    worlds: int
    guesses: int
    least: int = 1


class Told(NamedTuple):
    """Values of the parts of told boards.

    ``value[i, p]`` is the value of part p of world i, 1 where there is none; ``part[i, cell]`` is the part in which a
    cell is still undecided, or -1; ``safety[i, cell]`` is the chance that it is safe, 1 or 0 where it is decided.
    """

    value: NDArray[np.float64]
    part: NDArray[np.int16]
    safety: NDArray[np.floating[Any]]


@lru_cache(64)
def table_of(rows: int, cols: int) -> NeighbourTable:
    return neighbour_table(SQUARE.neighbours(rows, cols))


def show(mined: Cells) -> Cells:
    """Symbols of all cells when everything is open; ``mined`` has shape (worlds, rows, columns)."""
    rows, cols = mined.shape[1:]
    wide = np.pad(mined, [(0, 0), (1, 1), (1, 1)])
    around = sum(
        wide[:, 1 + down : 1 + down + rows, 1 + right : 1 + right + cols]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if down or right
    )
    return np.where(mined == 1, MINE, around).astype(np.int8)


def cut(size: Size) -> list[Window]:
    """The windows of a board: its halves, without the line between them."""
    rows, cols, _ = size
    if cols >= rows:
        half = cols // 2
        return [(0, rows, 0, half), (0, rows, half + 1, cols - half - 1)]
    half = rows // 2
    return [(0, half, 0, cols), (half + 1, rows - half - 1, 0, cols)]


CLEARED, STUCK, WIDE = range(3)
"""State of a position after all forced moves; wide if it is beyond the kernels."""


def open_forced(
    symbols: Cells, truth: Cells, table: NeighbourTable, mines: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Open the forced cells of many positions, in place, until none is left. Returns risks and states."""
    state = np.full(len(symbols), CLEARED)
    risks = np.full(symbols.shape, np.nan)
    live = np.arange(len(symbols))
    while len(live):
        now = symbols[live]
        status, found = positions(now, table, mines[live].tolist())
        assert (status != IMPOSSIBLE).all()
        found[status != FINE] = np.nan
        sure = (found == 0) | (found == 1)
        symbols[live] = np.where(sure, truth[live], now)
        rest = ((now == COVERED) & ~sure).any(1)
        on = (found == 0).any(1)
        state[live] = np.where(status != FINE, WIDE, np.where(rest, STUCK, CLEARED))
        risks[live[~on]] = found[~on]
        live = live[on]
    return risks, state


def search(symbols: Cells, table: NeighbourTable, mines: int) -> float | None:
    """Exact chance to win of a position by best play, None if it takes too long."""
    found = advise(symbols, table, int(mines), SEARCH)
    return found.value if found.exact else None


def tell(size: Size, mined: Cells, known: NDArray[np.bool_], windows: Sequence[Window], live: int = LIVE) -> Told:
    """Tell the player of each world all cells outside of the windows, and the mines of each window.

    ``mined`` and ``known`` (open, or known as a mine) have shape (worlds, rows, columns). A window in which a guess is
    due is a part: its value is exact, or, if it cannot be searched, it is cut in two by a told line; the smallest ones
    count as the safety of their safest cell.
    """
    worlds, (rows, cols, _) = len(mined), size
    outside = np.ones((rows, cols), bool)
    for top, high, left, wide in windows:
        outside[top : top + high, left : left + wide] = False
    known = known | outside
    parts: list[list[float]] = [[] for _ in range(worlds)]
    part = np.full((worlds, rows, cols), -1, np.int16)
    safety = 1.0 - mined
    jobs = [(window, np.arange(worlds)) for window in windows]
    while jobs:
        (top, high, left, wide), some = jobs.pop()
        inside = (slice(top, top + high), slice(left, left + wide))
        some = some[~known[(some, *inside)].all((1, 2))]
        if not len(some):
            continue
        symbols, truth, total, table = pose(size, mined[some], known[some], (top, high, left, wide))
        risks, state = open_forced(symbols, truth, table, total)
        covered = (symbols == COVERED).reshape(len(some), high + 2, -1)[:, 1 : high + 1, 1 : wide + 1]
        known[(some, *inside)] = ~covered
        rest = []
        for at in np.flatnonzero(state != CLEARED):
            world, open_cells = some[at], np.count_nonzero(covered[at])
            value: float | None = None
            if state[at] == STUCK and open_cells <= live:
                value = search(symbols[at], table, total[at])
            if value is None and high * wide > SMALL and max(high, wide) > 3:
                rest.append(world)
                continue
            if value is None:
                value = 1.0 if state[at] == WIDE else 1 - float(np.nanmin(risks[at]))
            part[(world, *inside)][covered[at]] = len(parts[world])
            if state[at] == STUCK:
                safety[(world, *inside)][covered[at]] = 1 - risks[at, symbols[at] == COVERED]
            parts[world].append(value)
        if rest:
            worlds_left = np.array(rest)
            for piece in cut(Size(high, wide, 0)):
                jobs.append(((top + piece[0], piece[1], left + piece[2], piece[3]), worlds_left))
            line = np.ones((high, wide), bool)
            for piece in cut(Size(high, wide, 0)):
                line[piece[0] : piece[0] + piece[1], piece[2] : piece[2] + piece[3]] = False
            known[(worlds_left, *inside)] |= line
    values = np.ones((worlds, max(1, *map(len, parts))))
    for row, found in zip(values, parts, strict=True):
        row[: len(found)] = found
    return Told(values, part.reshape(worlds, -1), safety.reshape(worlds, -1))


def pose(
    size: Size, mined: Cells, known: NDArray[np.bool_], window: Window
) -> tuple[Cells, Cells, NDArray[np.int64], NeighbourTable]:
    """A window with the ring around it as boards of their own: symbols, truth, mines, neighbours.

    Numbers count the mines of this board only, as all others are told. Beyond the ring, and beyond the edge, all is
    open and shows no number. There are more than ``NARROW`` cells.
    """
    top, high, left, wide = window
    shape = (len(mined), high + 2, max(wide + 2, NARROW // (high + 2) + 1))
    first, last = max(top - 1, 0), min(top + high + 1, size.rows)
    begin, end = max(left - 1, 0), min(left + wide + 1, size.cols)
    place = (slice(None), slice(first - top + 1, last - top + 1), slice(begin - left + 1, end - left + 1))
    own = np.zeros(shape, np.int8)
    own[place] = mined[:, first:last, begin:end]
    seen = np.ones(shape, bool)
    seen[:, 1 : high + 1, 1 : wide + 1] = known[:, top : top + high, left : left + wide]
    truth = np.full(shape, SAFE, np.int8)
    truth[place] = show(own)[place]
    flat = (len(mined), -1)
    symbols = np.where(seen, truth, COVERED).astype(np.int8).reshape(flat)
    return symbols, truth.reshape(flat), own.reshape(flat).sum(1).astype(np.int64), table_of(*shape[1:])


def draw(size: Size, symbols: Cells, count: int, rng: np.random.Generator) -> Cells | None:
    """Draw worlds uniformly among all that agree with a position; None if it is beyond the kernels."""
    return sample_worlds(symbols, table_of(size.rows, size.cols), size.mines, count, int(rng.integers(2**31)))


Sampler = Callable[[Size, Cells, int, np.random.Generator], "Cells | None"]


@dataclass
class Tree:
    """Guesses on one sample of worlds; ``bound_position`` is its root."""

    size: Size
    plan: Plan
    mined: Cells
    truth: Cells
    told: Told
    safe: NDArray[np.floating[Any]] = field(init=False)
    shares: NDArray[np.floating[Any]] = field(init=False)

    def __post_init__(self) -> None:
        """``shares`` is how much of the value of its part the guess of a cell can be worth, at most."""
        self.safe = 1.0 - self.mined
        part = self.told.part.astype(np.int64)
        own = np.where(part >= 0, np.take_along_axis(self.told.value, part.clip(0), 1), 1.0)
        self.shares = np.minimum(self.told.safety / own, 1)

    def chance(self, worlds: NDArray[np.int64], dropped: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The chance to win of told boards, without the parts in which an undecided cell was guessed."""
        result: NDArray[np.float64] = np.where(dropped, 1.0, self.told.value[worlds]).prod(1)
        return result

    def guess(
        self,
        symbols: Cells,
        risks: NDArray[np.float64],
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        guesses: int,
    ) -> float:
        """Bound a position in which a guess is due: the maximum over all covered cells.

        At the last one all is told after it: a part in which the cell is undecided is then worth no more than before,
        and the guess is no safer than it is when all is told. The known safety takes noise away (a control variate).
        """
        cells = np.flatnonzero(symbols == COVERED)
        shares, told = self.shares[worlds], self.told.safety[worlds]
        changed = np.flatnonzero(dropped.any(1))
        if len(changed):
            part, safe = self.told.part[worlds[changed]], self.safe[worlds[changed]]
            gone = (part >= 0) & np.take_along_axis(dropped[changed], part.clip(0).astype(np.int64), 1)
            shares[changed] = np.where(gone, safe, shares[changed])
            told[changed] = np.where(gone, safe, told[changed])
        safety = 1 - risks[cells]
        bounds = (self.chance(worlds, dropped) @ shares - STEADY * told.sum(0))[cells] / len(worlds) + STEADY * safety
        if guesses > 1:
            for at, cell in enumerate(cells.tolist()):
                bounds[at] = safety[at] * self.open_safe(symbols, worlds, dropped, cell, guesses - 1)
        return float(bounds.max())

    def open_safe(
        self,
        symbols: Cells,
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        cell: int,
        guesses: int,
    ) -> float:
        """Bound what follows after a cell that turned out to be safe; 1 if it is a mine in all worlds of the sample."""
        left = np.flatnonzero(self.safe[worlds, cell])
        less, among = dropped[left], self.told.part[worlds[left], cell]
        less[np.flatnonzero(among >= 0), among[among >= 0]] = True
        return self.follow(symbols, worlds[left], less, np.array([cell]), guesses) if len(left) else 1.0

    def follow(
        self,
        symbols: Cells,
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        opened: NDArray[np.int64],
        guesses: int,
    ) -> float:
        """Bound what follows after safe cells are opened: the mean over what they show."""
        shown = self.truth[worlds][:, opened]
        rows = shown if len(opened) > 1 else shown[:, 0]
        _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        total, alone = 0.0, np.zeros(len(worlds), bool)
        for at, world in enumerate(first):
            some = np.flatnonzero(group.ravel() == at)
            now = symbols.copy()
            now[opened] = shown[world]
            if len(some) >= self.plan.least:
                status, found = positions(now[None], table_of(*self.size[:2]), [self.size.mines])
                if status[0] == FINE:
                    now[found[0] == 1] = MINE
                    total += len(some) * self.go_on(now, found[0], worlds[some], dropped[some], guesses)
                    continue
            alone[some] = True
        return (total + float(self.chance(worlds[alone], dropped[alone]).sum())) / len(worlds)

    def go_on(
        self,
        symbols: Cells,
        risks: NDArray[np.float64],
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        guesses: int,
    ) -> float:
        """Open the safe cells of a position, or guess."""
        safe = np.flatnonzero(risks == 0)
        if len(safe):
            return self.follow(symbols, worlds, dropped, safe, guesses)
        return self.guess(symbols, risks, worlds, dropped, guesses) if (symbols == COVERED).any() else 1.0


def bound_position(
    size: Size,
    symbols: Cells,
    plan: Plan,
    rng: np.random.Generator,
    sampler: Sampler = draw,
    windows: Sequence[Window] | None = None,
    live: int = LIVE,
    promised: bool = False,
) -> float:
    """A number whose expectation is at least the chance to win of a position in which a guess is due.

    If the sampler returns all worlds that agree with the position, it is itself at least that.
    ``promised``: the board is blank, and whatever cell is opened first is safe.
    """
    if not promised and np.count_nonzero(symbols == COVERED) <= 3 * live // 2:
        value = search(symbols, table_of(size.rows, size.cols), size.mines)
        if value is not None:
            return value
    mined = sampler(size, symbols, plan.worlds, rng)
    if mined is None:
        return 1.0
    grid = mined.reshape(-1, size.rows, size.cols)
    known = np.broadcast_to((symbols != COVERED).reshape(size.rows, size.cols), grid.shape)
    told = tell(size, grid, known, cut(size) if windows is None else windows, live)
    tree = Tree(size, plan, mined, show(grid).reshape(mined.shape), told)
    worlds, nothing = np.arange(len(mined)), np.zeros(told.value.shape, bool)
    if promised:
        cells = range(len(symbols))
        return max(tree.open_safe(symbols, worlds, nothing, cell, plan.guesses) for cell in cells)
    _, risks = positions(symbols[None], table_of(size.rows, size.cols), [size.mines])
    return tree.guess(symbols, risks[0], worlds, nothing, plan.guesses)


BOARD = Plan(worlds=64, guesses=1)
"""Effort on each of the boards."""
FIRST = Plan(worlds=4_000, guesses=2, least=100)
"""Effort on the position after a first number."""
ANY = "any first cell"
"""Name of the bound under this rule."""


def chances_of_first_numbers(size: Size) -> list[float]:
    """The chance of each number in the corner, if it is safe."""
    rest = size.rows * size.cols - 4
    return [comb(3, shown) * comb(rest, size.mines - shown) / comb(rest + 3, size.mines) for shown in range(4)]


def deal_zero(size: Size, rng: np.random.Generator) -> tuple[Cells, int]:
    """The position after a zero in the corner and all forced moves, and its state."""
    cells = size.rows * size.cols
    corner = np.array([0, 1, size.cols, size.cols + 1])
    mined = np.zeros((1, cells), np.int8)
    mined[0, rng.permutation(np.setdiff1d(np.arange(cells), corner))[: size.mines]] = 1
    truth = show(mined.reshape(1, size.rows, size.cols)).reshape(1, -1)
    symbols = np.full((1, cells), COVERED, np.int8)
    symbols[0, 0] = 0
    _, state = open_forced(symbols, truth, table_of(size.rows, size.cols), np.array([size.mines]))
    return symbols[0], int(state[0])


def bound_zero(size: Size, seed: int, board: int) -> float:
    """Bound the board of this number."""
    rng = np.random.default_rng([seed, board])
    symbols, state = deal_zero(size, rng)
    return bound_position(size, symbols, BOARD, rng) if state == STUCK else 1.0


def bound_first(size: Size, seed: int, repeat: int, shown: int) -> float:
    """Bound the position after a first number, not zero, in the corner."""
    symbols = np.full(size.rows * size.cols, COVERED, np.int8)
    symbols[0] = shown
    return bound_position(size, symbols, FIRST, np.random.default_rng([seed, repeat, shown, 1]))


def bound_any(size: Size, seed: int, repeat: int) -> float:
    """Bound a board whose first cell is any, and safe."""
    blank, rng = np.full(size.rows * size.cols, COVERED, np.int8), np.random.default_rng([seed, repeat, 4, 1])
    return bound_position(size, blank, FIRST._replace(guesses=1), rng, promised=True)


def mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and the variance of the mean."""
    return float(np.mean(values)), float(np.var(values, ddof=1) / len(values)) if len(values) > 1 else 0.0


def summary(size: Size, done: dict[str, list[float]]) -> dict[str, Any]:
    """The bound and half its 95 % interval, in percent, with its parts."""
    chances = chances_of_first_numbers(size)
    parts = {f"first {shown}": chances[shown] for shown in (1, 2, 3)} | {"boards": chances[0]}
    strata = {name: (*mean_and_variance(done[name]), len(done[name])) for name in parts if done[name]}
    results: dict[str, Any] = {
        name: {"mean": round(100 * mean, 2), "95 %": round(196 * variance**0.5, 2), "count": count}
        for name, (mean, variance, count) in strata.items()
    }
    if done[ANY]:
        mean, variance = mean_and_variance(done[ANY])
        results[ANY] = {"percent": round(100 * mean, 2), "95 %": round(196 * variance**0.5, 2)}
    if strata.keys() == parts.keys():
        mean = sum(chance * strata[name][0] for name, chance in parts.items())
        variance = sum(chance**2 * strata[name][1] for name, chance in parts.items())
        results["bound"] = {"percent": round(100 * mean, 2), "95 %": round(196 * variance**0.5, 2)}
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="expert", choices=LEVELS)
    parser.add_argument("--boards", type=int, default=10_000, help="boards whose corner is a zero")
    parser.add_argument("--repeats", type=int, default=4, help="samples for each other first number")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--to", type=Path, help="result, written as it grows; a run goes on from there")
    asked = parser.parse_args()
    size = Size(*LEVELS[asked.level])
    setting = {"level": asked.level, "seed": asked.seed}
    done: dict[str, list[float]] = {name: [] for name in ("first 1", "first 2", "first 3", ANY, "boards")}
    seconds = 0.0
    if asked.to and asked.to.exists():
        before = json.loads(asked.to.read_text())
        if {name: before[name] for name in setting} != setting:
            parser.error(f"{asked.to} has another setting")
        done, seconds = done | before["values"], before["cpu_seconds"]
    begun, written = time.process_time(), time.monotonic()

    def keep(at_once: bool = False) -> None:
        nonlocal written
        if asked.to and (at_once or time.monotonic() - written > 20):
            found = setting | summary(size, done) | {"cpu_seconds": round(seconds + time.process_time() - begun)}
            asked.to.write_text(json.dumps(found | {"values": done}) + "\n")
            written = time.monotonic()

    for repeat in range(asked.repeats):
        for shown in (1, 2, 3):
            if len(done[f"first {shown}"]) <= repeat:
                done[f"first {shown}"].append(round(bound_first(size, asked.seed, repeat, shown), 5))
                keep(True)
        if len(done[ANY]) <= repeat:
            done[ANY].append(round(bound_any(size, asked.seed, repeat), 5))
            keep(True)
    for board in range(len(done["boards"]), asked.boards):
        done["boards"].append(round(bound_zero(size, asked.seed, board), 5))
        keep()
    keep(True)
    print(json.dumps(setting | summary(size, done) | {"cpu_seconds": round(seconds + time.process_time() - begun)}))


if __name__ == "__main__":
    main()
