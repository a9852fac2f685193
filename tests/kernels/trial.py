"""Trial of a checked library: hostile questions until a time is over, or an access of an array is out of range.

    python -m tests.kernels.trial DIRECTORY [--small] [--seconds 60] [--seed 0]

The directory is that of ``scripts/kernels --checked [--small] DIRECTORY``. The first report ends the process with code
70: the array, the place in the kernels, the case, and the calls of Python that led there. The same seed asks the same
questions in the same order.
"""

import argparse
import ctypes
import faulthandler
import os
import sys
import time
import traceback
from pathlib import Path
from random import Random

from satsweep.kernels.toolchain.small_limits import shrink

REPORTED = 70
PATIENCE = 300
"""Seconds after which a case counts as one that hangs."""
Report = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_longlong, ctypes.c_longlong)


_case = "before the first case"


def _report(place: bytes, index: int, length: int) -> None:
    print(f"{place.decode()}: index {index} of {length}, {_case}", file=sys.stderr)
    traceback.print_stack()
    sys.stderr.flush()
    os._exit(REPORTED)


_kept = Report(_report)
"""What the library calls, as long as it is loaded."""


def use(directory: Path, small: bool) -> None:
    """Let the package load a checked library, and end the process at its first report."""
    if small:
        shrink()
    from satsweep.kernels.toolchain import library

    library.PATH = directory / library.PATH.name
    report = ctypes.cast(_kept, ctypes.c_void_p).value
    ctypes.c_void_p.in_dll(library.load(), "satsweep_report").value = report


def main() -> None:
    global _case
    parser = argparse.ArgumentParser(description="Try a checked library of the kernels.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--small", action="store_true", help="it has small limits")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    use(asked.directory, asked.small)
    from tests.kernels.hostile import CASES  # kernels are loaded with the limits of the library

    end, number, tried = time.monotonic() + asked.seconds, 0, dict.fromkeys(CASES, 0)
    while time.monotonic() < end:
        rng = Random(f"{asked.seed}/{number}")
        name = rng.choice(list(CASES))
        _case = f"case {number}, {name}"
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        CASES[name](rng)
        tried[name] += 1
        number += 1
    faulthandler.cancel_dump_traceback_later()
    print(f"{number} cases: " + ", ".join(f"{name} {count}" for name, count in tried.items()))


if __name__ == "__main__":
    main()
