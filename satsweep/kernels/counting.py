"""Exact counts by the compiled library, mostly without NumPy.

``satsweep.kernels.position.solver`` describes what the kernels write. Boards that do not fit the record are counted in
parts, with NumPy.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from threading import local
from typing import Any, NamedTuple

from satsweep.kernels.position.entries import NOT_COUNTED, count_one, count_parts, count_position
from satsweep.kernels.shared.memory import CELLS, COVERED, FINE, FLOATS, HEAD, MINE, SAFE
from satsweep.kernels.toolchain.calls import Buffer, WorkingRecord, private_memory, table, zeros


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
    """Counts of a board of any size.

    ``decided`` are the cells that simple rules find safe, those that they find to be mines, and the sea; ``left`` are
    the numbers of components that were not counted.
    """

    decided: list[list[int]]
    counts: RawCounts
    left: list[NumberLeft]


def count_in_parts(symbols: bytes, neighbours: Buffer) -> SplitCounts | None:
    """Count the components of a board of any size; None if the numbers contradict."""
    import numpy as np

    cells, degree = neighbours.shape
    before = np.frombuffer(symbols, np.int8)
    settled, need, listed = before.copy(), np.zeros(cells, np.int16), np.zeros(cells, np.int8)
    scratch = [np.zeros(cells, np.int32) for _ in range(3)]
    part = np.zeros((CELLS, degree), np.int32), np.zeros(CELLS, np.int8)
    counts = np.zeros(cells, np.int32), np.zeros(HEAD + 5 * cells, np.int32), np.empty(FLOATS + 2 * cells)
    left = count_parts(neighbours, memory.record, settled, need, listed, *scratch, *part, *counts)
    if left < 0:
        return None
    is_covered, is_undecided = before == COVERED, settled == COVERED
    beyond = []
    table = np.asarray(neighbours.view)
    for number in np.flatnonzero((listed == NOT_COUNTED) & (settled >= 0)):
        near = table[number]
        near = near[(near >= 0) & is_undecided[near]]
        beyond.append(NumberLeft(int(number), int(need[number]), near.tolist()))
    kinds = settled == SAFE, settled == MINE, is_undecided & (listed == 0)
    decided = [np.flatnonzero(is_covered & kind).tolist() for kind in kinds]
    counted = int((is_undecided & (listed == 1)).sum())
    return SplitCounts(decided, _raw_counts(counted, *counts), beyond)


def _counts(status: int, cells: int) -> RawCounts:
    if status != FINE:
        return RawCounts(status, [], [], [], [])
    return _raw_counts(cells, *(buffer.view for buffer in memory.counts))


def _raw_counts(cells: int, found: Any, shape: Any, ways: Any) -> RawCounts:
    head = shape[:HEAD].tolist()
    return RawCounts(
        FINE, found[:cells].tolist(), head[:3], shape[HEAD : head[4]].tolist(), [*map(int, ways[: head[5]].tolist())]
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
