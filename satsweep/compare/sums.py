"""Games added up: all that statistics need to know of the games of an agent, or of two agents on the same layouts.

Everything but time is a sum of integers, so it does not matter in which order, or by how many workers, games were
played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from satsweep.compare.blocks import COUNTED, Result


@dataclass(slots=True)
class AgentSums:
    """The games of one agent in one setting. ``sums`` and ``squares`` have the total, and that of the squares, of each
    count in ``COUNTED``; games that failed count as not won and take no part in anything else. ``traced`` is the number
    of games in which the counts of ``TRACED`` were taken.
    """

    setting: int
    agent: int
    games: int = 0
    failed: int = 0
    seconds: float = 0.0
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    squares: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    traced: int = 0

    @property
    def finished(self) -> int:
        """How many games were played to their end."""
        return self.games - self.failed


@dataclass(slots=True)
class PairSums:
    """Two agents on the same layouts: games that only one of them won, and how much more mines the second found.

    ``found`` and ``found_squares`` add up, over the games that both finished, the mines flagged rightly by the second
    agent less those flagged rightly by the first, and the squares of that.
    """

    setting: int
    first: int
    second: int
    games: int = 0
    only_first: int = 0
    only_second: int = 0
    finished: int = 0
    found: int = 0
    found_squares: int = 0


def summed(results: Iterable[Result]) -> tuple[list[AgentSums], list[PairSums]]:
    """Add up games, in any order: a tally for each setting and agent, a pair for each two agents of a setting."""
    tallies: dict[tuple[int, int], AgentSums] = {}
    pairs: dict[tuple[int, int, int], PairSums] = {}
    layouts: defaultdict[tuple[int, int], list[Result]] = defaultdict(list)
    for result in results:
        where = (result.setting, result.agent)
        tally = tallies.setdefault(where, AgentSums(*where))
        tally.games += 1
        tally.failed += result.failed
        tally.seconds += result.seconds
        tally.traced += result.chain is not None
        for name in COUNTED:
            count = getattr(result, name) or 0
            tally.sums[name] += count
            tally.squares[name] += count * count
        others = layouts[result.setting, result.game]
        for other in others:
            a, b = sorted((other, result), key=lambda one: one.agent)
            which = (a.setting, a.agent, b.agent)
            _add(pairs.setdefault(which, PairSums(*which)), a, b)
        others.append(result)
    return [tallies[key] for key in sorted(tallies)], [pairs[key] for key in sorted(pairs)]


def _add(pair: PairSums, a: Result, b: Result) -> None:
    pair.games += 1
    pair.only_first += a.won and not b.won
    pair.only_second += b.won and not a.won
    if not (a.failed or b.failed):
        more = b.right - a.right
        pair.finished += 1
        pair.found += more
        pair.found_squares += more * more
