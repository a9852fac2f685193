"""Pictures from files, bytes and arrays, as arrays of red, green and blue.

Pillow decodes files, within bounds: what a header promises is checked before anything is decoded. No other
module needs it; for arrays it is not imported.
"""

from __future__ import annotations

import io
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from satsweep.arguments import short_repr
from satsweep.errors import BoardError, needing, unreadable

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image

Bytes: TypeAlias = "NDArray[np.uint8]"
Picture: TypeAlias = "str | Path | bytes | NDArray[Any]"
"""The name of a file, its content, or an array of rows, columns and colours."""
MOST_PIXELS = 25_000_000
"""Pixels of the largest picture.

The largest screens have a third of it, photographs of phones half."""
MOST_BYTES = 40_000_000
"""Bytes of the largest file."""
LEAST_SIDE = 20
"""Pixels of the shortest side."""
KEPT_PIXELS = 4_000_000
"""Pixels above which a picture is scaled down by a whole number."""
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")


def decoded(picture: Picture) -> Bytes:
    """The pixels of a picture: rows, columns and three colours.

    Transparent pixels are white, and a photograph is turned as its EXIF field says. Raises BoardError, without a file's
    name, for anything that is not one still picture of reasonable size.
    """
    if isinstance(picture, np.ndarray):
        return _of_array(picture)
    if isinstance(picture, str | Path):
        picture = read_bytes(picture)
    if not isinstance(picture, bytes | bytearray | memoryview):
        raise TypeError(f"expected a file, its bytes or an array, found {short_repr(picture)}")
    return _of_bytes(bytes(picture))


def read_bytes(file: str | Path) -> bytes:
    """Content of a file, up to a byte more than the largest."""
    try:
        with open(file, "rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise BoardError(unreadable(error, "picture")) from None


def reduced(picture: Bytes, factor: int) -> Bytes:
    """A picture smaller by a whole number: each pixel is the mean of a square."""
    if factor == 1:
        return picture
    rows, cols = picture.shape[0] // factor, picture.shape[1] // factor
    total = np.zeros((rows, cols, 3), np.uint16)
    for row in range(factor):
        for col in range(factor):
            total += picture[row : rows * factor : factor, col : cols * factor : factor]
    return (total // factor**2).astype(np.uint8)


def _of_array(picture: NDArray[Any]) -> Bytes:
    if picture.ndim == 2:
        picture = picture[:, :, None]
    if picture.ndim != 3 or picture.shape[2] not in (1, 3, 4) or picture.dtype.kind not in "ui":
        found = f"{picture.dtype} of shape {'x'.join(map(str, picture.shape))}"
        raise BoardError(f"expected an array of integers, of rows, columns and 1, 3 or 4 colours, found {found}")
    _check_size(picture.shape[1], picture.shape[0])
    if picture.dtype.itemsize > 1:
        picture = picture // 257 if picture.max() > 255 else picture
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if picture.shape[2] == 4:
        opaque = picture[:, :, 3:].astype(np.uint16)
        return ((picture[:, :, :3] * opaque + 255 * (255 - opaque)) // 255).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(picture, (*picture.shape[:2], 3)))


def _of_bytes(content: bytes) -> Bytes:
    with needing("PIL", "pictures need Pillow", "pictures", BoardError):
        from PIL import Image
    if len(content) > MOST_BYTES:
        raise BoardError(f"expected a picture of at most {MOST_BYTES:,} bytes, found more")
    with warnings.catch_warnings():
        # Of large pictures, which are refused here, and of odd fields, which do not matter.
        warnings.simplefilter("ignore")
        try:
            opened = Image.open(io.BytesIO(content), formats=FORMATS)
        except Image.DecompressionBombError:
            raise BoardError(f"expected a picture of at most {MOST_PIXELS:,} pixels, found more") from None
        except Exception:
            raise BoardError(f"expected a picture ({', '.join(FORMATS)}), found something else") from None
        with opened:
            _check_size(*opened.size)
            try:
                animated = getattr(opened, "is_animated", False)
                pixels = None if animated else _pixels(opened)
            except Exception as error:  # decoders raise all sorts of things for damaged files
                raise BoardError(f"expected a whole picture, found a damaged one: {_line(error)}") from None
    if pixels is None:
        raise BoardError("expected one picture, found an animation")
    return pixels


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise BoardError(f"expected a picture of at most {MOST_PIXELS:,} pixels, found {width:,}x{height:,}")
    if min(width, height) < LEAST_SIDE:
        raise BoardError(f"expected a picture of at least {LEAST_SIDE} pixels a side, found {width:,}x{height:,}")


def _pixels(opened: Image.Image) -> Bytes:
    from PIL import Image, ImageOps

    opened.load()
    with suppress(Exception):  # a broken field does not say how the camera was held
        ImageOps.exif_transpose(opened, in_place=True)
    if opened.mode.startswith("I") or opened.mode == "F":
        values = np.asarray(opened)
        values = values.astype(np.float32) / (257 if values.max(initial=0) > 255 else 1)
        return np.repeat(np.clip(values, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)
    if opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info:
        shown = opened.convert("RGBA")
        ground = Image.new("RGBA", shown.size, "white")
        ground.alpha_composite(shown)
        return np.asarray(ground.convert("RGB"))
    return np.asarray(opened.convert("RGB"))
