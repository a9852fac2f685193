"""Upper bound of the chance to win that no player can exceed (docs/optimal.md).

    python benchmarks/bound.py --to benchmarks/results/bound.json

The player of a *relaxation* is told more than the rules allow, and is never worse off:

* After some guesses the player is told all cells outside of a few *windows* and the number of mines in each window
  (``windows.py``). Then windows are games of their own, and the chance to win is the product of their values.
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
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from windows import (
    LIVE,
    SEARCH,
    STUCK,
    WHOLE,
    Cells,
    Size,
    Told,
    Window,
    cut,
    draw,
    open_forced,
    search,
    show,
    table_of,
    tell,
)

from satsweep.games.deal import LEVELS
from satsweep.kernels.api import positions
from satsweep.kernels.shared.memory import COVERED, FINE, MINE

STEADY = 0.65
"""Weight of the control variate, about the mean chance to win of a board that has been told."""


class Plan(NamedTuple):
    """Effort of a bound: sampled worlds, and guesses before the player is told.

    Worlds with the same history are a group. After a guess, groups of at least ``least`` worlds go on to the next one,
    of ``guesses`` at most; the others are told. ``steady`` is the weight of the control variate for many worlds; for
    n worlds it is less by a part of ``fade`` / sqrt(n).

    If there are ``guides``, that many more worlds choose the cells after which a guess counts: at each guess before the
    last those within ``margins`` of the best; after the others the player is told. A cell that is a zero in ``opening``
    of the guides, or in more, has its zeros bounded anew: each is a position of its own, ``anew`` of them at most.
    """

    worlds: int
    guesses: int
    least: int = 1
    steady: float = STEADY
    fade: float = 0
    guides: int = 0
    margins: tuple[float, ...] = (1,)
    opening: float = 2
    anew: int = 0


Sampler = Callable[[Size, Cells, int, np.random.Generator], "Cells | None"]


@dataclass
class Tree:
    """Guesses on one sample of worlds; ``bound_position`` is its root."""

    size: Size
    plan: Plan
    mined: Cells
    truth: Cells
    told: Told
    rng: np.random.Generator
    sampler: Sampler
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

    def told_after(
        self,
        cells: NDArray[np.int64],
        safety: NDArray[np.float64],
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
    ) -> NDArray[np.float64]:
        """Bound the guess of each cell if all is told after it.

        A part in which the cell is undecided is then worth no more than before, and the guess is no safer than it is
        when all is told. The known safety takes noise away (a control variate), less of it where worlds are few.
        """
        shares, told = self.shares[worlds], self.told.safety[worlds]
        changed = np.flatnonzero(dropped.any(1))
        if len(changed):
            part, safe = self.told.part[worlds[changed]], self.safe[worlds[changed]]
            gone = (part >= 0) & np.take_along_axis(dropped[changed], part.clip(0).astype(np.int64), 1)
            shares[changed] = np.where(gone, safe, shares[changed])
            told[changed] = np.where(gone, safe, told[changed])
        count = len(worlds)
        weight = self.plan.steady * (1 - self.plan.fade / count**0.5)
        found = (self.chance(worlds, dropped) @ shares - weight * told.sum(0))[cells] / count + weight * safety
        bounds: NDArray[np.float64] = found
        return bounds

    def guess(
        self,
        symbols: Cells,
        risks: NDArray[np.float64],
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        guesses: int,
    ) -> float:
        """Bound a position in which a guess is due: the maximum over all covered cells."""
        cells = np.flatnonzero(symbols == COVERED)
        safety, guides = 1 - risks[cells], worlds < self.plan.guides
        bounds = self.told_after(cells, safety, worlds[~guides], dropped[~guides])
        if guesses > 1:
            chosen = np.ones(len(cells), bool)
            if self.plan.guides:
                margins, depth = self.plan.margins, self.plan.guesses - guesses
                chosen[:] = guides.any()
                if guides.any():
                    rough = self.told_after(cells, safety, worlds[guides], dropped[guides])
                    chosen = rough >= rough.max() - margins[min(depth, len(margins) - 1)]
            far = np.full(len(cells), guesses - 1)
            if self.plan.guides and guesses == self.plan.guesses > 2:
                far[:] = self.plan_far(symbols, cells, safety)
            for at in np.flatnonzero(chosen):
                bounds[at] = safety[at] * self.open_safe(symbols, worlds, dropped, int(cells[at]), int(far[at]))
        return float(bounds.max())

    def plan_far(self, symbols: Cells, cells: NDArray[np.int64], safety: NDArray[np.float64]) -> NDArray[np.int64]:
        """How many guesses count after each first one: all if guides bound it high when one counts, else one."""
        guides = self.plan.guides
        told = Told(self.told.value[:guides], self.told.part[:guides], self.told.safety[:guides])
        plan = self.plan._replace(guesses=2, guides=0, least=8)
        tree = Tree(self.size, plan, self.mined[:guides], self.truth[:guides], told, self.rng, self.sampler)
        worlds, nothing = np.arange(guides), np.zeros(told.value.shape, bool)
        rough = safety * np.array([tree.open_safe(symbols, worlds, nothing, cell, 1) for cell in cells.tolist()])
        return np.where(rough >= rough.max() - self.plan.margins[-1], self.plan.guesses - 1, 1)

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
        if (worlds[left] < self.plan.guides).all():
            return 1.0
        less, among = dropped[left], self.told.part[worlds[left], cell]
        less[np.flatnonzero(among >= 0), among[among >= 0]] = True
        return self.follow(symbols, worlds[left], less, np.array([cell]), guesses)

    def follow(
        self,
        symbols: Cells,
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        opened: NDArray[np.int64],
        guesses: int,
    ) -> float:
        """Bound what follows after safe cells are opened: the mean over what they show, guides left out."""
        shown = self.truth[worlds][:, opened]
        rows = shown if len(opened) > 1 else shown[:, 0]
        counted = worlds >= self.plan.guides
        _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        group = group.ravel()
        counts = np.bincount(group, counted).astype(int)
        total, alone = 0.0, counted.copy()
        for at in range(len(first)) if len(opened) == 1 else np.flatnonzero(counts >= self.plan.least).tolist():
            some, count = np.flatnonzero(group == at), int(counts[at])
            now = symbols.copy()
            now[opened] = shown[first[at]]
            if self.is_opening(now, opened, guesses, len(some) - count, int(np.count_nonzero(~counted))):
                total += count * self.bound_anew(now, worlds[some[counted[some]]])
                alone[some] = False
            elif count >= self.plan.least:
                status, found = positions(now[None], table_of(*self.size[:2]), [self.size.mines])
                if status[0] == FINE:
                    now[found[0] == 1] = MINE
                    total += count * self.go_on(now, found[0], worlds[some], dropped[some], guesses)
                    alone[some] = False
        return (total + float(self.chance(worlds[alone], dropped[alone]).sum())) / np.count_nonzero(counted)

    def is_opening(self, now: Cells, opened: NDArray[np.int64], guesses: int, guides: int, among: int) -> bool:
        """Whether the first guess showed a zero, and its zeros are to be bounded anew; guides decide."""
        first = len(opened) == 1 and guesses == self.plan.guesses - 1 and now[opened[0]] == 0
        return first and guides >= self.plan.opening * max(among, 1)

    def bound_anew(self, now: Cells, worlds: NDArray[np.int64]) -> float:
        """Mean bound of the positions to which forced cells lead in some of these worlds; 1 if there are none."""
        some = worlds[: self.plan.anew]
        symbols = np.repeat(now[None], len(some), 0)
        mines = np.full(len(some), self.size.mines)
        _, state = open_forced(symbols, self.truth[some], table_of(*self.size[:2]), mines)
        found = [
            bound_position(self.size, row, AGAIN._replace(steady=self.plan.steady), self.rng, self.sampler)
            if end == STUCK
            else 1.0
            for row, end in zip(symbols, state, strict=True)
        ]
        return float(np.mean(found)) if found else 1.0

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
        limits = SEARCH if plan.worlds <= BOARD.worlds else WHOLE
        value = search(symbols, table_of(size.rows, size.cols), size.mines, limits)
        if value is not None:
            return value
    mined = sampler(size, symbols, plan.guides + plan.worlds, rng)
    if mined is None:
        return 1.0
    grid = mined.reshape(-1, size.rows, size.cols)
    known = np.broadcast_to((symbols != COVERED).reshape(size.rows, size.cols), grid.shape)
    told = tell(size, grid, known, cut(size) if windows is None else windows, live)
    tree = Tree(size, plan, mined, show(grid).reshape(mined.shape), told, rng, sampler)
    worlds, nothing = np.arange(len(mined)), np.zeros(told.value.shape, bool)
    if promised:
        cells = range(len(symbols))
        return max(tree.open_safe(symbols, worlds, nothing, cell, plan.guesses) for cell in cells)
    _, risks = positions(symbols[None], table_of(size.rows, size.cols), [size.mines])
    return tree.guess(symbols, risks[0], worlds, nothing, plan.guesses)


AGAIN = Plan(worlds=128, guesses=1, fade=1)
"""Effort on a position that is bounded anew."""
BOARD = Plan(worlds=64, guesses=1)
"""Effort on each of the boards."""
DEEPER = Plan(worlds=400, guesses=3, least=16, fade=1, guides=100, margins=(0.06, 0.03))
"""Effort on the first of them, each once more."""
WIDER = Plan(worlds=300, guesses=1, fade=1)
"""The same where at most ``DENSE`` cells are covered: then most of them share a part with the guess before."""
DENSE = 60
FIRST = Plan(worlds=2_000, guesses=3, least=16, fade=1, guides=500, margins=(1, 0.04), opening=0.35, anew=40)
"""Effort on the position after a 1 in the corner."""
OTHER = Plan(worlds=4_000, guesses=2, least=100)
"""Effort on the positions after the other numbers."""
ANY = "any first cell"
"""Name of the bound under this rule."""
BOARDS = LEVELS | {"8x8": (8, 8, 10)}
SUCCESS = {"expert": 0.65, "intermediate": 0.85, "8x8": 0.9, "beginner": 0.95}
"""About the mean chance to win of a board that has been told: the weight of the control variate."""


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


def bound_zero(size: Size, seed: int, board: int, plan: Plan = BOARD, dense: Plan = BOARD) -> float:
    """Bound the board of this number."""
    rng = np.random.default_rng([seed, board])
    symbols, state = deal_zero(size, rng)
    chosen = plan if np.count_nonzero(symbols == COVERED) > DENSE else dense
    return bound_position(size, symbols, chosen, rng) if state == STUCK else 1.0


def bound_first(size: Size, seed: int, repeat: int, shown: int, plan: Plan = OTHER) -> float:
    """Bound the position after a first number, not zero, in the corner."""
    symbols = np.full(size.rows * size.cols, COVERED, np.int8)
    symbols[0] = shown
    return bound_position(size, symbols, plan, np.random.default_rng([seed, repeat, shown, 1]))


def bound_any(size: Size, seed: int, repeat: int, plan: Plan = OTHER) -> float:
    """Bound a board whose first cell is any, and safe."""
    blank, rng = np.full(size.rows * size.cols, COVERED, np.int8), np.random.default_rng([seed, repeat, 4, 1])
    return bound_position(size, blank, plan._replace(guesses=1), rng, promised=True)


def mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and the variance of the mean."""
    return float(np.mean(values)), float(np.var(values, ddof=1) / len(values)) if len(values) > 1 else 0.0


def mean_of_pairs(cheap: Sequence[float], deeper: Sequence[float]) -> tuple[float, float]:
    """Mean of the deeper bounds, and its variance: of all boards the cheap one, of the first ones what is gained."""
    if not deeper:
        return mean_and_variance(cheap)
    every, both = len(cheap), len(deeper)
    gained = np.array(deeper) - np.array(cheap[:both])
    alone = np.var(cheap, ddof=1) / every**2 if every > 1 else 0.0
    paired = np.var(np.array(cheap[:both]) / every + gained / both, ddof=1) if both > 1 else 0.0
    return float(np.mean(cheap) + gained.mean()), float((every - both) * alone + both * paired)


def summary(size: Size, done: dict[str, list[float]]) -> dict[str, Any]:
    """The bound and half its 95 % interval, in percent, with its parts."""
    chances = chances_of_first_numbers(size)
    parts = {f"first {shown}": chances[shown] for shown in (1, 2, 3)} | {"boards": chances[0]}
    strata = {name: (*mean_and_variance(done[name]), len(done[name])) for name in parts if done[name]}
    if done["boards"]:
        strata["boards"] = (*mean_of_pairs(done["boards"], done["deeper"]), len(done["boards"]))
    results: dict[str, Any] = {
        name: {
            "chance": round(100 * parts[name], 2),
            "mean": round(100 * mean, 2),
            "95 %": round(196 * variance**0.5, 2),
            "count": count,
        }
        for name, (mean, variance, count) in strata.items()
    }
    if done["deeper"]:
        results["boards"]["deeper"] = len(done["deeper"])
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
    parser.add_argument("--level", default="expert", choices=BOARDS)
    parser.add_argument("--boards", type=int, default=10_000, help="boards whose corner is a zero")
    parser.add_argument("--deeper", type=int, default=400, help="the first ones of them, bounded after more guesses")
    parser.add_argument("--repeats", type=int, default=4, help="samples for each other first number")
    parser.add_argument("--worlds", type=int, default=4_000, help="of each such sample, half as many after a 1")
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--to", type=Path, help="result, written as it grows; a run goes on from there")
    asked = parser.parse_args()
    size, steady = Size(*BOARDS[asked.level]), SUCCESS[asked.level]
    setting = {"level": asked.level, "seed": asked.seed}
    done: dict[str, list[float]] = {name: [] for name in ("first 1", "first 2", "first 3", ANY, "boards", "deeper")}
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

    sizes = {"worlds": asked.worlds // 2, "guides": asked.worlds // 8}
    once, deeper, wider, first, other = (
        plan._replace(steady=steady)
        for plan in (BOARD, DEEPER, WIDER, FIRST._replace(**sizes), OTHER._replace(worlds=asked.worlds))
    )
    for repeat in range(asked.repeats):
        for shown in (1, 2, 3):
            if len(done[f"first {shown}"]) <= repeat:
                done[f"first {shown}"].append(
                    round(bound_first(size, asked.seed, repeat, shown, first if shown == 1 else other), 5)
                )
                keep(True)
        if len(done[ANY]) <= repeat:
            done[ANY].append(round(bound_any(size, asked.seed, repeat, other), 5))
            keep(True)
    for board in range(len(done["boards"]), asked.boards):
        done["boards"].append(round(bound_zero(size, asked.seed, board, once, once), 5))
        keep()
    for board in range(len(done["deeper"]), min(asked.deeper, len(done["boards"]))):
        done["deeper"].append(round(bound_zero(size, asked.seed, board, deeper, wider), 5))
        keep()
    keep(True)
    print(json.dumps(setting | summary(size, done) | {"cpu_seconds": round(seconds + time.process_time() - begun)}))


if __name__ == "__main__":
    main()
