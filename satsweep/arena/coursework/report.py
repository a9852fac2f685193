"""Report on an agent: its parts, on a page or in Markdown with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from satsweep.arena.coursework.questions import answered
from satsweep.arena.coursework.study import Ending, Study
from satsweep.arena.pages import inline_svg, svg_of
from satsweep.arena.plan import Figure
from satsweep.arena.plot import figure
from satsweep.arena.stats import Estimate
from satsweep.oracle.lessons import MissedCell, lessons_of
from satsweep.render.audit import failure_lines, refutations
from satsweep.render.lessons import missed_lines, missed_picture
from satsweep.render.number_text import percent
from satsweep.render.templates import page_of
from satsweep.text import counted

MOST_MISSES = 5


@dataclass(frozen=True)
class Table:
    """A table: its head, and rows of text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def facts(study: Study) -> Iterator[tuple[str, str]]:
    """Yield facts on the study: agent, board, games, seed."""
    yield "Agent", study.label
    yield "Board", str(study.setting)
    yield (
        "Games",
        f"{counted(sum(study.endings.values()), 'game')} audited; {study.comparison.plan.games:,} on each density",
    )
    yield "Seed", study.seed
    yield "Program", ", ".join(f"{name} {version}" for name, version in study.comparison.versions.items())


def techniques(study: Study) -> Table:
    """Return forced and found cells by technique."""
    found = []
    for lesson in lessons_of(study.audit, 0):
        share = percent(Fraction(lesson.forced - lesson.missed, lesson.forced)) if lesson.forced else ""
        found.append((lesson.technique.value, f"{lesson.forced:,}", f"{lesson.missed:,}", share))
    return Table(("technique", "forced", "missed", "found"), found)


def successes(study: Study) -> Table:
    """Return the games won by density, with 95 % intervals, of all agents."""
    agents = study.comparison.plan.labels
    rows = [
        (f"{100 * mines / study.setting.area:.0f} %", *(_share(found.get(agent)) for agent in agents))
        for mines, found in study.rates()
    ]
    return Table(("mines", *agents), rows)


def costs(study: Study) -> Table:
    """Return the processor time of a game by density, of all agents."""
    agents = study.comparison.plan.labels
    rows = [
        (f"{100 * mines / study.setting.area:.0f} %", *(_number(found.get(agent)) for agent in agents))
        for mines, found in study.rates("ms")
    ]
    return Table(("ms a game", *agents), rows)


def endings(study: Study) -> Table:
    """Return how the audited games ended."""
    total = sum(study.endings.values())
    rows = [
        (kind.value, f"{study.endings[kind]:,}", percent(Fraction(study.endings[kind], total)))
        for kind in Ending
        if study.endings[kind]
    ]
    return Table(("end", "games", "share"), rows)


def misses(study: Study) -> list[MissedCell]:
    """Return the most instructive misses, of each technique in turn."""
    groups = [lesson.examples for lesson in lessons_of(study.audit, MOST_MISSES)]
    if not study.audit.claims:
        return []
    in_turn = [group[place] for place in range(MOST_MISSES) for group in groups if place < len(group)]
    return in_turn[:MOST_MISSES]


def report_page(study: Study) -> str:
    """Return the report as one self-contained page.

    Raises SatsweepError without matplotlib.
    """
    from markupsafe import Markup

    drawn = inline_svg(figure(study.comparison, Figure("won", "density")), "won-")
    return page_of(
        "coursework.html",
        title=f"Report on {study.label}",
        facts=list(facts(study)),
        questions=list(answered(study)),
        figure=Markup(drawn),
        tables=_tables(study),
        refutations=["\n".join(lines) for lines in refutations(study.audit)],
        misses=[Markup(missed_picture(one)) for one in misses(study)],
        failures=[*failure_lines(study.audit), *map(study.comparison.why_out, study.comparison.out)],
    )


def _tables(study: Study) -> Mapping[str, Table]:
    found = {
        "Games won, with 95 % intervals": successes(study),
        "Ends of the audited games": endings(study),
        "Missed cells by technique": techniques(study),
        "Cost": costs(study),
    }
    return {title: table for title, table in found.items() if table.rows}


def report_markdown(study: Study, picture: str) -> tuple[str, dict[str, str]]:
    """Return the report as Markdown, and its pictures as SVG by file name.

    ``picture`` begins these names.
    """
    pictures = {f"{picture}-won.svg": svg_of(study.comparison)}
    lines = [f"# Report on {study.label}", "", *(f"* {name}: {value}" for name, value in facts(study)), ""]
    for question, answer in answered(study):
        lines += [f"**{question}** {answer}", ""]
    lines += [f"![Games won by density]({picture}-won.svg)", ""]
    for title, table in _tables(study).items():
        lines += [f"## {title}", "", *_markdown(table), ""]
    if study.audit.unsound:
        lines += ["## False claims", ""]
        for refuted in refutations(study.audit):
            lines += ["```", *refuted, "```", ""]
    if found := misses(study):
        lines += ["## Instructive misses", ""]
        for number, one in enumerate(found, 1):
            name = f"{picture}-miss{number}.svg"
            pictures[name] = missed_picture(one)
            lines += [
                f"![Missed cell {one.missed.cell}]({name})",
                "",
                *list(missed_lines(one))[-len(one.argument.sentences) :],
                "",
            ]
    return "\n".join(lines), pictures


def _markdown(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(table.head)} |"
    yield f"|{'---|' * len(table.head)}"
    for row in table.rows:
        yield f"| {' | '.join(row)} |"


def _share(found: Estimate | None) -> str:
    if found is None:
        return "failed"
    own = found.scaled(100)
    return f"{own.mean:.0f} %" + (f" ({own.low:.0f} to {own.high:.0f})" if own.bounded else "")


def _number(found: Estimate | None) -> str:
    return "failed" if found is None else f"{found.mean:.3g}"
