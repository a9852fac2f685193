"""The library for WebAssembly, as Python in a browser calls it.

Python and the library have memories of their own. Behind the room for the deep player lies what a call hands over;
results are copied back.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from satsweep.kernels.board_engine import FUNCTIONS, Buffer, Int, zeros

PAGE = 65_536
"""Bytes by which memory grows."""


def _aligned(place: int) -> int:
    return (place + 63) // 64 * 64


class BrowserLibrary:
    """``board_engine.GivenLibrary`` of an instance of the library, by its exports."""

    def __init__(self, exports: Any) -> None:
        self._exports = exports
        self.size: int = exports.satsweep_room(1)
        self._room = _aligned(getattr(exports, "__heap_base").value)  # noqa: B009
        self._free = _aligned(self._room + self.size)

    def call(self, name: str, arguments: Sequence[Buffer | int]) -> int:
        import js

        wide = [isinstance(one, Int) and one.kind == "q" for one in FUNCTIONS[name]]
        with self._placed(arguments) as placed:
            values = (js.BigInt(one) if big else one for one, big in zip(placed, wide, strict=True))
            code: int = getattr(self._exports, f"satsweep_{name}")(self._room, *values)
        return code

    def has_kernel(self, symbol: str) -> bool:
        return hasattr(self._exports, symbol)

    def call_kernel(self, symbol: str, arguments: Sequence[Buffer | int], results: int) -> tuple[int, list[int]]:
        import js

        result, error = zeros("q", results), zeros("q", 1)
        with self._placed([Buffer(result), Buffer(error), *arguments]) as (to, failure, *placed):
            values = [to, failure]
            for place, one in zip(placed, arguments, strict=True):
                if isinstance(one, Buffer):  # two owners and the address are pointers
                    _, _, items, size, _, *lengths = (js.BigInt(word.value) for word in one.words)
                    values += [0, 0, items, size, place, *lengths]
                else:
                    values.append(js.BigInt(one))
            status: int = getattr(self._exports, symbol)(*values)
        return status, result.tolist()

    @contextmanager
    def _placed(self, arguments: Sequence[Buffer | int]) -> Iterator[list[int]]:
        """Arguments with the places of buffers, which are copied there.

        Those that may be written are copied back after the call.
        """
        import js

        end, values, contents = self._free, [], []
        for one in arguments:
            values.append(end if isinstance(one, Buffer) else one)
            if isinstance(one, Buffer) and one.view.nbytes:
                contents.append((end, one))
                end = _aligned(end + one.view.nbytes)
        self._grow(end)
        memory = js.Uint8Array.new(self._exports.memory.buffer)
        parts = [(memory.subarray(at, at + one.view.nbytes), one) for at, one in contents]
        for part, one in parts:
            part.assign(one.view.cast("B"))
        yield values
        for part, one in parts:
            if not one.readonly:
                part.assign_to(one.view.cast("B"))

    def _grow(self, end: int) -> None:
        """Make room up to a place. Raises MemoryError where the browser has none."""
        lacking = end - self._exports.memory.buffer.byteLength
        if lacking > 0:
            try:
                self._exports.memory.grow(-(-lacking // PAGE))
            except Exception as error:  # that of JavaScript
                raise MemoryError("the browser has no more memory for the library") from error
