"""A reviewed game as a self-contained HTML page: board, timeline, choices.

The page needs no network. The board is drawn by the geometry of its topology; a script, which is in the page, fills it
with the position before each move. Without scripts the page has the timeline, the sums and the moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from markupsafe import Markup

from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.verdicts import BOUNDS, MoveClass, Review, ReviewedMove
from satsweep.board import Cell
from satsweep.games.record import Action
from satsweep.pages import page_of
from satsweep.render.board_geometry import LEFT, BoardGeometry
from satsweep.render.elements import add, element, svg_text
from satsweep.render.number_text import percent
from satsweep.render.review_text import chance_text, points, remarks, review_facts
from satsweep.render.svg_parts import with_tip

_TOP = 40
_FRAME = 3
"""Distance of a mark from the edge of its cell."""
_NARROW = 16
"""Most columns of a board that fits a telephone."""
SHORT = {MoveClass.BEST: "best"}
"""Names of classes in the style sheet that are not those of people."""
_SUMS = {"start": "Win chance at the start", "skill": "Skill", "luck": "Luck", "end": "End"}


def style_class(kind: MoveClass) -> str:
    """The name of a class of moves in the style sheet."""
    return SHORT.get(kind, kind.value)


def review_page(review: Review, name: str) -> str:
    """The page of a game."""
    rows = [row for move in review.moves for row in _row(move)]
    path, dots = _timeline(review) if review.start is not None else ("", [])
    return page_of(
        "review.html",
        title=f"Review of {name}",
        sums=list(_sums(review)),
        moves=len(review.moves),
        path=path,
        dots=dots,
        timed=any(move.seconds is not None for move in review.moves),
        rows=rows,
        facts=[(key, value) for key, value in review_facts(review) if key not in _SUMS],
        bounds=", ".join(f"{kind.value} from {100 * bound}" for bound, kind in reversed(BOUNDS)),
        guessed=MoveClass.INACCURACY.value,
        game=_game_values(review),
        **_board(review),
    )


def _sums(review: Review) -> Iterator[tuple[str, str]]:
    """Start, skill, luck and end, which are in large type."""
    parts = {"start": review.start, "skill": review.skill, "luck": review.luck, "end": review.end}
    for key, value in parts.items():
        if value is not None:
            yield _SUMS[key], percent(value) if key in ("start", "end") else points(value)
    yield "Outcome", "won" if review.record.won else "not won"


def _board(review: Review) -> dict[str, object]:
    """The board with all cells covered, as a picture whose cells have numbers."""
    layout = review.record.layout
    geometry = BoardGeometry(layout.rows, layout.cols, layout.topology, left=LEFT, top=_TOP)
    width, height = geometry.left + geometry.width + 12, geometry.top + geometry.height + 12
    described = "Position before the move that is chosen"
    drawn = element("svg", viewBox=f"0 0 {width} {height}", role="img", aria_label=described)
    geometry.background(add(drawn, "g", class_="background"))
    for row in range(layout.rows):
        for col in range(layout.cols):
            x, y = geometry.middle((row, col))
            # The style sheet relies on the order: title, outline, mark, text.
            group = with_tip(drawn, str(Cell(row, col)))
            group.set("class", "cell covered")
            geometry.outline(group, (row, col))
            geometry.shape.draw(group, (x, y), _FRAME, class_="mark")
            add(group, "text", x=x, y=y)
    geometry.cell_names(drawn)
    wide = geometry.width > _NARROW * geometry.shape.across > 0
    return {"board": Markup(svg_text(drawn)), "wide": wide}


def _timeline(review: Review) -> tuple[str, list[dict[str, object]]]:
    """The win chance after each move as a path, with a dot for each choice."""
    total = max(1, len(review.moves))
    heights = [float(review.start or 0)]
    for move in review.moves:
        heights.append(heights[-1] if move.after is None else float(move.after))
    pieces = [f"M0 {100 - 100 * heights[0]:.2f}"]
    for step, height in enumerate(heights[1:], 1):
        pieces.append(f"H{100 * step / total:.3f}V{100 - 100 * height:.2f}")
    dots: list[dict[str, object]] = [
        {
            "class": style_class(judgement.kind),
            "kind": judgement.kind.value,
            "step": move.number - 1,
            "left": f"{100 * (move.number - 1) / total:.3f}",
            "bottom": f"{100 * heights[move.number - 1]:.2f}",
        }
        for move, judgement in review.judgements
    ]
    return "".join(pieces), dots


def _row(move: ReviewedMove) -> Iterator[dict[str, object]]:
    """The row of a choice, or of a wrong flag, in the table."""
    seconds = "" if move.seconds is None else f"{move.seconds:.1f}"
    row: dict[str, object] = {"step": move.number - 1, "seconds": seconds}
    judgement = move.judgement
    if judgement is not None:
        more = "+" if len(judgement.cells) > 1 else ""
        luck = f"{100 * float(move.luck):+.1f}" if move.before is not None else "?"
        chances = (judgement.risk, judgement.least_risk, judgement.chosen, judgement.possible)
        row |= {"cell": f"{judgement.cells[0]}{more}", "kind": judgement.kind.value}
        yield row | {"class": style_class(judgement.kind), "cells": [*map(_short, chances), luck]}
    elif move.wrong_flag:
        yield row | {"cell": move.move.cell, "kind": "wrong flag", "class": "mistake", "cells": []}


def _short(value: Fraction | None) -> str:
    """A chance in percent, with one digit."""
    return "?" if value is None else f"{min(100.0, max(0.0, 100 * float(value))):.1f}"


def _game_values(review: Review) -> dict[str, object]:
    """The game as the script needs it."""
    layout = review.record.layout
    losses = [(float(judgement.loss or 0), -move.number) for move, judgement in review.judgements]
    return {
        "mines": [index for index, symbol in enumerate(layout.symbols) if symbol == "*"],
        "moves": [_step_values(review, move) for move in review.moves],
        "end": [f"The end: {review.record.outcome.why}."],
        "first": -max(losses)[1] - 1 if losses else 0,
    }


def _step_values(review: Review, move: ReviewedMove) -> dict[str, object]:
    layout, own, judgement = review.record.layout, move.move, move.judgement
    found: dict[str, object] = {
        "action": own.action.value,
        "cell": layout.index(own.cell),
        "shows": [[layout.index(cell), "*" if number is None else str(number)] for cell, number in own.revealed],
        "choice": judgement is not None or move.wrong_flag,
        "cells": [layout.index(own.cell)],
        "missed": [],
        "clues": [],
        "best": None,
        "fine": judgement is None,
        "said": list(_said(move)),
    }
    if judgement is not None:
        reason = overlooked(judgement)
        found["cells"] = [layout.index(cell) for cell in judgement.cells]
        found["missed"] = [layout.index(cell) for cell, _ in judgement.missed]
        found["clues"] = [layout.index(cell) for cell in reason.clues] if reason else []
        found["best"] = layout.index(judgement.best) if judgement.best is not None and not judgement.missed else None
        found["fine"] = judgement.kind in (MoveClass.BEST, MoveClass.GOOD)
    return found


def _said(move: ReviewedMove) -> Iterator[str]:
    """Sentences about a move."""
    own, judgement = move.move, move.judgement
    if judgement is None:
        if own.action is not Action.OPEN:
            wrong = " It is wrong: the cell is no mine." if move.wrong_flag else ""
            yield f"Move {move.number}: {own.action.value} {own.cell}.{wrong}"
        elif move.kind is MoveClass.FORCED:
            technique = f", by {move.technique.value}" if move.technique else ""
            yield f"Move {move.number}: {own.cell} was certainly safe{technique}."
        else:
            yield f"Move {move.number}: {own.cell}."
        return
    risk = f"risk {percent(judgement.risk)}, least {percent(judgement.least_risk)}"
    yield f"Move {move.number}: {' and '.join(map(str, judgement.cells))}, {judgement.kind.value} ({risk})."
    if judgement.chosen is not None:
        about = "" if judgement.exact else "about "
        error = f" ± {100 * float(judgement.error):.1f}" if judgement.error else ""
        yield (
            f"It wins with {about}{chance_text(judgement.chosen)}, the best choice with "
            f"{about}{chance_text(judgement.possible)}{error}. Luck: {points(move.luck)}."
        )
    yield from remarks(move, judgement)
