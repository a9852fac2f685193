"""Header of the C interface: what it has to know of the kernels.

The places of fields in the working record, the limits, the parameters of the deep player, and the rooms of its search.
A room is described by words as in a call (``marks``), in which places within its memory stand for addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from satsweep.kernels import limits
from satsweep.kernels.endgame.sets import SETS
from satsweep.kernels.games.player import BEYOND, CLEARED, MEASURES, NO_ROOM
from satsweep.kernels.lookahead.levels import (
    DEEP,
    INNER_WORLDS,
    MOST_LIVE,
    MOST_WORLDS,
    NARROW_BOARD,
    ROLLING,
    ROOT,
    room,
)  # fmt: skip
from satsweep.kernels.memory import SPAN
from satsweep.kernels.python_random import WORDS
from satsweep.kernels.record import WORK
from satsweep.kernels.toolchain.marks import words_of

FIELDS = ("level", "param", "root", "room", "inner", "reply", "value")
ROOMS = {"outer": (MOST_WORLDS, MOST_LIVE), "root": (ROOT, NARROW_BOARD), "inner": (INNER_WORLDS, MOST_LIVE)}
ALIGNED = 64


def header(sources: str) -> str:
    """Return the header of a library that is made from sources of this digest."""
    assert WORK.fields is not None
    rooms = [room(*size) for size in ROOMS.values()]
    given = [words_of(one, SETS) for one in rooms]
    at = [place for place, _ in _arrays(rooms[0])]
    end, fills = _aligned(8 * len(rooms) * len(given[0])), []
    for one, words in zip(rooms, given, strict=True):
        placed: dict[int, int] = {}
        for place, array in _arrays(one):
            if (address := array.ctypes.data) not in placed:
                placed[address], end = end, _aligned(end + array.nbytes)
                fills += [[placed[address] + 8 * first, *same] for first, same in _runs(array)]
            words[place] = placed[address]
    numbers = {
        "RECORD_BYTES": WORK.itemsize,
        **{f"AT_{name.upper()}": WORK.fields[name][1] for name in FIELDS},
        **{name: getattr(limits, name) for name in ("CELLS", "DEGREE", "FLOATS", "HEAD")},
        **{"SPAN": SPAN, "GENERATOR": WORDS + 1, "MEASURES": len(MEASURES), "ROOT": ROOT, "NARROW_BOARD": NARROW_BOARD},
        **{"OUTCOME_CLEARED": CLEARED, "OUTCOME_BEYOND": BEYOND, "OUTCOME_NO_ROOM": NO_ROOM},
        **{f"ROOM_{name.upper()}": place for place, name in enumerate(ROOMS)},
        **{"ROOM_COUNT": len(rooms), "ROOM_WORDS": len(given[0]), "ROOM_ARRAYS": len(at), "ROOM_FILLS": len(fills)},
        **{"ROOM_BYTES": end, "LEVELS": len(DEEP) + 1, "PARAMETERS": len(ROLLING)},
    }
    depths = [[*map(float, depth)] for depth in (ROLLING, *DEEP.values())]
    tables = {
        "double DEPTHS[LEVELS][PARAMETERS]": depths,
        "Word ROOM_GIVEN[ROOM_COUNT][ROOM_WORDS]": given,
        "short ROOM_PLACES[ROOM_ARRAYS]": at,
        "Word ROOM_FILL[ROOM_FILLS][3]": fills,
        "uint64_t SHA_START[8]": [*islice(_root_bits(2), 8)],
        "uint64_t SHA_ROUND[80]": [*islice(_root_bits(3), 80)],
    }
    lines = [f'#define SOURCES "{sources}"', *(f"#define {name} {number}" for name, number in numbers.items())]
    return "\n".join([*lines, *(f"static const {name} = {_in_c(table)};" for name, table in tables.items()), ""])


def _arrays(room: Any, place: int = 0) -> Iterator[tuple[int, Any]]:
    """Yield the arrays of a room, each with the place of its address among the words."""
    for one in room:
        if isinstance(one, tuple):
            yield from _arrays(one, place)
            place = len(words_of(one, SETS.parameters[-1])) + place
        else:
            yield place + 4, one
            place += 5 + 2 * one.ndim


def _runs(array: Any) -> list[tuple[int, list[int]]]:
    """Return what an array has at its beginning, beside zeros: places, and how often a value stands there."""
    values = array.reshape(-1).tolist() if array.any() else []
    if len({*values}) == 1:
        return [(0, [len(values), values[0]])]
    return [(place, [1, value]) for place, value in enumerate(values) if value]


def _root_bits(root: int) -> Iterator[int]:
    """Yield the first 64 bits after the point of the roots of all primes."""
    for prime in (number for number in count(2) if all(number % other for other in range(2, number))):
        shifted, found = prime << 64 * root, prime << 64
        while (less := ((root - 1) * found + shifted // found ** (root - 1)) // root) < found:  # Newton's method
            found = less
        yield found & (1 << 64) - 1


def _aligned(place: int) -> int:
    return -(-place // ALIGNED) * ALIGNED


def _in_c(value: Any) -> str:
    """Return a table as C writes it."""
    if isinstance(value, list):
        return f"{{{', '.join(map(_in_c, value))}}}"
    return f"{value}u" if isinstance(value, int) and value >= 1 << 63 else str(value)
