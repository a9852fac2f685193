"""A ladder as a self-contained HTML page, or as text: a table for each board."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from satsweep.arena.ladder import ChanceClass, LadderLine, LadderPair, LadderSection, RiskClass, pair_of
from satsweep.arena.stats import Estimate
from satsweep.arena.tables import Column, ReportTable
from satsweep.arena.terminal import tables_text
from satsweep.templates import page_of

_WORDS = (
    ("Won %", "share of games won; + and - are the distances to the ends of its 95 % interval"),
    ("Ahead", "points ahead of the next engine, on the same layouts, and half of the 95 % interval"),
    ("LOS %", "likelihood of superiority: that it is better than the next engine, from the layouts only one has won"),
    ("ms", "processor time of a game; k where compiled kernels played"),
    ("Guesses", "guesses a game"),
    ("Stated %, hit %", "mean risk that the engine stated with its guesses, and the share of them that hit a mine"),
    ("Wrong claims", "cells claimed to be safe or mines without a guess that the layout refutes, of all claims"),
)


def ladder_text(sections: Sequence[LadderSection]) -> str:
    """The tables of a ladder as text, with the commands that play the layouts again."""
    return tables_text(_table(section, "\n".join(section.commands)) for section in sections)


def ladder_page(sections: Sequence[LadderSection]) -> str:
    """The page of a ladder."""
    lines = [line for section in sections for line in section.lines]
    shown = [
        {
            "setting": section.setting,
            "table": _table(section),
            "commands": section.commands,
            "more": [*_pairs(section), *_calibration(section)],
        }
        for section in sections
    ]
    return page_of(
        "ladder.html",
        title="Minesweeper ladder",
        engines=f"{len({line.engine for line in lines}):,}",
        games=f"{sum(line.games for line in lines):,}",
        words=_WORDS,
        sections=shown,
    )


def _table(section: LadderSection, note: str = "") -> ReportTable:
    """The engines of a board, by win rate."""
    title = str(section.setting) + (f", given layouts {section.layouts[:8]}" if section.layouts else "")
    rows = [_row(at, line, pair) for at, (line, pair) in enumerate(zip(section.lines, _ahead(section), strict=True), 1)]
    return _of_rows(title, _HEADS, rows, note)


def _of_rows(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> ReportTable:
    """A table whose second column names the engine."""
    cells = zip(*rows, strict=True)
    columns = [Column(head, list(own), left=at == 1) for at, (head, own) in enumerate(zip(heads, cells, strict=True))]
    return ReportTable(title, columns, note, row_head=1)


def _ahead(section: LadderSection) -> Iterator[LadderPair | None]:
    """Each engine beside the next one; None beside the last."""
    for line, following in pairwise(section.lines):
        yield pair_of(section, line, following)
    yield None


_HEADS = (
    "#", "Engine", "Won %", "+", "-", "Games", "Ahead", "LOS %", "ms", "Guesses", "Stated %", "Hit %", "Wrong claims",
    "Version",
)  # fmt: skip


def _row(at: int, line: LadderLine, pair: LadderPair | None) -> list[str]:
    """Cells of an engine, in the order of the heads."""
    won, digits = line.won, _digits(line.won)
    stated = line.risks[0] if line.risks else None
    wrong = f"{line.wrong_claims:,} of {line.claims:,}" if line.claims else "no claims"
    failed = f" ({line.failed:,} failed)" if line.failed else ""
    return [
        str(at),
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


def _pairs(section: LadderSection) -> Iterator[ReportTable]:
    """Differences of all pairs on the same layouts, row less column."""
    if not section.pairs:
        return
    rows = []
    for at, line in enumerate(section.lines):
        cells = []
        for other, column in enumerate(section.lines):
            pair = pair_of(section, line, column) if at < other else pair_of(section, column, line)
            sign = 1 if at < other else -1
            cells.append("" if at == other or pair is None else _points(_signed(pair.difference, sign)))
        rows.append([str(at + 1), line.engine, *cells])
    heads = ["#", "Engine", *(str(at) for at in range(1, len(section.lines) + 1))]
    note = "Points of win rate, row less column, on the layouts that both have played."
    yield _of_rows("Paired differences", heads, rows, note)


def _signed(found: Estimate, sign: int) -> Estimate:
    return found if sign > 0 else Estimate(-found.mean, -found.high, -found.low)


def _calibration(section: LadderSection) -> Iterator[ReportTable]:
    """Stated risks beside mines hit, stated chances to win beside games won."""
    risks = [_class_row(line, at, risk, risk.hit) for line in section.lines for at, risk in enumerate(line.risks)]
    wins = [_class_row(line, at, own, own.won) for line in section.lines for at, own in enumerate(line.chances)]
    if risks:
        heads = ("", "Engine", "Risk %", "Guesses", "Stated %", "Hit %", "95 %")
        yield _of_rows("Calibration of stated risks", heads, risks)
    if wins:
        heads = ("", "Engine", "Chance %", "Guesses", "Stated %", "Won %", "95 %")
        note = (
            "The chance that the engine stated with a guess, and the share of these guesses whose game it won. Guesses "
            "of a game end alike, so the intervals take the game as the unit."
        )
        yield _of_rows("Calibration of stated chances to win", heads, wins, note)


def _class_row(line: LadderLine, at: int, found: RiskClass | ChanceClass, share: Estimate | None) -> list[str]:
    """Cells of a class of guesses: stated values beside the share that came true."""
    limits = f"{100 * found.low:.0f}-{100 * found.high:.0f}" if at else "all"
    shown = ["", ""] if share is None else [f"{100 * share.mean:.1f}", f"{100 * share.low:.1f}-{100 * share.high:.1f}"]
    return ["", "" if at else line.engine, limits, f"{found.guesses:,}", f"{100 * found.stated:.1f}", *shown]
