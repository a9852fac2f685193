"""Classes of glyphs by the network: its arithmetic, and fonts and drawings of our own skins."""

import numpy as np
import pytest

from satsweep.formats.pictures.cells import GLYPH, contrasts, glyph, inner, patches, strengths
from satsweep.formats.pictures.glyphs import CLASSES, WINDOW, likelihoods, windows
from satsweep.formats.pictures.grid import Lattice
from tests.pictures.skins import SKINS, Skin, drawn


def test_windows_overlap_by_half_and_reach_one_pixel_beyond() -> None:
    picture = np.arange(2 * 6 * 8 * 3, dtype=np.float32).reshape(2, 6, 8, 3)
    found = windows(picture)
    assert found.shape == (2, 3, 4, 3 * WINDOW**2)
    padded = np.pad(picture, ((0, 0), (1, 1), (1, 1), (0, 0)))
    for row in range(3):
        for col in range(4):
            part = padded[:, 2 * row : 2 * row + WINDOW, 2 * col : 2 * col + WINDOW]
            assert (found[:, row, col].reshape(2, 3, WINDOW, WINDOW) == part.transpose(0, 3, 1, 2)).all()


def test_likelihoods_are_those_of_one_glyph_each() -> None:
    glyphs = np.random.default_rng(1).random((5, GLYPH * GLYPH), np.float32)
    found = likelihoods(glyphs)
    assert found.shape == (5, len(CLASSES)) and np.exp(found).sum(axis=1) == pytest.approx(np.ones(5), abs=1e-4)
    for one, alone in zip(found, (likelihoods(glyphs[index : index + 1])[0] for index in range(5)), strict=True):
        assert one == pytest.approx(alone, abs=1e-3)


@pytest.mark.parametrize(
    "skin", [skin for skin in SKINS if not skin.letters and not skin.faint], ids=lambda one: one.name
)
def test_digits_flags_and_mines_of_every_skin_are_known(skin: Skin) -> None:
    """Of twelve cells at most one is taken for something else."""
    shown = "12345678F*"
    picture = np.asarray(drawn(skin, [shown], (0, 0, 0, 0))).astype(np.float32)
    cells = inner(patches(picture, Lattice(0, 0, skin.cell, round(skin.cell * skin.tall), 1, len(shown))), 4)
    middle = cells[:, [1, 1, -2, -2], [1, -2, 1, -2]]
    strong = strengths(cells, np.median(middle, axis=1).astype(np.float32))
    glyphs = np.array([glyph(one, float(own)).ravel() for one, own in zip(strong, contrasts(strong), strict=True)])
    found = "".join(CLASSES[one] for one in likelihoods(glyphs).argmax(axis=1))
    assert sum(one != other for one, other in zip(found, shown, strict=True)) <= 1, found
