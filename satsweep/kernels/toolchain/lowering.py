"""Private names of numba: all that the build needs of them stands here.

``tests/kernels/test_lowering.py`` lists them, so a new numba says at once what it has renamed. They do three things:

* *Unsigned indices.* In Python ``numbers[-1]`` is the last number, and numba compiles every access by a signed index
  accordingly: compare, add, select. Kernels do not count from the end. Their indices are taken for unsigned ones, which
  need no such test: games are played a sixth faster. A negative index would read or write beyond its array.
* *Lowering only.* Left to itself numba optimises each function together with everything that the function calls, again
  for each caller, and translates each result by itself, too. Here it writes LLVM code, and ``build`` optimises and
  translates all of it once, in a quarter of the time.
* *Arrays by their parts*, for what is marked ``@intrinsic``.
"""

from typing import Any

from numba.core import cgutils as cgutils, types
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.core.types import Array, BaseTuple, Integer, Tuple, uintp
from numba.np.arrayobj import make_array as make_array, populate_array as populate_array


def lower_only() -> None:
    """Take linking, optimisation and translation out of numba's work.

    It also spells out all fields of the record over and over, for messages that are not shown.
    """
    replacements: list[tuple[Any, str, Any]] = [
        (CPUCodeLibrary, "_optimize_functions", lambda self, module: None),
        (CPUCodeLibrary, "finalize", lambda self: setattr(self, "_finalized", True)),
        (JITCodeLibrary, "get_pointer_to_function", lambda self, name: 0),
        (JITCPUCodegen, "set_env", lambda self, name, environment: None),
        (types.Record, "__repr__", lambda self: "Record"),
    ]
    for owner, name, replacement in replacements:
        if not hasattr(owner, name):
            raise RuntimeError(f"this numba has no {owner.__name__}.{name}")
        setattr(owner, name, replacement)


def lower(function: Any, signature: Any, modules: dict[Any, None]) -> str:
    """Lower a kernel and all that it calls; return its mangled name.

    Their LLVM modules are added to ``modules``.
    """
    function.compile(signature)
    compiled = function.overloads[signature.args]
    libraries, known = [compiled.library], {compiled.library}
    for library in libraries:
        modules[library._final_module] = None
        new = [other for other in library._linking_libraries if other not in known]
        known.update(new)
        libraries += new
    name: str = compiled.fndesc.mangled_name
    return name


class KernelCompiler(CompilerBase):
    """The usual compiler but for the lowering of indices."""

    def define_pipelines(self) -> list[Any]:
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
    array, index, *value = signature.args
    return signature.replace(args=(array, _unsigned(index), *value)) if isinstance(array, Array) else signature


def _unsigned(index: Any) -> Any:
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
