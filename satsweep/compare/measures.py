"""What is measured: one table that the report, its tables, files, and figures share.

A measure makes an estimate of the sums of an agent's games. Shares are between 0 and 1 and shown in percent; counts
are means per game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from satsweep.compare.stats import Estimate, mean, ratio, share
from satsweep.compare.sums import AgentSums, PairSums
from satsweep.games.setting import Setting


@dataclass(frozen=True, slots=True)
class Measure:
    """A name for people, whether it is a share, and how it is found; None where there is nothing to find it from.

    ``short`` is a name for the head of a column, ``timed`` says that no two runs agree on it, ``traced`` that it is
    found only where the plan asks for chains of influence.
    """

    label: str
    short: str
    find: Callable[[AgentSums, Setting], Estimate | None]
    share: bool = False
    timed: bool = False
    traced: bool = False

    @property
    def factor(self) -> int:
        """What a number is multiplied by to be shown: shares are shown in percent."""
        return 100 if self.share else 1


def _won(tally: AgentSums, setting: Setting) -> Estimate | None:
    """A game that failed is not won."""
    return share(tally.sums["won"], tally.games)


def _per_game(name: str) -> Callable[[AgentSums, Setting], Estimate | None]:
    def find(tally: AgentSums, setting: Setting) -> Estimate | None:
        found = mean(tally.sums[name], tally.squares[name], tally.finished)
        return found and found.within(0)

    return find


def _per_traced_game(name: str) -> Callable[[AgentSums, Setting], Estimate | None]:
    """Not of some of the games: those in which an agent claims nothing can be told whoever plays."""

    def find(tally: AgentSums, setting: Setting) -> Estimate | None:
        return _per_game(name)(tally, setting) if tally.traced == tally.finished else None

    return find


def _of(found: Estimate | None, number: int) -> Estimate | None:
    return found and found.scaled(1 / number).within(0, 1)


def _score(tally: AgentSums, setting: Setting) -> Estimate | None:
    """All of the mines are found where there are none."""
    if not setting.mines:
        return Estimate(1.0, 1.0, 1.0) if tally.finished else None
    return _of(mean(tally.sums["right"], tally.squares["right"], tally.finished), setting.mines)


def _opened(tally: AgentSums, setting: Setting) -> Estimate | None:
    return _of(mean(tally.sums["opened"], tally.squares["opened"], tally.finished), setting.area)


def _beyond_basic(tally: AgentSums, setting: Setting) -> Estimate | None:
    sums, squares = tally.sums, tally.squares
    return ratio(
        sums["beyond_basic"], squares["beyond_basic"], sums["claims"], squares["claims"], tally.finished
    )  # fmt: skip


def _ms(tally: AgentSums, setting: Setting) -> Estimate | None:
    """Nothing is known of how much the time varies."""
    return Estimate(1000 * tally.seconds / tally.finished) if tally.finished else None


MEASURES = {
    "won": Measure("Games won", "won", _won, share=True),
    "score": Measure("Mines found without opening them", "score", _score, share=True),
    "mines-hit": Measure("Mines hit, a game", "mines hit", _per_game("mines_hit")),
    "guesses": Measure("Guesses, a game", "guesses", _per_game("guesses")),
    "guesses-lost": Measure("Guesses lost, a game", "guesses lost", _per_game("guesses_lost")),
    "opened": Measure("Cells opened", "opened", _opened, share=True),
    "beyond-basic": Measure("Deductions that no number makes on its own", "beyond basic", _beyond_basic, share=True),
    "ms": Measure("Milliseconds a game", "ms a game", _ms, timed=True),
    "turns": Measure("Turns, a game", "turns", _per_game("turns")),
    "chain": Measure("Longest chain of influence, cells", "chain", _per_traced_game("chain"), traced=True),
    "reach": Measure("Reach of influence, steps", "reach", _per_traced_game("reach"), traced=True),
    "breadth": Measure("Cells determined at one depth, at most", "breadth", _per_traced_game("breadth"), traced=True),
}
"""Every measure by its name in plans, files and options."""


def score_difference(pair: PairSums, setting: Setting) -> Estimate | None:
    """By how much the score of the second of two agents is higher on the same layouts."""
    if not setting.mines:
        return Estimate(0.0, 0.0, 0.0) if pair.finished else None
    found = mean(pair.found, pair.found_squares, pair.finished)
    return found and found.scaled(1 / setting.mines).within(-1, 1)
