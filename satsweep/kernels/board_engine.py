"""The compiled library as an engine of one board, without NumPy.

Its functions are those of the C interface (``c/satsweep.h``), so the library for WebAssembly answers likewise: in a
browser, where nothing can be loaded by ``ctypes``, ``use`` says how to call it. Their parameters are declared and
checked as those of kernels are (``toolchain.calls``).

A position is a signed byte a cell: a number, or a code of the kernels (covered, mine, open without a number).
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from threading import RLock
from typing import Any, NamedTuple, Protocol

from satsweep.forks import after_fork
from satsweep.kernels.shared.memory import LEVEL
from satsweep.kernels.toolchain.calls import (
    Array,
    Buffer as Buffer,
    Int as Int,
    KernelCaller,
    call_by,
    checked,
    private_memory,
    table,
    zeros as zeros,
)
from satsweep.kernels.toolchain.library import is_there as is_in_package, load

MINE = 255
"""Code of a mine in the worlds of an endgame."""
FINE, TOO_LARGE = 0, 1
"""Codes of the C interface."""
FIRST = {"any": 0, "safe": 1, "zero": 2, "given": 3}
"""Codes of promises about the first cell."""


def _number(name: str = "") -> Int:
    return Int(name=name, kind="i")


def _written(dtype: str, shape: str) -> Array:
    return Array(dtype, shape, written=True)


_SYMBOLS, _MINES, _LEVEL, _SALT = Array("i1", "cells"), _number(), _number(), Int()
FUNCTIONS: dict[str, tuple[Array | Int, ...]] = {
    "begin_grid": (Int(kind="N"), _number("cells"), _number("degree"), Array("i4", "cells degree")),
    "risks": (_SYMBOLS, _MINES, _written("f8", "cells")),
    "guess": (_SYMBOLS, _MINES, _LEVEL, _written("i4", "1"), _written("f8", "1"), _written("i4", "1")),
    "draw": (_SYMBOLS, _MINES, _SALT, _number("worlds"), _written("i1", "worlds cells")),
    "roll_out": (
        _SYMBOLS, _MINES, _LEVEL, _SALT, Array("i4", "asked"), _number("asked"), _number("worlds"),
        _written("f8", "worlds asked"),
    ),
    "chances": (_MINES, Array("u1"), _number(), _number(), _LEVEL, _number("games"), _written("f8", "games")),
    "endgame": (_written("u1", "worlds covered"), _number("worlds"), _number("covered")),
    "endgame_value": (Array("i4", "worlds"), _number("worlds"), _written("i4", "1")),
}  # fmt: skip
"""Parameters of the functions, without the first: a room for the deep player."""


class Library(Protocol):
    """A way to call the C interface.

    ``name`` is that of a function without its prefix. A buffer is handed over by its address. The first argument of
    every function is left out: it is a room for the deep player, of ``size`` bytes.
    """

    size: int

    def call(self, name: str, arguments: Sequence[Buffer | int]) -> int: ...


class GivenLibrary(Library, KernelCaller, Protocol):
    """A library that calls kernels, too."""


class NativeLibrary:
    """The library of the package, with a room."""

    def __init__(self) -> None:
        loaded = load()
        kinds: dict[str, Any] = {"N": ctypes.c_size_t, "i": ctypes.c_int32, "q": ctypes.c_int64}
        room = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int32)(("satsweep_room", loaded))
        self._functions: dict[str, Any] = {}
        for name, parameters in FUNCTIONS.items():
            own = (kinds[one.kind] if isinstance(one, Int) else ctypes.c_void_p for one in parameters)
            kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, *own)
            self._functions[name] = kind((f"satsweep_{name}", loaded))
        self._memory = private_memory(room(1))
        self._room = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self.size = len(self._memory)

    def call(self, name: str, arguments: Sequence[Buffer | int]) -> int:
        values = (one.address if isinstance(one, Buffer) else one for one in arguments)
        found: int = self._functions[name](self._room, *values)
        return found


_given: Library | None = None
_TURN = RLock()
"""Lock of the room: a call lets other threads run."""


def use(given: GivenLibrary) -> None:
    """Call this library from now on, in place of that of the package."""
    global _given
    _given = given
    call_by(given)


def is_there() -> bool:
    return _given is not None or is_in_package()


@cache
def _native() -> NativeLibrary:
    return NativeLibrary()


class _RoomState:
    """Its board, and the endgame that is posed."""

    library: Library | None = None
    near: Sequence[Sequence[int]] | None = None
    posed: object = None


_going = _RoomState()


def _begin_anew() -> None:
    """Leave the lock and the room to the parent, in a copy of this process."""
    global _TURN, _going
    _TURN, _going = RLock(), _RoomState()
    _native.cache_clear()


after_fork(_begin_anew)


class DeepCell(NamedTuple):
    """Guess of the deep player: its cell and the chance to win, exact or about."""

    cell: int
    value: float
    exact: bool


class BoardEngine:
    """The compiled engine for boards with some neighbours and a mine total.

    It needs a library (``is_there``), and cells and neighbours that fit (``solver.compiled.fits``).
    """

    def __init__(self, near: Sequence[Sequence[int]], mines: int) -> None:
        self.near, self.mines = near, mines

    def risks(self, symbols: bytes) -> list[float] | None:
        """The risk of each cell, NaN where it is not covered.

        None beyond the limits, or if no world agrees.
        """
        found = _floats(len(self.near))
        code = self.call("risks", array("b", symbols), self.mines, found)
        return found.tolist() if code == FINE else None

    def guess(self, symbols: bytes) -> DeepCell | None:
        """The guess in a position without a safe cell; None if there is none."""
        cell, value, exact = array("i", [-1]), _floats(1), array("i", [0])
        code = self.call("guess", array("b", symbols), self.mines, LEVEL, cell, value, exact)
        return DeepCell(cell[0], value[0], exact[0] == 1) if code == FINE and cell[0] >= 0 else None

    def sample(self, symbols: bytes, worlds: int, salt: int) -> list[bytes] | None:
        """Worlds of a position, each drawn uniformly among all: 1 for each mine.

        None beyond the limits. They depend on the position and on ``salt``.
        """
        cells = len(self.near)
        found = bytearray(worlds * cells)
        rows = memoryview(found).cast("b", (worlds, cells))
        if self.call("draw", array("b", symbols), self.mines, salt, worlds, rows) != FINE:
            return None
        return [bytes(found[at : at + cells]) for at in range(0, len(found), cells)]

    def roll_out(self, symbols: bytes, cells: Sequence[int], worlds: int, salt: int) -> list[tuple[float, ...]]:
        """Chances to win after opening some cells, a row for each drawn world.

        The deep player plays on, luck taken away; no cell of the position has risk 0. Worlds beyond the limits are left
        out.
        """
        found: Any = zeros("d", worlds, len(cells))
        asked = array("i", cells), len(cells), worlds, found
        if self.call("roll_out", array("b", symbols), self.mines, LEVEL, salt, *asked) != FINE:
            return []
        return [tuple(row) for row in found.tolist() if min(row) >= 0]

    def chances(self, seed: str, first: str, start: int, games: int) -> list[float]:
        """The deep player's chance to win from a start, by each game of a run.

        Luck is taken away. Games beyond the limits are left out; none is played where there is no room for the start.
        """
        found = _floats(games)
        asked = self.mines, f"{seed}\0".encode(), FIRST[first], start, LEVEL, games, found
        known = found.tolist() if self.call("chances", *asked) == FINE else []
        return [chance for chance in known if chance == chance]

    def call(self, name: str, *arguments: Any) -> int:
        with _TURN:
            library = self._begun()
            if name not in ("risks", "draw"):
                _going.posed = None
            return library.call(name, self._checked(name, *arguments))

    def _checked(self, name: str, *arguments: Any) -> list[Buffer | int]:
        return checked(arguments, FUNCTIONS[name], {"cells": len(self.near)})

    def _begun(self) -> Library:
        library = _given or _native()
        if _going.library is not library or _going.near is not self.near:
            grid = Buffer(table(self.near))
            asked = self._checked("begin_grid", library.size, *grid.shape, grid)
            _going.near = None
            if library.call("begin_grid", asked) != FINE:
                raise ValueError("expected neighbours that the compiled library can read")
            _going.library, _going.near, _going.posed = library, self.near, None
        return library


class PosedEndgame:
    """The search for best play among some worlds and their parts.

    ``rows`` has a world each: the number that each cell shows in it, or ``MINE``; there is a cell at least.
    """

    def __init__(self, engine: BoardEngine, rows: Sequence[bytes]) -> None:
        self._engine, self._rows, self._cells = engine, rows, len(rows[0])
        self._place: list[int] = []

    def value(self, worlds: Iterable[int]) -> int:
        """The worlds that best play wins, of all rows that agree with some cells.

        Raises MemoryError where the room of the search is too small, or spent.
        """
        with _TURN:
            if _going.posed is not self:
                self._pose()
            found, places = array("i", [0]), array("i", sorted(self._place[world] for world in worlds))
            code = self._engine.call("endgame_value", places, len(places), found)
            _going.posed = self
        if code != FINE:
            raise MemoryError("the room of the endgame search is spent")
        return found[0]

    def _pose(self) -> None:
        shown = bytearray(b"".join(self._rows))
        rows = Buffer(memoryview(shown).cast("B", (len(self._rows), self._cells)))
        if self._engine.call("endgame", rows, *rows.shape) != FINE:
            raise MemoryError("the room of the endgame search is too small")
        # The room has the worlds in an order of its own.
        place = {bytes(shown[at : at + self._cells]): at // self._cells for at in range(0, len(shown), self._cells)}
        self._place = [place[row] for row in self._rows]


def _floats(count: int) -> array[float]:
    return array("d", bytes(8 * count))
