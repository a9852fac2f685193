"""Evaluations and processor time in comparisons: where they are taken, kept and shown."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from satsweep.arena import plot
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block, versions
from satsweep.arena.kernel_games import may_play
from satsweep.arena.measures import MEASURES
from satsweep.arena.packed_games import pack
from satsweep.arena.plan import Figure, Plan
from satsweep.arena.result import AgentSums, Result
from satsweep.arena.store import Store
from satsweep.arena.terminal import to_text
from satsweep.games.setting import Setting
from tests.arena.reports import AREAS, GO_ON, SINGLE, report_of, reported, results_of, sum_results
from tests.arena.test_plot import texts_of
from tests.cli import invoke

COUNTED = replace(SINGLE, evaluations=True)
FOREIGN = """
import time
from satsweep import agent_named
from satsweep.games.agent import Deduction

def deduce(board):
    time.sleep(0.1)
    return Deduction(evaluations=7)

def silent(board):
    return (), ()
"""


def test_they_are_counted_where_they_are_asked_for() -> None:
    """Python plays then, and the games are the same."""
    assert [one._replace(evaluations=None, seconds=0) for one in results_of(COUNTED)] == [
        one._replace(seconds=0) for one in results_of(SINGLE)
    ]
    assert {one.evaluations for one in results_of(SINGLE)} == {None}
    assert all(one.evaluations and one.seconds > 0 for one in results_of(COUNTED))
    for agent, summary in enumerate(report_of(COUNTED).sections[0].summaries):
        found = [one.evaluations or 0 for one in results_of(COUNTED) if one.agent == agent]
        estimate = summary.measured["evaluations"]
        assert estimate is not None and estimate.mean == pytest.approx(sum(found) / 20)
        assert estimate.low < estimate.mean < estimate.high


def test_kernels_do_not_play_where_they_are_asked_for() -> None:
    assert may_play(SINGLE, 0, 2) and not may_play(COUNTED, 0, 2)
    assert Block.of(COUNTED, 0, range(1)).in_python
    assert "Times: in Python basic, gem, sat.\n" in to_text(report_of(COUNTED))


def test_a_run_that_counts_them_is_one_of_its_own() -> None:
    assert COUNTED.identity != SINGLE.identity
    assert Plan.of(COUNTED.described()).evaluations and not Plan.of(SINGLE.described()).evaluations
    assert replace(SINGLE, played_by="python").identity == SINGLE.identity, "the games are the same"


def test_the_mean_is_of_all_games_or_there_is_none() -> None:
    first, *others = (one for one in results_of(COUNTED) if one.agent == 1)
    mixed = reported(COUNTED, (first._replace(evaluations=None), *others))
    assert mixed.sections[0].summaries[0].measured["evaluations"] is None


def test_only_plans_that_ask_have_columns_for_them() -> None:
    header, asked = (next(report_of(plan).csv()).strip().split(",") for plan in (SINGLE, COUNTED))
    assert [name for name in asked if name not in header] == ["evaluations", "evaluations_low", "evaluations_high"]
    assert "evaluations" in to_text(report_of(COUNTED), width=150)
    assert "evaluations" not in to_text(report_of(SINGLE), width=150)


def test_sums_may_be_larger_than_64_bits() -> None:
    """An agent may report up to a thousand million evaluations at each turn."""
    many = [one._replace(evaluations=10**12 + one.game) for one in results_of(COUNTED) if one.agent == 0]
    run = Store().begin(COUNTED, versions())
    run.add(pack(many))
    (found,), (expected,) = run.agent_sums(), sum_results(many)[0]
    assert found.sums == expected.sums and found.evaluated_games == 20
    assert found.squares == expected.squares


@pytest.mark.extended
def test_an_agent_from_outside_reports_its_own_evaluations_and_processor_time(tmp_path: Path) -> None:
    """Its sleep is neither."""
    (tmp_path / "mine.py").write_text(FOREIGN)
    names = f"{tmp_path}/mine.py:deduce", f"{tmp_path}/mine.py:silent"
    plan = Plan(names, (Setting(2, 2, 1, GO_ON),), games=2, evaluations=True)
    results = play_block(Block.of(plan, 0, range(2))).results
    for one in results:
        assert one.outcome == "cleared" or one.turns, one.message
        assert one.evaluations == (7 * one.turns if one.agent == 0 else None)
        assert 0 < one.seconds < 0.1


def test_the_time_of_a_game_without_a_turn_counts() -> None:
    """A mean over the other games alone would be too long."""
    sums = AgentSums(0, 0, games=4, seconds=0.006, timed=3)
    found = MEASURES["ms"].estimate(sums, Setting(3, 3, 1))
    assert found is not None and found.mean == pytest.approx(1.5)


def test_a_comparison_of_times_says_who_played() -> None:
    mixed = [one._replace(seconds=abs(one.seconds)) if one.agent == 2 else one for one in results_of(SINGLE)]
    for games, said in ((mixed, "by kernels sat; in Python basic, gem"), (results_of(SINGLE), "in Python basic, gem")):
        report = reported(SINGLE, tuple(games))
        assert any(f"\nTimes: {said}" in text for text in texts_of(plot.figure(report, Figure("ms"))))
        assert not any("Times:" in text for text in texts_of(plot.figure(report)))
    assert MEASURES["ms"].label == "Milliseconds of processor time a game"


def test_axes_of_times_are_logarithmic() -> None:
    (axes,) = plot.figure(report_of(AREAS), Figure("ms", "area")).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_ylim()[0] > 0
    (axes,) = plot.figure(report_of(AREAS), Figure("opened", "area")).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "linear")


def test_a_figure_leaves_out_what_does_not_vary_along_its_axis() -> None:
    """The plan ``times`` has two parts: sizes, and densities of one size."""
    sizes, densities = [(side, 2) for side in (3, 4, 5)], [(4, mines) for mines in (4, 6)]
    plan = Plan(("basic",), tuple(Setting(side, side, mines) for side, mines in sizes + densities), games=2)
    report = report_of(replace(plan, agents=("basic", "gem")))
    (axes,) = plot.figure(report, Figure("won", "mines")).axes
    assert axes.lines[0].get_xdata().tolist() == [2, 4, 6]  # type: ignore[union-attr]


@pytest.mark.extended
def test_the_figure_asked_for_is_measured(tmp_path: Path) -> None:
    """Times are in the CSV where the figure shows them, with the number of games that kernels played."""
    arguments = ("--agents", "bfs,sat", "--board", "4x4/2", "--games", "3", "--jobs", "1", "--csv")
    for measure, columns in (("evaluations", {"evaluations"}), ("chain", {"chain"}), ("ms", {"ms", "by_kernels"})):
        file = tmp_path / f"{measure}.csv"
        done = invoke("compare", *arguments, file, "--measure", measure, "--against", "mines")
        assert done.exit_code == 0, done.stderr
        with file.open() as text:
            header = set(csv.DictReader(text).fieldnames or ())
        assert header & {"evaluations", "chain", "ms", "by_kernels"} == columns


def test_a_stored_run_that_has_not_measured_it_says_so(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        store.begin(SINGLE, versions()).add(pack(results_of(SINGLE)))
    done = invoke("results", tmp_path / "runs.sqlite", "--json", "--measure", "evaluations")
    assert done.exit_code == 2
    assert "expected a plan with evaluations = true for evaluations, found one without" in " ".join(
        done.stderr.replace("│", " ").split()
    )


def test_failed_games_have_none() -> None:
    failed = Result(0, 20, 1, "failed", message="no")
    before, after = report_of(COUNTED), reported(COUNTED, (*results_of(COUNTED), failed))
    assert (
        before.sections[0].summaries[1].measured["evaluations"]
        == after.sections[0].summaries[1].measured["evaluations"]
    )
