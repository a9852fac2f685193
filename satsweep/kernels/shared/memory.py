"""Sizes, symbols and statuses of the working record, known without NumPy.

The record is one structure with every array at a fixed size. It is made once and used over and over. A kernel gets it,
always called ``w``, and changes it in place. A game therefore allocates nothing, and a call hands over a single
pointer. Sizes are limits: a position that does not fit ends with the status ``WIDE``, and the caller asks the exact
path instead.

Each module declares the fields that it owns, in ``FIELDS``, and ``record`` puts them together. Of the folders that set
a field the first has the owner: position, lookahead, endgame, games. A field that only Python sets is declared where it
is read.

Cells are numbered row by row from 0. A *slot* holds a component; its long arrays lie in *pools* (``ints``, ``floats``,
``counts``, ``masks``), from the places that the slot names on (``at_...``). Weights are relative: only quotients of
weights mean anything.
"""

from typing import Any, NamedTuple

CELLS = 10_240
"""Most cells of a board."""
DEGREE = 26
"""Most neighbours of a cell, greatest number, and largest group of the frontier."""
HEAD = 6
"""Places before the first component in the shape of counts."""
SLOTS = 2_048
"""Most components at a time."""
NARROW = 63
"""Most groups of a component: each has a bit of a word."""
SPAN = 8_192
"""Most different numbers of mines that all components together can hold."""
INTS = FLOATS = 1 << 20
"""Places of the pools that all slots share, each of its own type.

``FLOATS`` are also the places of the counts of a position.
"""
COUNTS = 1 << 22
MASKS = 1 << 18
TABLES = 1 << 18
"""Places of the tables of ways that look-ahead and weights use."""
MOST_OPEN = 64
"""Most constraints that stay open when one closes, in an order of elimination."""
NOTED = 64
"""Most guesses of a game whose expected chance to win is recorded."""
LEVEL = 2
"""Level of the deep player where none is named."""

FINE, WIDE, IMPOSSIBLE = 0, 1, 2
"""Status of a position: fine; beyond the limits (wide); no world agrees with it."""

COVERED, MINE, SAFE = -1, -2, -3
"""Symbol of a cell that shows no number: undecided, a mine, safe but not opened."""

SAME = 1e-10
"""Relative difference below which two floats stand for the same fraction."""
MOST_BITS = 900.0
"""Widest range of weights, in bits, that floats hold with room to spare."""


class Field(NamedTuple):
    """Field of the working record.

    ``kind`` is its dtype, ``shape`` its number of places, its shape, or () for a number. ``meaning`` says what it
    holds, for each place by what the array is indexed.
    """

    name: str
    kind: Any
    shape: int | tuple[int, ...]
    meaning: str


class Depth(NamedTuple):
    """Search parameters of the deep player.

    ``margin`` is how safe a candidate has to be, relative to the safest cell; ``blend`` how much the best next cell
    counts beside the second best one; ``worlds`` how many worlds are searched exactly; ``nodes`` how many sets of
    worlds this search expands at most, but for whole boards (``endgame.play``). The score of a cell is its safety times
    the chance of what follows to the power ``trust``, with a factor for what opening it saves of 50/50s, of weight
    ``closing`` (``lookahead.closing``). Four
    fields are *tastes* (``lookahead.two_plies``): they add to the score, relatively, for each unit of a feature,
    together not more than ``slack``. With at most the share ``late`` of the cells undecided, candidates are rolled out
    (``lookahead.rollouts``) in at most ``rollouts`` worlds, as long as a gain of ``least_gain``, relatively, is to be
    expected from one of them.
    """

    margin: float = 0.9
    blend: float = 0.8
    worlds: float = 300
    nodes: float = 1_000_000
    trust: float = 1
    closing: float = 0
    slack: float = 0
    two_safe: float = 0
    clearer: float = 0
    corner: float = 0
    two_steps: float = 0
    rollouts: float = 0
    late: float = 0.9
    least_gain: float = 0.003
