"""The door to the compiled kernels for boards and components.

It has their capacity, encoding and counts. Callers that play games or look for boards without a guess take the
functions of ``satsweep.kernels.api`` from here, too. These are loaded at first use, so that importing this module loads
no numpy. The other door is ``satsweep.kernels.board_engine``.

Counts of the kernels are exact (``satsweep.kernels.position.solver``), and everything after them is the Python of every
other engine. Functions return None for boards and components that the kernels do not count; other engines answer then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    return Buffer(table(topology.neighbours(rows, cols)).toreadonly())


class BoardCounts(NamedTuple):
    """Cells that simple rules settle, and the counts, which use up all constraints."""

    safe: tuple[int, ...]
    mines: tuple[int, ...]
    counted: CountedFrontier


def count_board(board: Board, prior: Prior) -> BoardCounts | None:
    """Count a board. None if other engines have to, or if the numbers contradict."""
    if not supports(board) or not is_there():
        return None
    from satsweep.kernels.counting import count_components

    symbols = board.symbols.encode("ascii").translate(_CODES)
    found = count_components(symbols, table_of(board.topology, board.rows, board.cols))
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
    """Count a component, whose constraints may have weights; None if others have to."""
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


def beam_search(neighbours: Sequence[Sequence[int]], ranges: Sequence[float]) -> BeamSearch | None:
    """Beam search for orders of elimination; None if Python has to search."""
    if not is_there():
        return None
    from satsweep.kernels.position.orders import BeamSearch

    return BeamSearch(neighbours, ranges)


def _components(found: RawCounts) -> Iterator[tuple[tuple[int, ...], Counts]]:
    shape, ways = iter(found.shape), iter(found.ways)
    for groups in shape:
        low, span, listed = islice(shape, 3)
        sizes = tuple(islice(shape, groups))
        none = (0,) * low
        total, *mined = [none + tuple(islice(ways, span)) for _ in range(groups + 1)]
        yield sizes, Counts(total, tuple(mined), Work(NAME, placements=listed))


def risks_of(boards: Sequence[Board]) -> list[NDArray[np.float64] | None]:
    """The risks of boards of one shape and topology, with a mine total.

    NaN where a cell is not covered; None for a board that other engines have to answer, or that no layout agrees with.
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
    """Return whether ``auto`` asks the kernels first.

    Tests keep it in Python while the kernels are there.
    """
    return is_there()
