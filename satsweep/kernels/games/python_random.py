"""Python's ``random.Random``, number for number, in compiled code.

A game of a run is drawn from ``Random(f"{seed}/{game}")``: its layout, the new places of mines that make way for the
first cell, and the player's draws among equally good cells. A compiled game is the same game only if all of them come
out the same. The generator is therefore CPython's (MT19937, Matsumoto and Nishimura 1998), with its seeding by a text
(the text and its SHA-512, read as one integer, whose 32-bit words go into ``init_by_array``), and with the use that
``randrange`` and ``sample`` make of its numbers. CPython promises that seeds keep their sequences for ``random()``
alone, so a test compares everything with the running Python.

A state is an array of 625 words, uint32: the 624 words of the generator and the number of those that are used up. A
word is renewed when its turn comes, not all of them at once as in CPython: a game needs a few, and the numbers are the
same.
"""

from collections.abc import Sequence
from hashlib import sha512

import numpy as np

from satsweep.kernels.toolchain.calls import Array, Int
from satsweep.kernels.toolchain.marks import exported, kernel

WORDS = 624
SHIFT = 397
MASK = 0xFFFFFFFF
STATE = Array("u4", f"{WORDS + 1}", written=True)
"""Parameter: a state."""
KEY = Array("u4", "words"), Int(1, most="words")
KEYS = Array("u4", "seeds words"), Array("i8", "seeds", holds=Int(1, most="words"))
"""Parameters: the words of a key and their number; those of many keys."""


def keys(seeds: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the words that ``Random(seed)`` starts from, for each seed.

    An array of uint32, shape (seeds, longest key), and the length of each key, int64, shape (seeds,).
    """
    texts = [seed.encode() for seed in seeds]
    numbers = [(text + sha512(text).digest()).lstrip(b"\0")[::-1] for text in texts]
    lengths = np.array([(len(number) + 3) // 4 for number in numbers], np.int64)
    width = int(lengths.max(initial=1))
    words = b"".join([number.ljust(4 * width, b"\0") for number in numbers])
    return np.frombuffer(words, "<u4").astype(np.uint32, copy=False).reshape(len(texts), width), lengths


def _start() -> np.ndarray:
    """Return the state that every ``init_by_array`` begins with, int64, shape (624,)."""
    words = [19650218]
    for place in range(1, WORDS):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + place) & MASK)
    return np.array(words, np.int64)


FIRST_STATE = _start()


@exported(STATE, *KEY)
def seed(state, key, length):
    """Set a state, uint32, shape (625,), from the first ``length`` words of a key."""
    word = FIRST_STATE[0]
    state[0] = np.uint32(word)
    place, at = 1, 0
    for step in range(max(WORDS, length)):
        before = FIRST_STATE[place] if step < WORDS - 1 else np.int64(state[place])
        word = ((before ^ ((word ^ (word >> 30)) * 1664525)) + np.int64(key[at]) + at) & MASK
        state[place] = np.uint32(word)
        place, at = place + 1, at + 1
        if place >= WORDS:
            state[0] = np.uint32(word)
            place = 1
        if at >= length:
            at = 0
    for _ in range(WORDS - 1):
        word = ((np.int64(state[place]) ^ ((word ^ (word >> 30)) * 1566083941)) - place) & MASK
        state[place] = np.uint32(word)
        place += 1
        if place >= WORDS:
            state[0] = np.uint32(word)
            place = 1
    state[0] = np.uint32(0x80000000)
    state[WORDS] = np.uint32(WORDS)


@kernel
def mixed_in(before, word, key, at):
    return ((before ^ ((word ^ (word >> 30)) * 1664525)) + np.int64(key) + at) & MASK


@kernel
def mixed_on(before, word, place):
    return ((np.int64(before) ^ ((word ^ (word >> 30)) * 1566083941)) - place) & MASK


@kernel
def can_seed_four(keys, at):
    """Return whether four keys are there, and none longer than a state."""
    return at + 4 <= keys.shape[0] and keys.shape[1] <= WORDS


@kernel
def seed_four(states, one, two, three, four, keys, lengths, at):
    """Set the states of four rows, as ``seed`` does, from the keys at ``at`` on.

    Each step of a seeding waits for the one before; those of four states run side by side, in half the time. Needs
    ``can_seed_four``; no row comes twice.
    """
    a = b = c = d = FIRST_STATE[0]
    key_a, key_b, key_c, key_d = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for step in range(1, WORDS + 1):
        place = step if step < WORDS else 1
        first = FIRST_STATE[place]
        a = mixed_in(first if step < WORDS else np.int64(states[one, 1]), a, keys[at, key_a], key_a)
        b = mixed_in(first if step < WORDS else np.int64(states[two, 1]), b, keys[at + 1, key_b], key_b)
        c = mixed_in(first if step < WORDS else np.int64(states[three, 1]), c, keys[at + 2, key_c], key_c)
        d = mixed_in(first if step < WORDS else np.int64(states[four, 1]), d, keys[at + 3, key_d], key_d)
        states[one, place], states[two, place] = np.uint32(a), np.uint32(b)
        states[three, place], states[four, place] = np.uint32(c), np.uint32(d)
        key_a = key_a + 1 if key_a + 1 < lengths[at] else np.int64(0)
        key_b = key_b + 1 if key_b + 1 < lengths[at + 1] else np.int64(0)
        key_c = key_c + 1 if key_c + 1 < lengths[at + 2] else np.int64(0)
        key_d = key_d + 1 if key_d + 1 < lengths[at + 3] else np.int64(0)
    for step in range(2, WORDS + 1):
        place = step if step < WORDS else 1
        a, b = mixed_on(states[one, place], a, place), mixed_on(states[two, place], b, place)
        c, d = mixed_on(states[three, place], c, place), mixed_on(states[four, place], d, place)
        states[one, place], states[two, place] = np.uint32(a), np.uint32(b)
        states[three, place], states[four, place] = np.uint32(c), np.uint32(d)
    for row in (one, two, three, four):
        states[row, 0], states[row, WORDS] = np.uint32(0x80000000), np.uint32(WORDS)


@exported(STATE, Int(1, most=32), results=1)
def bits(state, count):
    """Return ``count`` random bits (1 to 32) as an integer."""
    place = np.int64(state[WORDS])
    if place >= WORDS:
        place = 0
    following = place + 1 if place < WORDS - 1 else 0
    distant = place + SHIFT if place < WORDS - SHIFT else place + SHIFT - WORDS
    both = (np.int64(state[place]) & 0x80000000) | (np.int64(state[following]) & 0x7FFFFFFF)
    word = np.int64(state[distant]) ^ (both >> 1) ^ (0x9908B0DF if both & 1 else 0)
    state[place] = np.uint32(word)
    state[WORDS] = np.uint32(place + 1)
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    word ^= word >> 18
    return word >> (32 - count)


@exported(STATE, Int(1), results=1)
def below(state, limit):
    """Return a number from 0 up to but not including the limit: ``randrange(limit)``."""
    length, rest = 0, limit
    while rest:
        length, rest = length + 1, rest >> 1
    drawn = bits(state, length)
    while drawn >= limit:
        drawn = bits(state, length)
    return drawn


@exported(
    STATE, Int(0, name="size"), Int(0, most="size", name="count"), Array("i4", "count+", written=True),
    Array("i4", "size+", written=True),
)  # fmt: skip
def sample(state, size, count, chosen, pool):
    """Write ``sample(range(size), count)`` into an array.

    ``chosen`` has room for ``count`` numbers, ``pool``, which is scratch, for ``size``.
    """
    table = 21
    if count > 5:
        room = 1
        while room < 3 * count:
            room *= 4
        table += room
    if size <= table:
        for place in range(size):
            pool[place] = place
        for place in range(count):
            at = below(state, size - place)
            chosen[place] = pool[at]
            pool[at] = pool[size - place - 1]
    else:
        pool[:size] = 0
        for place in range(count):
            at = below(state, size)
            while pool[at]:
                at = below(state, size)
            pool[at] = 1
            chosen[place] = at
