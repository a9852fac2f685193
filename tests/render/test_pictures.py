"""Values that draw themselves in notebooks, and their texts."""

import json
import re
from html import unescape
from xml.etree import ElementTree

import pytest

import satsweep
from satsweep.formats import records
from satsweep.mixins import Rendered, Worded

BOARD = satsweep.Board("mines 3\n##1.\n##21\n####")
RECORD = satsweep.play("beginner", "sat", seed=1)
VALUES: list[Rendered] = [
    BOARD,
    BOARD.with_flags([(0, 0)]),
    RECORD.layout,
    satsweep.analyse(BOARD),
    satsweep.explain(BOARD, (2, 1)),
    satsweep.explain(BOARD, (0, 0)),
    satsweep.conflict("#####\n#131#\n#####"),  # type: ignore[list-item]
    RECORD,
    satsweep.review(RECORD),
    satsweep.rate(RECORD.layout, (0, 0)),
]
NAMES = [type(value).__name__ for value in VALUES]


@pytest.mark.parametrize("value", VALUES, ids=NAMES)
def test_a_value_has_a_picture(value: Rendered) -> None:
    picture = ElementTree.fromstring(value.to_svg())
    assert picture.tag.endswith("svg")
    page = value._repr_html_()
    frame = ElementTree.fromstring(page)
    assert frame.tag == "iframe"
    assert int(re.findall(r"height:(\d+)px", page)[0]) > int(picture.attrib["height"])
    content = unescape(frame.attrib["srcdoc"])
    assert "<svg" in content and "http:" not in content.replace("http://www.w3.org", "")
    assert ("<script" in content) == isinstance(value, satsweep.Record | satsweep.assessment.Review)


@pytest.mark.parametrize(
    "value", [one for one in VALUES if isinstance(one, Worded)], ids=lambda one: type(one).__name__
)
def test_a_value_has_a_text_and_json(value: Worded) -> None:
    assert value.text.strip() and not value.text.endswith("\n")
    assert json.loads(value.to_json())
    assert len(repr(value)) < 120 or isinstance(
        value, satsweep.why.Explanation | satsweep.why.Undecided | satsweep.why.Conflict
    )


def test_texts_are_those_of_the_command() -> None:
    explanation = satsweep.explain(BOARD, (2, 1))
    assert explanation.text.startswith("2,1 is safe: subsets\n") and explanation.text.endswith("column 1 is safe.")
    assert records.from_json(RECORD.to_json()) == RECORD
    assert json.loads(satsweep.analyse(BOARD).to_json())["safe"] == [[2, 1]]


def test_a_layout_shows_mines_numbers_and_start() -> None:
    layout = satsweep.Layout("mines 1\nstart 1,2\n*..\n...")
    svg = layout.to_svg()
    assert svg.count("a revealed mine") == 1 and ">start</text>" in svg
