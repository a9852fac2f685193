"""Exact counts by the compiled library, mostly without NumPy.

``satsweep.kernels.position.solver`` describes what the kernels write. Boards that do not fit the record are counted in
parts, with NumPy.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from threading import local
from typing import TYPE_CHECKING, NamedTuple

from satsweep.kernels.position.entries import count_one, count_position, split_position, take_part
from satsweep.kernels.shared.memory import CELLS, COVERED, FINE, FLOATS, HEAD, IMPOSSIBLE, MINE, SAFE, WIDE
from satsweep.kernels.toolchain.calls import Buffer, WorkingRecord, private_memory, table, zeros

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PART = 2_048
"""Most cells of a part of several components: a near cache has room for them."""


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


def count_components(symbols: bytes, neighbours: Buffer) -> RawCounts:
    """Placements of the components of a position, by their mines; no mine total.

    ``symbols`` has the code of each cell as a signed byte.
    """
    status = count_position(neighbours, memory.record, array("b", symbols), *memory.counts)
    return _counts(status, len(symbols))


def count_component(sizes: Sequence[int], scopes: Sequence[Sequence[int]], needs: Sequence[int]) -> RawCounts:
    """Placements of one component; ``cells`` is the order of its groups.

    It has groups of these sizes and constraints, each with its groups and its mines.
    """
    status = count_one(memory.record, array("i", sizes), table(scopes), array("i", needs), *memory.counts)
    return _counts(status, len(sizes))


class NumberLeft(NamedTuple):
    """A number of a component that the kernels do not count, and its undecided cells."""

    number: int
    need: int
    cells: list[int]


class SplitCounts(NamedTuple):
    """Counts of a board in parts, which have all undecided cells that touch a number.

    ``decided`` are the cells that single numbers find safe, those that they find to be mines, and the sea; ``left`` are
    the numbers of components that were not counted.
    """

    decided: list[list[int]]
    parts: list[RawCounts]
    left: list[NumberLeft]


def count_in_parts(symbols: bytes, neighbours: Buffer) -> SplitCounts | None:
    """Count the components of a board of any size; None if the numbers contradict."""
    import numpy as np

    cells, degree = neighbours.shape
    table = np.asarray(neighbours.view)
    before = np.frombuffer(symbols, np.int8)
    settled, need, listed = before.copy(), np.zeros(cells, np.int16), np.zeros(cells, np.int8)
    order, ends, place_of = (np.zeros(cells, np.int32) for _ in range(3))
    components = split_position(neighbours, settled, need, listed, order, ends)
    if components < 0:
        return None
    order, ends = order[: ends[components - 1] if components else 0], ends[:components]
    sea = settled == COVERED
    sea[order] = False
    covered = before == COVERED
    decided = [np.flatnonzero(covered & which).tolist() for which in (settled == SAFE, settled == MINE, sea)]
    part_nb, part_symbols = np.zeros((CELLS, degree), np.int32), np.zeros(CELLS, np.int8)

    def counted(own: NDArray[np.int32]) -> RawCounts:
        size = len(own)
        take_part(neighbours, settled, need, own, place_of, part_nb[:size], part_symbols[:size])
        status = count_position(part_nb[:size], memory.record, part_symbols[:size], *memory.counts)
        found = _counts(status, size)
        return found._replace(cells=own.take(found.cells, mode="clip").tolist()) if status == FINE else found

    found = SplitCounts(decided, [], [])
    waiting = _parts(ends)[::-1]
    while waiting:
        first, last = waiting.pop()
        own = order[ends[first - 1] if first else 0 : ends[last - 1]]
        part = counted(own) if len(own) <= CELLS else RawCounts(WIDE, [], [], [], [])
        if part.status == IMPOSSIBLE:
            return None
        if part.status == FINE:
            found.parts.append(part)
        elif last - first > 1:
            middle = (first + last) // 2
            waiting += [(middle, last), (first, middle)]
        else:
            for number in own[settled[own] >= 0]:
                near = table[number]
                near = near[(near >= 0) & (settled[near] == COVERED)]
                found.left.append(NumberLeft(int(number), int(need[number]), near.tolist()))
    return found


def _parts(ends: NDArray[np.int32]) -> list[tuple[int, int]]:
    """Ranges of components, a part each: those of few cells go together."""
    found, first = [], 0
    while first < len(ends):
        begin = ends[first - 1] if first else 0
        last = max(first + 1, int(ends.searchsorted(begin + PART, "right")))
        found.append((first, last))
        first = last
    return found


def _counts(status: int, cells: int) -> RawCounts:
    if status != FINE:
        return RawCounts(status, [], [], [], [])
    found, shape, ways = (buffer.view for buffer in memory.counts)
    head = shape[:HEAD].tolist()
    return RawCounts(
        status, found[:cells].tolist(), head[:3], shape[HEAD : head[4]].tolist(), [*map(int, ways[: head[5]])]
    )


class _Memory(local):
    """Memory of one thread."""

    @cached_property
    def record(self) -> WorkingRecord:
        return WorkingRecord()

    @cached_property
    def counts(self) -> tuple[Buffer, Buffer, Buffer]:
        """Arrays of counts: ``cells``, ``shape`` and ``ways``."""
        ways = memoryview(private_memory(8 * FLOATS)).cast("d")
        return Buffer(zeros("i", CELLS)), Buffer(zeros("i", HEAD + 5 * CELLS)), Buffer(ways)


memory = _Memory()
