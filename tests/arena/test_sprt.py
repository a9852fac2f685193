"""Sequential test: its likelihood ratio, errors and order of games, and runs that it ends."""

import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import jsonschema
import numpy as np
import pytest
import scipy
from hypothesis import given, strategies as st

from satsweep.arena.blocks import versions
from satsweep.arena.game_columns import GameColumns
from satsweep.arena.pages import page
from satsweep.arena.plan import Plan
from satsweep.arena.planfile import read_plan
from satsweep.arena.result import FAILED, Result
from satsweep.arena.run import report_on, run_plan
from satsweep.arena.sprt import Accepted, Decision, SequentialTest, Sprt
from satsweep.arena.store import Store
from satsweep.arena.tables import decision_sentence
from satsweep.arena.terminal import to_text
from satsweep.games.setting import Setting
from tests import ROOT
from tests.arena.reports import Serial
from tests.schemas import COMPARISON as SCHEMA
from tests.strategies import examples

TEST = Sprt(0, 5)
PLAN = Plan(("basic", "gem"), (Setting(8, 8, 10),), seed="sprt", sprt=Sprt(0, 8), played_by="python")


# --- the likelihood ratio --------------------------------------------------------------------------------------------

few = st.integers(0, 3) | st.integers(0, 300)
means = st.floats(-99, 99).map(lambda mean: round(mean, 3))


def greatest(minus: int, zero: int, plus: int, mean: float) -> float:
    """Greatest log-likelihood of counts of -1, 0 and 1, by search."""

    def cost(chance: float) -> float:
        """Minus the likelihood, if -1 has this chance."""
        chances = np.maximum([chance, 1 - 2 * chance - mean, chance + mean], 0)
        return -float(scipy.special.xlogy([minus, zero, plus], chances).sum())

    ends = max(0.0, -mean), (1 - mean) / 2
    found = scipy.optimize.minimize_scalar(cost, bounds=ends, method="bounded", options={"xatol": 1e-13})
    return -min(float(found.fun), *map(cost, ends))


@given(st.tuples(few, few, few).filter(any), means, means)
def test_the_ratio_is_that_of_the_greatest_likelihoods(counts: tuple[int, int, int], h0: float, h1: float) -> None:
    if h0 >= h1:
        return
    found = float(Sprt(h0, h1).log_ratios(np.array([counts]))[0])
    assert found == pytest.approx(greatest(*counts, h1 / 100) - greatest(*counts, h0 / 100), rel=1e-4, abs=1e-4)


@given(st.tuples(few, few, few).filter(any), means, means)
def test_changes_that_never_come_make_no_difference(counts: tuple[int, int, int], h0: float, h1: float) -> None:
    """With two plays and no change of a half the ratio is that of one play."""
    if h0 >= h1:
        return
    minus, zero, plus = counts
    one = Sprt(h0, h1).log_ratios(np.array([counts]))
    two = Sprt(h0, h1).log_ratios(np.array([(minus, 0, zero, 0, plus)]))
    assert two == pytest.approx(one, rel=1e-6, abs=1e-6)


@given(st.lists(few, min_size=5, max_size=5).filter(any), means, means)
def test_a_change_of_signs_exchanges_the_hypotheses(counts: list[int], h0: float, h1: float) -> None:
    if h0 >= h1:
        return
    found = Sprt(h0, h1).log_ratios(np.array([counts]))
    assert Sprt(-h1, -h0).log_ratios(np.array([counts[::-1]])) == pytest.approx(-found, rel=1e-6, abs=1e-6)


def test_the_ratio_of_large_counts_is_that_of_normal_distributions() -> None:
    """Near the hypotheses, with the variance of the sample."""
    n, minus, plus = 1_000_000, 20_000, 21_000
    found = float(Sprt(0, 0.2).log_ratios(np.array([(minus, n - minus - plus, plus)]))[0])
    mean, variance = (plus - minus) / n, (plus + minus) / n
    assert found == pytest.approx(n * 0.002 * (mean - 0.001) / variance, abs=0.1)


def test_errors_by_enumeration() -> None:
    """Exact chances of each verdict within 400 games, from all numbers of wins."""
    test = Sprt(0, 25)
    low, high = test.bounds
    for change, wrong in ((0.0, "h1"), (0.25, "h0")):
        first, second = (0.6 - change) / 2, (0.6 + change) / 2
        chances = np.ones((1, 1))  # by wins of the first alone, and of the second alone
        ended = {"h0": 0.0, "h1": 0.0}
        for games in range(1, 401):
            more = np.zeros((games + 1, games + 1))
            more[:-1, :-1] = chances * (1 - first - second)
            more[1:, :-1] += chances * first
            more[:-1, 1:] += chances * second
            minus, plus = np.indices(more.shape)
            there = more > 1e-12
            counts = np.stack([minus[there], (games - minus - plus)[there], plus[there]], axis=1)
            ratios = test.log_ratios(counts)
            chances = more.copy()
            for name, over in (("h0", ratios <= low), ("h1", ratios >= high)):
                ended[name] += float(more[there][over].sum())
                chances[minus[there][over], plus[there][over]] = 0
        assert sum(ended.values()) > 0.999
        assert 0.02 < ended[wrong] < 0.055


def test_simulated_errors_are_those_asked_for() -> None:
    """In the committed result of 10,000 runs a case; three standard deviations are allowed."""
    lines = json.loads((ROOT / "benchmarks" / "results" / "sprt.json").read_text("utf-8"))
    held = 0
    for line in lines:
        h1, minus_h1, runs = line["h1_accepted"], line["minus_h1_accepted"], line["runs"]
        assert runs == 10_000
        wrong = {line["h0"]: (h1 + minus_h1, line["alpha"]), line["h1"]: (runs - h1, line["beta"])}
        if line["two_sided"]:
            wrong[-line["h1"]] = runs - minus_h1, line["beta"]
        if line["change"] in wrong:
            errors, rate = wrong[line["change"]]
            assert errors <= rate * runs + 3 * math.sqrt(rate * (1 - rate) * runs), line
            held += 1
        if line["wald"] is not None:
            assert line["layouts"] == pytest.approx(line["wald"], rel=0.15)
    assert held >= 15


def test_wald_knows_how_long_a_test_takes() -> None:
    test, variance = Sprt(0, 2), 0.3
    halfway = test.expected_layouts(0.01, variance)
    assert halfway == pytest.approx(test.bounds[1] ** 2 * variance / 0.02**2)
    assert test.expected_layouts(0.0100001, variance) == pytest.approx(halfway, rel=1e-3)
    assert test.expected_layouts(0, variance) == pytest.approx(test.expected_layouts(0.02, variance))
    # Nearly sure to end at the upper bound, with a drift of 0.02 * 0.99 / 0.3 a layout.
    assert test.expected_layouts(1, variance) == pytest.approx(test.bounds[1] * 0.3 / (0.02 * 0.99))


# --- games in order --------------------------------------------------------------------------------------------------


def one_by_one(test: Sprt, plays: int, changes: list[int]) -> tuple[Accepted | None, int]:
    """Accepted and number of layouts, by looking at one layout after the other."""
    low, high = test.bounds
    counts = np.cumsum([np.eye(2 * plays + 1, dtype=int)[change + plays] for change in [0, *changes]], axis=0)
    counts = counts[1:] - counts[0]
    accepted: list[bool | None] = [None, None] if test.two_sided else [None]
    for number, ratios in enumerate(zip(test.log_ratios(counts), test.log_ratios(counts[:, ::-1]), strict=True), 1):
        for side in range(len(accepted)):
            if accepted[side] is None and not low < ratios[side] < high:
                accepted[side] = bool(ratios[side] >= high)
        if True in accepted:
            return (Accepted.H1, Accepted.MINUS_H1)[accepted.index(True)], number
        if None not in accepted:
            return Accepted.H0, number
    return None, len(changes)


def games_of(changes: list[int], plays: int, rng: Random) -> list[Result]:
    """Games of two agents whose wins differ so, in any order."""
    found = []
    for layout, change in enumerate(changes):
        base = rng.randint(max(0, -change), plays - max(0, change))
        for agent, wins in enumerate((base, base + change)):
            won = [1] * wins + [0] * (plays - wins)
            rng.shuffle(won)
            for play, one in enumerate(won):
                outcome = "cleared" if one else rng.choice(["exploded", FAILED])
                found.append(Result(0, layout * plays + play, agent, outcome, won=one))
    rng.shuffle(found)
    return found


@pytest.mark.extended
@examples(25)
@given(
    st.integers(1, 3),
    st.booleans(),
    st.floats(-0.4, 0.4),
    st.integers(0, 150),
    st.randoms(use_true_random=False),
)
def test_the_order_of_games_makes_no_difference(
    plays: int, two_sided: bool, drift: float, layouts: int, rng: Random
) -> None:
    test = Sprt(0, 20, two_sided=two_sided)

    def change() -> int:
        return sum(rng.choices((-1, 0, 1), (0.3 - drift / 2, 0.4, 0.3 + drift / 2), k=plays))

    changes = [change() for _ in range(layouts)]
    sequence = SequentialTest(test, plays)
    games = iter(games_of(changes, plays, rng))
    while batch := list(islice(games, rng.randint(1, 40))):
        sequence.add(GameColumns.of(0, batch))
    at_once = SequentialTest(test, plays)
    at_once.add(GameColumns.of(0, games_of(changes, plays, rng)))
    assert (sequence.decision.verdict, sequence.decision.layouts) == one_by_one(test, plays, changes)
    assert sequence.decision == at_once.decision
    assert sum(sequence.decision.counts) == sequence.decision.layouts
    assert sequence.is_decided == (sequence.decision.verdict is not None)


def test_a_gap_waits() -> None:
    """Games after a layout that is missing decide nothing."""
    sequence = SequentialTest(TEST)
    games = GameColumns.of(0, games_of([1] * 500, 1, Random(1)))
    sequence.add(games.between(1, 500))
    assert sequence.decision.layouts == 0 and not sequence.is_decided
    sequence.add(games.agents()[0].between(0, 1))
    assert not sequence.is_decided
    sequence.add(games.agents()[1].between(0, 1))
    assert sequence.decision.verdict is Accepted.H1
    assert sequence.decision.layouts < 500


def test_directions_of_a_two_sided_test() -> None:
    test = Sprt(0, 10, two_sided=True)
    for changes, verdict in (([-1, 0] * 200, Accepted.MINUS_H1), ([1, 0] * 200, Accepted.H1), ([0] * 900, Accepted.H0)):
        sequence = SequentialTest(test)
        sequence.add(GameColumns.of(0, games_of(changes, 1, Random(1))))
        assert sequence.decision.verdict is verdict
        assert sequence.decision.expected_games is None
    assert test.bounds[1] == pytest.approx(math.log(0.95 / 0.025))


# --- runs ------------------------------------------------------------------------------------------------------------


def decision_of(plan: Plan, workers: int, store: Store | None = None) -> tuple[Decision | None, object]:
    with ThreadPoolExecutor(workers) as executor:
        report = run_plan(plan, executor, store)
    values = report.as_values()
    for section in values["settings"]:  # type: ignore[attr-defined]
        for agent in section["agents"]:
            agent["measures"].pop("ms")
    return report.decision, values


@pytest.mark.extended
def test_a_run_ends_at_its_decision_for_any_number_of_workers() -> None:
    decision, values = decision_of(PLAN, 1)
    assert decision is not None and decision.verdict is not None
    assert decision_of(PLAN, 3) == (decision, values)
    assert decision.games == values["settings"][0]["agents"][0]["games"]  # type: ignore[index]
    twice = replace(PLAN, plays=2)
    decision, values = decision_of(twice, 1)
    assert decision is not None and decision.plays == 2 and len(decision.counts) == 5
    assert decision_of(twice, 3) == (decision, values)


def test_a_run_is_continued(tmp_path: Path) -> None:
    """The decision is that of a run without interrupts, and needs no game that is there."""
    expected = decision_of(PLAN, 1)
    assert expected[0] is not None
    with Store(tmp_path / "games.sqlite") as store:
        some = replace(PLAN, sprt=None, games=expected[0].games // 2)
        decision_of(some, 2, store)
        early = report_on(store.run(), replace(PLAN, games=some.games)).decision
        assert early is not None and early.verdict is None and early.layouts == some.games
        assert decision_of(PLAN, 2, store) == expected
        stored = store.run().info.games
        assert decision_of(PLAN, 1, store) == expected
        assert store.run().info.games == stored
        more = replace(PLAN, sprt=None, games=2 * expected[0].games)
        decision_of(more, 2, store)
        assert report_on(store.run(), PLAN).decision == expected[0]


def test_a_limit_ends_an_undecided_test() -> None:
    decision, values = decision_of(replace(PLAN, games=7), 2)
    assert decision is not None and decision.verdict is None and decision.games == 7
    assert values["sprt"]["accepted"] is None  # type: ignore[index]


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(PLAN, marks=pytest.mark.extended),
        replace(PLAN, sprt=Sprt(0, 8, two_sided=True)),
        replace(PLAN, games=5),
        replace(PLAN, plays=2),
    ],
    ids=["one", "two-sided", "undecided", "plays"],
)
def test_reports_tell_the_decision(plan: Plan) -> None:
    with Serial() as executor:
        report = run_plan(plan, executor)
    decision = report.decision
    assert decision is not None
    text = " ".join(to_text(report).split())
    values = report.as_values()
    jsonschema.Draft202012Validator(SCHEMA).validate(values)
    accepted = {Accepted.H0: "H0 is accepted", Accepted.H1: "H1 is accepted", Accepted.MINUS_H1: "H1 is accepted"}
    said = "Undecided" if decision.verdict is None else accepted[decision.verdict]
    assert f"{said} after {decision.games:,} games of each agent" in text
    for ratio in decision.log_ratios:
        assert f" {ratio:.2f} " in text
    drawn = " ".join(page(report).split())
    assert f"{said} after {decision.games:,} games" in drawn and "<h2>Sequential test</h2>" in drawn
    assert values["sprt"]["log_ratios"] == list(decision.log_ratios)  # type: ignore[index]
    assert (values["sprt"]["expected_games"] is None) == plan.sprt.two_sided  # type: ignore[index, union-attr]


@pytest.mark.parametrize(
    ("test", "verdict", "said"),
    [
        (Sprt(0, 5), Accepted.H1, "gem is better: it wins more often than basic"),
        (Sprt(2, 5), Accepted.H1, "gem is better: it wins at least 2 points more often than basic"),
        (Sprt(-0.5, 0), Accepted.H1, "basic wins at most 0.5 points more often than gem"),
        (Sprt(0, 5), Accepted.H0, "gem wins at most 5 points more often than basic"),
        (Sprt(-0.5, 0), Accepted.H0, "basic is better: it wins more often than gem"),
        (Sprt(-5, -2), Accepted.H0, "basic is better: it wins at least 2 points more often than gem"),
        (
            Sprt(1, 5, two_sided=True),
            Accepted.MINUS_H1,
            "basic is better: it wins at least 1 point more often than gem",
        ),
        (Sprt(0, 5, two_sided=True), Accepted.H0, "neither of basic and gem wins 5 points more often than the other"),
    ],
)
def test_a_sentence_says_what_the_rejected_hypothesis_leaves(test: Sprt, verdict: Accepted, said: str) -> None:
    """The accepted hypothesis is a bound, not an estimate."""
    decision = Decision(test, 1, verdict, (3.0,), 61, (0, 61, 0))
    name = "H0" if verdict is Accepted.H0 else "H1"
    assert decision_sentence(PLAN, decision).startswith(f"{name} is accepted after 61 games of each agent: {said}. ")


# --- plans -----------------------------------------------------------------------------------------------------------

TOML = 'agents = ["basic", "gem"]\n{sprt}\n[[boards]]\nsize = [5, 5]\nmines = {mines}\n'


def test_a_plan_file_has_a_test(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(TOML.format(sprt="sprt = { h0 = -0.5, h1 = 0.25, alpha = 0.01 }", mines=3))
    plan = read_plan(file)
    assert plan.sprt == Sprt(-0.5, 0.25, alpha=0.01)
    assert plan.identity == replace(plan, sprt=None).identity, "a test is a limit, like a number of games"
    with Store() as store:
        assert store.begin(plan, versions()).number == store.begin(replace(plan, sprt=None), versions()).number
    file.write_text(TOML.format(sprt="sprt = { h0 = 0, h1 = 1, beta = 0.1, two-sided = true }", mines=3))
    assert read_plan(file).sprt == Sprt(0, 1, beta=0.1, two_sided=True)
