"""Analyses and explanations of a board as text, JSON and SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.analysis.candidates import Candidate
    from satsweep.board import Board
    from satsweep.formats import FileContent, Reading
    from satsweep.questions.recount import Check, CrossCheck
    from satsweep.why.values import Explanation, Undecided

MAX_GUESSES = 10
"""Number of guesses that are ranked."""


def total_missing(board: Board) -> Iterator[str]:
    """A line on a board without mine total and density, with the usual total."""
    if board.mines is None and board.density is None and board.covered:
        from satsweep.games.deal import LEVELS
        from satsweep.topology import SQUARE

        sizes = {(rows, cols): f"; --mines {mines} for {level}" for level, (rows, cols, mines) in LEVELS.items()}
        usual = sizes.get((board.rows, board.cols), "") if board.topology == SQUARE and not board.part else ""
        yield f"no mine total given: every world counts alike{usual or '; --mines N for a total'}\n\n"


# --- solve


@dataclass(frozen=True)
class SolvedBoard:
    """Analysis of a board, and what was asked for beside it.

    ``explanations`` are None unless asked for, like the recount; ``stages`` asks for what each stage has forced,
    ``deep`` for the chances to win. ``source`` is the file of a board that was read from a picture.
    """

    analysis: Analysis
    explanations: Sequence[Explanation] | None = None
    recount: CrossCheck | None = None
    stages: bool = False
    deep: bool = False
    source: FileContent | None = None


def solved_to_text(
    solved: SolvedBoard, *, exact: bool = False, width: int | None = None, colour: bool = False
) -> Iterator[str]:
    from satsweep.render import to_colour, to_text

    analysis = solved.analysis
    yield from total_missing(analysis.board)
    yield from (to_colour if colour else to_text)(analysis, exact=exact, width=width, stages=solved.stages)
    yield from _win_lines(analysis, exact=exact) if solved.deep else ()
    yield from _recount_lines(solved.recount) if solved.recount is not None else ()
    if solved.explanations:
        from satsweep.render.explanation_text import explanation_paragraphs

        yield "\n"
        yield from explanation_paragraphs(solved.explanations, width)


def solved_to_json(solved: SolvedBoard, *, remarks: Sequence[str] = ()) -> Iterator[str]:
    from satsweep.render import to_json
    from satsweep.render.board_text import nothing_covered
    from satsweep.render.stage_text import stage_values

    analysis = solved.analysis
    more: dict[str, object] = {"stages": stage_values(analysis)} if solved.stages else {}
    if solved.explanations is not None:
        from satsweep.render.explanation_text import explanation_values

        more["reasons"] = [explanation_values(explanation) for explanation in solved.explanations]
    if solved.recount is not None:
        more["cross_check"] = _recount_values(solved.recount)
    if solved.deep:
        from satsweep.analysis.endgame import best_play
        from satsweep.render.advice_text import best_play_values

        tree = best_play(analysis, analysis.best)
        more["best_play"] = None if tree is None else best_play_values(tree)
    if said := [*remarks, *filter(None, [nothing_covered(analysis.board)])]:
        more["remarks"] = said
    yield from to_json(analysis, more=more)


def solved_to_svg(solved: SolvedBoard, *, exact: bool = False) -> Iterator[str]:
    from satsweep.render import to_svg

    yield from to_svg(solved.analysis, exact=exact)


def painted_svg(solved: SolvedBoard) -> Iterator[str]:
    from satsweep.render.painted_picture import to_svg

    yield to_svg(*_painted(solved))


def painted_png(solved: SolvedBoard) -> bytes:
    from satsweep.render.painted_picture import to_png

    return to_png(*_painted(solved))


def _painted(solved: SolvedBoard) -> tuple[bytes, Reading, Analysis]:
    source = solved.source
    assert source is not None and isinstance(source.content, bytes) and source.reading is not None
    return source.content, source.reading, solved.analysis


def _win_lines(analysis: Analysis, *, exact: bool) -> Iterator[str]:
    """Guesses with their chances to win, and the tree of best play, if known."""
    from satsweep.analysis.endgame import best_play
    from satsweep.render.advice_text import best_play_lines
    from satsweep.render.explanation_text import ranking_table

    if ranked := analysis.advice.guesses[:MAX_GUESSES]:
        yield "\n"
        yield from ranking_table(ranked, exact=exact)
        if analysis.advice.kind == "estimate":
            yield "chances to win are estimates of the deep player, which searches ahead and plays on in drawn worlds\n"
    if (tree := best_play(analysis, analysis.best)) is not None:
        yield "\n"
        yield from best_play_lines(tree)


def _recount_values(recount: CrossCheck) -> dict[str, object]:
    from satsweep.render.number_text import digits

    def values(check: Check) -> dict[str, object]:
        ways = None if check.ways is None else digits(check.ways)
        return {"cells": check.cells, "how": [how.value for how in check.how], "ways": ways}

    return {
        "complete": recount.complete,
        "components": [values(check) for check in recount.components],
        "board": [values(check) for check in recount.board],
    }


def _recount_lines(recount: CrossCheck) -> Iterator[str]:
    for checks, name in ((recount.components, "components"), (recount.board, "board")):
        methods = [" and ".join(how.value for how in check.how) or "not checked" for check in checks]
        counts = ", ".join(f"{methods.count(method):,} {method}" for method in dict.fromkeys(methods))
        yield f"{'cross-check':<16}{name}: {counts or 'nothing to count'}\n"


# --- explain


def cell_to_text(answer: Explanation | Undecided, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    from satsweep.render.explanation_text import to_text
    from satsweep.why.values import Undecided

    if isinstance(answer, Undecided):
        yield from total_missing(answer.board)
    yield from to_text(answer, exact=exact, width=width)


@dataclass(frozen=True)
class ExplainedBoard:
    """Analysis of a board, with explanations of its forced cells and its guesses."""

    analysis: Analysis
    explanations: Sequence[Explanation]

    @property
    def ranked(self) -> tuple[tuple[Candidate, ...], ...]:
        """The best guesses, equal ones together."""
        return self.analysis.advice.guesses[:MAX_GUESSES]


def explained_to_text(explained: ExplainedBoard, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    from satsweep.render.explanation_text import explanation_paragraphs, ranking_table

    analysis, forced = explained.analysis, explained.explanations
    yield from explanation_paragraphs(forced, width)
    if explained.ranked:
        yield "\n" if forced else ""
        yield from total_missing(analysis.board)
        yield "no cell is known to be safe; the best guesses:\n\n"
        yield from ranking_table(explained.ranked, exact=exact)
    elif not forced:
        yield "no covered cell is left\n" if analysis.complete else "nothing is forced\n"


def explained_to_json(explained: ExplainedBoard, *, remarks: Sequence[str] = ()) -> Iterator[str]:
    from satsweep.render.explanation_text import forced_to_json

    yield from forced_to_json(explained.explanations, explained.ranked, remarks=remarks)


def explained_to_svg(explained: ExplainedBoard, *, exact: bool = False) -> Iterator[str]:
    from satsweep.render.explanation_svg import forced_to_svg, ranking_to_svg

    if explained.ranked:
        yield from ranking_to_svg(explained.analysis, explained.ranked, exact=exact)
    else:
        yield from forced_to_svg(explained.analysis, explained.explanations)
