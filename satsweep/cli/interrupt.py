"""Ctrl-C ends a command at once, whatever it is doing.

Python alone cannot promise that. It runs signal handlers in the main thread, between bytecodes, and CP-SAT comes
back to those only when it has finished; PySAT leaves its C++ code by ``longjmp``, with its heap in whatever state it
is. So here no thread gets the signal: it is blocked in all of them, solvers' own threads included, and one thread
that does nothing else waits for it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""The exit code, which is also what a shell reports when SIGINT has killed a program."""


@contextmanager
def ending_at_interrupt() -> Iterator[None]:
    """End the process with 130 at the first interrupt from here on. Nothing is cleaned up, so no file may be open.

    That also holds where the process was started to ignore interrupts, as shells do with ``&`` in a script. On
    Windows, which cannot block signals, this does nothing.
    """
    if sys.platform == "win32":
        yield
        return
    finished = threading.Event()
    wake_up = signal.SIGUSR1

    def watch() -> None:
        while not finished.is_set():
            if signal.sigwait({signal.SIGINT, wake_up}) == signal.SIGINT:
                os._exit(INTERRUPTED)

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, wake_up})
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        # Meant for the watcher alone: a signal to the process could be taken by another thread.
        signal.pthread_kill(watcher.ident or 0, wake_up)
        watcher.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
