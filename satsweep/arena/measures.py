"""Measures: the estimates that the report, its tables, files and figures share.

A measure estimates something from the sums over an agent's games. Shares are between 0 and 1 and shown in percent;
counts are means per game. Where layouts are played several times they are the sampling units, not the games.

Anchors are published win rates under the usual rules, to show beside one's own. Rates differ with the promise about the
first cell and with the start, so anchors state both.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from satsweep.arena.plan import Plan
from satsweep.arena.result import AgentSums, PairSums
from satsweep.arena.stats import (
    Estimate,
    VarianceSplit,
    clustered_difference,
    clustered_mean,
    clustered_share,
    difference,
    mcnemar,
    mean,
    randomization_test,
    ratio,
    share,
    variance_split,
)
from satsweep.games.rules import STANDARD_RULES, FirstClick
from satsweep.games.setting import Setting
from satsweep.topology import SQUARE

Estimator = Callable[[AgentSums, Setting], Estimate | None]


@dataclass(frozen=True, slots=True)
class Measure:
    """A label, and an estimator, which returns None where the games are too few.

    ``short`` is the head of a column, ``told`` what the schema says. ``share``: it is a share, shown in percent.
    ``timed``: no two runs agree on it. ``asked_by`` names the key by which a plan asks for it; without one it is always
    measured. ``log``: figures have logarithmic axes, as values range over orders of magnitude. ``count`` is the count
    that it averages over games, if any, as a share of ``whole``.

    ``drop_rank`` orders the columns of tables of agents: where a terminal is too narrow, those with the highest rank
    are dropped first, and 0 always stays. None: there is a column only if a plan is about the measure.
    ``interval_drop_rank`` is that of a column of its own for the interval; None: there is none.
    """

    label: str
    short: str
    estimate: Estimator
    told: str
    share: bool = False
    timed: bool = False
    asked_by: str = ""
    log: bool = False
    count: str = ""
    whole: Callable[[Setting], int] = lambda setting: 1
    drop_rank: int | None = 2
    interval_drop_rank: int | None = None

    def is_measured(self, plan: Plan) -> bool:
        """Return whether the games of a plan are measured so."""
        return not self.asked_by or getattr(plan, self.asked_by) is True

    @property
    def factor(self) -> int:
        return 100 if self.share else 1

    def split(self, sums: AgentSums, setting: Setting) -> VarianceSplit | None:
        """Variance between boards and between plays; None where it cannot be told."""
        whole = self.whole(setting)
        if not (self.count and sums.layouts and whole and self.estimate(sums, setting)):
            return None
        games = [one.games if self.count == "won" else one.finished for one in sums.layouts]
        found = variance_split([one.sums[self.count] for one in sums.layouts], games, sums.squares[self.count])
        return found and found.scaled(1 / whole)


def _won(sums: AgentSums, setting: Setting) -> Estimate | None:
    """Share of games won; a failed game is not won."""
    if sums.layouts:
        return clustered_share([one.sums["won"] for one in sums.layouts], [one.games for one in sums.layouts])
    return share(sums.sums["won"], sums.games)


def _mean(sums: AgentSums, name: str) -> Estimate | None:
    if sums.layouts:
        return clustered_mean([one.sums[name] for one in sums.layouts], [one.finished for one in sums.layouts])
    return mean(sums.sums[name], sums.squares[name], sums.finished)


def _per_game(name: str, measured: str = "finished") -> Estimator:
    """Estimator of the mean of a count, if all finished games are ``measured``.

    Games without any claim have chains even where the agent's claims do not name their clues, so a mean over some games
    only would be biased.
    """

    def estimate(sums: AgentSums, setting: Setting) -> Estimate | None:
        found = _mean(sums, name) if getattr(sums, measured) == sums.finished else None
        return found and found.within(0)

    return estimate


def _share_of(found: Estimate | None, whole: int) -> Estimate | None:
    return found and found.scaled(1 / whole).within(0, 1)


def _score(sums: AgentSums, setting: Setting) -> Estimate | None:
    """Share of the mines that are flagged rightly; 1 on boards without mines."""
    if not setting.mines:
        return Estimate(1.0, 1.0, 1.0) if sums.finished else None
    return _share_of(_mean(sums, "right"), setting.mines)


def _opened(sums: AgentSums, setting: Setting) -> Estimate | None:
    return _share_of(_mean(sums, "opened"), setting.area)


def _beyond_basic(sums: AgentSums, setting: Setting) -> Estimate | None:
    totals, squares = sums.sums, sums.squares
    if sums.layouts:
        parts, wholes = ([one.sums[name] for one in sums.layouts] for name in ("beyond_basic", "claims"))
        found = clustered_mean(parts, wholes)
        return found and found.within(0, 1)
    return ratio(
        totals["beyond_basic"], squares["beyond_basic"], totals["claims"], squares["claims"], sums.finished
    )  # fmt: skip


def _milliseconds(sums: AgentSums, setting: Setting) -> Estimate | None:
    """Mean time without an interval: the sums do not say how much it varies.

    If kernels played some of the games, it is the time of those alone.
    """
    if sums.timed and sums.python_seconds:
        return Estimate(1000 * sums.seconds / sums.timed)
    return Estimate(1000 * (sums.seconds + sums.python_seconds) / sums.finished) if sums.finished else None


MEASURES = {
    "won": Measure(
        "Games won",
        "won",
        _won,
        "Share of games won, with Wilson's interval, with plays for the effective number of games.",
        share=True,
        count="won",
        drop_rank=0,
        interval_drop_rank=5,
    ),
    "score": Measure(
        "Mines found without opening them",
        "score",
        _score,
        "Share of the mines that carry a flag at the end and were not opened.",
        share=True,
        count="right",
        whole=lambda one: one.mines,
        drop_rank=1,
        interval_drop_rank=8,
    ),
    "mines-hit": Measure(
        "Mines hit, a game",
        "mines hit",
        _per_game("mines_hit"),
        "Mines opened per game.",
        count="mines_hit",
        drop_rank=5,
    ),
    "guesses": Measure(
        "Guesses, a game", "guesses", _per_game("guesses"), "Guesses per game.", count="guesses", drop_rank=3
    ),
    "guesses-lost": Measure(
        "Guesses lost, a game",
        "guesses lost",
        _per_game("guesses_lost"),
        "Guesses that open a mine, per game.",
        count="guesses_lost",
        drop_rank=7,
    ),
    "opened": Measure(
        "Cells opened",
        "opened",
        _opened,
        "Share of the cells that are opened.",
        share=True,
        count="opened",
        whole=lambda one: one.area,
        drop_rank=3,
    ),
    "beyond-basic": Measure(
        "Deductions that no number makes on its own",
        "beyond basic",
        _beyond_basic,
        "Share of all claims that no single number proves; null without claims.",
        share=True,
    ),
    "ms": Measure(
        "Milliseconds of processor time a game",
        "ms a game",
        _milliseconds,
        "Milliseconds of processor time that the agent takes per game; without an interval.",
        timed=True,
        log=True,
    ),
    "turns": Measure("Turns, a game", "turns", _per_game("turns"), "Turns per game.", count="turns", drop_rank=None),
    "chain": Measure(
        "Longest chain of influence, cells",
        "chain",
        _per_game("chain", "chain_games"),
        "Determined cells of the longest chain of influence of a game; this and the next two are null unless the "
        "plan asks for chains and the agent names the numbers behind its claims.",
        asked_by="chains",
        count="chain",
    ),
    "reach": Measure(
        "Reach of influence, steps",
        "reach",
        _per_game("reach", "chain_games"),
        "The most steps, in any direction, from where a chain begins to a cell that it has influenced.",
        asked_by="chains",
        count="reach",
    ),
    "breadth": Measure(
        "Cells determined at one depth, at most",
        "breadth",
        _per_game("breadth", "chain_games"),
        "The most cells that were determined at the same depth of their chains.",
        asked_by="chains",
        count="breadth",
    ),
    "evaluations": Measure(
        "Evaluations, a game",
        "evaluations",
        _per_game("evaluations", "evaluated_games"),
        "Tests of a rule on a number, a pair of numbers or a matrix row, and placements or partial sums counted, "
        "per game; null unless the plan asks for them and the agent reports them.",
        asked_by="evaluations",
        log=True,
        count="evaluations",
    ),
}
"""Every measure by its name in plans, files and options."""


def measure_of_figure(plan: Plan) -> Measure | None:
    """The measure that the plan's figure shows; None without one."""
    return MEASURES.get(plan.figure.measure) if plan.figure else None


def with_measurements(plan: Plan) -> Plan:
    """The plan, asking for the measure that its figure shows."""
    measure = measure_of_figure(plan)
    return plan.measuring(measure.asked_by) if measure else plan


def win_difference(pair: PairSums) -> tuple[Estimate | None, float]:
    """Win rate of the second agent less that of the first, and p of the paired test."""
    if pair.layouts:
        changes = [one.more_won for one in pair.layouts]
        return clustered_difference(changes, [one.games for one in pair.layouts]), randomization_test(changes)
    return difference(pair.games, pair.only_first, pair.only_second), mcnemar(pair.only_first, pair.only_second)


def score_difference(pair: PairSums, setting: Setting) -> Estimate | None:
    """Score of the second agent less that of the first, on the same layouts."""
    if not setting.mines:
        return Estimate(0.0, 0.0, 0.0) if pair.finished else None
    if pair.layouts:
        found = clustered_mean([one.more_right for one in pair.layouts], [one.finished for one in pair.layouts])
    else:
        found = mean(pair.more_right, pair.more_right_squares, pair.finished)
    return found and found.scaled(1 / setting.mines).within(-1, 1)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A published win rate in percent, the program that reached it, and the source.

    ``plus_minus`` is half of the 95 % interval. ``engine`` names the wrapped program of examples/umi/foreign whose own
    authors state this rate.
    """

    rows: int
    cols: int
    mines: int
    first: FirstClick
    rate: float
    plus_minus: float | None
    program: str
    source: str
    engine: str | None = None


PROGRAM = "the program of Tu et al. 2017 (b1f6c1c4)"
HILL = "D. Hill, his solver's own figure, 1e7 games"
MINESOLVE = "minesolve's own figure"
MEASURED = "measured for this project, 2,000 games, start in the corner"
PYTHON = "gamescomputersplay, the solver's own figure"
BUFFET = "Buffet et al. 2012, Optimistic heuristics for MineSweeper"
LEGENDRE = "Legendre et al. 2012, MineSweeper: where to probe?"
STUDHOLME = "Studholme 2000, Minesweeper as a constraint satisfaction problem"
BECERRA = "Becerra 2015, Algorithmic approaches to playing Minesweeper"
PEDERSEN = "Pedersen 2004, The complexity of Minesweeper and strategies for game playing"

_SAFE, _ZERO = FirstClick.SAFE, FirstClick.ZERO

ANCHORS = (
    Anchor(8, 8, 10, _SAFE, 81.7711, 0.0076, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(8, 8, 10, _SAFE, 81.6351, 0.0034, "PSEQ", f"{PROGRAM}, 5e8 games", "pseq"),
    Anchor(8, 8, 10, _ZERO, 90.3448, 0.0058, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(8, 8, 10, _ZERO, 90.1456, 0.0026, "PSEQ", f"{PROGRAM}, 5e8 games", "pseq"),
    Anchor(9, 9, 10, _SAFE, 91.6949, 0.0054, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(9, 9, 10, _SAFE, 91.6775, 0.0024, "PSEQ", f"{PROGRAM}, 5e8 games", "pseq"),
    Anchor(9, 9, 10, _ZERO, 97.1669, 0.0033, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(9, 9, 10, _ZERO, 97.1453, 0.0015, "PSEQ", f"{PROGRAM}, 5e8 games", "pseq"),
    # The half-widths of what was measured follow from rate and games: 1.96 sqrt(rate (1 - rate) / 2000).
    Anchor(9, 9, 10, _SAFE, 91.3, 1.2, "JSMinesweeper", MEASURED),
    Anchor(16, 16, 40, _SAFE, 78.2295, 0.0081, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(16, 16, 40, _SAFE, 78.1228, 0.0057, "PSEQ", f"{PROGRAM}, 2e8 games", "pseq"),
    Anchor(16, 16, 40, _ZERO, 89.0757, 0.0061, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(16, 16, 40, _ZERO, 88.9267, 0.0043, "PSEQ", f"{PROGRAM}, 2e8 games", "pseq"),
    Anchor(16, 16, 40, _SAFE, 77.6, 1.8, "JSMinesweeper", MEASURED),
    Anchor(16, 30, 99, _SAFE, 41.132, 0.03, "Hill's solver", f"{HILL}, start in the corner"),
    Anchor(16, 30, 99, _ZERO, 54.3, None, "Hill's solver", "D. Hill, his solver's own figure, start at 3,3"),
    Anchor(16, 30, 99, _SAFE, 40.0468, 0.0096, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(16, 30, 99, _ZERO, 53.4502, 0.0098, "PSEQ-D256", f"{PROGRAM}, 1e8 games", "pseq-d256"),
    Anchor(16, 30, 99, _SAFE, 40.801, 0.096, "minesolve, depth 4", f"{MINESOLVE}, 1e6 games", "minesolve-4"),
    Anchor(16, 30, 99, _SAFE, 40.680, 0.097, "minesolve, depth 3", f"{MINESOLVE}, 1e6 games", "minesolve-3"),
    Anchor(16, 30, 99, _SAFE, 40.272, 0.031, "minesolve, depth 2", f"{MINESOLVE}, 1e7 games", "minesolve-2"),
    Anchor(16, 30, 99, _SAFE, 39.002, 0.030, "minesolve, depth 1", f"{MINESOLVE}, 1e7 games", "minesolve-1"),
    Anchor(16, 30, 99, _SAFE, 39.6158, 0.0068, "PSEQ", f"{PROGRAM}, 2e8 games", "pseq"),
    Anchor(16, 30, 99, _ZERO, 52.7838, 0.0069, "PSEQ", f"{PROGRAM}, 2e8 games", "pseq"),
    Anchor(16, 30, 99, _SAFE, 41.5, 2.2, "JSMinesweeper", MEASURED),
    Anchor(16, 30, 99, _ZERO, 49.1, 2.2, "JSMinesweeper", MEASURED),
    Anchor(16, 30, 99, _SAFE, 34.7, 2.1, "ms_toollib", f"{MEASURED}, least risk, ties at random"),
    Anchor(16, 30, 99, _SAFE, 38.6, 0.3, "gamescomputersplay", PYTHON),
    Anchor(16, 30, 99, _SAFE, 38.7, None, "Buffet et al.", BUFFET),
    Anchor(16, 30, 99, _SAFE, 37.5, None, "Legendre et al.", LEGENDRE),
    Anchor(16, 30, 99, _SAFE, 33.9, None, "Studholme", STUDHOLME),
    Anchor(16, 30, 99, _SAFE, 32.9, None, "Becerra", BECERRA),
    Anchor(16, 30, 99, _SAFE, 25.0, None, "Pedersen", PEDERSEN),
)


def anchors_of(setting: Setting) -> list[Anchor]:
    """Anchors of a setting, the highest low end of an interval first.

    Only settings with the usual rules have any; the start makes no difference.

    >>> [anchor.rate for anchor in anchors_of(Setting(9, 9, 10))]
    [91.6949, 91.6775, 91.3]
    """
    rules = setting.rules
    if setting.topology != SQUARE or replace(rules, first=FirstClick.SAFE, start=None) != STANDARD_RULES:
        return []
    kind = (setting.rows, setting.cols, setting.mines, rules.first)
    found = [anchor for anchor in ANCHORS if (anchor.rows, anchor.cols, anchor.mines, anchor.first) == kind]
    return sorted(found, key=lambda anchor: (anchor.plus_minus or 0.0) - anchor.rate)
