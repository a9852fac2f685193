"""Exact counts by the compiled library, and orders of elimination, without NumPy.

One position is counted in less time than NumPy takes to load, so this module goes to the library by ``ctypes`` alone.
``satsweep.kernels.position.solver`` and ``satsweep.kernels.position.beam`` describe what the kernels write.
"""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from math import prod
from random import Random
from threading import local
from typing import Any, NamedTuple

from satsweep.kernels.shared.memory import CELLS, FINE, FLOATS, HEAD, MOST_OPEN
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
    status = _kernel("solver_count_position")(*_words(neighbours), _memory.work, *_line(codes), *_memory.words)
    return _counts(status, len(symbols))


def count_component(sizes: Sequence[int], scopes: Sequence[Sequence[int]], needs: Sequence[int]) -> RawCounts:
    """Placements of one component; ``cells`` is the order of its groups.

    It has groups of these sizes and constraints, each with its groups and its mines.
    """
    # All of them live until the call returns: words are only addresses.
    groups, found, mines = (ctypes.c_int32 * len(sizes))(*sizes), table(scopes), (ctypes.c_int32 * len(needs))(*needs)
    status = _kernel("solver_count_one")(_memory.work, *_line(groups), *_words(found), *_line(mines), *_memory.words)
    return _counts(status, len(sizes))


class BeamSearch:
    """Beam search for an order that closes constraints, from any start.

    ``neighbours`` has for each constraint the others that it shares a group with, in ascending order, ``ranges`` the
    number of its partial sums.
    """

    def __init__(self, neighbours: Sequence[Sequence[int]], ranges: Sequence[float]) -> None:
        self._count = len(neighbours)
        keys = Random(0)
        self._constraints = (
            array("i", accumulate(map(len, neighbours), initial=0)),
            array("i", [other for near in neighbours for other in near]),
            array("d", ranges),
            array("q", [keys.getrandbits(63) for _ in neighbours]),
        )

    def __call__(self, start: int, width: int) -> tuple[float, list[int]] | None:
        """Predicted states of the best order from a start, and the order.

        None if more than ``MOST_OPEN`` constraints stay open when one closes.
        """
        count, room = self._count, min(self._count, MOST_OPEN)
        most = width * room
        kept: list[bytearray] = []

        def zeros(kind: type[Any], *shape: int) -> tuple[int, ...]:
            size = ctypes.sizeof(kind)
            kept.append(bytearray(size * prod(shape)))
            address = ctypes.addressof(ctypes.c_char.from_buffer(kept[-1]))
            steps = [size * prod(shape[place:]) for place in range(1, len(shape) + 1)]
            return 0, 0, prod(shape), size, address, *shape, *steps

        byte, short, long, real = ctypes.c_int8, ctypes.c_int32, ctypes.c_int64, ctypes.c_double
        words = [word for numbers in self._constraints for word in _array_words(numbers)]
        words += zeros(byte, 2, width, count) + zeros(short, 2, width, room) + zeros(real, 2, width, room)
        words += zeros(short, 2, width) + zeros(long, 2, width) + zeros(real, 2, width) + zeros(real, 2, width)
        words += zeros(long, most) + zeros(real, most) + zeros(real, most) + zeros(real, most)
        words += zeros(short, most) + zeros(short, most) + zeros(long, 1 << (2 * most).bit_length())
        words += zeros(short, width) + zeros(short, 2, count, width)
        order, states = array("i", bytes(4 * count)), array("d", [0.0])
        if not _kernel("beam_search_orders")(*words, start, *_array_words(order), *_array_words(states)):
            return None
        return states[0], order.tolist()


def _array_words(numbers: array[Any]) -> tuple[int, ...]:
    address, count = numbers.buffer_info()
    return 0, 0, count, numbers.itemsize, address, count, numbers.itemsize


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
    kernel = load()[f"satsweep_kernels_position_{name}"]

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
