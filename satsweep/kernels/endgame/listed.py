"""Worlds that the caller lists, as one problem for the search of endgames."""

import numpy as np

from satsweep.kernels.endgame.few import MINE
from satsweep.kernels.endgame.play import ROOT_NODES
from satsweep.kernels.endgame.search import choose
from satsweep.kernels.endgame.sets import N_CELLS, attached, fitted, prepare
from satsweep.kernels.shared.memory import DEGREE
from satsweep.kernels.toolchain.calls import RECORD, Array
from satsweep.kernels.toolchain.marks import exported


@exported(RECORD, Array("u1", "worlds cells", written=True), results=1)
def pose_listed(w, shown):
    """Start a problem. Returns 1, 0 if it has no room, -1 for a wrong code.

    ``shown``, uint8, shape (worlds, cells), has the number that each cell shows in each world, or ``few.MINE``. It gets
    the worlds in the order of the room.
    """
    m = attached(w)
    worlds, cells = shown.shape
    if worlds > m.weight.shape[0] or cells > m.region.shape[0] - 1:
        return 0
    m = fitted(m, cells)
    for world in range(worlds):
        m.weight[world] = 1
        for cell in range(cells):
            if shown[world, cell] > DEGREE and shown[world, cell] != MINE:
                return -1
            m.code[world, cell] = shown[world, cell]
    prepare(m, worlds, cells, np.int64(0))
    for world in range(worlds):
        for cell in range(cells):
            shown[world, cell] = m.code[world, cell]
    return 1


@exported(RECORD, Array("i4"), results=2)
def search_listed(w, worlds):
    """Return the bounds of the worlds that best play wins, of some in ascending order.

    They are all worlds of the problem that agree with some cells. The bounds differ where the room is spent, or
    ``ROOT_NODES``.
    """
    m = attached(w)
    m = fitted(m, m.size[N_CELLS])
    for at in range(worlds.shape[0]):
        m.chosen[at] = worlds[at]
    _, low, high = choose(m, np.int64(worlds.shape[0]), np.int64(ROOT_NODES))
    return low, high
