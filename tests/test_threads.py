"""Threads: several ask at once and get the answers of one; importing starts nothing and takes no signal."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import satsweep
from satsweep import Board, BoardSpec
from tests import ROOT

BOARDS = [
    Board("mines 3\n##1.\n##21\n####"),
    Board("mines 10\n" + "#" * 9 + "\n" + "##1111###\n" + "##1..1###\n" + "##1..1###\n" + "##1112###\n" + "#########"),
    Board("mines 12\n" + "\n".join(["#" * 12] * 5 + ["######3#####"])),
]
QUESTIONS: list[Callable[[Board], object]] = [
    lambda board: satsweep.analyse(board).to_json(),
    lambda board: [risks.tobytes() for risks in satsweep.risks([board])],
    lambda board: satsweep.explain(board, board.covered[-1]).text,
    lambda board: satsweep.conflict(board),
    lambda board: satsweep.random_world(board, rng=Random(1)),
    lambda board: satsweep.play(f"9x9/{board.mines}", "sat", seed=1).moves,
    lambda board: satsweep.play(f"9x9/{board.mines}", "deep", seed=1).moves,
    lambda board: satsweep.rate(satsweep.random_layout(9, 9, board.mines, seed=1)).text,
    lambda board: [*satsweep.generate(BoardSpec(9, 9, 10), 2, seed=1)],
    lambda board: satsweep.review(satsweep.play(f"9x9/{board.mines}", "tank", seed=1)).text,
]
IMPORTING = """
import signal, sys, threading
from pathlib import Path

def state():
    children = Path("/proc/thread-self/children")
    return (
        [signal.getsignal(one) for one in signal.valid_signals()],
        threading.active_count(),
        children.read_text() if children.exists() else "",
    )

before = state()
import satsweep
for name in satsweep.__all__:
    folder = getattr(satsweep, name)
    for own in getattr(folder, "__all__", ()):
        getattr(folder, own)
assert state() == before, (before, state())
print(len(sys.modules))
"""


def answered(asked: tuple[Callable[[Board], object], Board]) -> object:
    question, board = asked
    return question(board)


def test_threads_get_the_answers_of_one() -> None:
    asked = [(question, board) for board in BOARDS for question in QUESTIONS]
    expected = [*map(answered, asked)]
    with ThreadPoolExecutor(6) as threads:
        for _ in range(2):
            assert list(threads.map(answered, asked)) == expected


def test_importing_starts_nothing() -> None:
    ran = subprocess.run([sys.executable, "-c", IMPORTING], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 500, "all folders are imported"
