"""Types of answers: those of the page's modules are made from Python's, and answers have them."""

from typing import get_type_hints

import pytest

from satsweep.page.answers import ANSWERS
from satsweep.page.values import OddsValues, Sentence
from tests import ROOT
from tests.page.answer_types import misfit, typescript
from tests.page.pages import pieces
from tests.page.test_questions import ASKED

TYPES = ROOT / "satsweep" / "page" / "answers.d.ts"


def test_the_types_of_javascript_are_those_of_python(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        TYPES.write_text(typescript(), encoding="utf-8")
    assert TYPES.read_text(encoding="utf-8") == typescript(), "see --update"


@pytest.mark.parametrize("kind", ANSWERS)
def test_answers_have_the_type_of_their_question(kind: str) -> None:
    """``pieces`` checks the answers of all other tests, too."""
    assert "return" in get_type_hints(ANSWERS[kind][0])
    for fields in ASKED[kind]:
        if "no game" not in fields.values() and ("base64" not in fields or kind == "read"):
            pieces(kind, **fields)


def test_a_value_of_another_type_is_named() -> None:
    assert misfit({"risk": 1, "percent": "100 %", "exact": "1"}, OddsValues) is None
    assert misfit({"risk": "1", "percent": "100 %", "exact": "1"}, OddsValues) is not None
    assert misfit({"risk": True, "percent": "100 %", "exact": "1"}, OddsValues) is not None
    assert misfit({"risk": 1, "percent": "100 %"}, OddsValues) == "answer: OddsValues and the value differ in ['exact']"
    assert misfit({"risk": 1, "percent": "", "exact": None, "other": 1}, OddsValues) is not None


@pytest.mark.parametrize("said", [["Open ", [0, 4], ": so are 1,002 more."], [{"rows": [1, 2], "cols": [3]}, "."], []])
def test_a_sentence_is_words_and_cells(said: object) -> None:
    assert misfit(said, Sentence) is None


@pytest.mark.parametrize("said", ["Open 0,4.", ["Open 0,4."], ["so row 0, column 4 is"], [["0", "4"]], [{"rows": [1]}]])
def test_a_sentence_that_names_cells_in_words_is_none(said: object) -> None:
    assert misfit(said, Sentence) is not None
