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
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from filelock import FileLock

from satsweep.kernels import compiling
from satsweep.kernels.compiling import EXPORTED, KERNELS, Exported, numba_type
from satsweep.kernels.library import Library

SPEED = 2
"""Level of LLVM's optimisation."""


def main() -> None:
    """Build the libraries that are missing in a directory."""
    directory, parts = Path(sys.argv[1]), sys.argv[2:]
    with FileLock(directory / "build.lock"):
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
    _report_progress(len(KERNELS) // (1 if "deep" in parts else 2))
    for part in parts:
        Library(directory, part).write(object_of([one for one in EXPORTED if one.part == part]))


def _report_progress(kernels: int) -> None:
    """Print, after each kernel that is compiled, how many there are, and of how many."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        done = 0

        def on_start(self, event: Any) -> None:
            """Do nothing."""

        def on_end(self, event: Any) -> None:
            """Count a kernel."""
            self.done += 1
            with suppress(OSError):  # the process that asked has ended
                print(f"{min(self.done, kernels)} {kernels}", flush=True)

    event.register("numba:compile", Listener())


def object_of(functions: list[Exported]) -> bytes:
    """Compile kernels, link, optimise and translate them; return the object file."""
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
    return bytes(machine.emit_object(whole))


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

    CPUCodeLibrary._optimize_functions = lambda self, module: None
    CPUCodeLibrary.finalize = lambda self: setattr(self, "_finalized", True)
    JITCodeLibrary.get_pointer_to_function = lambda self, name: 0
    JITCPUCodegen.set_env = lambda self, name, environment: None
    types.Record.__repr__ = lambda self: "Record"


if __name__ == "__main__":
    main()
