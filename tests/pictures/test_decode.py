"""Hostile files: one line each, in bounded time and memory."""

import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from satsweep import BoardError, read_picture
from satsweep.formats import picture
from satsweep.formats.pictures.decode import MOST_PIXELS, decoded
from tests.pictures.skins import SKINS, drawn
from tests.pictures.test_reading import BOARD

PICTURE = drawn(SKINS[0], BOARD)


def file_of(image: Image.Image, format: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def png_of_size(width: int, height: int) -> bytes:
    """A PNG that promises a size and holds a few bytes."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def refusal(content: bytes) -> str:
    with pytest.raises(BoardError) as caught:
        read_picture(content)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("size", [(10_000, 10_000), (30_000, 30_000), (2**31 - 1, 2**31 - 1), (MOST_PIXELS + 1, 1)])
def test_a_bomb_is_refused_by_its_header(size: tuple[int, int]) -> None:
    assert refusal(png_of_size(*size)).startswith(f"expected a picture of at most {MOST_PIXELS:,} pixels")


def test_a_picture_of_100_million_pixels_takes_little_memory() -> None:
    """It is a few kilobytes of zeros, and would be 300 MB."""
    row = b"\0" * (1 + 3 * 10_000)
    packed = zlib.compressobj()
    body = b"".join(packed.compress(row) for _ in range(10_000)) + packed.flush()
    content = png_of_size(10_000, 10_000).replace(zlib.compress(b""), body)
    program = (
        "import resource, sys; from satsweep import read_picture, BoardError\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try: read_picture(sys.stdin.buffer.read())\n"
        "except BoardError as error: print(error)\n"
        "print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)"
    )
    done = subprocess.run([sys.executable, "-c", program], input=content, capture_output=True, check=True)
    said, megabytes = done.stdout.decode().splitlines()
    assert said == f"expected a picture of at most {MOST_PIXELS:,} pixels, found 10,000x10,000"
    assert int(megabytes) < 60


@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_truncated_picture_is_refused(format: str) -> None:
    content = file_of(PICTURE, format)
    for share in (0.3, 0.6, 0.9):
        assert refusal(content[: int(share * len(content))]).startswith("expected a ")


@pytest.mark.parametrize("format", ["PNG", "GIF", "WEBP"])
def test_an_animation_is_refused(format: str) -> None:
    other = PICTURE.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    content = file_of(PICTURE, format, save_all=True, append_images=[other, PICTURE])
    assert refusal(content) == "expected one picture, found an animation"


def test_other_files_are_refused() -> None:
    for content in (
        b"",
        b"#1\n11\n",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"\xff\xd8\xff" + bytes(100),
        b"%PDF-1.7",
        bytes(5000),
    ):
        assert refusal(content) == "expected a picture (PNG, JPEG, GIF, WEBP, BMP), found something else"


def test_a_picture_without_a_board_is_refused() -> None:
    nothing = Image.new("RGB", (200, 200), (90, 90, 90))
    assert refusal(file_of(nothing, "PNG")) == "expected a picture of a board, found no grid of cells in it"
    assert refusal(file_of(Image.new("RGB", (8, 300)), "PNG")).startswith(
        "expected a picture of at least 20 pixels a side"
    )


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "CMYK", "1", "I;16"])
def test_every_mode_of_colours_is_decoded(mode: str) -> None:
    if mode == "I;16":
        image = Image.fromarray(np.asarray(PICTURE.convert("L")).astype(np.uint16) * 257)
    else:
        image = PICTURE.convert(mode)
    content = file_of(image, "JPEG" if mode == "CMYK" else "PNG")
    pixels = decoded(content)
    assert picture.recognises(content) and pixels.shape == (*PICTURE.size[::-1], 3) and pixels.dtype == np.uint8
    if mode not in ("P", "1"):
        expected = np.asarray((PICTURE if mode in ("RGB", "RGBA", "CMYK") else PICTURE.convert("L")).convert("RGB"))
        assert np.abs(pixels.astype(int) - expected).mean() < (6 if mode == "CMYK" else 1)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_turned_as_its_orientation_says(orientation: int) -> None:
    """A camera stores what its sensor saw, and in EXIF how it was held; these undo that."""
    turn = Image.Transpose
    held = {2: turn.FLIP_LEFT_RIGHT, 3: turn.ROTATE_180, 4: turn.FLIP_TOP_BOTTOM, 5: turn.TRANSPOSE,
            6: turn.ROTATE_90, 7: turn.TRANSVERSE, 8: turn.ROTATE_270}  # fmt: skip
    wide = PICTURE.crop((0, 0, PICTURE.width, PICTURE.height - 40))
    stored = wide.transpose(held[orientation]) if orientation in held else wide
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    for format in ("PNG", "WEBP"):
        content = file_of(stored, format, exif=exif, lossless=True)
        assert (decoded(content) == np.asarray(wide)).all()


@pytest.mark.parametrize("exif", [b"Exif\0\0II*\0", b"Exif\0\0" + bytes(range(200)), b"II*\0\x08\0\0\0\xff\xff"])
def test_broken_exif_does_not_matter(exif: bytes) -> None:
    assert decoded(file_of(PICTURE, "JPEG", exif=exif)).shape == (*PICTURE.size[::-1], 3)


def test_arrays_are_pictures() -> None:
    pixels = np.asarray(PICTURE)
    opaque = np.concatenate([pixels, np.full((*pixels.shape[:2], 1), 255, np.uint8)], axis=2)
    for array in (pixels, opaque, pixels.astype(np.uint16) * 257, pixels.astype(int)):
        assert (decoded(array) == pixels).all()
    assert (decoded(np.zeros((30, 30, 4), np.uint8)) == 255).all()
    for wrong in (np.zeros((30, 30, 2), np.uint8), np.zeros((30, 30, 3)), np.zeros(30, np.uint8)):
        with pytest.raises(BoardError, match="expected an array of integers"):
            decoded(wrong)
    with pytest.raises(TypeError, match="expected a file, its bytes or an array"):
        decoded(3)  # type: ignore[arg-type]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="none.png: expected a readable picture: No such file"):
        read_picture(tmp_path / "none.png")
