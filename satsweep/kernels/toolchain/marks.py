"""Marks of kernels, and the way from Python to compiled ones.

Kernels are Python functions that numba understands. Numba runs only in a process that builds the library (``build``);
everywhere else the marks leave a function as it is, and importing kernels loads no compiler. A kernel that Python calls
is *exported*: its parameters are declared, and a call goes straight to the compiled function in the library.

The calling convention is that of numba's native functions: a pointer to the result, a pointer that errors would use,
then the arguments. An array is seven words and more: two owners (none here), number of items, size of an item, address,
shape, strides. A named tuple is its fields, one after the other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from satsweep.kernels.toolchain.library import load


class Array(NamedTuple):
    """Parameter: a C-contiguous array of a dtype with some dimensions."""

    dtype: Any
    dimensions: int = 1


class Fields(NamedTuple):
    """Parameter: a named tuple of parameters."""

    of: Any
    parameters: tuple[Parameter, ...]


def described(arrays: Any) -> Fields:
    parts = (described(one) if isinstance(one, tuple) else Array(one.dtype, one.ndim) for one in arrays)
    return Fields(type(arrays), tuple(parts))


INT: Literal["int64"] = "int64"
"""Parameter: an integer."""
RECORD: Literal["record"] = "record"
"""Parameter: the working record (``record``), by its address."""
Parameter = Array | Fields | Literal["int64", "record"]

_RESULTS: dict[int, Any] = {0: ctypes.c_void_p * 1, 1: ctypes.c_int64 * 1, 2: ctypes.c_int64 * 2, 3: ctypes.c_int64 * 3}
"""Place of a result, by the number of integers that a function returns."""


def words_of(value: Any, parameter: Parameter) -> list[Any]:
    """Return the words that stand for a value in a call, and in memory.

    Raises TypeError for an array of another dtype or shape, or one that is not C-contiguous.
    """
    if isinstance(parameter, Fields):
        pairs = zip(value, parameter.parameters, strict=True)
        return [word for part, own in pairs for word in words_of(part, own)]
    if isinstance(parameter, Array):
        if value.dtype != parameter.dtype or value.ndim != parameter.dimensions or not value.flags.c_contiguous:
            raise TypeError(f"expected a C-contiguous array, {parameter}, found {value.dtype}, shape {value.shape}")
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    return [value.ctypes.data if parameter == RECORD else value]


def _kinds_of(parameter: Parameter) -> list[Any]:
    if isinstance(parameter, Fields):
        return [kind for own in parameter.parameters for kind in _kinds_of(own)]
    if isinstance(parameter, Array):
        return [ctypes.c_int64] * (5 + 2 * parameter.dimensions)
    return [ctypes.c_int64]


@dataclass
class Exported:
    """A kernel that Python calls."""

    function: Any
    parameters: tuple[Parameter, ...]
    results: int
    _call: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._parameters = Fields(tuple, self.parameters)

    @property
    def symbol(self) -> str:
        return f"{self.function.__module__}.{self.function.__name__}".replace(".", "_")

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function. Raises KernelError where there is none."""
        if self._call is None:
            words = _kinds_of(self._parameters)
            kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words)
            self._call = kind((self.symbol, load()))
        words = words_of(arguments, self._parameters)
        result, error = _RESULTS[self.results](), ctypes.c_void_p()
        if self._call(result, ctypes.byref(error), *words):
            raise RuntimeError(f"the kernel {self.symbol} failed")
        return None if self.results == 0 else result[0] if self.results == 1 else tuple(result)


EXPORTED: list[Exported] = []
"""All kernels that Python calls, in the order in which their modules are loaded."""

_numba: Any = None
"""Numba in a process that builds, else None."""


def begin_building() -> None:
    """Let the marks compile, in a process that builds. No kernel may be loaded yet."""
    global _numba
    if EXPORTED:
        raise RuntimeError("kernels are loaded already")
    import numba.extending

    _numba = numba


def kernel(function: Callable[..., Any]) -> Any:
    """Mark a function that only kernels call.

    No kernel divides by zero, so nothing checks for that (``error_model``); no kernel allocates (``_nrt``).
    """
    if _numba is None:
        return function
    from satsweep.kernels.toolchain.lowering import KernelCompiler

    options = {"error_model": "numpy", "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _numba.njit(pipeline_class=KernelCompiler, **options)(function)


def exported(*parameters: Parameter, results: int = 0) -> Callable[[Callable[..., Any]], Any]:
    """Mark a kernel that Python calls, too, with its parameters and number of results.

    A result is an integer. In a process that builds, the mark is that of ``kernel``.
    """

    def mark(function: Callable[..., Any]) -> Any:
        marked = kernel(function)
        EXPORTED.append(Exported(marked, parameters, results))
        return EXPORTED[-1] if marked is function else marked

    return mark


def intrinsic(function: Callable[..., Any]) -> Any:
    """Mark a function that writes LLVM code in place of a call.

    Its body runs in a process that builds; elsewhere it is never called.
    """
    return function if _numba is None else _numba.extending.intrinsic(function)


def intrinsic_for(in_python: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Mark a function that writes LLVM code in place of a call of a Python function."""
    return lambda function: in_python if _numba is None else intrinsic(function)


def numba_type(parameter: Parameter, record: Any = None) -> Any:
    """Return the type of a parameter in numba's terms, in a process that builds.

    ``record`` is the dtype of the working record.
    """
    import numpy as np
    from numba import from_dtype, types

    if isinstance(parameter, Array):
        return types.Array(from_dtype(np.dtype(parameter.dtype)), parameter.dimensions, "C")
    if isinstance(parameter, Fields):
        return types.NamedTuple([numba_type(own) for own in parameter.parameters], parameter.of)
    if parameter == RECORD:
        return from_dtype(record)
    return types.int64
