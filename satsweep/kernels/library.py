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
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from stat import S_ISDIR, S_ISVTX, S_IWOTH
from typing import Any, Literal, NamedTuple

Part = Literal["games", "deep"]
"""Library that is built by itself: positions and games, or the deep player."""
HERE = Path(__file__).parent
ENVIRONMENT = "SATSWEEP_CACHE_DIR"
"""Variable of the environment that names the directory of compiled kernels."""
PARTS: tuple[Part, ...] = ("games", "deep")
SECONDS: dict[Part, int] = {"games": 15, "deep": 25}
"""About how long building takes."""
POLITE = 19
"""Priority of a process that lets others go first."""
ROOM = 20_000_000
"""Free bytes that a directory must have: ten times what libraries take."""
OLD = 7 * 24 * 3600
"""Seconds after which libraries of other sources are deleted."""
LOCK = "build.lock"
"""File that a process locks while it builds in a directory."""
_MARK = b"satsweep kernels "


class KernelWarning(UserWarning):
    """Compiled kernels are not there, cannot be kept, or are not to be trusted."""


class KernelError(RuntimeError):
    """Kernels that are needed and cannot be compiled."""


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
                head, _, code = (b"", b"", b"") if fault else file.read().partition(b"\n")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            fault = f"cannot be read: {error.strerror}"
        if not fault and head != _MARK + sha256(code).hexdigest().encode():
            fault = "is damaged"
        if fault:
            _report(f"compiled kernels in {self.path} are left alone: the file {fault}")
            return None
        return code

    def write(self, code: bytes) -> None:
        """Write the library, whole or not at all."""
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
    # In a directory like /tmp (sticky) all users may make files, but not replace those of others.
    shared = S_ISDIR(found.st_mode) and found.st_mode & S_ISVTX
    return "can be written to by all users" if found.st_mode & S_IWOTH and not shared else ""


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


def _caches() -> list[Path]:
    """Directories that may keep libraries of all versions, the preferred one first."""
    if own := os.environ.get(ENVIRONMENT):
        if os.path.isabs(own):
            return [Path(own)]
        _report(f"{ENVIRONMENT} is left alone: expected an absolute path, found {own}")
    found = [HERE / "__pycache__"]
    if sys.platform == "win32":
        found.append(Path(os.environ.get("LOCALAPPDATA", "")) / "satsweep")
    elif (cache_home := Path(os.environ.get("XDG_CACHE_HOME", ""))).is_absolute() and sys.platform != "darwin":
        found.append(cache_home / "satsweep")
    else:
        with suppress(RuntimeError):  # there is no home
            found.append(Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "satsweep")
    return [place for place in found if place.is_absolute()]


def _places() -> list[Path]:
    """Directories that may keep libraries, the preferred one first; all are absolute."""
    return [cache / f"satsweep-{_digest()}" for cache in _caches()]


@cache
def directory() -> Path:
    """Directory where this process builds: a place that keeps libraries, or its own."""
    for place in _places():
        if _is_usable(place):
            for other in place.parent.glob("satsweep-*"):
                with suppress(OSError):  # another process deletes it, too
                    if other != place and other.stat().st_mtime < time.time() - OLD:
                        shutil.rmtree(other, ignore_errors=True)
            return place
    _report(f"compiled kernels cannot be kept: set {ENVIRONMENT} to a directory of yours to compile just once")
    private = tempfile.mkdtemp(prefix="satsweep-")
    atexit.register(_delete, private, os.getpid())
    os.environ[ENVIRONMENT] = private
    (place,) = _places()
    place.mkdir()
    _private.append(place)
    return place


_private: list[Path] = []
"""Directory that goes with this process, if no place will keep libraries."""


def is_private() -> bool:
    """Return whether the libraries that this process builds go when it ends."""
    return directory() in _private


def _delete(private: str, owner: int) -> None:
    """Delete a directory at the end of the process that made it, not of its forks."""
    if os.getpid() == owner:
        shutil.rmtree(private, ignore_errors=True)


def _is_usable(place: Path) -> bool:
    """Return whether libraries can be kept in a place; a fault is reported."""
    try:
        place.mkdir(mode=0o755, parents=True, exist_ok=True)
        for found in (place, place.parent):
            if fault := _fault(found.stat()):
                _report(f"compiled kernels are not kept in {found}: it {fault}")
                return False
        tempfile.TemporaryFile(dir=place).close()
        return shutil.disk_usage(place).free >= ROOM
    except OSError:
        return False


_loaded: dict[str, Any] = {}
"""Engines that hold the loaded libraries."""
_TURN = threading.RLock()


def is_loaded(part: Part = "games") -> bool:
    """Return whether the library of a part is loaded."""
    return part in _loaded


def keeper(part: Part = "games") -> Path | None:
    """Return the directory that keeps the library of a part; None if none does."""
    # The digest needs a part of the compiler, which takes a while to import.
    if not any(found for cache in _caches() for found in cache.glob("satsweep-*")):
        return None
    return next((place for place in _places() if Library(place, part).read()), None)


def load(part: Part = "games", place: Path | None = None) -> bool:
    """Load the library of a part if it is kept, also in a given place.

    Returns whether it is loaded now.
    """
    with _TURN:
        if part in _loaded:
            return True
        for one in _places() if place is None else (place, *_places()):
            if code := Library(one, part).read():
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

    A build of this process that goes on is waited for. Raises KernelError where the library cannot be built.
    """
    if load(part):
        return
    with _TURN:
        build = begun(part)
        if build is None:
            _report(f"compiling the kernels, which takes about {SECONDS[part]} s; `satsweep warm` does it ahead")
            build = begin(part)
    while build.is_running and not Library(build.place, part).path.exists():
        build.wait(0.1)
    if not load(part):
        raise KernelError(f"the kernels ({part}) could not be compiled")


_builds: dict[tuple[int, str], Build] = {}
"""Builds of this process, by its number (a fork has none yet) and part."""


def begun(part: Part) -> Build | None:
    """Return the build of a part that this process has begun, if any."""
    return _builds.get((os.getpid(), part))


def begin(*parts: Part, polite: bool = False) -> Build:
    """Begin to build parts in the background."""
    build = Build(*parts, polite=polite)
    _builds.update({(os.getpid(), part): build for part in parts})
    return build


class Build:
    """A process that builds the libraries of some parts, in the background.

    ``share`` of the work is done. ``polite`` lets other processes go first. ``ended`` is done when the process has
    ended; if it failed, that is reported. It goes on when this process ends, for later ones, if the libraries are kept.
    """

    def __init__(self, *parts: Part, polite: bool = False) -> None:
        self.parts = parts
        self.place = HERE
        self.begun = time.monotonic()
        self.share = 0.0
        self.ended: Future[None] = Future()
        self._stopped = False
        path = os.pathsep.join(entry for entry in (str(HERE.parents[1]), *sys.path) if os.path.isabs(entry))
        try:
            self.place = directory()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "satsweep.kernels.build", str(self.place), *parts],
                env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
        except OSError as error:
            self._end(str(error))
            return
        if polite:
            self.make_polite()
        atexit.register(self._leave, os.getpid())
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Read what the process prints: its progress, or an error."""
        message = ""
        with self._process:
            for line in self._process.stdout or ():
                words = line.split()
                if len(words) == 2 and all(map(str.isdecimal, words)):
                    self.share = int(words[0]) / int(words[1])
                else:
                    message = line.strip()
        code = self._process.returncode
        self._end("" if code == 0 or self._stopped else message or f"the compiler ended with {code}")

    def _end(self, fault: str) -> None:
        if fault:
            _report(f"the kernels could not be compiled: {fault}")
        self.ended.set_result(None)

    @property
    def is_running(self) -> bool:
        """True until the process has ended."""
        return not self.ended.done()

    @property
    def seconds_left(self) -> float:
        """Estimated time until the process ends."""
        expected = sum(SECONDS[part] for part in self.parts)
        return (1 - self.share) * max(expected, time.monotonic() - self.begun)

    def make_polite(self) -> None:
        """Let other processes go first, from now on."""
        with suppress(OSError, AttributeError):  # the process has ended; Windows has no such priority
            os.setpriority(os.PRIO_PROCESS, self._process.pid, POLITE)

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the process ends, or for some time. An interrupt ends it, too."""
        try:
            with suppress(TimeoutError):
                self.ended.result(seconds)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the process."""
        self._stopped = True
        self._process.kill()
        self.ended.result()

    def _leave(self, owner: int) -> None:
        """Leave the build to itself at the end of this process; stop a useless one."""
        if os.getpid() == owner and self.is_running:
            if is_private():
                self.stop()
            else:
                self.make_polite()


def is_being_built() -> bool:
    """Return whether some process is building in one of the places."""
    from filelock import FileLock, Timeout

    for place in _places():
        if (place / LOCK).exists():
            try:
                with FileLock(place / LOCK, timeout=0):
                    pass
            except Timeout:
                return True
            except OSError:
                continue
    return False
