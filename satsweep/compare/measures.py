"""Measures: the estimates that the report, its tables, files and figures share.

A measure estimates something from the sums over an agent's games. Shares are between 0 and 1 and shown in percent;
counts are means per game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from satsweep.compare.plan import Plan
from satsweep.compare.result import CHAIN_COUNTS
from satsweep.compare.stats import Estimate, mean, ratio, share
from satsweep.compare.sums import AgentSums, PairSums
from satsweep.games.setting import Setting

Estimator = Callable[[AgentSums, Setting], Estimate | None]


@dataclass(frozen=True, slots=True)
class Measure:
    """A label, and an estimator, which returns None where the games are too few.

    ``short`` is the head of a column. ``timed``: no two runs agree on it. ``asked_by`` names the key by which a plan
    asks for it; without one it is always measured. ``log``: figures have logarithmic axes, as values range over orders
    of magnitude.
    """

    label: str
    short: str
    estimate: Estimator
    share: bool = False
    timed: bool = False
    asked_by: str = ""
    log: bool = False

    def is_measured(self, plan: Plan) -> bool:
        """Return whether the games of a plan are measured so."""
        return not self.asked_by or getattr(plan, self.asked_by) is True

    @property
    def factor(self) -> int:
        """Factor to show a value with: shares are shown in percent."""
        return 100 if self.share else 1


def _won(sums: AgentSums, setting: Setting) -> Estimate | None:
    """Share of games won; a failed game is not won."""
    return share(sums.sums["won"], sums.games)


def _per_game(name: str) -> Estimator:
    """Estimator of the mean of a count over finished games."""

    def estimate(sums: AgentSums, setting: Setting) -> Estimate | None:
        found = mean(sums.sums[name], sums.squares[name], sums.finished)
        return found and found.within(0)

    return estimate


def _chains_per_game(name: str) -> Estimator:
    """Estimator of the mean of a count of chains, if all finished games have one.

    Games without any claim have chains even where the agent's claims do not name their clues, so a mean over some games
    only would be biased.
    """
    per_game = _per_game(name)

    def estimate(sums: AgentSums, setting: Setting) -> Estimate | None:
        return per_game(sums, setting) if sums.chain_games == sums.finished else None

    return estimate


def _share_of(found: Estimate | None, whole: int) -> Estimate | None:
    return found and found.scaled(1 / whole).within(0, 1)


def _score(sums: AgentSums, setting: Setting) -> Estimate | None:
    """Share of the mines that are flagged rightly; 1 on boards without mines."""
    if not setting.mines:
        return Estimate(1.0, 1.0, 1.0) if sums.finished else None
    return _share_of(mean(sums.sums["right"], sums.squares["right"], sums.finished), setting.mines)


def _opened(sums: AgentSums, setting: Setting) -> Estimate | None:
    return _share_of(mean(sums.sums["opened"], sums.squares["opened"], sums.finished), setting.area)


def _beyond_basic(sums: AgentSums, setting: Setting) -> Estimate | None:
    totals, squares = sums.sums, sums.squares
    return ratio(
        totals["beyond_basic"], squares["beyond_basic"], totals["claims"], squares["claims"], sums.finished
    )  # fmt: skip


def _evaluations(sums: AgentSums, setting: Setting) -> Estimate | None:
    """Mean number of evaluations, if it is known of all finished games."""
    return _per_game("evaluations")(sums, setting) if sums.evaluated_games == sums.finished else None


def _milliseconds(sums: AgentSums, setting: Setting) -> Estimate | None:
    """Mean time without an interval: the sums do not say how much it varies.

    If kernels played some of the games, it is the time of those alone.
    """
    if sums.timed and sums.python_seconds:
        return Estimate(1000 * sums.seconds / sums.timed)
    return Estimate(1000 * (sums.seconds + sums.python_seconds) / sums.finished) if sums.finished else None


_CHAIN_LABELS = (
    "Longest chain of influence, cells",
    "Reach of influence, steps",
    "Cells determined at one depth, at most",
)

MEASURES = {
    "won": Measure("Games won", "won", _won, share=True),
    "score": Measure("Mines found without opening them", "score", _score, share=True),
    "mines-hit": Measure("Mines hit, a game", "mines hit", _per_game("mines_hit")),
    "guesses": Measure("Guesses, a game", "guesses", _per_game("guesses")),
    "guesses-lost": Measure("Guesses lost, a game", "guesses lost", _per_game("guesses_lost")),
    "opened": Measure("Cells opened", "opened", _opened, share=True),
    "beyond-basic": Measure("Deductions that no number makes on its own", "beyond basic", _beyond_basic, share=True),
    "ms": Measure("Milliseconds of processor time a game", "ms a game", _milliseconds, timed=True, log=True),
    "turns": Measure("Turns, a game", "turns", _per_game("turns")),
    **{
        name: Measure(label, name, _chains_per_game(name), asked_by="chains")
        for name, label in zip(CHAIN_COUNTS, _CHAIN_LABELS, strict=True)
    },
    "evaluations": Measure("Evaluations, a game", "evaluations", _evaluations, asked_by="evaluations", log=True),
}
"""Every measure by its name in plans, files and options."""


def shows_times(plan: Plan) -> bool:
    """Return whether the plan's figure shows times."""
    measure = MEASURES.get(plan.figure.measure) if plan.figure else None
    return measure is not None and measure.timed


def with_measurements(plan: Plan) -> Plan:
    """The plan, asking for the measure that its figure shows."""
    measure = MEASURES.get(plan.figure.measure) if plan.figure else None
    return plan.measuring(measure.asked_by) if measure else plan


def score_difference(pair: PairSums, setting: Setting) -> Estimate | None:
    """Score of the second agent less that of the first, on the same layouts."""
    if not setting.mines:
        return Estimate(0.0, 0.0, 0.0) if pair.finished else None
    found = mean(pair.more_right, pair.more_right_squares, pair.finished)
    return found and found.scaled(1 / setting.mines).within(-1, 1)
