"""One number at a time, repeated until a flag is set that one branch forgets."""


def deduce(board):
    safe, mines = set(), set()
    done = False
    while not done:
        for r, row in enumerate(board):
            for c, number in enumerate(row):
                if number < 0 or number == 9:
                    continue
                cells = {
                    (i, j)
                    for i in range(max(0, r - 1), min(len(board), r + 2))
                    for j in range(max(0, c - 1), min(len(row), c + 2))
                    if board[i][j] == -1
                }
                if number == 0:
                    safe |= cells
                    done = True
    return safe, mines
