"""Lattices of boards without lines between their cells."""

import numpy as np

from satsweep.formats.pictures.grid import Lines
from satsweep.formats.pictures.ink import inked
from tests.pictures.skins import LATER_SKINS, drawn
from tests.pictures.test_reading import BOARD


def test_digits_lie_in_cells() -> None:
    skin = next(skin for skin in LATER_SKINS if skin.name == "ponds")
    found = next(inked(Lines.of(np.asarray(drawn(skin, BOARD)).astype(np.float32))))
    assert abs(found.width - 32) < 0.5 and abs(found.height - 32) < 0.5
    off = (found.left - 30) / 32, (found.top - 40) / 32
    assert max(abs(one - round(one)) for one in off) < 0.06


def test_ink_tells_nothing_where_there_are_lines() -> None:
    skin = LATER_SKINS[0]
    assert list(inked(Lines.of(np.asarray(drawn(skin, BOARD)).astype(np.float32)))) == []
    assert list(inked(Lines.of(np.full((200, 200, 3), 128, np.float32)))) == []
