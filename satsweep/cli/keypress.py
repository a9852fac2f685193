"""Single key presses from the terminal; whole lines where there is no terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satsweep.cli.output import is_terminal


@contextmanager
def key_reader() -> Iterator[Callable[[], str]]:
    """Function that waits for a key and returns it unechoed; "" at the end of input.

    It reads a whole line where standard input is no terminal, or the system has no POSIX terminals.
    """
    if sys.platform == "win32" or not is_terminal(sys.stdin):
        yield _read_line
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


def _read_line() -> str:
    return "" if sys.stdin is None else sys.stdin.readline()
