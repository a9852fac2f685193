"""Calls of the library from Python in a browser: memory of its own, into which arguments are copied, and back."""

import ctypes
import sys
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from satsweep import Board, fewest_clicks, random_layout
from satsweep.kernels import board_engine
from satsweep.kernels.board_engine import FUNCTIONS, BoardEngine, Int, PosedEndgame
from satsweep.kernels.build import kernels_of_browsers
from satsweep.kernels.position.entries import count_position
from satsweep.kernels.position.orders import BeamSearch
from satsweep.kernels.toolchain import calls
from satsweep.kernels.toolchain.calls import private_memory
from satsweep.kernels.toolchain.library import load
from satsweep.page.offline.browser_library import PAGE, BrowserLibrary
from satsweep.solver import compiled

BOARD = Board(("####", "#22#", "####"), mines=4)
ROOM = 1 << 29


class BigInt(int):
    """What 64 bits are in JavaScript."""


class Memory:
    """Memory that begins small, in which all is at places instead of addresses."""

    def __init__(self) -> None:
        self.bytes = private_memory(ROOM)
        self.buffer = SimpleNamespace(byteLength=PAGE, whole=memoryview(self.bytes))

    def grow(self, pages: int) -> None:
        self.buffer.byteLength += pages * PAGE
        assert self.buffer.byteLength <= ROOM


class View:
    """A part of such memory, as JavaScript sees it."""

    def __init__(self, buffer: Any, first: int = 0, last: int | None = None) -> None:
        self.part = buffer.whole[first : buffer.byteLength if last is None else last]
        self.buffer = buffer

    def subarray(self, first: int, last: int) -> "View":
        assert 0 <= first <= last <= self.buffer.byteLength
        return View(self.buffer, first, last)

    def assign(self, content: memoryview) -> None:
        self.part[:] = content

    def assign_to(self, content: memoryview) -> None:
        content[:] = self.part


class Exports:
    """The native library in the place of that for WebAssembly."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.satsweep_room = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_int32)(("satsweep_room", load()))
        setattr(self, "__heap_base", SimpleNamespace(value=1000))

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name in kernels_of_browsers():
            return self._kernel(name)
        if name.removeprefix("satsweep_") not in FUNCTIONS:
            raise AttributeError(name)
        parameters = FUNCTIONS[name.removeprefix("satsweep_")]
        base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory.bytes))
        kinds: dict[str, Any] = {"N": ctypes.c_size_t, "i": ctypes.c_int32, "q": ctypes.c_int64}

        def call(room: int, *values: int) -> int:
            asked: list[Any] = [ctypes.c_void_p(base + room)]
            for value, parameter in zip(values, parameters, strict=True):
                if isinstance(parameter, Int):
                    assert (type(value) is BigInt) == (parameter.kind == "q")
                    asked.append(kinds[parameter.kind](value))
                else:
                    assert value % 64 == 0 and value < self.memory.buffer.byteLength
                    asked.append(ctypes.c_void_p(base + value))
            found: int = load()[name](*asked)
            return found

        return call

    def _kernel(self, name: str) -> Callable[..., int]:
        base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory.bytes))

        def call(*values: int) -> int:
            """Numbers of 64 bits are BigInt; others are places, or null."""
            words = [value if type(value) is BigInt else (value and base + value) for value in values]
            found: int = load()[name](*map(ctypes.c_int64, words))
            return found

        return call


def answers() -> list[object]:
    """What every function of the library says about a board."""
    engine = BoardEngine(BOARD.topology.neighbours(BOARD.rows, BOARD.cols), BOARD.mines or 0)
    symbols = compiled.symbols_of(BOARD).tobytes()
    rows = engine.sample(symbols, 5, 1)
    risks = engine.risks(symbols)
    assert risks is not None and rows is not None
    endgame = PosedEndgame(engine, [bytes([0, 255]), bytes([1, 1]), bytes([1, 2])])
    return [
        str(risks),
        engine.guess(symbols),
        rows,
        engine.roll_out(symbols, [0, 3], 4, 7),
        engine.chances("seed", "safe", 0, 3),
        endgame.value(range(3)),
    ]


def test_answers_are_those_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answers()
    fake: Any = SimpleNamespace(BigInt=BigInt, Uint8Array=SimpleNamespace(new=View))
    monkeypatch.setitem(sys.modules, "js", fake)
    monkeypatch.setattr(board_engine, "_given", BrowserLibrary(Exports()))
    assert answers() == expected


def test_the_fewest_clicks_are_swept_and_orders_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are called, two of them; there is no native library in a browser."""
    layout = random_layout("intermediate", seed="browser")
    expected, stars = fewest_clicks(layout, ()), [[other for other in (0, 1, 2, 3) if other != one] for one in range(4)]
    order = BeamSearch(stars, [2.0, 3.0, 4.0, 5.0])(1, 3)
    fake: Any = SimpleNamespace(BigInt=BigInt, Uint8Array=SimpleNamespace(new=View))
    monkeypatch.setitem(sys.modules, "js", fake)
    library, called = BrowserLibrary(Exports()), Counter[str]()

    class Counting:
        has_kernel = staticmethod(library.has_kernel)

        def call_kernel(self, symbol: str, arguments: Any, results: int) -> tuple[int, list[int]]:
            called[symbol] += 1
            return library.call_kernel(symbol, arguments, results)

    monkeypatch.setattr(calls, "_caller", Counting())
    monkeypatch.setattr(calls, "load", None)
    found = fewest_clicks(layout, ())
    assert (found.path, found.proved, found.cores) == (expected.path, True, None)
    assert BeamSearch(stars, [2.0, 3.0, 4.0, 5.0])(1, 3) == order
    assert set(called) == set(kernels_of_browsers())
    assert not count_position.is_there, "a browser calls no other kernel"


def test_a_browser_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep gives up, and the search for cores answers."""
    fake: Any = SimpleNamespace(BigInt=BigInt, Uint8Array=SimpleNamespace(new=View))
    monkeypatch.setitem(sys.modules, "js", fake)
    library = BrowserLibrary(Exports())

    def refuse(pages: int) -> None:
        raise ValueError("what JavaScript says")

    monkeypatch.setattr(library._exports.memory, "grow", refuse)
    monkeypatch.setattr(calls, "_caller", library)
    monkeypatch.setattr("satsweep.solver.compiled.beam_search", lambda near, ranges: None)
    found = fewest_clicks(random_layout("beginner", seed=1), ())
    assert found.proved and found.cores is not None
