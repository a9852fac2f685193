"""Checks of arguments, and how the values of others are shown."""

import ast
import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import satsweep
from satsweep import Board, Cell
from satsweep.arguments import short_repr
from satsweep.errors import AgentError
from satsweep.games.agent import Deduction, Guess, Inference, risks_of
from satsweep.games.rules import FirstClick

NESTED = 20
"""Levels of pairs that share their items: their ``repr`` has some 5 million characters."""


def shared_pairs() -> object:
    pair: object = ()
    for _ in range(NESTED):
        pair = (pair, pair)
    return pair


class Unwilling:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "value",
    [
        None, 1, -2.5, True, "a'b", b"xy", (), (1,), (1, "b"), [], [1, [2]], {}, {"a": 1, (2,): [3]}, set(), {4},
        frozenset(), frozenset({5}), Cell(1, 2), Guess(Cell(0, 1)), Deduction((Cell(0, 0),), why={}), Fraction(1, 3),
        Board(("1#",)), range(4), FirstClick.ZERO, Inference("a rule", (Cell(0, 0),)),
    ],
)  # fmt: skip
def test_the_short_form_begins_like_the_repr(value: object) -> None:
    for most in (1, 5, 20, 80):
        assert short_repr(value, most) == repr(value)[:most]


def test_what_has_no_repr_is_shown_by_its_class() -> None:
    assert [short_repr(Unwilling()), short_repr((10**5000, 1), 30)] == ["<Unwilling>", "(<int>, 1)"]


def pairs_of(pair: object) -> Any:
    return [(pair, ("rule", ()))]


def words_of(pair: object) -> Any:
    return {Cell(0, 1): (pair, ())}


ANSWERS: dict[str, Callable[[Any, Board], object]] = {
    "claims": lambda pair, board: Deduction.of(pair, board),
    "cells": lambda pair, board: Deduction.of(([pair], []), board),
    "cells of a deduction": lambda pair, board: Deduction.of(Deduction(safe=pair), board),
    "evaluations": lambda pair, board: Deduction.of(Deduction(evaluations=pair), board),
    "reasons": lambda pair, board: Deduction.of(Deduction(why=pairs_of(pair)), board),
    "guess": lambda pair, board: Guess.of(pair, board),
    "stated risk": lambda pair, board: Guess.of(Guess(Cell(0, 1), "", pair), board),
    "risks": lambda pair, board: risks_of([(pair, 1)], board),
    "risk": lambda pair, board: risks_of({(0, 1): pair}, board),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_no_more_of_an_answer_is_read_than_is_shown(answer: str) -> None:
    pair, board = shared_pairs(), Board(("1#",), mines=1)
    tracemalloc.start()
    try:
        with pytest.raises(AgentError) as caught:
            ANSWERS[answer](pair, board)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 250
    assert most < 200_000


def test_words_that_are_no_text_are_shown_shortened() -> None:
    pair: Any = shared_pairs()
    assert len(Deduction.of(Deduction(why=words_of(pair))).why[Cell(0, 1)].rule) == 80
    guess = Guess.of(Guess(Cell(0, 1), pair), Board(("1#",), mines=1))
    assert guess is not None
    assert len(guess.why) == 80


def cut_after_the_repr(folder: Path) -> Iterator[str]:
    """Places of ``{value!r:.80}``, which makes the whole ``repr`` first."""
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "!r" in text or "repr" in text else ():
            match node:
                case ast.FormattedValue(conversion=114, format_spec=ast.JoinedStr()):
                    yield f"{file.relative_to(folder)}:{node.lineno}"
                case ast.Subscript(value=ast.Call(func=ast.Name(id="repr"))):
                    yield f"{file.relative_to(folder)}:{node.lineno}"


def test_a_repr_is_shortened_by_one_function() -> None:
    assert list(cut_after_the_repr(Path(satsweep.__file__).parent)) == []
