"""Orders of elimination by the compiled beam search, without NumPy.

``satsweep.kernels.position.beam`` is the search; its arrays are here.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from satsweep.kernels.shared.memory import MOST_OPEN
from satsweep.kernels.toolchain.calls import Array, Buffer, Entry, Fields, Int, zeros


class Constraints(NamedTuple):
    """Ranges of constraints, and those that share a group with each, ascending.

    Those of constraint c are ``near[first[c]:first[c + 1]]``.
    """

    ranges: Any
    keys: Any
    first: Any
    near: Any


class Prefixes(NamedTuple):
    """Prefixes of orders, of two levels in turns: this one and the next.

    ``state`` is int8, shape (2, width, constraints). ``opened``, int32, and ``factor``, float64, shape (2, width, at
    most ``memory.MOST_OPEN``), have the open constraints in the order in which they were opened, and the factor of
    states that closing each brings. All other arrays have shape (2, width).
    """

    state: Any
    opened: Any
    factor: Any
    many: Any
    key: Any
    paid: Any
    now: Any


class Candidates(NamedTuple):
    """Sets with one more constraint closed.

    ``table`` is a hash table of their keys, whose places hold the level and the number of a candidate. ``heap`` has
    the best candidates.
    """

    key: Any
    rating: Any
    paid: Any
    after: Any
    prefix: Any
    closing: Any
    table: Any
    heap: Any


def _written(dtype: str, shape: str) -> Array:
    return Array(dtype, shape, written=True)


search_orders = Entry(
    "satsweep_kernels_position_beam_search_orders",
    Fields(Constraints, (
        Array("f8", "constraints"), Array("i8", "constraints", holds=Int(0)),
        Array("i4", holds=Int(0)), Array("i4", holds=Int(0, below="constraints")),
    )),
    Fields(Prefixes, (
        _written("i1", "2 width constraints"), _written("i4", "2 width open"), _written("f8", "2 width open"),
        _written("i4", "2 width"), *[_written(dtype, "2 width") for dtype in ("i8", "f8", "f8")],
    )),
    Fields(Candidates, (
        *[_written(dtype, "candidates") for dtype in ("i8", "f8", "f8", "f8", "i4", "i4")],
        Array("i8", written=True), _written("i4", "width"),
    )),
    _written("i4", "2 constraints width"), Int(0, below="constraints"), _written("i4", "constraints"),
    _written("f8", "1"), results=1,
)  # fmt: skip


class BeamSearch:
    """Beam search for an order that closes constraints, from any start.

    ``neighbours`` has for each constraint the others that it shares a group with, in ascending order, ``ranges`` the
    number of its partial sums.
    """

    def __init__(self, neighbours: Sequence[Sequence[int]], ranges: Sequence[float]) -> None:
        self._count = len(neighbours)
        keys = Random(0)
        arrays = (
            array("d", ranges),
            array("q", [keys.getrandbits(63) for _ in neighbours]),
            array("i", accumulate(map(len, neighbours), initial=0)),
            array("i", [other for near in neighbours for other in near]),
        )
        self._constraints = Constraints(*(Buffer(memoryview(numbers).toreadonly()) for numbers in arrays))

    def __call__(self, start: int, width: int) -> tuple[float, list[int]] | None:
        """Predicted states of the best order from a start, and the order.

        None if more than ``MOST_OPEN`` constraints stay open when one closes.
        """
        count, room = self._count, min(self._count, MOST_OPEN)
        most = width * room
        level = Prefixes(
            zeros("b", 2, width, count), zeros("i", 2, width, room), zeros("d", 2, width, room),
            *[zeros(kind, 2, width) for kind in "iqdd"],
        )  # fmt: skip
        lists = [zeros(kind, most) for kind in "qdddii"]
        found = Candidates._make([*lists, zeros("q", 1 << (2 * most).bit_length()), zeros("i", width)])
        path, order, states = zeros("i", 2, count, width), zeros("i", count), zeros("d", 1)
        if not search_orders(self._constraints, level, found, path, start, order, states):
            return None
        return states[0], order.tolist()
