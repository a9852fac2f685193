"""Reports and ladders as self-contained HTML pages, and in notebooks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import compress, pairwise
from typing import Any

from satsweep.arena.canvas import write
from satsweep.arena.ladder import Calibration, Commands, LadderLine, LadderPair, LadderSection
from satsweep.arena.measures import Anchor
from satsweep.arena.plan import Figure
from satsweep.arena.plot import figure, suggested
from satsweep.arena.report import Report
from satsweep.arena.stats import Estimate
from satsweep.arena.tables import Column, ReportTable, game_name, interval, note_of, number, tables_of
from satsweep.arena.terminal import tables_text, to_text
from satsweep.render.templates import page_of
from satsweep.text import counted

MAX_FAILURES = 100
MAX_PAIRS = 15
"""Tables of more comparisons are folded."""


def page(report: Report, command: str = "") -> str:
    """The page; ``command`` is the command line that made the report.

    Raises SatsweepError without matplotlib.
    """
    plan = report.plan
    failures = [
        {
            "agent": plan.labels[failure.agent],
            "game": game_name(plan, failure),
            "setting": plan.settings[failure.setting],
            "message": failure.message,
            "layout": failure.layout,
        }
        for failure in report.failures[:MAX_FAILURES]
    ]
    return page_of(
        "report.html",
        title=plan.title or plan.name or f"{', '.join(plan.labels)} on the same boards",
        facts=[(name, value) for name, value in _facts(report) if value],
        command=command,
        out=[(report.why_out(failure), failure.layout) for failure in report.out],
        figures=list(_figures(report)),
        failed=len(report.failures),
        failures=failures,
        **_tables(report),
    )


def _tables(report: Report) -> Mapping[str, object]:
    return {
        "tables": list(tables_of(report, brief=False)),
        "note": note_of(report.plan),
        "most_rows": MAX_PAIRS,
    }


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    plan = report.plan
    limits = [
        "" if plan.games is None else f"{counted(plan.games, 'game')} in each setting",
        "" if plan.seconds is None else f"as many as {plan.seconds:g} seconds allow",
        "" if plan.until is None else f"until every win rate is within {plan.until:g} points",
        "" if plan.sprt is None else f"until a sequential test of {plan.sprt.h0:g},{plan.sprt.h1:g} points decides",
    ]
    failed = sum(summary.failed for summary in report.summaries)
    yield from {
        "Plan": plan.name,
        "Source": plan.source,
        "Agents": ", ".join(plan.labels),
        "Settings": f"{len(plan.settings):,}",
        "Games": f"{sum(summary.games for summary in report.summaries):,} played"
        + (f", {failed:,} failed" if failed else ""),
        "Plays": f"{plan.plays:,} of each layout" if plan.plays > 1 else "",
        "Wanted": "; ".join(filter(None, limits)),
        "Seed": plan.seed,
        "Versions": ", ".join(f"{name} {version}" for name, version in report.versions.items()),
    }.items()


def _figures(report: Report) -> Iterator[tuple[str, str]]:
    """The figure of the plan, and one of games won unless it is the same, with labels."""
    if not report.summaries:
        return
    from markupsafe import Markup

    shown = report.plan.figure or suggested(report)
    wanted = [shown] if shown.measure == "won" else [shown, Figure("won", shown.against)]
    for at, axes in enumerate(wanted, 1):
        label = f"The numbers of this figure are in the tables below: {axes.measure}"
        yield label, Markup(inline_svg(figure(report, axes), f"figure{at}-"))


def inline_svg(drawing: Any, prefix: str) -> str:
    """A figure as an element of a page, without a background; its ids get a prefix."""
    drawing.patch.set_visible(False)
    for axes in drawing.axes:
        axes.patch.set_visible(False)
    text = _svg(drawing)
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    return re.sub(r'(href="|url\()#', rf"\1#{prefix}", text)


def _svg(drawing: Any) -> str:
    file = BytesIO()
    write(drawing, file, "svg")
    return file.getvalue().decode()


# --- notebooks -------------------------------------------------------------------------------------------------------


def svg_of(report: Report) -> str:
    """The figure of a report. Raises SatsweepError without matplotlib."""
    return _svg(figure(report))


def html_of(report: Report) -> str:
    """The tables of a report, without a page around them."""
    return page_of("tables_only.html", **_tables(report))


def text_of(report: Report) -> str:
    return to_text(report).rstrip("\n")


# --- ladders ---------------------------------------------------------------------------------------------------------


_WORDS = (
    ("Won %", "share of games won; + and - are the distances to the ends of its 95 % interval"),
    (
        "Equal %",
        "win rate on all boards of the engine with most games, from the differences on those of both; it ranks",
    ),
    ("Ahead", "points ahead of the next engine, on the same layouts, and half of the 95 % interval"),
    ("LOS %", "likelihood of superiority: that it is better than the next engine, from the layouts only one has won"),
    ("Published %", "what the authors of a wrapped program state, with their 95 % interval"),
    ("ms", "processor time of a game; k where compiled kernels played"),
    ("ms/turn", "processor time of a turn: all claims of a position, or a guess"),
    ("Guesses", "guesses a game"),
    ("Stated %, hit %", "mean risk that the engine stated with its guesses, and the share of them that hit a mine"),
    ("Wrong claims", "cells claimed to be safe or mines without a guess that the layout refutes, of all claims"),
)


def ladder_text(sections: Sequence[LadderSection], commands: Commands) -> str:
    """The tables of a ladder as text, with the commands that play the layouts again."""
    return tables_text(_table(section, "\n".join(commands(section))) for section in sections)


def ladder_page(sections: Sequence[LadderSection], commands: Commands) -> str:
    lines = [line for section in sections for line in section.lines]
    shown = [
        {
            "setting": section.setting,
            "table": _table(section),
            "commands": commands(section),
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
    title = str(section.setting) + (f", given layouts {section.layouts[:8]}" if section.layouts else "")
    pairs = {(pair.first, pair.second): pair for pair in section.pairs}
    rows = [
        _row(at, line, pairs.get((line.key, following.key)) if following else None)
        for at, (line, following) in enumerate(pairwise((*section.lines, None)), 1)
        if line
    ]
    lines = section.lines
    some = {"Published %": any(line.published for line in lines), "Equal %": any(line.equal for line in lines)}
    shown = [some.get(head, True) for head in _HEADS]
    return _of_rows(title, [*compress(_HEADS, shown)], [[*compress(row, shown)] for row in rows], note)


def _of_rows(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> ReportTable:
    """A table whose second column names the engine."""
    cells = zip(*rows, strict=True)
    columns = [Column(head, list(own), left=at == 1) for at, (head, own) in enumerate(zip(heads, cells, strict=True))]
    return ReportTable(title, columns, note, row_head=1)


_HEADS = (
    "#", "Engine", "Won %", "+", "-", "Equal %", "Published %", "Games", "Ahead", "LOS %", "ms", "ms/turn", "Guesses",
    "Stated %", "Hit %", "Wrong claims", "Version",
)  # fmt: skip


def _row(at: int, line: LadderLine, pair: LadderPair | None) -> list[str]:
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
        "" if line.equal is None else _points(line.equal).lstrip("+"),
        "" if line.published is None else _stated(line.published),
        f"{line.games:,}{failed}",
        _points(pair.difference) if pair else "",
        f"{100 * pair.superiority:.1f}" if pair else "",
        "" if line.milliseconds is None else f"{line.milliseconds:.3g}{' k' if line.by_kernels else ''}",
        "" if line.milliseconds_a_turn is None else f"{line.milliseconds_a_turn:.2g}",
        "" if line.guesses is None else f"{line.guesses:.2f}",
        f"{100 * stated.stated:.1f}" if stated else "",
        f"{100 * stated.true.mean:.1f}" if stated and stated.true else "",
        wrong,
        line.version,
    ]


def _stated(anchor: Anchor) -> str:
    return f"{anchor.rate:g}" + ("" if anchor.plus_minus is None else f" ± {anchor.plus_minus:g}")


def _digits(found: Estimate) -> int:
    return 1 if found.half > 0.005 else 2


def _points(found: Estimate) -> str:
    digits = _digits(found)
    mean = round(100 * found.mean, digits) or 0.0
    return f"{mean:+.{digits}f} ± {100 * found.half:.{digits}f}"


def _pairs(section: LadderSection) -> Iterator[ReportTable]:
    """Differences of all pairs on the same layouts, row less column."""
    found = {(pair.first, pair.second): _points(pair.difference) for pair in section.pairs}
    found |= {(pair.second, pair.first): _points(pair.difference.negated) for pair in section.pairs}
    rows = [
        [str(at), line.engine, *(found.get((line.key, other.key), "") for other in section.lines)]
        for at, line in enumerate(section.lines, 1)
    ]
    if found:
        note = "Points of win rate, row less column, on the layouts that both have played."
        yield _of_rows("Paired differences", ["#", "Engine", *(at for at, *_ in rows)], rows, note)


def _calibration(section: LadderSection) -> Iterator[ReportTable]:
    risks = [_class_row(line, at, found) for line in section.lines for at, found in enumerate(line.risks)]
    wins = [_class_row(line, at, found) for line in section.lines for at, found in enumerate(line.chances)]
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


def _class_row(line: LadderLine, at: int, found: Calibration) -> list[str]:
    limits = f"{100 * found.low:.0f}-{100 * found.high:.0f}" if at else "all"
    true = ["", ""]
    if found.true is not None:
        true = [number(found.true, 1, 100), interval(found.true, 1, 100)]
    return ["", "" if at else line.engine, limits, f"{found.guesses:,}", f"{100 * found.stated:.1f}", *true]
