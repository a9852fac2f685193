"""MBF, also called ABF: a layout in bytes, or as pairs of hexadecimal digits.

Width, height, the number of mines in two bytes (the high one first), then the column and the row of each mine.
"""

import re
from itertools import islice

from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.strict import error_at
from satsweep.layout import Layout
from satsweep.text import counted

MAX_SIDE = 255
_HEAD = 4
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_PAIRS = re.compile(r"^[ \t]*[0-9a-fA-F]{2}[ \t]+[0-9a-fA-F]{2}(?![^ \t\r\n])", re.MULTILINE)
_WORD = re.compile(r"\S+")
_PAIR = re.compile("[0-9a-fA-F]{2}")


class _ByteError(Exception):
    """An error about the byte at an offset."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


def end_of_mines(content: bytes, start: int = 0) -> int:
    """Place after the mines of a layout that begins at ``start``."""
    return start + _HEAD + 2 * int.from_bytes(content[start + 2 : start + _HEAD], "big")


def is_valid(content: bytes) -> bool:
    if len(content) < _HEAD or len(content) != end_of_mines(content):
        return False
    try:
        _layout(content)
    except _ByteError:
        return False
    return True


def may_be_mbf(content: bytes) -> bool:
    """Return whether bytes begin like an MBF file with fewer than 256 mines."""
    if len(content) < _HEAD or content[:2] in _UTF_16:
        return False
    return content[2] == 0 and content[3] <= content[0] * content[1] > 0


def read_layout(content: bytes) -> Layout:
    """Read a layout.

    >>> read_layout(bytes([3, 2, 0, 1, 2, 0]))
    Layout(('..*', '...'))
    """
    try:
        return _layout(content)
    except _ByteError as wrong:
        raise BoardError(f"{wrong} at byte {wrong.offset:,}") from None


def layout_at(content: bytes, start: int, first: int) -> Layout:
    """Read a layout that begins at ``start``; columns and rows count from ``first``.

    Raises BoardError, which counts bytes from the start of the content.
    """
    part = bytearray(content[start : end_of_mines(content, start)])
    for place in range(_HEAD, len(part)):
        if part[place] < first:
            raise BoardError(f"expected columns and rows from {first}, found {part[place]} at byte {start + place:,}")
        part[place] -= first
    try:
        return _layout(bytes(part))
    except _ByteError as wrong:
        raise BoardError(f"{wrong} at byte {start + wrong.offset:,}") from None


def write(layout: Layout) -> bytes:
    """Write a layout.

    Raises BoardError for a start, another grid than the square one, or a side above 255.
    """
    check_holds(layout)
    if max(layout.rows, layout.cols) > MAX_SIDE:
        raise BoardError(f"expected at most {MAX_SIDE} rows and columns, found {layout.rows}x{layout.cols}")
    mines = [(col, row) for row, line in enumerate(layout.cells) for col, symbol in enumerate(line) if symbol == "*"]
    head = (layout.cols, layout.rows, *divmod(layout.mines, 256))
    return bytes(head) + bytes(part for mine in mines for part in mine)


def hex_recognises(text: str) -> bool:
    found = _PAIRS.search(text)
    return found is not None and not text[: found.start()].strip()


def read_hex(text: str) -> Layout:
    """Read a layout from pairs of hexadecimal digits.

    >>> read_hex("03 02 00 01 02 00")
    Layout(('..*', '...'))
    """
    content = bytearray()
    for word in _WORD.finditer(text):
        if not _PAIR.fullmatch(word[0]):
            raise error_at(text, word.start(), f"expected two hexadecimal digits, found {word[0][:20]!r}")
        content.append(int(word[0], 16))
    try:
        return _layout(bytes(content))
    except _ByteError as wrong:
        places = (word.start() for word in islice(_WORD.finditer(text), wrong.offset, None))
        raise error_at(text, next(places, len(text.rstrip())), str(wrong)) from None


def write_hex(layout: Layout) -> str:
    return f"{write(layout).hex(' ')}\n"


def _layout(content: bytes) -> Layout:
    if len(content) < _HEAD:
        raise _ByteError(len(content), f"expected {_HEAD} bytes with the size and the number of mines, found the end")
    cols, rows, mines = content[0], content[1], content[2] * 256 + content[3]
    for offset in (0, 1):
        if content[offset] == 0:
            raise _ByteError(offset, "expected at least one row and one column, found 0")
    if mines > rows * cols:
        raise _ByteError(2, f"expected at most {counted(rows * cols, 'mine')}, found {mines:,}")
    length = _HEAD + 2 * mines
    if len(content) != length:
        message = f"expected {counted(length, 'byte')} for {counted(mines, 'mine')}, found {len(content):,}"
        raise _ByteError(min(len(content), length), message)
    indices: set[int] = set()
    for offset in range(_HEAD, length, 2):
        col, row = content[offset], content[offset + 1]
        if col >= cols:
            raise _ByteError(offset, f"expected a column below {cols}, found {col}")
        if row >= rows:
            raise _ByteError(offset + 1, f"expected a row below {rows}, found {row}")
        if row * cols + col in indices:
            raise _ByteError(offset, f"expected each mine once, found {row},{col} again")
        indices.add(row * cols + col)
    return Layout.from_mines(rows, cols, indices)
