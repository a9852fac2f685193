"""Private names of numba: all that the build needs of them stands here.

``tests/kernels/test_lowering.py`` lists them, so a new numba says at once what it has renamed. They do four things:

* *Unsigned indices.* In Python ``numbers[-1]`` is the last number, and numba compiles every access by a signed index
  accordingly: compare, add, select. Kernels do not count from the end. Their indices are taken for unsigned ones, which
  need no such test: games are played a sixth faster. A negative index would read or write beyond its array.
* *Lowering only.* Left to itself numba optimises each function together with everything that the function calls, again
  for each caller, and translates each result by itself, too. Here it writes LLVM code, and ``build`` optimises and
  translates all of it once, in a quarter of the time.
* *Arrays by their parts*, for what is marked ``@intrinsic``.
* *Checked indices*, in a build that is asked for them (``check_indices``): before each access of an array a comparison,
  and beyond the array a call of ``satsweep_out_of_range`` (``c/runtime.c``).
"""

from pathlib import Path
from typing import Any

from numba.core import cgutils as cgutils, types
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.ir import Arg, Expr
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


_checked = False


def check_indices() -> None:
    """Let the kernels that are lowered from now on check each index."""
    global _checked
    _checked = True


def is_checked() -> bool:
    return _checked


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


class _CheckedIndices(_UnsignedIndices):
    """Translation in which an index out of range is reported before it is used."""

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        self._check(value, index, signature)
        return super().lower_getitem(resty, expr, value, index, signature)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        self._check(target_var, index_var, signature)
        return super().lower_setitem(target_var, index_var, value_var, signature)

    def _check(self, array: Any, index: Any, signature: Any) -> None:
        kind = signature.args[0]
        if not isinstance(kind, Array):
            return
        found, of = self.loadvar(index.name), self.typeof(index.name)
        is_tuple = isinstance(of, BaseTuple)
        axes = cgutils.unpack_tuple(self.builder, found) if is_tuple else [found]
        kinds: Any = of if is_tuple else [of]
        shape = make_array(kind)(self.context, self.builder, self.loadvar(array.name)).shape
        lengths = cgutils.unpack_tuple(self.builder, shape)
        for axis, own, length in zip(axes, kinds, lengths[: len(axes)], strict=True):
            if isinstance(own, Integer):
                number = self.context.cast(self.builder, axis, own, types.intp)
                report_beyond(self.context, self.builder, self._place_of(array), number, length)

    def _place_of(self, array: Any) -> str:
        """The line, and the array by its name there."""
        at: Any = self.loc
        path = Path(at.filename)
        return f"{path.parent.name}/{path.name}:{at.line} {self._name_of(array)}"

    def _name_of(self, array: Any) -> str:
        try:
            made = self.func_ir.get_definition(array)
        except KeyError:  # by more than one assignment
            return str(array.unversioned_name)
        if isinstance(made, Expr) and made.op in ("getattr", "getitem", "static_getitem"):
            return f"{self._name_of(made.value)}.{made.attr}" if made.op == "getattr" else self._name_of(made.value)
        return str(made.name if isinstance(made, Arg) else array.unversioned_name)


def report_beyond(context: Any, builder: Any, place: str, index: Any, length: Any) -> None:
    """Write code that reports an index below 0, or not below a length."""
    from llvmlite import ir

    word = ir.IntType(64)
    with builder.if_then(builder.icmp_unsigned(">=", index, length), likely=False):
        text = context.insert_const_string(builder.module, place)
        kind = ir.FunctionType(ir.VoidType(), [text.type, word, word])
        report = cgutils.get_or_insert_function(builder.module, kind, "satsweep_out_of_range")
        builder.call(report, [text, index, length])


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "lowering of kernels"

    @property
    def lowering_class(self) -> type[Lower]:
        return _CheckedIndices if _checked else _UnsignedIndices
