"""The library for WebAssembly, as Python in a browser calls it for reviews.

Python and the library have memories of their own. Behind the room for the deep player lies what a call hands over;
results are copied back.
"""

from collections.abc import Sequence
from typing import Any

from satsweep.kernels.board_engine import FUNCTIONS, Buffer, Int

PAGE = 65_536
"""Bytes by which memory grows."""


def _aligned(place: int) -> int:
    return (place + 63) // 64 * 64


class BrowserLibrary:
    """``board_engine.Library`` of an instance of the library, by its exports."""

    def __init__(self, exports: Any) -> None:
        self._exports = exports
        self.size: int = exports.satsweep_room(1)
        self._room = _aligned(getattr(exports, "__heap_base").value)  # noqa: B009
        self._free = _aligned(self._room + self.size)

    def call(self, name: str, arguments: Sequence[Buffer | int]) -> int:
        import js

        end, values, contents = self._free, [], []
        for parameter, argument in zip(FUNCTIONS[name], arguments, strict=True):
            if isinstance(argument, Buffer):
                values.append(end)
                contents.append((end, end + argument.view.nbytes, argument))
                end = _aligned(end + argument.view.nbytes)
            else:
                wide = isinstance(parameter, Int) and parameter.kind == "q"
                values.append(js.BigInt(argument) if wide else argument)
        self._grow(end)
        memory = js.Uint8Array.new(self._exports.memory.buffer)
        for first, last, content in contents:
            memory.subarray(first, last).assign(content.view.cast("B"))
        code: int = getattr(self._exports, f"satsweep_{name}")(self._room, *values)
        for first, last, content in contents:
            if not content.readonly:
                memory.subarray(first, last).assign_to(content.view.cast("B"))
        return code

    def _grow(self, end: int) -> None:
        lacking = end - self._exports.memory.buffer.byteLength
        if lacking > 0:
            self._exports.memory.grow(-(-lacking // PAGE))
