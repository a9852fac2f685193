"""Where the mine total ties components together.

Component i can hold m mines in ``totals[i][m]`` ways, and a board with f mines on its components counts
``weight(f)`` times: C(sea, total - f) ways to fill the sea. What every component needs to know about all others is

    shares[i][m] = sum over r of others_i[r] * weight(m + r),    others_i = product of all other totals,

the weight of the worlds per placement with m mines. All of them come from one product tree, walked down with the
transposed product (Bostan, Lecerf and Schost 2003): at a node with halves A and B the weights for A are the
middle part of (weights) times (reversed polynomial of B). Polynomials are packed into integers, one slot a
coefficient, so the fast multiplication of big integers does the work. Everything is a sum of products of
non-negative integers, and exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True)
class Combined:
    """All components together: ``spread[f - low]`` ways to hold f mines, and each component's ``shares``."""

    low: int
    spread: tuple[int, ...]
    shares: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """A product of polynomials, coefficients reversed and packed, and the two factors it came from."""

    reverse: int
    degree: int
    halves: tuple[_Node, _Node] | None = None


def combine(totals: Sequence[Sequence[int]], weight: Callable[[int], int]) -> Combined:
    """Combine what components can hold under a weight on their mines together.

    Every ``totals[i]`` must have a possible count. ``shares[i]`` is as long as ``totals[i]``, and 0 below the
    least number of mines that is possible there.

    >>> combine([(1, 1), (0, 2)], lambda mines: mines)
    Combined(low=1, spread=(2, 2), shares=((2, 4), (0, 3)))
    """
    lows = [next(m for m, ways in enumerate(total) if ways) for total in totals]
    stripped = [total[low:] for total, low in zip(totals, lows, strict=True)]
    low = sum(lows)
    degree = sum(len(total) - 1 for total in stripped)
    weights = [weight(low + extra) for extra in range(degree + 1)]
    largest = prod(map(sum, stripped)) * max(*weights, 1)
    slot = -(-(largest.bit_length() + degree.bit_length()) // 8)
    root = _tree([_Node(_pack(total[::-1], slot), len(total) - 1) for total in stripped])
    spread = _unpack(root.reverse, slot, degree + 1)[::-1]
    shares: list[tuple[int, ...]] = []
    if totals:
        _descend(root, _pack(weights, slot), slot, shares)
    padded = ((0,) * least + share for least, share in zip(lows, shares, strict=True))
    return Combined(low, spread, tuple(padded))


def _tree(nodes: list[_Node]) -> _Node:
    """The product of the nodes, which keep their order from left to right."""
    if not nodes:
        return _Node(1, 0)
    while len(nodes) > 1:
        paired = [
            _Node(left.reverse * right.reverse, left.degree + right.degree, (left, right))
            for left, right in zip(nodes[::2], nodes[1::2], strict=False)
        ]
        nodes = paired + nodes[len(nodes) - len(nodes) % 2 :]
    return nodes[0]


def _descend(node: _Node, weights: int, slot: int, shares: list[tuple[int, ...]]) -> None:
    """Collect the shares of the leaves below, from left to right, given the weights of the node's own mines."""
    if node.halves is None:
        shares.append(_unpack(weights, slot, node.degree + 1))
        return
    left, right = node.halves
    for half, other in ((left, right), (right, left)):
        middle = (weights * other.reverse) >> (8 * slot * other.degree)
        _descend(half, middle & ((1 << (8 * slot * (half.degree + 1))) - 1), slot, shares)


def _pack(coefficients: Sequence[int], slot: int) -> int:
    return int.from_bytes(b"".join(value.to_bytes(slot, "little") for value in coefficients), "little")


def _unpack(packed: int, slot: int, length: int) -> tuple[int, ...]:
    data = packed.to_bytes(slot * length, "little")
    return tuple(int.from_bytes(data[i : i + slot], "little") for i in range(0, len(data), slot))
