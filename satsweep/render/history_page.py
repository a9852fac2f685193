"""Many reviewed games on one self-contained HTML page: sums, trends, games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import isfinite
from os.path import commonprefix

from satsweep.assessment.collection import (
    CollectionSummary,
    GameSummary,
    Mean,
    by_month,
    collection_of,
)
from satsweep.assessment.verdicts import MoveClass
from satsweep.render.review_page import page_start, style_class
from satsweep.render.review_text import collection_facts

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 190, 52, 28
MOST_GAMES = 500
"""Games of the table; of more the costliest moves are shown."""


def history_page(games: Iterable[GameSummary], title: str) -> Iterator[str]:
    """Yield the page of some games; those without a date are in no month."""
    rows = list(games)
    sums, months = collection_of(rows), by_month(rows)
    yield from page_start(title)
    yield from _sums(sums)
    yield '<dl class="facts">\n'
    for key, value in collection_facts(sums):
        yield f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>\n"
    yield "</dl>\n"
    if months:
        yield '<h2>Months</h2>\n<div class="trends">\n'
        for caption, unit, mean_of in _TRENDS:
            yield from _trend(caption, unit, {month: mean_of(own) for month, own in months.items()})
        yield "</div>\n"
        yield from _month_table(months)
    yield from _bars("Overlooked, by technique", sums.missed)
    yield from _games(rows)
    yield "</main>\n</body>\n</html>\n"


def _sums(sums: CollectionSummary) -> Iterator[str]:
    yield f'<dl class="sums">\n<div><dt>Games</dt><dd>{sums.games:,}</dd></div>\n'
    yield f"<div><dt>Won</dt><dd>{sums.won:,}</dd></div>\n"
    parts: list[tuple[str, Mean | None, str]] = [
        ("Skill a game", sums.skill, "points"),
        ("Luck a game", sums.luck, "points"),
    ]
    if sums.expected:
        half = f" ± {sums.expected.half:.1f}" if isfinite(sums.expected.half) else ""
        yield f"<div><dt>Expected wins</dt><dd>{sums.expected.mean:.1f}{half}</dd></div>\n"
    for name, mean, unit in parts:
        if mean:
            half = f"± {100 * mean.half:.2f} " if isfinite(mean.half) else ""
            yield f"<div><dt>{name}</dt><dd>{100 * mean.mean:+.2f}<small>{half}{unit}</small></dd></div>\n"
    yield "</dl>\n"


def _expected(sums: CollectionSummary) -> Mean | None:
    if sums.expected is None:
        return None
    return Mean(100 * sums.expected.mean / sums.judged, 100 * sums.expected.half / sums.judged)


def _scaled(mean: Mean | None) -> Mean | None:
    return mean and Mean(100 * mean.mean, 100 * mean.half)


_TRENDS: tuple[tuple[str, str, Callable[[CollectionSummary], Mean | None]], ...] = (
    ("Expected wins with average luck", "%", _expected),
    ("Skill a game", "points", lambda own: _scaled(own.skill)),
    ("Luck a game", "points", lambda own: _scaled(own.luck)),
    ("Guesses beside a safe cell, a game", "", lambda own: Mean(sum(own.missed.values()) / own.games, 0.0)),
    ("Time of a game", "s", lambda own: own.seconds),
)
"""Caption, unit and value of the trends."""


def _trend(caption: str, unit: str, values: dict[str, Mean | None]) -> Iterator[str]:
    """A curve over months, with intervals."""
    known = [(place, mean) for place, mean in enumerate(values.values()) if mean is not None]
    if not known:
        return
    ends = [mean.mean + sign * (mean.half if isfinite(mean.half) else 0) for _, mean in known for sign in (-1, 1)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    high = high if high > low else low + 1

    def at(place: int, value: float) -> tuple[float, float]:
        along = LEFT + (WIDTH - LEFT - 20) * (place + 0.5) / len(values)
        return along, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 12) * (value - low) / (high - low)

    shown = f"{caption}, {unit}" if unit else caption
    yield f'<figure class="trend"><figcaption>{escape(shown)}</figcaption>\n'
    yield f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(shown)}; numbers: see the table">\n'
    for level in sorted({low, 0.0, high}):
        _, y = at(0, level)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - 10}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{level:.3g}</text>\n'
    points = [at(place, mean.mean) for place, mean in known]
    yield f'<path class="curve" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in points)}"/>\n'
    for (place, mean), (x, y) in zip(known, points, strict=True):
        if isfinite(mean.half) and mean.half:
            top, bottom = at(place, mean.mean + mean.half)[1], at(place, mean.mean - mean.half)[1]
            yield f'<path class="half" d="M{x:.1f} {top:.1f}V{bottom:.1f}"/>'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>\n'
    every = -(-len(values) // 8)
    for place, month in enumerate(values):
        if place % every == 0:
            yield f'<text x="{at(place, 0)[0]:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{month}</text>\n'
    yield "</svg></figure>\n"


def _month_table(months: dict[str, CollectionSummary]) -> Iterator[str]:
    yield '<div class="wide" tabindex="0" role="region" aria-label="Months">\n<table>\n'
    yield _head(("month", "games", "won", "expected wins", "skill", "luck", "s a game", "misses most"))
    for month, own in months.items():
        expected = f"{own.expected.mean:.1f}" if own.expected else "?"
        seconds = f"{own.seconds.mean:.1f}" if own.seconds else ""
        values = (month, f"{own.games:,}", f"{own.won:,}", expected, _points(own.skill), _points(own.luck), seconds)
        yield f"<tr>{''.join(f'<td>{value}</td>' for value in values)}<td>{own.most_missed or ''}</td></tr>\n"
    yield "</tbody>\n</table>\n</div>\n"


def _points(mean: Mean | None) -> str:
    return "?" if mean is None else f"{100 * mean.mean:+.2f}"


def _head(names: Sequence[str], first: str = "") -> str:
    """The head of a table, with the class of its first column."""
    columns = [f"<th scope=col>{name}</th>" for name in names[1:]]
    return f'<thead><tr><th scope=col class="{first}">{names[0]}</th>{"".join(columns)}</tr></thead>\n<tbody>\n'


def _bars(title: str, counts: dict[str, int]) -> Iterator[str]:
    """Counts by name as bars."""
    most = max(counts.values(), default=0)
    if not most:
        return
    yield f'<h2>{escape(title)}</h2>\n<div class="bars">\n'
    for name, count in counts.items():
        yield f'<span>{escape(name)}</span><i style="width: {100 * count / most:.1f}%"></i><span>{count:,}</span>\n'
    yield "</div>\n"


def _games(rows: Sequence[GameSummary]) -> Iterator[str]:
    """The games as a table, or those with the costliest moves."""
    shown = list(rows)
    title = "Games"
    if len(rows) > MOST_GAMES:
        costly = {id(row) for row in sorted(rows, key=lambda row: -row.worst_loss)[:MOST_GAMES]}
        shown = [row for row in rows if id(row) in costly]
        title = f"The {MOST_GAMES} games with the costliest moves"
    yield f'<h2>{title}</h2>\n<div class="wide" tabindex="0" role="region" aria-label="{title}">\n<table>\n'
    kinds = (MoveClass.INACCURACY, MoveClass.MISTAKE, MoveClass.BLUNDER)
    before, after = ("game", "played", "board", "outcome", "start", "skill", "luck"), ("worst move", "s")
    yield _head((*before, *(kind.value for kind in kinds), *after), "left")
    folder = _common_folder([row.file for row in rows])
    for row in shown:
        name = row.file.removeprefix(folder) + ("" if row.number == 1 else f": {row.number}")
        parts = (f"{100 * part:+.1f}" if part is not None else "?" for part in (row.skill, row.luck))
        start = "?" if row.start is None else f"{100 * row.start:.1f}"
        values = [row.played[:10] if row.played else "", row.board, row.outcome, start, *parts]
        cell = f'<td class="left name" title="{escape(row.file)}"><bdi>{escape(name)}</bdi></td>'
        yield f"<tr>{cell}{''.join(f'<td>{escape(value)}</td>' for value in values)}"
        yield "".join(f'<td class="{style_class(kind)}">{row.classes[kind.value] or ""}</td>' for kind in kinds)
        worst = f"{row.worst} ({100 * row.worst_loss:.1f})" if row.worst else ""
        yield f"<td>{worst}</td><td>{'' if row.seconds is None else f'{row.seconds:.1f}'}</td></tr>\n"
    yield "</tbody>\n</table>\n</div>\n"


def _common_folder(files: Sequence[str]) -> str:
    """The folder that all files are in, with its slash; empty for none.

    >>> _common_folder(["games/a.json", "games/2026/b.json"]), _common_folder(["a.json", "games/b.json"])
    ('games/', '')
    """
    start = commonprefix(files)
    return start[: start.rfind("/") + 1]
