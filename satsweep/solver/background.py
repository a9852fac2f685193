"""Kernels in the background: commands begin in Python while these are compiled.

Parts are games, boards without a guess and positions (``"games"``), and the deep player (``"deep"``). All compiling of
a command goes through here, in its first process; other processes load what that one finds or compiles, and never
compile by themselves.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from satsweep.solver.compiled import Part, library
from satsweep.solver.installed import have_kernels

Say = Callable[[str], None]


def silent(line: str) -> None:
    """Say nothing."""


def make_thread_polite() -> None:
    """Let others, such as a compiler, go before this thread (on Linux)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), library.POLITE)


class Kernels:
    """Kernels of some parts: kept, or compiled once ``begin`` is called.

    ``say`` gets one line when compiling begins. Where the libraries of the compiler are missing there are no parts.
    """

    def __init__(self, *parts: Part, say: Say = silent) -> None:
        self.parts = parts if have_kernels() else ()
        self._say = say
        self._places: dict[Part, Path] = {}
        self._build: library.Build | None = None

    def place(self, part: Part) -> Path | None:
        """Directory that keeps the kernels of a part; None if they are not there (yet)."""
        if part not in self.parts:
            return None
        if part not in self._places:
            found = library.keeper(part)
            if found is None:
                return None
            self._places[part] = found
        return self._places[part]

    def destination(self, part: Part) -> Path | None:
        """Directory where the kernels of a part are or will be; None if nowhere."""
        return self.place(part) or (None if self._build is None or not self.are_compiling else self._build.place)

    @property
    def missing(self) -> tuple[Part, ...]:
        """Parts that are not there (yet)."""
        return tuple(part for part in self.parts if self.place(part) is None)

    @property
    def have_failed(self) -> bool:
        """True if nothing is compiling any more, and something is missing."""
        return self._build is not None and not self._build.is_running and bool(self.missing)

    @property
    def are_compiling(self) -> bool:
        """True from ``begin`` on until all is compiled, or has failed."""
        return self._build is not None and self._build.is_running

    @property
    def have_begun(self) -> bool:
        """True once they are there, compiling, or cannot be compiled."""
        return self._build is not None or not self.missing

    @property
    def share(self) -> float:
        """Share of the compiling that is done."""
        return 1.0 if self._build is None else self._build.share

    @property
    def seconds_left(self) -> float:
        """Estimated time until all is compiled."""
        if self._build is not None:
            return self._build.seconds_left
        return float(sum(library.SECONDS[part] for part in self.missing))

    @property
    def ended(self) -> Future[None] | None:
        """Future that is done when compiling ends; None unless it goes on."""
        return self._build.ended if self._build is not None and self._build.is_running else None

    def begin(self, *, polite: bool = False) -> None:
        """Begin to compile what is missing; ``polite`` lets other processes go first."""
        if self._build is not None or not (missing := self.missing):
            return
        self._build = library.begun(missing[-1])
        if self._build is None:
            seconds = f"{self.seconds_left:.0f} s"
            self._say(f"compiling the kernels in the background, about {seconds}; `satsweep warm` does it ahead")
            self._build = library.begin(*missing, polite=polite)

    def make_polite(self) -> None:
        """Let other processes go first, from now on."""
        if self._build is not None:
            self._build.make_polite()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until compiling ends, or for some time."""
        if self._build is not None:
            self._build.wait(seconds)


class Arrival:
    """Check for kernels that another process compiles, cheap enough for an inner loop."""

    EVERY = 0.1
    """Seconds between looks at the disk."""
    GRACE = 3.0
    """Seconds that a process may take to begin to compile."""

    def __init__(self, part: Part, place: Path | None = None) -> None:
        self._part = part
        self._place = place
        self._next = 0.0

    def has_come(self) -> bool:
        """Load the kernels if they are there; return whether they are loaded."""
        if not have_kernels():
            return False
        if not library.is_loaded(self._part) and time.monotonic() >= self._next:
            self._next = time.monotonic() + self.EVERY
            library.load(self._part, self._place)
        return library.is_loaded(self._part)

    def wait(self) -> bool:
        """Wait as long as another process compiles; return whether the kernels are loaded."""
        last = time.monotonic()
        while have_kernels() and not self.has_come() and time.monotonic() - last < self.GRACE:
            if library.is_being_built():
                last = time.monotonic()
            time.sleep(self.EVERY)
        return library.is_loaded(self._part)
