"""Pictures of boards, as pixels that a browser has decoded.

Browsers decode more kinds of files than Python, and turn photographs upright. They do so here for both, the page of
the server and that without one, so both read the same pixels and need no library for files.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING

from satsweep.errors import BoardError, needing
from satsweep.page.questions import Limits, Question, SendPart
from satsweep.page.values import PictureReadingValues

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLOURS = 3


def read_picture(question: Question, limits: Limits, send: SendPart) -> PictureReadingValues:
    """The board of a picture, the place of its cells in pixels, and what is in doubt.

    ``pixels`` are ``height`` rows of ``width`` pixels of three bytes (red, green, blue), each byte less that of the
    pixel to its left (the filter *Sub* of PNG), compressed by zlib, in base64. Larger pictures are to be reduced to the
    means of squares of pixels first, as the reader does. ``doubts`` has cells with symbols and their probabilities, the
    likeliest first, ``?`` for a cell under something else; ``conflict`` has cells whose numbers cannot all be true, and
    ``part`` the sides at which the picture may cut the board.
    """
    pixels = pixels_of(question, limits)
    from satsweep.formats.pictures.reading import read_picture

    reading = read_picture(pixels)
    board, grid = reading.board, reading.grid
    limits.check(board.rows, board.cols)
    return {
        "board": str(board),
        "grid": {"left": grid.left, "top": grid.top, "width": grid.width, "height": grid.height},
        "doubts": [{"cell": cell, "symbols": list(symbols.items())} for cell, symbols in reading.doubts.items()],
        "conflict": list(reading.conflict),
        "part": str(board.part) if board.part else None,
    }


def pixels_of(question: Question, limits: Limits) -> NDArray[np.uint8]:
    """Rows, columns and colours of the pixels that a question brings.

    Raises BoardError for others than it promises, before they take more memory than those.
    """
    with needing("numpy", "pictures need NumPy", "pictures", BoardError):
        import numpy as np
    width, height = (question.fields[side].integer() for side in ("width", "height"))
    if min(width, height) < 1 or width * height > limits.pixels:
        raise BoardError(f"expected 1 to {limits.pixels:,} pixels, found {width:,}x{height:,}")
    size = COLOURS * width * height
    try:
        packed = base64.b64decode(question.fields["pixels"].string(), validate=True)
        content = zlib.decompressobj().decompress(packed, size + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise BoardError("expected pixels that are compressed by zlib, in base64") from None
    if len(content) != size:
        found = "more" if len(content) > size else f"{len(content):,}"
        raise BoardError(f"expected {size:,} bytes of pixels, found {found}")
    steps = np.frombuffer(content, np.uint8).reshape(height, width, COLOURS)
    return np.cumsum(steps, axis=1, dtype=np.uint8)
