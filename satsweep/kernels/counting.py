"""Exact counts by the compiled library, without NumPy.

``satsweep.kernels.position.solver`` describes what the kernels write.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from threading import local
from typing import NamedTuple

from satsweep.kernels.position.entries import count_one, count_position
from satsweep.kernels.shared.memory import CELLS, FINE, FLOATS, HEAD
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
