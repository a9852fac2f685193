"""Forks while other threads are at work: the child answers."""

import os
import subprocess
import sys

import pytest

from tests import ROOT

AT_WORK = """
import os, signal, sys, threading
import numpy as np
from satsweep import Board, analyse
from satsweep.agents import fingerprint
from satsweep.analysis.analysis import Analysis
from satsweep.kernels import api, board_engine
from satsweep.topology import SQUARE

near = SQUARE.neighbours(4, 4)
engine, table = board_engine.BoardEngine(near, 4), api.neighbour_table(near)
blank = np.full(16, -1, np.int8)

def ask():
    advice = api.advise(blank, table, 4, 2)
    analysis = analyse(Board.load("examples/small.txt"))
    values = [getattr(analysis, name) for name in PROPERTIES]
    with fingerprint._parsing:
        return advice.cell, advice.value, engine.guess(blank.tobytes()), repr(values), api._going.asked

PROPERTIES = [name for name, one in vars(Analysis).items() if type(one).__name__ == "cached_property"]
assert PROPERTIES
expected = ask()
"""
HELD = """
ready, never = threading.Event(), threading.Event()

def hold():
    # As in the middle of a call: the locks are taken, and the workspace is half written.
    for name in PROPERTIES:
        if lock := getattr(vars(Analysis)[name], "lock", None):
            lock.acquire()
    with api._TURN, board_engine._TURN, fingerprint._parsing:
        api._workspace().fields["held_worlds"] = 7
        api._workspace().fields["n_begun"] = 3
        ready.set()
        never.wait()

threading.Thread(target=hold, daemon=True).start()
ready.wait()
if (child := os.fork()) == 0:
    signal.alarm(60)
    os._exit(ask() != expected)
os._exit(os.waitpid(child, 0)[1] != 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_child_answers_whatever_other_threads_did() -> None:
    ran = subprocess.run([sys.executable, "-c", AT_WORK + HELD], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
