"""Kinds of cells: what is a bevel, a texture or a drawing of the game on plain cells, and what is a glyph."""

from dataclasses import replace

import numpy as np
import pytest

from satsweep import Cell, read_picture
from satsweep.formats.pictures.cells import patches
from satsweep.formats.pictures.grid import Lattice
from satsweep.formats.pictures.kinds import COVERED, FLAG, MINE, Kinds, kinds_of
from tests.pictures.skins import LATER_SKINS, SKINS, Skin, drawn
from tests.pictures.test_reading import BOARD, wrong

LATER = {skin.name: skin for skin in LATER_SKINS}


def kinds(skin: Skin, board: list[str], beside: float = 0.0) -> Kinds:
    """Kinds of the cells of a board that is drawn in a skin, by a lattice a little beside them."""
    picture = np.asarray(drawn(skin, board)).astype(np.float32)
    return kinds_of(
        patches(picture, Lattice(30 + beside, 40 + beside, skin.cell, skin.cell, len(board), len(board[0])))
    )


@pytest.mark.parametrize("name", ["studs", "pillows", "ponds"])
def test_boards_of_later_skins_are_read(name: str) -> None:
    """Discs on covered cells, bevels of a fifth of a cell, and no lines between cells."""
    assert wrong(BOARD, read_picture(np.asarray(drawn(LATER[name], BOARD)))) == []


def test_a_drawing_on_many_cells_is_that_of_covered_ones() -> None:
    found = kinds(LATER["studs"], ["#" * 6] * 4 + ["123121"])
    stud = int(found.of[0])
    assert found.unary[stud].argmax() == COVERED
    assert found.unary[stud, [FLAG, MINE]].max() < found.unary[stud, COVERED] - 3


def test_shaded_cells_are_plain() -> None:
    """Their shade is fainter than digits, and no cell of the same ground is without it."""
    skin = next(skin for skin in SKINS if skin.name == "ink")
    picture = np.asarray(drawn(skin, ["######", "123121", "......"])).astype(np.float32)
    shade = 60 * (np.arange(skin.cell) / skin.cell) ** 2
    picture[40 : 40 + skin.cell, 30 : 30 + 6 * skin.cell] += np.tile(shade, 6)[None, :, None]
    found = kinds_of(patches(picture, Lattice(30, 40, skin.cell, skin.cell, 3, 6)))
    assert found.blank[found.of].tolist() == [True] * 6 + [False] * 6 + [True] * 6


def test_a_texture_leaves_a_doubt() -> None:
    """Specks on covered cells are plain, but may be something drawn that is faint."""
    skin = next(skin for skin in SKINS if skin.name == "ink")
    picture = np.asarray(drawn(skin, BOARD)).copy()
    for row, line in enumerate(BOARD):
        for col in (col for col, symbol in enumerate(line) if symbol == "#"):
            for y, x in ((6, 7), (9, 17), (15, 11), (19, 20), (21, 6)):
                picture[40 + row * 28 + y :, 30 + col * 28 + x :][:3, :3] += 50
    reading = read_picture(picture)
    assert wrong(BOARD, reading) == []
    found = kinds_of(patches(picture.astype(np.float32), reading.grid))
    covered = [index for index, symbol in enumerate("".join(BOARD)) if symbol == "#"]
    assert found.textured[found.of[covered]].all()
    assert {Cell(*divmod(index, 9)) for index in covered} <= set(reading.doubts)


def test_a_bevel_is_no_glyph() -> None:
    """It is wider at one side, where the lattice is a little beside the cells."""
    found = kinds(LATER["pillows"], ["######", "123121", "......"], beside=-1.0)
    assert found.blank[found.of[:6]].all()
    assert not found.blank[found.of[6:12]].any()


def test_a_mine_that_fills_its_cell_is_no_plain_cell() -> None:
    found = kinds(replace(LATER["blots"], mine=0.5), ["*.*.*.", "112211", "######"])
    assert not found.blank[found.of[[0, 2, 4]]].any()
    assert found.blank[found.of[[1, 3, 5, 12, 17]]].all()


def test_a_faint_digit_is_no_texture() -> None:
    """Cells of its ground have nothing drawn on them."""
    skin = replace(
        next(skin for skin in SKINS if skin.name == "ink"), digits=((0, 0, 0), (215, 215, 205)) + ((0, 0, 0),) * 6
    )
    found = kinds(skin, ["111111", "222222", "......", "######"])
    assert not found.blank[found.of[6:12]].any()
