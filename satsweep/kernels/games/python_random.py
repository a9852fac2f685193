"""Python's ``random.Random``, number for number, in compiled code.

A game of a run is drawn from ``Random(f"{seed}/{game}")``: its layout, the new places of mines that make way for the
first cell, and the player's draws among equally good cells. A compiled game is the same game only if all of them come
out the same. The generator is therefore CPython's (MT19937, Matsumoto and Nishimura 1998), with its seeding by a text
(the text and its SHA-512, read as one integer, whose 32-bit words go into ``init_by_array``), and with the use that
``randrange`` and ``sample`` make of its numbers. CPython promises that seeds keep their sequences for ``random()``
alone, so a test compares everything with the running Python.

A state is an array of 625 words, uint32: the 624 words of the generator and the number of those that are used up.
"""

from collections.abc import Sequence
from hashlib import sha512

import numpy as np

from satsweep.kernels.toolchain.marks import INT, Array, exported, kernel

WORDS = 624
SHIFT = 397
MASK = 0xFFFFFFFF
STATE = Array("u4")
"""A state as a parameter of a kernel."""


def keys(seeds: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the words that ``Random(seed)`` starts from, for each seed.

    An array of uint32, shape (seeds, longest key), and the length of each key, int64, shape (seeds,).
    """
    words = []
    for seed in seeds:
        text = seed.encode()
        packed = (text + sha512(text).digest()).lstrip(b"\0")[::-1]
        words.append(packed + bytes(-len(packed) % 4))
    lengths = np.array([len(packed) // 4 for packed in words], np.int64)
    table = np.zeros((len(words), int(lengths.max(initial=1))), np.uint32)
    for row, packed in zip(table, words, strict=True):
        row[: len(packed) // 4] = np.frombuffer(packed, "<u4")
    return table, lengths


def _start() -> np.ndarray:
    """Return the state that every ``init_by_array`` begins with, int64, shape (624,)."""
    words = [19650218]
    for place in range(1, WORDS):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + place) & MASK)
    return np.array(words, np.int64)


START = _start()


@exported(STATE, Array("u4"), INT)
def seed(state, key, length):
    """Set a state, uint32, shape (625,), from the first ``length`` words of a key."""
    word = START[0]
    state[0] = np.uint32(word)
    place, at = 1, 0
    for step in range(max(WORDS, length)):
        before = START[place] if step < WORDS - 1 else np.int64(state[place])
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
def refill(state):
    for place in range(WORDS):
        following = place + 1 if place < WORDS - 1 else 0
        distant = place + SHIFT if place < WORDS - SHIFT else place + SHIFT - WORDS
        both = (np.int64(state[place]) & 0x80000000) | (np.int64(state[following]) & 0x7FFFFFFF)
        state[place] = np.uint32(np.int64(state[distant]) ^ (both >> 1) ^ (0x9908B0DF if both & 1 else 0))
    state[WORDS] = np.uint32(0)


@exported(STATE, INT, results=1)
def bits(state, count):
    """Return ``count`` random bits (1 to 32) as an integer."""
    place = np.int64(state[WORDS])
    if place >= WORDS:
        refill(state)
        place = 0
    state[WORDS] = np.uint32(place + 1)
    word = np.int64(state[place])
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    word ^= word >> 18
    return word >> (32 - count)


@exported(STATE, INT, results=1)
def below(state, limit):
    """Return a number from 0 up to but not including the limit: ``randrange(limit)``."""
    length, rest = 0, limit
    while rest:
        length, rest = length + 1, rest >> 1
    drawn = bits(state, length)
    while drawn >= limit:
        drawn = bits(state, length)
    return drawn


@exported(STATE, INT, INT, Array("i4"), Array("i4"))
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
