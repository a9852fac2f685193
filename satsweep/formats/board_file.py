"""MINESWEEPER-BOARD v0.1, ``.board``: a position, a layout, or both.

The first line names the format; lines ``key: value`` follow, and the sections ``[real]``, rows of mines and numbers,
and ``[view]``, where ``U`` is unopened, ``F`` a flag, ``?`` a question mark, ``X`` the mine that blew up, ``@`` one
that was shown at the end, and ``#`` a flag found to be wrong then. Cells may also be drawn as emoji. A question mark
is read as covered, and a wrong flag as a flag, because a board cannot show a safe cell without its number.
"""

import re
from dataclasses import dataclass

from satsweep.board import COVERED, FLAG, MINE, Board
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds, total_of
from satsweep.formats.grids import (
    SYMBOL_OF_DIGIT,
    Line,
    check_size_at,
    errors_in_rows,
    lines_of,
    number_rows,
    read_rows,
    write_rows,
)
from satsweep.layout import Layout
from satsweep.text import counted

_FIRST = "# MINESWEEPER-BOARD v0.1"
_HEAD = re.compile(r"\s*#\s*MINESWEEPER-BOARD\b", re.IGNORECASE)
_RENDER = re.compile(r"#\s*Render:\s*(\S*)")
_NEEDED = ("rows", "columns", "mines")
_REAL = {"*": MINE, **{digit: digit for digit in SYMBOL_OF_DIGIT}}
_VIEW = {**SYMBOL_OF_DIGIT, "U": COVERED, "F": FLAG, "?": COVERED, "X": MINE, "@": MINE, "#": FLAG}
_WRITTEN = {COVERED: "U", FLAG: "F", MINE: "X"}
_EMOJI = {"\u2b1c": "U", "\U0001f6a9": "F", "\u2753": "?", "\U0001f4a5": "X", "\U0001f4a3": "@", "\u274c": "#"}
_KEYCAP = re.compile("([0-8])\ufe0f?\u20e3|\ufe0f")


@dataclass(frozen=True, slots=True)
class _File:
    """Parts of a file: its numbers, each with its line, and the lines of its sections."""

    numbers: dict[str, tuple[int, Line]]
    sections: dict[str, list[Line]]
    end: int
    remarked: bool
    """True if there are comments, or keys that say nothing of the board."""

    @property
    def size(self) -> tuple[int, int]:
        return self.numbers["rows"][0], self.numbers["columns"][0]

    @property
    def mines(self) -> tuple[int, Line]:
        return self.numbers["mines"]


def recognises(text: str) -> bool:
    return _HEAD.match(text) is not None


def shows_all_mines(text: str) -> bool:
    """Return whether a file has nothing but the mines, no section [view]."""
    return not any(line.rstrip() == "[view]" for line in text.split("\n"))


def parts(text: str) -> tuple[str, ...]:
    """Names of what a file has beside one section: the other one, and a comment."""
    file = _parse(text)
    both = ("board", "layout") if len(file.sections) == 2 else ()
    return (*both, "comment") if file.remarked else both


def read_board(text: str) -> Board:
    """Read what a player sees.

    >>> read_board("# MINESWEEPER-BOARD v0.1\\nrows: 2\\ncolumns: 3\\nmines: 1\\n[view]\\nU1U\\n111\\n")
    Board(('#1#', '111'), mines=1)
    """
    file = _parse(text)
    if "view" not in file.sections:
        raise BoardError("expected a section [view], found none", line=file.end, column=1)
    rows, lines = _rows(file, "view", _VIEW), file.sections["view"]
    mines, line = file.mines
    with errors_in_rows(lines, line.number):
        board = Board(rows, mines=mines)
    if "real" in file.sections:
        _check_agreement(lines, rows, _real(file))
    return board


def read_layout(text: str) -> Layout:
    file = _parse(text)
    if "real" not in file.sections:
        raise BoardError("expected a section [real], found none", line=file.end, column=1)
    return Layout(row.translate(_SAFE) for row in _real(file))


def write(value: Board | Layout) -> str:
    """Write a file with one section, for a position or a layout.

    Raises BoardError for a board without a mine total, a layout with a start, or another grid than the square one.
    """
    if isinstance(value, Board):
        check_holds(value, "mines")
        section, rows, mines = "view", write_rows(value, _WRITTEN), total_of(value)
    else:
        check_holds(value)
        section, rows, mines = "real", number_rows(value.cells), value.mines
    head = [_FIRST, "# Render: ascii", "", f"rows: {value.rows}", f"columns: {value.cols}", f"mines: {mines}"]
    return "\n".join((*head, "game_mode: classic", "", f"[{section}]", *rows)) + "\n"


_SAFE = {ord(digit): "." for digit in SYMBOL_OF_DIGIT}


def _parse(text: str) -> _File:
    lines = lines_of(text)
    emoji = remarked = False
    numbers: dict[str, tuple[int, Line]] = {}
    sections: dict[str, list[Line]] = {}
    if lines[0].text.strip() != _FIRST:
        raise lines[0].error(f"expected {_FIRST!r}, found {lines[0].text[:40]!r}")
    index = 1
    while index < len(lines):
        line = lines[index]
        index += 1
        if line.text in ("[real]", "[view]"):
            name = line.text[1:-1]
            if name in sections:
                raise line.error(f"expected {line.text} once, found it again")
            rows, cols = _size(numbers, line)
            check_size_at(cols, rows, numbers["rows"][1].number)
            sections[name] = [_letters_of_emoji(row, name) if emoji else row for row in lines[index : index + rows]]
            index += rows
        elif line.text.startswith("#"):
            if found := _RENDER.fullmatch(line.text):
                if found[1] not in ("ascii", "emoji"):
                    raise line.error(f"expected ascii or emoji, found {found[1][:20]!r}", found.start(1) + 1)
                emoji = found[1] == "emoji"
            else:
                remarked = True
        elif line.text:
            key, colon, rest = line.text.partition(":")
            key, number = key.rstrip(), rest.lstrip()
            if not colon or sections:
                raise line.error("expected a key, a colon and a value, or a section [real] or [view]" if not sections
                                else "expected a section [real] or [view]")  # fmt: skip
            if key in _NEEDED:
                if not re.fullmatch(r"\d{1,9}", number, re.ASCII):
                    column = len(line.text) - len(number) + 1
                    raise line.error(f"expected a whole number, found {number[:20]!r}", column)
                numbers[key] = int(number), line
            else:
                remarked = remarked or key != "game_mode"
    if not sections:
        raise BoardError("expected a section [real] or [view], found none", line=len(lines), column=1)
    return _File(numbers, sections, len(lines), remarked)


def _size(numbers: dict[str, tuple[int, Line]], line: Line) -> tuple[int, int]:
    for key in _NEEDED:
        if key not in numbers:
            raise line.error(f"expected {key}: before the board, found none")
    return numbers["rows"][0], numbers["columns"][0]


def _letters_of_emoji(line: Line, section: str) -> Line:
    """A row of emoji as a row of letters, one for each cell."""
    letters = {**_EMOJI, "\U0001f4a3": "@" if section == "view" else "*"}
    return Line(line.number, "".join(letters.get(sign, sign) for sign in _KEYCAP.sub(r"\1", line.text)))


def _rows(file: _File, section: str, symbols: dict[str, str]) -> list[str]:
    return read_rows(file.sections[section], *file.size, symbols, file.end)


def _real(file: _File) -> list[str]:
    rows, lines = _rows(file, "real", _REAL), file.sections["real"]
    for row, (line, right) in enumerate(zip(rows, number_rows(rows), strict=True)):
        if line != right:
            col = next(col for col in range(len(line)) if line[col] != right[col])
            message = f"expected {right[col]}, as many mines as are around, found {line[col]}"
            raise lines[row].error(message, lines[row].column(col))
    found = sum(row.count(MINE) for row in rows)
    mines, line_of_mines = file.mines
    if mines != found:
        raise line_of_mines.error(f"expected the {counted(found, 'mine')} of [real], found {mines}")
    return rows


def _check_agreement(lines: list[Line], seen: list[str], real: list[str]) -> None:
    for line, view, true in zip(lines, seen, real, strict=True):
        for cell, (symbol, sign) in enumerate(zip(view, true, strict=True)):
            if symbol not in (COVERED, FLAG) and symbol != SYMBOL_OF_DIGIT.get(sign, sign):
                raise line.error(f"expected {sign} as in [real], found {line.signs[cell]}", line.column(cell))
