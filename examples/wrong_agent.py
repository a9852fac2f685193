"""Minesweeper agent with a mistake, which ``test_wrong_agent.py`` finds.

A board is a list of rows: -1 is a covered cell, 0 to 8 a number, 9 a known mine. Each number gives a *sentence*: the
covered cells around it, and the number of mines left among them. ``deduce`` uses one sentence, then two:

* all of its cells are mines, or none is;
* if the cells of one sentence are part of another one, the other cells of that one hold the difference.
"""


def deduce(board: list[list[int]]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the cells that must be safe, and the cells that must be mines."""
    sentences = [
        sentence
        for row in range(len(board))
        for col in range(len(board[0]))
        if (sentence := sentence_of(board, row, col))
    ]
    safe: set[tuple[int, int]] = set()
    mines: set[tuple[int, int]] = set()
    for cells, count in sentences:
        if count == 0:
            safe |= cells
        elif count == len(cells):
            mines |= cells
        for more_cells, more_count in sentences:
            if cells < more_cells:
                others, difference = more_cells - cells, more_count - count
                if difference == 0:
                    safe |= others
                elif difference >= min(len(others), 2):
                    mines |= others
    return safe, mines


def sentence_of(board: list[list[int]], row: int, col: int) -> tuple[set[tuple[int, int]], int] | None:
    """Return the covered cells around a number, and the mines left among them."""
    if not 0 <= board[row][col] <= 8:
        return None
    around = [
        (r, c)
        for r in range(max(row - 1, 0), min(row + 2, len(board)))
        for c in range(max(col - 1, 0), min(col + 2, len(board[0])))
    ]
    cells = {(r, c) for r, c in around if board[r][c] == -1}
    count = board[row][col] - sum(board[r][c] == 9 for r, c in around)
    return (cells, count) if cells else None
