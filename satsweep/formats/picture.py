"""Pictures of boards: screenshots of any skin.

They are read with probabilities, by ``satsweep.formats.pictures``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from satsweep.board import Board
from satsweep.errors import BoardError, needing

if TYPE_CHECKING:
    from satsweep.formats.pictures.reading import Reading

_STARTS = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


def recognises(content: bytes) -> bool:
    """Return whether some content starts like a PNG, JPEG, GIF, WebP or BMP file."""
    return (
        content.startswith(_STARTS)
        or (content[:4] == b"RIFF" and content[8:12] == b"WEBP")
        or (content[:2] == b"BM" and int.from_bytes(content[2:6], "little") == len(content) > 54)
    )


def read_board(content: bytes) -> Board:
    """The likeliest board of a picture."""
    return reading(content).board


def remarks(content: bytes) -> tuple[str, ...]:
    """Sentences on how a picture was read, and the drawing of a doubtful one."""
    found = reading(content)
    return (*found.remarks, *(found.drawing if found.doubts or found.conflict else ()))


@lru_cache(maxsize=1)
def reading(content: bytes) -> Reading:
    """How a picture was read; of the last one it is remembered."""
    # Loaded here because other files are read without NumPy.
    with needing("numpy", "pictures need NumPy", "pictures", BoardError):
        from satsweep.formats.pictures.reading import read_picture

    return read_picture(content)
