"""Child processes: killed when they are late, and with their owner.

A foreign agent, from outside this package, is such a process. It may hang, exit, kill itself or fill the memory. The
limit is one of wall time, since a process that sleeps or waits uses no processor. On Linux a supervisor (``launch``)
ends all that the process has started with it. On macOS these are the processes of its session, on Windows it ends
alone.

A ``LineProcess`` is one that reads and writes lines, within limits.
"""

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

from satsweep.errors import AgentError
from satsweep.forks import after_fork
from satsweep.interpreter import PYTHON

_EVERY = 0.05
"""Time between two looks at the limits."""
_PATIENCE = 5.0
"""Time for a supervisor to end all processes, before it is killed itself."""


class AgentDied(AgentError):
    """End of an agent's process in the middle of a game.

    The reason may lie outside of the agent.
    """


class ChildProcess:
    """A process that is killed, with those that it has started, once it is late.

    ``words`` are the name and arguments of a program, ``mebibytes`` the memory that it may have, half of the machine's
    at most; ``how`` goes to Popen. A thread that lasts starts it: Linux tells a process of the end of the thread that
    started it. ``is_late`` is True after it was killed for that.
    """

    def __init__(self, program: str, words: Sequence[str], mebibytes: int = 0, **how: Any) -> None:
        self._told, tell = os.pipe()
        try:
            if sys.platform == "win32":
                command = [program, *words[1:]]
            else:
                how |= {"pass_fds": (*how.get("pass_fds", ()), tell), "start_new_session": True}
                launcher = [PYTHON[0], "-I", "-S", str(Path(__file__).with_name("launch.py"))]
                command = [*launcher, str(os.getpid()), str(tell), str(mebibytes), program, *words]
            self.process: subprocess.Popen[bytes] = _starter.submit(lambda: subprocess.Popen(command, **how)).result()
        except BaseException:
            os.close(self._told)
            raise
        finally:
            os.close(tell)
        self.is_late = False
        self.traced = False
        """True once the process writes its stack at SIGUSR1."""
        self._deadline = inf
        self._lock = threading.Lock()
        _watch(self)

    @cached_property
    def pid(self) -> int:
        """Number of the process itself, not of its supervisor."""
        return int(os.read(self._told, 32) or self.process.pid)

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
        with self._lock:
            late = time.monotonic() - self._deadline
            if late > 0:
                if not self.is_late:
                    self._ask_where()
                self.is_late = True
                self._kill(at_once=late > _PATIENCE)

    def _ask_where(self) -> None:
        """Have Python write its stack, if it does so at a signal."""
        if self.traced:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGUSR1)
                time.sleep(_EVERY)

    @property
    def has_ended(self) -> bool:
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

    def _kill(self, *, at_once: bool = False) -> None:
        """``at_once`` kills the supervisor, which else ends what the process started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.process.kill()
            elif sys.platform == "linux" and not at_once:
                self.process.terminate()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> bool:
        """End the process; return False if that was done before."""
        if self not in _alive:
            return False
        _alive.discard(self)
        self._kill()
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill(at_once=True)
            self.process.wait()
        os.close(self._told)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        return True


class Flood(AgentError):
    """More output than an answer may have."""


_LOOK = 200
"""Milliseconds between two looks at the time, while a process writes nothing."""
_PIECE = 1 << 16
_CLOCK_OF_PROCESS = 2
"""Kind of the clock of another process on Linux: its processor time."""


class LineProcess(ChildProcess):
    def __init__(self, program: str, words: Sequence[str], mebibytes: int, directory: Path | None) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
        super().__init__(program, words, mebibytes, cwd=directory, **pipes)
        self._input, self._output = self.process.stdin, self.process.stdout
        assert self._input is not None and self._output is not None
        self._to, self._from = self._input.fileno(), self._output.fileno()
        self._buffer = b""
        self._lines: list[bytes] = []
        self._poll = None if sys.platform == "win32" else select.poll()
        if self._poll is not None:
            self._poll.register(self._from, select.POLLIN)

    def write(self, text: str) -> None:
        """Write lines. Raises OSError when the process no longer reads."""
        left = memoryview(text.encode())
        while left:
            left = left[os.write(self._to, left) :]

    def read(self, allowance: int) -> str:
        """Return the next line. Raises EOFError at the end, Flood past the allowance.

        The allowance is a number of bytes without the end of a line.
        """
        while not self._lines:
            if len(self._buffer) > allowance:
                raise Flood
            if self._poll is not None:
                while not self._poll.poll(_LOOK):
                    if self.is_late:
                        raise EOFError
            piece = os.read(self._from, _PIECE)
            if not piece:
                raise EOFError
            *whole, rest = piece.split(b"\n")
            if whole:
                whole[0] = self._buffer + whole[0]
                self._lines = whole[::-1]
                self._buffer = rest
            else:
                self._buffer += piece
        return self._lines.pop().decode(errors="backslashreplace")

    def close_input(self) -> None:
        assert self._input is not None
        self._input.close()

    @property
    def has_more(self) -> bool:
        return bool(self._lines or self._buffer or (self._poll is not None and self._poll.poll(0)))

    def seconds(self) -> float:
        """Processor time of the process so far; wall time where it is not known."""
        if sys.platform == "linux":
            try:
                return time.clock_gettime((~self.pid) << 3 | _CLOCK_OF_PROCESS)
            except OSError:
                return 0.0
        return time.perf_counter()

    def allow(self, seconds: float | None) -> None:
        """Bound the processor time from now on, in whole seconds; None for no bound."""
        if sys.platform != "linux":
            return
        import resource

        limit = resource.RLIM_INFINITY if seconds is None else int(self.seconds() + seconds) + 1
        with suppress(OSError, ValueError):  # it has just ended, or the limit of this process is lower
            resource.prlimit(self.pid, resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


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
after_fork(_begin_anew)
