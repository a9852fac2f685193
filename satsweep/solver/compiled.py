"""The door to the compiled kernels for boards and components.

It has their capacity, encoding and counts. Callers that play games or look for boards without a guess take the
functions of ``satsweep.kernels.api`` from here, too. These are loaded at first use, so that importing this module loads
no numpy. The other door is ``satsweep.kernels.board_engine``.

Counts of the kernels are exact (``satsweep.kernels.position.solver``), and everything after them is the Python of every
other engine. Functions return None for boards and components that the kernels do not count; other engines answer then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweep.board import HIDDEN, MINE, NUMBERS, Board
from satsweep.kernels.shared import memory
from satsweep.kernels.toolchain.library import is_there as is_there, load as load
from satsweep.solver.components import Component, Counts, LocatedComponent, Work
from satsweep.solver.constraints import CellConstraint, Frontier, exactly
from satsweep.solver.probability import CountedFrontier, Prior
from satsweep.topology import Topology

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.kernels.api import (
        ALL as ALL,
        DEEP as DEEP,
        FINE as FINE,
        LEVEL as LEVEL,
        OUTCOMES as OUTCOMES,
        SHOWN as SHOWN,
        SILENT as SILENT,
        SINGLE as SINGLE,
        Batch as Batch,
        DeepGuess as DeepGuess,
        FoundLayout as FoundLayout,
        advise as advise,
        change_worlds as change_worlds,
        deal_games as deal_games,
        find_no_guess as find_no_guess,
        new_batch as new_batch,
        play_games as play_games,
        positions as positions,
        rate_actions as rate_actions,
        repair_tile as repair_tile,
        step_games as step_games,
    )
    from satsweep.kernels.clicks.layers import LayerSweep as LayerSweep
    from satsweep.kernels.counting import RawCounts
    from satsweep.kernels.position.orders import BeamSearch
    from satsweep.kernels.toolchain.calls import Buffer

NAME = "compiled"
"""Name of the engine."""


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module("satsweep.kernels.api"), name)
    return found


def fits(cells: int, topology: Topology) -> bool:
    return cells <= memory.CELLS and topology.most <= memory.DEGREE


def supports(board: Board) -> bool:
    """Return whether a whole board fits, and every shown number has to be right."""
    return not board.part and board.clues.is_true and fits(board.rows * board.cols, board.topology)


def symbols_of(board: Board) -> NDArray[np.int8]:
    """Codes of all cells, row-major. Flags are opinions: those cells are covered ones."""
    import numpy as np

    return np.frombuffer(board.symbols.encode("ascii").translate(_CODES), np.int8)


def _codes() -> bytes:
    codes = [memory.COVERED] * 256
    for number, symbol in enumerate(NUMBERS):
        codes[ord(symbol)] = number
    codes[ord(MINE)], codes[ord(HIDDEN)] = memory.MINE, memory.SAFE
    return bytes(code & 0xFF for code in codes)


_CODES = _codes()


@lru_cache(maxsize=16)
def table_of(topology: Topology, rows: int, cols: int) -> Buffer:
    """Neighbours of all cells. It is read-only, so that it is checked once."""
    from satsweep.kernels.toolchain.calls import Buffer, table

    small = rows * cols <= memory.CELLS  # of large boards a tuple for each cell takes long
    near: Any = table(topology.neighbours(rows, cols)) if small else topology.padded_neighbours(rows, cols)
    return Buffer(memoryview(near).toreadonly())


class BoardCounts(NamedTuple):
    """Cells that simple rules settle, and the counts, which use up most constraints.

    ``left`` are the constraints of components that the kernels do not count.
    """

    safe: tuple[int, ...]
    mines: tuple[int, ...]
    counted: CountedFrontier
    left: tuple[CellConstraint, ...] = ()


def count_board(board: Board, prior: Prior) -> BoardCounts | None:
    """Count a board. None if other engines have to, or if the numbers contradict.

    A board that fits is counted at once; a larger one, and one with a component that does not fit, in parts.
    """
    if board.part or not board.clues.is_true or board.topology.most > memory.DEGREE or not is_there():
        return None
    from satsweep.kernels.counting import count_components, count_in_parts

    symbols = board.symbols.encode("ascii").translate(_CODES)
    neighbours = table_of(board.topology, board.rows, board.cols)
    if len(symbols) <= memory.CELLS:
        found = count_components(symbols, neighbours)
        if found.status != memory.WIDE:
            return _board_counts([[], [], []], found, prior) if found.status == memory.FINE else None
    split = count_in_parts(symbols, neighbours)
    if split is None:
        return None
    left = tuple(CellConstraint(own.number, tuple(own.cells), exactly(own.need)) for own in split.left)
    return _board_counts(split.decided, split.counts, prior)._replace(left=left)


def _board_counts(decided: list[list[int]], raw: RawCounts, prior: Prior) -> BoardCounts:
    groups: list[tuple[int, ...]] = []
    parts, counts = [], []
    cells, at = raw.cells, 0
    for known, length in zip(decided, raw.decided, strict=True):
        known += cells[at : at + length]
        at += length
    for sizes, counted in components_of(raw):
        first = len(groups)
        for size in sizes:
            groups.append(tuple(cells[at : at + size]))
            at += size
        parts.append(LocatedComponent(Component(sizes, ()), tuple(range(first, len(groups)))))
        counts.append(counted)
    safe, mines, sea = map(tuple, decided)
    frontier = Frontier(tuple(groups), (), sea)
    return BoardCounts(
        safe, mines, CountedFrontier(frontier, tuple(parts), tuple(counts), (len(mines), len(safe)), prior)
    )


def count_exactly(
    sizes: Sequence[int], scopes: Sequence[Sequence[int]], needs: Sequence[int]
) -> tuple[list[int], Counts] | None:
    """Order of the groups of a component, and its counts; None if others have to."""
    if not is_there():
        return None
    from satsweep.kernels.counting import count_component

    found = count_component(sizes, scopes, needs)
    if found.status == memory.IMPOSSIBLE:
        return [*range(len(sizes))], Counts((), ((),) * len(sizes), Work(NAME))
    return None if found.status != memory.FINE else (found.cells, next(components_of(found))[1])


def beam_search(neighbours: Sequence[Sequence[int]], ranges: Sequence[float]) -> BeamSearch | None:
    """Beam search for orders of elimination; None if Python has to search."""
    from satsweep.kernels.position.orders import BeamSearch, search_orders

    return BeamSearch(neighbours, ranges) if search_orders.is_there else None


def can_sweep() -> bool:
    """Return whether the sweep for the fewest clicks can be called."""
    from satsweep.kernels.clicks.layers import sweep_layers

    return sweep_layers.is_there


def layer_sweep(order: Sequence[int], *terms: Sequence[Set[int]]) -> LayerSweep | None:
    """Sweep for the fewest clicks over chords, decided in an order, and their terms.

    None where states have too many parts (``satsweep.clicks.sweep_order`` has the terms).
    """
    from satsweep.kernels.clicks.layers import LayerSweep
    from satsweep.kernels.clicks.plan import Terms, plan_steps

    steps = plan_steps(Terms(*terms), order)
    return None if steps is None else LayerSweep(steps)


def components_of(found: RawCounts) -> Iterator[tuple[tuple[int, ...], Counts]]:
    """Yield sizes of groups and counts of the components that kernels have counted."""
    shape, ways = found.shape, found.ways
    place = at = 0
    while place < len(shape):
        groups, low, span, listed = shape[place : place + 4]
        place += 4 + groups
        none = (0,) * low
        rows = [none + tuple(ways[begin : begin + span]) for begin in range(at, at + (groups + 1) * span, span)]
        at += (groups + 1) * span
        yield tuple(shape[place - groups : place]), Counts(rows[0], tuple(rows[1:]), Work(NAME, placements=listed))


def is_preferred() -> bool:
    """Return whether ``auto`` asks the kernels first; tests keep it in Python."""
    return is_there()
