"""One number at a time, with all that is known in variables of the file."""

safe = set()
mines = set()
turns = 0


def solve(board, num_mines):
    global turns
    turns += 1
    for r in range(len(board)):
        for c in range(len(board[0])):
            check(board, r, c)
    if len(mines) == num_mines:
        safe.update((r, c) for r in range(len(board)) for c in range(len(board[0])) if (r, c) not in mines)
    return safe, mines, None


def check(board, r, c):
    if not 0 <= board[r][c] <= 8:
        return
    around = [
        (i, j)
        for i in range(r - 1, r + 2)
        for j in range(c - 1, c + 2)
        if 0 <= i < len(board) and 0 <= j < len(board[0]) and board[i][j] in (-1, 9)
    ]
    if len(around) == board[r][c]:
        mines.update(around)
    if sum(cell in mines for cell in around) == board[r][c]:
        safe.update(set(around) - mines)
