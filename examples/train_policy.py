"""Train a policy on rewards without luck, in NumPy, and plot what it wins.

    python examples/train_policy.py --plot curve.svg

A small network looks at the 5x5 cells around a covered cell, and says what opening it is worth: 1 less its regret. The
policy opens the cell that is worth most. It looks three times: cells that looked much worse than the best are marked as
mines, and each number is then shown less the marks around it, with a sign where it has as many covered cells as mines
are left. Nobody tells it what that means. Games are played at once (``gymnasium.make_vec``), one move in ten by chance;
each move is learned from a few times, turned and mirrored. The same policy is then paid by wins: a move is worth 1 if
the game was won.

``agent()`` is the trained policy for the arena, from ``train_policy.npz`` beside this file, which a training writes:

    satsweep compare --agents basic,examples/train_policy.py:agent --board beginner --games 1000
"""

import argparse
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

import satsweep.learn.envs  # it registers the environment
from satsweep import Agent
from satsweep.agents.policy import policy_agent

FILE = Path(__file__).with_suffix(".npz")
REACH, LOOKS, CHANCE = 2, 3, 0.1
FULL, COVERED, MARKED, EDGE, KINDS = 9, 18, 19, 20, 21
"""Kinds of a cell: a number less the marks around it (plus FULL with as many covered cells), and others."""
SIDE = 2 * REACH + 1
LAYERS = (KINDS * SIDE * SIDE + 2, 64, 32, 1)
MUCH_WORSE = 0.4
Floats = NDArray[np.float32]
Boards = NDArray[np.int8]


class Windows(NamedTuple):
    """Cells to look at: the kinds around each, and two numbers of its board."""

    kinds: NDArray[np.uint8]
    board: Floats

    def inputs(self) -> Floats:
        found = np.zeros((len(self.kinds), LAYERS[0]), np.float32)
        places = KINDS * np.arange(SIDE * SIDE) + self.kinds.reshape(len(self.kinds), -1)
        found[np.arange(len(self.kinds))[:, None], places] = 1
        found[:, -2:] = self.board
        return found


def around(there: NDArray[Any]) -> NDArray[np.int8]:
    """For each cell of some boards, the number of its neighbours that are there."""
    count, rows, cols = there.shape
    wide = np.zeros((count, rows + 2, cols + 2), np.int8)
    wide[:, 1:-1, 1:-1] = there
    steps = [(down, right) for down in range(3) for right in range(3) if (down, right) != (1, 1)]
    found = np.zeros((count, rows, cols), np.int8)
    for down, right in steps:
        found += wide[:, down : down + rows, right : right + cols]
    return found


class View:
    """Some boards as the network sees them, with marks of cells that look like mines."""

    def __init__(self, seen: Boards, mines: int, marks: NDArray[np.bool_]) -> None:
        covered = (seen < 0) & ~marks
        left = np.clip(seen - around(marks), 0, 8)
        kinds = left + FULL * ((left > 0) & (left == around(covered)))
        kinds = np.where(marks, MARKED, np.where(covered, COVERED, kinds))
        wide = np.pad(kinds.astype(np.uint8), ((0, 0), (REACH, REACH), (REACH, REACH)), constant_values=EDGE)
        self._windows = np.lib.stride_tricks.sliding_window_view(wide, (SIDE, SIDE), (1, 2))
        share = (seen < 0).mean(axis=(1, 2))
        self._board = np.stack([share, mines / seen[0].size / np.maximum(share, 0.01)], axis=1).astype(np.float32)

    def at(self, games: NDArray[np.intp], cells: NDArray[np.intp]) -> Windows:
        rows, cols = np.divmod(cells, self._windows.shape[2])
        return Windows(self._windows[games, rows, cols], self._board[games])


class Network:
    """Two hidden layers, and one number for each window; it learns by Adam (Kingma and Ba 2015)."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.layers: list[Floats] = []
        for before, after in zip(LAYERS, LAYERS[1:], strict=False):
            scale = 0.1 if before == LAYERS[0] else (2 / before) ** 0.5
            self.layers += [(scale * draw.standard_normal((before, after))).astype(np.float32)]
            self.layers += [np.zeros(after, np.float32)]
        self._mean = [np.zeros_like(layer) for layer in self.layers]
        self._square = [np.zeros_like(layer) for layer in self.layers]
        self._turn = 0

    def _forward(self, inputs: Floats) -> list[Floats]:
        found = [inputs]
        for at in range(0, len(self.layers), 2):
            value = found[-1] @ self.layers[at] + self.layers[at + 1]
            found.append(np.maximum(value, 0) if at + 2 < len(self.layers) else value)
        return found

    def values(self, inputs: Floats) -> Floats:
        return self._forward(inputs)[-1][:, 0]

    def learn(self, inputs: Floats, targets: Floats, rate: float) -> None:
        """Take a step towards targets (mean squared error)."""
        found = self._forward(inputs)
        slope = (2 / len(inputs)) * (found[-1] - targets[:, None])
        self._turn += 1
        for at in range(len(self.layers) - 2, -1, -2):
            gradients = found[at // 2].T @ slope, slope.sum(axis=0)
            slope = (slope @ self.layers[at].T) * (found[at // 2] > 0)
            for own, gradient in zip((at, at + 1), gradients, strict=True):
                self._mean[own] += 0.1 * (gradient - self._mean[own])
                self._square[own] += 0.01 * (gradient**2 - self._square[own])
                mean = self._mean[own] / (1 - 0.9**self._turn)
                square = self._square[own] / (1 - 0.99**self._turn)
                self.layers[own] -= rate * mean / (np.sqrt(square) + 1e-7)


def looked(network: Network, seen: Boards, mines: int) -> tuple[NDArray[np.intp], View, View]:
    """The covered cell of each board that is worth most, and its views at first and in the end.

    Of the cells beside no number the first one stands for all.
    """
    count, area = len(seen), seen[0].size
    covered = (seen < 0).reshape(count, area)
    beside = covered & (around(seen >= 0) > 0).reshape(count, area)
    apart = covered & ~beside
    apart &= np.cumsum(apart, axis=1) == 1
    games, cells = np.nonzero(beside | apart)
    marks = np.zeros((count, area), bool)
    views = []
    for _ in range(LOOKS):
        views.append(View(seen, mines, marks.reshape(seen.shape)))
        values = np.full((count, area), -np.inf, np.float32)
        values[games, cells] = network.values(views[-1].at(games, cells).inputs())
        marks = beside & (values < MUCH_WORSE * values.max(axis=1, keepdims=True))
    return values.argmax(axis=1), views[0], views[-1]


def games_at_once(count: int, reward: Any, **kind: Any) -> tuple[Any, int]:
    env: Any = gymnasium.make_vec(
        satsweep.learn.envs.ID, count, "vector_entry_point", reward=reward, autoreset_mode="SameStep", **kind
    )
    return env, env.unwrapped.options.setting.mines


def share_won(network: Network, games: int, seed: int, **kind: Any) -> float:
    """The share of games that the network wins, the first one of each of some seeds."""
    env, mines = games_at_once(games, {}, **kind)
    seen, _ = env.reset(seed=seed)
    left, wins = np.ones(games, bool), 0
    while left.any():
        actions = np.zeros(games, np.intp)
        actions[left] = looked(network, seen[left], mines)[0]
        seen, rewards, over, _, _ = env.step(actions)
        wins += int((left & over & (rewards > 0)).sum())
        left &= ~over
    return wins / games


class Curve(NamedTuple):
    games: list[int]
    won: list[float]


class Memory:
    """Moves to learn from, the last ones of many games."""

    def __init__(self, size: int) -> None:
        self.windows = Windows(np.zeros((size, SIDE, SIDE), np.uint8), np.zeros((size, 2), np.float32))
        self.worth = np.zeros(size, np.float32)
        self.known = 0

    def add(self, windows: Windows, worth: Floats) -> NDArray[np.intp]:
        """Keep moves, and return their places."""
        places: NDArray[np.intp] = np.arange(self.known, self.known + len(worth)) % len(self.worth)
        self.windows.kinds[places], self.windows.board[places] = windows
        self.worth[places] = worth
        self.known += len(worth)
        return places

    def some(self, count: int, draw: np.random.Generator) -> tuple[Windows, Floats]:
        """Some moves on boards that are turned or mirrored, all alike."""
        places = draw.integers(min(self.known, len(self.worth)), size=count)
        kinds = np.rot90(self.windows.kinds[places], int(draw.integers(4)), (1, 2))
        kinds = kinds[:, :, ::-1] if draw.random() < 0.5 else kinds
        return Windows(kinds, self.windows.board[places]), self.worth[places]


def trained(paid: str, turns: int, seed: int = 0, checks: int = 12, **kind: Any) -> tuple[Network, Curve]:
    """A network after some turns, a move in each of 64 games, and what it won on the way.

    It is paid by *regret* or by *wins*.
    """
    draw, network, memory, count = np.random.default_rng(seed), Network(seed), Memory(200_000), 64
    env, mines = games_at_once(count, "regret" if paid == "regret" else {"mine": 0, "illegal": 0}, **kind)
    running: list[list[int]] = [[] for _ in range(count)]
    curve, games, begun = Curve([], []), 0, time.process_time()
    seen, infos = env.reset(seed=1_000_000 + seed)
    for turn in range(1, turns + 1):
        actions, first, last = looked(network, seen, mines)
        by_chance = draw.random(count) < CHANCE
        mask = infos["action_mask"]
        actions[by_chance] = (draw.random(mask.shape) * mask).argmax(axis=1)[by_chance]
        views = [view.at(np.arange(count), actions) for view in (first, last)]
        seen, rewards, over, _, infos = env.step(actions)
        worth = 1 + rewards if paid == "regret" else rewards
        kept = [memory.add(windows, worth) for windows in views]
        games += int(over.sum())
        if paid == "wins":
            for game in range(count):
                running[game] += [int(places[game]) for places in kept]
                if over[game]:  # every move of the game is worth what became of it
                    memory.worth[running[game]] = rewards[game]
                    running[game] = []
        for _ in range(2):
            windows, targets = memory.some(256, draw)
            network.learn(windows.inputs(), targets, 2e-3 * max(0.05, 1 - turn / turns))
        if turn * checks // turns > len(curve.won):
            curve.games.append(games)
            curve.won.append(share_won(network, 500, 1, **kind))
            seconds = time.process_time() - begun
            print(f"{paid:>6}: {seconds:4.0f} s, {games:6,} games, won {curve.won[-1]:.1%}", flush=True)
    return network, curve


@cache
def learned() -> Network:
    """The trained network. Raises FileNotFoundError before the training."""
    network = Network(0)
    with np.load(FILE) as kept:
        network.layers = [kept[name] for name in kept.files]
    return network


def agent() -> Agent:
    """Make an agent of the trained policy, for beginner boards."""

    def policy(seen: Boards, mask: NDArray[np.int8]) -> int:
        return int(looked(learned(), seen[None], 10)[0][0])

    return policy_agent(policy)


def plot(curves: dict[str, Curve], level: float, path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    for name, curve in curves.items():
        axes.plot(curve.games, [100 * share for share in curve.won], marker="o", label=f"paid by {name}")
    axes.axhline(100 * level, color="grey", linestyle="--", label="basic")
    axes.set(xlabel="games of training", ylabel="games won, %", ylim=(0, 100))
    axes.legend(loc="center right")
    figure.savefig(path)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=6000, help="moves of training in each of 64 games")
    options.add_argument("--plot", type=Path)
    asked = options.parse_args()
    curves = {}
    for paid in ("regret", "wins"):
        network, curves[paid] = trained(paid, asked.turns)
        if paid == "regret":
            np.savez(FILE, *network.layers)
    report = satsweep.compare(["basic"], ["beginner"], games=1000, seed="plot")
    level = report.summaries[0].measured["won"]
    assert level is not None
    print(f" basic: won {level.mean:.1%}")
    if asked.plot:
        plot(curves, level.mean, asked.plot)


if __name__ == "__main__":
    main()
