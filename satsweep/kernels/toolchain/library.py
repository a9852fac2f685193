"""The compiled library: a file of the package, loaded by ``ctypes`` at first use.

The library is built with the package (``build``), for the generic processor of its platform, and depends on no other
library. Nothing is compiled, kept or looked for elsewhere. A package without it is *pure*: Python answers what Python
can, and everything else raises KernelError.
"""

import ctypes
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

from satsweep.errors import KernelError

KERNELS = Path(__file__).parents[1]
"""Folder of the kernels' sources and of the library."""
FILES = {"linux": "libsatsweep.so", "darwin": "libsatsweep.dylib", "win32": "satsweep.dll"}
"""Name of the library by platform."""
PATH = KERNELS / FILES.get(sys.platform, FILES["linux"])
WASM = KERNELS.parent / "page" / "static" / "engine" / "satsweep.wasm"
"""The library for WebAssembly, beside the module that loads it."""
QUICK_WASM = WASM.with_name("quick.wasm")
"""The part of it with which the page begins, a third of its size."""
SUM = "library.crc32"
"""File beside a library: its length and its CRC-32."""
PROJECT = KERNELS.parents[1] / "pyproject.toml"
"""File that a checkout has, where sources may be newer than the library."""
CALLERS = ("api.py", "board_engine.py", "calls.py", "counting.py", "library.py", "small_limits.py")
"""Modules of which nothing is compiled."""
REBUILD = "`scripts/kernels` builds it"


@cache
def is_there() -> bool:
    """Return whether the package has a library, if only a damaged one, and NumPy."""
    return PATH.exists() and find_spec("numpy") is not None


@cache
def load() -> ctypes.CDLL:
    """Load the library.

    Raises KernelError where that is impossible, with what to do about it.
    """
    try:
        code = PATH.read_bytes()
    except FileNotFoundError:
        built = REBUILD if PROJECT.exists() else "install a wheel for this platform, or from source with numba at hand"
        raise KernelError(f"satsweep is installed without its compiled library: {built}") from None
    except OSError as error:
        raise KernelError(f"{PATH}: {error.strerror}") from None
    again = REBUILD if PROJECT.exists() else "install satsweep again"
    try:
        if (PATH.parent / SUM).read_bytes() != sum_of(code).encode():
            raise OSError
        library = ctypes.CDLL(str(PATH))
    except OSError:
        raise KernelError(f"{PATH} is damaged, or made for another platform: {again}") from None
    if not library.satsweep_runs_here():
        raise KernelError("this processor lacks instructions of x86-64-v2 (2009), which the compiled library needs")
    if PROJECT.exists() and is_stale(library):
        raise KernelError(f"{PATH} is older than the sources of its kernels: {REBUILD}")
    return library


def sum_of(code: bytes) -> str:
    return f"{len(code)} {crc32(code):08x}\n"


def is_stale(library: ctypes.CDLL) -> bool:
    """Return whether a library was made from other sources than those here."""
    built = PATH.stat().st_mtime
    if all(path.stat().st_mtime <= built for path in sources()):
        return False
    return ctypes.c_char_p.in_dll(library, "satsweep_sources").value != digest().encode()


def sources() -> list[Path]:
    found = (path for path in KERNELS.rglob("*") if path.suffix in (".py", ".c", ".h"))
    return sorted(path for path in found if path.name not in CALLERS)


def digest() -> str:
    from hashlib import sha256  # two milliseconds, only where a build is compared with its sources

    found = sha256()
    for path in sources():
        found.update(path.relative_to(KERNELS).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
