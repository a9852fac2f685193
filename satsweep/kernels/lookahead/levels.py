"""Levels of the deep player: its parameters, and the rooms of its endgame search."""

from __future__ import annotations

from functools import lru_cache
from math import comb

from satsweep.kernels.endgame.sets import Sets, sets
from satsweep.kernels.memory import Depth

LEVEL = 2
_LEARNED = Depth(trust=0.71, closing=0.7, slack=0.08, two_safe=0.033, clearer=0.014, corner=0.022, two_steps=-0.04)
"""Parameters learned from 2,000,000 expert games (``docs/lab/second-tastes.md``)."""
DEEP = {
    1: Depth(worlds=0),
    2: _LEARNED._replace(worlds=1_000),
    3: _LEARNED._replace(worlds=3_000),
    4: _LEARNED._replace(worlds=12_000),
    5: _LEARNED._replace(worlds=12_000, rollouts=256),
}
"""Parameters of the deep player by level, from fastest to strongest."""
ROLLING = Depth(worlds=100, margin=0.96)
"""Parameters of the player of roll-outs."""
INNER_WORLDS = 1_024
"""Most worlds of an endgame in a roll-out."""
MOST_WORLDS, MOST_LIVE = 32_768, 512
"""Most worlds and undecided cells of an endgame."""
ROOT, NARROW_BOARD = 60_000, 64
"""Most layouts and cells of a board that is searched from its first cell on."""


def root_layouts(cells: int, mines: int) -> int:
    """Return the number of layouts of a board that is searched whole, else 0."""
    layouts = comb(cells, mines) if mines <= cells <= NARROW_BOARD else 0
    return layouts if layouts <= ROOT else 0


@lru_cache(3)
def room(worlds: int, cells: int) -> Sets:
    """Room for endgames with at most these worlds and undecided cells."""
    return sets(worlds, cells, scopes=2 * cells, slots=1 << (worlds.bit_length() + 4))
