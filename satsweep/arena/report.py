"""Reports: estimates for each agent and setting, comparisons of pairs, anchors.

A ``Report`` is a value. ``as_values`` and ``to_json`` give all of it, as ``schemas/comparison.schema.json`` says;
``csv`` gives a line for each setting and agent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from satsweep.arena.kernel_games import may_play, suits
from satsweep.arena.measures import MEASURES, Anchor, anchors_of, score_difference, win_difference
from satsweep.arena.plan import Plan
from satsweep.arena.played_again import has_twin
from satsweep.arena.result import MAX_FAILURES_IN_A_ROW, AgentSums, Dropouts, PairSums, Result
from satsweep.arena.sprt import Decision
from satsweep.arena.stats import Estimate, VarianceSplit
from satsweep.games.setting import Setting, short_rules
from satsweep.mixins import Worded
from satsweep.text import csv_text


@dataclass(frozen=True, slots=True)
class AgentSummary:
    """An agent in a setting: its games, and its estimate for each measure.

    ``by_kernels`` counts the games that kernels played, None if they never play the agent. If there are any, times are
    those of these games alone, otherwise of all games, in Python. ``again`` counts those of them that Python has just
    played again, with the same moves, None if it never does. Where each layout is played several times, ``layouts``
    counts them, and ``splits`` has the split of the variance of measures between boards and plays.
    """

    agent: str
    games: int
    failed: int
    measured: dict[str, Estimate | None]
    by_kernels: int | None = None
    again: int | None = None
    layouts: int | None = None
    splits: dict[str, VarianceSplit] = field(default_factory=dict)

    @property
    def in_python(self) -> int:
        """Number of games played to their end in Python."""
        return self.games - self.failed - (self.by_kernels or 0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on the same layouts: discordant wins, and differences.

    ``difference`` is the win rate of the second less that of the first, ``score_difference`` that of scores; ``p`` is
    that of McNemar's test, or of the randomization test if layouts are played several times.
    """

    first: str
    second: str
    games: int
    only_first: int
    only_second: int
    difference: Estimate | None
    p: float
    score_difference: Estimate | None


@dataclass(frozen=True, slots=True)
class Section:
    setting: Setting
    summaries: tuple[AgentSummary, ...]
    comparisons: tuple[Comparison, ...]
    anchors: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Report(Worded):
    """A section for each setting, the failed games, and the versions that played.

    ``decision`` is that of the plan's sequential test, which takes all games of the report unless it is undecided.
    ``out`` has the first of the failed games in a row of each agent that is out. It has no other game in the report,
    and no test decides about it.
    """

    _pictures: ClassVar[str] = "satsweep.arena.pages"

    plan: Plan
    sections: tuple[Section, ...]
    failures: tuple[Result, ...]
    versions: dict[str, str]
    decision: Decision | None = None
    out: tuple[Result, ...] = ()

    @classmethod
    def of(
        cls,
        plan: Plan,
        agents: Iterable[AgentSums],
        pairs: Iterable[PairSums] = (),
        failures: Iterable[Result] = (),
        versions: Mapping[str, str] | None = None,
        decision: Decision | None = None,
        again: Mapping[tuple[int, int], int] | None = None,
    ) -> Report:
        """The report on sums over games; agents that are out or have none are left out.

        ``again`` has the number of games that Python has just played again, by setting and agent.
        """
        failures = list(failures)
        out = Dropouts(failures).out
        by_setting: dict[int, tuple[list[AgentSums], list[PairSums]]] = {
            index: ([], []) for index in range(len(plan.settings))
        }
        for sums in agents:
            if (sums.setting, sums.agent) not in out:
                by_setting[sums.setting][0].append(sums)
        for pair in pairs:
            if not {(pair.setting, pair.first), (pair.setting, pair.second)} & out.keys():
                by_setting[pair.setting][1].append(pair)
        sections = (_section(plan, index, *sums, again or {}) for index, sums in by_setting.items())
        return cls(
            plan,
            tuple(sections),
            tuple(one for one in failures if (one.setting, one.agent) not in out),
            dict(sorted((versions or {}).items())),
            None if out else decision,
            tuple(out.values()),
        )

    def __repr__(self) -> str:
        games = sum(summary.games for summary in self.summaries)
        return f"<Report: {', '.join(self.plan.labels)} in {len(self.sections)} settings, {games} games>"

    def why_out(self, failure: Result) -> str:
        """The line on an agent that is out, from the first of its failed games in a row."""
        return (
            f"{self.plan.labels[failure.agent]} is out of {self.plan.settings[failure.setting]}: "
            f"{MAX_FAILURES_IN_A_ROW} games in a row failed, from game {failure.game:,} on: {failure.message}"
        )

    @property
    def summaries(self) -> list[AgentSummary]:
        """Summaries of all agents in all settings, in the order of the plan."""
        return [summary for section in self.sections for summary in section.summaries]

    def rows(self) -> list[dict[str, object]]:
        """A flat dictionary for each agent and setting, ready for ``pandas.DataFrame``.

        Settings have columns of their own; each measure has its estimate and, after ``_low`` and ``_high``, the ends of
        its 95 % interval, None where the games are too few.
        """
        found = []
        for section in self.sections:
            values = section.setting.to_values()
            setting = {name: values[name] for name in ("rows", "cols", "mines")} | {"rules": str(section.setting.rules)}
            for summary in section.summaries:
                row = {"agent": summary.agent, **setting, "games": summary.games, "failed": summary.failed}
                for name, estimate in summary.measured.items():
                    if MEASURES[name].is_measured(self.plan):
                        ends = (end if math.isfinite(end) else None for end in estimate or _UNKNOWN)
                        row |= dict(zip(_named(name, "", "_low", "_high"), ends, strict=True))
                found.append(row)
        return found

    def as_values(self) -> dict[str, object]:
        """The report as plain values.

        Shares are between 0 and 1; an unknown end of an interval is None.
        """
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
                **({} if plan.plays == 1 else {"plays": plan.plays}),
            },
            "versions": self.versions,
            **({} if self.decision is None else {"sprt": _decision_values(self.decision)}),
            "settings": [_section_values(section) for section in self.sections],
            **({"out": self._failure_values(self.out)} if self.out else {}),
            "failures": self._failure_values(self.failures),
        }

    def _failure_values(self, failures: Iterable[Result]) -> list[dict[str, object]]:
        return [
            {
                "setting": failure.setting,
                "game": failure.game,
                "agent": self.plan.labels[failure.agent],
                "message": failure.message,
                "layout": failure.layout,
            }
            for failure in failures
        ]

    def to_json(self) -> str:
        """The plain values as JSON text."""
        return json.dumps(self.as_values(), indent=2, allow_nan=False, ensure_ascii=False) + "\n"

    def csv(self, *, seconds: bool = False) -> Iterator[str]:
        """CSV lines: one per setting and agent, after a header.

        Without ``seconds`` two runs of the same games give the same text; with it there is the number of games that
        kernels played. Chains and evaluations have columns only if the plan asks for them, the split of variances only
        if it plays each layout several times.
        """
        groups = list(_csv_groups(self.plan, seconds))
        yield csv_text([*_setting_values(self.plan.settings[0]), *(name for names, _ in groups for name in names)])
        for section in self.sections:
            fields = [_csv_field(value) for value in _setting_values(section.setting).values()]
            for summary in section.summaries:
                yield csv_text([*fields, *(value for _, values in groups for value in values(summary))])


def common_and_distinct(settings: Sequence[Setting]) -> tuple[str, list[str]]:
    """Parts of descriptions that all settings share, and for each setting the others.

    >>> common_and_distinct([Setting(9, 9, 10), Setting(9, 9, 20)])
    ('9x9, first cell safe', ['10 mines', '20 mines'])
    """
    return split_common([_description(setting) for setting in settings])


def split_common(descriptions: Sequence[tuple[str, ...]]) -> tuple[str, list[str]]:
    """Parts that all descriptions share, and for each description the others.

    >>> split_common([("9x9", "safe"), ("9x9", "zero")])
    ('9x9', ['safe', 'zero'])
    """
    shared = [len(set(values)) == 1 for values in zip(*descriptions, strict=True)]
    common = ", ".join(value for value, same in zip(descriptions[0], shared, strict=True) if same)
    distinct = [
        ", ".join(value for value, same in zip(parts, shared, strict=True) if not same) for parts in descriptions
    ]
    return common, distinct


def _description(setting: Setting) -> tuple[str, str, str]:
    size, mines = setting.board.rsplit(", ", 1)
    return size, mines, short_rules(setting.rules)


def _section(
    plan: Plan,
    index: int,
    agents: list[AgentSums],
    pairs: list[PairSums],
    again: Mapping[tuple[int, int], int],
) -> Section:
    setting = plan.settings[index]
    summaries = (
        AgentSummary(
            plan.labels[sums.agent],
            sums.games,
            sums.failed,
            {name: measure.estimate(sums, setting) for name, measure in MEASURES.items()},
            sums.timed * may_play(plan, index, sums.agent) if suits(setting, plan.agents[sums.agent]) else None,
            again.get((index, sums.agent), 0) if has_twin(plan.agents[sums.agent]) else None,
            len(sums.layouts) if plan.plays > 1 else None,
            {name: split for name, measure in MEASURES.items() if (split := measure.split(sums, setting))},
        )
        for sums in sorted(agents, key=lambda sums: sums.agent)
    )
    comparisons = (
        Comparison(
            plan.labels[pair.first],
            plan.labels[pair.second],
            pair.games,
            pair.only_first,
            pair.only_second,
            *win_difference(pair),
            score_difference(pair, setting),
        )
        for pair in sorted(pairs, key=lambda pair: (pair.first, pair.second))
    )
    return Section(setting, tuple(summaries), tuple(comparisons), tuple(anchors_of(setting)))


def _section_values(section: Section) -> dict[str, object]:
    return {
        "setting": _setting_values(section.setting),
        "agents": [
            {
                "agent": summary.agent,
                "games": summary.games,
                "failed": summary.failed,
                "played_by": {"kernels": summary.by_kernels or 0, "python": summary.in_python},
                "played_again": summary.again or 0,
                "measures": {name: estimate_values(found) for name, found in summary.measured.items()},
                **({} if summary.layouts is None else _split_values(summary)),
            }
            for summary in section.summaries
        ],
        "comparisons": [
            {name: _plain(getattr(pair, name)) for name in Comparison.__dataclass_fields__}
            for pair in section.comparisons
        ],
        "anchors": [*map(anchor_values, section.anchors)],
    }


def anchor_values(anchor: Anchor) -> dict[str, object]:
    return {
        "who": anchor.program,
        "won_percent": anchor.rate,
        "plus_minus": anchor.plus_minus,
        "source": anchor.source,
    }


def _split_values(summary: AgentSummary) -> dict[str, object]:
    return {
        "layouts": summary.layouts,
        "variances": {
            name: {
                "board_deviation": split.boards,
                "play_deviation": split.plays,
                "board_share": estimate_values(split.board_share),
            }
            for name, split in summary.splits.items()
        },
    }


def _decision_values(decision: Decision) -> dict[str, object]:
    test, (mean, variance) = decision.test, decision.moments
    low, high = test.bounds
    return {
        "h0": test.h0,
        "h1": test.h1,
        "alpha": test.alpha,
        "beta": test.beta,
        "two_sided": test.two_sided,
        "accepted": decision.verdict and decision.verdict.value,
        "games": decision.games,
        "layouts": decision.layouts,
        "log_ratios": list(decision.log_ratios),
        "lower_bound": low,
        "upper_bound": high,
        "counts": list(decision.counts),
        "change": mean,
        "variance": variance,
        "expected_games": decision.expected_games and list(decision.expected_games),
    }


def _setting_values(setting: Setting) -> dict[str, object]:
    return {**setting.to_values(), "density": float(setting.density)}


def _csv_field(value: object) -> str:
    """A value of a setting in CSV: a cell as row,col; None is empty."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _plain(value: object) -> object:
    return estimate_values(value) if isinstance(value, Estimate) else value


def estimate_values(found: Estimate | None) -> dict[str, float | None] | None:
    """An estimate as plain values; None for an unknown end."""
    if found is None:
        return None
    return {name: value if math.isfinite(value) else None for name, value in found._asdict().items()}


_CsvGroup = tuple[Sequence[str], Callable[[AgentSummary], Iterable[str]]]
"""Names of columns, and their values for an agent in a setting."""
_SPLIT_COLUMNS = ("board_deviation", "play_deviation", "board_share", "board_share_low", "board_share_high")


def _csv_groups(plan: Plan, seconds: bool) -> Iterator[_CsvGroup]:
    """Columns of the CSV after those of the setting."""
    yield ("agent", "games", "failed"), lambda one: (one.agent, str(one.games), str(one.failed))
    if seconds:
        yield ("by_kernels",), lambda one: (str(one.by_kernels or 0),)
    names = [name for name, one in MEASURES.items() if (seconds or not one.timed) and one.is_measured(plan)]
    for name in names:
        ends = ("",) if MEASURES[name].timed else ("", "_low", "_high")
        yield _named(name, *ends), partial(_csv_estimate, name, len(ends))
    if plan.plays > 1:
        yield ("layouts",), lambda one: (str(one.layouts),)
        for name in names:
            if MEASURES[name].count:
                yield _named(name, *(f"_{column}" for column in _SPLIT_COLUMNS)), partial(_csv_split, name)


def _named(measure: str, *ends: str) -> list[str]:
    return [measure.replace("-", "_") + end for end in ends]


def _csv_estimate(name: str, count: int, summary: AgentSummary) -> list[str]:
    return _csv_floats((summary.measured[name] or _UNKNOWN)[:count])


def _csv_split(name: str, summary: AgentSummary) -> list[str]:
    split = summary.splits.get(name) or VarianceSplit(math.nan, math.nan, None)
    return _csv_floats((split.boards, split.plays, *(split.board_share or _UNKNOWN)))


_UNKNOWN = (math.nan,) * 3


def _csv_floats(values: Iterable[float]) -> list[str]:
    # Six digits are more than games can tell, and all versions of scipy agree on them.
    return [f"{value:.6g}" if math.isfinite(value) else "" for value in values]
