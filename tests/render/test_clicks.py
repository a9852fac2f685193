"""The clicks of a game in words."""

import pytest

from satsweep import Cell
from satsweep.clicks.made import GameClick
from satsweep.clicks.path import ClickKind
from satsweep.render.clicks import click_in_words


@pytest.mark.parametrize(("number", "solved", "throughput"), [(4, 3, "75.0 %"), (10, 12, "120.0 %"), (1, 0, "0.0 %")])
def test_the_throughput_of_a_click_is_that_of_all_so_far(number: int, solved: int, throughput: str) -> None:
    text = click_in_words(GameClick(number, ClickKind.CHORD, Cell(0, 0), solved, True), 24)
    assert text == f"Click {number}, a chord: {solved} of 24 3BV, throughput {throughput}."
