"""Lines of a child process: written and read through its pipes, within limits."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time

from satsweep.agents.child_process import ChildProcess
from satsweep.errors import AgentError
from satsweep.umi.command import Command

_LOOK = 200
"""Milliseconds between two looks at the time, while a process writes nothing."""
_PIECE = 1 << 16
_CLOCK_OF_PROCESS = 2
"""Kind of the clock of another process on Linux: its processor time."""


class Flood(AgentError):
    """More output than an answer may have."""


class LineProcess:
    """A process that reads lines and writes lines."""

    def __init__(self, command: Command) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
        self.child = ChildProcess(command.program(), command.words, command.memory or 0, cwd=command.directory, **pipes)
        self._input, self._output = self.child.process.stdin, self.child.process.stdout
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
                    if self.child.is_late:
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
        """End the input of the process."""
        assert self._input is not None
        self._input.close()

    @property
    def has_more(self) -> bool:
        """True if something is there that was not read."""
        return bool(self._lines or self._buffer or (self._poll is not None and self._poll.poll(0)))

    def seconds(self) -> float:
        """Processor time of the process so far; wall time where it is not known."""
        if sys.platform == "linux":
            try:
                return time.clock_gettime((~self.child.pid) << 3 | _CLOCK_OF_PROCESS)
            except OSError:
                return 0.0
        return time.perf_counter()

    def allow(self, seconds: float | None) -> None:
        """Bound the processor time from now on, in whole seconds; None for no bound."""
        if sys.platform != "linux":
            return
        import resource

        limit = resource.RLIM_INFINITY if seconds is None else int(self.seconds() + seconds) + 1
        try:
            resource.prlimit(self.child.pid, resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        except (OSError, ValueError):
            return  # it has just ended, or the limit of this process is lower
