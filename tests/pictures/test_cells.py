"""What is drawn in a cell, and on which ground."""

import numpy as np

from satsweep.formats.pictures.cells import backgrounds, contrasts, strengths

GREY, RED = (185, 184, 186), (220, 30, 30)


def cell(share: float, rows: int = 18) -> np.ndarray:
    """A grey cell of which a share, from its left, is red in some of its rows."""
    inside = np.full((1, 18, 18, 3), GREY, np.float32)
    inside[0, :rows, : round(18 * share)] = RED
    return inside


def test_a_thin_glyph_has_its_contrast() -> None:
    """Six pixels of 324 are below the share that counts for other glyphs."""
    drawn = strengths(cell(1 / 18, 6), np.array([GREY], np.float32))
    assert contrasts(drawn)[0] > 100
    assert contrasts(np.zeros((1, 18, 18), np.float32))[0] == 0


def test_the_ground_of_a_large_digit_is_that_of_plain_cells() -> None:
    """Its ink covers most of the ring around it."""
    large = cell(0.6)
    assert np.abs(backgrounds(large)[0] - RED).max() < 1
    plain = np.array([GREY], np.float32)
    assert np.abs(backgrounds(large, plain)[0] - GREY).max() < 1
    # Colours of JPEG run, its brightness does not.
    large[0, :, 11:14] = (215, 172, 174)
    assert np.abs(backgrounds(large, plain)[0] - GREY).max() < 1
    assert np.abs(backgrounds(cell(0.9), plain)[0] - RED).max() < 1
