"""Kernels that are compiled apart, and the workspace, which has their addresses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, Popen

import numpy as np
from numba import carray, from_dtype

from satsweep.kernels.compiling import entry
from satsweep.kernels.endgame.memory import attached
from satsweep.kernels.endgame.play import finish, pose_root
from satsweep.kernels.lookahead.ahead import look_ahead
from satsweep.kernels.lookahead.deep import choose_cell
from satsweep.kernels.lookahead.promise import most_promising
from satsweep.kernels.memory import WORK
from satsweep.kernels.position.solver import renew
from satsweep.kernels.position.weights import rate


def _rate(work):
    rate(carray(work, 1)[0])


def _renew(work):
    renew(carray(work, 1)[0])


def _ahead(work):
    w = carray(work, 1)[0]
    look_ahead(w, w.asked)


def _promise(work):
    most_promising(carray(work, 1)[0])


def _deep(work):
    choose_cell(carray(work, 1)[0])


def _finish(work):
    w = carray(work, 1)[0]
    finish(w, attached(w))


def _root(work):
    w = carray(work, 1)[0]
    pose_root(w, attached(w))


ALWAYS = {
    "at_rate": _rate,
    "at_renew": _renew,
    "at_promise": _promise,
}
"""Entries by the field of the workspace that has their address."""
LOOKING_AHEAD = {
    "at_ahead": _ahead,
    "at_deep": _deep,
    "at_finish": _finish,
    "at_root": _root,
}
"""Entries that only the deep player needs; they take longest to compile."""
ENDGAMES = ("at_finish", "at_root")
"""Entries of the endgame search, which take most of the time."""


@cache
def entry_named(name):
    """An entry, compiled once."""
    return entry({**ALWAYS, **LOOKING_AHEAD}[name], from_dtype(WORK))


def workspace() -> np.ndarray:
    """Workspace of one process: an array of one record.

    Pages that are never used cost nothing.
    """
    work = np.zeros(1, WORK)
    for name in ALWAYS:
        work[name] = entry_named(name).address
    return work


def look_ahead_from(work: np.ndarray) -> None:
    """Enter the addresses of the deep player's entries into the workspace."""
    for name in LOOKING_AHEAD:
        if not work[name][0]:
            work[name] = entry_named(name).address


@contextmanager
def compiling_in_background(names: tuple[str, ...]) -> Iterator[None]:
    """Compile entries in another process, which keeps them where all find them.

    If it cannot, nothing is lost.
    """
    asked = "from satsweep.kernels.compiling import unswept\nfrom satsweep.kernels.entries import entry_named\n"
    asked += f"with unswept():\n    for name in {names!r}: entry_named(name)"
    path = os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])
    other = Popen(
        [sys.executable, "-c", asked], env={**os.environ, "PYTHONPATH": path}, stdin=DEVNULL, stdout=DEVNULL,
        stderr=DEVNULL,
    )  # fmt: skip
    try:
        yield
        other.wait()
    finally:
        other.kill()
        other.wait()
