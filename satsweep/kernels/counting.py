"""Exact counts by the compiled library, without NumPy.

One position is counted in less time than NumPy takes to load, so this module goes to the library by ``ctypes`` alone.
``satsweep.kernels.position.solver`` describes what the kernels write.
"""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Sequence
from functools import cache
from threading import local
from typing import Any, NamedTuple

from satsweep.kernels.shared.memory import CELLS, FINE, FLOATS, HEAD
from satsweep.kernels.toolchain.library import load


class RawCounts(NamedTuple):
    """Counts of components, as kernels write them.

    ``decided`` has the first three lengths of ``shape``, which begins with the first component here. They mean nothing
    unless the status is FINE.
    """

    status: int
    cells: list[int]
    decided: list[int]
    shape: list[int]
    ways: list[int]


class Table(NamedTuple):
    """Neighbours of each cell, or groups of each constraint: rows padded with -1."""

    items: array[int]
    rows: int
    width: int


def table(rows: Sequence[Sequence[int]]) -> Table:
    """Table of rows of any lengths."""
    width = max(1, *map(len, rows))
    return Table(array("i", [item for row in rows for item in (*row, *(-1,) * (width - len(row)))]), len(rows), width)


def count_components(symbols: bytes, neighbours: Table) -> RawCounts:
    """Placements of the components of a position, by their mines; no mine total.

    ``symbols`` has the code of each cell as a signed byte.
    """
    codes = (ctypes.c_int8 * len(symbols)).from_buffer_copy(symbols)
    status = _kernel("count_position")(*_words(neighbours), _memory.work, *_line(codes), *_memory.words)
    return _counts(status, len(symbols))


def count_component(sizes: Sequence[int], scopes: Sequence[Sequence[int]], needs: Sequence[int]) -> RawCounts:
    """Placements of one component; ``cells`` is the order of its groups.

    It has groups of these sizes and constraints, each with its groups and its mines.
    """
    # All of them live until the call returns: words are only addresses.
    groups, found, mines = (ctypes.c_int32 * len(sizes))(*sizes), table(scopes), (ctypes.c_int32 * len(needs))(*needs)
    status = _kernel("count_one")(_memory.work, *_line(groups), *_words(found), *_line(mines), *_memory.words)
    return _counts(status, len(sizes))


def _counts(status: int, cells: int) -> RawCounts:
    if status != FINE:
        return RawCounts(status, [], [], [], [])
    head = _memory.shape[:HEAD]
    return RawCounts(
        status, _memory.cells[:cells], head[:3], _memory.shape[HEAD : head[4]], [*map(int, _memory.ways[: head[5]])]
    )


@cache
def _kernel(name: str) -> Any:
    """Function that calls a kernel with words, and returns its result."""
    kernel = load()[f"satsweep_kernels_position_solver_{name}"]

    def call(*words: int) -> int:
        result, error = ctypes.c_int64(), ctypes.c_void_p()
        if kernel(ctypes.byref(result), ctypes.byref(error), *map(ctypes.c_int64, words)):
            raise RuntimeError(f"the kernel {name} failed")
        return result.value

    return call


def _line(numbers: ctypes.Array[Any]) -> tuple[int, ...]:
    """Words of an array of one dimension: see ``satsweep.kernels.toolchain.marks``."""
    size = ctypes.sizeof(numbers._type_)
    return 0, 0, len(numbers), size, ctypes.addressof(numbers), len(numbers), size


def _words(found: Table) -> tuple[int, ...]:
    """Words of a table."""
    address, count = found.items.buffer_info()
    size = found.items.itemsize
    return 0, 0, count, size, address, found.rows, found.width, size * found.width, size


class _Memory(local):
    """Memory of one thread: a working record, and the arrays of counts.

    Pages of the record that are not used cost nothing.
    """

    def __init__(self) -> None:
        self._record = mmap.mmap(-1, ctypes.c_int64.in_dll(load(), "satsweep_record_bytes").value)
        self.work = ctypes.addressof(ctypes.c_char.from_buffer(self._record))
        ways = mmap.mmap(-1, FLOATS * ctypes.sizeof(ctypes.c_double))
        self.cells = (ctypes.c_int32 * CELLS)()
        self.shape = (ctypes.c_int32 * (HEAD + 5 * CELLS))()
        self.ways = (ctypes.c_double * FLOATS).from_buffer(ways)
        self.words = *_line(self.cells), *_line(self.shape), *_line(self.ways)


_memory = _Memory()
