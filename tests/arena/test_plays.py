"""Several plays of a layout: which games they are, and statistics with layouts as units."""

import csv
import json
import math
import re
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean, variance

import jsonschema
import numpy as np
import pytest
import scipy
from hypothesis import given, strategies as st

from satsweep import Cell, Rules, agent_named, random_layout
from satsweep.arena import export
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, versions
from satsweep.arena.kernel_games import may_play
from satsweep.arena.measures import MEASURES
from satsweep.arena.packed_games import pack
from satsweep.arena.pages import page
from satsweep.arena.plan import Figure, Plan
from satsweep.arena.progress import RunProgress
from satsweep.arena.result import FAILED, Result, layout_and_play
from satsweep.arena.run import report_on, run_plan
from satsweep.arena.stats import (
    MAX_EXACT,
    clustered_difference,
    clustered_mean,
    clustered_share,
    difference,
    mcnemar,
    mean,
    randomization_test,
    share,
    variance_split,
)
from satsweep.arena.store import Store
from satsweep.arena.terminal import to_text
from satsweep.clues import clues_named
from satsweep.games.deal import game_rng
from satsweep.games.game import Game, play, play_moves
from satsweep.games.rules import FIND_MINES_RULES, FirstClick
from satsweep.games.setting import Setting, settings_by_kind
from tests.arena.reports import (
    CHAINS,
    DENSITIES,
    SINGLE,
    Serial,
    report_of,
    reported,
    results_of,
    single_games,
    sum_results,
    untimed,
)
from tests.schemas import COMPARISON as SCHEMA

GO_ON = Rules(start=Cell(0, 0), fatal=False)
PLAN = Plan(
    ("basic", "gem", f"{Path(__file__).with_name('troubled_agents.py')}:raises_rarely"),
    (Setting(6, 6, 8, GO_ON), Setting(5, 5, 5, Rules(first=FirstClick.ZERO, start=Cell(2, 2)))),
    games=19,
    plays=3,
    seed="plays",
)
"""Seven layouts in each setting, the last of which is played once."""


def rows(plan: Plan, setting: int = 0, games: int | None = None) -> list[Result]:
    return untimed(play_block(Block.of(plan, setting, range(games or plan.games or 0))).results)


@cache
def all_results() -> list[Result]:
    return [*rows(PLAN, 0), *rows(PLAN, 1)]


# --- which games they are --------------------------------------------------------------------------------------------


def test_a_layout_is_dealt_once_and_played_several_times() -> None:
    block = Block.of(PLAN, 0, range(19))
    layouts = [block.layout(game)[0] for game in range(19)]
    assert all(layouts[game] == PLAN.settings[0].layout("plays", game // 3)[0] for game in range(19))
    assert len(set(layouts)) == 7


def test_the_first_play_is_the_game_of_a_plan_without_plays() -> None:
    once = [result for result in rows(replace(PLAN, plays=1, games=7))]
    first = [result._replace(game=result.game // 3) for result in rows(PLAN) if not result.game % 3]
    assert first == once


@pytest.mark.parametrize("agent", ["random", "basic"])
@pytest.mark.parametrize(
    "rules",
    [
        Rules(first=FirstClick.ZERO, start=Cell(2, 2), fatal=False),
        Rules(first=FirstClick.SAFE, start=Cell(1, 1), fatal=False, clues=clues_named("random 1/2")),
        replace(FIND_MINES_RULES, cascade=True),
    ],
    ids=str,
)
def test_plays_differ_in_guesses_alone(agent: str, rules: Rules) -> None:
    """Mines that make way for the first cell, drawn starts and unreliable numbers stay."""
    block = Block.of(Plan((agent,), (Setting(6, 6, 9, rules),), games=12, plays=4), 0, range(12))
    shown: dict[int, set[object]] = {}
    moves: dict[int, set[object]] = {}
    for game in range(12):
        layout, rng = block.layout(game)
        found = Game(layout, rules, rng)
        made = list(play_moves(found, agent_named(agent), block.agent_rng(game) or rng))
        number = layout_and_play(game, 4)[0]
        shown.setdefault(number, set()).add((found.layout, found.clue_seed, made[0]))
        moves.setdefault(number, set()).add(tuple(made))
    assert [len(found) for found in shown.values()] == [1, 1, 1]
    assert min(len(found) for found in moves.values()) > 2, "two plays may guess the same cells by chance"


def test_all_agents_have_the_same_random_numbers_in_a_play() -> None:
    """An agent and itself under another name play the same games."""
    for result in rows(replace(PLAN, agents=("gem-full", "gem"))):
        layout, rng = PLAN.settings[0].layout("plays", result.game // 3)
        draws = game_rng(f"plays/{result.game // 3}", result.game % 3) if result.game % 3 else None
        name = ("gem-full", "gem")[result.agent]
        record = play(layout, agent_named(name), GO_ON, rng, agent_rng=draws)
        assert (record.measures.guesses, record.measures.opened) == (result.guesses, result.opened)


def test_given_layouts_are_played_several_times_each() -> None:
    layouts = tuple(random_layout(4, 4, 3, Random(seed)) for seed in range(5))
    plan = Plan(("basic", "gem"), settings_by_kind(layouts, Rules()), plays=3)
    assert plan.limit(0) == 15 and replace(plan, games=7).limit(0) == 7

    single = {
        block.games.start: block.layout(block.games.start)[0] for block in single_games(Block.of(plan, 0, range(4, 14)))
    }
    assert single == {game: layouts[game // 3] for game in range(4, 14)}
    with Serial() as workers:
        assert [row.games for row in run_plan(plan, workers).summaries] == [15, 15]


def test_failures_have_their_layout() -> None:
    for failure in all_results():
        if failure.failed:
            layout = PLAN.settings[failure.setting].layout("plays", failure.game // 3)[0]
            assert failure.layout == str(layout)
    assert sum(result.failed for result in all_results()) > 3


def test_python_plays_what_has_plays() -> None:
    plan = Plan(("sat", "deep"), (Setting(5, 5, 4),), games=4)
    assert may_play(plan, 0, 0) and not may_play(replace(plan, plays=2), 0, 0)
    played = play_block(Block.of(replace(plan, plays=2, agents=("sat",)), 0, range(4))).results
    assert all(result.seconds > 0 for result in played), "times that are not mixed with those of kernels"


# --- runs, stores, exports -------------------------------------------------------------------------------------------


def test_plays_are_part_of_a_run_unless_there_is_one(tmp_path: Path) -> None:
    once = replace(PLAN, plays=1)
    assert '"plays":' not in once.identity + once.described() and '"plays":3' in PLAN.identity
    with Store(tmp_path / "runs.sqlite") as store:
        numbers = [store.begin(plan, versions()).number for plan in (once, PLAN, replace(PLAN, plays=2), PLAN, once)]
        assert numbers == [1, 2, 3, 2, 1]
        assert [run.plan.plays for run in store.runs()] == [1, 3, 2]
        assert [store.run(number).plays for number in (1, 2, 3)] == [1, 3, 2]


def test_a_run_is_continued_in_the_middle_of_a_layout(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store, Serial() as workers:
        run_plan(replace(PLAN, games=10), workers, store)
        whole = run_plan(PLAN, workers, store)
        run = store.run()
        assert untimed(run.results()) == all_results()
        assert run.finished() == {0: [range(19)], 1: [range(19)]}
        assert report_on(run, replace(PLAN, games=10)).summaries[0].layouts == 4
    fresh = reported(PLAN, all_results()).as_values()
    assert [row.layouts for row in whole.summaries] == [7] * 6
    assert "".join(whole.csv()) == "".join(reported(PLAN, all_results()).csv())
    assert fresh["failures"] == whole.as_values()["failures"]


@pytest.mark.parametrize("limit", [None, 0, 1, 8, 19])
def test_sums_over_layouts_are_those_of_the_games(limit: int | None) -> None:
    run = Store().begin(PLAN, versions())
    run.add(pack(all_results()))
    agents, pairs = sum_results([one for one in all_results() if limit is None or one.game < limit], 3)
    assert run.agent_sums(limit) == agents and run.pair_sums(limit) == pairs
    for sums in agents:
        assert sum(one.games for one in sums.layouts) == sums.games
        assert sum(one.finished for one in sums.layouts) == sums.finished
        assert sum(one.sums["opened"] for one in sums.layouts) == sums.sums["opened"]
    for pair in pairs:
        assert sum(one.more_won for one in pair.layouts) == pair.only_second - pair.only_first
        assert sum(one.more_right for one in pair.layouts) == pair.more_right
    assert limit != 8 or [one.games for one in agents[0].layouts] == [3, 3, 2]
    assert not any(sums.layouts for sums in sum_results(all_results())[0])


def test_exports_name_the_layout_and_the_play(tmp_path: Path) -> None:
    found = list(export.rows(PLAN, all_results()))
    assert all((row["layout"], row["play"]) == divmod(row["game"], 3) for row in found)
    names = export.columns(plays=3)
    assert list(found[0]) == names and names[names.index("game") :][:4] == ["game", "layout", "play", "agent"]
    assert not {"layout", "play"} & set(export.columns())
    assert not {"layout", "play"} & set(next(export.rows(SINGLE, results_of(SINGLE))))
    pyarrow = pytest.importorskip("pyarrow.parquet")
    export.write_parquet(found, names, tmp_path / "games.parquet")
    assert pyarrow.read_table(tmp_path / "games.parquet").column("layout").to_pylist() == [r["layout"] for r in found]


def test_precision_is_that_of_layouts() -> None:
    """Plays of a layout that all end the same way are one game."""
    progress = RunProgress(replace(PLAN, games=None, until=20.0, agents=("basic",)), None)
    progress.add(0, 0, 60, 30, 0)
    alone = share(10, 20)
    assert alone and list(progress._half_widths(0)) == [pytest.approx(100 * alone.half)]
    assert not progress.is_precise(0)
    progress.plan = replace(progress.plan, plays=1)
    assert progress.is_precise(0)


# --- reports ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [PLAN, replace(PLAN, settings=PLAN.settings[:1], figure=Figure("opened"))])
def test_reports_follow_the_schema_and_have_the_split(plan: Plan) -> None:
    results = [one for one in all_results() if one.setting < len(plan.settings)]
    report = reported(plan, results)
    values = json.loads(report.to_json())
    jsonschema.validate(values, SCHEMA)
    assert values["plan"]["plays"] == 3
    opened = values["settings"][0]["agents"][0]["variances"]["opened"]
    split = report.summaries[0].splits["opened"]
    assert (opened["board_deviation"], opened["play_deviation"]) == split[:2]
    lines = list(csv.DictReader("".join(report.csv()).splitlines()))
    assert lines[0]["layouts"] == "7"
    assert float(lines[0]["opened_board_deviation"]) == pytest.approx(split.boards, rel=1e-5)
    assert float(lines[0]["opened_play_deviation"]) == pytest.approx(split.plays, rel=1e-5)
    assert split.board_share and float(lines[0]["opened_board_share"]) == pytest.approx(split.board_share[0], rel=1e-5)
    for text in (to_text(report), page(report)):
        assert "Luck of the board and luck of the play" in text
        assert "Each layout was played 3 times." in " ".join(text.split()) and "McNemar" not in text
        assert "(layout " in text, "failed games are named by layout and play"


def test_a_plan_without_plays_says_nothing_of_them() -> None:
    for plan in (SINGLE, DENSITIES, CHAINS):
        report = report_of(plan)
        values = json.loads(report.to_json())
        assert "plays" not in values["plan"]
        keys = {"agent", "games", "failed", "played_by", "played_again", "measures"}
        assert all(agent.keys() == keys for setting in values["settings"] for agent in setting["agents"])
        assert not re.search("deviation|layouts?|plays? ", to_text(report).replace("play goes on", ""))
        header = next(iter(report.csv(seconds=True)))
        assert not re.search("deviation|board_share", header)


def test_estimates_with_plays_are_those_of_layouts() -> None:
    """Balanced: the mean of a count is the mean of the layouts' means, with its t interval."""
    results = [one for one in all_results() if one.setting == 0 and one.game < 18]
    summary = reported(replace(PLAN, games=18), results).summaries[0]
    means = [fmean(one.opened for one in results if one.agent == 0 and one.game // 3 == n) / 36 for n in range(6)]
    found = summary.measured["opened"]
    expected = scipy.stats.ttest_1samp(means, 0).confidence_interval(0.95)
    assert found and tuple(found) == pytest.approx((fmean(means), expected.low, expected.high))


def test_layouts_of_failed_games_take_no_part() -> None:
    results = [
        one._replace(outcome=FAILED, won=0, opened=0, message="no") if one.game < 3 and one.agent == 0 else one
        for one in all_results()
        if one.setting == 0
    ]
    later = [one._replace(game=one.game - 3) for one in results if one.game >= 3]
    before, after = reported(PLAN, results).summaries[0], reported(PLAN, later).summaries[0]
    assert before.measured["opened"] == after.measured["opened"]
    assert before.splits["opened"] == after.splits["opened"]


# --- statistics ------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 1), min_size=2, max_size=60))
def test_single_plays_give_the_statistics_of_games(won: list[int]) -> None:
    ones = [1] * len(won)
    assert clustered_mean(won, ones) == pytest.approx(mean(sum(won), sum(won), len(won)))
    interval = scipy.stats.binomtest(sum(won), len(won)).proportion_ci(method="wilson")
    assert share(sum(won), len(won)) == pytest.approx((fmean(won), interval.low, interval.high))


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_single_plays_give_the_comparison_of_games(first: int, second: int, neither: int) -> None:
    changes = [-1] * first + [1] * second + [0] * neither
    expected = difference(len(changes), first, second)
    assert clustered_difference(changes, [1] * len(changes)) == (expected and pytest.approx(expected))
    assert randomization_test(changes) == pytest.approx(mcnemar(first, second))


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_the_randomization_test_counts_all_signs(changes: list[int]) -> None:
    sums = [sum(map(math.prod, zip(signs, changes, strict=True))) for signs in product((-1, 1), repeat=len(changes))]
    expected = fmean(abs(one) >= abs(sum(changes)) for one in sums)
    assert randomization_test(changes) == pytest.approx(expected)


def test_the_normal_distribution_takes_over_where_it_is_as_good() -> None:
    """Just below and just above the limit, with about the same changes."""
    below = [2] * (MAX_EXACT // 4 + 60) + [-2] * (MAX_EXACT // 4 - 60)
    assert randomization_test([*below, 2, -2]) == pytest.approx(randomization_test(below), rel=0.05)
    assert randomization_test([5] * MAX_EXACT) < 1e-300


def test_nothing_is_said_without_games() -> None:
    assert clustered_mean([], []) is clustered_share([], []) is clustered_difference([], []) is None
    assert randomization_test([]) == randomization_test([0, 0]) == 1.0
    assert clustered_mean([3], [2]) == (1.5, -math.inf, math.inf)
    assert variance_split([3, 1], [1, 1], 5) is None, "each layout once"
    assert variance_split([3], [2], 5) is None, "one layout"


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5), min_size=2, max_size=12))
def test_the_split_is_the_analysis_of_variance(layouts: list[list[int]]) -> None:
    """Mean squares by hand; where sizes are equal the ratio is scipy's F."""
    counts = [one for layout in layouts for one in layout]
    n, m = len(counts), len(layouts)
    found = variance_split([sum(one) for one in layouts], [len(one) for one in layouts], sum(one**2 for one in counts))
    if n == m:
        assert found is None
        return
    assert found is not None
    middle = fmean(counts)
    between = sum(len(one) * (fmean(one) - middle) ** 2 for one in layouts) / (m - 1)
    within = sum((count - fmean(one)) ** 2 for one in layouts for count in one) / (n - m)
    size = (n - sum(len(one) ** 2 for one in layouts) / n) / (m - 1)
    boards = max(between - within, 0) / size
    assert found[:2] == pytest.approx((math.sqrt(boards), math.sqrt(within)), abs=1e-6)
    if found.board_share is None:
        assert boards == within == 0
        return
    assert found.board_share.mean == pytest.approx(boards / (boards + within), abs=1e-6)
    assert 0 <= found.board_share.low <= found.board_share.mean <= found.board_share.high <= 1
    if within > 1e-9 and all(len(one) > 1 for one in layouts):
        assert between / within == pytest.approx(scipy.stats.f_oneway(*layouts).statistic, abs=1e-9)


def test_extremes_of_the_split() -> None:
    assert variance_split([6, 2], [2, 2], 20) == (pytest.approx(math.sqrt(2)), 0.0, (1.0, 1.0, 1.0)), "all the board's"
    assert variance_split([4, 4], [2, 2], 8 + 8) == (0.0, 0.0, None), "nothing varies"
    equal = variance_split([4, 4], [2, 2], 1 + 9 + 1 + 9)
    assert equal and equal.boards == 0.0 and equal.plays == pytest.approx(math.sqrt(2)), "all the play's"
    assert equal.board_share and equal.board_share.mean == 0.0


def drawn(rng: np.random.Generator, runs: int, layouts: int, plays: int, boards: float, guesses: float) -> np.ndarray:
    """Counts around 1,000: runs x layouts x plays, with these deviations."""
    shared = rng.normal(1000, boards, (runs, layouts, 1))
    return np.rint(shared + rng.normal(0, guesses, (runs, layouts, plays))).astype(int)


def test_known_variances_are_found() -> None:
    """One run on many layouts, with 40 and 30 as deviations: the board has 64 %."""
    counts = drawn(np.random.default_rng(1), 1, 20_000, 4, 40.0, 30.0)[0]
    found = variance_split(counts.sum(1).tolist(), [4] * 20_000, int((counts**2).sum()))
    assert found and found.board_share
    assert found[:2] == pytest.approx((40.0, 30.0), rel=0.02)
    assert found.board_share.low < 0.64 < found.board_share.high < found.board_share.low + 0.02
    holes = np.random.default_rng(2).random(counts.shape) < 0.6
    kept = [count[hole] for count, hole in zip(counts, holes, strict=True)]
    found = variance_split(
        [int(one.sum()) for one in kept], [len(one) for one in kept], int((counts[holes] ** 2).sum())
    )
    assert found and found[:2] == pytest.approx((40.0, 30.0), rel=0.03), "some games are missing"


def test_estimates_of_variances_are_unbiased() -> None:
    """On average over 2,000 runs of 8 layouts and 3 plays, where none is cut off at 0."""
    runs = drawn(np.random.default_rng(3), 2000, 8, 3, 60.0, 20.0)
    found = [variance_split(run.sum(1).tolist(), [3] * 8, int((run**2).sum())) for run in runs]
    assert fmean(one.boards**2 for one in found if one) == pytest.approx(3600, rel=0.05)
    assert fmean(one.plays**2 for one in found if one) == pytest.approx(400, rel=0.05)


@pytest.mark.parametrize(("boards", "guesses"), [(0.0, 30.0), (30.0, 30.0), (60.0, 10.0)])
@pytest.mark.parametrize("layouts", [5, 20])
def test_intervals_cover_what_they_say(boards: float, guesses: float, layouts: int) -> None:
    """Intervals of means and of the board's share: about 95 % of 2,000 runs.

    Plain intervals, which take all games as independent, fall short where the board has a share.
    """
    runs = drawn(np.random.default_rng(4), 2000, layouts, 5, boards, guesses)
    truth = boards**2 / (boards**2 + guesses**2)
    means = shares = plain = 0
    for run in runs:
        totals, squares = run.sum(1).tolist(), int((run**2).sum())
        found, split = clustered_mean(totals, [5] * layouts), variance_split(totals, [5] * layouts, squares)
        naive = mean(sum(totals), squares, 5 * layouts)
        assert found and split and split.board_share and naive
        means += found.low <= 1000 <= found.high
        plain += naive.low <= 1000 <= naive.high
        shares += split.board_share.low <= truth <= split.board_share.high
    assert 0.93 < means / 2000 < 0.97
    assert 0.93 < shares / 2000 < 0.99 if truth else shares / 2000 > 0.95
    assert (plain / 2000 < 0.85) == (boards >= guesses)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.3, 0.3), (8.0, 2.0), (0.5, 4.5)])
@pytest.mark.parametrize("layouts", [10, 40])
def test_intervals_of_win_rates_cover_what_they_say(a: float, b: float, layouts: int) -> None:
    """Each layout has its own chance to win, drawn from a beta distribution."""
    rng = np.random.default_rng(5)
    chances = rng.beta(a, b, (2000, layouts))
    won = rng.binomial(5, chances).tolist()
    truth, games = a / (a + b), [5] * layouts
    found = [clustered_share(one, games) for one in won]
    assert 0.935 < fmean(one is not None and one.low <= truth <= one.high for one in found) < 0.985


@pytest.mark.parametrize("layouts", [10, pytest.param(40, marks=pytest.mark.extended)])
def test_differences_cover_what_they_say_and_the_test_has_its_level(layouts: int) -> None:
    """Two agents win each layout with chances of the same mean, which vary with the layout."""
    rng = np.random.default_rng(6)
    chances = rng.beta(1.0, 1.0, (2000, layouts, 1)) * 0.6 + rng.uniform(0.0, 0.4, (2000, layouts, 2))
    won = rng.binomial(5, chances)
    changes = (won[:, :, 1] - won[:, :, 0]).tolist()
    found = [clustered_difference(one, [5] * layouts) for one in changes]
    assert 0.94 < fmean(one is not None and one.low <= 0 <= one.high for one in found) < 0.995
    assert 0.02 < fmean(randomization_test(one) < 0.05 for one in changes) < 0.06


def test_the_effective_number_of_games_is_between_layouts_and_games() -> None:
    """Boards decide all, half or nothing: 20 layouts of 5 plays are worth 20 to 100 games."""
    alike = clustered_share([5] * 10 + [0] * 10, [5] * 20)
    mixed = clustered_share([3, 2] * 10, [5] * 20)
    never = clustered_share([0] * 20, [5] * 20)
    alone, all_games, none = share(10, 20), share(50, 100), share(0, 20)
    assert alike and mixed and never and alone and all_games and none
    assert alone.half < alike.half < 1.1 * alone.half
    assert all_games.half < mixed.half < 1.1 * all_games.half
    assert never == pytest.approx(none)
    assert variance([3, 2] * 10) < 5 * 0.25, "less than chance alone would give"


def test_measures_that_are_means_can_be_split() -> None:
    assert [name for name, measure in MEASURES.items() if not measure.count] == ["beyond-basic", "ms"]
