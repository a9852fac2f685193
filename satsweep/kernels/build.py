"""Build of the libraries of compiled kernels: a process of its own.

    python -m satsweep.kernels.build DIRECTORY PART ...

Numba infers the types of the kernels and writes them as LLVM code; that is all it is asked for. Left to itself it
optimises each function together with everything that the function calls, again for each caller, and translates each
result by itself, too. Here everything is linked first, then optimised and translated once, which takes a quarter of the
time. The library of a part is an object file whose symbols are the names of the exported kernels.

The process writes a line for each step, ``done of all``, and a library is there whole or not at all. Of several
processes that build into one directory one works and the others wait for it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from filelock import FileLock

from satsweep.kernels import compiling
from satsweep.kernels.compiling import EXPORTED, KERNELS, Exported, numba_type
from satsweep.kernels.library import LOCK, Library

SPEED = 2
"""Level of LLVM's optimisation."""
OPTIMISING = {"games": 0.4, "deep": 1.2}
"""Time to optimise a part, as a multiple of the time to lower all kernels."""


def main() -> None:
    """Build the libraries that are missing in a directory."""
    directory, parts = Path(sys.argv[1]), sys.argv[2:]
    with FileLock(directory / LOCK):
        missing = [part for part in parts if Library(directory, part).read() is None]
        if missing:
            build(directory, missing)


def build(directory: Path, parts: list[str]) -> None:
    """Compile the kernels and write the libraries of some parts."""
    # Reference cycles are searched for seldom: that takes a quarter of the time otherwise.
    gc.set_threshold(200_000, 50, 50)
    compiling.begin_building()
    _lower_only()
    import_module("satsweep.kernels.api")  # loads all kernels
    advance = _progress(parts)
    for part in parts:
        functions = [one for one in EXPORTED if one.part == part]
        half = round(OPTIMISING[part] * len(KERNELS) / 2)
        Library(directory, part).write(object_of(functions, partial(advance, half)))


def _progress(parts: list[str]) -> Callable[[int], None]:
    """Return the function that counts steps; each kernel that is lowered is one."""
    from numba.core import event

    # Two thirds of the kernels are those of games.
    lowered = len(KERNELS) * (1.0 if "deep" in parts else 2 / 3)
    steps, done = round(lowered + sum(OPTIMISING[part] for part in parts) * len(KERNELS)), 0

    def advance(more: int = 1) -> None:
        nonlocal done
        done = min(done + more, steps)
        with suppress(OSError):  # the process that asked has ended
            print(f"{done} {steps}", flush=True)

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            """Do nothing."""

        def on_end(self, event: Any) -> None:
            """Count a kernel."""
            advance()

    event.register("numba:compile", Listener())
    return advance


def object_of(functions: list[Exported], advance: Callable[[], None] = lambda: None) -> bytes:
    """Compile kernels, link, optimise and translate them; return the object file.

    ``advance`` is called after each of the last two.
    """
    import llvmlite.binding as llvm

    symbols: dict[str, str] = {}
    libraries: dict[Any, None] = {}
    for one in functions:
        signature = _signature(one)
        one.function.compile(signature)
        compiled = one.function.overloads[signature.args]
        symbols[compiled.fndesc.mangled_name] = one.symbol
        _gather(compiled.library, libraries)
    whole = llvm.parse_assembly("")
    for library in libraries:
        whole.link_in(library._final_module, preserve=True)
    for function in whole.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in symbols else "internal"
            function.name = symbols.get(function.name, function.name)
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=SPEED, reloc="pic"
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=SPEED)
    # Loops are short here: vectors make the code larger, and no faster.
    tuning.loop_vectorization = tuning.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(whole, passes)
    advance()
    code = bytes(machine.emit_object(whole))
    advance()
    return code


def _signature(one: Exported) -> Any:
    """Signature of an exported kernel, in numba's types."""
    from numba import types

    from satsweep.kernels.record import WORK

    result = (types.void, types.int64, *(types.UniTuple(types.int64, count) for count in (2, 3)))[one.results]
    return result(*(numba_type(own, WORK) for own in one.parameters))


def _gather(library: Any, known: dict[Any, None]) -> None:
    """Add a library of numba, and all that it calls, to the known ones."""
    if library not in known:
        known[library] = None
        for other in library._linking_libraries:
            _gather(other, known)


def _lower_only() -> None:
    """Take linking, optimisation and translation out of numba's work.

    It also spells out all fields of the record over and over, for messages that are not shown.
    """
    from numba import types
    from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen

    replacements: list[tuple[Any, str, Callable[..., object]]] = [
        (CPUCodeLibrary, "_optimize_functions", lambda self, module: None),
        (CPUCodeLibrary, "finalize", lambda self: setattr(self, "_finalized", True)),
        (JITCodeLibrary, "get_pointer_to_function", lambda self, name: 0),
        (JITCPUCodegen, "set_env", lambda self, name, environment: None),
        (types.Record, "__repr__", lambda self: "Record"),
    ]
    for owner, name, replacement in replacements:
        setattr(owner, name, replacement)


if __name__ == "__main__":
    main()
