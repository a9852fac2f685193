"""Libraries of compiled kernels: kept on disk, checked, loaded, built.

A library is an object file for this machine, below a line with its digest. It is kept under a digest of all kernels,
of the compilers' versions and of the processor, in ``SATSWEEP_CACHE_DIR`` if that is set, else beside the package if
that can be written to, else in the user's cache directory. If none of them will do, this process builds for itself
and the processes that it starts, in a directory that goes when it ends.

Nothing is loaded from a directory or a file that is another user's (but the administrator's), that all users may
write to, or that is given by a relative path; nothing whose digest does not fit; and nothing is ever unpickled.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

Part = Literal["games", "deep"]
"""Library that is built by itself: positions and games, or the deep player."""
HERE = Path(__file__).parent
ENVIRONMENT = "SATSWEEP_CACHE_DIR"
"""Variable of the environment that names the directory of compiled kernels."""
PARTS: tuple[Part, ...] = ("games", "deep")
SECONDS: dict[Part, int] = {"games": 15, "deep": 20}
"""About how long building takes."""
POLITE = 19
"""Priority of a process that lets others go first."""
ROOM = 20_000_000
"""Free bytes that a directory must have: ten times what libraries take."""
OLD = 7 * 24 * 3600
"""Seconds after which libraries of other sources are deleted.

No process uses them then.
"""
_MARK = b"satsweep kernels "


class KernelWarning(UserWarning):
    """Compiled kernels are not there, cannot be kept, or are not to be trusted."""


class Library(NamedTuple):
    """The library of a part in a directory."""

    directory: Path
    part: str

    @property
    def path(self) -> Path:
        """The file of the library."""
        return self.directory / f"{self.part}.o"

    def read(self) -> bytes | None:
        """Return the object file; None if there is none to be trusted.

        A library that is damaged or not to be trusted is reported once.
        """
        try:
            with self.path.open("rb") as file:
                fault = _fault(os.fstat(file.fileno())) or _fault(self.directory.stat())
                head, _, code = file.read().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            fault = error.strerror or "cannot be read"
        if not fault and head != _MARK + sha256(code).hexdigest().encode():
            fault = "is damaged"
        if fault:
            _report(f"compiled kernels in {self.path} are left alone: the file {fault}")
            return None
        return code

    def write(self, code: bytes) -> None:
        """Write the library, whole or not at all."""
        self.directory.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.directory, delete=False) as file:
            file.write(_MARK + sha256(code).hexdigest().encode() + b"\n" + code)
        os.chmod(file.name, 0o644)
        os.replace(file.name, self.path)


def _fault(found: os.stat_result) -> str:
    """Return why a file or directory is not to be trusted; empty if it is."""
    if os.name == "nt":
        return ""
    if found.st_uid not in (os.getuid(), 0):
        return "belongs to another user"
    return "can be written to by all users" if found.st_mode & 0o002 else ""


@cache
def _report(line: str) -> None:
    """Warn, once for each line."""
    warnings.warn(line, KernelWarning, stacklevel=2)


@cache
def _digest() -> str:
    """Digest of all that a library depends on: kernels, compilers, processor."""
    import llvmlite.binding as llvm

    target = llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    found = sha256(repr((version("numba"), version("llvmlite"), sys.version_info[:2], *target)).encode())
    for path in sorted(HERE.rglob("*.py")):
        found.update(path.relative_to(HERE).as_posix().encode() + sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def _places() -> list[Path]:
    """Directories that may keep libraries, the preferred one first; all are absolute."""
    if own := os.environ.get(ENVIRONMENT):
        found = [Path(own)]
    else:
        found = [HERE / "__pycache__"]
        if sys.platform == "win32":
            found.append(Path(os.environ.get("LOCALAPPDATA", "")) / "satsweep")
        elif (cache_home := Path(os.environ.get("XDG_CACHE_HOME", ""))).is_absolute() and sys.platform != "darwin":
            found.append(cache_home / "satsweep")
        else:
            with suppress(RuntimeError):  # there is no home
                found.append(Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "satsweep")
    if own and not found[0].is_absolute():
        _report(f"{ENVIRONMENT} is left alone: expected an absolute path, found {own}")
    return [place / f"satsweep-{_digest()}" for place in found if place.is_absolute()]


@cache
def _directory() -> Path:
    """Directory where this process builds."""
    for place in _places():
        try:
            place.mkdir(parents=True, exist_ok=True)
            if _fault(place.stat()) or _fault(place.parent.stat()):
                _report(f"compiled kernels are not kept in {place.parent}: it {_fault(place.parent.stat())}")
                continue
            tempfile.TemporaryFile(dir=place).close()
            if shutil.disk_usage(place).free < ROOM:
                continue
        except OSError:
            continue
        for other in place.parent.glob("satsweep-*"):
            if other != place and other.stat().st_mtime < time.time() - OLD:
                shutil.rmtree(other, ignore_errors=True)
        return place
    _report(f"compiled kernels cannot be kept: set {ENVIRONMENT} to a directory of yours to compile just once")
    private = tempfile.mkdtemp(prefix="satsweep-")
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    os.environ[ENVIRONMENT] = private
    return _places()[0]


_loaded: dict[str, Any] = {}
"""Engines that hold the loaded libraries."""
_TURN = threading.RLock()


def is_loaded(part: Part = "games") -> bool:
    """Return whether the library of a part is loaded."""
    return part in _loaded


def is_kept(part: Part = "games") -> bool:
    """Return whether the library of a part is on disk."""
    return part in _loaded or any(Library(place, part).read() for place in _places())


def load(part: Part = "games") -> bool:
    """Load the library of a part if it is kept. Returns whether it is loaded now."""
    with _TURN:
        if part in _loaded:
            return True
        for place in _places():
            if code := Library(place, part).read():
                _bind(part, code)
                return True
        return False


def _bind(part: Part, code: bytes) -> None:
    """Load an object file."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _loaded[part] = engine


def address_of(part: Part, symbol: str) -> int:
    """Address of a function of a library, which is loaded, or built, if need be."""
    require(part)
    address: int = _loaded[part].get_function_address(symbol)
    assert address, f"the library of {part} lacks {symbol}, or something that it calls"
    return address


def require(part: Part = "games") -> None:
    """Load the library of a part; build it first, which takes a while, if need be.

    Raises RuntimeError where it cannot be built.
    """
    with _TURN:
        if not load(part):
            _report(
                f"compiling the kernels ({part}), which takes about {SECONDS[part]} s; `satsweep warm` does it ahead"
            )
            Build(part).wait()
            if not load(part):
                raise RuntimeError(f"the kernels ({part}) could not be compiled")


class Build:
    """A process that builds the library of a part, in the background.

    ``share`` of the work is done. ``polite`` lets other processes go first.
    """

    def __init__(self, *parts: Part, polite: bool = False) -> None:
        self.parts = parts
        self.share = 0.0
        self.message = ""
        command = [sys.executable, "-P", "-m", "satsweep.kernels.build", str(_directory()), *parts]
        path = os.pathsep.join(entry for entry in (str(HERE.parents[1]), *sys.path) if os.path.isabs(entry))
        self._process = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        if polite and hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, POLITE)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Read what the process prints: its progress, or an error."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = line.split()
            if len(words) == 2 and all(map(str.isdecimal, words)):
                self.share = int(words[0]) / int(words[1])
            else:
                self.message = line.strip()

    @property
    def is_running(self) -> bool:
        """True until the process has ended."""
        return self._process.poll() is None

    def wait(self) -> None:
        """Wait for the end of the process. Where it failed, that is reported."""
        try:
            self._process.wait()
        except BaseException:
            self.stop()
            raise
        self._reader.join()
        if self._process.returncode:
            _report(f"the kernels could not be compiled: {self.message}")

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
