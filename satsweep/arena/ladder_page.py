"""A ladder as a self-contained HTML page, or as text: a table for each board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from satsweep.arena.html import STYLE
from satsweep.arena.ladder import ChanceClass, LadderLine, LadderSection, RiskClass, pair_of
from satsweep.arena.stats import Estimate

_MORE_STYLE = """\
body { max-width: 80rem }
nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin: 1rem 0 }
a { color: inherit }
th.engine { position: sticky; left: 0; background: var(--paper) }
code.command { display: block; background: var(--tint); padding: 0.6rem; margin: 0.6rem 0; white-space: pre-wrap;
  overflow-wrap: anywhere }
summary { cursor: pointer; margin: 0.6rem 0 }
@media (max-width: 40rem) {
  body { padding: 0.8rem 0.8rem 3rem }
  th, td { padding: 0.3rem 0.45rem }
  h1 { font-size: 1.4rem }
}
"""

_WORDS = (
    ("Won %", "share of games won; + and - are the distances to the ends of its 95 % interval"),
    ("Ahead", "points ahead of the next engine, on the same layouts, and half of the 95 % interval"),
    ("LOS %", "likelihood of superiority: that it is better than the next engine, from the layouts only one has won"),
    ("ms", "processor time of a game; k where compiled kernels played"),
    ("Guesses", "guesses a game"),
    ("Stated %, hit %", "mean risk that the engine stated with its guesses, and the share of them that hit a mine"),
    ("Wrong claims", "cells claimed to be safe or mines without a guess that the layout refutes, of all claims"),
)


_HEADS = (
    "#", "Engine", "Won %", "+", "-", "Games", "Ahead", "LOS %", "ms", "Guesses", "Stated %", "Hit %", "Wrong claims",
    "Version",
)  # fmt: skip


def ladder_text(sections: Sequence[LadderSection]) -> str:
    """The tables of a ladder as text."""
    found = []
    for section in sections:
        rows = [list(_HEADS), *(_row(section, at, line) for at, line in enumerate(section.lines))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if at == 1 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        found.append("\n".join([_title(section), *lines, *section.commands]) + "\n")
    return "\n".join(found)


def ladder_page(sections: Sequence[LadderSection]) -> str:
    """The page of a ladder."""
    return "".join(_page(sections))


def _page(sections: Sequence[LadderSection]) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>Minesweeper ladder</title>\n<style>\n{STYLE}{_MORE_STYLE}</style>\n</head>\n<body>\n<main>\n"
    yield "<h1>Minesweeper ladder</h1>\n"
    games = sum(line.games for section in sections for line in section.lines)
    engines = len({line.engine for section in sections for line in section.lines})
    yield f"<p>{engines:,} engines, {games:,} games. The same seed gives all engines of a board the same layouts.</p>\n"
    yield '<nav aria-label="Boards">'
    for number, section in enumerate(sections, 1):
        yield f'<a href="#board-{number}">{escape(str(section.setting))}</a>'
    yield "</nav>\n<details><summary>The columns</summary>\n<dl>\n"
    for name, meaning in _WORDS:
        yield f"<dt>{name}</dt><dd>{escape(meaning)}</dd>\n"
    yield "</dl>\n</details>\n"
    for number, section in enumerate(sections, 1):
        yield from _section(number, section)
    yield (
        "<h2>Add a line</h2>\n<p>Play the command of a board with your engine as one of the agents "
        "(<code>FILE.py:FUNCTION</code> or <code>cmd:COMMAND</code>), add <code>--calibration</code> if it states "
        "risks or chances to win, put the store into the directory of the others, and run "
        "<code>satsweep ladder DIRECTORY --output ladder.html</code>. The same "
        "seed gives the same layouts, so engines of different stores are compared game by game.</p>\n"
    )
    yield "</main>\n</body>\n</html>\n"


def _title(section: LadderSection) -> str:
    return str(section.setting) + (f", given layouts {section.layouts[:8]}" if section.layouts else "")


def _section(number: int, section: LadderSection) -> Iterator[str]:
    title = _title(section)
    yield f'<h2 id="board-{number}">{escape(title)}</h2>\n'
    yield from _table(title, _HEADS, (_row(section, at, line) for at, line in enumerate(section.lines)))
    for command in section.commands:
        yield f'<code class="command">{escape(command)}</code>\n'
    yield from _pairs(section)
    yield from _calibration(section)


def _row(section: LadderSection, at: int, line: LadderLine) -> list[str]:
    """Cells of an engine, in the order of the heads."""
    won, digits = line.won, _digits(line.won)
    following = section.lines[at + 1] if at + 1 < len(section.lines) else None
    pair = following and pair_of(section, line, following)
    stated = line.risks[0] if line.risks else None
    wrong = f"{line.wrong_claims:,} of {line.claims:,}" if line.claims else "no claims"
    failed = f" ({line.failed:,} failed)" if line.failed else ""
    return [
        str(at + 1),
        line.engine,
        f"{100 * won.mean:.{digits}f}",
        f"+{100 * (won.high - won.mean):.{digits}f}",
        f"-{100 * (won.mean - won.low):.{digits}f}",
        f"{line.games:,}{failed}",
        _points(pair.difference) if pair else "",
        f"{100 * pair.superiority:.1f}" if pair else "",
        "" if line.milliseconds is None else f"{line.milliseconds:.3g}{' k' if line.by_kernels else ''}",
        "" if line.guesses is None else f"{line.guesses:.2f}",
        f"{100 * stated.stated:.1f}" if stated else "",
        f"{100 * stated.hit.mean:.1f}" if stated and stated.hit else "",
        wrong,
        line.version,
    ]


def _digits(found: Estimate) -> int:
    """Decimals of a percentage that its interval is worth."""
    return 1 if found.half > 0.005 else 2


def _points(found: Estimate) -> str:
    digits = _digits(found)
    mean = round(100 * found.mean, digits) or 0.0
    return f"{mean:+.{digits}f} ± {100 * found.half:.{digits}f}"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table of cells; the second column names the engine."""
    yield f'<div class="wide" tabindex="0" role="region" aria-label="{escape(title)}">\n<table>\n<thead><tr>'
    for at, head in enumerate(heads):
        yield f'<th scope="col"{_class(at)}>{head}</th>'
    yield "</tr></thead>\n<tbody>\n"
    for row in rows:
        yield "<tr>"
        for at, cell in enumerate(row):
            text = f"{_class(at)}>{escape(cell)}"
            yield f'<th scope="row"{text}</th>' if at == 1 else f"<td{text}</td>"
        yield "</tr>\n"
    yield "</tbody>\n</table>\n</div>\n"


def _class(at: int) -> str:
    return ' class="left engine"' if at == 1 else ""


def _pairs(section: LadderSection) -> Iterator[str]:
    """Differences of all pairs on the same layouts, row less column."""
    if not section.pairs:
        return
    yield "<details><summary>Paired differences</summary>\n"
    yield '<p class="note">Points of win rate, row less column, on the layouts that both have played.</p>\n'
    rows = []
    for at, line in enumerate(section.lines):
        cells = []
        for other, column in enumerate(section.lines):
            pair = pair_of(section, line, column) if at < other else pair_of(section, column, line)
            sign = 1 if at < other else -1
            cells.append("" if at == other or pair is None else _points(_signed(pair.difference, sign)))
        rows.append([str(at + 1), line.engine, *cells])
    heads = ["#", "Engine", *(str(at) for at in range(1, len(section.lines) + 1))]
    yield from _table("Paired differences", heads, rows)
    yield "</details>\n"


def _signed(found: Estimate, sign: int) -> Estimate:
    return found if sign > 0 else Estimate(-found.mean, -found.high, -found.low)


def _calibration(section: LadderSection) -> Iterator[str]:
    """Stated risks beside mines hit, stated chances to win beside games won."""
    risks = [
        [*_stated(line.engine, at, risk), *_share(risk.hit)]
        for line in section.lines
        for at, risk in enumerate(line.risks)
    ]
    chances = [
        [*_stated(line.engine, at, chance), *_share(chance.won)]
        for line in section.lines
        for at, chance in enumerate(line.chances)
    ]
    if risks:
        yield "<details><summary>Calibration of stated risks</summary>\n"
        heads = ["", "Engine", "Risk %", "Guesses", "Stated %", "Hit %", "95 %"]
        yield from _table("Calibration of risks", heads, risks)
        yield "</details>\n"
    if chances:
        yield "<details><summary>Calibration of stated chances to win</summary>\n"
        yield '<p class="note">The chance that the engine stated with a guess, and the share of these guesses '
        yield "whose game it won. Guesses of a game end alike, so the intervals take the game as the unit.</p>\n"
        heads = ["", "Engine", "Chance %", "Guesses", "Stated %", "Won %", "95 %"]
        yield from _table("Calibration of chances to win", heads, chances)
        yield "</details>\n"


def _stated(engine: str, at: int, found: RiskClass | ChanceClass) -> list[str]:
    limits = f"{100 * found.low:.0f}-{100 * found.high:.0f}" if at else "all"
    return ["", "" if at else engine, limits, f"{found.guesses:,}", f"{100 * found.stated:.1f}"]


def _share(found: Estimate | None) -> list[str]:
    """A share with its interval, in percent."""
    if found is None:
        return ["", ""]
    return [f"{100 * found.mean:.1f}", f"{100 * found.low:.1f}-{100 * found.high:.1f}"]
