"""A reviewed game as a self-contained HTML page: board, timeline, choices.

The page needs no network. The board is drawn by the geometry of its topology; a script, which is in the page, fills it
with the position before each move. Without scripts the page has the timeline, the sums and the moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from importlib.resources import files

from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.verdicts import BOUNDS, Judgement, MoveClass, Review, ReviewedMove
from satsweep.board import Cell
from satsweep.games.record import Action
from satsweep.render.board_geometry import LEFT, BoardGeometry
from satsweep.render.number_text import percent
from satsweep.render.review_text import chance_text, points, remarks, review_facts

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


def page_start(title: str) -> Iterator[str]:
    """The head of a page, and its heading."""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>{escape(title)}</title>\n<style>\n{_resource('review.css')}</style>\n</head>\n<body>\n<main>\n"
    yield f"<h1>{escape(title)}</h1>\n"


def _resource(name: str) -> str:
    return files("satsweep.render").joinpath(name).read_text("utf-8")


def review_page(review: Review, name: str) -> Iterator[str]:
    """Yield the page of a game."""
    yield from page_start(f"Review of {name}")
    facts = dict(review_facts(review))
    yield from _sums(review)
    yield '<div class="game">\n<section aria-label="Board">\n'
    yield from _board(review)
    yield from _controls(len(review.moves))
    yield '<div class="said" id="said" aria-live="polite"></div>\n'
    yield from _keys()
    yield "</section>\n<section>\n"
    if review.start is not None:
        yield from _timeline(review)
    yield from _moves(review)
    yield '<h2>Game</h2>\n<dl class="facts">\n'
    for key, value in facts.items():
        if key not in _SUMS:
            yield f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>\n"
    yield "</dl>\n"
    bounds = ", ".join(f"{kind.value} from {100 * bound}" for bound, kind in reversed(BOUNDS))
    yield '<p class="note">Classes by points of win chance that are given away:'
    yield f" best guess none, good less than 1, {bounds}; beside a safe cell at least {MoveClass.INACCURACY.value}."
    yield " Skill is what all choices gave away, luck what turned up was worth; it is nothing on average.</p>\n"
    yield "</section>\n</div>\n</main>\n"
    content = json.dumps(_game_values(review), separators=(",", ":")).replace("<", "\\u003c")
    yield f'<script type="application/json" id="game">{content}</script>\n'
    yield f"<script>\n{_resource('review.js')}</script>\n</body>\n</html>\n"


def _sums(review: Review) -> Iterator[str]:
    """Start, skill, luck and end in large type."""
    parts = {"start": review.start, "skill": review.skill, "luck": review.luck, "end": review.end}
    yield '<dl class="sums">\n'
    for key, value in parts.items():
        if value is not None:
            text = percent(value) if key in ("start", "end") else points(value)
            yield f"<div><dt>{_SUMS[key]}</dt><dd>{escape(text)}</dd></div>\n"
    outcome = "won" if review.record.won else "not won"
    yield f"<div><dt>Outcome</dt><dd>{outcome}</dd></div>\n</dl>\n"


def _board(review: Review) -> Iterator[str]:
    """The board with all cells covered, as a picture whose cells have numbers."""
    layout = review.record.layout
    geometry = BoardGeometry(layout.rows, layout.cols, layout.topology, left=LEFT, top=_TOP)
    width, height = geometry.left + geometry.width + 12, geometry.top + geometry.height + 12
    wide = " wide" if geometry.width > _NARROW * geometry.shape.across > 0 else ""
    yield f'<div class="board{wide}" tabindex="0">\n'
    yield f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="Position before the move that is chosen">\n'
    yield f'  <g class="background">\n{"".join(geometry.background())}  </g>\n'
    for row in range(layout.rows):
        for col in range(layout.cols):
            cell = Cell(row, col)
            x, y = geometry.middle(cell)
            mark = geometry.shape.drawn((x, y), ' class="mark"', _FRAME)
            yield f'  <g class="cell covered"><title>{cell}</title>'
            # The style sheet relies on the order: title, outline, mark, text.
            yield f'{geometry.outline(cell)}{mark}<text x="{x}" y="{y}"></text></g>\n'
    yield f"{''.join(geometry.cell_names())}</svg>\n</div>\n"


def _controls(moves: int) -> Iterator[str]:
    yield '<div class="steps">\n<button id="first">Start</button>\n'
    yield '<button id="back" aria-label="Choice before">◀</button>\n'
    yield f'<input type="range" id="step" min="0" max="{moves}" value="0" aria-label="Move">\n'
    yield '<button id="forth" aria-label="Next choice">▶</button>\n'
    yield '<button id="last">End</button>\n</div>\n'


def _keys() -> Iterator[str]:
    """The legend of the marks."""
    yield '<p class="keys">'
    for colour, text in (
        ("blunder", "opened"),
        ("best", "best, or opened and as good"),
        ("good", "certainly safe"),
        ("inaccuracy", "numbers that say so"),
    ):
        yield f'<span><i style="border-color: var(--{colour})"></i>{text}</span>'
    yield "</p>\n"


def _timeline(review: Review) -> Iterator[str]:
    """The win chance after each move, with a dot for each choice."""
    total = max(1, len(review.moves))
    heights = [float(review.start or 0)]
    for move in review.moves:
        heights.append(heights[-1] if move.after is None else float(move.after))
    pieces = [f"M0 {100 - 100 * heights[0]:.2f}"]
    for step, height in enumerate(heights[1:], 1):
        pieces.append(f"H{100 * step / total:.3f}V{100 - 100 * height:.2f}")
    path = "".join(pieces)
    yield "<h2>Win chance</h2>\n"
    yield '<div class="line"><svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" '
    yield f'aria-label="Win chance after each of {len(review.moves):,} moves">'
    yield f'<path class="area" d="{path}V100H0Z"/><path class="curve" d="{path}"/></svg>'
    for level in (0, 50, 100):
        yield f'<span style="bottom: {level}%">{level} %</span>'
    for move, judgement in review.judgements:
        kind = judgement.kind
        place = 100 * (move.number - 1) / total
        label = f"Move {move.number}: {kind.value}"
        yield f'<button class="dot {style_class(kind)}" data-step="{move.number - 1}" title="{label}" '
        yield f'style="left: {place:.3f}%; bottom: {100 * heights[move.number - 1]:.2f}%"></button>'
    yield '<div class="now" style="left: 0"></div>'
    yield f'<em style="left: 0">move 1</em><em style="right: 0">{len(review.moves):,}</em></div>\n'


def _moves(review: Review) -> Iterator[str]:
    """The choices as a table, with wrong flags among them."""
    yield '<h2>Choices</h2>\n<div class="moves" tabindex="0">\n<table>\n<thead><tr><th scope="col">move</th>'
    yield '<th scope="col">cell</th><th scope="col" class="left">class</th><th scope="col">risk</th>'
    yield '<th scope="col">least</th><th scope="col">chance</th><th scope="col">best</th><th scope="col">luck</th>'
    timed = any(move.seconds is not None for move in review.moves)
    yield f"{'<th scope=col>s</th>' if timed else ''}</tr></thead>\n<tbody>\n"
    for move in review.moves:
        if move.judgement is not None:
            yield _move_row(move, move.judgement, timed)
        elif move.wrong_flag:
            yield f'<tr data-step="{move.number - 1}"><td><button>{move.number}</button></td><td>{move.move.cell}</td>'
            yield '<td class="left kind mistake" colspan="6">wrong flag</td>'
            yield f"{_seconds(move)}</tr>\n" if timed else "</tr>\n"
    yield f'<tr data-step="{len(review.moves)}"><td colspan="{9 if timed else 8}" class="left">'
    yield "<button>End</button></td></tr>\n"
    yield "</tbody>\n</table>\n</div>\n"


def _move_row(move: ReviewedMove, judgement: Judgement, timed: bool) -> str:
    kind = judgement.kind
    more = "+" if len(judgement.cells) > 1 else ""
    luck = f"{100 * float(move.luck):+.1f}" if move.before is not None else "?"
    return (
        f'<tr data-step="{move.number - 1}"><td><button>{move.number}</button></td><td>{judgement.cells[0]}{more}</td>'
        f'<td class="left kind {style_class(kind)}">{kind.value}</td><td>{escape(_short(judgement.risk))}</td>'
        f"<td>{escape(_short(judgement.least_risk))}</td><td>{_short(judgement.chosen)}</td>"
        f"<td>{_short(judgement.possible)}</td><td>{luck}</td>{_seconds(move) if timed else ''}</tr>\n"
    )


def _short(value: Fraction | None) -> str:
    """A chance in percent, with one digit."""
    return "?" if value is None else f"{min(100.0, max(0.0, 100 * float(value))):.1f}"


def _seconds(move: ReviewedMove) -> str:
    return f"<td>{'' if move.seconds is None else f'{move.seconds:.1f}'}</td>"


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
