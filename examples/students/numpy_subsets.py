"""One and two numbers at a time, on a numpy array."""

import numpy as np


def solve(board):
    sentences = []
    for r, c in np.argwhere((board >= 0) & (board < 9)):
        window = board[max(0, r - 1) : r + 2, max(0, c - 1) : c + 2]
        corner = np.array([max(0, r - 1), max(0, c - 1)])
        cells = {tuple(cell) for cell in np.argwhere(window == -1) + corner}
        if cells:
            sentences.append((cells, board[r, c] - np.count_nonzero(window == 9)))
    safe, mines = set(), set()
    for cells, count in sentences:
        for more, total in [(set(), 0), *sentences]:
            if more <= cells and count == total:
                safe |= cells - more
            elif more <= cells and count - total == len(cells - more):
                mines |= cells - more
    return safe, mines
