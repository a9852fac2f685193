"""Sentences: texts that remember which cells they name."""

import copy
import json
import pickle

import pytest

from satsweep.sentence import CellName, Sentence, capitalised, joined, named

BLOCK = CellName("rows 1 and 2, column 3", (1, 2), (3,))


def test_a_sentence_is_its_text() -> None:
    said = Sentence("Open ", named((0, 4)), " or ", BLOCK)
    assert said == "Open 0,4 or rows 1 and 2, column 3" and type(str(said)) is str
    assert (json.dumps(said), f"{said}", repr(said)) == (f'"{said}"', str(said), repr(str(said)))
    assert hash(said) == hash(str(said)) and Sentence() == "" and not Sentence("", "")


def test_its_parts_are_words_and_places_in_turn() -> None:
    inner = Sentence("so are ", BLOCK, " and", "")
    said = Sentence("Open ", "", named((0, 4)), ", ", inner, " more", "")
    assert said.parts == ("Open ", "0,4", ", so are ", BLOCK, " and more")
    places = [(part.rows, part.cols) for part in said.parts if isinstance(part, CellName)]
    assert places == [((0,), (4,)), ((1, 2), (3,))]
    assert joined([BLOCK, "x", "y"], ", ").parts == (BLOCK, ", x, y") and joined([]).parts == ()
    assert Sentence(BLOCK, BLOCK).parts == (BLOCK, BLOCK)


def test_a_place_may_begin_a_sentence() -> None:
    said = capitalised(Sentence(BLOCK, " are safe"))
    first = said.parts[0]
    assert said == "Rows 1 and 2, column 3 are safe" and isinstance(first, CellName)
    assert (first.rows, first.cols) == (BLOCK.rows, BLOCK.cols)
    assert capitalised("a 1 or 2").parts == ("A 1 or 2",) and capitalised("").parts == ()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_processes_hand_sentences_on_with_their_parts(again: object) -> None:
    assert callable(again)
    found = again(Sentence("Open ", BLOCK))
    assert isinstance(found, Sentence) and found == f"Open {BLOCK}" and found.parts == ("Open ", BLOCK)
    (_, place) = found.parts
    assert isinstance(place, CellName) and (place.rows, place.cols) == (BLOCK.rows, BLOCK.cols)
