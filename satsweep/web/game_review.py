"""Reviews of games for the page: of a file, or of the user's game.

Both become a record, so the answer is that of ``satsweep review --json``, with all that the page needs to draw the
game. Nothing waits for kernels: where they are not loaded win chances are known near the end of a game alone. Without
numpy, as in a browser, there is no such review; the page then shows that of ``played``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from satsweep.errors import BoardError
from satsweep.formats import read_game_content
from satsweep.solver import is_installed
from satsweep.web.games import played_by_user, shown_symbol
from satsweep.web.questions import Limits, Question, SendPart, Values, content_of

if TYPE_CHECKING:
    from satsweep.assessment.verdicts import Review
    from satsweep.games.record import Record


def review_game(question: Question, limits: Limits, send: SendPart) -> Values:
    """The review of a game: of a file (``text`` or ``base64``), or of ``moves``.

    The moves are those of ``animate``. The answer is that of ``schemas/review.schema.json`` for one game, with the
    layout, facts and verdicts in words, and the cells that each move opened with their symbols.
    """
    if "moves" in question.fields:
        return answer_of(_review(played_by_user(question, limits)))
    record = read_game_content(content_of(question))
    limits.check(record.layout.rows, record.layout.cols)
    return answer_of(_review(record))


def _review(record: Record) -> Review:
    """The review of a record. Raises BoardError without numpy."""
    if not is_installed("numpy"):
        raise BoardError("this review needs numpy, which is not installed here")
    from satsweep.assessment.review import ROLLED, review

    return review(record, rolled=ROLLED)


def answer_of(found: Review) -> Values:
    """A review as an answer."""
    from satsweep.render.review_json import review_values
    from satsweep.render.review_text import move_in_words, review_facts

    values = review_values(found)
    for move, told in zip(found.moves, values["moves"], strict=True):
        told["said"] = move_in_words(move)
        told["opened"] = [[found.record.layout.index(cell), shown_symbol(n)] for cell, n in move.move.revealed]
    return {**values, "layout": found.record.layout.cells, "facts": [list(fact) for fact in review_facts(found)]}
