"""Click paths in links of LlamaSweeper, ``?b=&m=&c=``: a layout, and clicks on it.

``c`` is base 64 with ``-`` and ``_``, without padding. Its bits, most significant first, are clicks: two bits for
left, right or chord, then the number of the cell, column by column, in as many bits as the last one needs. The bits 11
end the path. A click has no time.
"""

from __future__ import annotations

import re

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.formats import ptta
from satsweep.formats.clicks import ClickedGame
from satsweep.formats.strict import error_at
from satsweep.games.record import Record

_C = re.compile(r"\s*(?:\S*[?&])?c=([^\s&#]*)")
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_KIND_BITS, _END = 2, 3


def has_clicks(text: str) -> bool:
    """Return whether a link has a click path."""
    return _C.match(text) is not None


def read_game(text: str) -> Record:
    """Read the layout of a link, and the game that its clicks are.

    >>> [str(move.cell) for move in read_game("?b=0302&m=40&c=AzA").moves]
    ['0,0', '0,2']
    """
    layout = ptta.read_layout(text)
    found = _C.match(text)
    if found is None:
        raise error_at(text, len(text.rstrip()), "expected &c= with a click path, found the end")
    for place, digit in enumerate(found[1]):
        if digit not in _DIGITS:
            raise error_at(text, found.start(1) + place, f"expected one of A-Z a-z 0-9 - _, found {digit[:1]!r}")
    bits = "".join(f"{_DIGITS.index(digit):06b}" for digit in found[1])
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
