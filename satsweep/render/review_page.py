"""Reviewed games as self-contained HTML pages.

The page of one game has its board, its timeline and its choices; that of many has sums, trends and games. A page
needs no network. The board is drawn by the geometry of its topology; a script, which is in the page, fills it with
the position before each move. Without scripts the page has the timeline, the sums and the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import isfinite
from os.path import commonprefix
from typing import TYPE_CHECKING

from satsweep.assessment.collection import (
    CollectionSummary,
    GameSummary,
    Mean,
    by_month,
    collection_of,
)
from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.verdicts import VERDICTS, MoveClass, Review, ReviewedMove
from satsweep.board import Cell
from satsweep.clicks.fewest import FewestClicks
from satsweep.clicks.made import GameClicks
from satsweep.games.record import Action
from satsweep.render.board_geometry import LEFT, BoardGeometry, add, element, svg_text
from satsweep.render.board_svg import with_tip
from satsweep.render.clicks import click_in_words, game_clicks_facts
from satsweep.render.number_text import signed, tenths
from satsweep.render.review_text import collection_facts, move_in_words, review_facts, summary_in_words
from satsweep.render.templates import page_of

if TYPE_CHECKING:
    from markupsafe import Markup

_TOP = 40
_FRAME = 3
"""Distance of a mark from the edge of its cell."""
_NARROW = 16
"""Most columns of a board that fits a telephone."""
_SUMS = {"start": "Win chance at the start", "skill": "Skill", "luck": "Luck", "end": "End"}


def review_page(review: Review, title: str, best: FewestClicks | None = None) -> str:
    """The page of a game; ``best`` are the fewest clicks that clear its board."""
    clicks = review.clicks
    rows = [row for move in review.moves for row in _row(move)]
    path, dots = _timeline(review) if review.start is not None else ("", [])
    return page_of(
        "review.html",
        title=title,
        sums=list(_sums(review)),
        summary=summary_in_words(review),
        moves=len(review.moves),
        path=path,
        dots=dots,
        timed=any(move.seconds is not None for move in review.moves),
        rows=rows,
        facts=[
            *((key, value) for key, value in review_facts(review) if key not in _SUMS),
            *(game_clicks_facts(clicks, best) if clicks is not None else ()),
        ],
        bounds=", ".join(f"{kind.value} from {100 * own.loss} %" for kind, own in VERDICTS.items() if own.loss),
        guessed=MoveClass.INACCURACY.value,
        game=_game_values(review, clicks),
        **_board(review),
    )


def _sums(review: Review) -> Iterator[tuple[str, str]]:
    """Start, skill, luck and end, which are in large type."""
    yield from ((_SUMS[key], value) for key, value in review_facts(review) if key in _SUMS)
    yield "Outcome", "won" if review.record.won else "not won"


def _board(review: Review) -> dict[str, object]:
    """The board with all cells covered, as a picture whose cells have numbers."""
    from markupsafe import Markup

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
            "class": VERDICTS[judgement.kind].style,
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
        luck = signed(move.luck) if move.before is not None else "?"
        chances = (judgement.risk, judgement.least_risk, judgement.chosen, judgement.possible)
        row |= {"cell": f"{judgement.cells[0]}{more}", "kind": judgement.kind.value}
        yield row | {"class": VERDICTS[judgement.kind].style, "cells": [*map(_short, chances), luck]}
    elif move.wrong_flag:
        yield row | {"cell": move.move.cell, "kind": "wrong flag", "class": "mistake", "cells": []}


def _short(value: Fraction | None) -> str:
    return "?" if value is None else tenths(value)


def _game_values(review: Review, clicks: GameClicks | None) -> dict[str, object]:
    """The game as the script needs it."""
    layout = review.record.layout
    losses = [(float(judgement.loss or 0), -move.number) for move, judgement in review.judgements]
    return {
        "mines": [index for index, symbol in enumerate(layout.symbols) if symbol == "*"],
        "moves": [_step_values(review, move, clicks) for move in review.moves],
        "end": [f"The end: {review.record.outcome.why}."],
        "first": -max(losses)[1] - 1 if losses else 0,
    }


def _step_values(review: Review, move: ReviewedMove, clicks: GameClicks | None) -> dict[str, object]:
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
    if clicks is not None and (click := clicks.by_move[move.number - 1]) is not None:
        found["said"] = [*_said(move), click_in_words(click, clicks.bv)]
    if judgement is not None:
        reason = overlooked(judgement)
        found["cells"] = [layout.index(cell) for cell in judgement.cells]
        found["missed"] = [layout.index(cell) for cell, _ in judgement.missed]
        found["clues"] = [layout.index(cell) for cell in reason.argument.clues] if reason else []
        found["best"] = layout.index(judgement.best) if judgement.best is not None and not judgement.missed else None
        found["fine"] = not VERDICTS[judgement.kind].is_fault
    return found


def _said(move: ReviewedMove) -> Iterator[str]:
    """Sentences about a move."""
    own = move.move
    cells = " and ".join(map(str, move.judgement.cells if move.judgement else (own.cell,)))
    doing = f"{own.action.value} {cells}" if own.action is not Action.OPEN else cells
    yield f"Move {move.number}: {doing}."
    if said := move_in_words(move):
        yield said


WIDTH, HEIGHT, MARGIN, BOTTOM = 640, 190, 52, 28
_FAULTS = {kind: own.style for kind, own in VERDICTS.items() if own.is_fault}
MOST_GAMES = 500
"""Games of the table; of more the costliest moves are shown."""


def history_page(games: Iterable[GameSummary], title: str) -> str:
    """The page of some games; those without a date are in no month."""
    rows = list(games)
    sums, months = collection_of(rows), by_month(rows)
    trends = [
        (f"{caption}, {unit}" if unit else caption, {month: mean_of(own) for month, own in months.items()})
        for caption, unit, mean_of in _TRENDS
    ]
    return page_of(
        "history.html",
        title=title,
        sums=list(_collection_sums(sums)),
        facts=list(collection_facts(sums)),
        trends=[(caption, _trend(caption, values)) for caption, values in trends if any(values.values())],
        months=[_month_row(month, own) for month, own in months.items()],
        missed=sums.missed,
        most=max(sums.missed.values(), default=0),
        heads=(
            "played",
            "board",
            "outcome",
            "start",
            "skill",
            "luck",
            *(kind.value for kind in _FAULTS),
            "worst move",
            "s",
        ),
        **_games(rows),
    )


def _collection_sums(sums: CollectionSummary) -> Iterator[tuple[str, str, str]]:
    """Names, values and units of the sums in large type."""
    yield "Games", f"{sums.games:,}", ""
    yield "Won", f"{sums.won:,}", ""
    if sums.expected:
        half = f" ± {sums.expected.half:.1f}" if isfinite(sums.expected.half) else ""
        yield "Expected wins", f"{sums.expected.mean:.1f}{half}", ""
    for name, mean in (("Skill a game", sums.skill), ("Luck a game", sums.luck)):
        if mean:
            half = f"± {100 * mean.half:.2f} " if isfinite(mean.half) else ""
            yield name, f"{100 * mean.mean:+.2f}", f"{half}%"


def _expected(sums: CollectionSummary) -> Mean | None:
    if sums.expected is None:
        return None
    return Mean(100 * sums.expected.mean / sums.judged, 100 * sums.expected.half / sums.judged)


def _scaled(mean: Mean | None) -> Mean | None:
    return mean and Mean(100 * mean.mean, 100 * mean.half)


_TRENDS: tuple[tuple[str, str, Callable[[CollectionSummary], Mean | None]], ...] = (
    ("Expected wins with average luck", "%", _expected),
    ("Skill a game", "% of games", lambda own: _scaled(own.skill)),
    ("Luck a game", "% of games", lambda own: _scaled(own.luck)),
    ("Guesses beside a safe cell, a game", "", lambda own: Mean(sum(own.missed.values()) / own.games, 0.0)),
    ("Time of a game", "s", lambda own: own.seconds),
)
"""Caption, unit and value of the trends."""


def _trend(caption: str, values: dict[str, Mean | None]) -> Markup:
    """A curve over months, with intervals."""
    from markupsafe import Markup

    known = [(place, mean) for place, mean in enumerate(values.values()) if mean is not None]
    ends = [mean.mean + sign * (mean.half if isfinite(mean.half) else 0) for _, mean in known for sign in (-1, 1)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    high = high if high > low else low + 1

    def at(place: int, value: float) -> tuple[float, float]:
        along = MARGIN + (WIDTH - MARGIN - 20) * (place + 0.5) / len(values)
        return along, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 12) * (value - low) / (high - low)

    drawn = element("svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=f"{caption}; numbers: see the table")
    for level in sorted({low, 0.0, high}):
        _, y = at(0, level)
        add(drawn, "path", class_="grid", d=f"M{MARGIN} {y:.1f}H{WIDTH - 10}")
        add(drawn, "text", f"{level:.3g}", x=MARGIN - 6, y=f"{y + 4:.1f}", text_anchor="end")
    points = [at(place, mean.mean) for place, mean in known]
    add(drawn, "path", class_="curve", d=f"M{'L'.join(f'{x:.1f} {y:.1f}' for x, y in points)}")
    for (place, mean), (x, y) in zip(known, points, strict=True):
        if isfinite(mean.half) and mean.half:
            top, bottom = at(place, mean.mean + mean.half)[1], at(place, mean.mean - mean.half)[1]
            add(drawn, "path", class_="half", d=f"M{x:.1f} {top:.1f}V{bottom:.1f}")
        add(drawn, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4)
    every = -(-len(values) // 8)
    for place, month in list(enumerate(values))[::every]:
        add(drawn, "text", month, x=f"{at(place, 0)[0]:.1f}", y=HEIGHT - 8, text_anchor="middle")
    return Markup(svg_text(drawn))


def _month_row(month: str, own: CollectionSummary) -> list[str]:
    expected = f"{own.expected.mean:.1f}" if own.expected else "?"
    seconds = f"{own.seconds.mean:.1f}" if own.seconds else ""
    sums = (expected, _points(own.skill), _points(own.luck), seconds, own.most_missed or "")
    return [month, f"{own.games:,}", f"{own.won:,}", *sums]


def _points(mean: Mean | None) -> str:
    return "?" if mean is None else f"{100 * mean.mean:+.2f}"


def _games(rows: Sequence[GameSummary]) -> dict[str, object]:
    """The games of the table, or those with the costliest moves, and its title."""
    chosen, title = list(rows), "Games"
    if len(rows) > MOST_GAMES:
        costly = {id(row) for row in sorted(rows, key=lambda row: -row.worst_loss)[:MOST_GAMES]}
        chosen = [row for row in rows if id(row) in costly]
        title = f"The {MOST_GAMES} games with the costliest moves"
    folder = _common_folder([row.file for row in rows])
    games = [
        {
            "file": row.file,
            "name": row.file.removeprefix(folder) + ("" if row.number == 1 else f": {row.number}"),
            "cells": list(_cells(row)),
        }
        for row in chosen
    ]
    return {"shown": title, "games": games}


def _cells(row: GameSummary) -> Iterator[tuple[str, str | int]]:
    """Cells of a game after its name, with their classes in the style sheet."""
    parts = (signed(part) if part is not None else "?" for part in (row.skill, row.luck))
    start = "?" if row.start is None else tenths(row.start)
    for value in (row.played[:10] if row.played else "", row.board, row.outcome, start, *parts):
        yield "", value
    for kind, style in _FAULTS.items():
        yield style, row.classes[kind.value] or ""
    yield "", f"{row.worst} ({tenths(row.worst_loss)})" if row.worst else ""
    yield "", "" if row.seconds is None else f"{row.seconds:.1f}"


def _common_folder(files: Sequence[str]) -> str:
    """The folder that all files are in, with its slash; empty for none.

    >>> _common_folder(["games/a.json", "games/2026/b.json"]), _common_folder(["a.json", "games/b.json"])
    ('games/', '')
    """
    start = commonprefix(files)
    return start[: start.rfind("/") + 1]
