"""Build hook of hatchling: the compiled library of a wheel, or of the checkout.

An installation from source compiles what the checkout lacks, into the checkout, and a later one finds it there; then
not even the compiler is installed. A wheel for the target that ``SATSWEEP_TARGET`` names is compiled anew, beside the
checkout. For the target ``none`` it is pure: it has the library for WebAssembly alone. Where numba has no wheels it has
neither, and says so.
"""

import os
import subprocess
import sys
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface[Any]):
    """The library in each build of a wheel."""

    @cached_property
    def _build(self) -> dict[str, Any]:
        return run_path(str(Path(self.root, "satsweep", "kernels", "build.py")))

    def dependencies(self) -> list[str]:
        """Packages that compile the library, where something is to be compiled."""
        compiles = self.target_name == "wheel" and self._stale(os.environ.get("SATSWEEP_TARGET"))
        return self.metadata.core.optional_dependencies["build"] if compiles else []

    def _targets(self, asked: str | None) -> list[str]:
        target = asked or self._build["this_platform"]()
        return [name for name in (target, "wasm32") if name in self._build["TARGETS"]]

    def _stale(self, asked: str | None) -> list[str]:
        """Targets to compile.

        For a wheel that is asked for they are all, else those whose library in the checkout is not of its sources.
        """
        return [name for name in self._targets(asked) if asked or not self._is_current(name)]

    def _is_current(self, target: str) -> bool:
        try:
            code, other = (file.read_bytes() for file in self._files(target))
        except FileNotFoundError:
            return False
        known = self._build["digest"]().encode()
        whole = known in other if target == "wasm32" else other == self._build["sum_of"](code).encode()
        return whole and known in code

    def _files(self, target: str) -> list[Path]:
        """The library of the checkout with its sum, or that of browsers with its part."""
        if target == "wasm32":
            return [self._build["WASM"], self._build["QUICK_WASM"]]
        return [self._build["KERNELS"] / name for name in (self._build["TARGETS"][target].file, self._build["SUM"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the library, and enter it into the build; end the build if that fails."""
        if self.target_name != "wheel":
            return
        asked = os.environ.get("SATSWEEP_TARGET")
        target = asked or self._build["this_platform"]()
        native = [name for name, own in self._build["TARGETS"].items() if own.wheel]
        if asked and asked not in (*native, "none"):
            self.app.abort(f"SATSWEEP_TARGET: expected {', '.join(native)} or none, found {asked}")
        stale = self._stale(asked)
        missing = [name for name in ("numba", "ziglang") if not find_spec(name)]
        if asked and asked != "none" and missing:
            self.app.abort(f"SATSWEEP_TARGET: the library for {asked} is built with {missing[0]}, which is not here")
        targets = [name for name in self._targets(asked) if not missing or name not in stale]
        if target not in targets:
            self.app.display_warning(f"satsweep for {target} has no compiled library: it works in Python alone")
        self._room = TemporaryDirectory()
        compiled = [name for name in stale if name in targets]
        if compiled:
            script = Path(self.root, "satsweep", "kernels", "build.py")
            options = [word for name in compiled for word in ("--target", name)]
            place = [self._room.name] if asked else []
            if subprocess.run([sys.executable, "-P", str(script), *options, *place]).returncode:
                self.app.abort("the compiled library of satsweep could not be built; the lines above say why")
        if version == "editable":
            return
        if target in targets:
            build_data["tag"] = f"py3-none-{self._build['TARGETS'][target].wheel}"
            build_data["pure_python"] = False
        for file in (file for name in targets for file in self._files(name)):
            inside = file.relative_to(self._build["KERNELS"].parents[1]).as_posix()
            build_data["force_include"][str(Path(self._room.name, file.name) if asked else file)] = inside

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built beside the checkout."""
        if hasattr(self, "_room"):
            self._room.cleanup()
