"""What a run has shown: for every setting what each agent reached, how each two of them compare, and what others have.

A ``Report`` is a value; ``as_values`` and ``as_json`` say all of it, in the form of ``schemas/comparison.schema.json``,
and ``csv`` has a line for each setting and agent.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from satsweep.compare.anchors import Anchor, anchors_of
from satsweep.compare.blocks import Result
from satsweep.compare.measures import MEASURES, score_difference
from satsweep.compare.plan import Plan
from satsweep.compare.stats import Estimate, difference, mcnemar
from satsweep.compare.sums import AgentSums, PairSums
from satsweep.games.setting import Setting, short_rules


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """An agent in a setting: its games, how many failed, and an estimate for every measure that there is one for."""

    agent: str
    games: int
    failed: int
    measured: dict[str, Estimate | None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on the same layouts. Differences are the second less the first; ``p`` is that of McNemar's test.

    ``difference`` is that of the win rates, ``score`` that of the scores.
    """

    first: str
    second: str
    games: int
    only_first: int
    only_second: int
    difference: Estimate | None
    p: float
    score: Estimate | None


@dataclass(frozen=True, slots=True)
class Section:
    """All about one setting."""

    setting: Setting
    standings: tuple[AgentSummary, ...]
    comparisons: tuple[Comparison, ...]
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run has shown, setting by setting; games that failed, and what software played."""

    plan: Plan
    sections: tuple[Section, ...]
    failures: tuple[Result, ...]
    versions: dict[str, str]

    @classmethod
    def of(
        cls,
        plan: Plan,
        tallies: Iterable[AgentSums],
        pairs: Iterable[PairSums] = (),
        failures: Iterable[Result] = (),
        versions: Mapping[str, str] | None = None,
    ) -> Report:
        """The report on games that were added up. An agent without games in a setting is not mentioned there."""
        by_setting: dict[int, tuple[list[AgentSums], list[PairSums]]] = {
            at: ([], []) for at in range(len(plan.settings))
        }
        for tally in tallies:
            by_setting[tally.setting][0].append(tally)
        for pair in pairs:
            by_setting[pair.setting][1].append(pair)
        sections = (_section(plan, at, *found) for at, found in by_setting.items())
        return cls(plan, tuple(sections), tuple(failures), dict(sorted((versions or {}).items())))

    @property
    def rows(self) -> list[AgentSummary]:
        """Every agent in every setting, in the order of the plan."""
        return [standing for section in self.sections for standing in section.standings]

    def as_values(self) -> dict[str, object]:
        """All of it as plain values. Shares are between 0 and 1; an end of an interval that is not known is null."""
        plan = self.plan
        return {
            "plan": {
                "name": plan.name,
                "title": plan.title,
                "source": plan.source,
                "agents": list(plan.agents),
                "seed": plan.seed,
                "games": plan.games,
                "seconds": plan.seconds,
                "until": plan.until,
            },
            "versions": self.versions,
            "settings": [_section_as_json(section) for section in self.sections],
            "failures": [
                {
                    "setting": failure.setting,
                    "game": failure.game,
                    "agent": plan.labels[failure.agent],
                    "message": failure.message,
                    "layout": failure.layout,
                }
                for failure in self.failures
            ],
        }

    def as_json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.as_values(), indent=2, allow_nan=False, ensure_ascii=False) + "\n"

    def csv(self, *, seconds: bool = False) -> Iterator[str]:
        """A line per setting and agent; without ``seconds`` two runs of the same games give the same text.

        What is measured only where the plan asks for it has columns only there.
        """
        names = [
            name
            for name, measure in MEASURES.items()
            if (seconds or not measure.timed) and (self.plan.chains or not measure.traced)
        ]
        columns = [column for name in names for column in _columns(name)]
        yield _line([*_described(self.plan.settings[0]), "agent", "games", "failed", *columns])
        for section in self.sections:
            fields = [_field(value) for value in _described(section.setting).values()]
            for standing in section.standings:
                numbers = [number for name in names for number in _numbers(name, standing.measured[name])]
                yield _line([*fields, standing.agent, str(standing.games), str(standing.failed), *numbers])


def told_apart(settings: Sequence[Setting]) -> tuple[str, list[str]]:
    """What all of the settings have in common, and what tells each of them from the others, in words.

    >>> told_apart([Setting(9, 9, 10), Setting(9, 9, 20)])
    ('9x9, first cell safe', ['10 mines', '20 mines'])
    """
    parts = [_parts(setting) for setting in settings]
    shared = [len(set(values)) == 1 for values in zip(*parts, strict=True)]
    common = ", ".join(value for value, same in zip(parts[0], shared, strict=True) if same)
    return common, [", ".join(value for value, same in zip(own, shared, strict=True) if not same) for own in parts]


def _parts(setting: Setting) -> tuple[str, str, str]:
    size, mines = setting.board.rsplit(", ", 1)
    return size, mines, short_rules(setting.rules)


def _section(plan: Plan, at: int, tallies: list[AgentSums], pairs: list[PairSums]) -> Section:
    setting = plan.settings[at]
    standings = (
        AgentSummary(
            plan.labels[tally.agent],
            tally.games,
            tally.failed,
            {name: measure.find(tally, setting) for name, measure in MEASURES.items()},
        )
        for tally in sorted(tallies, key=lambda tally: tally.agent)
    )
    comparisons = (
        Comparison(
            plan.labels[pair.first],
            plan.labels[pair.second],
            pair.games,
            pair.only_first,
            pair.only_second,
            difference(pair.games, pair.only_first, pair.only_second),
            mcnemar(pair.only_first, pair.only_second),
            score_difference(pair, setting),
        )
        for pair in sorted(pairs, key=lambda pair: (pair.first, pair.second))
    )
    return Section(setting, tuple(standings), tuple(comparisons), tuple(anchors_of(setting)))


def _section_as_json(section: Section) -> dict[str, object]:
    return {
        "setting": _described(section.setting),
        "agents": [
            {
                "agent": standing.agent,
                "games": standing.games,
                "failed": standing.failed,
                "measures": {name: _ends(found) for name, found in standing.measured.items()},
            }
            for standing in section.standings
        ],
        "comparisons": [
            {
                "first": pair.first,
                "second": pair.second,
                "games": pair.games,
                "only_first": pair.only_first,
                "only_second": pair.only_second,
                "difference": _ends(pair.difference),
                "p": pair.p,
                "score_difference": _ends(pair.score),
            }
            for pair in section.comparisons
        ],
        "anchors": [
            {"who": anchor.who, "won_percent": anchor.rate, "plus_minus": anchor.plus_minus, "source": anchor.source}
            for anchor in section.anchors
        ],
    }


def _described(setting: Setting) -> dict[str, object]:
    return {**setting.to_values(), "density": float(setting.density)}


def _line(fields: Iterable[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


def _field(value: object) -> str:
    """A value of a setting in a CSV file: a cell as row,col, and nothing where there is none."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _ends(found: Estimate | None) -> dict[str, float | None] | None:
    if found is None:
        return None
    return {name: value if math.isfinite(value) else None for name, value in found._asdict().items()}


def _columns(name: str) -> list[str]:
    column = name.replace("-", "_")
    return [column] if MEASURES[name].timed else [column, f"{column}_low", f"{column}_high"]


def _numbers(name: str, found: Estimate | None) -> list[str]:
    """Six digits, which is more than games can tell, and the same whatever the version of scipy."""
    count = len(_columns(name))
    if found is None:
        return [""] * count
    return [f"{value:.6g}" if math.isfinite(value) else "" for value in found[:count]]
