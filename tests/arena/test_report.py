"""Reports: every number again from single games, in JSON, in CSV and in tables."""

import csv
import json
import re
from dataclasses import replace
from random import Random
from statistics import fmean

import jsonschema
import pytest

from satsweep.arena import export
from satsweep.arena.measures import ANCHORS, MEASURES, anchors_of
from satsweep.arena.plan import Figure, Plan
from satsweep.arena.report import Report, common_and_distinct
from satsweep.arena.result import CHAIN_COUNTS, FAILED, Result
from satsweep.arena.stats import Estimate, mcnemar
from satsweep.arena.tables import (
    Column,
    ReportTable,
    decimals,
    interval,
    milliseconds,
    number,
    signed,
    signed_interval,
    tables_of,
)
from satsweep.arena.terminal import to_text
from satsweep.board import Cell
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from satsweep.topology import TORUS
from tests.arena.reports import AREAS, CHAINS, DENSITIES, LEVELS, SINGLE, SIZES, report_of, reported, results_of
from tests.schemas import COMPARISON as SCHEMA, FILES, made

BROKEN = Result(0, 20, 1, FAILED, message="ValueError: no [such] thing", layout="*.\n..")
PLANS = pytest.mark.parametrize(
    "plan", [SINGLE, DENSITIES, SIZES, AREAS, LEVELS, CHAINS], ids=lambda plan: str(plan.settings[0])
)


def lines_of(plan: Plan) -> list[dict[str, str]]:
    return list(csv.DictReader("".join(report_of(plan).csv(seconds=True)).splitlines()))


def test_measures_are_those_of_the_games() -> None:
    games = [result for result in results_of(SINGLE) if result.agent == 1]
    summary = report_of(SINGLE).sections[0].summaries[1]
    assert (summary.agent, summary.games, summary.failed) == ("gem", 20, 0)
    claims = sum(game.claims for game in games)
    others = {
        "beyond-basic": sum(game.beyond_basic for game in games) / claims,
        "ms": 1000 * fmean(game.seconds for game in games),
    }
    whole = {"score": 10, "opened": 81}
    assert list(summary.measured) == list(MEASURES)
    for name, found in summary.measured.items():
        measure = MEASURES[name]
        value = (
            others.get(name)
            if not measure.count or measure.asked_by
            else (fmean(getattr(game, measure.count) for game in games) / whole.get(name, 1))
        )
        if value is None:
            assert found is None, "not measured is not 0"
            continue
        assert found is not None
        assert found.mean == pytest.approx(value), name
        assert found.low <= found.mean <= found.high
        assert found.bounded == (name != "ms"), name


def test_pairs_are_those_of_the_games() -> None:
    games = {(result.agent, result.game): result for result in results_of(SINGLE)}
    for pair in report_of(SINGLE).sections[0].comparisons:
        first, second = SINGLE.agents.index(pair.first), SINGLE.agents.index(pair.second)
        wins = [(games[first, game].won, games[second, game].won) for game in range(20)]
        found = [games[second, game].right - games[first, game].right for game in range(20)]
        assert pair.games == 20
        assert (pair.only_first, pair.only_second) == (wins.count((1, 0)), wins.count((0, 1)))
        assert pair.p == mcnemar(pair.only_first, pair.only_second)
        assert pair.difference is not None and pair.score_difference is not None
        assert pair.difference.mean == pytest.approx(fmean(b - a for a, b in wins))
        assert pair.score_difference.mean == pytest.approx(fmean(found) / 10)
    assert [(pair.first, pair.second) for pair in report_of(SINGLE).sections[0].comparisons] == [
        ("basic", "gem"),
        ("basic", "sat"),
        ("gem", "sat"),
    ]


def test_games_that_failed_are_not_won_and_nothing_else() -> None:
    whole, broken = report_of(SINGLE), reported(SINGLE, (*results_of(SINGLE), BROKEN))
    before, after = whole.sections[0].summaries[1], broken.sections[0].summaries[1]
    assert (after.games, after.failed) == (21, 1)
    won = before.measured["won"], after.measured["won"]
    assert won[0] and won[1] and won[1].mean * 21 == pytest.approx(won[0].mean * 20)
    assert all(before.measured[name] == after.measured[name] for name in MEASURES if name != "won")
    assert broken.failures == (BROKEN,)
    text = to_text(broken)
    assert (
        "1 game failed:" in text
        and "gem, game 20 of 9x9, 10 mines, first cell safe, seed report:\n  ValueError: no [such]" in text
    )


def test_it_is_said_how_each_agent_was_played() -> None:
    """Times of kernels and of Python are never mixed, and never without a word."""
    games = results_of(SINGLE)
    faster = [one._replace(seconds=abs(one.seconds) / 100) if one.agent == 2 else one for one in games]
    mixed = [one if one.game < 5 else other for one, other in zip(games, faster, strict=True)]
    for played, kernels, said in (
        (games, 0, "in Python basic, gem, sat"),
        (faster, 20, "by kernels sat; in Python basic, gem"),
        (mixed, 15, "by kernels sat (in 15 of 20 games); in Python basic, gem"),
    ):
        report = reported(SINGLE, tuple(played))
        assert f"Times: {said}.\n" in to_text(report)
        agents = report.as_values()["settings"][0]["agents"]  # type: ignore[index]
        assert [agent["played_by"] for agent in agents] == [
            {"kernels": 0, "python": 20},
            {"kernels": 0, "python": 20},
            {"kernels": kernels, "python": 20 - kernels},
        ]
        lines = list(csv.DictReader("".join(report.csv(seconds=True)).splitlines()))
        assert [line["by_kernels"] for line in lines] == ["0", "0", str(kernels)]
        rows = list(export.rows(SINGLE, played, seconds=True))
        assert [row["played_by"] for row in rows].count("kernels") == kernels
    assert "Times: " not in to_text(report_of(DENSITIES)), "where kernels cannot play"


def test_chains_are_measured_where_they_are_asked_for() -> None:
    games = [result for result in results_of(CHAINS) if result.agent == 1]
    report = report_of(CHAINS)
    for name in CHAIN_COUNTS:
        found = report.sections[0].summaries[1].measured[name]
        assert found is not None and found.bounded
        assert found.mean == pytest.approx(fmean(getattr(game, name) for game in games))
        assert found.low < found.mean < found.high
    basic = report.sections[0].summaries[0].measured
    assert basic["chain"] and basic["chain"].mean >= max(basic["reach"] or (0,))
    text = to_text(report, width=120)
    assert "chain" in text and "reach" in text and "breadth" in text
    assert "breadth" not in to_text(report_of(SINGLE), width=120)


def test_chains_of_some_games_are_no_average() -> None:
    """Games of sat without claims have chains, but their mean would be biased."""
    first, *others = (result for result in results_of(CHAINS) if result.agent == 2)
    assert {result.chain for result in others} == {None}
    report = reported(CHAINS, (first._replace(chain=3, reach=2, breadth=1), *others))
    assert [report.sections[0].summaries[0].measured[name] for name in CHAIN_COUNTS] == [None] * 3
    broken = reported(CHAINS, (*results_of(CHAINS), BROKEN)).sections[0].summaries[1]
    assert broken.measured["chain"] == report_of(CHAINS).sections[0].summaries[1].measured["chain"]


def test_only_plans_that_ask_for_chains_have_columns_for_them() -> None:
    """The CSV of other plans stays as it is, byte for byte."""
    (line, *_), (asked, *_) = lines_of(SINGLE), lines_of(CHAINS)
    chains = [f"{name}{end}" for name in CHAIN_COUNTS for end in ("", "_low", "_high")]
    assert [name for name in asked if name not in line] == chains
    assert list(line) == [name for name in asked if name not in chains]
    assert [line["chain"] for line in lines_of(CHAINS)][2] == ""


def test_boards_without_mines() -> None:
    section = report_of(DENSITIES).sections[0]
    assert section.setting.mines == 0
    assert [summary.measured["score"] for summary in section.summaries] == [(1.0, 1.0, 1.0)] * 2
    assert section.comparisons[0].score_difference == (0.0, 0.0, 0.0)


@PLANS
def test_json_is_as_the_schema_says(plan: Plan) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    report = replace(report_of(plan), failures=(BROKEN,))
    values = json.loads(report.to_json())
    assert values == json.loads(json.dumps(report.as_values()))
    jsonschema.Draft202012Validator(SCHEMA).validate(values)
    assert values["failures"][0]["layout"] == "*.\n.."
    assert FILES["comparison"].read_text("utf-8") == made("comparison")


def test_unknown_ends_of_intervals_are_null() -> None:
    one = tuple(result for result in results_of(SINGLE) if result.game == 0)
    values = json.loads(reported(SINGLE, one).to_json())
    measures = values["settings"][0]["agents"][0]["measures"]
    assert measures["guesses"]["high"] is None and measures["guesses"]["low"] == 0
    assert (measures["score"]["low"], measures["score"]["high"]) == (0, 1)
    assert measures["ms"]["low"] is None


def test_a_report_without_games() -> None:
    report = Report.of(SINGLE, [])
    assert report.summaries == []
    assert len(list(report.csv())) == 1
    jsonschema.Draft202012Validator(SCHEMA).validate(report.as_values())
    assert to_text(report) == "\n"


@PLANS
def test_csv_does_not_depend_on_the_order_of_games(plan: Plan) -> None:
    shuffled = list(results_of(plan))
    Random(0).shuffle(shuffled)
    slower = tuple(result._replace(seconds=2 * result.seconds) for result in shuffled)
    assert list(reported(plan, slower).csv()) == list(report_of(plan).csv())
    assert list(reported(plan, slower).csv(seconds=True)) != list(report_of(plan).csv(seconds=True))


@PLANS
def test_csv_has_every_setting_agent_and_measure(plan: Plan) -> None:
    lines = lines_of(plan)
    assert [(line["rows"], line["cols"], line["mines"], line["agent"]) for line in lines] == [
        (str(setting.rows), str(setting.cols), str(setting.mines), agent)
        for setting in plan.settings
        for agent in plan.agents
    ]
    for line, summary in zip(lines, report_of(plan).summaries, strict=True):
        assert line["games"] == str(plan.games)
        for name, found in summary.measured.items():
            value = line[name.replace("-", "_")] if MEASURES[name].is_measured(plan) else ""
            if found is None:
                assert value == ""
            else:
                assert float(value) == pytest.approx(found.mean, rel=1e-5)
    header = next(iter(report_of(plan).csv())).split(",")
    assert "won_low" in header and "won_high" in header and "ms" not in header


def test_csv_writes_a_start_as_a_cell() -> None:
    plan = Plan(("basic",), (Setting(4, 4, 2, Rules(start=Cell(0, 3))),), games=2)
    assert lines_of(plan)[0]["start"] == "0,3"


def test_common_and_distinct_parts_of_settings() -> None:
    assert common_and_distinct(LEVELS.settings) == (
        "10 mines",
        ["8x8, first cell safe", "9x9, first cell safe", "8x8, first cell zero", "9x9, first cell zero"],
    )
    assert common_and_distinct(SINGLE.settings) == ("9x9, 10 mines, first cell safe", [""])


def test_anchors_are_for_the_usual_rules_alone() -> None:
    expert = Setting(16, 30, 99, Rules(start=Cell(0, 0)))
    assert anchors_of(expert)[0].program == "Hill's solver", "the one that is surely the highest"
    assert [anchor.rate for anchor in anchors_of(expert) if "Hill" in anchor.program] == [41.132]
    assert {anchor.rate for anchor in anchors_of(replace(expert, rules=Rules(first=FirstClick.ZERO)))} == {
        54.3, 53.4502, 52.7838, 49.1,
    }  # fmt: skip
    for rules in (Rules(fatal=False), Rules(cascade=False), Rules(tells_total=False), Rules(first=FirstClick.ANY)):
        assert anchors_of(replace(expert, rules=rules)) == []
    assert anchors_of(replace(expert, topology=TORUS)) == []
    assert anchors_of(Setting(30, 16, 99)) == []


def test_every_anchor_is_found_and_has_a_source() -> None:
    settings = {(anchor.rows, anchor.cols, anchor.mines, anchor.first) for anchor in ANCHORS}
    found = [
        anchor
        for rows, cols, mines, first in sorted(settings, key=str)
        for anchor in anchors_of(Setting(rows, cols, mines, Rules(first=first)))
    ]
    assert len(found) == len(ANCHORS)
    assert all(anchor.program and anchor.source and 0 < anchor.rate < 100 for anchor in found)


@PLANS
@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_tables_fit_and_are_plain(plan: Plan, width: int) -> None:
    text = to_text(report_of(plan), width=width)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= width
    for agent in plan.agents:
        assert any(line.split()[:1] == [agent] or agent in line.split() for line in text.splitlines())


def test_a_table_has_the_numbers() -> None:
    report = report_of(SINGLE)
    text = to_text(report, width=120)
    lines = {line.split()[0]: line.split() for line in text.splitlines() if line.split()[:1] and "20" in line.split()}
    for summary in report.summaries:
        won, score = summary.measured["won"], summary.measured["score"]
        assert won is not None and score is not None
        shown = [f"{100 * won.mean:.1f}", f"{100 * won.low:.1f}-{100 * won.high:.1f}", f"{100 * score.mean:.1f}"]
        assert lines[summary.agent][1:5] == ["20", *shown]
    assert "sat - basic" in text and "91.695  +-0.0054  the program of Tu" in text


def test_colour_changes_nothing_but_colour() -> None:
    report = report_of(DENSITIES)
    coloured = to_text(report, width=100, colour=True)
    assert "\x1b[" in coloured and "\x1b[" not in to_text(report, width=100)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in plain.splitlines()] == to_text(report, width=100).splitlines()


def test_many_settings_share_a_table() -> None:
    (table,) = tables_of(report_of(DENSITIES))
    assert table.title == "Every setting: 6x6, first cell safe, play goes on after a mine"
    assert [column.head for column in table.columns[:3]] == ["setting", "agent", "games"]
    assert [column.head for column in table.columns[-2:]] == ["score %, than\nbasic", "95 %"]
    assert table.group_starts == [*range(0, 16, 2)]
    text = to_text(report_of(DENSITIES), width=1000).splitlines()
    assert text[:3] == ["Mines found", "", table.title]
    rows = text[text.index("-" * max(map(len, text))) + 1 :]
    assert rows[16].startswith("score %: mines found without opening them; ") and len(rows) <= 18
    assert rows[2].split()[:4] == ["4", "mines", "basic", "4"] and rows[3].split()[:2] == ["gem", "4"]


def test_columns_are_dropped_by_their_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of the highest rank go at once; those of rank 0 stay."""
    columns = [Column(head * 10, ["1"], rank) for head, rank in zip("abcde", (0, 2, 1, 2, 0), strict=True)]
    monkeypatch.setattr("satsweep.arena.terminal.tables_of", lambda report: [ReportTable("T", columns)])
    for width, kept in ((58, "abcde"), (54, "abcde"), (53, "ace"), (32, "ace"), (31, "ae"), (21, "ae")):
        heads = to_text(report_of(SINGLE), width=width).splitlines()[1].split()
        assert "".join(head[0] for head in heads) == kept


def test_a_column_is_explained_where_it_stands() -> None:
    """Once, under the first table that shows it; not a head that says as much itself."""
    wide, narrow = (" ".join(to_text(report_of(SINGLE), width=width).split()) for width in (120, 40))
    assert wide.count("beyond basic %: deductions that no number makes on its own") == 1
    assert "beyond basic" not in narrow and "won %:" not in wide
    assert wide.count("p: chance of such a difference between equals.") == 1
    assert all("beyond basic %: " in table.legend for table in tables_of(report_of(SINGLE)) if table.level == 2)


def test_a_plan_about_another_measure_has_its_interval() -> None:
    for name in MEASURES:
        report = replace(report_of(SINGLE), plan=replace(SINGLE, figure=Figure(name)))
        assert "95 %" in to_text(report, width=80)


def test_long_tables_are_cut_and_say_so() -> None:
    text = to_text(report_of(LEVELS), width=120)
    assert "Each agent with the next better one, 5 of 15 pairs." in text
    expert = Plan(("random",), (Setting(16, 30, 99),), games=1)
    assert "and 10 lower ones" in to_text(report_of(expert), width=120)


def test_estimates_without_an_interval_are_written() -> None:
    assert number(None, 1) == "-" and milliseconds(None) == "-"
    assert interval(Estimate(3.0), 1) == "" == signed_interval(None, 1)
    assert decimals([None, Estimate(3.0)]) == 1
    assert [milliseconds(Estimate(value)) for value in (0.0, 0.123, 1.234, 12.34, 123.4, 12345.6)] == [
        "0.00", "0.12", "1.23", "12.3", "123", "12,346",
    ]  # fmt: skip
    assert [signed(Estimate(value), 1) for value in (0.1, -0.1, 0.0001, -0.0001)] == ["+10.0", "-10.0", "0.0", "0.0"]
