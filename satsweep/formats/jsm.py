"""Positions of JSMinesweeper: its text, ``.mine``, and its links, ``?analysis=``.

The first line of the text is ``WIDTHxHEIGHTxMINES``, then comes one line a row. ``H`` is hidden, ``F`` and ``O`` are
flags, ``?`` is a mine that blew up or is shown, ``I`` one that is known though it is hidden; ``0`` to ``8`` are
numbers, perhaps with blanks between. Lines after the rows do not matter.

Characters of a link are digits to base 62. The size takes two for the width, two for the height and four for the mines.
Then come runs of equal cells in row-major order. Every kind of cell has digits of its own, in which the length of its
run is written, so runs need no separator; a kind with a single digit repeats that. A number is lowered by one for each
flag (``F``) and each known mine (``I``) that it touches; a flag that would lower one below zero is an ``O`` and lowers
none.
"""

import re
from bisect import bisect_right
from itertools import groupby

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds, total_of
from satsweep.formats.grids import SYMBOL_OF_DIGIT, check_size_at, errors_in_rows, lines_of, read_rows, write_rows
from satsweep.formats.strict import error_at
from satsweep.text import check_cells, check_total
from satsweep.topology import SQUARE

_HEAD = re.compile(r"(\d{1,9})x(\d{1,9})x(\d{1,9})[ \t]*\r?(?:\n|\Z)", re.ASCII)
_SYMBOLS = {**SYMBOL_OF_DIGIT, "H": COVERED, "F": FLAG, "O": FLAG, "I": MINE, "?": MINE}
_WRITTEN = {COVERED: "H", FLAG: "F", MINE: "?"}


def recognises(text: str) -> bool:
    found = _HEAD.match(text)
    return found is not None and not _is_row(found[0].strip(), int(found[1]), text[found.end() :].split())


def _is_row(head: str, width: int, below: list[str]) -> bool:
    """Return whether a first line like 1x2x1 is a row of cells, x for covered ones.

    Then the next row is as long as it; without another row no number is above 2.
    """
    return len(below[0]) == len(head) != width if below else not set(head) - set("012x")


def read_board(text: str) -> Board:
    """Read a position.

    >>> read_board("3x2x1\\nH1H\\n111\\n")
    Board(('#1#', '111'), mines=1)
    """
    found = _HEAD.match(text)
    if found is None:
        raise BoardError("expected a first line like 30x16x99: width, height and mines", line=1, column=1)
    cols, rows, mines = map(int, found.groups())
    check_size_at(cols, rows, 1)
    lines = lines_of(text)
    grid = read_rows(lines[1:], rows, cols, _SYMBOLS, len(lines))
    with errors_in_rows(lines[1:], 1):
        try:
            return Board(grid, mines=mines)
        except BoardError as error:
            if error.at == "mines":
                error.line, error.column = 1, found.start(3) + 1
            raise


def write(board: Board) -> str:
    """Write a position.

    Raises BoardError without a mine total, and for all else that this format cannot hold.
    """
    check_holds(board, "mines")
    rows = write_rows(board, _WRITTEN)
    return "\n".join((f"{board.cols}x{board.rows}x{total_of(board)}", *rows)) + "\n"


# --- links ---------------------------------------------------------------------------------------------------

PAGE = "https://davidnhill.github.io/JSMinesweeper/index.html"
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_SIZES = {"0": 10, "1": 7, "2": 5, "3": 5, "4": 4, "5": 3, "6": 3, "7": 1, "8": 1, "I": 4, "H": 10, "F": 8, "O": 1}
_LINK = re.compile(r"\s*(?:\S*[?&])?analysis=([^\s&#]*)\S*\s*")
_SIZE_DIGITS = 8


def _digits() -> dict[str, str]:
    digits, first = {}, 0
    for kind, size in _SIZES.items():
        digits[kind] = ALPHABET[first : first + size]
        first += size
    return digits


_DIGITS = _digits()
_MEANINGS = {digit: (kind, value) for kind, digits in _DIGITS.items() for value, digit in enumerate(digits)}
_OF_KIND = {**SYMBOL_OF_DIGIT, "H": COVERED, "F": FLAG, "O": FLAG, "I": MINE}
_KIND_OF = {**{symbol: digit for digit, symbol in SYMBOL_OF_DIGIT.items()}, COVERED: "H", FLAG: "F", MINE: "I"}


def recognises_link(text: str) -> bool:
    return _LINK.match(text) is not None


def read_link(text: str) -> Board:
    """Read the position that a link opens.

    >>> read_link("?analysis=adacaaabSlSn")
    Board(('#1#', '111'), mines=1)
    """
    found = _LINK.match(text)
    if found is None:
        raise error_at(text, 0, "expected a link with ?analysis=")
    if found.end() < len(text):
        raise error_at(text, found.end(), "expected nothing after the link")
    code, first = found[1], found.start(1)
    for place, digit in enumerate(code):
        if digit not in _MEANINGS:
            raise error_at(text, first + place, f"expected a letter or a digit, found {digit!r}")
    if len(code) < _SIZE_DIGITS:
        raise error_at(text, found.end(1), f"expected {_SIZE_DIGITS} characters for width, height and mines")
    cols, rows, mines = (_number(code[start:end]) for start, end in ((0, 2), (2, 4), (4, 8)))
    try:
        check_cells(rows, cols)
        check_total(mines, rows * cols)
    except BoardError as error:
        raise error_at(text, first + (4 if error.at == "mines" else 0), error.message) from None
    kinds, starts = _cells(text, code, first, rows * cols)
    marks = _marks_around(kinds, rows, cols)
    try:
        return Board((_row(kinds, marks, row * cols, cols) for row in range(rows)), mines=mines)
    except BoardError as error:
        if not isinstance(error.at, tuple):
            raise
        run = bisect_right(starts, error.at[0] * cols + error.at[1], key=lambda start: start[0]) - 1
        message = f"at {error.at[0]},{error.at[1]}: {error.message}"
        raise error_at(text, starts[run][1], message) from None


def write_link(board: Board) -> str:
    """Write the link that opens a position.

    Raises BoardError without a mine total, for a known mine that a number near it does not count, and for all else
    that this format cannot hold.
    """
    check_holds(board, "mines")
    mines = total_of(board)
    for name, side in (("rows", board.rows), ("columns", board.cols)):
        if side >= len(ALPHABET) ** 2:
            raise BoardError(f"expected fewer than {len(ALPHABET) ** 2:,} {name}, found {side:,}")
    head = "".join(_code(number, width) for number, width in ((board.cols, 2), (board.rows, 2), (mines, 4)))
    runs = "".join(_run(kind, sum(1 for _ in run)) for kind, run in groupby(_kinds(board)))
    return f"{PAGE}?board={board.cols}x{board.rows}x{mines}&analysis={head}{runs}\n"


def _cells(text: str, code: str, first: int, wanted: int) -> tuple[str, list[tuple[int, int]]]:
    """Kinds of all cells; and for every run its first cell and its offset in the text."""
    kinds: list[str] = []
    starts = []
    cells, place = 0, _SIZE_DIGITS
    while place < len(code):
        kind, _ = _MEANINGS[code[place]]
        begin, length = place, 0
        while place < len(code) and _MEANINGS[code[place]][0] == kind:
            length = length * _SIZES[kind] + _MEANINGS[code[place]][1] + (_SIZES[kind] == 1)
            place += 1
            if cells + length > wanted:
                raise error_at(text, first + begin, f"expected {wanted:,} cells, found more")
        if not length:
            raise error_at(text, first + begin, "expected a run of at least one cell, found none")
        starts.append((cells, first + begin))
        kinds.append(kind * length)
        cells += length
    if cells < wanted:
        raise error_at(text, first + len(code), f"expected {wanted:,} cells, found {cells:,}")
    return "".join(kinds), starts


def _marks_around(kinds: str, rows: int, cols: int) -> dict[int, int]:
    """Flags and known mines around each cell: the true numbers are greater by these."""
    marks: dict[int, int] = {}
    for found in re.finditer("[FI]", kinds):
        for near in SQUARE.neighbours(rows, cols)[found.start()]:
            marks[near] = marks.get(near, 0) + 1
    return marks


def _row(kinds: str, marks: dict[int, int], first: int, cols: int) -> str:
    row = []
    for cell in range(first, first + cols):
        kind = kinds[cell]
        if kind in SYMBOL_OF_DIGIT:
            number = int(kind) + marks.get(cell, 0)
            if number > 8:
                message = f"expected at most 8 mines around a cell, found {number} with flags and known mines"
                raise BoardError(message, at=divmod(cell, cols))
            kind = str(number)
        row.append(_OF_KIND[kind])
    return "".join(row)


def _kinds(board: Board) -> list[str]:
    """Kinds of all cells, with numbers lowered by flags and known mines."""
    symbols = board.symbols
    kinds = []
    for cell, symbol in enumerate(symbols):
        if symbol not in _KIND_OF:
            raise BoardError(f"expected no {symbol}, found one at {board.cell(cell)}: this format has no sign for it")
        kinds.append(_KIND_OF[symbol])
    left = {cell: int(kind) for cell, kind in enumerate(kinds) if kind in SYMBOL_OF_DIGIT}
    for marked in (MINE, FLAG):  # known mines must be counted; flags may be wrong
        for found in re.finditer(re.escape(marked), symbols):
            cell = found.start()
            numbers = [near for near in SQUARE.neighbours(board.rows, board.cols)[cell] if near in left]
            if all(left[near] for near in numbers):
                for near in numbers:
                    left[near] -= 1
            elif marked == FLAG:
                kinds[cell] = "O"
            else:
                at = board.cell(cell)
                message = f"expected numbers that count the known mine at {at}, found one that does not"
                raise BoardError(f"{message}: this format cannot hold that", at=at)
    for cell, number in left.items():
        kinds[cell] = str(number)
    return kinds


def _run(kind: str, length: int) -> str:
    digits = _DIGITS[kind]
    if len(digits) == 1:
        return digits * length
    run = ""
    while length:
        length, digit = divmod(length, len(digits))
        run = digits[digit] + run
    return run


def _code(number: int, width: int) -> str:
    code = ""
    for _ in range(width):
        number, digit = divmod(number, len(ALPHABET))
        code = ALPHABET[digit] + code
    return code


def _number(code: str) -> int:
    number = 0
    for digit in code:
        number = number * len(ALPHABET) + ALPHABET.index(digit)
    return number
