"""Missed cells of an audit, with their arguments, in words, JSON and pictures."""

from collections.abc import Iterator
from itertools import chain

from satsweep.oracle.lessons import Lesson, MissedCell, lessons_of
from satsweep.oracle.report import Audit
from satsweep.render.board_text import bracketed_lines, header_lines, variant_fields
from satsweep.render.explanation_svg import to_svg


def lesson_lines(lesson: Lesson) -> Iterator[str]:
    """A lesson in words, with its examples."""
    say = str(lesson)
    yield f"{say[0].upper()}{say[1:]}{'.' if not lesson.examples else '. For example:'}"
    for example in lesson.examples:
        yield ""
        yield from missed_lines(example)


def missed_lines(example: MissedCell) -> Iterator[str]:
    """A missed cell on its board, and the argument for it.

    >>> from satsweep.oracle.lessons import reasoned
    >>> from satsweep.oracle.report import Missed
    >>> from satsweep.board import Board, Cell
    >>> from satsweep.techniques import Technique
    >>> missed = Missed(Board(("#1.",)), Cell(0, 0), True, Technique.SINGLE)
    >>> print(*missed_lines(reasoned(missed)), sep="\\n")
      0 1 2
    0[#]1 .
    0,0 is a mine (single point):
    The 1 at row 0, column 1 needs one mine and has only one cell for it, so row 0, column 0 is a mine.
    """
    board, cell, mine, _ = example.missed
    yield from bracketed_lines(board, board.cells, [cell])
    yield from header_lines(board)
    yield f"{cell} is {'a mine' if mine else 'safe'} ({example.argument.rule}):"
    yield from example.argument.sentences


def lessons_values(audit: Audit, each: int) -> Iterator[dict[str, object]]:
    """JSON values of the lessons, the examples with their arguments."""
    for lesson in lessons_of(audit, each):
        yield {
            "technique": lesson.technique.value,
            "missed": lesson.missed,
            "forced": lesson.forced,
            "examples": list(map(_values, lesson.examples)),
        }


def _values(example: MissedCell) -> dict[str, object]:
    board, cell, mine, _ = example.missed
    argument = example.argument
    return {
        "cell": cell,
        "mine": mine,
        "technique": argument.technique.value,
        "rule": argument.rule,
        "clues": argument.clues,
        "total": argument.total,
        "why": argument.sentences,
        "mines": board.mines,
        "topology": board.topology.name,
        **variant_fields(board.topology, board.clues),
        "board": board.cells,
    }


def missed_picture(example: MissedCell) -> str:
    """SVG of a missed cell: its board, its numbers, and the argument."""
    return "".join(chain(to_svg(example.explanation)))


def lessons_on_page(audit: Audit, each: int) -> list[dict[str, object]]:
    """Lessons for a template: headings, and pictures of the examples."""
    from markupsafe import Markup

    return [
        {
            "heading": f"{str(lesson)[0].upper()}{str(lesson)[1:]}",
            "examples": [Markup(missed_picture(example)) for example in lesson.examples],
        }
        for lesson in lessons_of(audit, each)
    ]
