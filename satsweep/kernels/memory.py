"""Working record of the kernels: one structure with every array at a fixed size.

It is made once and used over and over. A kernel gets the record, always called ``w``, and changes it in place. A game
therefore allocates nothing, and a call hands over a single pointer. Sizes are limits: a position that does not fit ends
with the status ``WIDE``, and the caller asks the exact path instead.

Cells are numbered row by row from 0. A *slot* holds a component; its long arrays lie in *pools* (``ints``, ``floats``,
``counts``, ``masks``), from the places that the slot names on (``at_...``). Weights are relative: only quotients of
weights mean anything.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from satsweep.kernels.compiling import FLOAT, RECORD, Array, Fields, Parameter, kernel
from satsweep.kernels.limits import CELLS as CELLS, DEGREE as DEGREE

SLOTS = 2_048
"""Most components at a time."""
LISTED = 10_000
"""Most placements of a component."""
NARROW = 63
"""Most groups of a component: each has a bit of a word."""
SPAN = 8_192
"""Most different numbers of mines that all components together can hold."""
INTS = 1 << 20
"""Places of the pools that all slots share, each of its own type."""
FLOATS = 1 << 20
COUNTS = 1 << 22
MASKS = 1 << 18
TABLES = 1 << 18
"""Places of the tables of ways that look-ahead and weights use."""
SPLITS = 1 << 12
"""Most ways to share the mines of one placement between inside and outside."""

FINE, WIDE, IMPOSSIBLE = 0, 1, 2
"""Status of a position: fine; beyond the limits (wide); no world agrees with it."""

COVERED, MINE, SAFE = -1, -2, -3
"""Symbol of a cell that shows no number: undecided, a mine, safe but not opened."""

SAME = 1e-10
"""Relative difference below which two floats stand for the same fraction."""
MOST_BITS = 900.0
"""Widest range of weights, in bits, that floats hold with room to spare."""

MOST_CELLS = 900
"""Most cells of a component whose number of ways surely fits a float."""


class Depth(NamedTuple):
    """Search parameters of the deep player.

    ``margin`` is how safe a candidate has to be, relative to the safest cell; ``blend`` how much the best next cell
    counts beside the second best one; ``worlds`` how many worlds are searched exactly; ``nodes`` how many sets of
    worlds this search expands at most. ``owed`` is the part of an unavoidable risk that is not counted
    (``lookahead.pairs``). The score of a cell is its safety times the chance of what follows to the power ``trust``.
    The last four fields are *tastes* (``lookahead.features``): they add to the score, relatively, for each unit of a
    feature, together not more than ``slack``.
    """

    margin: float = 0.9
    blend: float = 0.8
    worlds: float = 300
    nodes: float = 1_000_000
    owed: float = 0
    trust: float = 1
    slack: float = 0
    two_safe: float = 0
    clearer: float = 0
    corner: float = 0
    two_steps: float = 0


PARAMS = len(Depth._fields)
"""Number of search parameters."""
MARGIN, BLEND, WORLDS, BUDGET, OWED, TRUST, SLACK, TWO_SAFE, CLEARER, CORNER, TWO_STEPS = range(PARAMS)
"""Place of each field of ``Depth`` in ``param``; that of ``nodes`` is ``BUDGET``."""
NOTED = 64
"""Most guesses of a game whose expected chance to win is recorded."""

i8, i16, i32, i64, f8, u8 = np.int8, np.int16, np.int32, np.int64, np.float64, np.uint64

_FIELDS: list[tuple[str, type] | tuple[str, type, tuple[int, ...]]] = [
    # The board: the neighbours of a cell, ``nb[nb_at[cell]:nb_at[cell + 1]]``, and the most that a cell has.
    ("degree", i64), ("nb_at", i32, (CELLS + 1,)), ("nb", i32, (CELLS * DEGREE,)),
    # The cell that is asked about.
    ("asked", i64),
    # The position: cells, mines not known yet, undecided cells that touch no number (the sea).
    ("cells", i64), ("left", i64), ("sea", i64), ("status", i64),
    ("sym", i8, (CELLS,)), ("need", i16, (CELLS,)), ("free", i16, (CELLS,)), ("touch", i16, (CELLS,)),
    ("n_queue", i64), ("queue", i32, (CELLS,)), ("queued", i8, (CELLS,)),
    ("n_dirty", i64), ("dirty", i32, (CELLS,)), ("is_dirty", i8, (CELLS,)),
    ("n_found", i64), ("found", i32, (CELLS,)), ("beyond", i8, (CELLS,)),
    ("n_pending", i64), ("pending", i32, (CELLS,)), ("pending_mine", i8, (CELLS,)), ("pending_mines", i64),
    # A component while it is collected from the board: constraints, groups, and which are about which.
    ("stamp", i64), ("cell_mark", i64, (CELLS,)), ("number_mark", i64, (CELLS,)),
    ("n_con", i64), ("con_at", i32, (CELLS,)), ("con_number", i32, (CELLS,)),
    ("con_need", i64, (CELLS,)), ("con_cells", i64, (CELLS,)), ("con_n", i64, (CELLS,)),
    ("con_group", i32, (CELLS, DEGREE)), ("con_list", i32, (CELLS,)), ("con_listed", i8, (CELLS,)),
    ("con_stamp", i64, (CELLS,)), ("con_hits", i64, (CELLS,)), ("con_shared", i64, (CELLS,)),
    ("con_left", i64, (CELLS,)), ("con_open", i8, (CELLS,)), ("con_name", i32, (CELLS,)),
    ("n_group", i64), ("group_size", i64, (CELLS,)), ("group_n", i64, (CELLS,)),
    ("group_con", i32, (CELLS, DEGREE)), ("group_head", i32, (CELLS,)), ("group_done", i8, (CELLS,)),
    ("cell_next", i32, (CELLS,)), ("signature", i32, (DEGREE,)),
    ("sub_con", i32, (CELLS,)), ("order", i32, (CELLS,)), ("meet", i32, (CELLS,)),
    # Components that are kept, in slots; their long arrays lie in pools, from the places ``at_...`` on. A slot without
    # placements (``listed``) is empty.
    ("n_slots", i64), ("n_spare", i64), ("spare", i32, (SLOTS,)),
    ("cell_slot", i32, (CELLS,)), ("cell_group", i32, (CELLS,)),
    ("groups", i64, (SLOTS,)), ("cons", i64, (SLOTS,)), ("listed", i64, (SLOTS,)),
    ("low", i64, (SLOTS,)), ("high", i64, (SLOTS,)), ("bits", f8, (SLOTS,)),
    ("some", u8, (SLOTS,)), ("full", u8, (SLOTS,)),
    ("at_size", i64, (SLOTS,)), ("at_cell", i64, (SLOTS,)), ("at_con", i64, (SLOTS,)), ("at_need", i64, (SLOTS,)),
    ("at_mines", i64, (SLOTS,)), ("at_total", i64, (SLOTS,)), ("at_share", i64, (SLOTS,)), ("at_risk", i64, (SLOTS,)),
    ("at_weight", i64, (SLOTS,)), ("at_count", i64, (SLOTS,)), ("at_mask", i64, (SLOTS,)), ("at_any", i64, (SLOTS,)),
    ("at_mined", i64, (SLOTS,)),
    ("used_ints", i64), ("used_floats", i64), ("used_counts", i64), ("used_masks", i64),
    ("ints", i32, (INTS,)), ("floats", f8, (FLOATS,)), ("counts", i8, (COUNTS,)), ("masks", u8, (MASKS,)),
    # Listing: the groups of a component one after the other.
    ("l_need", i64, (CELLS,)), ("l_room", i64, (CELLS,)), ("l_n", i64, (NARROW,)), ("l_con", i32, (NARROW, DEGREE)),
    ("l_size", i64, (NARROW,)), ("l_at", i64, (NARROW,)), ("l_high", i64, (NARROW,)),
    ("l_weight", f8, (NARROW + 1,)), ("l_mines", i64, (NARROW + 1,)),
    ("l_some", u8, (NARROW + 1,)), ("l_full", u8, (NARROW + 1,)),
    # Weights: all components beside the sea.
    ("n_act", i64), ("act", i32, (SLOTS,)), ("low_sum", i64), ("high_sum", i64),
    ("before", f8, (TABLES,)), ("after", f8, (TABLES,)),
    ("ways", f8, (SPAN,)), ("sea_mined", f8), ("sea_clear", f8),
    # Outlook: tables of the components that a neighbourhood touches, by the mines inside and in all.
    ("n_tied", i64), ("n_near", i64), ("sea_near", i64), ("sea_far", i64), ("home_slot", i64), ("home_group", i64),
    ("near", i32, (DEGREE + 2,)), ("near_n", i64, (DEGREE + 2,)), ("near_most", i64, (DEGREE + 2,)),
    ("near_group", i32, (DEGREE + 2, DEGREE)), ("near_count", i64, (DEGREE + 2, DEGREE)),
    ("near_span", i64, (DEGREE + 2,)), ("near_at", i64, (DEGREE + 2,)), ("half", i32, (NARROW, 2)),
    ("used_table", i64), ("table", f8, (TABLES,)), ("out_mask", u8, (TABLES,)), ("in_mask", u8, (TABLES,)),
    ("split_n", i64), ("split_v", i64, (SPLITS,)), ("split_w", f8, (SPLITS,)),
    ("split_out", u8, (SPLITS,)), ("split_in", u8, (SPLITS,)), ("split_taken", i8, (SPLITS, DEGREE)),
    ("joined", i64), ("join_most", i64), ("join_span", i64), ("n_far", i64),
    ("far", f8, (SPAN,)), ("rest", f8, (SPAN,)), ("worth", f8, (SPAN,)), ("sea_ways", f8, (SPAN,)),
    ("shown", f8, (DEGREE + 1,)), ("safe", f8, (DEGREE + 1,)),
    ("vague", f8, (DEGREE + 1,)), ("least", f8, (DEGREE + 1,)), ("next", f8, (DEGREE + 1,)),
    ("progress", f8, (CELLS,)), ("expected", f8, (CELLS,)), ("tied", i32, (CELLS,)),
    ("memo_stamp", i64, (DEGREE + 1,)), ("memo_progress", f8, (DEGREE + 1,)), ("memo_expected", f8, (DEGREE + 1,)),
    # A game: where the mines are, the numbers, the random generator, and the measures.
    ("mine", i8, (CELLS,)), ("around", i8, (CELLS,)), ("pool", i32, (CELLS,)), ("chosen", i32, (CELLS,)),
    ("random", np.uint32, (625,)), ("wave", i32, (CELLS,)),
    ("left_safe", i64), ("unmarked", i64), ("promised", i64),
    ("turns", i64), ("opened", i64), ("flags", i64), ("hits", i64), ("guesses", i64), ("lost", i64),
    ("claims", i64), ("beyond_basic", i64), ("outcome", i64),
    ("n_moves", i64), ("sorted", i32, (CELLS,)),
    # A board that is repaired: cells that never change, and cells where play was stuck.
    ("fixed", i8, (CELLS,)), ("n_stuck", i64), ("n_rim", i64), ("stuck", i32, (CELLS,)), ("stuck_rim", i8, (CELLS,)),
    # The deep player: its parameters, its answer, and the keys of candidates.
    ("level", i64), ("param", f8, (PARAMS,)), ("at_deep", i64),
    ("reply", i64), ("value", f8), ("exact", i64), ("exact_value", f8), ("kin", u8, (CELLS,)),
    ("n_chance", i64), ("chance", f8, (NOTED,)), ("vague_now", f8),
    # Pairs: the part of each risk that is owed; cells that should be a mine, or not.
    ("owed", f8, (CELLS,)), ("score", f8, (CELLS,)), ("spot", i32, (DEGREE + 4,)), ("spot_is", i64, (DEGREE + 4,)),
    ("spot_group", i64, (DEGREE + 4,)), ("spot_mined", i64, (DEGREE + 4,)), ("spot_clear", i64, (DEGREE + 4,)),
    # Worlds: their cells, a row under way, units of cells with a fixed number of mines.
    ("n_live", i64), ("live", i32, (CELLS,)), ("live_at", i32, (CELLS,)), ("live_row", np.uint8, (CELLS,)),
    ("picked", i64, (SLOTS + 1,)), ("above", i64, (SLOTS + 1,)), ("unit_cell", i32, (CELLS,)),
    ("unit_pick", i64, (CELLS,)),
    ("unit_first", i64, (CELLS,)), ("unit_size", i64, (CELLS,)), ("unit_mines", i64, (CELLS,)),
    ("n_region", i64), ("region_slot", i32, (SLOTS,)),
    ("seen_mask", u8, (CELLS // 8,)), ("seen_row", u8, (CELLS // 8,)),
    # The problem of the endgame search: whether there is one, how many worlds are left of it.
    ("fresh", i64), ("held", i64), ("held_worlds", i64), ("held_all", i64),
    ("root", i64),
    # The beginning of the last game from a root: what was seen, the worlds that agree, the answer.
    ("recalled", i64), ("n_begun", i64), ("begun", i32, (1 << 16,)), ("begun_mask", u8, (CELLS // 8,)),
    ("begun_row", u8, (CELLS // 8,)), ("begun_reply", i64), ("begun_value", f8), ("begun_exact", i64),
    ("begun_promised", i64),
    # Address of the description of the room for endgames.
    ("room", i64),
]  # fmt: skip

WORK = np.dtype(_FIELDS, align=True)
NEIGHBOURS = Array("i4", 2)
"""Parameter: the table of neighbours, a row for each cell, padded with -1."""


def _choose() -> np.ndarray:
    """Return Pascal's triangle as floats, shape (DEGREE + 2, DEGREE + 2)."""
    table = np.zeros((DEGREE + 2, DEGREE + 2))
    table[:, 0] = 1
    for cells in range(1, DEGREE + 2):
        table[cells, 1:] = table[cells - 1, 1:] + table[cells - 1, :-1]
    return table


CHOOSE = _choose()
"""Binomials, ``CHOOSE[cells, mines]``."""
ONE = np.uint64(1)


@kernel
def bit(place):
    """Word with one bit set."""
    return ONE << np.uint64(place)


def numba_type(parameter: Parameter) -> Any:
    """Type of a parameter in numba's terms."""
    from numba import from_dtype, types

    if isinstance(parameter, Array):
        return types.Array(from_dtype(np.dtype(parameter.dtype)), parameter.dimensions, "C")
    if isinstance(parameter, Fields):
        return types.NamedTuple([numba_type(own) for own in parameter.parameters], parameter.of)
    if parameter == RECORD:
        return from_dtype(WORK)
    return types.float64 if parameter == FLOAT else types.int64
