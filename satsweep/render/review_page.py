"""Reviewed games as self-contained HTML pages.

The page of one game is the view Review of the page, its modules and style sheets in one file; that of many has sums,
trends and games. A page needs no network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from satsweep.assessment.verdicts import VERDICTS, Review
from satsweep.clicks.fewest import FewestClicks
from satsweep.render.board_geometry import add, element, svg_text
from satsweep.render.number_text import signed, tenths
from satsweep.render.page_bundle import bundled, bundled_sheets, page_file
from satsweep.render.page_values import fewest_values, geometry_values, reviewed_values
from satsweep.render.review_text import collection_facts, summary_in_words
from satsweep.render.templates import page_of
from satsweep.topology import SQUARE

if TYPE_CHECKING:
    from markupsafe import Markup

_SHEETS = ("app/style.css", "shared/sheet.css", "watch/watch.css", "review/review.css")


def review_page(review: Review, title: str, best: FewestClicks | None = None) -> str:
    """The page of a game; ``best`` are the fewest clicks that clear its board."""
    layout = review.record.layout
    grid = None if layout.topology == SQUARE else geometry_values(layout.rows, layout.cols, layout.topology)
    return page_of(
        "review.html",
        title=title,
        summary=summary_in_words(review),
        sprite=_sprite(),
        sheets=bundled_sheets(*_SHEETS),
        script=bundled("review/report.js"),
        game={"review": reviewed_values(review), "grid": grid, "best": best and fewest_values(best)},
    )


def _sprite() -> str:
    """The icons of the page."""
    found = re.search(r'<svg class="sprite".*?</svg>\n(?=<a)', page_file("index.html"), re.DOTALL)
    assert found is not None
    return found[0]


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
