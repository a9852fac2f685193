"""Pictures of the page in the documents: a dozen small files, each made by the script and each shown somewhere."""

import re

from PIL import Image

from tests import ROOT
from tests.page.screenshots import FOLDER, MOST, SIZES, TAKEN


def test_the_pictures_are_those_of_the_script_and_small() -> None:
    found = {path.stem: path for path in FOLDER.iterdir()}
    assert found.keys() == TAKEN.keys() and len(found) <= 12
    for name, path in found.items():
        with Image.open(path) as picture:
            assert (picture.format, picture.size) == ("WEBP", SIZES[TAKEN[name][1]])
        assert path.stat().st_size <= MOST


def test_every_view_is_shown_in_both_themes_and_all_sizes_are_there() -> None:
    themes = {(take.__name__, theme) for take, _, theme, _ in TAKEN.values()}
    views = ("solve", "play", "review", "watch", "train")
    assert themes == {(view, theme) for view in views for theme in ("light", "dark")} | {("picture", "light")}
    assert {width for _, width, _, _ in TAKEN.values()} == SIZES.keys()


def test_every_picture_is_used() -> None:
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    used = {name for path in documents for name in re.findall(r"pictures/([\w-]+)\.webp", path.read_text("utf-8"))}
    assert used == TAKEN.keys()
