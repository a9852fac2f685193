"""The same, compiled: whole games and positions on flat arrays, by numba. Imports nothing else of the package."""

from __future__ import annotations

import numpy as np

from satsweep.kernels.solver import assess
from satsweep.kernels.entries import workspace
from satsweep.kernels.work import CELLS, DEGREE, WIDE


def neighbour_table(table):
    width = max(1, max(map(len, table)))
    array = np.full((len(table), width), -1, np.int32)
    for row, touched in zip(array, table, strict=True):
        row[: len(touched)] = touched
    return array


_w = []


def position(symbols, table, mines):
    if not _w:
        _w.append(workspace())
    forced = np.full(len(symbols), -1, np.int8)
    risks = np.full(len(symbols), -1.0)
    if len(symbols) > CELLS or table.shape[1] > DEGREE:
        return WIDE, forced, risks
    status = assess(table, _w[0], symbols, mines, forced, risks)
    return status, forced, risks


def play_games(rows, cols, mines, table, first=1, start=-1, cascade=True, fatal=True, seed="0", begin=0, count=1, moves=None):
    from satsweep.kernels.player import RESULT, play_block
    from satsweep.kernels.random import keys as make_keys

    if not _w:
        _w.append(workspace())
    results = np.zeros(count, RESULT)
    keys, lengths = make_keys([f"{seed}/{game}" for game in range(begin, begin + count)])
    if moves is None:
        moves = np.zeros((0, 4), np.int32)
    n = play_block(table, _w[0], keys, lengths, mines, first, start, cascade, fatal, results, moves)
    return results, n
