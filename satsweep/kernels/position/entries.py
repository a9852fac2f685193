"""Kernels of exact counts, declared where Python finds them without NumPy."""

from satsweep.kernels.shared.memory import CELLS, DEGREE, HEAD
from satsweep.kernels.toolchain.calls import RECORD, Array, Entry, Int

NEIGHBOURS = Array("i4", "cells degree", holds=Int(-1, below="cells"), limits={"cells": CELLS, "degree": DEGREE})
"""Parameter: the table of neighbours, a row for each cell, padded with -1."""
SHAPE, WAYS = Array("i4", f"{HEAD + 5 * CELLS}+", written=True), Array("f8", written=True)
"""Parameters: shape and rows of counts."""

ANY_BOARD = Array("i4", "cells degree", holds=Int(-1, below="cells"), limits={"degree": DEGREE})
"""Parameter: the table of neighbours of a board of any size."""

count_position = Entry(
    "satsweep_kernels_position_solver_count_position",
    NEIGHBOURS, RECORD, Array("i1", "cells"), Array("i4", "cells+", written=True), SHAPE, WAYS, results=1,
)  # fmt: skip
count_one = Entry(
    "satsweep_kernels_position_solver_count_one",
    RECORD,
    Array("i4", "groups", holds=Int(0)),
    Array("i4", "constraints _", holds=Int(-1, below="groups")),
    Array("i4", "constraints"),
    Array("i4", "groups+", written=True),
    SHAPE,
    WAYS,
    results=1,
)
NOT_COUNTED = 2
"""Mark of the cells of a component beyond the limits, on a large board."""
count_parts = Entry(
    "satsweep_kernels_position_split_count_parts",
    ANY_BOARD,
    RECORD,
    *(Array(dtype, "cells", written=True) for dtype in ("i1", "i2", "i1", "i4", "i4", "i4")),
    Array("i4", f"{CELLS} degree", written=True),
    Array("i1", f"{CELLS}", written=True),
    Array("i4", "cells", written=True),
    Array("i4", written=True),
    WAYS,
    results=1,
)
