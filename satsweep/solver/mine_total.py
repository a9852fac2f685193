"""Where the mine total ties components together: one convolution for all.

Component i can hold m mines in ``totals[i][m]`` ways, and a board with f mines on its components counts ``weight(f)``
times: C(sea, total - f) ways to fill the sea. All other components enter the odds of component i through

    shares[i][m] = sum over r of others_i[r] * weight(m + r),    others_i = product of all other totals,

the weight of the worlds per placement with m mines. All of them come from one product tree, walked down with the
transposed product (Bostan, Lecerf and Schost 2003): at a node with halves A and B, the weights of A's mines are the
weights of both correlated with the polynomial of B. Factors that all coefficients have in common are set aside first:
they cancel from risks, and a component that always holds the same number of mines (the common 50/50) drops out of the
tree altogether. Everything is a sum of products of non-negative integers, and exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd, prod

from satsweep.solver.polynomials import correlate, multiply


@dataclass(frozen=True, slots=True)
class Combined:
    """All components together.

    ``spread[f - low]`` is the number of ways in which they hold f mines. ``shares[i]`` is the weight of a placement of
    component i by its number of mines, up to a factor of its own.
    """

    low: int
    spread: tuple[int, ...]
    shares: tuple[tuple[int, ...], ...]


def combine(totals: Sequence[Sequence[int]], weight: Callable[[int], int]) -> Combined:
    """Combine the totals of components under a weight on their mines together.

    Every total must have a possible count; ``shares[i]`` is as long as ``totals[i]``.

    >>> combine([(1, 1), (0, 2, 4)], lambda mines: mines)
    Combined(low=1, spread=(2, 6, 4), shares=((5, 8), (0, 3, 5)))
    """
    lows = [next(m for m, ways in enumerate(total) if ways) for total in totals]
    common = [gcd(*total) for total in totals]
    reduced = [
        [ways // factor for ways in total[low:]] for total, low, factor in zip(totals, lows, common, strict=True)
    ]
    varied = [number for number, total in enumerate(reduced) if len(total) > 1]
    levels = _product_tree([reduced[number] for number in varied])
    low, factor = sum(lows), prod(common)
    weights = [weight(low + extra) for extra in range(len(levels[-1][0]))]
    shared = gcd(*weights) or 1
    shares = [(0,) * least + (1,) for least in lows]
    found = _descend(levels, [value // shared for value in weights]) if varied else []
    for number, share in zip(varied, found, strict=True):
        shares[number] = (0,) * lows[number] + tuple(share)
    return Combined(low, tuple(factor * ways for ways in levels[-1][0]), tuple(shares))


def _product_tree(leaves: list[list[int]]) -> list[list[list[int]]]:
    """The product tree: levels from the leaves up to the product of all.

    A node without a partner moves up as it is.
    """
    levels = [leaves or [[1]]]
    while len(levels[-1]) > 1:
        nodes = levels[-1]
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        levels.append([multiply(left, right) for left, right in pairs] + nodes[len(nodes) - len(nodes) % 2 :])
    return levels


def _descend(levels: list[list[list[int]]], weights: list[int]) -> list[list[int]]:
    """Walk the weights on the product of all down to each leaf."""
    above = [weights]
    for nodes in reversed(levels[:-1]):
        below = []
        for number in range(len(nodes)):
            partner = number ^ 1
            known = above[number // 2]
            below.append(correlate(known, nodes[partner]) if partner < len(nodes) else known)
        above = below
    return above
