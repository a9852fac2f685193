"""Sets of worlds of any size: bounds of their value, a table of known sets.

Worlds are rows of bytes, one a cell: the number that it shows, or ``MINE``. A set is a stretch of ``chosen``,
ascending.

*Key of a set.* Let R be the worlds at the start, S a set that comes up, w its first world and K the cells that look the
same (mine, or number) in all of S. S came about because some cells O were seen to look as in w: S is the worlds of R
that agree with w on O. Hence O is within K, and the worlds of R that agree with w on K are S again: they agree on O,
and are therefore within S, and S agrees on K. Two sets with the same w and K are therefore equal: (w, K) is compared in
full where a long list would have to be. The table of known sets is a transposition table with these keys.

``Sets`` are arrays whose size depends on the problem. The working record has the address of their description: the
words that stand for the named tuple in a call.
"""

from collections import namedtuple
from functools import reduce

import numpy as np

from satsweep.kernels.endgame.few import CODES, FEW, MINE, MINE_BITS, NONE, few
from satsweep.kernels.shared.mathematics import MIX_STEP, ONE, ZERO, lowest_bit
from satsweep.kernels.shared.memory import Field
from satsweep.kernels.toolchain.calls import INT, checked, described, words_of
from satsweep.kernels.toolchain.marks import exported, intrinsic, kernel, numba_type

WORLDS, N_CELLS, SCOPES, ROUND, STAMP, UNIFORM, UNIT, FULL, SLOTS = range(9)
"""Places in ``Sets.size``.

Worlds, cells, scopes; the number of the problem, by which old entries of the table are told apart; the stamp of the
last bound; 1 if all weights are 1; the common factor of the weights; 1 if the room was spent; the last place of the
table that is used.
"""
ROOM = 512
"""Deepest stack of sets on the way down."""
FRAME, PART = 14, 4
"""Fields of a frame, and fields of a part on the stack."""
_PROBES = 8
_SLOTS = 16
"""Places of the table of known sets by world of a problem, if there is room."""

_SEVEN, _BYTE, _WHOLE = np.uint64(7), np.uint64(56), np.uint64(255)
_HIGH, _REST = np.uint64(0x8080808080808080), np.uint64(0x7F7F7F7F7F7F7F7F)
_GATHER = np.uint64(0x0102040810204080)
MIX = np.uint64(29)

FIELDS = (Field("room", "i8", (), "address of the description of the room, from Python"),)


Sets = namedtuple(
    "Sets",
    "size code row weight scope owner colour shows heaviest seen most "
    "part chosen stack frame same kept region bucket key known spent few",
)
"""A problem of any number of worlds, and room to solve it; ``sets`` makes one.

With n worlds, c cells, k scopes, words of 64 cells in ``words``:

* ``size``, shape (9,): see ``WORLDS``; ``spent``, shape (2,): nodes searched, and how many may be;
* ``code``, shape (n, c rounded up to 8): the number that each cell shows in each world, or ``MINE``; ``row``: the
  same memory as words of 8 cells; ``weight``, shape (n,): that of each world;
* ``scope``, shape (k, words), ``owner``, shape (k,): the cells that a number sees, as bits, and the cell that shows
  it, -1 for one that is open (``regions``);
* ``colour``, shape (n,): the class of each world; ``shows``, shape (n / 64, c, 32): classes as bits, by cell and
  number;
* ``heaviest``, ``seen``, shape (n,): by class, for ``bound``, and scratch; ``most``: the bound of each cell; ``part``,
  shape (32, 4): by number, for opening a cell;
* ``chosen``: the lists of worlds of all sets at hand; ``stack``: children that are still to be visited; ``frame``,
  shape (ROOM, FRAME): nodes on the way down; ``same``, shape (ROOM, words): for each, the cells that look the same
  in all its worlds, as bits; ``kept``: results of ``compare_and_bound`` for parts on the stack;
* ``region``, shape (c + 1, words), ``bucket``: regions as bits, and a hash table (``regions``);
* ``key``, shape (slots, words + 1), ``known``, shape (slots, 4): transposition table: first world and like cells;
  problem, lower bound, upper bound, cell;
* ``few``: room for sets of at most 64 worlds.
"""


def sets(worlds: int, cells: int, *, scopes: int = 0, slots: int = 1 << 12) -> Sets:
    """``slots``, a power of two, is the size of the table of known sets."""
    i, u = np.int64, np.uint64
    row = np.zeros((worlds, (cells + 7) // 8), u)
    words = (cells + 63) // 64
    inner = few(cells)
    return Sets(
        size=np.zeros(9, i),
        code=row.view(np.uint8),
        row=row,
        weight=np.ones(worlds, i),
        scope=np.zeros((scopes, words), u),
        owner=np.zeros(scopes, i),
        colour=np.zeros(worlds, i),
        shows=np.zeros(((worlds + 63) // 64, cells, CODES), u),
        heaviest=np.zeros(worlds, i),
        seen=np.zeros(worlds, i),
        most=np.zeros(8 * row.shape[1], i),
        part=np.zeros((CODES, 4), i),
        # Sets on the way down shrink; if they shrink less than usual the room is spent (``FULL``).
        chosen=np.zeros(24 * worlds + 4096, np.int32),
        stack=np.zeros(ROOM * (2 * cells + 30 * PART), i),
        frame=np.zeros((ROOM, FRAME), i),
        same=np.zeros((ROOM, words), u),
        kept=np.zeros(1 << 15, i),
        region=np.zeros((cells + 1, words), u),
        bucket=np.zeros(1 << (2 * worlds).bit_length(), i),
        key=np.zeros((slots, words + 1), u),
        known=np.zeros((slots, 4), i),
        spent=inner.spent,
        few=inner,
    )


SETS = described(sets(1, 1))
"""A room as a parameter of a kernel."""


@intrinsic
def shaped(typingctx, array, shape):
    """Memory of an array in another shape, from its beginning on."""
    from numba import types

    from satsweep.kernels.toolchain.lowering import cgutils, is_checked, make_array, populate_array, report_beyond

    kind = array.copy(ndim=len(shape), layout="C")

    def code(context, builder, signature, arguments):
        source = make_array(array)(context, builder, arguments[0])
        result = make_array(kind)(context, builder)
        sizes = cgutils.unpack_tuple(builder, arguments[1])
        if is_checked():
            items = reduce(builder.mul, sizes)
            with builder.if_then(builder.icmp_signed(">", items, items.type(0))):
                report_beyond(
                    context, builder, "endgame/sets.py shaped", builder.sub(items, items.type(1)), source.nitems
                )
        strides = [context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        populate_array(result, source.data, sizes, strides, strides[-1], source.meminfo)
        return result._getvalue()

    return kind(array, shape), code


@kernel
def fitted(m, cells):
    """The same room for problems of ``cells`` cells: the data of a cell lie together."""
    rows = (cells + 7) // 8
    words = (cells + 63) // 64
    worlds, scopes, slots = m.row.shape[0], m.scope.shape[0], m.key.shape[0]
    return Sets(
        m.size,
        shaped(m.code, (worlds, 8 * rows)),
        shaped(m.row, (worlds, rows)),
        m.weight,
        shaped(m.scope, (scopes, words)),
        m.owner,
        m.colour,
        shaped(m.shows, (m.shows.shape[0], cells, CODES)),
        m.heaviest,
        m.seen,
        m.most,
        m.part,
        m.chosen,
        m.stack,
        m.frame,
        shaped(m.same, (ROOM, words)),
        m.kept,
        shaped(m.region, (m.region.shape[0], words)),
        m.bucket,
        shaped(m.key, (slots, words + 1)),
        m.known,
        m.spent,
        m.few,
    )


@exported(SETS, INT, INT, INT)
def prepare(m, worlds, cells, scopes):
    """Start a new problem: the worlds in ``code`` and ``weight``, with its scopes.

    Weights are positive; they are divided by their common factor, which is kept as the ``UNIT``. Worlds are put in an
    order of their own.
    """
    m.size[WORLDS], m.size[N_CELLS], m.size[SCOPES] = worlds, cells, scopes
    forget(m)
    m.size[STAMP], m.size[SLOTS] = 0, _last_slot(m)
    unit = np.int64(0)
    for i in range(worlds):
        a, b = m.weight[i], unit
        while b:
            a, b = b, a % b
        unit = a
    m.size[UNIT] = unit
    m.size[UNIFORM] = 1
    for i in range(worlds):
        m.weight[i] //= unit
        if m.weight[i] != 1:
            m.size[UNIFORM] = 0
        for cell in range(cells, m.code.shape[1]):
            m.code[i, cell] = MINE
        # Every world in a class of its own is a valid bound, too.
        m.colour[i] = i
        m.seen[i] = 0
    if worlds > FEW:
        _colour(m)
        _sort(m)


@kernel
def _last_slot(m):
    """Return the last place of the table that is used: a small one stays in the cache."""
    slots = m.key.shape[0]
    while slots > _SLOTS * m.size[WORLDS] and slots > 1 << 10:
        slots >>= 1
    return slots - 1


@kernel
def forget(m):
    """Forget the results for the sets of the present problem."""
    m.size[ROUND] += 1


@kernel
def _colour(m):
    """Make the classes of worlds that clash (see ``few``), for the bounds of all sets.

    The worlds of a class that are safe in a cell show the same there. A world therefore joins the first class that
    shows nothing else in any cell that is safe in it. Classes are bits: ``shows[word, cell, k]`` has those that show k
    in a cell, ``shows[word, cell, MINE_BITS]`` those that show any number.
    """
    worlds, cells = m.size[WORLDS], m.size[N_CELLS]
    colours = np.int64(0)
    for i in range(worlds):
        found = colours
        for word in range((colours + 63) // 64):
            other = ZERO
            for cell in range(cells):
                # Of a mine that is nothing.
                other |= m.shows[word, cell, MINE_BITS] & ~m.shows[word, cell, m.code[i, cell] & MINE_BITS]
                if other == ~ZERO:
                    break
            if other != ~ZERO:
                found = min(found, word * 64 + lowest_bit(~other))
                break
        if found == colours:
            if colours & 63 == 0:
                for cell in range(cells):
                    for code in range(CODES):
                        m.shows[colours >> 6, cell, code] = ZERO
            colours += 1
        bit = ONE << np.uint64(found & 63)
        for cell in range(cells):
            code = m.code[i, cell]
            own = bit if code != MINE else ZERO
            m.shows[found >> 6, cell, code & MINE_BITS] |= own
            m.shows[found >> 6, cell, MINE_BITS] |= own
        m.colour[i] = found


@kernel
def _sort(m):
    """Put the worlds in the order of their classes, as in the lists of all sets."""
    worlds = m.size[WORLDS]
    # ``seen`` counts the worlds of the classes before; later it has the place of the next world of a class.
    for i in range(worlds):
        m.seen[i] = 0
    for i in range(worlds):
        m.seen[m.colour[i]] += 1
    before = np.int64(0)
    for i in range(worlds):
        count = m.seen[i]
        m.seen[i] = before
        before += count
    for i in range(worlds):
        m.heaviest[i] = m.seen[m.colour[i]]
        m.seen[m.colour[i]] += 1
    for i in range(worlds):
        while m.heaviest[i] != i:
            to = m.heaviest[i]
            for word in range(m.row.shape[1]):
                m.row[i, word], m.row[to, word] = m.row[to, word], m.row[i, word]
            m.weight[i], m.weight[to] = m.weight[to], m.weight[i]
            m.colour[i], m.colour[to] = m.colour[to], m.colour[i]
            m.heaviest[i], m.heaviest[to] = m.heaviest[to], to
    for i in range(worlds):
        m.seen[i] = 0


@kernel
def _compare_word(m, depth, word, either, both, found):
    """Note in ``same[depth]`` which cells of a word of the rows look the same.

    The word is given by the bits that are set in any world, and in all. Returns what ``compare`` does; ``found`` is
    that of the words before.
    """
    if word & 7 == 0:
        m.same[depth, word >> 3] = ZERO
    unlike = either ^ both
    m.same[depth, word >> 3] |= (_WHOLE ^ nonzero_bytes(unlike)) << np.uint64((word & 7) * 8)
    if found >= 0 or unlike == ZERO:
        return found
    # Bytes that differ: in the high bit, or below it where no world has a mine.
    certain = unlike & ~(((either & _HIGH) >> _SEVEN) * _WHOLE)
    return word * 8 + lowest_bit(nonzero_bytes(certain)) if certain != ZERO else NONE


@kernel
def compare(m, begin, end, depth):
    """Find the cells that look the same in all worlds of a set, in ``same[depth]``.

    Returns a cell to open at once, because it is safe in all worlds and tells; -1 if some cells are safe in some of the
    worlds only; -2 if there is nothing to find out.
    """
    found = np.int64(-2)
    for word in range(m.row.shape[1]):
        either = both = m.row[m.chosen[begin], word]
        for at in range(begin + 1, end):
            row = m.row[m.chosen[at], word]
            either |= row
            both &= row
        found = _compare_word(m, depth, np.int64(word), either, both, found)
    return found


@kernel
def compare_and_bound(m, begin, end, depth, around):
    """Do what ``compare`` does, and write the bound of each cell that differs.

    The bound of the worlds in which a cell is safe is in ``most``. ``around`` is the depth of a compared set around
    this one, or -1.
    """
    found = np.int64(-2)
    colour = NONE
    for at in range(begin, end):
        new = m.colour[m.chosen[at]]
        m.heaviest[at - begin] = -np.int64(new != colour)  # all bits where a class begins
        colour = new
    for word in range(m.row.shape[1]):
        for k in range(8):
            m.most[8 * word + k] = 0
        either = both = m.row[m.chosen[begin], word]
        if around >= 0 and ~(m.same[around, word >> 3] >> np.uint64((word & 7) * 8)) & _WHOLE == ZERO:
            found = _compare_word(m, depth, np.int64(word), either, both, found)
            continue
        safe, tally = ZERO, ZERO
        at = begin
        while at < end:
            # Bytes count the classes in which a cell is safe, at most as many as there are worlds in a stretch.
            for i in range(at, min(at + 254, end)):
                row = m.row[m.chosen[i], word]
                either |= row
                both &= row
                other = np.uint64(m.heaviest[i - begin])
                tally += safe & other
                safe = (safe & ~other) | ((~row & _HIGH) >> _SEVEN)
            at += 254
            if at >= end:
                tally += safe
            for k in range(8):
                m.most[8 * word + k] += np.int64((tally >> np.uint64(8 * k)) & _WHOLE)
            tally = ZERO
        found = _compare_word(m, depth, np.int64(word), either, both, found)
    if found == NONE and not m.size[UNIFORM]:
        for cell in range(m.size[N_CELLS]):
            if not is_settled(m, depth, cell):
                m.most[cell] = bound(m, begin, end, cell)
    return found


@kernel
def bound(m, begin, end, safe):
    """Return an upper bound of V, with a cell ``safe`` of the worlds where it is safe."""
    m.size[STAMP] += 1
    stamp = m.size[STAMP]
    total = np.int64(0)
    for at in range(begin, end):
        world = m.chosen[at]
        if safe >= 0 and m.code[world, safe] == MINE:
            continue
        colour = m.colour[world]
        if m.seen[colour] != stamp:
            m.seen[colour] = stamp
            m.heaviest[colour] = 0
        if m.weight[world] > m.heaviest[colour]:
            total += m.weight[world] - m.heaviest[colour]
            m.heaviest[colour] = m.weight[world]
    return total


@kernel
def is_settled(m, depth, cell):
    """Return whether a cell looks the same in all worlds of a compared set."""
    return m.same[depth, cell >> 6] >> np.uint64(cell & 63) & ONE != ZERO


@kernel
def nonzero_bytes(word):
    """Return a word with one bit for each byte of another word that is not zero."""
    high = (((word & _REST) + _REST) | word) & _HIGH
    return ((high >> _SEVEN) * _GATHER) >> _BYTE


@kernel
def find_slot(m, world, depth):
    """Return the place of a set in the table, or -1 - the place where it may be put.

    The set is given by its first world and ``same[depth]``.
    """
    mask = m.size[SLOTS]
    mixed = np.uint64(world + 1) * MIX_STEP
    for word in range(m.same.shape[1]):
        mixed = (mixed ^ (mixed >> MIX) ^ m.same[depth, word]) * MIX_STEP
    at = np.int64((mixed ^ (mixed >> MIX)) & np.uint64(mask))
    first = at
    for _ in range(_PROBES):
        if m.known[at, 0] != m.size[ROUND]:
            return -1 - at
        if m.key[at, 0] == np.uint64(world):
            equal = True
            for word in range(m.same.shape[1]):
                equal = equal and m.key[at, word + 1] == m.same[depth, word]
            if equal:
                return at
        at = (at + 1) & mask
    return -1 - (first + np.int64(mixed >> _BYTE) % _PROBES & mask)


@kernel
def keep_bounds(m, slot, world, depth, low, high, cell):
    """The set is given as in ``find_slot``; the cell is -1 if it was not asked for."""
    at = slot if slot >= 0 else -1 - slot
    m.known[at, 0] = m.size[ROUND]
    m.key[at, 0] = np.uint64(world)
    for word in range(m.same.shape[1]):
        m.key[at, word + 1] = m.same[depth, word]
    m.known[at, 1], m.known[at, 2], m.known[at, 3] = low, high, cell


def attach(work: np.void, room: Sets) -> np.ndarray:
    """Let the kernels use a room, by the fields of a record.

    The caller has to keep it, and the description.
    """
    words = np.array([word.value for word in words_of(checked([room], [SETS], {}))])
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
    """A value of an LLVM type, from words of 64 bits, and the address behind it.

    Pointers are words there, too, also where they have 32 bits.
    """
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
    return sets_at(w.room)
