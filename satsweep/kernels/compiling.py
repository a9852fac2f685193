"""Compilation of kernels, the place where the result is kept, calls by address.

Numba optimises a function together with everything that it calls, again for each caller. The expensive kernels are
therefore *entries*: compiled once, and called through their address, which stands in the working record (``memory``).

Compiled code is kept on disk. Numba notices a change in the file of a function, but not in the file of another function
that it calls, so everything is kept under a digest of all kernels: in ``NUMBA_CACHE_DIR`` if that is set, else beside
the package if that can be written to, else in the user's cache directory, else nowhere. A disk that is nearly full is
no such place.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import cfunc, njit, types
from numba.extending import intrinsic

from satsweep.kernels.indexing import KernelCompiler

config: Any = numba.config
HERE = Path(__file__).parent
PREFIX = "satsweep-"
OLD = 7 * 24 * 3600
"""Seconds after which code compiled from other sources is deleted.

Until then another process may still use it.
"""
ROOM = 100_000_000
"""Free bytes that a place must have: about four times what compiled kernels take."""


@cache
def kept_in() -> str:
    """Directory of the code compiled from exactly these sources; empty if none."""
    digest = sha256(f"{numba.__version__} {sys.version}".encode())
    for path in sorted(HERE.rglob("*.py")):
        digest.update(path.relative_to(HERE).as_posix().encode() + sha256(path.read_bytes()).digest())
    for place in _places():
        kept = place / (PREFIX + digest.hexdigest()[:16])
        try:
            kept.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=kept).close()
            if shutil.disk_usage(kept).free < ROOM and not any(kept.iterdir()):
                continue
        except OSError:
            continue
        if place == HERE / "__pycache__":
            for other in place.glob(PREFIX + "*"):
                if other != kept and other.stat().st_mtime < time.time() - OLD:
                    shutil.rmtree(other, ignore_errors=True)
        return str(kept)
    return ""


def _places() -> list[Path]:
    """Directories that may keep compiled code, the preferred one first."""
    if config.CACHE_DIR:
        return [Path(config.CACHE_DIR)]
    caches = Path.home() / ".cache"
    if sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA", caches))
    return [HERE / "__pycache__", Path(os.environ.get("XDG_CACHE_HOME", caches)) / "satsweep"]


class _Kept:
    """Context in which numba keeps compiled code in our directory.

    It enters with whether there is one.
    """

    def __enter__(self) -> bool:
        kept = kept_in()
        self.before, config.CACHE_DIR = config.CACHE_DIR, kept
        return bool(kept)

    def __exit__(self, *_: object) -> None:
        config.CACHE_DIR = self.before


@contextmanager
def unswept() -> Iterator[None]:
    """Context in which Python seldom searches for reference cycles.

    The search takes a quarter of the time of compiling.
    """
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call.

    The wrapper that would make it callable from Python takes long to compile, and is left out.
    """
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def exported(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls, too, at its first call, and keep it."""
    return _compiled(function, no_cfunc_wrapper=True)


def inlined(function: Callable[..., Any]) -> Any:
    """Mark a few lines, or a part of a single kernel, to be copied to their caller.

    Such a function is not compiled by itself.
    """
    return njit(function, inline="always")


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function with the options of all kernels.

    No kernel divides by zero, so nothing checks for that (``error_model``).
    """
    with _Kept() as kept:
        return njit(cache=kept, error_model="numpy", pipeline_class=KernelCompiler, **options)(function)


def entry(function: Callable[..., Any], record: Any) -> Any:
    """Compile a function of the working record so that it has an address."""
    with _Kept() as kept:
        signature = types.void(types.CPointer(record))
        return cfunc(signature, cache=kept, error_model="numpy", pipeline_class=KernelCompiler)(function)


@intrinsic
def pointer(typingctx, address):
    """Pointer to an address."""

    def build(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), build


@intrinsic
def call(typingctx, address, w):
    """Call the entry at an address with the working record."""

    def build(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer]).as_pointer()
        builder.call(builder.inttoptr(arguments[0], kind), [builder.bitcast(arguments[1], pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, w), build
