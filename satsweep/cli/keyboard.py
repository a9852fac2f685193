"""Waiting for a key, where there is a keyboard, and for a line where there is not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def key_by_key() -> Iterator[Callable[[], str]]:
    """Within, a function waits for the next key and gives it, without showing it; "" once there are no more.

    Where standard input is no terminal, or the system has none as POSIX does, it waits for a whole line.
    """
    if sys.platform == "win32" or sys.stdin is None or not sys.stdin.isatty():
        yield _line
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        # Ctrl-C still interrupts. Keys are read past Python's buffer, which would swallow those that follow.
        tty.setcbreak(terminal)
        yield lambda: os.read(terminal, 1).decode("ascii", "replace")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _line() -> str:
    return "" if sys.stdin is None else sys.stdin.readline()
