"""The one door to the compiled kernels: capacity, encoding, counts.

No other module imports ``satsweep.kernels``. Callers that play games or look for boards without a guess take the
functions of ``satsweep.kernels.api`` from here, too. These are loaded at first use, so that importing this module loads
no numpy.

Counts of the kernels are exact (``satsweep.kernels.position.solver``), and everything after them is the Python of every
other engine. Functions return None for boards and components that the kernels do not count; other engines answer then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweep.board import HIDDEN, MINE, NUMBERS, Board
from satsweep.kernels.shared import memory
from satsweep.kernels.toolchain.library import is_there as is_there, load as load
from satsweep.solver.components import Component, Counts, LocatedComponent, Work
from satsweep.solver.constraints import Frontier
from satsweep.solver.probability import CountedFrontier, Prior
from satsweep.topology import Topology

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.kernels.api import (
        DEEP as DEEP,
        FINE as FINE,
        OUTCOMES as OUTCOMES,
        DeepGuess as DeepGuess,
        FoundLayout as FoundLayout,
        NeighbourTable,
        advise as advise,
        find_no_guess as find_no_guess,
        play_games as play_games,
        positions as positions,
        roll_out as roll_out,
        sample_worlds as sample_worlds,
    )
    from satsweep.kernels.counting import RawCounts, Table

NAME = "compiled"
"""Name of the engine."""
_FROM_THE_KERNELS = {
    "DEEP",
    "FINE",
    "OUTCOMES",
    "DeepGuess",
    "FoundLayout",
    "advise",
    "find_no_guess",
    "play_games",
    "positions",
    "roll_out",
    "sample_worlds",
}
"""Names of ``satsweep.kernels.api`` that this module has, too."""


def __getattr__(name: str) -> Any:
    """Return a name of ``satsweep.kernels.api``."""
    if name not in _FROM_THE_KERNELS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module("satsweep.kernels.api"), name)
    return found


def fits(cells: int, topology: Topology) -> bool:
    """Return whether the kernels have room for boards of this size and topology."""
    return cells <= memory.CELLS and topology.most <= memory.DEGREE


def supports(board: Board) -> bool:
    """Return whether the kernels can analyse a board.

    It has to fit, and every number that is shown has to be right.
    """
    return board.clues.is_true and fits(board.rows * board.cols, board.topology)


def symbols_of(board: Board) -> NDArray[np.int8]:
    """Codes of all cells, row-major, as the kernels read them.

    Flags are opinions, so flagged cells are covered ones.
    """
    import numpy as np

    return np.frombuffer(board.symbols.encode("ascii").translate(_CODES), np.int8)


def _codes() -> bytes:
    """The kernels' code of every ASCII symbol, as a table for ``bytes.translate``."""
    codes = [memory.COVERED] * 256
    for number, symbol in enumerate(NUMBERS):
        codes[ord(symbol)] = number
    codes[ord(MINE)], codes[ord(HIDDEN)] = memory.MINE, memory.SAFE
    return bytes(code & 0xFF for code in codes)


_CODES = _codes()


@lru_cache(maxsize=16)
def table_of(topology: Topology, rows: int, cols: int) -> NeighbourTable:
    """Neighbours of every cell, as the kernels read them."""
    from satsweep.kernels.api import neighbour_table

    return neighbour_table(topology.neighbours(rows, cols))


@lru_cache(maxsize=16)
def _neighbours(topology: Topology, rows: int, cols: int) -> Table:
    """Neighbours of every cell, as counting without NumPy reads them."""
    from satsweep.kernels.counting import table

    return table(topology.neighbours(rows, cols))


class BoardCounts(NamedTuple):
    """Cells that simple rules settle, and the counts of all components.

    The frontier has no constraints any more: the counts have used them up.
    """

    safe: tuple[int, ...]
    mines: tuple[int, ...]
    counted: CountedFrontier


def count_board(board: Board, prior: Prior) -> BoardCounts | None:
    """Count the components of a board.

    None if other engines have to, or if the numbers contradict each other.
    """
    if not supports(board) or not is_there():
        return None
    from satsweep.kernels.counting import count_components

    symbols = board.symbols.encode("ascii").translate(_CODES)
    found = count_components(symbols, _neighbours(board.topology, board.rows, board.cols))
    if found.status != memory.FINE:
        return None
    cells = iter(found.cells)
    safe, mines, sea = (tuple(islice(cells, length)) for length in found.decided)
    groups: list[tuple[int, ...]] = []
    parts, counts = [], []
    for sizes, counted in _components(found):
        places = tuple(range(len(groups), len(groups) + len(sizes)))
        groups += [tuple(islice(cells, size)) for size in sizes]
        parts.append(LocatedComponent(Component(sizes, ()), places))
        counts.append(counted)
    frontier = Frontier(tuple(groups), (), sea)
    certain = len(mines), len(safe)
    return BoardCounts(safe, mines, CountedFrontier(frontier, tuple(parts), tuple(counts), certain, prior))


def count_component(component: Component) -> Counts | None:
    """Count a component; None if other engines have to.

    They have to where it is too large, or a constraint is not exact. An exact constraint may have a weight, which is a
    factor of all counts.
    """
    constraints = component.constraints
    if not constraints or any(constraint.low != constraint.high for constraint in constraints):
        return None
    if not is_there():
        return None
    from satsweep.kernels import counting

    scopes = [constraint.groups for constraint in constraints]
    found = counting.count_component(component.sizes, scopes, [constraint.low for constraint in constraints])
    if found.status == memory.IMPOSSIBLE:
        return Counts((), ((),) * len(component.sizes), Work(NAME))
    if found.status != memory.FINE:
        return None
    ((_, counts),) = _components(found)
    factor = prod(constraint.likelihood[constraint.low] for constraint in constraints)
    rows = [tuple([factor * ways for ways in row]) for row in (counts.total, *counts.mined)]
    return Counts(rows[0], tuple(row for _, row in sorted(zip(found.cells, rows[1:], strict=True))), counts.work)


def _components(found: RawCounts) -> Iterator[tuple[tuple[int, ...], Counts]]:
    """The sizes of the groups of each component, and its counts."""
    shape, ways = iter(found.shape), iter(found.ways)
    for groups in shape:
        low, span, listed = islice(shape, 3)
        sizes = tuple(islice(shape, groups))
        none = (0,) * low
        total, *mined = [none + tuple(islice(ways, span)) for _ in range(groups + 1)]
        yield sizes, Counts(total, tuple(mined), Work(NAME, placements=listed))


def risks_of(boards: Sequence[Board]) -> list[NDArray[np.float64] | None]:
    """The risks of boards of one shape and topology, with a mine total.

    Each is an array of rows and columns, NaN where a cell is not covered; None if other engines have to answer, or if
    no layout agrees with a board.
    """
    import numpy as np

    from satsweep.kernels import api

    board = boards[0]
    shape = board.rows, board.cols
    text = "".join([other.symbols for other in boards]).encode("ascii").translate(_CODES)
    symbols = np.frombuffer(text, np.int8).reshape(len(boards), -1)
    totals = [other.mines or 0 for other in boards]
    status, risks = api.positions(symbols, table_of(board.topology, *shape), totals)
    found = risks.reshape(len(boards), *shape)
    return [own if fine else None for own, fine in zip(found, (status == api.FINE).tolist(), strict=True)]


def is_preferred() -> bool:
    """Return whether the engine ``auto`` asks the kernels: where there are any."""
    return is_there()


ENDGAME_MINE = 255
"""Code of a mine in a table of worlds."""


class EndgameRoom:
    """The compiled search for best play among some worlds and their parts.

    ``table``, uint8, shape (worlds, cells), has the number that each cell shows in each world, or ``ENDGAME_MINE``.
    """

    def __init__(self, table: NDArray[np.uint8]) -> None:
        from satsweep.kernels.endgame.sets import prepare, sets

        worlds, cells = table.shape
        self._room = sets(worlds, max(1, cells), slots=1 << (worlds.bit_length() + 4))
        self._room.code[:worlds, :cells] = table
        prepare(self._room, worlds, cells, 0)
        # The room has the worlds in an order of its own.
        place = {row.tobytes(): at for at, row in enumerate(self._room.code[:worlds, :cells])}
        self._place = [place[row.tobytes()] for row in table]

    def value(self, worlds: Iterable[int]) -> int:
        """The number of worlds that best play wins.

        ``worlds`` are rows of the table, all those that agree with what some cells show.
        """
        from satsweep.kernels.endgame.few import UNLIMITED
        from satsweep.kernels.endgame.search import choose

        places = sorted(self._place[world] for world in worlds)
        self._room.chosen[: len(places)] = places
        _, low, high = choose(self._room, len(places), UNLIMITED)
        if low != high:
            raise MemoryError("the room of the endgame search is spent")
        return int(low)
