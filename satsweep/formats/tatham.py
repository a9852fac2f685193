"""Game IDs of Mines, one of Simon Tatham's puzzles: a layout, plain or masked.

``WIDTHxHEIGHT:x,y,`` and then ``u`` and the mines in hexadecimal, four cells a digit, row by row; x,y is the cell where
play starts. Parameters for drawing a layout may follow the size: ``n`` and the mines, which are checked, ``a``, and
``X`` and ``Y`` with a first cell. A link has the ID after ``#``. After an ``m`` the digits are masked, so that the ID
does not give mines away. The mask is that of the program: the first half of the bytes is combined by exclusive or with
a stream made of SHA-1 of the second half, then the second half with one made of the new first half.
"""

import re

from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.grids import bits_of_layout, layout_from_bits
from satsweep.formats.strict import error_at
from satsweep.layout import Layout
from satsweep.text import check_cells, counted

_HEAD = re.compile(r"\s*(?:\S*#)?(\d{1,9})x(\d{1,9})(?:n(\d{1,9}))?(?:a|[XY]\d{1,9})*([:#])", re.ASCII)
_BODY = re.compile(r"(?:(\d{1,9}),(\d{1,9}),)?([um]?)([^\s,]*)\s*", re.ASCII)
_NO_LAYOUT = "expected an ID with a layout, found the seed of one, which only that program can expand"
_BITS = 4


def recognises(text: str) -> bool:
    """Return whether a text begins like an ID, or a link with one: 9x9: or 9x9n10#."""
    return _HEAD.match(text) is not None


def is_masked(text: str) -> bool:
    head = _HEAD.match(text)
    body = head and _BODY.match(text, head.end())
    return body is not None and body[3] == "m"


def read_layout(text: str) -> Layout:
    """Read a layout.

    >>> read_layout("3x2:0,0,u20") == read_layout("https://example.org/mines.html#3x2n1:0,0,u20")
    True
    """
    head = _HEAD.match(text)
    if head is None:
        raise error_at(text, 0, "expected an ID that begins like 9x9: with width and height")
    cols, rows = int(head[1]), int(head[2])
    try:
        check_cells(rows, cols)
    except BoardError as error:
        raise error_at(text, head.start(1), error.message) from None
    if head[4] == "#" or text.startswith("r", head.end()):
        raise error_at(text, head.end() if head[4] == ":" else head.start(4), _NO_LAYOUT)
    body = _BODY.match(text, head.end())
    assert body is not None, "it matches anything"
    if body.end() < len(text):
        raise error_at(text, body.end(), "expected nothing after the digits")
    layout = layout_from_bits(_bits(text, body, rows * cols), rows, cols, _start(text, body, rows, cols))
    if layout.start is not None and layout.is_mine(layout.start):
        raise error_at(text, body.start(1), f"expected a start on a safe cell, found a mine at {body[1]},{body[2]}")
    if head[3] is not None and layout.mines != int(head[3]):
        raise error_at(
            text, head.start(3), f"expected the {counted(layout.mines, 'mine')} of the layout, found {int(head[3])}"
        )
    return layout


def write_plain(layout: Layout) -> str:
    """Write the ID of a layout.

    Raises BoardError for a start on a mine, or another grid than the square one.
    """
    return _write(layout, masked=False)


def write_masked(layout: Layout) -> str:
    return _write(layout, masked=True)


def mask(content: bytes, cells: int) -> bytes:
    """Mask bytes, of which the first ``cells`` bits are used; the others are zero.

    >>> mask(bytes.fromhex("12345670"), 28).hex()
    '07fa6500'
    """
    first, second = content[: len(content) // 2], content[len(content) // 2 :]
    first = _xor_with_stream(first, second)
    second = _clear_unused(_xor_with_stream(second, first), cells - 8 * len(first))
    return first + second


def unmask(content: bytes, cells: int) -> bytes:
    first, second = content[: len(content) // 2], content[len(content) // 2 :]
    second = _clear_unused(_xor_with_stream(second, first), cells - 8 * len(first))
    return _xor_with_stream(first, second) + second


def _xor_with_stream(content: bytes, seed: bytes) -> bytes:
    """Exclusive or of bytes and the stream that a seed gives."""
    import hashlib  # two milliseconds, which reading other files does not take

    seeded = hashlib.sha1(seed, usedforsecurity=False)
    stream = bytearray()
    for number in range(-(-len(content) // seeded.digest_size)):
        block = seeded.copy()
        block.update(b"%d" % number)
        stream += block.digest()
    return bytes(byte ^ other for byte, other in zip(content, stream, strict=False))


def _clear_unused(content: bytes, bits: int) -> bytes:
    """Bytes with all but the first ``bits`` bits set to zero."""
    unused = 8 * len(content) - bits
    return content[:-1] + bytes([content[-1] >> unused << unused]) if unused else content


def _bits(text: str, body: re.Match[str], cells: int) -> str:
    """Bits of the digits, without their mask; the last byte may have too many."""
    digits, first = body[4], body.start(4)
    for place, digit in enumerate(digits):
        if digit not in "0123456789abcdefABCDEF":
            raise error_at(text, first + place, f"expected a hexadecimal digit, found {digit!r}")
    wanted = -(-cells // _BITS)
    if len(digits) != wanted:
        message = f"expected {wanted:,} digits for {cells:,} cells, found {len(digits):,}"
        raise error_at(text, first + min(wanted, len(digits)), message)
    content = bytes.fromhex(digits + "0" * (wanted % 2))
    if content != _clear_unused(content, cells):
        raise error_at(text, first + wanted - 1, "expected no mines after the last cell, found some")
    if body[3] == "m":
        content = unmask(content, cells)
    return "".join(f"{byte:08b}" for byte in content)


def _start(text: str, body: re.Match[str], rows: int, cols: int) -> tuple[int, int] | None:
    if body[1] is None:
        return None
    col, row = int(body[1]), int(body[2])
    if col >= cols or row >= rows:
        message = f"expected a start within {cols} columns and {rows} rows, found {col},{row}"
        raise error_at(text, body.start(1), message)
    return row, col


def _write(layout: Layout, *, masked: bool) -> str:
    check_holds(layout, "start")
    if layout.start is not None and layout.is_mine(layout.start):
        raise BoardError("expected a start on a safe cell, found a mine: this format cannot hold that", at="start")
    bits = bits_of_layout(layout)
    content = bytes(int(bits[first : first + 8].ljust(8, "0"), 2) for first in range(0, len(bits), 8))
    digits = (mask(content, len(bits)) if masked else content).hex()[: -(-len(bits) // _BITS)]
    start = "" if layout.start is None else f"{layout.start.col},{layout.start.row},"
    return f"{layout.cols}x{layout.rows}:{start}{'m' if masked else 'u'}{digits}\n"
