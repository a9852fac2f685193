"""Compiled code of modules, kept in their archives for the next start.

Python compiles each module from its source, which takes most of its start. While nothing is asked, what was loaded from
source is compiled once more and put into the archive that the source came from, where Python itself looks for it. The
worker runs this file before anything else.
"""

import marshal
import sys
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, cache_from_source
from typing import Any
from zipfile import ZipFile

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
"""Beginning of compiled code that Python takes without reading the source."""


class Archive:
    """An archive of modules, which are found in it or in the folder it is unpacked to."""

    def __init__(self, path: str, folder: str | None = None) -> None:
        self.path, self.folder = path, folder
        self._compiled: dict[str, bytes] = {}

    def unpack(self) -> None:
        """Write all files into the folder, and find modules there from now on."""
        assert self.folder is not None
        with ZipFile(self.path) as archive:
            archive.extractall(self.folder)
        sys.path.insert(0, self.folder)

    def compiling(self) -> Iterator[None]:
        """Compile what was loaded from its sources, one module after another.

        Modules that were compiled before this is given up are not compiled again.
        """
        with ZipFile(self.path) as archive:
            known = {*archive.namelist(), *self._compiled}
        for module in list(sys.modules.values()):
            spec: Any = getattr(module, "__spec__", None)
            name = self._place(getattr(spec, "origin", None) or "")
            if name and name not in known:
                self._compiled[name] = HEADER + marshal.dumps(spec.loader.get_code(spec.name))
                yield

    def keep(self) -> bool:
        """Put what was compiled into the archive; say whether there was anything."""
        if not self._compiled:
            return False
        with ZipFile(self.path, "a") as archive:
            for name, code in self._compiled.items():
                archive.writestr(name, code)
        self._compiled.clear()
        return True

    def _place(self, source: str) -> str | None:
        """Where Python looks for the compiled code of a source; None for one of elsewhere."""
        root = f"{self.folder or self.path}/"
        if not source.startswith(root) or not source.endswith(".py"):
            return None
        return (cache_from_source(source) if self.folder else f"{source}c").removeprefix(root)
