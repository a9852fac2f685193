"""Build hook of hatchling: compile the library for the wheel, or for the checkout.

A wheel is that of the machine that builds it, or of the target that ``SATSWEEP_TARGET`` names. Where numba has no
wheels, and for the target ``none``, the package is pure: it goes without the library, and says so.
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
        asked = os.environ.get("SATSWEEP_TARGET")
        target = asked or build["this_platform"]()
        if asked and asked not in (*build["TARGETS"], "none"):
            self.app.abort(f"SATSWEEP_TARGET: expected {', '.join(build['TARGETS'])} or none, found {asked}")
        missing = [name for name in ("numba", "ziglang") if not find_spec(name)]
        if asked and asked != "none" and missing:
            self.app.abort(f"SATSWEEP_TARGET: the library for {asked} is built with {missing[0]}, which is not here")
        if missing or target not in build["TARGETS"]:
            self.app.display_warning(f"satsweep for {target} has no compiled library: it works in Python alone")
            return
        self._room = TemporaryDirectory()
        place = Path(self.root) / KERNELS if version == "editable" else Path(self._room.name)
        if subprocess.run([sys.executable, "-P", str(script), "--target", target, str(place)]).returncode:
            self.app.abort("the compiled library of satsweep could not be built; the lines above say why")
        if version != "editable":
            build_data["tag"] = f"py3-none-{build['TARGETS'][target].wheel}"
            build_data["pure_python"] = False
            for file in place.iterdir():
                build_data["force_include"][str(file)] = (KERNELS / file.name).as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built beside the checkout."""
        if hasattr(self, "_room"):
            self._room.cleanup()
