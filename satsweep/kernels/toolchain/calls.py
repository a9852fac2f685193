"""The one way from Python into the compiled library: checked calls.

The parameters of a function are declared once: dtypes, lengths and bounds. A call checks its arguments against them and
hands them over by ``ctypes``; a wrong one is a TypeError or a ValueError, and no crash. Any memory with the buffer
protocol serves as an array: an array of NumPy or of ``array``, a memoryview, bytes. NumPy is not needed, since one
position is counted in less time than NumPy takes to load, and a browser has none.

The calling convention of kernels (``Entry``) is that of numba's native functions: a pointer to the result, a pointer
that errors would use, then the arguments. An array is seven words and more: two owners (none here), number of items,
size of an item, address, shape, strides. A named tuple is its fields, one after the other.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import index
from struct import calcsize
from typing import Any, Literal, Protocol, cast

from satsweep.kernels.toolchain.library import is_there, load

_CODES = {"i": "bhilq", "u": "BHILQ", "f": "fd"}
_DTYPES = {code: f"{kind}{calcsize(code)}" for kind, codes in _CODES.items() for code in codes}
"""Names of dtypes by the formats of buffers."""
_LIMITS = {kind: 1 << (8 * calcsize(kind) - 1) for kind in "qiN"}
"""Bounds of the kinds of integers."""


class Int:
    """Parameter: an integer within bounds; also bounds for the numbers of an array.

    A bound is a number, or the name of a length of an argument before; with a ``name`` it is a length itself. ``kind``
    is a letter of ``struct``; kernels have int64 alone.
    """

    __slots__ = ("below", "kind", "least", "most", "name")

    def __init__(
        self,
        least: int | None = None,
        *,
        most: int | str | None = None,
        below: str | None = None,
        name: str = "",
        kind: Literal["q", "i", "N"] = "q",
    ) -> None:
        self.least, self.most, self.below, self.name, self.kind = least, most, below, name, kind

    def taken(self, value: Any, lengths: dict[str, int]) -> int:
        """The integer of an argument. Raises TypeError or ValueError for a wrong one."""
        number, limit = index(value), _LIMITS[self.kind]
        if not -limit <= number < limit:
            raise ValueError(f"expected an integer from {-limit} to {limit - 1}, found {number}")
        if self is not INT:
            self.check(number, number, lengths)
        return number

    def check(self, least: int, most: int, lengths: dict[str, int]) -> None:
        """Raise ValueError if integers from ``least`` to ``most`` are out of bounds."""
        if self.least is not None and least < self.least:
            raise ValueError(f"expected {self.least} or more, found {least}")
        if self.most is not None and most > (bound := _length(self.most, lengths)):
            raise ValueError(f"expected at most {bound}, found {most}")
        if self.below is not None and most >= (bound := _length(self.below, lengths)):
            raise ValueError(f"expected less than {bound}, found {most}")
        if self.name and lengths.setdefault(self.name, most) != most:
            raise ValueError(f"expected {lengths[self.name]} ({self.name}), found {most}")


INT = Int()
"""Parameter: any integer."""


def _length(bound: int | str, lengths: dict[str, int]) -> int:
    return lengths[bound] if isinstance(bound, str) else bound


class Array:
    """Parameter: a C-contiguous array of a dtype.

    ``shape`` has a word for each dimension: a number, or a name, which stands for the same length in a whole call. With
    ``+`` it may be longer, with ``?`` it may be 0; ``_`` is any length. ``limits`` are the most of some names;
    ``holds`` has bounds of the numbers. Only what is ``written`` changes.
    """

    __slots__ = ("_lengths", "dimensions", "dtype", "format", "holds", "shape", "written")

    def __init__(
        self,
        dtype: Any,
        shape: str = "_",
        *,
        written: bool = False,
        holds: Int = INT,
        limits: Mapping[str, int] = {},
    ) -> None:
        self.dtype, self.shape, self.written, self.holds = dtype, shape, written, holds
        self.format = dtype if isinstance(dtype, str) else _format_of(dtype)
        words = [(place, word.rstrip("+?"), word[-1]) for place, word in enumerate(shape.split())]
        self.dimensions = len(words)
        self._lengths = [
            (place, name, int(name) if name.isdigit() else None, mark, limits.get(name, sys.maxsize))
            for place, name, mark in words
            if name != "_"
        ]

    def taken(self, value: Any, lengths: dict[str, int]) -> Buffer:
        """The buffer of an argument. Raises TypeError or ValueError for a wrong one."""
        buffer = value if type(value) is Buffer else Buffer(value)
        shape = buffer.shape
        if buffer.format != self.format or len(shape) != self.dimensions:
            raise TypeError(f"expected {self.format}, shape ({self.shape}), found {buffer.format}, shape {shape}")
        if self.written and buffer.readonly:
            raise TypeError("expected memory that may be written, found read-only memory")
        for place, name, number, mark, limit in self._lengths:
            length = shape[place]
            known = lengths.setdefault(name, length) if number is None else number
            if length != known and not (mark == "+" and length > known) and not (mark == "?" and length == 0):
                raise ValueError(f"expected {known} for {name} in shape ({self.shape}), found {shape}")
            if length > limit:
                raise ValueError(f"expected at most {limit} for {name} in shape ({self.shape}), found {shape}")
        if self.holds is not INT and buffer.address:
            self.holds.check(*buffer.span(), lengths)
        return buffer


def _format_of(dtype: Any) -> str:
    """The format of a buffer of records."""
    import numpy as np

    records: Any = np.zeros(0, dtype)
    return memoryview(records).format


class Fields:
    """Parameter: a named tuple of parameters."""

    __slots__ = ("of", "parameters")

    def __init__(self, of: Any, parameters: Sequence[Parameter]) -> None:
        self.of, self.parameters = of, parameters


RECORD: Literal["record"] = "record"
"""Parameter: the working record (``WorkingRecord``), by its address."""
Parameter = Array | Fields | Int | Literal["record"]


def described(arrays: Any) -> Fields:
    """Parameters that take a named tuple of arrays, and others of its dtypes."""
    parts = [described(one) if isinstance(one, tuple) else _described(one) for one in arrays]
    return Fields(type(arrays), parts)


def _described(array: Any) -> Array:
    return Array(array.dtype.str[1:], " ".join("_" * array.ndim), written=True)


class Buffer:
    """C-contiguous memory, and the words that stand for it while this object lives.

    Memory that is read-only is copied, so nothing changes it, and its numbers are looked at once.
    """

    __slots__ = ("_kept", "_span", "address", "format", "readonly", "shape", "view", "words")

    def __init__(self, memory: Any) -> None:
        self.view = view = cast(Any, memoryview(memory))
        if not view.c_contiguous:
            raise TypeError("expected a C-contiguous array")
        self.shape: tuple[int, ...] = view.shape
        self.format: str = _DTYPES.get(view.format, view.format)
        self.readonly: bool = view.readonly
        self._kept = bytearray(view) if self.readonly else view
        self._span: tuple[int, int] | None = None
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._kept)) if view.nbytes else 0
        items, size = view.nbytes // view.itemsize, view.itemsize
        self.words = [*map(ctypes.c_int64, (0, 0, items, size, self.address, *view.shape, *view.strides))]

    def tobytes(self) -> bytes:
        return bytes(self._kept)

    def span(self) -> tuple[int, int]:
        """The least and the greatest of its numbers; there are some."""
        if self._span is not None:
            return self._span
        numbers: Any = self.view.obj
        if not self.readonly and hasattr(numbers, "min") and numbers.nbytes == self.view.nbytes:
            return int(numbers.min()), int(numbers.max())  # NumPy's, which are faster
        numbers = memoryview(self._kept).cast("B").cast(self.view.format)
        found = min(numbers), max(numbers)
        if self.readonly:
            self._span = found
        return found


def zeros(format: Any, *shape: int) -> memoryview:
    """An array of zeros; ``format`` is a letter of ``struct``, no length is 0."""
    size = calcsize(format)
    for length in shape:
        size *= length
    return memoryview(bytearray(size)).cast(format, shape)


def table(rows: Sequence[Sequence[int]]) -> memoryview:
    """A table of int32, of rows of any lengths, padded with -1."""
    width = max(1, *map(len, rows))
    items = array("i", [item for row in rows for item in (*row, *(-1,) * (width - len(row)))])
    return memoryview(items).cast("B").cast("i", (len(rows), width))


def private_memory(size: int) -> Any:
    """Memory of zeros that a fork copies. Pages that are never used cost nothing."""
    import mmap

    # Windows has no forks.
    return mmap.mmap(-1, size) if sys.platform == "win32" else mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE)


class WorkingRecord:
    """Memory for a working record (``satsweep.kernels.record``)."""

    def __init__(self) -> None:
        self.memory = private_memory(ctypes.c_int64.in_dll(load(), "satsweep_record_bytes").value)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))


def checked(arguments: Sequence[Any], parameters: Sequence[Parameter], lengths: dict[str, int]) -> list[Buffer | int]:
    """A buffer or a number for each argument; the fields of named tuples in turn.

    ``lengths`` are those that are known, and gets those that arguments have. Raises TypeError for one of another type,
    dtype, number of dimensions or order in memory, ValueError for a length or a number out of bounds.
    """
    found: list[Buffer | int] = []
    for value, parameter in zip(arguments, parameters, strict=True):
        if isinstance(parameter, Array | Int):
            found.append(parameter.taken(value, lengths))
        elif isinstance(parameter, Fields):
            found += checked(value, parameter.parameters, lengths)
        elif isinstance(value, WorkingRecord):
            found.append(value.address)
        else:
            raise TypeError(f"expected a working record, found {type(value).__name__}")
    return found


def words_of(arguments: Iterable[Buffer | int]) -> list[ctypes.c_int64]:
    """Words that stand for arguments in a call of a kernel, and in memory."""
    words: list[ctypes.c_int64] = []
    for one in arguments:
        words += one.words if isinstance(one, Buffer) else (ctypes.c_int64(one),)
    return words


def flat(parameters: Iterable[Parameter]) -> Iterator[Array | Int | Literal["record"]]:
    """Yield the parameters, and the fields of named tuples in their place."""
    for parameter in parameters:
        yield from flat(parameter.parameters) if isinstance(parameter, Fields) else (parameter,)


class KernelCaller(Protocol):
    """Another way to call kernels than ``ctypes``: that of Python in a browser.

    A kernel is named by its symbol. A call returns its status, 0 if it has not failed, and its results.
    """

    def has_kernel(self, symbol: str) -> bool: ...

    def call_kernel(self, symbol: str, arguments: Sequence[Buffer | int], results: int) -> tuple[int, list[int]]: ...


_caller: KernelCaller | None = None


def call_by(caller: KernelCaller) -> None:
    """Call kernels in another way from now on."""
    global _caller
    _caller = caller


class Entry:
    """A kernel that Python calls, by its symbol in the library.

    It returns None, an integer or a tuple of ``results`` integers. ``function`` is the kernel as a Python function,
    once its module is loaded (``marks``).
    """

    function: Any = None

    def __init__(self, symbol: str, *parameters: Parameter, results: int = 0) -> None:
        self.symbol, self.parameters, self.results = symbol, parameters, results

    @cached_property
    def _call(self) -> Any:
        return load()[self.symbol]

    @cached_property
    def _result(self) -> Any:
        return ctypes.c_int64 * max(1, self.results)

    @property
    def is_there(self) -> bool:
        return is_there() if _caller is None else _caller.has_kernel(self.symbol)

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function. Raises KernelError where there is none."""
        # The buffers live until the call returns: words are only addresses.
        found = checked(arguments, self.parameters, {})
        result: Sequence[int] = self._result()
        if _caller is None:
            status = self._call(result, ctypes.byref(ctypes.c_void_p()), *words_of(found))
        else:
            status, result = _caller.call_kernel(self.symbol, found, len(result))
        if status:
            raise RuntimeError(f"the kernel {self.symbol} failed")
        return None if self.results == 0 else result[0] if self.results == 1 else tuple(result)
