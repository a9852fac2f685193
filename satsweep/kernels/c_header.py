"""Constants of the kernels as a C header, which the build writes for the C files.

Sizes, the places of the record's fields, the parameters of the deep player's levels, and for each of its rooms the
words that describe it (``satsweep.kernels.toolchain.marks``), with places in the room for addresses.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from satsweep.kernels import limits
from satsweep.kernels.endgame.few import UNLIMITED
from satsweep.kernels.endgame.sets import SETS, Sets
from satsweep.kernels.games import player
from satsweep.kernels.lookahead.levels import (
    DEEP,
    INNER_WORLDS,
    MOST_LIVE,
    MOST_WORLDS,
    NARROW_BOARD,
    ROLLING,
    ROOT,
    room_for,
)
from satsweep.kernels.python_random import WORDS
from satsweep.kernels.record import WORK
from satsweep.kernels.toolchain.marks import words_of

ROOMS = {"ENDGAMES": (MOST_WORLDS, MOST_LIVE), "ROLLED_OUT": (INNER_WORLDS, MOST_LIVE), "WHOLE": (ROOT, NARROW_BOARD)}
"""Worlds and cells of each room: endgames, those of roll-outs, whole boards."""
ALIGNED = 64
"""Each array of a room begins at a multiple of this."""
ADDRESS = 4
"""Place of the address among the words of an array."""


def header() -> str:
    """Return the text of the header."""
    numbers = {
        **{name: getattr(limits, name) for name in ("CELLS", "DEGREE", "FLOATS", "HEAD")},
        **{name: getattr(player, name) for name in ("STUCK", "BEYOND", "NO_ROOM")},
        **{"WORDS": WORDS, "ROOT": ROOT, "NARROW_BOARD": NARROW_BOARD, "UNLIMITED": UNLIMITED, "LEVELS": len(DEEP)},
        **{"RECORD_BYTES": WORK.itemsize, "RESULT_BYTES": player.RESULT.itemsize},
        **{f"AT_{name}": WORK.fields[name][1] for name in WORK.names or () if WORK.fields},
    }
    lines = ["#pragma once", "#include <stdint.h>", *(f"#define {name} {number}LL" for name, number in numbers.items())]
    for at, name in enumerate(ROOMS):
        lines.append(f"#define {name} {at}")
    described = [_description(room_for(*size)) for size in ROOMS.values()]
    depths = [ROLLING, *(DEEP[level] for level in sorted(DEEP))]
    lines += [
        "/* Parameters of roll-outs, then of each level. */",
        f"static const double DEPTHS[{len(depths)}][{len(ROLLING)}] = {_rows(depths)};",
        "/* Words of each room; which of them are places; the place of its limit of nodes; its bytes. */",
        f"#define ROOM_WORDS {len(described[0][0])}",
        f"static const int64_t ROOMS[{len(described)}][ROOM_WORDS] = {_rows(words for words, *_ in described)};",
        f"static const int8_t PLACED[ROOM_WORDS] = {_row(described[0][1])};",
        f"static const int64_t LIMIT_AT[] = {_row(limit for *_, limit, _ in described)};",
        f"static const int64_t ROOM_BYTES[] = {_row(size for *_, size in described)};",
    ]
    return "\n".join(lines) + "\n"


def _description(room: Sets) -> tuple[list[int], list[int], int, int]:
    """Words of a room, with places for addresses.

    Also 1 for each word that is a place, the place of the limit of nodes, and the bytes of the room.
    """
    words, placed, places, end = words_of(room, SETS), [], {}, 0
    at = 0
    for array in _arrays(room):
        length = 5 + 2 * array.ndim
        address = words[at + ADDRESS]
        if address not in places:
            places[address] = end
            end += -(-array.nbytes // ALIGNED) * ALIGNED
        words[at + ADDRESS] = places[address]
        placed += [int(place == ADDRESS) for place in range(length)]
        at += length
    return words, placed, places[room.spent.ctypes.data] + room.spent.itemsize, end


def _arrays(room: Any) -> Iterator[Any]:
    """All arrays of a room, in the order of their words."""
    for part in room:
        yield from _arrays(part) if isinstance(part, tuple) else (part,)


def _row(numbers: Iterable[object]) -> str:
    return "{" + ", ".join(map(repr, numbers)) + "}"


def _rows(rows: Iterable[Iterable[object]]) -> str:
    return "{" + ",\n    ".join(map(_row, rows)) + "}"
