"""The memory that the kernels work in: one record with every array at a fixed size, made once and used over and over.

A kernel is given the record and changes it in place, so nothing is allocated in a game, and one pointer is all that a
call hands over. Sizes are limits: what does not fit ends in a status, and the caller asks the exact path instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from satsweep.kernels.compiling import inlined
from satsweep.kernels.limits import CELLS as CELLS, DEGREE as DEGREE

SLOTS = 2_048
LISTED = 2_000
"""Placements of a component that are listed; one with more is counted by elimination."""
NARROW = 63
"""Groups of a component that is listed: each has a bit."""
SPAN = 8_192
"""Mines on the frontier, as far as they can vary."""
STATES = 1 << 17
STEPS = 1 << 18
VALUES = 1 << 21
HASHED = 1 << 16
LAYER = 1 << 15
INTS = 1 << 20
FLOATS = 1 << 20
COUNTS = 1 << 22
MASKS = 1 << 18
TABLES = 1 << 18
SPLITS = 1 << 12

FINE, WIDE, IMPOSSIBLE = 0, 1, 2
"""What a kernel says: all is well; beyond the limits, ask the exact path; no world agrees with the numbers."""

COVERED, MINE, SAFE = -1, -2, -3
"""What is known of a cell that shows no number: nothing, that it is a mine, that it is safe though still covered."""

EMPTY, LIST, ELIMINATION = 0, 1, 2
"""What a slot holds: no component, one whose placements are listed, one that is counted by elimination."""

SAME = 1e-10
"""Floats closer than that, relatively, stand for the same fraction."""
MOST_BITS = 900.0
"""Ranges of magnitude, in bits, that floats can hold with room to spare."""

MOST_CELLS = 900
"""Cells of a component whose placements are sure to be few enough for a float."""


class Depth(NamedTuple):
    """How the deep player plays.

    ``margin`` is how safe a candidate has to be, beside the safest one, ``blend`` how much the best next cell counts
    beside the second best one, ``worlds`` how many worlds are searched exactly, ``nodes`` how far at most. ``owed`` is
    the part of a risk that is not counted if it cannot be avoided, ``missing`` how many mines may be missing for that.
    A guess that follows counts ``calm`` times its safety, a safe cell 1, less ``gain`` if it is the only one, ``fade``
    of that with each further one; what follows counts to the power ``trust`` beside the safety. ``tastes`` add to a
    score for each unit of a feature (``features``), not more than ``slack`` in all; with ``explore`` one of two cells
    whose scores are that close is taken at random, to learn tastes.
    """

    margin: float = 0.9
    blend: float = 0.8
    worlds: float = 300
    nodes: float = 1_000_000
    owed: float = 0
    missing: float = 2
    calm: float = 1
    trust: float = 1
    gain: float = 0
    fade: float = 0.5
    explore: float = 0
    slack: float = 0
    tastes: tuple[float, ...] = ()


MARGIN, BLEND, WORLDS, BUDGET, OWED, MISSING, CALM, TRUST, GAIN, FADE, EXPLORE, SLACK = range(12)
"""Where each stands in the working memory."""
PARAMS = 16
FEATURES = 27
"""What is known of a candidate beyond two plies."""
TRACED = 6
"""Choices of a game of which it is noted what was taken at random."""
NOTED = 64
"""Guesses of a game of which it is noted what was expected."""
ARRAYS = 40
"""Arrays of the endgame search, at most."""

i8, i16, i32, i64, f8, u8 = np.int8, np.int16, np.int32, np.int64, np.float64, np.uint64

_FIELDS: list[tuple[str, type] | tuple[str, type, tuple[int, ...]]] = [
    # The board: which cells touch, so many places a cell, -1 where there is no more.
    ("degree", i64), ("nb", i32, (CELLS * DEGREE,)),
    # Where kernels are that are compiled apart.
    ("at_renew", i64), ("at_rate", i64), ("at_promise", i64), ("at_ahead", i64),
    ("asked", i64), ("at_forward", i64), ("at_backward", i64),
    # The position: how many cells, mines not known yet, undecided cells that touch no number.
    ("most_listed", i64), ("cells", i64), ("left", i64), ("sea", i64), ("status", i64),
    ("sym", i8, (CELLS,)), ("need", i16, (CELLS,)), ("free", i16, (CELLS,)), ("touch", i16, (CELLS,)),
    ("n_queue", i64), ("queue", i32, (CELLS,)), ("queued", i8, (CELLS,)),
    ("n_dirty", i64), ("dirty", i32, (CELLS,)), ("is_dirty", i8, (CELLS,)),
    ("n_found", i64), ("found", i32, (CELLS,)), ("beyond", i8, (CELLS,)),
    ("n_pending", i64), ("pending", i32, (CELLS,)), ("pending_mine", i8, (CELLS,)), ("pending_mines", i64),
    # A component while it is taken from the board: numbers, groups, and what says what about which.
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
    # Components that are kept, in slots; what is long lies in pools, from the places that a slot names.
    ("n_slots", i64), ("n_spare", i64), ("spare", i32, (SLOTS,)),
    ("cell_slot", i32, (CELLS,)), ("cell_group", i32, (CELLS,)),
    ("kind", i64, (SLOTS,)), ("groups", i64, (SLOTS,)), ("cons", i64, (SLOTS,)), ("listed", i64, (SLOTS,)),
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
    # Elimination: groups with their constraints, states layer by layer, steps between them, values of states.
    ("e_groups", i64), ("e_cons", i64), ("e_open", i64), ("e_most", i64), ("e_width", i64), ("e_fits", i64),
    ("e_size", i64, (CELLS,)), ("e_n", i64, (CELLS,)), ("e_con", i32, (CELLS, DEGREE + 1)),
    ("e_room", i32, (CELLS, DEGREE + 1)), ("e_need", i64, (CELLS,)), ("e_first", i32, (CELLS,)),
    ("e_last", i32, (CELLS,)), ("e_shift", i64, (CELLS,)), ("e_left", i64, (CELLS,)),
    ("e_layer", i64, (CELLS + 2,)), ("e_stepped", i64, (CELLS + 2,)),
    ("key", i64, (STATES,)), ("key_at", i64, (STATES,)), ("key_low", i32, (STATES,)), ("key_high", i32, (STATES,)),
    ("step_from", i32, (STEPS,)), ("step_to", i32, (STEPS,)), ("step_mines", i8, (STEPS,)),
    ("hash_stamp", i64, (HASHED,)), ("hash_state", i32, (HASHED,)), ("hash_clock", i64),
    ("forward", f8, (VALUES,)), ("backward", f8, (VALUES,)),
    ("mined", f8, (CELLS,)), ("clear", f8, (CELLS,)), ("half", i32, (CELLS, 2)),
    # Weights: all components beside the sea.
    ("n_act", i64), ("act", i32, (SLOTS,)), ("low_sum", i64), ("high_sum", i64),
    ("before", f8, (TABLES,)), ("after", f8, (TABLES,)), ("at_before", i64, (SLOTS + 1,)),
    ("ways", f8, (SPAN,)), ("sea_mined", f8), ("sea_clear", f8),
    # Outlook: components that a neighbourhood touches, by the mines inside and the mines in all.
    ("n_tied", i64), ("n_near", i64), ("sea_near", i64), ("sea_far", i64), ("home_slot", i64), ("home_group", i64),
    ("near", i32, (DEGREE + 4,)), ("near_n", i64, (DEGREE + 4,)), ("near_most", i64, (DEGREE + 4,)),
    ("near_group", i32, (DEGREE + 4, DEGREE)), ("near_count", i64, (DEGREE + 4, DEGREE)),
    ("near_span", i64, (DEGREE + 4,)), ("near_at", i64, (DEGREE + 4,)),
    ("used_table", i64), ("table", f8, (TABLES,)), ("out_mask", u8, (TABLES,)), ("in_mask", u8, (TABLES,)),
    ("split_n", i64), ("split_v", i64, (SPLITS,)), ("split_w", f8, (SPLITS,)),
    ("split_out", u8, (SPLITS,)), ("split_in", u8, (SPLITS,)), ("split_taken", i8, (SPLITS, DEGREE)),
    ("joined", i64), ("join_most", i64), ("join_span", i64), ("n_far", i64),
    ("far", f8, (SPAN,)), ("rest", f8, (SPAN,)), ("worth", f8, (SPAN,)), ("sea_ways", f8, (SPAN,)),
    ("shown", f8, (DEGREE + 1,)), ("safe", f8, (DEGREE + 1,)),
    ("vague", f8, (DEGREE + 1,)), ("least", f8, (DEGREE + 1,)), ("next", f8, (DEGREE + 1,)),
    ("progress", f8, (CELLS,)), ("expected", f8, (CELLS,)), ("tied", i32, (CELLS,)),
    ("memo_stamp", i64, (DEGREE + 1,)), ("memo_progress", f8, (DEGREE + 1,)), ("memo_expected", f8, (DEGREE + 1,)),
    # A game: where the mines are, what the numbers will be, randomness, and what is measured.
    ("mine", i8, (CELLS,)), ("around", i8, (CELLS,)), ("pool", i32, (CELLS,)), ("chosen", i32, (CELLS,)),
    ("random", np.uint32, (625,)), ("flagged", i8, (CELLS,)), ("wave", i32, (CELLS,)),
    ("left_safe", i64), ("unmarked", i64), ("promised", i64),
    ("turns", i64), ("opened", i64), ("flags", i64), ("hits", i64), ("guesses", i64), ("lost", i64),
    ("claims", i64), ("beyond_basic", i64), ("outcome", i64),
    ("n_moves", i64), ("sorted", i32, (CELLS,)),
    # A board that is mended: which cells stay as they are, and where it was stuck.
    ("fixed", i8, (CELLS,)), ("n_stuck", i64), ("n_rim", i64), ("stuck", i32, (CELLS,)), ("stuck_rim", i8, (CELLS,)),
    # The deep player: what it was asked to do, what it answers, and the kinds of candidates.
    ("level", i64), ("param", f8, (PARAMS,)), ("at_deep", i64), ("at_finish", i64), ("at_root", i64),
    ("reply", i64), ("value", f8), ("exact", i64), ("exact_value", f8), ("kin", u8, (CELLS,)),
    ("n_chance", i64), ("chance", f8, (NOTED,)), ("vague_now", f8),
    ("taste", f8, (FEATURES,)), ("feature", f8, (FEATURES,)), ("kept", f8, (2, FEATURES)), ("rank", i64, (2,)),
    ("n_trace", i64), ("trace", f8, (TRACED, 2, FEATURES)),
    # Pairs: what part of each risk is owed; cells that should be a mine, or not.
    ("owed", f8, (CELLS,)), ("score", f8, (CELLS,)), ("spot", i32, (DEGREE + 4,)), ("spot_is", i64, (DEGREE + 4,)),
    ("spot_group", i64, (DEGREE + 4,)), ("spot_mined", i64, (DEGREE + 4,)), ("spot_clear", i64, (DEGREE + 4,)),
    # Worlds: the cells that they tell of, a row under way, the cells among which mines are still free.
    ("n_live", i64), ("live", i32, (CELLS,)), ("live_at", i32, (CELLS,)), ("live_row", np.uint8, (CELLS,)),
    ("picked", i64, (SLOTS + 1,)), ("above", i64, (SLOTS + 1,)), ("unit_cell", i32, (CELLS,)),
    ("unit_pick", i64, (CELLS,)),
    ("unit_first", i64, (CELLS,)), ("unit_size", i64, (CELLS,)), ("unit_mines", i64, (CELLS,)),
    ("n_region", i64), ("region_slot", i32, (SLOTS,)),
    ("seen_mask", u8, (CELLS // 8,)), ("seen_row", u8, (CELLS // 8,)),
    # The problem that the endgame search has at hand: whether there is one, how many worlds are left of it.
    ("fresh", i64), ("held", i64), ("held_worlds", i64), ("held_all", i64),
    ("root", i64),
    # How the last game from a root began: what was seen, the worlds that agree with it, the answer.
    ("recalled", i64), ("n_begun", i64), ("begun", i32, (1 << 16,)), ("begun_mask", u8, (CELLS // 8,)),
    ("begun_row", u8, (CELLS // 8,)), ("begun_reply", i64), ("begun_value", f8), ("begun_exact", i64),
    ("begun_promised", i64),
    ("sets_at", i64, (ARRAYS,)), ("sets_shape", i64, (ARRAYS, 3)),
]  # fmt: skip

WORK = np.dtype(_FIELDS, align=True)


def _choose() -> np.ndarray:
    """Pascal's triangle, as far as a neighbourhood needs it."""
    table = np.zeros((DEGREE + 2, DEGREE + 2))
    table[:, 0] = 1
    for cells in range(1, DEGREE + 2):
        table[cells, 1:] = table[cells - 1, 1:] + table[cells - 1, :-1]
    return table


CHOOSE = _choose()
ONE = np.uint64(1)


@inlined
def bit(place):
    """A word with one bit."""
    return ONE << np.uint64(place)
