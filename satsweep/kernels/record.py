"""The working record, put together from the fields of all modules.

A field that two modules declare is an error here.
"""

from typing import Any

import numpy as np

from satsweep.kernels.endgame import play, room, worlds
from satsweep.kernels.games import layouts, no_guess, player
from satsweep.kernels.lookahead import ahead, closing, features, guess, outlook, promise, rollouts, sampling, two_plies
from satsweep.kernels.position import board, components, counts, listing, solver, weights

OWNERS = (
    *(board, components, listing, weights, solver, counts),
    *(outlook, promise, ahead, closing, features, two_plies, sampling, rollouts, guess),
    *(worlds, room, play),
    *(layouts, player, no_guess),
)
"""Modules with fields, in the order in which their fields lie in the record."""
PAGE, STAGGER = 4_096, 448
"""Bytes of a page; from the beginning of one array to that of the next in a page."""


def _record(fields: list[Any]) -> np.dtype[np.void]:
    """Record of these fields: numbers first, then arrays that begin ``STAGGER`` apart.

    A cache keeps few lines of the same place in a page. Arrays of a power of two would all begin in the same place, and
    a game uses little but their beginnings.
    """
    kinds = {name: np.dtype((kind, shape)) for name, kind, shape, _ in fields}
    if len(kinds) < len(fields):
        raise ValueError("two modules declare the same field")
    offsets, end = dict.fromkeys(kinds, 0), 0
    for turn, (name, kind) in enumerate(sorted(kinds.items(), key=lambda item: item[1].ndim > 0)):
        if kind.ndim:
            end += (STAGGER * turn - end) % PAGE
        offsets[name], end = end, end + kind.itemsize
    spread: Any = {"names": [*kinds], "formats": [*kinds.values()], "offsets": [*offsets.values()]}
    return np.dtype(spread, align=True)


WORK = _record([field for owner in OWNERS for field in owner.FIELDS])
"""The working record."""
