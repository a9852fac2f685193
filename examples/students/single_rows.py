"""One number at a time, on rows of integers that no annotation asks for."""


def neighbours(board, r, c):
    for i in range(max(0, r - 1), min(len(board), r + 2)):
        for j in range(max(0, c - 1), min(len(board[0]), c + 2)):
            if (i, j) != (r, c):
                yield i, j


def deduce(board):
    safe, mines = set(), set()
    for r, row in enumerate(board):
        for c, number in enumerate(row):
            if number < 0 or number == 9:
                continue
            covered = [(i, j) for i, j in neighbours(board, r, c) if board[i][j] == -1]
            known = sum(board[i][j] == 9 for i, j in neighbours(board, r, c))
            if number == known:
                safe.update(covered)
            elif number - known == len(covered):
                mines.update(covered)
    return safe, mines
