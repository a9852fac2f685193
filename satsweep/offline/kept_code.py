"""Compiled code of modules, kept from one start in the browser to the next.

Python compiles each module from its source, which takes half of its start. These loaders take code that an earlier
start has compiled, and remember what they compile. The worker runs this file before anything else, and imports nothing
for it.
"""

from __future__ import annotations

import marshal
import sys
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader
from types import CodeType
from typing import Any
from zipimport import zipimporter

known: dict[str, bytes] = {}
"""Code of modules by name, as ``marshal`` writes it."""
added: set[str] = set()
"""Names whose code has been compiled since ``told`` was last called."""


def known_code(name: str, compile_it: object) -> CodeType:
    """The code of a module; ``compile_it`` is called for it once."""
    if name not in known:
        known[name] = marshal.dumps(compile_it(name))  # type: ignore[operator]
        added.add(name)
    code: CodeType = marshal.loads(known[name])
    return code


class KeptFileLoader(SourceFileLoader):
    """Loader of a file, by its known code."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the module."""
        return known_code(fullname, super().get_code)


class KeptZipLoader(zipimporter):
    """Loader of an archive, by known code."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of a module."""
        return known_code(fullname, super().get_code)


def begin(kept: Any) -> None:
    """Load modules so from now on.

    ``kept`` is what an earlier start has told, as an array of the browser, or None.
    """
    if kept is not None:
        known.update(marshal.loads(kept.to_bytes()))
    files = FileFinder.path_hook((ExtensionFileLoader, EXTENSION_SUFFIXES), (KeptFileLoader, SOURCE_SUFFIXES))
    sys.path_hooks[:0] = [KeptZipLoader, files]
    sys.path_importer_cache.clear()


def told() -> bytes | None:
    """All code, for the next start; None if nothing was compiled since the last call."""
    if not added:
        return None
    added.clear()
    return marshal.dumps(known)
