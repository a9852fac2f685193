"""Levels of the deep player: their parameters, and the room for its endgames."""

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
INNER_WORLDS = 1_024
ROOT = 60_000
"""Most layouts of a board that is searched from its first cell on."""
NARROW_BOARD = 64
MOST_WORLDS, MOST_LIVE = 32_768, 512
"""Most worlds and undecided cells of an endgame."""


def room_for(worlds: int, cells: int) -> Sets:
    """Room for the endgames of the deep player."""
    return sets(worlds, cells, scopes=2 * cells, slots=1 << (worlds.bit_length() + 4))
