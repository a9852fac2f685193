"""The memory of the endgame search, found through the working memory: a kernel that has an address gets only that."""

from __future__ import annotations

import numpy as np
from numba import carray

from satsweep.kernels.compiling import inlined, pointer
from satsweep.kernels.endgame.few import Few
from satsweep.kernels.endgame.sets import Sets


def lend(work: np.ndarray, m: Sets) -> None:
    """Let the kernels use a room. Whoever lends it has to keep it."""
    arrays: list[np.ndarray] = [*m[:-1], *m.few]
    for place, array in enumerate(arrays):
        work["sets_at"][0, place] = array.ctypes.data
        work["sets_shape"][0, place] = (*array.shape, 1, 1)[:3]


@inlined
def line(w, place, kind):
    """An array of one dimension."""
    return carray(pointer(w.sets_at[place]), (w.sets_shape[place, 0],), kind)


@inlined
def plane(w, place, kind):
    """An array of two dimensions."""
    return carray(pointer(w.sets_at[place]), (w.sets_shape[place, 0], w.sets_shape[place, 1]), kind)


@inlined
def block(w, place, kind):
    """An array of three dimensions."""
    shape = (w.sets_shape[place, 0], w.sets_shape[place, 1], w.sets_shape[place, 2])
    return carray(pointer(w.sets_at[place]), shape, kind)


@inlined
def borrow(w):
    """The room that was lent, field by field."""
    i, u = np.int64, np.uint64
    inner = Few(
        line(w, 21, i), line(w, 22, i), line(w, 23, i), line(w, 24, u), plane(w, 25, u), line(w, 26, i),
        line(w, 27, u), line(w, 28, u), line(w, 29, u), line(w, 30, u), line(w, 31, i), plane(w, 32, i),
        line(w, 33, u), line(w, 34, u), plane(w, 35, i), line(w, 36, i),
    )  # fmt: skip
    return Sets(
        line(w, 0, i), plane(w, 1, np.uint8), plane(w, 2, u), line(w, 3, i), plane(w, 4, u), line(w, 5, i),
        line(w, 6, i), block(w, 7, u), line(w, 8, i), line(w, 9, i), line(w, 10, i), plane(w, 11, i),
        line(w, 12, np.int32), line(w, 13, i), plane(w, 14, i), plane(w, 15, u), plane(w, 16, u), line(w, 17, i),
        plane(w, 18, u), plane(w, 19, i), line(w, 20, i), inner,
    )  # fmt: skip
