"""``solve``, ``explain`` and ``convert`` of a picture."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from satsweep import Board
from tests.cli import invoke
from tests.pictures.skins import SKINS, drawn
from tests.pictures.test_reading import BOARD


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "screenshot.png"
    drawn(SKINS[0], BOARD).save(path)
    return path


def test_a_picture_is_solved_as_its_board_is(picture: Path) -> None:
    found = json.loads(invoke("solve", picture, "--json").stdout)
    text = json.loads(invoke("solve", "-", "--json", stdin="\n".join(BOARD)).stdout)
    assert found["remarks"][0].startswith("read 9x9 cells of 24x24 pixels")
    for field in ("safe", "mines", "best"):
        assert found[field] == text[field]


def test_a_picture_comes_from_standard_input(picture: Path) -> None:
    result = invoke("convert", "-", "--to", "json", stdin=picture.read_bytes())
    assert result.exit_code == 0 and result.stdout == invoke("convert", picture, "--to", "json").stdout


def test_a_picture_is_converted_and_explained(picture: Path) -> None:
    assert Board.from_text(invoke("convert", picture, "--to", "text").stdout) == Board(BOARD)
    assert Board.load(picture) == Board(BOARD)
    assert "is safe" in invoke("explain", picture).stdout


def test_a_cell_under_something_is_marked(tmp_path: Path) -> None:
    pixels = np.asarray(drawn(SKINS[0], BOARD)).copy()
    pixels[40 + 24 * 3 + 3 : 40 + 24 * 4 - 3, 30 + 24 * 2 + 3 : 30 + 24 * 3 - 3] = np.random.default_rng(1).integers(
        0, 256, (18, 18, 3), np.uint8
    )
    path = tmp_path / "covered.png"
    Image.fromarray(pixels).save(path)
    shown = invoke("solve", path).stdout
    assert "in doubt, row,column: 3,2 (1 " in shown and " 2 [1] . " in shown


def test_a_damaged_picture_is_one_line(picture: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.png"
    path.write_bytes(picture.read_bytes()[:1000])
    for command in (["solve", path], ["explain", path], ["convert", path, "--to", "text"]):
        result = invoke(*command)
        assert result.exit_code == 3 and result.stderr.count("\n") == 1
        assert f"{path}: expected a whole picture, found a damaged one" in result.stderr
    blank = io.BytesIO()
    Image.new("RGB", (100, 100)).save(blank, "PNG")
    assert "found no grid of cells" in invoke("solve", "-", stdin=blank.getvalue()).stderr


def test_the_answer_is_painted_over_the_picture(picture: Path, tmp_path: Path) -> None:
    for format, start in (("png", b"\x89PNG"), ("svg", b"<svg")):
        output = tmp_path / f"answer.{format}"
        result = invoke("solve", picture, "--format", format, "-o", output)
        assert result.exit_code == 0 and output.read_bytes().startswith(start)
        assert result.stderr.startswith("read 9x9 cells")
    board = tmp_path / "board.txt"
    board.write_text("\n".join(BOARD))
    result = invoke("solve", board, "--format", "png", "-o", tmp_path / "board.png")
    assert result.exit_code == 2 and "found png" in result.stderr
    result = invoke("solve", picture, "--format", "png", "--explain")
    assert result.exit_code == 2 and "with --explain" in result.stderr
