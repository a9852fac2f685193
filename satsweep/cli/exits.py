"""Ends of a command: exit codes, errors in one line, interrupts.

Ctrl-C ends a command at once, even inside a solver's C code. Python alone cannot promise that. It runs signal handlers
in the main thread, between bytecodes, and CP-SAT comes back to those only when it has finished; PySAT leaves its C++
code by ``longjmp``, with its heap in an undefined state. Here no thread gets the signal: it is blocked in all of them,
solvers' own threads included, and a watcher thread waits for it with ``sigwait``.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from satsweep.errors import BudgetExceeded, Contradiction, ImpossibleSpec, SatsweepError, UnknownForm

NO, BAD_INPUT, INCOMPLETE, MISMATCH, INTERRUPTED = 1, 3, 4, 5, 130
"""Exit codes.

NO is an answer: no world agrees, a claim is false, a proof is rejected, a game failed. 0 is success, 2 (wrong usage)
is typer's, 130 is what a shell reports for SIGINT.
"""
CODES: dict[type[SatsweepError], int] = {Contradiction: NO, ImpossibleSpec: NO, BudgetExceeded: INCOMPLETE}
"""Exit codes of errors; that of all others is BAD_INPUT."""


def note(line: str) -> None:
    """Print one line on standard error."""
    from satsweep.text import harmless

    typer.echo(harmless(line), err=True)


def fail(message: str, code: int, *, lines: bool = False) -> NoReturn:
    """Print a message on standard error and exit with a code.

    It is one line, unless it has several ``lines``.
    """
    from satsweep.text import printable

    note("\n".join(map(printable, message.split("\n"))) if lines else printable(message))
    raise typer.Exit(code)


@contextmanager
def failing_on_errors(before: str = "") -> Iterator[None]:
    """Exit with one line at an error of this package, as every command does.

    A package that is not installed is such an error, too.
    ``before`` stands in front of the error, where that does not say itself what it is about.
    """
    try:
        yield
    except SatsweepError as error:
        code = next((code for kind, code in CODES.items() if isinstance(error, kind)), BAD_INPUT)
        fail(f"{before}{error}", code, lines=isinstance(error, UnknownForm))
    except ModuleNotFoundError as error:
        from satsweep.cli.packages import lacking

        if (said := lacking(error.name)) is None:
            raise
        fail(f"{before}{said}", BAD_INPUT)


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
