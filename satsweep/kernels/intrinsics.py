"""Calls that LLVM code replaces: another library's kernel, another shape, a bit.

The only kernel that is called through an address is ``lookahead.guess.choose_cell``: the library of games does without
the deep player, whose library enters the address into the field ``at_deep`` of the record.
"""

from __future__ import annotations

from satsweep.kernels.compiling import intrinsic


@intrinsic
def call(typingctx, address, w):
    """Call an exported kernel of another library, which gets the working record alone."""
    from llvmlite import ir
    from numba import types

    def code(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(32), [pointer] * 3).as_pointer()
        unused = builder.bitcast(builder.alloca(pointer), pointer)
        builder.call(builder.inttoptr(arguments[0], kind), [unused, unused, builder.bitcast(arguments[1], pointer)])
        return context.get_dummy_value()

    return types.void(types.int64, w), code


@intrinsic
def record_at(typingctx, address, w):
    """Another working record, by its address; ``w`` is any record."""

    def code(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(w))

    return w(address, w), code


@intrinsic
def shaped(typingctx, array, shape):
    """Memory of an array in another shape, from its beginning on."""
    from numba.core import cgutils, types
    from numba.np.arrayobj import make_array, populate_array

    kind = array.copy(ndim=len(shape), layout="C")

    def code(context, builder, signature, arguments):
        source = make_array(array)(context, builder, arguments[0])
        result = make_array(kind)(context, builder)
        sizes = cgutils.unpack_tuple(builder, arguments[1])
        strides = [context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        populate_array(result, source.data, sizes, strides, strides[-1], source.meminfo)
        return result._getvalue()

    return kind(array, shape), code


@intrinsic
def lowest_bit(typingctx, word):
    """Place of the lowest bit of a word that is not 0."""
    from llvmlite import ir
    from numba import types

    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code
