"""The compiled library as an engine of one board, without NumPy.

Its functions are those of the C interface (``kernels/c/satsweep.h``), so the library for WebAssembly answers likewise:
in a browser, where nothing can be loaded by ``ctypes``, ``use`` says how to call it.

A position is a signed byte a cell: a number, or a code of the kernels (covered, mine, open without a number).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from threading import RLock
from typing import Any, NamedTuple, Protocol

from satsweep.solver import compiled

LEVEL = compiled.LEVEL
"""Level of the deep player that is asked."""
MINE = compiled.ENDGAME_MINE
"""Code of a mine in the worlds of an endgame."""
FINE, TOO_LARGE = 0, 1
"""Codes of the C interface."""
FIRST = {"any": 0, "safe": 1, "zero": 2, "given": 3}
"""Codes of promises about the first cell."""
SIGNATURES = {
    "begin_grid": "pziip",
    "risks": "ppip",
    "guess": "ppiippp",
    "draw": "ppilip",
    "roll_out": "ppiilpiip",
    "chances": "pipiiiip",
    "endgame": "ppii",
    "endgame_value": "ppip",
}
"""Parameters of the functions: a pointer, a size, an int32, an int64."""
Argument = int | bytes | bytearray


class Library(Protocol):
    """A way to call the C interface.

    ``name`` is that of a function without its prefix. Bytes are handed over by their address, and a bytearray gets what
    is written there. The first argument of every function is left out: it is a room for the deep player, of ``size``
    bytes.
    """

    size: int

    def call(self, name: str, *arguments: Argument) -> int: ...


class NativeLibrary:
    """The library of the package, with a room."""

    def __init__(self) -> None:
        import ctypes
        import mmap

        library = compiled.load()
        kinds = {"p": ctypes.c_void_p, "z": ctypes.c_size_t, "i": ctypes.c_int32, "l": ctypes.c_int64}
        room = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int32)(("satsweep_room", library))
        self._bytes = ctypes.c_char
        self._functions: dict[str, Any] = {}
        for name, parameters in SIGNATURES.items():
            kind = ctypes.CFUNCTYPE(ctypes.c_int32, *(kinds[own] for own in parameters))
            self._functions[name] = kind((f"satsweep_{name}", library))
        # Memory that is private, also after a fork; pages that are never used cost nothing.
        self._memory = mmap.mmap(-1, room(1), access=mmap.ACCESS_COPY)
        self._room = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self.size = len(self._memory)

    def call(self, name: str, *arguments: Argument) -> int:
        values = ((self._bytes * len(one)).from_buffer(one) if isinstance(one, bytearray) else one for one in arguments)
        found: int = self._functions[name](self._room, *values)
        return found


_given: Library | None = None
_TURN = RLock()
"""Lock of the room: a call lets other threads run."""


def use(library: Library) -> None:
    """Call this library from now on, in place of that of the package."""
    global _given
    _given = library


def is_there() -> bool:
    return _given is not None or compiled.is_there()


@cache
def _native() -> NativeLibrary:
    return NativeLibrary()


class _RoomState:
    """Its board, and the endgame that is posed."""

    library: Library | None = None
    near: Sequence[Sequence[int]] | None = None
    posed: object = None


_going = _RoomState()


class DeepCell(NamedTuple):
    """Guess of the deep player: its cell and the chance to win, exact or about."""

    cell: int
    value: float
    exact: bool


class BoardEngine:
    """The compiled engine for boards with some neighbours and a mine total.

    It needs a library (``is_there``), and cells and neighbours that fit (``compiled.fits``).
    """

    def __init__(self, near: Sequence[Sequence[int]], mines: int) -> None:
        self.near, self.mines = near, mines

    def risks(self, symbols: bytes) -> list[float] | None:
        """The risk of each cell, NaN where it is not covered.

        None beyond the limits, or if no world agrees.
        """
        found = bytearray(8 * len(self.near))
        return _floats(found) if self.call("risks", symbols, self.mines, found) == FINE else None

    def guess(self, symbols: bytes) -> DeepCell | None:
        """The guess in a position without a safe cell; None if there is none."""
        cell, value, exact = bytearray(4), bytearray(8), bytearray(4)
        code = self.call("guess", symbols, self.mines, LEVEL, cell, value, exact)
        at = _word(cell)
        return DeepCell(at, _floats(value)[0], _word(exact) == 1) if code == FINE and at >= 0 else None

    def sample(self, symbols: bytes, worlds: int, salt: int) -> list[bytes] | None:
        """Worlds of a position, each drawn uniformly among all: 1 for each mine.

        None beyond the limits. They depend on the position and on ``salt``.
        """
        cells = len(self.near)
        found = bytearray(worlds * cells)
        if self.call("draw", symbols, self.mines, salt, worlds, found) != FINE:
            return None
        return [bytes(found[at : at + cells]) for at in range(0, len(found), cells)]

    def roll_out(self, symbols: bytes, cells: Sequence[int], worlds: int, salt: int) -> list[tuple[float, ...]]:
        """Chances to win after opening some cells, a row for each drawn world.

        The deep player plays on, luck taken away; no cell of the position has risk 0. Worlds beyond the limits are left
        out.
        """
        found = bytearray(8 * worlds * len(cells))
        asked = array("i", cells).tobytes(), len(cells), worlds, found
        if self.call("roll_out", symbols, self.mines, LEVEL, salt, *asked) != FINE:
            return []
        rows = zip(*[iter(_floats(found))] * len(cells), strict=True)
        return [row for row in rows if min(row) >= 0]

    def chances(self, seed: str, first: str, start: int, games: int) -> list[float]:
        """The deep player's chance to win from a start, by each game of a run.

        Luck is taken away. Games beyond the limits are left out; none is played where there is no room for the start.
        """
        found = bytearray(8 * games)
        asked = self.mines, f"{seed}\0".encode(), FIRST[first], start, LEVEL, games, found
        known = _floats(found) if self.call("chances", *asked) == FINE else []
        return [chance for chance in known if chance == chance]

    def call(self, name: str, *arguments: Argument) -> int:
        with _TURN:
            library = self._begun()
            if name not in ("risks", "draw"):
                _going.posed = None
            return library.call(name, *arguments)

    def _begun(self) -> Library:
        library = _given or _native()
        if _going.library is not library or _going.near is not self.near:
            degree = max(1, *map(len, self.near))
            table = array("i", [other for own in self.near for other in (*own, *[-1] * (degree - len(own)))])
            _going.near = None
            if library.call("begin_grid", library.size, len(self.near), degree, table.tobytes()) != FINE:
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
            found, places = bytearray(4), array("i", sorted(self._place[world] for world in worlds))
            code = self._engine.call("endgame_value", places.tobytes(), len(places), found)
            _going.posed = self
        if code != FINE:
            raise MemoryError("the room of the endgame search is spent")
        return _word(found)

    def _pose(self) -> None:
        shown = bytearray(b"".join(self._rows))
        if self._engine.call("endgame", shown, len(self._rows), self._cells) != FINE:
            raise MemoryError("the room of the endgame search is too small")
        # The room has the worlds in an order of its own.
        place = {bytes(shown[at : at + self._cells]): at // self._cells for at in range(0, len(shown), self._cells)}
        self._place = [place[row] for row in self._rows]


def _floats(content: bytearray) -> list[float]:
    found = array("d")
    found.frombytes(content)
    return found.tolist()


def _word(content: bytearray) -> int:
    return int.from_bytes(content, "little", signed=True)
