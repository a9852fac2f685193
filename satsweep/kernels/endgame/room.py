"""Room of the endgame search, found through the working record.

The search works on ``Sets``, arrays of a size of their own. The record has the address of their description: the words
that stand for the named tuple in a call.
"""

import numpy as np

from satsweep.kernels.endgame.sets import SETS, Sets
from satsweep.kernels.memory import Field
from satsweep.kernels.toolchain.marks import intrinsic, kernel, numba_type, words_of

FIELDS = (Field("room", "i8", (), "address of the description of the room, from Python"),)
"""Fields of the working record that this module owns."""


def attach(work: np.ndarray, room: Sets) -> np.ndarray:
    """Let the kernels use a room. Returns its description.

    The caller has to keep both.
    """
    words = np.array(words_of(room, SETS), np.int64)
    work["room"] = words.ctypes.data
    return words


@intrinsic
def sets_at(typingctx, address):
    """Room for endgames whose description is at an address: the words of a call."""
    from numba import types

    kind = numba_type(SETS)

    def code(context, builder, signature, arguments):
        return builder.load(builder.inttoptr(arguments[0], context.get_value_type(kind).as_pointer()))

    return kind(types.int64), code


@kernel
def attached(w):
    """Return the attached room."""
    return sets_at(w.room)
