"""Build hook of hatchling: compile the library for the wheel, or for the checkout.

A wheel is that of the machine that builds it, or of the platform that ``SATSWEEP_TARGET`` names. Where numba has no
wheels the package is pure: it goes without the library, and says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNELS = Path("satsweep", "kernels")


class LibraryHook(BuildHookInterface[Any]):
    """The library in each build of a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the library, and enter it into the build.

        Raises RuntimeError if that fails.
        """
        if self.target_name != "wheel":
            return
        if not all(map(find_spec, ("numba", "ziglang"))):
            self.app.display_warning("without numba satsweep is built without its compiled library, in Python alone")
            return
        self._room = TemporaryDirectory()
        place = Path(self.root) / KERNELS if version == "editable" else Path(self._room.name)
        command = [sys.executable, "-P", str(Path(self.root) / KERNELS / "toolchain" / "build.py"), str(place)]
        if target := os.environ.get("SATSWEEP_TARGET"):
            command += ["--target", target]
        built = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if built.returncode:
            raise RuntimeError("the compiled library of satsweep could not be built; the lines above say why")
        library, tag = built.stdout.split()
        if version != "editable":
            build_data["tag"] = f"py3-none-{tag}"
            build_data["pure_python"] = False
            for file in Path(library).parent.iterdir():
                build_data["force_include"][str(file)] = (KERNELS / file.name).as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built beside the checkout."""
        if hasattr(self, "_room"):
            self._room.cleanup()
