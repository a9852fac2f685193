"""Try an installed satsweep, and what one of its extras adds.

python scripts/smoke.py [EXTRA]
"""

from __future__ import annotations

import importlib
import sys
from fractions import Fraction

import satsweep

BOARD = satsweep.Board("mines 3\n##1.\n##21\n####")
MODULES = {
    "cluster": "distributed",
    "plot": "satsweep.arena.plot",
    "parquet": "pyarrow",
    "replays": "ms_toollib",
    "gym": "satsweep.envs",
    "web": "satsweep.web.server",
}


def main() -> None:
    """Solve, explain, play; import what the extra is for."""
    analysis = satsweep.analyse(BOARD)
    assert (analysis.worlds, analysis.risk((0, 0))) == (12, Fraction(1, 3))
    assert satsweep.explain(BOARD, (2, 1)).text.startswith("2,1 is safe")
    assert satsweep.play("beginner", "sat", seed=1).won
    for extra in sys.argv[1:]:
        importlib.import_module(MODULES.get(extra, "satsweep"))
    print("satsweep", satsweep.__version__, *sys.argv[1:], "works")


if __name__ == "__main__":
    main()
