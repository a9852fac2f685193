"""Text of others: it steers no terminal and breaks no picture, whatever writes it."""

import json
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from satsweep import Layout, audit, play, review
from satsweep.agents import agent_named
from satsweep.assessment.collection import summary_of
from satsweep.board import Board
from satsweep.cli.renderers import RENDERERS, rendered
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.render import game_animation, influence as influence_drawn
from satsweep.render.review_page import review_page
from satsweep.render.transcript import game_header, game_lines
from satsweep.text import harmless
from satsweep.why.influence import chains

EVIL = "a\x1b]0;owned\x07\x1b[2J\x9b31m\r\x00\u202eb"
"""A name that sets the title, clears the screen, overwrites its line and turns the direction of text."""
HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
LAYOUT = Layout(("*....", "....*", "*....", "...*.", "....."), start=(0, 4))


def evil_record() -> Record:
    record = play(LAYOUT, agent_named("basic"), Rules(FirstClick.GIVEN))
    moves = []
    for move in record.moves:
        inference = move.inference and move.inference._replace(rule=EVIL)
        moves.append(move._replace(why=EVIL, inference=inference))
    return replace(record, agent=EVIL, moves=tuple(moves))


def named(answer: object) -> list[str]:
    """A renderer that quotes a text of others."""
    return [f"{answer}\n", EVIL]


def test_every_answer_of_every_command_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, formats in RENDERERS.items():
        for format in formats:
            monkeypatch.setitem(formats, format, f"{__name__}:named")
            for options in ({}, {"colour": True}):
                text = "".join(rendered(kind, format, EVIL, **options))
                assert text.count("owned") == 2 and not HARMFUL.search(text), (kind, format)


def test_names_in_records_are_harmless(subtests: pytest.Subtests) -> None:
    record = evil_record()
    found = review(record, kernels=False)
    answers: tuple[tuple[str, object, dict[str, Any]], ...] = (
        ("review", found, {"name": EVIL, "title": EVIL}),
        ("reviews", [summary_of(found, EVIL)], {"title": EVIL, "history": True}),
        ("chains", record, {"influence": chains(record), "source": EVIL, "seed": EVIL}),
        ("mine searches", [record], {"source": EVIL, "seed": EVIL}),
        ("audit", replace(audit("basic", [Board(("#1.",))]), agent=EVIL), {"noun": EVIL}),
    )
    for kind, answer, options in answers:
        for format in RENDERERS[kind]:
            with subtests.test(kind, format=format):
                text = "".join(rendered(kind, format, answer, **options))
                assert not HARMFUL.search(text)
                if format == "json":
                    json.loads(text)


def test_a_page_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    """In text, in a script, and in a picture."""
    found = review(evil_record(), kernels=False)
    text = review_page(found, title=EVIL)
    assert "owned" in text and not HARMFUL.search(text)


def test_pictures_and_transcripts_are_harmless() -> None:
    record = evil_record()
    for picture in (
        influence_drawn.to_svg(record, chains(record), EVIL),
        game_animation.animated_svg(record),
    ):
        text = "".join(picture)
        assert "owned" in text and not HARMFUL.search(text)
        ElementTree.fromstring(text)
    told = "".join([*game_header(EVIL, record.rules, record.layout), *game_lines(iter([]))])
    assert "owned" in told and not HARMFUL.search(told)


def test_colours_stay_where_they_are_asked_for() -> None:
    assert harmless("\x1b[1;31mred\x1b[0m\r\n\tnext", colours=True) == "\x1b[1;31mred\x1b[0m\r\n\tnext"
    assert harmless("\x1b[2Jred\x1b[0m", colours=True) == "\\x1b[2Jred\x1b[0m"
