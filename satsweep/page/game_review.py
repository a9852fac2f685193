"""Reviews of games for the page, of files or of its user, and files of the latter.

A review is that of ``satsweep review --json``, with all that the page needs to draw the game. Without kernels win
chances are known near the end of a game and on small boards alone.
"""

import json
import time
from typing import cast

from satsweep.assessment.review import review
from satsweep.assessment.verdicts import Review
from satsweep.clicks.fewest import FewestClicks, bounds
from satsweep.errors import BoardError
from satsweep.formats import rawvf, read_game_content, records
from satsweep.formats.strict import Node
from satsweep.games.modes import STANDARD
from satsweep.games.record import Record
from satsweep.games.rules import Redraw
from satsweep.page.game_values import (
    AskedReviewValues,
    FewestClicksValues,
    ReviewedValues,
)
from satsweep.page.games import PROGRESS_SECONDS, clicks_of, layout_of, played_by_user
from satsweep.page.questions import Limits, Question, SendPart, content_of
from satsweep.page.values import TextWrittenValues
from satsweep.render.page_values import fewest_values, reviewed_values

CLICKS_SECONDS = 60
"""Seconds of the search for the fewest clicks at most."""


def review_game(question: Question, limits: Limits, send: SendPart) -> ReviewedValues:
    """The review of a game: of a file (``text`` or ``base64``), or of ``moves``.

    The moves are those of ``animate``. The answer is that of ``schemas/review.schema.json`` for one game, with the
    layout, facts and verdicts in words, and the cells that each move opened with their symbols. For a file ``asked``
    has the fields that ask for the same review again, None if clicks cannot make its moves.
    """
    if "moves" in question.fields:
        return answer_of(review(played_by_user(question, limits)))
    found = read_game_content(content_of(question))
    limits.check(found.layout.rows, found.layout.cols)
    asked = asked_of(found)
    clicked = _clicked(asked, found, limits)
    if clicked is None:
        return {**answer_of(review(found)), "asked": None}
    return {**answer_of(review(clicked)), "asked": asked}


def written_game(played: Record) -> TextWrittenValues:
    """A game of clicks as a file."""
    if played.rules.redraw is not Redraw.NEVER:
        return {"text": records.to_json(played), "suffix": ".json", "inline": False}
    return {"text": rawvf.write_game(played), "suffix": ".rawvf", "inline": False}


def fewest(question: Question, limits: Limits, send: SendPart) -> FewestClicksValues:
    """The fewest clicks that clear a layout, from a ``start`` or any first cell.

    The search takes ``seconds`` at most. Parts have the ``lower`` bound, and all that the answer has once there are
    fewer clicks: the ``path`` has pairs of a click and the index of its cell, ``made`` the number of clicks of each
    kind in words.
    """
    layout = layout_of(question, limits)
    seconds = question.get("seconds", Node.integer, CLICKS_SECONDS)
    if not 0 <= seconds <= CLICKS_SECONDS:
        question.fields["seconds"].fail(f"expected 0 to {CLICKS_SECONDS} seconds")
    told: FewestClicks | None = None
    sent = time.monotonic()
    starts = [question.fields["start"].cell()] if "start" in question.fields else []
    for found in bounds(layout, starts, seconds=seconds):
        is_better = told is None or found.upper < told.upper
        if is_better or time.monotonic() - sent > PROGRESS_SECONDS:
            send(clicks_values(found) if is_better else {"lower": found.lower})
            told, sent = found, time.monotonic()
    return clicks_values(found)


def clicks_values(found: FewestClicks) -> FewestClicksValues:
    """The fewest clicks of a layout as an answer."""
    return cast(FewestClicksValues, fewest_values(found))


def answer_of(found: Review) -> ReviewedValues:
    """A review as an answer."""
    return cast(ReviewedValues, reviewed_values(found))


def asked_of(found: Record) -> AskedReviewValues:
    """The fields of a question about the clicks of a record, but for its kind."""
    asked: AskedReviewValues = {
        "layout": str(found.layout),
        "rules": json.loads(json.dumps(found.rules.to_values())),
        "player": found.agent,
        "outcome": found.outcome.value,
        "moves": clicks_of(found),
    }
    if found.clue_seed is not None:
        asked["clue_seed"] = found.clue_seed
    if found.mode != STANDARD:
        asked["mode"] = found.mode
    return asked


def _clicked(asked: AskedReviewValues, found: Record, limits: Limits) -> Record | None:
    """The record of the clicks, None if its moves are others."""
    question = Question.of(json.dumps({"id": 0, "ask": "review_game", **asked}))
    try:
        clicked = played_by_user(question, limits)
    except BoardError:
        return None
    same = [[(move.action, move.cell, move.revealed) for move in record.moves] for record in (clicked, found)]
    return clicked if same[0] == same[1] and clicked.outcome is found.outcome else None
