"""The tables of a report as plain columns of text, to be drawn in a terminal or as HTML.

A few settings get a table each, with what others have published and with every two agents compared; many settings
share one table with a line per setting and agent, where each agent is compared with the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from satsweep.compare.anchors import Anchor
from satsweep.compare.measures import MEASURES
from satsweep.compare.report import AgentSummary, Comparison, Report, Section, told_apart
from satsweep.compare.stats import Estimate

MOST_SECTIONS = 6
MOST_ANCHORS = 5
MOST_PAIRS = 10

NOTE = "Intervals are of 95 %. The exact p of McNemar's test is that of each pair alone."


@dataclass(frozen=True, slots=True)
class Column:
    """A head and cells. Where there is no room, the columns with the highest ``spare`` go first, those with 0 never."""

    head: str
    cells: list[str]
    spare: int = 0
    left: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table under a heading of some level, and what is to be said about it.

    ``reference``: it holds the numbers of others. ``starts`` are the rows where another value of the first column
    begins, if that stays the same for several.
    """

    title: str
    columns: list[Column]
    note: str = ""
    reference: bool = False
    level: int = 2
    starts: list[int] = field(default_factory=list)


def tables_of(report: Report, *, brief: bool = True) -> Iterator[ReportTable]:
    """All tables of a report; ``brief`` leaves out most of what would be very long."""
    sections = [section for section in report.sections if section.standings]
    if len(sections) > MOST_SECTIONS:
        yield _compact(report, sections)
        return
    for section in sections:
        yield ReportTable(str(section.setting), _standings(section.standings, main_measure(report)))
        if section.anchors:
            yield _anchors(section.anchors[: MOST_ANCHORS if brief else None], len(section.anchors))
        if section.comparisons:
            yield _comparisons(section, brief)


def main_measure(report: Report) -> str:
    """The measure that the plan is about."""
    return report.plan.figure.measure if report.plan.figure else "won"


def _compact(report: Report, sections: Sequence[Section]) -> ReportTable:
    measure = main_measure(report)
    common, labels = told_apart([section.setting for section in sections])
    lines = [standing for section in sections for standing in section.standings]
    named = [label for section, label in zip(sections, labels, strict=True) for _ in section.standings]
    starts = [at for at, label in enumerate(named) if not at or label != named[at - 1]]
    setting = Column("setting", named, left=True)
    against = [_against_first(section, standing, measure) for section in sections for standing in section.standings]
    columns = [setting, *_standings(lines, measure)]
    if any(against):
        digits = decimals(against, 100)
        name = "score" if measure == "score" else "won"
        columns.append(Column(f"{name} %, than\n{report.plan.labels[0]}", [signed(one, digits) for one in against], 4))
        columns.append(Column("95 %", [signed_range(one, digits) for one in against], 6, left=True))
    return ReportTable(f"Every setting: {common}" if common else "Every setting", columns, starts=starts)


def _against_first(section: Section, standing: AgentSummary, measure: str) -> Estimate | None:
    """By how much an agent is better than the first of its setting."""
    first = section.standings[0].agent
    for pair in section.comparisons:
        if (pair.first, pair.second) == (first, standing.agent):
            return pair.score if measure == "score" else pair.difference
    return None


def _standings(standings: Sequence[AgentSummary], measure: str) -> list[Column]:
    def shown(name: str, head: str, spare: int, interval: int) -> Iterator[Column]:
        found = [standing.measured[name] for standing in standings]
        factor = MEASURES[name].factor
        digits = decimals(found, factor)
        yield Column(head, [number(one, digits, factor) for one in found], 0 if name == measure else spare)
        if interval or name == measure:
            cells = [interval_of(one, digits, factor) for one in found]
            yield Column("95 %", cells, 0 if name == measure else interval, left=True)

    columns = [
        Column("agent", [standing.agent for standing in standings], left=True),
        Column("games", [f"{standing.games:,}" for standing in standings]),
    ]
    if any(standing.failed for standing in standings):
        columns.append(Column("failed", [f"{standing.failed:,}" for standing in standings]))
    columns += shown("won", "won\n%", 0, 0 if measure == "won" else 5)
    columns += shown("score", "score\n%", 1, 8)
    columns += shown("mines-hit", "mines\nhit", 5, 0)
    columns += shown("guesses", "guesses", 3, 0)
    columns += shown("guesses-lost", "guesses\nlost", 7, 0)
    columns += shown("opened", "opened\n%", 3, 0)
    columns += shown("beyond-basic", "beyond\nbasic %", 2, 0)
    if measure == "turns":
        columns += shown("turns", "turns", 0, 0)
    for name, found in MEASURES.items():
        if found.traced and (name == measure or any(standing.measured[name] for standing in standings)):
            columns += shown(name, found.short, 2, 0)
    columns.append(Column("ms a\ngame", [milliseconds(standing.measured["ms"]) for standing in standings], 2))
    return columns


def _anchors(anchors: Sequence[Anchor], count: int) -> ReportTable:
    ends = ["" if anchor.plus_minus is None else f"+-{anchor.plus_minus}" for anchor in anchors]
    columns = [
        Column("who", [anchor.who for anchor in anchors], left=True),
        Column("won %", [f"{anchor.rate:.5g}" for anchor in anchors], left=True),
        Column("95 %", ends, left=True),
        Column("source", [anchor.source for anchor in anchors], left=True),
    ]
    more = f"and {count - len(anchors)} lower ones" if count > len(anchors) else ""
    return ReportTable("For reference, what others have", columns, more, reference=True, level=3)


def _comparisons(section: Section, brief: bool) -> ReportTable:
    pairs, note = section.comparisons, NOTE
    if brief and len(pairs) > MOST_PAIRS:
        pairs = _neighbours(section)
        note = f"Each agent with the next better one, {len(pairs)} of {len(section.comparisons)} pairs. {NOTE}"
    won, score = [pair.difference for pair in pairs], [pair.score for pair in pairs]
    won_digits, score_digits = decimals(won, 100), decimals(score, 100)
    columns = [
        Column("second - first", [f"{pair.second} - {pair.first}" for pair in pairs], left=True),
        Column("won\npoints", [signed(one, won_digits) for one in won]),
        Column("95 %", [signed_range(one, won_digits) for one in won], left=True),
        Column("only\nfirst", [f"{pair.only_first:,}" for pair in pairs], 2),
        Column("only\nsecond", [f"{pair.only_second:,}" for pair in pairs], 2),
        Column("p", [probability(pair.p) for pair in pairs]),
        Column("score\npoints", [signed(one, score_digits) for one in score], 1),
        Column("95 %", [signed_range(one, score_digits) for one in score], 3, left=True),
    ]
    return ReportTable("On the same boards", columns, note, level=3)


def _neighbours(section: Section) -> tuple[Comparison, ...]:
    """Each agent and the next better one, the best first."""
    rates = {standing.agent: standing.measured["won"] for standing in section.standings}
    ranked = sorted(rates, key=lambda agent: -_mean(rates[agent]))
    between = {frozenset((pair.first, pair.second)): pair for pair in section.comparisons}
    found = (between.get(frozenset(two)) for two in zip(ranked, ranked[1:], strict=False))
    return tuple(pair for pair in found if pair)


def _mean(found: Estimate | None) -> float:
    return found.mean if found else -math.inf


def decimals(found: Sequence[Estimate | None], factor: int = 1) -> int:
    """As many decimals as show two digits of the widest interval; one if there is none.

    >>> decimals([Estimate(0.4, 0.31, 0.5)], 100), decimals([Estimate(0.41, 0.4097, 0.4103)], 100)
    (1, 3)
    """
    widest = max((one.half * factor for one in found if one and one.bounded), default=0.0)
    return min(max(1 - math.floor(math.log10(widest)), 1), 4) if widest else 1


def number(found: Estimate | None, digits: int, factor: int = 1) -> str:
    """An estimate without its interval; a dash where there is none."""
    return "-" if found is None else f"{found.mean * factor:.{digits}f}"


def interval_of(found: Estimate | None, digits: int, factor: int = 1) -> str:
    """The interval of what cannot be negative; nothing where nothing is known."""
    if found is None or not found.bounded:
        return ""
    return f"{found.low * factor:.{digits}f}-{found.high * factor:.{digits}f}"


def signed(found: Estimate | None, digits: int) -> str:
    """A difference of shares in points."""
    return "" if found is None else _plus(found.mean, digits)


def signed_range(found: Estimate | None, digits: int) -> str:
    """The interval of a difference of shares in points."""
    if found is None or not found.bounded:
        return ""
    return f"{_plus(found.low, digits)} to {_plus(found.high, digits)}"


def _plus(value: float, digits: int) -> str:
    """With its sign, and without one if it rounds to nothing."""
    return f"{round(100 * value, digits) or 0.0:{'+' if round(100 * value, digits) else ''}.{digits}f}"


def milliseconds(found: Estimate | None) -> str:
    """A time, in three digits or so."""
    if found is None:
        return "-"
    size = math.floor(math.log10(found.mean)) if found.mean > 0 else 0
    return f"{found.mean:,.{min(max(2 - size, 0), 2)}f}"


def probability(p: float) -> str:
    """A p, small ones by their size.

    >>> probability(0.0312), probability(1.234e-9), probability(0.0)
    ('0.031', '1.2e-09', '<1e-300')
    """
    return "<1e-300" if p < 1e-300 else f"{p:.2g}" if p < 0.995 else "1"
