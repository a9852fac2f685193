"""Build hook of hatchling: compile the library for the wheel, or for the checkout.

A wheel is that of the machine that builds it, or of the target that ``SATSWEEP_TARGET`` names. For the target ``none``
it is pure: it has the library for WebAssembly alone. Where numba has no wheels it has neither, and says so.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = Path("satsweep", "kernels")


class LibraryHook(BuildHookInterface[Any]):
    """The library in each build of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the library, and enter it into the build; end the build if that fails."""
        if self.target_name != "wheel":
            return
        script = Path(self.root) / KERNELS / "build.py"
        build = run_path(str(script))
        wasm = build["WASM"].relative_to(build["KERNELS"].parents[1])
        asked = os.environ.get("SATSWEEP_TARGET")
        target = asked or build["this_platform"]()
        native = [name for name, own in build["TARGETS"].items() if own.wheel]
        if asked and asked not in (*native, "none"):
            self.app.abort(f"SATSWEEP_TARGET: expected {', '.join(native)} or none, found {asked}")
        missing = [name for name in ("numba", "ziglang") if not find_spec(name)]
        if asked and asked != "none" and missing:
            self.app.abort(f"SATSWEEP_TARGET: the library for {asked} is built with {missing[0]}, which is not here")
        targets = [name for name in (target, "wasm32") if not missing and name in build["TARGETS"]]
        if target not in targets:
            self.app.display_warning(f"satsweep for {target} has no compiled library: it works in Python alone")
        if not targets:
            return
        self._room = TemporaryDirectory()
        options = [word for name in targets for word in ("--target", name)]
        place = [] if version == "editable" else [self._room.name]
        if subprocess.run([sys.executable, "-P", str(script), *options, *place]).returncode:
            self.app.abort("the compiled library of satsweep could not be built; the lines above say why")
        if version == "editable":
            return
        if target in targets:
            build_data["tag"] = f"py3-none-{build['TARGETS'][target].wheel}"
            build_data["pure_python"] = False
        for file in Path(self._room.name).iterdir():
            inside = wasm if file.name == wasm.name else KERNELS / file.name
            build_data["force_include"][str(file)] = inside.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built beside the checkout."""
        if hasattr(self, "_room"):
            self._room.cleanup()
