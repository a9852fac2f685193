"""Ctrl-C ends a command at once, even inside a solver's C code.

Python alone cannot promise that. It runs signal handlers in the main thread, between bytecodes, and CP-SAT comes
back to those only when it has finished; PySAT leaves its C++ code by ``longjmp``, with its heap in an undefined state.
Here no thread gets the signal: it is blocked in all of them, solvers' own threads included, and a watcher thread waits
for it with ``sigwait``.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTED = 130
"""Exit code of an interrupt, as a shell reports it for SIGINT."""


@contextmanager
def exiting_on_interrupt(first: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Exit the process with 130 at the first interrupt within the block.

    ``first`` is called before, in another thread while the block goes on; it may print the results so far. Nothing is
    cleaned up, so no file may be open. An interrupt also counts where the process was started to ignore interrupts, as
    shells do with ``&`` in a script. On Windows, which cannot block signals, Python raises KeyboardInterrupt as usual.
    """
    if sys.platform == "win32":
        try:
            yield
        except KeyboardInterrupt:
            first()
            raise
        return
    finished = threading.Event()
    wake_up = signal.SIGUSR1

    def watch() -> None:
        while not finished.is_set():
            if signal.sigwait({signal.SIGINT, wake_up}) == signal.SIGINT:
                try:
                    first()
                finally:
                    os._exit(INTERRUPTED)

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, wake_up})
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        # The signal goes to the watcher alone: another thread could take a signal to the process.
        signal.pthread_kill(watcher.ident or 0, wake_up)
        watcher.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
