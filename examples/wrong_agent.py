"""A Minesweeper agent with a mistake. Can you see it? ``test_wrong_agent.py`` can.

A board is a list of rows: -1 is a covered cell, 0 to 8 a number, 9 a mine that is known. Each number says how many
mines are left among the covered cells around it, and ``deduce`` looks at one number, then at two:

* all of its covered cells are mines, or none is;
* if the covered cells of one number all belong to another number as well, the others of that one hold the difference.
"""


def deduce(board: list[list[int]]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The cells that must be safe, and those that must be mines."""
    sentences = [
        sentence for row in range(len(board)) for col in range(len(board[0])) if (sentence := said_by(board, row, col))
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


def said_by(board: list[list[int]], row: int, col: int) -> tuple[set[tuple[int, int]], int] | None:
    """The covered cells around a number, and how many mines are left among them."""
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
