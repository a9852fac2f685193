"""The working record, put together from the fields of all modules; its C header.

A field that two modules declare is an error here. The build writes the header for the C files: sizes, the places of the
record's fields, the parameters of the deep player's levels, for each of its rooms the words that describe it
(``satsweep.kernels.toolchain.calls``), with places in the room for addresses, and the kernels that Python calls.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from satsweep.kernels.endgame import play, sets
from satsweep.kernels.endgame.few import UNLIMITED
from satsweep.kernels.games import no_guess, player, repair
from satsweep.kernels.games.python_random import WORDS
from satsweep.kernels.lookahead import closing, deep_player, outlook, promise, rollouts, two_plies
from satsweep.kernels.position import board, components, large_odds, listing, solver, weights
from satsweep.kernels.shared import memory
from satsweep.kernels.toolchain.calls import Array, Int, Parameter, WorkingRecord, checked, flat, words_of
from satsweep.kernels.toolchain.marks import EXPORTED

OWNERS = (
    *(board, components, listing, weights, solver),
    *(outlook, promise, closing, two_plies, rollouts, deep_player),
    *(sets, play),
    *(player, no_guess, repair),
)
"""Modules with fields, in the order in which their fields lie in the record."""
PAGE, STAGGER = 4_096, 448
"""Bytes of a page; from the beginning of one array to that of the next in a page."""


def _record(fields: list[Any]) -> np.dtype[np.void]:
    """Record of these fields: numbers first, then arrays that begin ``STAGGER`` apart.

    A cache keeps few lines of the same place in a page. Arrays of a power of two would all begin in the same place, and
    a game uses little but their beginnings.
    """
    kinds = {name: np.dtype((kind, shape)) for name, kind, shape, _ in fields}
    if len(kinds) < len(fields):
        raise ValueError("two modules declare the same field")
    offsets, end = dict.fromkeys(kinds, 0), 0
    for turn, (name, kind) in enumerate(sorted(kinds.items(), key=lambda item: item[1].ndim > 0)):
        if kind.ndim:
            end += (STAGGER * turn - end) % PAGE
        offsets[name], end = end, end + kind.itemsize
    spread: Any = {"names": [*kinds], "formats": [*kinds.values()], "offsets": [*offsets.values()]}
    return np.dtype(spread, align=True)


WORK = _record([field for owner in OWNERS for field in owner.FIELDS])
"""The working record."""


class Workspace(WorkingRecord):
    """A working record, and its fields by name."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: np.void = np.frombuffer(self.memory, WORK)[0]


ROOMS = {
    "ENDGAMES": (deep_player.MOST_WORLDS, deep_player.MOST_LIVE),
    "ROLLED_OUT": (deep_player.INNER_WORLDS, deep_player.MOST_LIVE),
    "WHOLE": (play.ROOT, deep_player.NARROW_BOARD),
}
"""Worlds and cells of each room: endgames, those of roll-outs, whole boards."""
ALIGNED = 64
"""Each array of a room begins at a multiple of this."""
ADDRESS = 4
"""Place of the address among the words of an array."""


def header() -> str:
    """Return the text of the header."""
    places: Any = WORK.fields
    numbers = {
        **{name: getattr(memory, name) for name in ("CELLS", "DEGREE", "FLOATS", "HEAD")},
        **{name: getattr(player, name) for name in ("STUCK", "BEYOND", "NO_ROOM")},
        **{"ROOT": play.ROOT, "NARROW_BOARD": deep_player.NARROW_BOARD, "LEVELS": len(deep_player.DEEP)},
        **{"WORDS": WORDS, "UNLIMITED": UNLIMITED, "LONGEST": large_odds.LONGEST},
        **{"FORCED": rollouts.FORCED, "RECORD_BYTES": WORK.itemsize, "RESULT_BYTES": player.RESULT.itemsize},
        "NUMBER_BYTES": min(at for kind, at, *_ in places.values() if kind.ndim),
        **{f"AT_{name}": place[1] for name, place in places.items()},
    }
    lines = ["#pragma once", "#include <stdint.h>", *(f"#define {name} {number}LL" for name, number in numbers.items())]
    for at, name in enumerate(ROOMS):
        lines.append(f"#define {name} {at}")
    described = [_description(deep_player.room_for(*size)) for size in ROOMS.values()]
    depths = [deep_player.ROLLING, *(deep_player.DEEP[level] for level in sorted(deep_player.DEEP))]
    lines += [
        "/* Parameters of roll-outs, then of each level. */",
        f"static const double DEPTHS[{len(depths)}][{len(deep_player.ROLLING)}] = {_rows(depths)};",
        "/* Words of each room; which of them are places; the place of its limit of nodes; its bytes. */",
        f"#define ROOM_WORDS {len(described[0][0])}",
        f"static const int64_t ROOMS[{len(described)}][ROOM_WORDS] = {_rows(words for words, *_ in described)};",
        f"static const int8_t PLACED[ROOM_WORDS] = {_row(described[0][1])};",
        f"static const int64_t LIMIT_AT[] = {_row(limit for *_, limit, _ in described)};",
        f"static const int64_t ROOM_BYTES[] = {_row(size for *_, size in described)};",
        *(f"extern int32_t {one.symbol}({', '.join(_types(one.parameters))});" for one in EXPORTED),
    ]
    return "\n".join(lines) + "\n"


def _description(room: sets.Sets) -> tuple[list[int], list[int], int, int]:
    """Words of a room, with places for addresses.

    Also 1 for each word that is a place, the place of the limit of nodes, and the bytes of the room.
    """
    words = [word.value for word in words_of(checked([room], [sets.SETS], {}))]
    placed: list[int] = []
    places, end = {}, 0
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


def _types(parameters: Iterable[Parameter]) -> Iterator[str]:
    """C types of a kernel's result, of errors, and of the words of its parameters."""
    yield from ("int64_t *", "void **")
    for parameter in flat(parameters):
        if isinstance(parameter, Array):
            yield from ("void *", "void *", "int64_t", "int64_t", "void *")
            yield from ["int64_t"] * (2 * parameter.dimensions)
        else:
            yield "int64_t" if isinstance(parameter, Int) else "void *"


def _row(numbers: Iterable[object]) -> str:
    return "{" + ", ".join(map(repr, numbers)) + "}"


def _rows(rows: Iterable[Iterable[object]]) -> str:
    return "{" + ",\n    ".join(map(_row, rows)) + "}"
