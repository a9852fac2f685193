"""One cell a move: a covered one next to the lowest number."""

import random


def next_move(board):
    best, cells = 9, []
    for r, row in enumerate(board):
        for c, value in enumerate(row):
            if value != -1:
                continue
            near = [
                board[i][j]
                for i in range(max(0, r - 1), min(len(board), r + 2))
                for j in range(max(0, c - 1), min(len(row), c + 2))
                if 0 <= board[i][j] <= 8
            ]
            risk = min(near, default=8)
            if risk < best:
                best, cells = risk, []
            if risk == best:
                cells.append((r, c))
    return random.choice(cells)
