"""Endgames that the deep player meets: how fast they are searched, and what it loses there.

    python benchmarks/endgames.py collect positions.npz
    python benchmarks/endgames.py search positions.npz --nodes 1500000
    python benchmarks/endgames.py loss positions.npz deep:2 deep:5 --nodes 1500000

``collect`` plays games and keeps the first guess of each in which the number of worlds is within bounds; it is the same
for the same seed. ``search`` finds best play, and prints the median time and how many positions end within 50 ms, 1 s
and 10 s of processor time, with at most so many nodes. ``loss`` prints what the cell of a player wins less than the
best one, best play following both: the mean, its standard error, and the points (percent of the games) that this is.
"""

import argparse
import time
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import NamedTuple

import numpy as np
from advantage import Setting, guesses, layouts
from strength import read_policy

from satsweep.analysis.analyse import analyse
from satsweep.board import Board
from satsweep.games.deal import LEVELS
from satsweep.kernels import api
from satsweep.kernels.endgame.few import BUDGET, CODES, NODES, UNLIMITED
from satsweep.kernels.endgame.search import value
from satsweep.kernels.endgame.sets import ROOM, Sets, attach
from satsweep.kernels.lookahead.deep_player import DEEP, MOST_LIVE, begin, consult, room_for
from satsweep.kernels.shared.memory import COVERED, MINE
from satsweep.topology import SQUARE

SETTING = Setting(*LEVELS["expert"])
NEAR = SQUARE.neighbours(SETTING.rows, SETTING.cols)
TABLE = api.neighbour_table(NEAR)
LIMITS = (0.05, 1.0, 10.0)
LATE = 0.6
"""Most undecided cells, of all, of a position whose worlds are counted."""


def worlds_of(symbols: np.ndarray) -> int:
    text = "".join("#" if symbol == COVERED else "*" if symbol == MINE else str(symbol) for symbol in symbols)
    rows = [text[at : at + SETTING.cols] for at in range(0, len(text), SETTING.cols)]
    return analyse(Board(rows, mines=SETTING.mines)).worlds or 0


def collect(file: Path, player: str, seed: str, count: int, least: int, most: int) -> None:
    """Write positions, their numbers of worlds, and the games in which they came up."""
    level = read_policy(player)[1]
    moves = np.full((2 * len(NEAR), 4), -1, np.int32)
    found: list[tuple[np.ndarray, int, int]] = []
    game = 0
    while len(found) < count:
        layout = next(layouts(SETTING, seed, range(game, game + 1)))
        api.play_games(
            TABLE, SETTING.mines, "", range(1), start=0, layouts=layout, moves=moves, policy="deep", level=level
        )
        for symbols, _ in guesses(moves[: (moves[:, 0] >= 0).sum()], layout[0], NEAR):
            if (symbols == COVERED).mean() < LATE and least <= (worlds := worlds_of(symbols)) <= most:
                found.append((symbols.copy(), worlds, game))
                break
        game += 1
    positions, counts, games = map(np.array, zip(*found, strict=True))
    np.savez_compressed(file, positions=positions, worlds=counts, games=games)
    print(f"{count} positions in {game:,} games")


class Found(NamedTuple):
    """Result of a search: whether it ended, worlds won by best play, nodes, seconds."""

    ended: bool
    won: int
    nodes: int
    seconds: float


class Searcher:
    """The endgame search, with room for more worlds than players have."""

    def __init__(self, most: int) -> None:
        self.work = api._workspace()
        api._set_out(self.work, TABLE, SETTING.mines, 2)
        self.room = room_for(most, MOST_LIVE)
        self.described = attach(self.work.fields, self.room)
        begin(TABLE, self.work, SETTING.mines)

    def search(self, symbols: np.ndarray, worlds: int, nodes: int) -> Found:
        self.work.fields["param"] = DEEP[2]._replace(worlds=worlds + 1, nodes=nodes)
        start = time.process_time()
        consult(TABLE, self.work, symbols, SETTING.mines, 1)
        seconds = time.process_time() - start
        own = self.work.fields
        return Found(bool(own["exact"]), round(own["value"] * worlds), int(self.room.spent[NODES]), seconds)

    def won_with(self, cell: int, worlds: int) -> int:
        """Return the worlds that best play wins after a cell of the position searched last."""
        m = fitted(self.room, int(self.work.fields["n_live"]))
        m.spent[BUDGET] = UNLIMITED
        m.chosen[:worlds] = np.arange(worlds)
        low, high = value(m, 0, worlds, int(self.work.fields["live_at"][cell]), -1, worlds, 0)
        assert low == high
        return int(low)


def fitted(m: Sets, cells: int) -> Sets:
    """The same room for problems of so many cells, as the kernels see it."""
    rows, words = (cells + 7) // 8, (cells + 63) // 64
    shapes = {
        "code": (len(m.row), 8 * rows), "row": (len(m.row), rows), "scope": (len(m.scope), words),
        "shows": (len(m.shows), cells, CODES), "same": (ROOM, words), "region": (len(m.region), words),
        "key": (len(m.key), words + 1),
    }  # fmt: skip
    return m._replace(
        **{name: getattr(m, name).ravel()[: prod(shape)].reshape(shape) for name, shape in shapes.items()}
    )


def search(positions: np.ndarray, worlds: Sequence[int], nodes: int) -> None:
    searcher = Searcher(max(worlds) + 1)
    found = [searcher.search(symbols, count, nodes) for symbols, count in zip(positions, worlds, strict=True)]
    times = np.array([one.seconds if one.ended else np.inf for one in found])
    print(f"median {np.median(times):.3f} s, {sum(one.seconds for one in found):.1f} s in all")
    print(f"nodes: median {np.median([one.nodes for one in found]):,.0f}, {sum(one.nodes for one in found):,} in all")
    for limit in LIMITS:
        print(f"ended within {limit} s: {(times <= limit).sum()} of {len(times)}")


def loss(positions: np.ndarray, worlds: Sequence[int], nodes: int, players: Sequence[str], share: float) -> None:
    """Print what players lose at the positions that come up in a share of the games."""
    cells = [
        [api.advise(symbols, TABLE, SETTING.mines, read_policy(name)[1]).cell for symbols in positions]
        for name in players
    ]
    searcher = Searcher(max(worlds) + 1)
    lost = []
    for symbols, count, chosen in zip(positions, worlds, zip(*cells, strict=True), strict=True):
        best = searcher.search(symbols, count, nodes)
        if best.ended:
            lost.append([(best.won - searcher.won_with(cell, count)) / count for cell in chosen])
    print(f"{len(lost)} of {len(positions)} searches ended")
    for name, own in zip(players, np.array(lost).T, strict=True):
        mean, error = own.mean(), own.std() / len(own) ** 0.5
        points = f"{100 * share * mean:.4f} ± {100 * share * error:.4f} points of all games"
        print(f"{name} loses {mean:.5f} ± {error:.5f}, {points}; another cell in {(own > 0).sum()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("collect", "search", "loss"))
    parser.add_argument("file", type=Path)
    parser.add_argument("players", nargs="*", default=["deep:5"])
    parser.add_argument("--seed", default="endgames")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--least", type=int, default=10_000)
    parser.add_argument("--most", type=int, default=100_000)
    parser.add_argument("--nodes", type=int, default=UNLIMITED, help="budget of a search")
    parser.add_argument("--step", type=int, default=1, help="take each n-th position")
    asked = parser.parse_args()
    if asked.command == "collect":
        return collect(asked.file, asked.players[0], asked.seed, asked.count, asked.least, asked.most)
    kept = np.load(asked.file)
    positions, worlds = kept["positions"][:: asked.step], kept["worlds"][:: asked.step].tolist()
    if asked.command == "search":
        return search(positions, worlds, asked.nodes)
    loss(positions, worlds, asked.nodes, asked.players, len(kept["games"]) / (int(kept["games"][-1]) + 1))


if __name__ == "__main__":
    main()
