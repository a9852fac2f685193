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
        return _from_words(builder, context.get_value_type(kind), arguments[0])[0]

    return kind(types.int64), code


def _from_words(builder, kind, address):
    """A value of an LLVM type from words of 64 bits, and the address behind them."""
    from llvmlite import ir

    word = ir.IntType(64)
    if isinstance(kind, ir.Aggregate):
        value = ir.Constant(kind, ir.Undefined)
        for place, part in enumerate(kind.elements):
            own, address = _from_words(builder, part, address)
            value = builder.insert_value(value, own, place)
        return value, address
    value = builder.load(builder.inttoptr(address, word.as_pointer()))
    if isinstance(kind, ir.PointerType):
        value = builder.inttoptr(value, kind)
    return value, builder.add(address, word(8))


@kernel
def attached(w):
    """Return the attached room."""
    return sets_at(w.room)
