"""Text for language models: boards and questions.

Four forms show the same board: a ``grid`` with labels, ``coordinates``, ``constraints``, ``json``. Each names cells by
row and column, from 0 at the top left, and gives the mine total or says that it is unknown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from satsweep.arguments import short_repr
from satsweep.board import MINE, Board, Cell, refuse_part
from satsweep.errors import BoardError
from satsweep.learn.envs.replies import GRAMMARS
from satsweep.solver.constraints import cell_constraints
from satsweep.topology import SQUARE

SYMBOLS = "#012345678*"
"""Symbols of a covered cell, of the numbers 0 to 8, and of a known mine."""
SYMBOL_SETS = {"usual": SYMBOLS, "letters": "~abcdefghi!", "signs": ".$%&@+=<>^x"}
"""Symbols by name; other ones tell what a model reads from what it remembers."""


def symbols_named(name: str) -> str:
    """Return eleven symbols by the name of a set, or as they are.

    Raises ValueError unless they are different characters that can be printed, without blanks and ``?``.
    """
    symbols = SYMBOL_SETS.get(name, name)
    is_whole = len(symbols) == len(SYMBOLS) == len(set(symbols)) and symbols.isprintable()
    if not is_whole or {" ", "?"} & set(symbols):
        expected = f"{', '.join(SYMBOL_SETS)}, or eleven different characters such as {SYMBOLS}"
        raise ValueError(f"expected symbols among {expected}; found {short_repr(name, 40)}")
    return symbols


def observe(board: Board, form: str = "grid", symbols: str = SYMBOLS) -> str:
    """Return a board as text in one of the four forms.

    ``symbols`` are those of cells (``SYMBOLS``). Flags are opinions, and look like any covered cell. Raises ValueError
    for another form, BoardError for a board whose numbers may be wrong or whose grid is not of squares, since no form
    says so.

    >>> print(observe(Board(("##1.", "##21", "####"), mines=3), "constraints"))
    rows: 3, columns: 4, mines: 3
    the 1 at (0,2): (0,1)+(1,1)=1
    the 2 at (1,2): (0,1)+(1,1)+(2,1)+(2,2)+(2,3)=2
    the 1 at (1,3): (2,2)+(2,3)=1
    covered and beside no number: (0,0) (1,0) (2,0)
    """
    if form not in OBSERVATIONS:
        raise ValueError(f"expected an observation among {', '.join(OBSERVATIONS)}, found {short_repr(form, 40)}")
    refuse_part(board)
    if board.topology != SQUARE or not board.clues.is_exact:
        raise BoardError("expected a plain square board with exact numbers for a text, found another one")
    return OBSERVATIONS[form](board.without_flags(), symbols)


def total_text(board: Board) -> str:
    """The mine total of a board, or ``unknown``."""
    return "unknown" if board.mines is None else str(board.mines)


def cells_text(cells: Iterable[tuple[int, int]]) -> str:
    """Cells as (row,column), separated by blanks; ``none`` without any.

    >>> cells_text([(0, 1), (2, 3)]), cells_text([])
    ('(0,1) (2,3)', 'none')
    """
    return " ".join(f"({row},{col})" for row, col in cells) or "none"


def _size(board: Board) -> str:
    return f"rows: {board.rows}, columns: {board.cols}, mines: {total_text(board)}"


def _number(board: Board, cell: Cell, symbols: str) -> str:
    """The symbol of the number of an open cell."""
    number = board.number(cell)
    assert number is not None
    return symbols[number + 1]


def _grid(board: Board, symbols: str) -> str:
    """A grid with a label for each row and each column, all of one width."""
    across, margin = len(str(board.cols - 1)) + 1, len(str(board.rows - 1))
    lines = [_size(board), " " * margin + "".join(f"{col:>{across}}" for col in range(board.cols))]
    shown = str.maketrans(SYMBOLS, symbols)
    lines += [
        f"{row:>{margin}}" + "".join(f"{symbol:>{across}}" for symbol in line.replace(".", "0").translate(shown))
        for row, line in enumerate(board.cells)
    ]
    return "\n".join(lines)


def _coordinates(board: Board, symbols: str) -> str:
    lines, numbers = [_size(board)], [cell for cell in board if board.number(cell) is not None]
    lines += [f"({cell.row},{cell.col})={_number(board, cell, symbols)}" for cell in numbers]
    return "\n".join([*lines, *_mines(board), f"covered: {cells_text(board.covered)}"])


def _constraints(board: Board, symbols: str) -> str:
    """An equation for each number beside covered cells, less its known mines."""
    lines, beside = [_size(board)], set[int]()
    for clue, cells, likelihood in cell_constraints(board):
        if cells:
            beside.update(cells)
            number = f"the {_number(board, board.cell(clue), symbols)} at {cells_text([board.cell(clue)])}"
            terms = "+".join(cells_text([board.cell(index)]) for index in cells)
            lines.append(f"{number}: {terms}={len(likelihood) - 1}")
    sea = cells_text(cell for cell in board.covered if board.index(cell) not in beside)
    return "\n".join([*lines, *_mines(board), f"covered and beside no number: {sea}"])


def _mines(board: Board) -> list[str]:
    opened = [cell for cell in board if board[cell] == MINE]
    return [f"known mines: {cells_text(opened)}"] if opened else []


def _json(board: Board, symbols: str) -> str:
    numbers = [(cell, _number(board, cell, symbols)) for cell in board if board.number(cell) is not None]
    usual = symbols == SYMBOLS
    shown = [{"row": cell.row, "col": cell.col, "number": int(number) if usual else number} for cell, number in numbers]
    opened = [list(cell) for cell in board if board[cell] == MINE]
    fields = {"rows": board.rows, "cols": board.cols, "mines": board.mines if board.mines is not None else "unknown",
              "open": shown, **({"known_mines": opened} if opened else {}),
              "covered": [list(cell) for cell in board.covered]}  # fmt: skip
    return json.dumps(fields)


OBSERVATIONS: dict[str, Callable[[Board, str], str]] = {
    "grid": _grid,
    "coordinates": _coordinates,
    "constraints": _constraints,
    "json": _json,
}
"""The forms of a board in text, by their names."""

LEGENDS = {
    "grid": "# is a covered cell, a digit an open cell and the number of mines around it, * a known mine.",
    "coordinates": "(row,column)=number is an open cell and the number of mines around it.",
    "constraints": "An equation says how many of the covered cells around a number are mines.",
    "json": "`open` has the open cells, each with the number of mines around it.",
}
"""The sentence that explains each form to a reader."""


def legend(form: str, symbols: str = SYMBOLS) -> str:
    """The sentence that explains a form, and the symbols where they are not the usual.

    >>> legend("coordinates", SYMBOL_SETS["letters"]).partition(". ")[2]
    'The numbers of cells are written as symbols: a=0 b=1 c=2 d=3 e=4 f=5 g=6 h=7 i=8.'
    """
    if symbols == SYMBOLS:
        return LEGENDS[form]
    covered, numbers, mine = symbols[0], symbols[1:-1], symbols[-1]
    meaning = " ".join(f"{symbol}={number}" for number, symbol in enumerate(numbers))
    if form == "grid":
        return (
            f"{covered} is a covered cell, {mine} a known mine; any other symbol is an open cell and says how many "
            f"mines are around it: {meaning}."
        )
    return f"{LEGENDS[form]} The numbers of cells are written as symbols: {meaning}."


def question(board: Board, observation: str, kind: str, asked: str, symbols: str = SYMBOLS) -> str:
    """A prompt: the rules, the board, what is asked, and how to answer."""
    total = "The number of mines is unknown" if board.mines is None else f"There are {board.mines} mines on the board"
    return "\n".join((
        "This is a position of Minesweeper. A number counts the mines among the up to eight cells around it.",
        f"Rows and columns are counted from 0 at the top left. {legend(observation, symbols)}",
        f"{total}; all layouts that agree with this and with the numbers are equally likely.",
        "",
        observe(board, observation, symbols),
        "",
        asked,
        f"Answer with {GRAMMARS[kind].form}. The last answer in your reply counts.",
    ))  # fmt: skip
