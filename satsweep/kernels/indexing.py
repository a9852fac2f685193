"""Compiler of the kernels: the usual one, but an index is never negative.

In Python ``numbers[-1]`` is the last number, and numba compiles every access by a signed index accordingly: compare,
add, select. Kernels do not count from the end. Their indices are taken for unsigned ones, which need no such test:
games are played a sixth faster. A negative index would read or write beyond its array.
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.core.types import Array, BaseTuple, Integer, Tuple, uintp


class KernelCompiler(CompilerBase):
    """The usual compiler but for the lowering of indices."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes of the only pipeline."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_Lowering if step is NativeLowering else step, said) for step, said in passes.passes]
        passes.finalize()
        return [passes]


class _UnsignedIndices(Lower):
    """Translation of typed code to LLVM, with unsigned indices into arrays."""

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        return super().lower_getitem(resty, expr, value, index, _without_signs(signature))

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        return super().lower_setitem(target_var, index_var, value_var, _without_signs(signature))


def _without_signs(signature: Any) -> Any:
    """Signature of an access by unsigned indices."""
    array, index, *value = signature.args
    return signature.replace(args=(array, _unsigned(index), *value)) if isinstance(array, Array) else signature


def _unsigned(index: Any) -> Any:
    """Type of an index without its signs."""
    axes: Any = index if isinstance(index, BaseTuple) else ()
    if axes:
        return Tuple([_unsigned(axis) for axis in axes])
    return uintp if isinstance(index, Integer) else index


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "lowering of kernels"

    @property
    def lowering_class(self) -> type[Lower]:
        return _UnsignedIndices
