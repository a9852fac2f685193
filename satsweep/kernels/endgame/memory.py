"""Memory of the endgame search, found through the working record.

A kernel that is called by address gets only the working record, so the record has the address and the shape of each
array of ``Sets`` and ``Few``, in the order of their fields.
"""

from __future__ import annotations

import numpy as np
from numba import carray

from satsweep.kernels.compiling import inlined, pointer
from satsweep.kernels.endgame.few import Few
from satsweep.kernels.endgame.sets import Sets


def attach(work: np.ndarray, m: Sets) -> None:
    """Let the kernels use a room, which the caller has to keep."""
    arrays: list[np.ndarray] = [*m[:-1], *m.few]
    for place, array in enumerate(arrays):
        work["sets_at"][0, place] = array.ctypes.data
        work["sets_shape"][0, place] = (*array.shape, 1, 1)[:3]


@inlined
def vector(w, place, kind):
    """Array of one dimension at a place of the list."""
    return carray(pointer(w.sets_at[place]), (w.sets_shape[place, 0],), kind)


@inlined
def matrix(w, place, kind):
    """Array of two dimensions."""
    return carray(pointer(w.sets_at[place]), (w.sets_shape[place, 0], w.sets_shape[place, 1]), kind)


@inlined
def cube(w, place, kind):
    """Array of three dimensions."""
    shape = (w.sets_shape[place, 0], w.sets_shape[place, 1], w.sets_shape[place, 2])
    return carray(pointer(w.sets_at[place]), shape, kind)


@inlined
def attached(w):
    """The attached room, field by field."""
    i, u = np.int64, np.uint64
    inner = Few(
        vector(w, 21, i), vector(w, 22, i), vector(w, 23, i), vector(w, 24, u), matrix(w, 25, u), vector(w, 26, i),
        vector(w, 27, u), vector(w, 28, u), vector(w, 29, u), vector(w, 30, u), vector(w, 31, i), matrix(w, 32, i),
        vector(w, 33, u), vector(w, 34, u), matrix(w, 35, i), vector(w, 36, i),
    )  # fmt: skip
    return Sets(
        vector(w, 0, i), matrix(w, 1, np.uint8), matrix(w, 2, u), vector(w, 3, i), matrix(w, 4, u), vector(w, 5, i),
        vector(w, 6, i), cube(w, 7, u), vector(w, 8, i), vector(w, 9, i), vector(w, 10, i), matrix(w, 11, i),
        vector(w, 12, np.int32), vector(w, 13, i), matrix(w, 14, i), matrix(w, 15, u), matrix(w, 16, u),
        vector(w, 17, i), matrix(w, 18, u), matrix(w, 19, i), vector(w, 20, i), inner,
    )  # fmt: skip
