"""Win rates on equal boards: engines with fewer games are adjusted by paired ones.

Layout i depends on a seed and on i alone. The reference of a seed is the engine with the most games. Another one that
has played some of its boards only has the reference's rate on all of them, plus the mean difference of the two on the
boards of both (a difference estimator: Cochran, Sampling Techniques, 1977, chapter 7). Easy boards then raise no rate,
and engines on the same boards rank as their paired differences say.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from statistics import covariance, fmean, variance

from satsweep.arena.result import layout_and_play
from satsweep.arena.stats import Estimate, t_quantile


def on_boards_of(reference: Mapping[int, int], outcomes: Mapping[int, int], plays: int) -> Estimate | None:
    """Win rate on the boards of a reference, from those that both have played.

    Outcomes say of each game whether it was won. The interval is Student's, with the layout as the unit. None unless
    two layouts are common.

    >>> on_boards_of({0: 1, 1: 0, 2: 0, 3: 0}, {0: 1, 1: 1}, plays=1).mean
    0.75
    """
    all_of, own = _by_layout(reference, plays), _by_layout(outcomes, plays)
    both = sorted(all_of.keys() & own.keys())
    if len(both) < 2:
        return None
    ahead, beside = [own[at] - all_of[at] for at in both], [all_of[at] for at in both]
    rate = fmean(all_of.values()) + fmean(ahead)
    # The boards of both are part of those of the reference, so its two means vary together.
    spread = variance(ahead) / len(both) + (variance(all_of.values()) + 2 * covariance(ahead, beside)) / len(all_of)
    half = t_quantile(len(both) - 1) * math.sqrt(max(spread, 0.0))
    rate = min(max(rate, 0.0), 1.0)
    return Estimate(rate, rate - half, rate + half).within(0, 1)


def _by_layout(outcomes: Mapping[int, int], plays: int) -> dict[int, float]:
    """The share of its plays that is won, by layout."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for game, won in outcomes.items():
        found[layout_and_play(game, plays)[0]].append(won)
    return {layout: fmean(won) for layout, won in found.items()}
