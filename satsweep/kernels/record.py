"""The working record, put together from the fields of all modules.

A field that two modules declare is an error here.
"""

from __future__ import annotations

import numpy as np

from satsweep.kernels.endgame import play, room, worlds
from satsweep.kernels.games import layouts, no_guess, player
from satsweep.kernels.lookahead import ahead, deep, features, outlook, pairs, promise
from satsweep.kernels.position import board, components, counts, listing, solver, weights

OWNERS = (
    *(board, components, listing, weights, solver, counts),
    *(outlook, promise, ahead, pairs, features, deep),
    *(worlds, room, play),
    *(layouts, player, no_guess),
)
"""Modules with fields, in the order in which their fields lie in the record."""
WORK = np.dtype([field[:3] for owner in OWNERS for field in owner.FIELDS], align=True)
"""The working record."""
