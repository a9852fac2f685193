"""Tables of a report, as plain columns of text for the terminal and HTML.

Each of a few settings has a table of its agents, one of published win rates and one of all pairs of agents. Many
settings share one table with a line per setting and agent, where each agent is compared with the first. Where each
layout is played several times another table tells the luck of the board from the luck of the play.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter
from typing import Literal

from satsweep.arena.measures import MEASURES, Anchor, Measure
from satsweep.arena.plan import Plan
from satsweep.arena.report import AgentSummary, Comparison, Report, Section, common_and_distinct
from satsweep.arena.result import Result, layout_and_play
from satsweep.arena.sprt import Accepted, Decision, Sprt
from satsweep.arena.stats import Estimate
from satsweep.text import counted

MAX_SECTIONS = 6
MAX_ANCHORS = 5
MAX_PAIRS = 10


def note_of(plan: Plan) -> str:
    """Note on the intervals and tests of a plan."""
    if plan.plays == 1:
        return "Intervals are of 95 %. The exact p of McNemar's test is that of each pair alone."
    return (
        f"Each layout was played {plan.plays:,} times. Intervals are of 95 %; they and p take layouts as units, not "
        "games. The p of the randomization test is that of each pair alone."
    )


@dataclass(frozen=True, slots=True)
class Column:
    """A head, and cells as text.

    Where a terminal is too narrow for a table, all columns with the highest ``drop_rank`` are dropped, then all with
    the next, until the others fit; a column with 0 always stays. ``left``: cells are left-aligned. ``meaning`` says
    what the cells are, where the head alone does not.
    """

    head: str
    cells: list[str]
    drop_rank: int = 0
    left: bool = False
    meaning: str = ""


def meanings(columns: Iterable[Column]) -> str:
    """A sentence with the meanings of columns; empty without any."""
    told = [f"{' '.join(column.head.split())}: {column.meaning}" for column in columns if column.meaning]
    return "; ".join(told) + "." * bool(told)


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table with a title, which is a heading of some level, and a note.

    ``reference``: the numbers are published ones, not those of the run. ``group_starts`` are the rows where the value
    of the first column changes, if rows are grouped by it. ``row_head`` is the column that names a row.
    """

    title: str
    columns: list[Column]
    note: str = ""
    reference: bool = False
    level: int = 2
    group_starts: list[int] = field(default_factory=list)
    row_head: int = 0

    @property
    def legend(self) -> str:
        """The meanings of its columns."""
        return meanings(self.columns)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        return list(zip(*(column.cells for column in self.columns), strict=True))

    @property
    def spans(self) -> dict[int, int]:
        """Number of rows of each group, by the row that it starts at."""
        ends = [*self.group_starts, len(self.columns[0].cells)]
        return {start: end - start for start, end in pairwise(ends)}

    def grouped_by(self, column: Column) -> ReportTable:
        """The table with one more column in front, by which its rows are grouped."""
        cells = column.cells
        starts = [row for row, cell in enumerate(cells) if not row or cell != cells[row - 1]]
        return replace(self, columns=[column, *self.columns], group_starts=starts, row_head=1)


def tables_of(report: Report, *, brief: bool = True) -> Iterator[ReportTable]:
    """All tables of a report; ``brief`` shortens the long ones."""
    sections = [section for section in report.sections if section.summaries]
    if report.decision is not None:
        yield _decision_table(report, report.decision)
    if len(sections) > MAX_SECTIONS:
        yield _all_settings_table(report, sections)
        if report.plan.plays > 1:
            yield _split_table(sections, [main_measure(report)], level=2)
        return
    for section in sections:
        columns = _agent_columns(section.summaries, main_measure(report))
        yield ReportTable(str(section.setting), columns, players(section.summaries))
        if section.anchors:
            yield _anchor_table(section.anchors[: MAX_ANCHORS if brief else None], len(section.anchors))
        if section.comparisons:
            yield _pair_table(section, note_of(report.plan), brief)
        if report.plan.plays > 1:
            shown = [main_measure(report)] if brief else [name for name, measure in MEASURES.items() if measure.count]
            yield _split_table([section], shown, level=3)


def game_name(plan: Plan, result: Result) -> str:
    """Number of a game, with layout and play where layouts are played several times."""
    if plan.plays == 1:
        return f"game {result.game:,}"
    layout, play = layout_and_play(result.game, plan.plays)
    return f"game {result.game:,} (layout {layout:,}, play {play:,})"


def main_measure(report: Report) -> str:
    """The measure of the plan's figure; games won without a figure."""
    return report.plan.figure.measure if report.plan.figure else "won"


def _decision_table(report: Report, decision: Decision) -> ReportTable:
    """The sequential test: a line for each direction, and the decision in words."""
    test, (low, high), (first, second) = decision.test, decision.test.bounds, report.plan.labels
    (mean, _) = decision.moments
    rows = list(zip(((first, second, mean), (second, first, -mean)), decision.log_ratios, strict=False))
    columns = [
        Column("second - first", [f"{better} - {other}" for (other, better, _), _ in rows], left=True),
        Column("H0\npoints", [f"{test.h0:g}" for _ in rows]),
        Column("H1\npoints", [f"{test.h1:g}" for _ in rows]),
        Column("games", [f"{decision.games:,}" for _ in rows]),
        Column("change\npoints", [_points(change, 3) for (_, _, change), _ in rows], 1),
        Column("log of\nratio", [f"{ratio:.2f}" for _, ratio in rows]),
        Column("H0\nbelow", [f"{low:.2f}" for _ in rows], 1),
        Column("H1\nabove", [f"{high:.2f}" for _ in rows], 1),
    ]
    return ReportTable("Sequential test", columns, decision_sentence(report.plan, decision))


def decision_sentence(plan: Plan, decision: Decision) -> str:
    """The decision of a sequential test, and the games that such a test takes."""
    (first, second), test, after = plan.labels, decision.test, f"after {decision.games:,} games of each agent"
    if decision.verdict is None:
        said = [f"Undecided {after}."]
    else:
        name = "H0" if decision.verdict is Accepted.H0 else "H1"
        said = [f"{name} is accepted {after}: {_conclusion(first, second, test, decision.verdict)}."]
    if decision.expected_games:
        at_h0, at_h1, halfway = decision.expected_games
        said.append(
            f"With such pairs a test takes about {at_h0:,.0f} games if H0 is true, {at_h1:,.0f} if H1 is, and "
            f"{halfway:,.0f} halfway."
        )
    return " ".join([*said, f"Errors: {test.alpha:g} and {test.beta:g}{', two-sided' if test.two_sided else ''}."])


def _conclusion(first: str, second: str, test: Sprt, verdict: Accepted) -> str:
    """The changes of win rate that are left when the other hypothesis is rejected."""
    if verdict is Accepted.H0:
        if test.two_sided:
            return f"neither of {first} and {second} wins {_of_points(test.h1)} more often than the other"
        better, other, least = first, second, -test.h1
    else:
        better, other = (second, first) if verdict is Accepted.H1 else (first, second)
        least = test.h0
    if least < 0:
        return f"{other} wins at most {_of_points(-least)} more often than {better}"
    return f"{better} is better: it wins{f' at least {_of_points(least)}' if least else ''} more often than {other}"


def _of_points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"


def _all_settings_table(report: Report, sections: Sequence[Section]) -> ReportTable:
    measure = main_measure(report)
    common, labels = common_and_distinct([section.setting for section in sections])
    summaries = [summary for section in sections for summary in section.summaries]
    row_labels = [label for section, label in zip(sections, labels, strict=True) for _ in section.summaries]
    first = report.plan.labels[0]
    differences = [
        _less_first(first, section, summary, measure) for section in sections for summary in section.summaries
    ]
    columns = _agent_columns(summaries, measure)
    if any(differences):
        digits = decimals(differences, 100)
        name = "score" if measure == "score" else "won"
        cells = [signed(one, digits) for one in differences]
        columns.append(Column(f"{name} %, than\n{first}", cells, 4))
        columns.append(Column("95 %", [signed_interval(one, digits) for one in differences], 6, left=True))
    title = f"Every setting: {common}" if common else "Every setting"
    return ReportTable(title, columns, players(summaries)).grouped_by(Column("setting", row_labels, left=True))


def players(summaries: Sequence[AgentSummary]) -> str:
    """Notes on who played each agent with a compiled twin, and on times; a line each."""
    lines = []
    for agent, of_agent in _by_agent(summaries).items():
        if any(summary.again is not None for summary in of_agent):
            again = sum(summary.again or 0 for summary in of_agent)
            lines.append(f"{agent}: {_twin(*_kernels_and_games(of_agent), again)}.")
    return "\n".join(filter(None, [*lines, times(summaries)]))


def _twin(kernels: int, games: int, again: int) -> str:
    if not kernels:
        return "played in Python by networkx and PySAT"
    share = "" if kernels == games else f"{kernels:,} of {games:,} games "
    same = f"; {counted(again, 'game')} again by networkx and PySAT, move for move the same"
    return f"{share}played by the compiled twin{same if again else ''}"


def times(summaries: Sequence[AgentSummary]) -> str:
    """Note on times: agents that kernels played, and in Python; empty without kernels."""
    if all(summary.by_kernels is None for summary in summaries):
        return ""
    said: dict[str, list[str]] = {"by kernels": [], "in Python": []}
    for agent, of_agent in _by_agent(summaries).items():
        kernels, games = _kernels_and_games(of_agent)
        share = f" (in {kernels:,} of {games:,} games)" if 0 < kernels < games else ""
        said["by kernels" if kernels else "in Python"].append(f"{agent}{share}")
    return f"Times: {'; '.join(f'{how} ' + ', '.join(agents) for how, agents in said.items() if agents)}."


def _by_agent(summaries: Sequence[AgentSummary]) -> dict[str, list[AgentSummary]]:
    found: dict[str, list[AgentSummary]] = {}
    for summary in summaries:
        found.setdefault(summary.agent, []).append(summary)
    return found


def _kernels_and_games(summaries: Sequence[AgentSummary]) -> tuple[int, int]:
    """Number of games that kernels played, and of all games played to their end."""
    kernels = sum(summary.by_kernels or 0 for summary in summaries)
    return kernels, kernels + sum(summary.in_python for summary in summaries)


def _split_table(sections: Sequence[Section], names: Sequence[str], level: int) -> ReportTable:
    """Standard deviations between boards and between plays of a board, by measure."""
    _, labels = common_and_distinct([section.setting for section in sections])
    rows = [
        (label, summary, name, summary.splits.get(name))
        for label, section in zip(labels, sections, strict=True)
        for name in names
        for summary in section.summaries
        if len(names) == 1 or name in summary.splits
    ]
    deviations = [
        ["-" if split is None else f"{value(split) * MEASURES[name].factor:#.3g}" for _, _, name, split in rows]
        for value in (attrgetter("boards"), attrgetter("plays"))
    ]
    shares = [split and split.board_share for _, _, _, split in rows]
    columns = [
        Column("agent", [summary.agent for _, summary, _, _ in rows], left=True),
        Column("measure", [_in_percent(MEASURES[name], "label") for _, _, name, _ in rows], 2, left=True),
        Column("layouts", [f"{summary.layouts:,}" for _, summary, _, _ in rows], 1),
        Column("deviation\nof boards", deviations[0]),
        Column("deviation\nof plays", deviations[1]),
        Column("board's share\nof variance %", [number(one, 1, 100) for one in shares]),
        Column("95 %", [interval(one, 1, 100) for one in shares], left=True),
    ]
    said = "Standard deviations between boards, and between plays of the same board; shares of their squares."
    table = ReportTable("Luck of the board and luck of the play", columns, said, level=level)
    return (
        table if len(sections) == 1 else table.grouped_by(Column("setting", [label for label, *_ in rows], left=True))
    )


def _less_first(first: str, section: Section, summary: AgentSummary, measure: str) -> Estimate | None:
    for pair in section.comparisons:
        if (pair.first, pair.second) == (first, summary.agent):
            return pair.score_difference if measure == "score" else pair.difference
    return None


def _agent_columns(summaries: Sequence[AgentSummary], measure: str) -> list[Column]:
    """Columns of a table of agents; the main measure and its interval always stay."""

    def columns_of(name: str, shown: Measure) -> Iterator[Column]:
        found = [summary.measured[name] for summary in summaries]
        digits = decimals(found, shown.factor)
        numbers = [number(one, digits, shown.factor) for one in found]
        intervals = [interval(one, digits, shown.factor) for one in found]
        is_main = name == measure
        head, rank = _in_percent(shown, "short").replace(" ", "\n", 1), 0 if is_main else shown.drop_rank or 0
        yield Column(head, numbers, rank, meaning=_meaning(shown))
        if is_main or shown.interval_drop_rank:
            yield Column("95 %", intervals, 0 if is_main else shown.interval_drop_rank or 0, left=True)

    columns = [
        Column("agent", [summary.agent for summary in summaries], left=True),
        Column("games", [f"{summary.games:,}" for summary in summaries]),
    ]
    if any(summary.failed for summary in summaries):
        columns.append(Column("failed", [f"{summary.failed:,}" for summary in summaries]))
    for name, one in MEASURES.items():
        known = not one.asked_by or any(summary.measured[name] for summary in summaries)
        if name != "ms" and (name == measure or (one.drop_rank is not None and known)):
            columns += columns_of(name, one)
    times = [milliseconds(summary.measured["ms"]) for summary in summaries]
    columns.append(Column("ms a\ngame", times, 2, meaning=_meaning(MEASURES["ms"])))
    return columns


def _meaning(measure: Measure) -> str:
    """The label of a measure, unless the head of its column says as much."""
    said = measure.label[:1].lower() + measure.label[1:]
    return "" if set(measure.short.split()) <= set(said.replace(",", "").split()) else said


def _in_percent(measure: Measure, text: Literal["label", "short"]) -> str:
    found: str = getattr(measure, text)
    return f"{found} %" if measure.share else found


def _anchor_table(anchors: Sequence[Anchor], count: int) -> ReportTable:
    half_widths = ["" if anchor.plus_minus is None else f"+-{anchor.plus_minus}" for anchor in anchors]
    columns = [
        Column("who", [anchor.program for anchor in anchors], left=True),
        Column("won %", [f"{anchor.rate:.5g}" for anchor in anchors], left=True),
        Column("95 %", half_widths, left=True),
        Column("source", [anchor.source for anchor in anchors], left=True),
    ]
    more = f"and {count - len(anchors)} lower ones" if count > len(anchors) else ""
    return ReportTable("For reference, what others have", columns, more, reference=True, level=3)


def _pair_table(section: Section, note: str, brief: bool) -> ReportTable:
    pairs = section.comparisons
    if brief and len(pairs) > MAX_PAIRS:
        pairs = _adjacent_pairs(section)
        note = f"Each agent with the next better one, {len(pairs)} of {len(section.comparisons)} pairs. {note}"
    won, score = [pair.difference for pair in pairs], [pair.score_difference for pair in pairs]
    won_digits, score_digits = decimals(won, 100), decimals(score, 100)
    columns = [
        Column("second - first", [f"{pair.second} - {pair.first}" for pair in pairs], left=True),
        Column("won\npoints", [signed(one, won_digits) for one in won]),
        Column("95 %", [signed_interval(one, won_digits) for one in won], left=True),
        Column("only\nfirst", [f"{pair.only_first:,}" for pair in pairs], 2, meaning="games that only the first won"),
        Column("only\nsecond", [f"{pair.only_second:,}" for pair in pairs], 2),
        Column("p", [probability(pair.p) for pair in pairs], meaning="chance of such a difference between equals"),
        Column("score\npoints", [signed(one, score_digits) for one in score], 1),
        Column("95 %", [signed_interval(one, score_digits) for one in score], 3, left=True),
    ]
    return ReportTable("On the same boards", columns, note, level=3)


def _adjacent_pairs(section: Section) -> tuple[Comparison, ...]:
    """Comparisons of each agent with the next better one, the best first."""
    rates = {summary.agent: summary.measured["won"] for summary in section.summaries}
    ranked = sorted(rates, key=lambda agent: -_mean_or_least(rates[agent]))
    comparisons = {frozenset((pair.first, pair.second)): pair for pair in section.comparisons}
    found = (comparisons.get(frozenset(two)) for two in zip(ranked, ranked[1:], strict=False))
    return tuple(pair for pair in found if pair)


def _mean_or_least(found: Estimate | None) -> float:
    return found.mean if found else -math.inf


def decimals(found: Sequence[Estimate | None], factor: int = 1) -> int:
    """Number of decimals that shows two digits of the widest interval; 1 without one.

    >>> decimals([Estimate(0.4, 0.31, 0.5)], 100), decimals([Estimate(0.41, 0.4097, 0.4103)], 100)
    (1, 3)
    """
    widest = max((one.half * factor for one in found if one and one.bounded), default=0.0)
    return min(max(1 - math.floor(math.log10(widest)), 1), 4) if widest else 1


def number(found: Estimate | None, digits: int, factor: int = 1) -> str:
    """An estimate without its interval; a dash where there is none."""
    return "-" if found is None else f"{found.mean * factor:.{digits}f}"


def interval(found: Estimate | None, digits: int, factor: int = 1) -> str:
    """The interval of a non-negative quantity; empty where an end is unknown."""
    if found is None or not found.bounded:
        return ""
    return f"{found.low * factor:.{digits}f}-{found.high * factor:.{digits}f}"


def signed(found: Estimate | None, digits: int) -> str:
    """A difference of shares in points; empty without one."""
    return "" if found is None else _points(found.mean, digits)


def signed_interval(found: Estimate | None, digits: int) -> str:
    """The interval of a difference of shares in points; empty if unknown."""
    if found is None or not found.bounded:
        return ""
    return f"{_points(found.low, digits)} to {_points(found.high, digits)}"


def _points(value: float, digits: int) -> str:
    """A share in points with its sign; without one if it is rounded to 0."""
    return f"{round(100 * value, digits) or 0.0:{'+' if round(100 * value, digits) else ''}.{digits}f}"


def milliseconds(found: Estimate | None) -> str:
    """A time in about three digits; a dash without one."""
    if found is None:
        return "-"
    size = math.floor(math.log10(found.mean)) if found.mean > 0 else 0
    return f"{found.mean:,.{min(max(2 - size, 0), 2)}f}"


def probability(p: float) -> str:
    """A p-value in two digits, small ones in scientific notation.

    >>> probability(0.0312), probability(1.234e-9), probability(0.0)
    ('0.031', '1.2e-09', '<1e-300')
    """
    return "<1e-300" if p < 1e-300 else f"{p:.2g}" if p < 0.995 else "1"
