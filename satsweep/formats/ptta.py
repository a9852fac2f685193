"""Links of LlamaSweeper and of PTTA's ZiNi calculator, ``?b=&m=``: a layout.

``b`` is 1, 2 or 3 for the boards of beginners, intermediates and experts, else width and height one after the other,
each with as many digits. ``m`` has the mines, five cells a character, row by row.

Links of LlamaSweeper may have a game in ``c``: base 64 with ``-`` and ``_``, without padding. Its bits, most
significant first, are clicks: two bits for left, right or chord, then the number of the cell, column by column, in as
many bits as the last one needs. The bits 11 end the path. A click has no time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.grids import bits_of_layout, layout_from_bits
from satsweep.formats.strict import error_at
from satsweep.layout import Layout
from satsweep.text import check_cells

if TYPE_CHECKING:
    from satsweep.games.record import Record

PAGE = "https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/"
_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_NAMED = {"1": (9, 9), "2": (16, 16), "3": (30, 16)}
_B = re.compile(r"\s*(?:\S*[?&])?b=([^\s&#]*)")
_M = re.compile(r"\s*(?:\S*[?&])?m=([^\s&#]*)")
_C = re.compile(r"\s*(?:\S*[?&])?c=([^\s&#]*)")
_TOKEN = re.compile(r"\s*\S+\s*")
_BITS = 5
_DIGITS_OF_CLICKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_KIND_BITS, _END = 2, 3


def recognises(text: str) -> bool:
    return _B.match(text) is not None and _M.match(text) is not None


def read_layout(text: str) -> Layout:
    """Read the layout that a link opens.

    >>> read_layout("?b=0302&m=40")
    Layout(('..*', '...'))
    """
    size, mines, token = _B.match(text), _M.match(text), _TOKEN.match(text)
    if size is None or mines is None or token is None:
        raise error_at(text, 0, "expected a link with ?b= and &m=")
    if token.end() < len(text):
        raise error_at(text, token.end(), "expected nothing after the link")
    for place, digit in enumerate(mines[1]):
        if digit not in _DIGITS:
            raise error_at(text, mines.start(1) + place, f"expected one of 0-9 a-v, found {digit!r}")
    cols, rows = _size(text, size, len(mines[1]))
    try:
        check_cells(rows, cols)
    except BoardError as error:
        raise error_at(text, size.start(1), error.message) from None
    wanted = -(-rows * cols // _BITS)
    if len(mines[1]) != wanted:
        message = f"expected {wanted:,} characters for {cols}x{rows}, found {len(mines[1]):,}"
        raise error_at(text, mines.start(1) + min(wanted, len(mines[1])), message)
    bits = "".join(f"{_DIGITS.index(digit):05b}" for digit in mines[1])
    if "1" in bits[rows * cols :]:
        raise error_at(text, mines.end(1) - 1, "expected no mines after the last cell, found some")
    return layout_from_bits(bits, rows, cols)


def has_clicks(text: str) -> bool:
    return _C.match(text) is not None


def read_game(text: str) -> Record:
    """Read the layout of a link, and the game that its clicks are.

    >>> [str(move.cell) for move in read_game("?b=0302&m=40&c=AzA").moves]
    ['0,0', '0,2']
    """
    from satsweep.formats.clicks import ClickedGame  # layouts are read without the code of games

    layout = read_layout(text)
    found = _C.match(text)
    if found is None:
        raise error_at(text, len(text.rstrip()), "expected &c= with a click path, found the end")
    for place, digit in enumerate(found[1]):
        if digit not in _DIGITS_OF_CLICKS:
            raise error_at(text, found.start(1) + place, f"expected one of A-Z a-z 0-9 - _, found {digit[:1]!r}")
    bits = "".join(f"{_DIGITS_OF_CLICKS.index(digit):06b}" for digit in found[1])
    cells = layout.rows * layout.cols
    width = (cells - 1).bit_length()
    game = ClickedGame(layout)
    clicks = (game.open, game.toggle, game.chord)
    at = 0
    while at + _KIND_BITS <= len(bits) and (kind := int(bits[at : at + _KIND_BITS], 2)) != _END:
        place = found.start(1) + at // 6
        number = bits[at + _KIND_BITS : at + _KIND_BITS + width]
        if len(number) < width:
            if "1" in bits[at:] or len(bits) - at >= 8:
                raise error_at(text, found.end(1), "expected the rest of a click, found the end of the path")
            break
        col, row = divmod(int(number or "0", 2), layout.rows)
        if col >= layout.cols:
            raise error_at(text, place, f"expected a cell of the {layout.rows}x{layout.cols} grid, found {row},{col}")
        clicks[kind](Cell(row, col))
        at += _KIND_BITS + width
    try:
        return game.record()
    except BoardError as error:
        raise error_at(text, found.start(1), error.message) from None


def write(layout: Layout) -> str:
    """Write the link that opens a layout.

    Raises BoardError for a start, or another grid than the square one.
    """
    check_holds(layout)
    sides = layout.cols, layout.rows
    digits = len(str(max(sides)))
    names = {named: name for name, named in _NAMED.items()}
    size = names.get(sides) or "".join(f"{side:0{digits}}" for side in sides)
    bits = bits_of_layout(layout)
    bits += "0" * (-len(bits) % _BITS)
    mines = "".join(_DIGITS[int(bits[first : first + _BITS], 2)] for first in range(0, len(bits), _BITS))
    return f"{PAGE}?b={size}&m={mines}\n"


def _size(text: str, found: re.Match[str], characters: int) -> tuple[int, int]:
    """Width and height, from a name or from their digits.

    Both have as many digits, or the height has more if only that fits the number of characters for the mines.
    """
    digits = found[1]
    if digits in _NAMED:
        return _NAMED[digits]
    if not re.fullmatch(r"\d{2,14}", digits, re.ASCII):
        message = f"expected 1, 2, 3, or width and height with as many digits each, found {digits[:20]!r}"
        raise error_at(text, found.start(1), message)
    splits = [(int(digits[:place]), int(digits[place:])) for place in range(len(digits) // 2, 0, -1)]
    return next((split for split in splits if -(-split[0] * split[1] // _BITS) == characters), splits[0])
