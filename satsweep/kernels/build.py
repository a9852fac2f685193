"""Build of the compiled library, with the package or after a change of a kernel.

    python satsweep/kernels/build.py [--target TARGET]... [--checked [--small]] [DIRECTORY]

Numba infers the types of the kernels and writes them as LLVM code. This is linked once, then optimised and translated
as a whole, for the generic processor of each target: by default this platform and WebAssembly. The C files in ``c`` are
compiled and linked by the compiler of the wheel ``ziglang``, which has all targets. The same sources make the same
bytes. The libraries go into the package, or into a directory, whole or not at all. Those of phones are for games
(docs/guides/your-game.md); they go into a directory, and no wheel has them.

A *checked* library reports each access of an array out of range, and ends the process (docs/kernels.md); with small
limits boards of any size meet them. It always goes into a directory.

The file is run by its path, so that a build needs nothing of the package but the kernels; ``scripts/build_hook.py`` and
``scripts/contents.py`` read its table of targets in the same way.
"""

import gc
import os
import platform
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple

if not __package__ and "satsweep" not in sys.modules:
    package = ModuleType("satsweep")
    package.__path__ = [str(Path(__file__).parents[1])]
    sys.modules["satsweep"] = package

from satsweep.kernels.toolchain import marks
from satsweep.kernels.toolchain.calls import Entry
from satsweep.kernels.toolchain.library import KERNELS, QUICK_WASM, SUM, WASM, digest, sum_of
from satsweep.kernels.toolchain.small_limits import shrink

SPEED = {"wasm32": 2}
"""Level of LLVM's optimisation for a target; 3 if it is not here.

A page loads the library for ``wasm32``.
"""


CHECKED_SPEED = 1
"""Level of a checked library, which is built to be tried once."""


class Target(NamedTuple):
    """A platform: for LLVM, for the C compiler, and for the name of a wheel."""

    triple: str
    processor: str
    c_target: str
    c_processor: str
    oldest: str
    """Processor that the C runtime is compiled for."""
    file: str
    wheel: str


TARGETS = {
    "linux-x86_64": Target(
        "x86_64-unknown-linux-gnu", "x86-64-v2", "x86_64-linux-musl", "x86_64_v2", "x86_64",
        "libsatsweep.so", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ),
    "linux-arm64": Target(
        "aarch64-unknown-linux-gnu", "generic", "aarch64-linux-musl", "generic", "generic",
        "libsatsweep.so", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ),
    "macos-x86_64": Target(
        "x86_64-apple-macosx11.0", "x86-64-v2", "x86_64-macos.11.0", "x86_64_v2", "x86_64",
        "libsatsweep.dylib", "macosx_11_0_x86_64",
    ),
    "macos-arm64": Target(
        "arm64-apple-macosx11.0", "generic", "aarch64-macos.11.0", "generic", "generic",
        "libsatsweep.dylib", "macosx_11_0_arm64",
    ),
    "windows-x86_64": Target(
        "x86_64-pc-windows-gnu", "x86-64-v2", "x86_64-windows-gnu", "x86_64_v2", "x86_64",
        "satsweep.dll", "win_amd64",
    ),
    "android-arm64": Target(
        "aarch64-unknown-linux-android", "generic", "aarch64-linux-android", "generic", "generic",
        "libsatsweep.so", "",
    ),
    "ios-arm64": Target(
        "arm64-apple-ios15.0", "generic", "aarch64-ios.15.0", "generic", "generic",
        "libsatsweep.o", "",
    ),
    "wasm32": Target(
        "wasm32-unknown-unknown", "generic", "wasm32-freestanding", "generic", "generic",
        WASM.name, "",
    ),
}  # fmt: skip
"""Platforms by the names that ``--target`` takes.

The library for ``wasm32`` is part of every wheel.
"""
_FEATURES = {"wasm32": "+bulk-memory,+nontrapping-fptoint,+sign-ext"}
"""Instructions of a target beyond its generic processor.

All browsers have had these since 2021.
"""
_COMPILED = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-fPIC", "-fvisibility=hidden"]
_CHECKED = ["-DSATSWEEP_CHECKED", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-fno-stack-protector"]
_LINKED = {
    "linux": ["-shared", "-nostdlib", "-Wl,-z,defs", "-Wl,-soname,libsatsweep.so"],
    "android": ["-shared", "-nostdlib", "-Wl,-z,defs", "-Wl,-soname,libsatsweep.so", "-Wl,-z,max-page-size=16384"],
    "ios": ["-r"],  # one object file, which Xcode links into the app
    "macos": ["-shared", "-Wl,-install_name,@rpath/libsatsweep.dylib"],
    "windows": ["-shared", "-nostdlib"],
    "wasm32": ["-nostdlib", "-Wl,--no-entry", "-Wl,--export=__heap_base", "-Wl,--export=satsweep_sources"],
}
"""Options of the linker by system.

No other library is needed, but that of Apple which every program loads.
"""
_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
_PROCESSORS = {"amd64": "x86_64", "aarch64": "arm64"}


def this_platform() -> str:
    processor = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_PROCESSORS.get(processor, processor)}"


def functions() -> list[str]:
    """Names of all functions of the C interface."""
    header = (KERNELS / "c" / "satsweep.h").read_text(encoding="utf-8")
    return re.findall(r"^SATSWEEP_API .*?(satsweep_\w+)\(", header, re.MULTILINE)


QUICK = ("message", "room", "room_of", "begin", "begin_grid", "risks", "worlds", "draw", "explain", "conflict", "deal")
"""Functions of ``QUICK_WASM``, which answer within a frame."""


def kernels_of_browsers() -> list[str]:
    """Names of the kernels that Python in a browser calls, besides all functions."""
    from satsweep.kernels.clicks.layers import sweep_layers
    from satsweep.kernels.position.orders import search_orders

    return [search_orders.symbol, sweep_layers.symbol]


def build(names: Sequence[str], directory: Path | None = None, checked: bool = False) -> Iterator[Path]:
    """Yield the path of each library: in the directory, or in the package."""
    kernels, symbols = lowered(checked)
    for name in names:
        own = WASM.parent if name == "wasm32" else KERNELS
        speed = CHECKED_SPEED if checked else SPEED.get(name, 3)
        yield _build(name, directory or own, object_of(name, kernels, symbols, speed), checked)


def _build(name: str, directory: Path, kernels: bytes, checked: bool) -> Path:
    target = TARGETS[name]
    with TemporaryDirectory(dir=directory) as room:
        objects = [Path(room) / "kernels.o"]
        objects[0].write_bytes(kernels)
        from satsweep.kernels.record import header  # not before the marks compile

        small = ["-Os"] if name == "wasm32" else []  # a page loads it
        defined = [*_COMPILED, *small, f'-DSATSWEEP_SOURCES="{digest()}"', f"-I{room}", *(_CHECKED if checked else ())]
        (Path(room) / "kernels.h").write_text(header())
        for source in sorted((KERNELS / "c").glob("*.c")):
            objects.append(Path(room) / f"{source.stem}.o")
            processor = target.oldest if source.stem == "runtime" else target.c_processor
            _zig(room, target.c_target, processor, [*defined, "-c", str(source), "-o", str(objects[-1])])
        linked = Path(room) / target.file
        made: dict[str, Sequence[str]] = {target.file: ()}  # files with what they export
        if name == "wasm32":
            quick = [f"satsweep_{function}" for function in QUICK]
            made = {target.file: [*functions(), *kernels_of_browsers()], QUICK_WASM.name: quick}
        for file, exported in made.items():
            options = [*_LINKED[name.partition("-")[0]], *(f"-Wl,--export={function}" for function in exported)]
            paths = [*map(str, objects), "-o", str(Path(room) / file)]
            _zig(room, target.c_target, target.c_processor, ["-s", *options, *paths])
        if name != "wasm32":
            (Path(room) / SUM).write_text(sum_of(linked.read_bytes()))
            made = {SUM: (), **made}
        for file in made:
            os.replace(Path(room) / file, directory / file)
    return directory / target.file


def _zig(room: str, target: str, processor: str, arguments: list[str]) -> None:
    command = [sys.executable, "-P", "-m", "ziglang", "cc", "-target", target, f"-mcpu={processor}", "-O2", *arguments]
    caches = {name: f"{room}/zig" for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}
    subprocess.run(command, env={**os.environ, **caches}, check=True)


def lowered(checked: bool = False) -> tuple[Any, frozenset[str]]:
    """Lower all kernels to one LLVM module; also the names that Python calls."""
    import llvmlite.binding as llvm

    from satsweep.kernels.toolchain.lowering import check_indices, lower, lower_only

    # Reference cycles are searched for seldom: that takes a quarter of the time otherwise.
    gc.set_threshold(200_000, 50, 50)
    marks.begin_building()
    lower_only()
    if checked:
        check_indices()
    import_module("satsweep.kernels.api")  # loads all kernels but those that only C calls
    import_module("satsweep.kernels.clicks.sweep")
    import_module("satsweep.kernels.endgame.listed")
    import_module("satsweep.kernels.position.beam")
    import_module("satsweep.kernels.position.large_odds")
    import_module("satsweep.kernels.position.split")
    modules: dict[Any, None] = {}
    symbols = {lower(one.function, _signature(one), modules): one.symbol for one in marks.EXPORTED}
    whole = llvm.parse_assembly("")
    for module in modules:
        whole.link_in(module, preserve=True)
    for function in whole.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in symbols else "internal"
            function.name = symbols.get(function.name, function.name)
    for variable in whole.global_variables:
        if variable.linkage.name == "common":
            variable.linkage = "internal"
    return whole, frozenset(symbols.values())


def object_of(name: str, kernels: Any, symbols: frozenset[str], speed: int = 3) -> bytes:
    """Translate the lowered kernels for a target; return the object file."""
    import llvmlite.binding as llvm

    target, whole = TARGETS[name], kernels.clone()
    if "windows" in target.triple:
        for function in whole.functions:
            if function.name in symbols:
                function.storage_class = "dllexport"
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor,
        features=_FEATURES.get(name, ""),
        opt=speed,
        reloc="static" if name == "wasm32" else "pic",
    )
    whole.triple, whole.data_layout = target.triple, str(machine.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=speed)
    # Loops are short here: vectors make the code larger, and no faster.
    tuning.loop_vectorization = tuning.slp_vectorization = False
    if name == "wasm32":  # a page loads it, and translates it again: a quarter smaller, and as fast
        for function in whole.functions:
            if not function.is_declaration:
                function.add_function_attribute("optsize")
        tuning.loop_unrolling, tuning.inlining_threshold = False, 50
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(whole, passes)
    return bytes(machine.emit_object(whole))


def _signature(one: Entry) -> Any:
    from numba import types

    from satsweep.kernels.record import WORK

    result = (types.void, types.int64, *(types.UniTuple(types.int64, count) for count in (2, 3)))[one.results]
    return result(*(marks.numba_type(own, WORK) for own in one.parameters))


def main() -> None:
    parser = ArgumentParser(description="Build the compiled library of satsweep.")
    parser.add_argument("--target", choices=TARGETS, action="append")
    parser.add_argument("--checked", action="store_true", help="report accesses of arrays out of range")
    parser.add_argument("--small", action="store_true", help="with small limits")
    parser.add_argument("directory", type=Path, nargs="?")
    asked = parser.parse_args()
    if asked.checked and not asked.directory:
        parser.error("--checked: expected a directory, since the package keeps its own library")
    if asked.small and not asked.checked:
        parser.error("--small: expected --checked, too")
    if asked.small:
        shrink()
    targets = asked.target or [this_platform(), *([] if asked.checked else ["wasm32"])]
    if targets[0] not in TARGETS:
        parser.error(f"there is no library for {targets[0]}: expected one of {', '.join(TARGETS)}")
    phones = [name for name in targets if name != "wasm32" and not TARGETS[name].wheel]
    if phones and not asked.directory:
        parser.error(f"--target {phones[0]}: expected a directory, since the package has the library of this platform")
    if asked.directory:
        asked.directory.mkdir(parents=True, exist_ok=True)
    for path in build(targets, asked.directory, asked.checked):
        print(path)


if __name__ == "__main__":
    main()
