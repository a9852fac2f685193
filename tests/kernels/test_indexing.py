"""Indices of kernels: all lie within their arrays, though nothing tests them."""

import subprocess
import sys
from pathlib import Path

import pytest

TRAPS = """
import numba.np.arrayobj
from llvmlite import ir
from numba.core import cgutils, types

def checked(context, builder, kind, index, size):
    index = context.cast(builder, index, kind, types.intp)
    with builder.if_then(builder.icmp_unsigned(">=", index, size), likely=False):
        trap = ir.FunctionType(ir.VoidType(), [])
        builder.call(cgutils.get_or_insert_function(builder.module, trap, "llvm.trap"), [])
    return index

numba.np.arrayobj.fix_integer_index = checked
"""
ASIDE = """
import numpy as np
from numba import njit
from satsweep.kernels.toolchain.lowering import KernelCompiler
njit(lambda array, row: array[row, 0], pipeline_class=KernelCompiler)(np.zeros((3, 2)), {row})
"""
BUILD = """
import sys
from pathlib import Path
from satsweep.kernels import build

list(build.build([build.this_platform()], Path(sys.argv[1])))
"""
GAMES = """
import sys
from pathlib import Path
from satsweep.kernels.toolchain import library

library.PATH = Path(sys.argv[1]) / library.PATH.name
from satsweep.kernels.api import find_no_guess, neighbour_table, play_games
from satsweep.topology import SQUARE, TORUS

for topology in (SQUARE, TORUS):
    for rows, cols, mines, games in ((9, 9, 10, 300), (16, 30, 99, 300), (16, 16, 70, 100), (1, 40, 9, 100)):
        table = neighbour_table(topology.neighbours(rows, cols))
        for first in ("any", "safe", "zero"):
            play_games(table, mines, "traps", range(games), first=first)
        play_games(table, mines, "traps", range(games // 10), policy="deep")
        find_no_guess(table, mines, "traps", range(5), 0, changes=50)
play_games(neighbour_table(SQUARE.neighbours(4, 4)), 4, "traps", range(50), policy="deep")
"""


def run(program: str, directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, str(directory)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.slow
def test_no_index_is_out_of_bounds(tmp_path: Path) -> None:
    """Games in a build whose every access traps beyond its array."""
    for program in (TRAPS + BUILD, GAMES):
        result = run(program, tmp_path)
        assert result.returncode == 0, result.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.parametrize(("row", "right"), [(2, True), (-1, False)])
def test_the_trap_works(row: int, right: bool, tmp_path: Path) -> None:
    assert (run(TRAPS + ASIDE.format(row=row), tmp_path).returncode == 0) == right
