"""Names of cells, clues and amounts in English.

Rows and columns are counted from 0 at the top left, as everywhere in satsweep: ``Cell(3, 7)`` is row 3, column 7.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from satsweep.board import Board, Cell

MOST_BLOCKS = 4
"""Most blocks of cells that are named; of more, the rest is counted."""

_NAMES = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def amount(count: int) -> str:
    """Return a number, as a word if it is below ten.

    >>> amount(2), amount(12)
    ('two', '12')
    """
    return _NAMES[count] if 0 <= count < len(_NAMES) else f"{count:,}"


def counted(count: int, noun: str = "mine") -> str:
    """Return an amount with its noun.

    >>> counted(1), counted(0), counted(3, "cell")
    ('one mine', 'no mines', 'three cells')
    """
    return f"{amount(count)} {noun}{'s' if count != 1 else ''}"


def place(cell: Cell) -> str:
    """Return the place of a cell.

    >>> place(Cell(3, 7))
    'row 3, column 7'
    """
    return f"row {cell.row}, column {cell.col}"


def places(cells: Collection[Cell]) -> str:
    """Return the places of cells, block by block.

    >>> places([Cell(3, 7), Cell(3, 8), Cell(4, 7), Cell(4, 8), Cell(6, 1), Cell(6, 3)])
    'rows 3 and 4, columns 7 and 8, and row 6, columns 1 and 3'
    """
    blocks = list(_blocks(cells))
    if len(blocks) > MOST_BLOCKS:
        shown = blocks[: MOST_BLOCKS - 1]
        left = len(set(cells)) - sum(len(rows) * len(cols) for rows, cols in shown)
        return ", ".join(_block(*block) for block in shown) + f" and {counted(left, 'more cell')}"
    return listed([_block(*block) for block in blocks], comma=True)


def listed(names: Sequence[str], *, comma: bool = False) -> str:
    """Return names as a list, the last after an ``and``.

    >>> listed(["the 1", "the 2", "the 3"])
    'the 1, the 2 and the 3'
    """
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + (", and " if comma else " and ") + names[-1]


def clue(board: Board, cell: Cell) -> str:
    """Return a number, or a flag, with its place.

    >>> clue(Board(("F.#",)), Cell(0, 1))
    'the 0 at row 0, column 1'
    """
    return f"the {shown(board, cell)} at {place(cell)}"


def shown(board: Board, cell: Cell) -> str:
    """Return the number that a clue shows, in digits also above 9, or ``flag``."""
    number = board.number(cell)
    return "flag" if number is None else str(number)


def clues(board: Board, cells: Collection[Cell], *, total: bool = False, most: int = 12) -> str:
    """Return numbers and flags with their places, and the mine total if ``total``.

    >>> clues(Board(("1#F",), mines=2), [Cell(0, 0), Cell(0, 2)], total=True)
    'the 1 at row 0, column 0, the flag at row 0, column 2 and the mine total of 2'
    """
    names = [clue(board, cell) for cell in sorted(cells)]
    names = names if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1:,} other numbers"]
    return listed([*names, *([f"the mine total of {board.mines}"] if total else [])])


def _blocks(cells: Collection[Cell]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield blocks: consecutive rows with cells in the same columns, and the columns."""
    rows = [(row, [cell.col for cell in line]) for row, line in groupby(sorted(set(cells)), key=lambda cell: cell.row)]
    for _, block in groupby(enumerate(rows), key=lambda numbered: (numbered[1][0] - numbered[0], numbered[1][1])):
        same = [row for _, row in block]
        yield [row for row, _ in same], same[0][1]


def _block(rows: Sequence[int], cols: Sequence[int]) -> str:
    return f"{_lines('row', rows)}, {_lines('column', cols)}"


def _lines(noun: str, numbers: Sequence[int]) -> str:
    """Return the words for one row or column, or for several.

    >>> _lines("row", [3]), _lines("row", [3, 4]), _lines("row", [3, 4, 5]), _lines("column", [1, 3, 4, 5])
    ('row 3', 'rows 3 and 4', 'rows 3 to 5', 'columns 1 and 3 to 5')
    """
    runs: list[str] = []
    for _, run in groupby(enumerate(numbers), key=lambda numbered: numbered[1] - numbered[0]):
        line = [number for _, number in run]
        runs += [f"{line[0]} to {line[-1]}"] if len(line) > 2 else map(str, line)
    return f"{noun}{'s' if len(numbers) > 1 else ''} {listed(runs)}"
