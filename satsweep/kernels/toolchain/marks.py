"""Marks of kernels, which compile them in a process that builds the library.

Kernels are Python functions that numba understands. Numba runs only in a process that builds the library (``build``);
everywhere else the marks leave a function as it is, and importing kernels loads no compiler. A kernel that Python calls
is *exported*: its parameters are declared (``calls``), and a call goes straight to the compiled function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from satsweep.kernels.toolchain.calls import Array, Entry, Fields, Int, Parameter

EXPORTED: list[Entry] = []
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
    return lambda function: exported_as(Entry(_symbol(function), *parameters, results=results))(function)


def exported_as(entry: Entry) -> Callable[[Callable[..., Any]], Any]:
    """Mark the kernel of an entry that is declared where no NumPy is needed."""

    def mark(function: Callable[..., Any]) -> Any:
        if entry.symbol != _symbol(function):
            raise ValueError(f"expected the kernel of {entry.symbol}, found {_symbol(function)}")
        entry.function = kernel(function)
        EXPORTED.append(entry)
        return entry if entry.function is function else entry.function

    return mark


def _symbol(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__name__}".replace(".", "_")


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
    return types.int64 if isinstance(parameter, Int) else from_dtype(record)
