"""Sums over games: sufficient statistics of an agent, and of a pair of agents.

Everything but time is a sum of integers, so neither the order in which games were played nor the number of workers
matters. The store computes the same sums in SQL; a test compares the two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from satsweep.compare.result import CHAIN_COUNTS, COUNTS, Result


@dataclass(slots=True)
class AgentSums:
    """Sums over the games of one agent in one setting.

    ``sums`` and ``squares`` have, for each of ``COUNTS``, the sum and the sum of squares. A failed game counts as not
    won and takes no part in anything else. ``seconds`` is the time of the ``timed`` games: those that kernels played,
    or all of an agent that Python plays alone; ``python_seconds`` is the time of games that Python played in the place
    of kernels. ``chain_games`` is the number of games whose chains were measured, ``evaluated_games`` that of games
    whose evaluations were counted.
    """

    setting: int
    agent: int
    games: int = 0
    failed: int = 0
    seconds: float = 0.0
    timed: int = 0
    python_seconds: float = 0.0
    chain_games: int = 0
    evaluated_games: int = 0
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    squares: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))

    @property
    def finished(self) -> int:
        """Number of games that were played to their end."""
        return self.games - self.failed


@dataclass(slots=True)
class PairSums:
    """Sums over layouts that two agents played: discordant wins, and mines found.

    ``only_first`` and ``only_second`` count the layouts that only one of them won. ``more_right`` and
    ``more_right_squares`` are sums over the ``finished`` games, which neither of them failed: the mines that the second
    flagged rightly less those that the first did, and the squares of this difference.
    """

    setting: int
    first: int
    second: int
    games: int = 0
    only_first: int = 0
    only_second: int = 0
    finished: int = 0
    more_right: int = 0
    more_right_squares: int = 0


def sum_results(results: Iterable[Result]) -> tuple[list[AgentSums], list[PairSums]]:
    """Sums by setting and agent, and by setting and pair; games come in any order."""
    agents: dict[tuple[int, int], AgentSums] = {}
    pairs: dict[tuple[int, int, int], PairSums] = {}
    layouts: defaultdict[tuple[int, int], list[Result]] = defaultdict(list)
    for result in results:
        key = (result.setting, result.agent)
        sums = agents.setdefault(key, AgentSums(*key))
        sums.games += 1
        sums.failed += result.failed
        sums.seconds += max(result.seconds, 0.0)
        sums.timed += result.seconds > 0
        sums.python_seconds -= min(result.seconds, 0.0)
        sums.chain_games += getattr(result, CHAIN_COUNTS[0]) is not None
        sums.evaluated_games += result.evaluations is not None
        for name in COUNTS:
            count = getattr(result, name) or 0
            sums.sums[name] += count
            sums.squares[name] += count * count
        others = layouts[result.setting, result.game]
        for other in others:
            a, b = sorted((other, result), key=lambda one: one.agent)
            pair_key = (a.setting, a.agent, b.agent)
            _add_pair(pairs.setdefault(pair_key, PairSums(*pair_key)), a, b)
        others.append(result)
    return [agents[key] for key in sorted(agents)], [pairs[key] for key in sorted(pairs)]


def _add_pair(pair: PairSums, a: Result, b: Result) -> None:
    pair.games += 1
    pair.only_first += a.won and not b.won
    pair.only_second += b.won and not a.won
    if not (a.failed or b.failed):
        difference = b.right - a.right
        pair.finished += 1
        pair.more_right += difference
        pair.more_right_squares += difference * difference
