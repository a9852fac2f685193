"""Calls that LLVM code replaces: another record, another shape, a bit."""

from satsweep.kernels.toolchain.marks import intrinsic


@intrinsic
def record_at(typingctx, address, w):
    """Another working record, by its address; ``w`` is any record."""

    def code(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(w))

    return w(address, w), code


@intrinsic
def shaped(typingctx, array, shape):
    """Memory of an array in another shape, from its beginning on."""
    from numba import types

    from satsweep.kernels.toolchain.lowering import cgutils, make_array, populate_array

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
