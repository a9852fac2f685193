"""Layers of the sweep for the fewest clicks, without NumPy.

``satsweep.kernels.clicks.sweep`` is the kernel, which fills a layer out of the one before; its arrays are here. Layers
have room for what they hold, and grow between calls.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from satsweep.kernels.clicks.plan import BITS, SLOTS, Step
from satsweep.kernels.toolchain.calls import Array, Buffer, Entry, Fields, Int, table, zeros

SCRATCH = 48
"""Labels of the blocks of a state while it is made."""
DONE, GOING, SHORT, WIDE = range(4)
"""Statuses: all is done, effort is spent, memory is short, too many blocks."""
FIRST_ROOM, MOST_ROOM = 1 << 12, 1 << 22
"""States of a layer that have room at first, and at most."""
MOST_TRACED = 1 << 26
"""States of all layers that have room at most."""


class StepTable(NamedTuple):
    """The steps of a sweep in arrays, a row for each step."""

    slot: Any
    touched: Any
    begun: Any
    ended: Any
    bits: Any
    reach: Any
    near: Any


class Layers(NamedTuple):
    """The layer before and the one that is filled, in turns.

    ``key`` has two words of labels, 4 bits a slot, and the bits of a state, ``cost`` its clicks. ``after`` leads to the
    next state with the same labels, ``dead`` are states that another one dominates, ``parent`` has twice the place in
    the layer before, and 1 more for a chord. ``table`` is a hash table of labels. ``trace`` has the parents of all
    layers, one after the other, and ``states`` the length of each.
    """

    key: Any
    cost: Any
    after: Any
    dead: Any
    parent: Any
    table: Any
    trace: Any
    states: Any
    label: Any
    other: Any
    named: Any
    once: Any
    twice: Any
    cursor: Any


def _written(dtype: str, shape: str) -> Array:
    return Array(dtype, shape, written=True)


_SLOTS = Array("i4", "steps _", holds=Int(-1, most=SLOTS - 1))
sweep_layers = Entry(
    "satsweep_kernels_clicks_sweep_sweep_layers",
    Fields(StepTable, (
        Array("i4", "steps", holds=Int(0, most=SLOTS - 1)), _SLOTS, _SLOTS, _SLOTS,
        Array("u8", "steps 5"), Array("u8", "steps slots", limits={"slots": SLOTS}), Array("u8", f"steps {BITS}"),
    )),
    Fields(Layers, (
        _written("u8", "2 room 3"), _written("i4", "2 room"), _written("i4", "room"), _written("i1", "room"),
        _written("i4", "room"), _written("i4", "_"), _written("i4", "_"), _written("i4", "steps"),
        *[_written("i4", "slots")] * 2, _written("i4", f"{SCRATCH}"), *[_written("u8", f"{SCRATCH}")] * 2,
        _written("i8", "2"),
    )),
    Int(1), results=1,
)  # fmt: skip


def _words(rows: Sequence[Sequence[int]]) -> memoryview:
    return memoryview(array("Q", chain(*rows))).cast("B").cast("Q", (len(rows), len(rows[0])))


class LayerSweep:
    """A sweep over some steps: the fewest clicks, and the chords that they need."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = len(steps)
        slots = 1 + max(max(step.slot, *step.touched) if step.touched else step.slot for step in steps)
        rows = [[step.touched for step in steps], [step.begun for step in steps], [step.ended for step in steps]]
        sets = _words([step.bits for step in steps]), _words([step.reach[:slots] for step in steps])
        near = _words([step.near for step in steps])
        numbers: list[Any] = [array("i", [step.slot for step in steps]), *map(table, rows), *sets, near]
        self._plan = StepTable._make(Buffer(memoryview(own).toreadonly()) for own in numbers)
        self._states, self._cursor = zeros("i", len(steps)), zeros("q", 2)
        labels, sums = [zeros("i", slots), zeros("i", slots)], [zeros("i", SCRATCH)]
        self._scratch = *labels, *sums, zeros("Q", SCRATCH), zeros("Q", SCRATCH)
        self._layers = self._memory(FIRST_ROOM, FIRST_ROOM)

    def advance(self, effort: int) -> bool | None:
        """Fill layers until some states are made. Returns whether all are filled.

        None if there are too many states, or a state has too many blocks.
        """
        while (status := int(sweep_layers(self._plan, self._layers, effort))) == SHORT:
            if not self._grow():
                return None
        return None if status == WIDE else status == DONE

    @property
    def share(self) -> float:
        """The share of the layers that are filled."""
        return self._cursor[0] / self._steps

    @property
    def cost(self) -> int:
        """Clicks of the one state that is left when all layers are filled."""
        return int(self._layers.cost[self._steps & 1, 0])

    def chosen(self) -> list[int]:
        """Steps at which a best choice has the chord, the last one first."""
        found, at = [], 0
        end = sum(self._states)
        for step in reversed(range(self._steps)):
            end -= self._states[step]
            parent = self._layers.trace[end + at]
            at = parent >> 1
            if parent & 1:
                found.append(step)
        return found

    def _memory(self, room: int, traced: int) -> Layers:
        pairs, lists = [zeros("Q", 2, room, 3), zeros("i", 2, room)], [zeros("i", room), zeros("b", room)]
        longer = [zeros("i", room), zeros("i", 2 * room), zeros("i", traced)]
        return Layers._make([*pairs, *lists, *longer, self._states, *self._scratch, self._cursor])

    def _grow(self) -> bool:
        """Double the room that is short. Returns False beyond the limits."""
        old = self._layers
        room, traced = len(old.after), len(old.trace)
        step, total = self._cursor
        lacks_room = 2 * (self._states[step - 1] if step else 1) > room
        room, traced = (2 * room, traced) if lacks_room else (room, max(2 * traced, total + 1))
        if room > MOST_ROOM or traced > MOST_TRACED:
            return False
        if not lacks_room:
            longer = zeros("i", traced)
            longer[:total] = old.trace[:total]
            self._layers = old._replace(trace=longer)
            return True
        new = self._memory(room, 1)._replace(trace=old.trace)
        for wide, narrow in ((new.key, old.key), (new.cost, old.cost)):
            to, source = wide.cast("B"), narrow.cast("B")
            half = len(source) // 2
            to[:half], to[2 * half : 3 * half] = source[:half], source[half:]
        self._layers = new
        return True
