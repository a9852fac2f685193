"""Guesses on a sample of worlds, before the player is told (docs/optimal.md): ``bound_position``."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import starmap
from multiprocessing import get_context
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from windows import (
    LIVE,
    SEARCH,
    STUCK,
    THOROUGH,
    Apart,
    Cells,
    Size,
    Told,
    Window,
    cut,
    draw,
    open_forced,
    search,
    set_apart,
    show,
    table_of,
    tell,
    tiles,
)

from satsweep.kernels.api import positions
from satsweep.kernels.shared.memory import COVERED, FINE, MINE

STEADY = 0.65
"""Weight of the control variate, about the mean chance to win of a board that has been told."""
REST = 0.9
"""The same for the value of all windows but one of about eight lines on a side."""
LUCK = 0.7
"""How much of what a sample is worth beyond ``told_at_once`` is in its bound, too."""
ANYWHERE, OUTSIDE = -2, -1
"""Zones: no cell touches it; no window."""


class Plan(NamedTuple):
    """Effort of a bound: sampled worlds, and guesses before the player is told.

    Worlds with the same history are a group. After a guess, groups of at least ``least`` worlds go on to the next one,
    of ``guesses`` at most; the others are told. ``steady`` is the weight of the control variate for many worlds; for
    n worlds it is less by a part of ``fade`` / sqrt(n).

    If there are ``guides``, that many more worlds choose the cells after which a guess counts: at each guess before the
    last those within ``margins`` of the best; after the others the player is told. So he is after a first cell for
    which two guesses are worth ``forgive`` more than one: it lies in a window that then counts as 1. Of three guesses
    the third one counts after the first cells within the last of the ``margins``, ``most`` of them at most.

    After a first cell within ``near`` of the best that is a zero in ``opening`` of the guides forced moves soon tell
    worlds apart: those that would be told before the next guess are bounded anew, each as a position of its own with
    the plan ``again``. Of each sample its first ``anew`` worlds are. Only if ``thorough`` are cells looked at apart,
    which takes noise away, and what is told searched for long.
    """

    worlds: int
    guesses: int
    least: int = 1
    steady: float = STEADY
    fade: float = 0
    guides: int = 0
    margins: tuple[float, ...] = (1,)
    most: int = 10**9
    forgive: float = 1
    opening: float = 2
    near: float = 1
    anew: int = 0
    again: "Plan | None" = None
    thorough: bool = True


Sampler = Callable[[Size, Cells, int, np.random.Generator], "Cells | None"]


@dataclass
class Tree:
    """Guesses on one sample of worlds; ``bound_position`` is its root."""

    size: Size
    plan: Plan
    symbols: Cells
    mined: Cells
    truth: Cells
    told: Told
    rng: np.random.Generator
    sampler: Sampler
    apart: Sequence[Apart] = ()
    jobs: int = 1
    safe: NDArray[np.floating[Any]] = field(init=False)
    shares: NDArray[np.floating[Any]] = field(init=False)
    own: NDArray[np.float64] = field(init=False)
    controls: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = field(init=False)
    key: int = field(init=False)
    found: dict[bytes, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """``shares`` is how much of the value of its part the guess of a cell can be worth, at most."""
        self.safe = 1.0 - self.mined
        part = self.told.part.astype(np.int64)
        own = np.where(part >= 0, np.take_along_axis(self.told.value, part.clip(0), 1), 1.0)
        self.own = own
        self.shares = np.minimum(self.told.safety / own, 1)
        self.controls = self.list_controls()
        self.key = int(self.rng.integers(2**31))

    def list_controls(self) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Control variates, the best last: the zone that must be untouched for each cell, and what is taken off.

        The expectation of each is ``steady`` times the chance that the cell is safe.
        """
        steady, known = self.plan.steady, self.told.safety - self.safe
        found = [(np.full(self.safe.shape[1], ANYWHERE), steady * self.told.safety)]
        if self.apart:
            halves, tiled = self.apart
            inside = REST * tiled.rest * (self.safe - tiled.safety)
            found.append((tiled.zone, inside + steady * (tiled.safety + known)))
            nested = inside + steady**0.5 * halves.rest * (tiled.safety - halves.safety)
            found.append((halves.zone, nested + steady * (halves.safety + known)))
        return [(zone, np.ascontiguousarray(control.T)) for zone, control in found]

    def chance(self, worlds: NDArray[np.int64], dropped: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The chance to win of told boards, without the parts in which an undecided cell was guessed."""
        result: NDArray[np.float64] = np.where(dropped, 1.0, self.told.value[worlds]).prod(1)
        return result

    def told_after(self, node: "Node", safety: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bound the guess of each cell if all is told after it.

        A part in which the cell is undecided is then worth no more than before, and the guess is no safer than it is
        when all is told. The known safety takes noise away (a control variate), less of it where worlds are few.
        """
        count = len(node.worlds)
        known = node.known(node.touched).sum(1)
        return self.less_noise(node.worth.sum(0), known, count, safety)

    def less_noise(self, total: Any, known: Any, count: Any, safety: Any) -> NDArray[np.float64]:
        """Sums over worlds as a mean, less what the control variate has beyond its expectation."""
        weight = 1 - self.plan.fade / count**0.5
        found: NDArray[np.float64] = total / count - weight * (known / count - self.plan.steady * safety)
        return found

    def guess(
        self,
        symbols: Cells,
        risks: NDArray[np.float64],
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        guesses: int,
    ) -> float:
        """Bound a position in which a guess is due: the maximum over all covered cells."""
        cells, guides = np.flatnonzero(symbols == COVERED), worlds < self.plan.guides
        safety, counted = 1 - risks[cells], Node(self, symbols, cells, worlds[~guides], dropped[~guides])
        bounds = self.told_after(counted, safety)
        if guesses > 1:
            first = guesses == self.plan.guesses
            guide = Node(self, symbols, cells, worlds[guides], dropped[guides])
            chosen, far, anew = self.choose(guide, safety, guesses)
            soon = np.flatnonzero(chosen & (far == 1) & ~anew)
            bounds[soon] = safety[soon] * self.last_guess(counted, soon)
            late = np.flatnonzero(chosen & ((far > 1) | anew))
            tasks = [(symbols, worlds, dropped, int(cells[at]), int(far[at]), bool(anew[at])) for at in late]
            bounds[late] = safety[late] * list(self.open_all(tasks) if first else starmap(self.open_safe, tasks))
        return float(bounds.max())

    def choose(
        self, guide: "Node", safety: NDArray[np.float64], guesses: int
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.bool_]]:
        """Return after which cells a guess counts, how many do, and where worlds are bounded anew; guides decide."""
        count, cells, first = len(guide.worlds), len(guide.cells), guesses == self.plan.guesses
        far, rough = np.full(cells, guesses - 1), np.ones(cells)
        chosen = np.full(cells, not self.plan.guides)
        if count:
            rough = self.told_after(guide, safety)
            chosen = rough >= rough.max() - self.plan.margins[: self.plan.guesses - guesses + 1][-1]
        if count and first:
            told, rough = rough, self.foresee(guide, safety)
            chosen &= rough <= told + self.plan.forgive
            if guesses > 2:
                far[rough < max(rough.max() - self.plan.margins[-1], np.sort(rough)[-self.plan.most :][0])] = 1
        if not first:
            return chosen, far, np.zeros(cells, bool)
        zeros = np.count_nonzero(self.truth[guide.worlds][:, guide.cells] == 0, axis=0)
        return chosen, far, (zeros >= self.plan.opening * max(count, 1)) & (rough >= rough.max() - self.plan.near)

    def last_guess(self, node: "Node", chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Bound what follows after some cells of a node, by their places, if one more guess counts after each."""
        result = np.ones(len(chosen))
        keys = np.stack([zone[node.cells[chosen]] for zone, _ in self.controls])
        for key in np.unique(keys, axis=1).T:
            some = np.flatnonzero((keys == key[:, None]).all(0))
            result[some] = self.last_guess_within(node, chosen[some])
        return result

    def last_guess_within(self, node: "Node", chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        """The same for cells that touch the same zones."""
        cells = node.cells[chosen]
        shown = self.truth[node.worlds][:, cells]
        safe = shown >= 0
        chance = node.chance[:, None] / np.where(node.undecided[:, chosen], self.own[node.worlds][:, cells], 1)
        number = np.arange(9)
        counts = (shown[:, :, None] == number).sum(0)
        total = np.where(safe, chance, 0).sum(0)
        at, value = np.nonzero(counts >= self.plan.least)
        if len(at):
            now = np.repeat(node.symbols[None], len(at), 0)
            now[np.arange(len(at)), cells[at]] = value
            status, risks = positions(now, table_of(*self.size[:2]), [self.size.mines] * len(at))
            fine = status == FINE
            at, value, now, risks = at[fine], value[fine], now[fine], risks[fine]
            now[risks == 1] = MINE
            group = shown[:, at] == value
            count, told = counts[at, value], np.where(group, chance[:, at], 0).sum(0)
            found = np.ones(len(at))
            guess = ~(risks == 0).any(1) & (now == COVERED).any(1)
            if guess.any():
                found[guess] = self.guess_after(node, chosen[at[guess]], group[:, guess], now[guess], risks[guess])
            for one in np.flatnonzero((risks == 0).any(1)):
                some = np.flatnonzero(group[:, one])
                worlds, opened = node.worlds[some], np.flatnonzero(risks[one] == 0)
                less = self.without_part(worlds, node.dropped[some], int(cells[at[one]]))
                found[one] = self.follow(now[one], worlds, less, opened, 1)
            np.add.at(total, at, count * found - told)
        return np.where(safe.any(0), total / np.maximum(safe.sum(0), 1), 1)

    def guess_after(
        self,
        node: "Node",
        opened: NDArray[np.int64],
        group: NDArray[np.bool_],
        now: Cells,
        risks: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Bound positions in which the last guess is due, each in a group of worlds, after cells of a node."""
        touched = np.append(node.touched, node.cells[opened[0]])
        worth, known = node.worth, node.known(touched)
        rows = group.T.astype(float)
        total, known_total = rows @ worth, rows @ known.T
        world, at = np.nonzero(group & node.undecided[:, opened])
        if len(world):
            worlds, part = node.worlds[world], node.part[world]
            same = part == node.part[world, opened[at]][:, None]
            chance = node.chance[world] / self.own[worlds, node.cells[opened[at]]]
            safe, told = self.safe[worlds][:, node.cells], self.told.safety[worlds][:, node.cells]
            np.add.at(total, at, chance[:, None] * np.where(same, safe, node.shares[world]) - worth[world])
            np.add.at(known_total, at, self.plan.steady * np.where(same, safe - told, 0))
        safety = 1 - risks[:, node.cells]
        bounds = self.less_noise(total, known_total, group.sum(0)[:, None], safety)
        best: NDArray[np.float64] = np.where(now[:, node.cells] == COVERED, bounds, 0).max(1)
        return best

    def foresee(self, guide: "Node", safety: NDArray[np.float64]) -> NDArray[np.float64]:
        """Bound the first guess of each cell by guides, if one more guess counts after it."""
        worlds = guide.worlds
        value, part, safe, of = self.told
        told = Told(value[worlds], part[worlds], safe[worlds], of[worlds])
        apart = [Apart(one.rest[worlds], one.safety[worlds], one.zone) for one in self.apart]
        plan = self.plan._replace(guesses=2, guides=0, least=8)
        mined, truth = self.mined[worlds], self.truth[worlds]
        tree = Tree(self.size, plan, guide.symbols, mined, truth, told, self.rng, self.sampler, apart)
        node = Node(tree, guide.symbols, guide.cells, np.arange(len(worlds)), np.zeros(told.value.shape, bool))
        return safety * tree.last_guess(node, np.arange(len(guide.cells)))

    def open_all(self, tasks: Sequence[tuple[Any, ...]]) -> list[float]:
        """``open_safe`` for each of these, in as many processes as there are jobs."""
        if self.jobs == 1 or len(tasks) < self.jobs:
            return list(starmap(self.open_safe, tasks))
        with ProcessPoolExecutor(self.jobs, get_context("spawn"), _hold, (self,)) as pool:
            return list(pool.map(_open_safe, tasks, chunksize=4))

    def open_safe(
        self,
        symbols: Cells,
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        cell: int,
        guesses: int,
        anew: bool = False,
    ) -> float:
        """Bound what follows after a cell that turned out to be safe; 1 if it is a mine in all worlds of the sample."""
        left = np.flatnonzero(self.safe[worlds, cell])
        if (worlds[left] < self.plan.guides).all():
            return 1.0
        less = self.without_part(worlds[left], dropped[left], cell)
        return self.follow(symbols, worlds[left], less, np.array([cell]), guesses, anew)

    def without_part(self, worlds: NDArray[np.int64], dropped: NDArray[np.bool_], cell: int) -> NDArray[np.bool_]:
        """The parts that are dropped once a cell has been guessed, in which it was undecided."""
        less, part = dropped.copy(), self.told.part[worlds, cell]
        less[np.flatnonzero(part >= 0), part[part >= 0]] = True
        return less

    def follow(
        self,
        symbols: Cells,
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        opened: NDArray[np.int64],
        guesses: int,
        anew: bool = False,
    ) -> float:
        """Bound what follows after safe cells are opened: the mean over what they show, guides left out."""
        shown = self.truth[worlds][:, opened]
        counted = worlds >= self.plan.guides
        _, first, group = np.unique(shown, axis=0, return_index=True, return_inverse=True)
        group = group.ravel()
        counts = np.bincount(group, counted).astype(int)
        total, alone = 0.0, counted.copy()
        for at in np.flatnonzero(counts >= self.plan.least).tolist():
            some, now = np.flatnonzero(group == at), symbols.copy()
            now[opened] = shown[first[at]]
            status, found = positions(now[None], table_of(*self.size[:2]), [self.size.mines])
            if status[0] == FINE:
                now[found[0] == 1] = MINE
                total += int(counts[at]) * self.go_on(now, found[0], worlds[some], dropped[some], guesses, anew)
                alone[some] = False
        fresh = alone & (worlds < self.plan.guides + self.plan.anew)
        if anew and self.plan.again and fresh.any():
            rows = np.repeat(symbols[None], np.count_nonzero(fresh), 0)
            rows[:, opened] = shown[fresh]
            total += np.count_nonzero(alone) * self.bound_anew(rows, worlds[fresh], self.plan.again)
        else:
            total += float(self.chance(worlds[alone], dropped[alone]).sum())
        return total / np.count_nonzero(counted)

    def bound_anew(self, symbols: Cells, worlds: NDArray[np.int64], plan: Plan) -> float:
        """Mean bound of the positions to which forced moves lead, a position for each of these worlds."""
        mines = np.full(len(worlds), self.size.mines)
        _, state = open_forced(symbols, self.truth[worlds], table_of(*self.size[:2]), mines)
        rows = [row.tobytes() if end == STUCK else b"" for row, end in zip(symbols, state, strict=True)]
        for row, name in zip(symbols, rows, strict=True):
            if name and name not in self.found:
                rng = np.random.default_rng([self.key, crc32(name)])
                plan = plan._replace(steady=self.plan.steady)
                self.found[name] = bound_position(self.size, row, plan, rng, self.sampler)
        return float(np.mean([self.found.get(name, 1.0) for name in rows]))

    def go_on(
        self,
        symbols: Cells,
        risks: NDArray[np.float64],
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
        guesses: int,
        anew: bool,
    ) -> float:
        """Open the safe cells of a position, or guess."""
        safe = np.flatnonzero(risks == 0)
        if len(safe):
            return self.follow(symbols, worlds, dropped, safe, guesses, anew)
        return self.guess(symbols, risks, worlds, dropped, guesses) if (symbols == COVERED).any() else 1.0


_held: list[Tree] = []
"""The tree of a process."""


def _hold(tree: Tree) -> None:
    tree.jobs = 1
    _held.append(tree)


def _open_safe(task: tuple[Any, ...]) -> float:
    return _held[0].open_safe(*task)


class Node:
    """Worlds of a tree in which a guess is due, with what is worked out of them for covered cells.

    ``worth`` is what the guess of a cell is worth in each world if all is told after it, and ``shares`` how much of
    ``chance`` that is; ``part`` is that in which the cell is still undecided, -1 for none or one that is dropped.
    """

    def __init__(
        self,
        tree: Tree,
        symbols: Cells,
        cells: NDArray[np.int64],
        worlds: NDArray[np.int64],
        dropped: NDArray[np.bool_],
    ) -> None:
        self.tree, self.symbols, self.cells, self.worlds, self.dropped = tree, symbols, cells, worlds, dropped
        self.touched = np.flatnonzero((symbols >= 0) & (tree.symbols == COVERED))
        self.chance = tree.chance(worlds, dropped)
        part = tree.told.part[worlds][:, cells].astype(np.int64)
        self.gone = (part >= 0) & np.take_along_axis(dropped, part.clip(0), 1)
        self.part = np.where(self.gone, -1, part)
        self.undecided = self.part >= 0
        self.shares = tree.shares[worlds][:, cells]
        if self.gone.any():
            self.shares = np.where(self.gone, tree.safe[worlds][:, cells], self.shares)
        self.worth = self.chance[:, None] * self.shares
        self.controls: list[NDArray[np.float64]] | None = None

    def known(self, touched: NDArray[np.int64]) -> NDArray[np.float64]:
        """The best control variate of each cell, a row of worlds for each, if these cells have been opened."""
        if self.controls is None:
            self.controls = self.gather()
        found = self.controls[0].copy()
        for (zone, _), control in zip(self.tree.controls[1:], self.controls[1:], strict=True):
            own = zone[self.cells]
            clear = (own != OUTSIDE) & ~np.isin(own, zone[touched])
            found[clear] = control[clear]
        return found

    def gather(self) -> list[NDArray[np.float64]]:
        tree, cells, worlds = self.tree, self.cells, self.worlds
        found = [control[cells].take(worlds, 1) for _, control in tree.controls]
        if self.gone.any():
            known = tree.safe[worlds][:, cells] - tree.told.safety[worlds][:, cells]
            more = tree.plan.steady * np.where(self.gone, known, 0).T
            found = [control + more for control in found]
        return found


def bound_position(
    size: Size,
    symbols: Cells,
    plan: Plan,
    rng: np.random.Generator,
    sampler: Sampler = draw,
    windows: Sequence[Window] | None = None,
    live: int = LIVE,
    promised: Sequence[int] = (),
    told_mean: float | None = None,
    jobs: int = 1,
) -> float:
    """A number whose expectation is at least the chance to win of a position in which a guess is due.

    If the sampler returns all worlds that agree with the position, it is itself at least that.
    ``promised``: the board is blank, and the first cell is one of these, and safe. ``told_mean`` is
    ``told_at_once`` of other worlds: what the sample has beyond it is taken off, but for a part.
    """
    limits = THOROUGH if plan.thorough else SEARCH
    if not promised and np.count_nonzero(symbols == COVERED) <= 3 * live // 2:
        value = search(symbols, table_of(size.rows, size.cols), size.mines, limits)
        if value is not None:
            return value
    mined = sampler(size, symbols, plan.guides + plan.worlds, rng)
    if mined is None:
        return 1.0
    grid, known = unopened(size, symbols, mined)
    told = tell(size, grid, known, whole(size) if windows is None else windows, live, limits)
    apart = []
    if windows is None and plan.thorough:
        for some in (cut(size), tiles(size)):
            apart.append(set_apart(size, mined, known, some, tell(size, grid, known, some, live).of))
    tree = Tree(size, plan, symbols, mined, show(grid).reshape(mined.shape), told, rng, sampler, apart, jobs)
    worlds, nothing = np.arange(len(mined)), np.zeros(told.value.shape, bool)
    if promised:
        return max(tree.open_all([(symbols, worlds, nothing, cell, plan.guesses, plan.anew > 0) for cell in promised]))
    _, risks = positions(symbols[None], table_of(size.rows, size.cols), [size.mines])
    bound = tree.guess(symbols, risks[0], worlds, nothing, plan.guesses)
    if told_mean is None:
        return bound
    return bound - LUCK * (float(told.value[plan.guides :].prod(1).mean()) - told_mean)


def told_at_once(size: Size, symbols: Cells, worlds: int, rng: np.random.Generator) -> float:
    """The chance to win if the player is told before the first guess, as a mean over so many worlds."""
    mined = draw(size, symbols, worlds, rng)
    assert mined is not None
    return float(tell(size, *unopened(size, symbols, mined), whole(size), limits=THOROUGH).value.prod(1).mean())


def whole(size: Size) -> list[Window]:
    """The board as one window."""
    return [(0, size.rows, 0, size.cols)]


def unopened(size: Size, symbols: Cells, mined: Cells) -> tuple[Cells, NDArray[np.bool_]]:
    """Worlds of a position as grids, and which cells are known."""
    grid = mined.reshape(-1, size.rows, size.cols)
    return grid, np.broadcast_to((symbols != COVERED).reshape(size.rows, size.cols), grid.shape)
