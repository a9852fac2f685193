"""Child processes: killed when they are late, and with their owner.

A foreign agent, from outside this package, is such a process. It may hang, exit, kill itself or fill the memory. The
limit is one of wall time, since a process that sleeps or waits uses no processor.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from math import inf
from typing import TypeVar

from satsweep.errors import AgentError

_T = TypeVar("_T")
_EVERY = 0.05
"""Time between two looks at the limits."""


class AgentDied(AgentError):
    """End of an agent's process in the middle of a game.

    The reason may lie outside of the agent.
    """


class ChildProcess:
    """A process that is killed, with those that it has started, once it is late.

    ``start`` starts it, in a thread that lasts: Linux ends a process with the thread that started it, if it asks so.
    ``is_late`` is True after it was killed for that.
    """

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self.process = started(start)
        self.is_late = False
        self._deadline = inf
        self._lock = threading.Lock()
        _watch(self)

    @contextmanager
    def due(self, seconds: float) -> Iterator[None]:
        """Kill the process if what is within takes longer."""
        with self._lock:
            self._deadline = time.monotonic() + seconds
        try:
            yield
        finally:
            with self._lock:
                self._deadline = inf

    def check_time(self) -> None:
        """Kill the process if it is late."""
        with self._lock:
            if time.monotonic() > self._deadline:
                self.is_late = True
                self._kill()

    @property
    def has_ended(self) -> bool:
        """True if the process is late or has ended by itself."""
        with self._lock:
            return self.is_late or self.process.poll() is not None

    def ending(self, patience: float) -> str | None:
        """How the process has ended, in words; None if it goes on after the patience."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        code = self.process.returncode
        if code is None:
            return None
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    def _kill(self) -> None:
        if sys.platform == "win32":
            self.process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> bool:
        """End the process; return False if that was done before."""
        if self not in _alive:
            return False
        _alive.discard(self)
        self._kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        return True


def started(start: Callable[[], _T]) -> _T:
    """Call a function in the thread that starts all processes."""
    return _starter.submit(start).result()


_starter = ThreadPoolExecutor(1)
_alive: set[ChildProcess] = set()
_watcher: threading.Thread | None = None


def _watch(process: ChildProcess) -> None:
    """Have one thread of this process watch the time limits of all others."""
    global _watcher
    _alive.add(process)
    if _watcher is None:
        _watcher = threading.Thread(target=_check_times, daemon=True)
        _watcher.start()


def _check_times() -> None:
    while True:
        time.sleep(_EVERY)
        for process in tuple(_alive):
            process.check_time()


@atexit.register
def _end_all() -> None:
    for process in tuple(_alive):
        process.end()


def _begin_anew() -> None:
    """Leave the processes and threads to the parent, in a copy of this process."""
    global _starter, _watcher
    _left_to_parent.extend(_alive)
    _alive.clear()
    _starter, _watcher = ThreadPoolExecutor(1), None


_left_to_parent: list[ChildProcess] = []
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_begin_anew)
