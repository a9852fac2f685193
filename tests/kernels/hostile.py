"""Hostile questions for a checked library: odd graphs, positions of any symbols, numbers at the ends of their ranges.

Answers are not looked at; other tests do that. Arguments that a door refuses are left out of a case.
"""

import ctypes
import mmap
from collections.abc import Callable
from contextlib import suppress
from math import comb
from random import Random
from typing import Any, NamedTuple

import numpy as np

from satsweep.kernels import api, counting
from satsweep.kernels.board_engine import BoardEngine, PosedEndgame
from satsweep.kernels.clicks.layers import LayerSweep
from satsweep.kernels.clicks.plan import Terms, plan_steps
from satsweep.kernels.endgame.play import ROOT
from satsweep.kernels.lookahead import deep_player
from satsweep.kernels.position.orders import BeamSearch
from satsweep.kernels.shared.memory import CELLS, COVERED, DEGREE, MINE, SAFE, Depth
from satsweep.kernels.toolchain import library
from satsweep.kernels.toolchain.calls import Buffer, table
from satsweep.topology import TOPOLOGIES, graph_topology
from tests.kernels.c_header import Parameter, bounds, functions, loaded

FIRST = ("any", "safe", "zero", "given")
LIKELY = 0.95
"""Greatest risk of a cell that is rolled out: a world in which it is safe is drawn until there is one."""
FEW = 500
"""Most layouts of a board that is searched from its first cell on: more take long."""


class Asked(NamedTuple):
    near: list[tuple[int, ...]]
    table: np.ndarray
    mines: int
    symbols: np.ndarray

    @property
    def is_quick(self) -> bool:
        """Whether the deep player answers soon."""
        cells = len(self.near)
        if cells > min(deep_player.NARROW_BOARD, CELLS) or self.mines > cells:
            return cells <= 100
        layouts = comb(cells, self.mines)
        return (layouts <= min(ROOT, FEW) and not self.is_sparse) or (layouts > ROOT and cells <= 100)

    @property
    def is_sparse(self) -> bool:
        """Whether cells are so lonely that the search of an endgame takes long."""
        return min(map(len, self.near)) < 2


def graph(rng: Random) -> list[tuple[int, ...]]:
    kind = rng.randrange(8)
    if kind < 4:
        rows = rng.randint(1, rng.choice((4, 12)))
        cols = rng.randint(1, min(rng.choice((6, 16, 40)), CELLS // rows))
        return list(rng.choice(list(TOPOLOGIES.values())).neighbours(rows, cols))
    cells = rng.choice((1, 2, 5, 27, 28, 64, 65, 100, min(CELLS, 120)))
    if kind == 4:  # all that may touch do
        return [tuple(other for other in range(cell // 27 * 27, min(cell // 27 * 27 + 27, cells)) if other != cell)
                for cell in range(cells)]  # fmt: skip
    around: list[set[int]] = [set() for _ in range(cells)]
    for _ in range(rng.randrange(cells * rng.choice((1, 2, 6)) + 1)):
        one, other = rng.randrange(cells), rng.randrange(cells)
        if kind == 5:
            other = (one + rng.randint(1, 3)) % cells
        if one != other and max(len(around[one]), len(around[other])) < DEGREE:
            around[one].add(other)
            around[other].add(one)
    return [tuple(rng.sample(sorted(one), len(one))) for one in around]


def asked(rng: Random) -> Asked:
    """A board, and a position that agrees with a layout, or mostly does, or is any symbols."""
    near = graph(rng)
    cells = len(near)
    mines = rng.choice((0, 1, cells, rng.randint(0, cells), cells // 5, cells // 5, cells // 3))
    mined = set(rng.sample(range(cells), mines))
    symbols = np.full(cells, COVERED, np.int8)
    start, share = rng.randrange(cells), rng.choice((0, 0.1, 0.4, 0.7, 1))
    for cell in range(cells):
        if rng.random() < share or cell == start:
            known = MINE if rng.random() < 0.3 else COVERED
            symbols[cell] = known if cell in mined else len(mined & set(near[cell])) if rng.random() < 0.9 else SAFE
    for _ in range(rng.choice((0, 0, 0, 0, 1, 3, cells))):
        symbols[rng.randrange(cells)] = rng.choice((-3, -2, -1, 0, 1, 2, rng.randint(-128, 127), DEGREE))
    return Asked(near, np.asarray(table(near)), rng.choice((mines, mines, mines, mines, mines + 1, 0)), symbols)


def legal(rng: Random) -> Asked:
    found = asked(rng)
    return found._replace(mines=min(found.mines, len(found.near)))


def depth(rng: Random, cells: int = CELLS) -> Depth:
    """Parameters of a player; it rolls out on small boards only, since on others that takes long."""
    one = rng.choice([*api.DEEP.values(), api.ROLLING])
    worlds, margin = rng.choice((one.worlds, 0, 1, 100, 2_000)), rng.choice((one.margin, 0, 1))
    return one._replace(worlds=worlds, margin=margin, rollouts=16 * (cells <= 40), nodes=rng.choice((1, 300)))


def ask_positions(rng: Random) -> None:
    one = asked(rng)
    api.positions(np.stack([one.symbols, np.full_like(one.symbols, COVERED)]), one.table, [one.mines, one.mines])


def count(rng: Random) -> None:
    one = asked(rng)
    counting.count_components(one.symbols.tobytes(), Buffer(one.table))


def count_one(rng: Random) -> None:
    groups, constraints = rng.randint(1, rng.choice((4, 16, 70))), rng.randint(1, rng.choice((3, 20)))
    scopes = [rng.sample(range(groups), rng.randint(0, min(groups, 28))) for _ in range(constraints)]
    if rng.random() < 0.2:
        scopes[0] += scopes[0]
    sizes = [rng.choice((0, 1, 2, DEGREE, DEGREE + 1)) for _ in range(groups)]
    counting.count_component(sizes, scopes, [rng.choice((-1, 0, 1, 2, 5, 1 << 30)) for _ in range(constraints)])


def draw(rng: Random) -> None:
    one = asked(rng)
    api.sample_worlds(one.symbols, one.table, one.mines, rng.randint(0, 3), rng.choice((1, -(1 << 63), (1 << 63) - 1)))


def advise(rng: Random) -> None:
    one = asked(rng)
    if one.is_quick:
        earlier = [np.full_like(one.symbols, COVERED)] * rng.randint(0, 1)
        api.advise(one.symbols, one.table, one.mines, depth(rng, len(one.near)), earlier)


def roll_out(rng: Random) -> None:
    one = asked(rng)
    status, risks = api.positions(one.symbols[None], one.table, [one.mines])
    cells = [cell for cell, risk in enumerate(risks[0].tolist()) if risk <= LIKELY]
    if status[0] == 0 and cells and one.is_quick:
        some = rng.sample(cells, min(2, len(cells)))
        with suppress(ValueError):  # a cell that is forced
            api.roll_out(one.symbols, one.table, one.mines, some, 2, depth(rng), rng.randrange(9))


def play(rng: Random) -> None:
    one = legal(rng)
    cells, games = len(one.near), rng.randint(0, 5)
    policy = rng.choice(("sat", "sat", "deep"))
    if policy == "deep" and not one.is_quick:
        return
    layouts = np.array([[rng.random() < 0.2 for _ in range(cells)] for _ in range(games)], np.int8).reshape(
        games, cells
    )
    api.play_games(
        one.table, one.mines, "x" * rng.choice((1, 300, 2_600)), range(games), first=rng.choice(FIRST),
        start=rng.choice((None, 0, cells - 1)), cascade=rng.random() < 0.8, fatal=rng.random() < 0.7,
        layouts=layouts if rng.random() < 0.2 else None, moves=np.zeros((rng.choice((0, 1, cells)), 4), np.int32),
        policy=policy, level=depth(rng), estimates=np.zeros((rng.choice((0, games)), rng.choice((2, 5, 200)))),
    )  # fmt: skip


def find_no_guess(rng: Random) -> None:
    one = legal(rng)
    how: dict[str, Any] = {"zero": rng.random() < 0.5, "technique": rng.randrange(3)}
    changes = rng.choice((None, 0, 30))
    start = rng.randrange(len(one.near))
    api.find_no_guess(one.table, one.mines, "free", range(rng.randint(0, 12)), start, changes=changes, **how)


def repair_tile(rng: Random) -> None:
    """A tile of any roles; cells that are shown are no mines."""
    one = legal(rng)
    cells = len(one.near)
    roles = np.array([rng.choice((0, 0, 0, 1, 2)) for _ in range(cells)], np.int8)
    mined = np.array([rng.random() < 0.4 for _ in range(cells)], np.int8)
    start = rng.choice([-1, *(cell for cell in range(cells) if not mined[cell])])
    mined[roles == api.SHOWN] = 0
    changes, technique = rng.choice((0, 1, 30)), rng.randrange(3)
    api.repair_tile(one.table, mined, roles, start, changes, "tile", zero=rng.random() < 0.5, technique=technique)


def step(rng: Random) -> None:
    """Games of a batch, and actions on any of their cells."""
    one = legal(rng)
    cells, games = len(one.near), rng.randint(1, 9)
    batch, first = api.new_batch(games, cells), rng.choice(FIRST)
    most = max(map(len, one.near)) + 1
    mines = min(one.mines, cells - most) if first != "any" else one.mines
    if mines < 0:
        return
    seeds = ["s" * rng.choice((1, 3_000)) + str(game) for game in range(games)]
    api.deal_games(batch, one.table, mines, range(games), seeds, first=first, cascade=rng.random() < 0.8)
    for _ in range(rng.randint(0, 6)):
        actions = np.array([rng.choice((-1, -(1 << 63), rng.randrange(cells))) for _ in range(games)])
        rated = np.where(batch.seen[range(games), actions.clip(0)] == COVERED, actions, -1)
        api.rate_actions(batch.seen, one.table, mines, rated)
        api.step_games(batch, one.table, actions, first=first, cascade=rng.random() < 0.8)
    worlds = np.array([[rng.random() < 0.3 for _ in range(cells)] for _ in range(games)], np.int8)
    api.change_worlds(batch, one.table, range(games), worlds)
    api.step_games(batch, one.table, np.full(games, rng.randrange(cells)), first="any")


def order(rng: Random) -> None:
    near = graph(rng)
    search = BeamSearch(near, [rng.choice((1.0, 2.0, 1e30)) for _ in near])
    search(rng.randrange(len(near)), rng.choice((1, 2, 8)))


def sweep_clicks(rng: Random) -> None:
    """Chords that touch as cells of a graph do, with any mines, numbers and openings around them."""
    near = graph(rng)[:60]
    chords = [{other for other in own if other < len(near)} for own in near]
    chords = [
        own | {other for other, others in enumerate(chords) if place in others} for place, own in enumerate(chords)
    ]
    terms = [
        [{one for one in {place, *own} if rng.random() < 0.4} for place, own in enumerate(chords)] for _ in range(3)
    ]
    own = Terms([other - {place} for place, other in enumerate(chords)], *terms)
    steps = plan_steps(own, rng.sample(range(len(near)), len(near)) if rng.random() < 0.5 else range(len(near)))
    if steps is not None:
        sweep = LayerSweep(steps)
        for _ in range(rng.choice((1, 5, 40))):
            if sweep.advance(rng.choice((1, 500))) is not False:
                break


def pose(rng: Random) -> None:
    """An endgame of any worlds, and parts of it."""
    cells, worlds = rng.choice((1, 7, 8, 9, 63, 64, 65)), rng.choice((1, 2, 3, 63, 64, 65, 66, 130))
    codes = (255, 0, 1, 2, DEGREE)[: rng.randint(2, 5)]
    rows = [bytes(rng.choices(codes, k=min(cells, 9)) + [255] * max(0, cells - 9)) for _ in range(worlds)]
    rows = list(dict.fromkeys(rows))
    engine = BoardEngine(graph_topology([(0, 1)]).neighbours(1, 2), 1)
    posed = PosedEndgame(engine, rows)
    with suppress(MemoryError):  # the room is spent
        posed.value(range(len(rows)))
        posed.value(rng.sample(range(len(rows)), rng.randint(1, len(rows))))


class Guarded:
    """Memory that ends where a page begins that cannot be read."""

    def __init__(self, content: bytes, is_given: bool) -> None:
        pages = -(-len(content) // mmap.PAGESIZE) + 1
        self.memory = mmap.mmap(-1, pages * mmap.PAGESIZE)
        first = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        end = first + (pages - 1) * mmap.PAGESIZE
        if ctypes.CDLL(None).mprotect(ctypes.c_void_p(end), ctypes.c_size_t(mmap.PAGESIZE), 0):
            raise OSError("mprotect failed")
        self.address = end - len(content)
        if is_given:
            ctypes.memmove(self.address, content, len(content))


ROOM: Any = np.zeros(ctypes.CDLL(str(library.PATH)).satsweep_room(1), np.uint8)
CALLS = loaded(library.PATH)
FUNCTIONS = {name: own for name, own in functions().items() if not name.startswith("begin")}
SIZES = {"int8_t": "i1", "uint8_t": "u1", "char": "u1", "int": "i4", "int32_t": "i4", "int64_t": "i8", "double": "f8"}
SMALL = {"count": 3, "worlds": 40, "games": 2, "most": 5, "candidates": 4, "changes": 20, "cells": 9, "size": 40}
"""Most of a number that says how long memory is, or how long to go on."""


def call(rng: Random) -> None:
    """Functions of the C interface in one room, with memory that ends before a page that cannot be read."""
    one = asked(rng)
    if not one.is_quick:
        return
    cells, degree = one.table.shape
    address = ROOM.ctypes.data
    assert CALLS["begin_grid"](address, ROOM.size, cells, degree, one.table.ctypes.data) == 0
    for _ in range(rng.randint(1, 6)):
        name = rng.choice(list(FUNCTIONS))
        lengths = {"cells": cells, "worlds": rng.randint(1, SMALL["worlds"]), "candidates": SMALL["candidates"]}
        numbers = {own.name: number_of(rng, name, own, one, lengths) for own in FUNCTIONS[name] if not own.is_pointer}
        kept: list[Guarded] = []
        values: list[int | None] = []
        for own in FUNCTIONS[name]:
            if not own.is_pointer:
                values.append(numbers[own.name])
            elif rng.random() < 0.02:
                values.append(None)
            else:
                kept.append(Guarded(content_of(rng, name, own, one, numbers), own.given))
                values.append(kept[-1].address)
        if not is_endless(name, one, numbers):
            CALLS[name](address, *values)


def number_of(rng: Random, name: str, own: Parameter, one: Asked, lengths: dict[str, int]) -> int:
    if own.name == "mines" and rng.random() < 0.9:
        return one.mines
    if own.name in SMALL:
        return rng.randint(0, SMALL[own.name])
    found = bounds(name, own, lengths)
    least, most = found or (-3, 3)
    if rng.random() < 0.05:
        return rng.choice((*own.extremes, least - 1 if least > own.extremes[0] else least))
    return rng.choice((least, min(most, least + rng.randint(0, 9)), most))


def content_of(rng: Random, name: str, own: Parameter, one: Asked, numbers: dict[str, int]) -> bytes:
    """What a pointer points to, as long as the header says."""
    cells, count = len(one.near), max(0, numbers.get("count", 1))
    worlds, listed = max(0, numbers.get("worlds", 1)), max(0, numbers.get("cells", 1))
    if own.name == "symbols":
        return one.symbols.tobytes()
    if own.name == "seed":
        return b"s" * rng.choice((0, 1, 55, 256, 257)) + b"\0"
    if own.name == "shown":
        found = [
            rng.choice((255, 255, 0, 1, 26, 27, 31, 32, 254)[: rng.choice((4, 9))]) for _ in range(worlds * listed)
        ]
        return np.array(found, np.uint8).tobytes()
    if own.name == "candidate":
        return np.array([rng.choice((0, 1, -1, (1 << 63) - 1))]).tobytes()
    if own.name == "layout":
        return bytes(rng.choice((0, 0, 0, 1, rng.choice((0, 2)))) for _ in range(cells))
    if name == "roll_out" and own.name == "cells":
        status, risks = api.positions(one.symbols[None], one.table, [one.mines])
        likely = [cell for cell in range(cells) if status[0] == 0 and risks[0, cell] <= LIKELY]
        found = [rng.choice((*likely * 3, -1, cells)) if rng.random() < 0.9 else -1 for _ in range(count)]
        return np.array(found, np.int32).tobytes()
    if name == "endgame_value" and own.name == "worlds":
        return np.array(
            sorted(rng.sample(range(-1, 45), min(count, 9))) + [0] * (count - min(count, 9)), "i4"
        ).tobytes()
    lengths = {
        "risks": cells, "mined": cells * (count if name == "draw" else 1), "scores": max(0, numbers.get("most", 0)),
        "cells": max(0, numbers.get("most", 0)), "moves": 4 * max(0, numbers.get("most", 0)), "game": 12,
        "values": worlds * count, "chances": max(0, numbers.get("games", 1)), "digits": max(0, numbers.get("size", 0)),
        "reason": 5, "clues": cells, "layouts": 2 * cells,
    }  # fmt: skip
    size = np.dtype(SIZES.get(own.kind, "i4")).itemsize
    return bytes(size * lengths.get(own.name, 1))


def is_endless(name: str, one: Asked, numbers: dict[str, int]) -> bool:
    """Whether the deep player would take too long, with any mines of a layout."""
    mines = len(one.near) // 2 if name == "play_layout" else max(0, numbers.get("mines", 0))
    level, changed = numbers.get("level", 0), one._replace(mines=min(mines, len(one.near)))
    return (level == 5 and len(one.near) > 40) or (level > 0 and (one.is_sparse or not changed.is_quick))


CASES: dict[str, Callable[[Random], None]] = {
    one.__name__: one
    for one in (
        *(ask_positions, count, count_one, draw, advise, roll_out, play),
        *(find_no_guess, repair_tile, step, order, sweep_clicks, pose, call),
    )
}
