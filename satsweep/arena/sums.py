"""Sums over games: sufficient statistics of an agent, and of a pair of agents.

Where each layout is played several times its games are alike, so there are sums over the games of each layout, too.
Everything but time is a sum of integers, so neither the order in which games were played nor the number of workers
matters. The store computes the same sums in SQL; a test compares the two.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from satsweep.arena.plan import layout_and_play
from satsweep.arena.result import CHAIN_COUNTS, COUNTS, Result


@dataclass(slots=True)
class LayoutSums:
    """Sums over the games of one agent on one layout; ``sums`` has each of ``COUNTS``."""

    games: int = 0
    finished: int = 0
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))


@dataclass(slots=True)
class AgentSums:
    """Sums over the games of one agent in one setting.

    ``sums`` and ``squares`` have, for each of ``COUNTS``, the sum and the sum of squares. A failed game counts as not
    won and takes no part in anything else. ``seconds`` is the time of the ``timed`` games: those that kernels played,
    or all of an agent that Python plays alone; ``python_seconds`` is the time of games that Python played in the place
    of kernels. ``chain_games`` is the number of games whose chains were measured, ``evaluated_games`` that of games
    whose evaluations were counted. ``layouts`` has the sums of each layout, in order, if layouts are played several
    times.
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
    layouts: list[LayoutSums] = field(default_factory=list)

    @property
    def finished(self) -> int:
        """Number of games that were played to their end."""
        return self.games - self.failed


@dataclass(slots=True)
class PairLayoutSums:
    """Sums over the games of two agents on one layout: differences second less first.

    ``more_won`` is over all ``games``, ``more_right`` over the ``finished`` ones.
    """

    games: int = 0
    more_won: int = 0
    finished: int = 0
    more_right: int = 0


@dataclass(slots=True)
class PairSums:
    """Sums over games that two agents played: discordant wins, and mines found.

    ``only_first`` and ``only_second`` count the games that only one of them won. ``more_right`` and
    ``more_right_squares`` are sums over the ``finished`` games, which neither of them failed: the mines that the second
    flagged rightly less those that the first did, and the squares of this difference. ``layouts`` has the sums of each
    layout, in order, if layouts are played several times.
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
    layouts: list[PairLayoutSums] = field(default_factory=list)


def sum_results(results: Iterable[Result], plays: int = 1) -> tuple[list[AgentSums], list[PairSums]]:
    """Sums by setting and agent, and by setting and pair; games come in any order.

    With several ``plays`` of a layout there are sums of each layout, too.
    """
    agents: dict[tuple[int, int], AgentSums] = {}
    pairs: dict[tuple[int, int, int], PairSums] = {}
    played: defaultdict[tuple[int, int], list[Result]] = defaultdict(list)
    of_layouts: defaultdict[tuple[int, ...], defaultdict[int, LayoutSums]] = defaultdict(
        lambda: defaultdict(LayoutSums)
    )
    of_pairs: defaultdict[tuple[int, ...], defaultdict[int, PairLayoutSums]] = defaultdict(
        lambda: defaultdict(PairLayoutSums)
    )
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
        number, _ = layout_and_play(result.game, plays)
        of_layout = of_layouts[key][number]
        of_layout.games += 1
        of_layout.finished += not result.failed
        for name in COUNTS:
            count = getattr(result, name) or 0
            sums.sums[name] += count
            sums.squares[name] += count * count
            of_layout.sums[name] += count
        others = played[result.setting, result.game]
        for other in others:
            a, b = sorted((other, result), key=lambda one: one.agent)
            pair_key = (a.setting, a.agent, b.agent)
            _add_pair(pairs.setdefault(pair_key, PairSums(*pair_key)), of_pairs[pair_key][number], a, b)
        others.append(result)
    if plays > 1:
        for key, sums in agents.items():
            sums.layouts = [found for _, found in sorted(of_layouts[key].items())]
        for pair_key, pair in pairs.items():
            pair.layouts = [found for _, found in sorted(of_pairs[pair_key].items())]
    return [agents[key] for key in sorted(agents)], [pairs[key] for key in sorted(pairs)]


def _add_pair(pair: PairSums, layout: PairLayoutSums, a: Result, b: Result) -> None:
    pair.games += 1
    pair.only_first += a.won and not b.won
    pair.only_second += b.won and not a.won
    layout.games += 1
    layout.more_won += b.won - a.won
    if not (a.failed or b.failed):
        difference = b.right - a.right
        pair.finished += 1
        pair.more_right += difference
        pair.more_right_squares += difference * difference
        layout.finished += 1
        layout.more_right += difference
