"""How kernels are compiled, where that is kept, and how one calls another that is compiled apart.

Numba optimises a function together with all that it calls, again for each caller; so the heavy ones are *entries*:
compiled once, called through their address, which stands in the working memory.

What is compiled is kept on disk. Numba would notice a change in the file of a function, but not in that of another
which it calls, so everything is kept under a digest of all kernels: in ``NUMBA_CACHE_DIR`` if that is set, else beside
the package if that can be written to, else where the user's caches are, else nowhere. A disk that is nearly full is
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

config: Any = numba.config
HERE = Path(__file__).parent
PREFIX = "satsweep-"
OLD = 7 * 24 * 3600
"""Seconds after which what was compiled from other sources goes: until then somebody may still be at it."""
ROOM = 100_000_000
"""Bytes that have to be free where it is kept: some four times what it takes."""


@cache
def kept_in() -> str:
    """The directory where what is compiled from these very sources is kept; empty if there is none."""
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
    if config.CACHE_DIR:
        return [Path(config.CACHE_DIR)]
    caches = Path.home() / ".cache"
    if sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA", caches))
    return [HERE / "__pycache__", Path(os.environ.get("XDG_CACHE_HOME", caches)) / "satsweep"]


class _Kept:
    """While it lasts, numba keeps what it compiles where we say."""

    def __enter__(self) -> bool:
        kept = kept_in()
        self.before, config.CACHE_DIR = config.CACHE_DIR, kept
        return bool(kept)

    def __exit__(self, *_: object) -> None:
        config.CACHE_DIR = self.before


@contextmanager
def unswept() -> Iterator[None]:
    """While it lasts, Python seldom searches for cycles, which is a quarter of the time that compiling takes."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def kernel(function: Callable[..., Any]) -> Any:
    """A function that kernels call, and nobody else: what would call it from Python takes long to compile."""
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def exported(function: Callable[..., Any]) -> Any:
    """A kernel that Python calls, too. It is compiled when it is first called, and kept."""
    return _compiled(function, no_cfunc_wrapper=True)


def inlined(function: Callable[..., Any]) -> Any:
    """A few lines, or a part of a single kernel: put where it is called, and not compiled by itself."""
    return njit(function, inline="always")


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """What is divided by is never zero, so nothing looks for that (``error_model``)."""
    with _Kept() as kept:
        return njit(cache=kept, error_model="numpy", **options)(function)


def entry(function: Callable[..., Any], record: Any) -> Any:
    """Compile a function of the working memory so that it has an address."""
    with _Kept() as kept:
        return cfunc(types.void(types.CPointer(record)), cache=kept, error_model="numpy")(function)


@intrinsic
def pointer(typingctx, address):
    """A pointer to an address."""

    def build(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), build


@intrinsic
def call(typingctx, address, w):
    """Call the entry at an address with the working memory."""

    def build(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer]).as_pointer()
        builder.call(builder.inttoptr(arguments[0], kind), [builder.bitcast(arguments[1], pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, w), build
