"""Files of games, written for the tests: RMV and RAWVF with the same mouse events, and links with clicks."""

import base64
import struct
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from satsweep import Layout, Record
from satsweep.formats import FORMATS


class Event(NamedTuple):
    """A button pressed or released at a cell, after some seconds."""

    time: float
    name: str
    row: int
    col: int


CODES = {"lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7}


def evf_file(version: int) -> Path:
    """A replay in a version of EVF, of those in ``replays/``."""
    return Path(__file__).parent / "replays" / f"version_{version}.evf"


def evf_replay(version: int) -> tuple[Record, Any]:
    """The game of such a replay, and what ms_toollib reads; the test is skipped without it."""
    toollib = pytest.importorskip("ms_toollib")
    file = evf_file(version)
    video = toollib.EvfVideo(str(file))
    video.parse()
    video.analyse()
    return Record.load(file), video


def rmv(layout: Layout, events: list[Event]) -> bytes:
    """A game in the first version of RMV, which omits the first button press."""
    version, player, result = b"Release 2.2", b"somebody", 60
    head = b"*rmv" + struct.pack(">HIHHIHH", 1, 0, result, len(version), 0, 0, 5) + bytes(6)
    result_part = b"#" + b"x" * (result - 32) + b"005" + b" " * 16 + b"1577836800" + b"##" + version
    mines = [(row, col) for row, line in enumerate(layout.cells) for col, symbol in enumerate(line) if symbol == "*"]
    board = bytes([layout.cols, layout.rows]) + struct.pack(">H", len(mines))
    board += b"".join(bytes([col, row]) for row, col in mines)
    content = b""
    for time, name, row, col in events:
        content += bytes([CODES[name]]) + struct.pack(">IHH", round(time * 1000) << 8, col * 16 + 15, row * 16 + 59)
    players = struct.pack(">HB", 1, len(player)) + player + bytes(4)
    return head + result_part + players + board + bytes([0, 0, 0, 0, 1]) + content[9:] + bytes([15])


def mvf(layout: Layout, year: str) -> bytes:
    """A replay of Minesweeper Clone up to the player's name, which is not UTF-8; no events that make sense follow."""
    head = bytearray(97 if year in "589" else 84)
    head[:2], head[27] = b"\x11\x4d", ord(year)
    mines = [(row, col) for row, line in enumerate(layout.cells) for col, symbol in enumerate(line) if symbol == "*"]
    board = bytes([layout.cols, layout.rows]) + struct.pack(">H", len(mines))
    board += b"".join(bytes([col + 1, row + 1]) for row, col in mines)
    return bytes(head) + board + b"\x04Jos\xe9" + bytes(8)


def rawvf(layout: Layout, events: Iterable[Event], *options: str) -> str:
    """The same as RAWVF."""
    head = ["RawVF_Version: Rev6", "Player: somebody", f"Width: {layout.cols}", f"Height: {layout.rows}"]
    rows = [row.replace(".", "0") for row in layout.cells]
    lines = [
        f"{time:.3f} {name} {col + 1} {row + 1} ({col * 16 + 3} {row * 16 + 3})" for time, name, row, col in events
    ]
    return "\n".join((*head, f"Mines: {layout.mines}", *options, "Board:", *rows, "Events:", *lines)) + "\n"


def clicks(*cells: tuple[str, int, int]) -> list[Event]:
    """Events of clicks, half a second each: left, right, chord, shift chord or middle."""
    buttons = {"left": ("lc", "lr"), "right": ("rc", "rr"), "chord": ("lc", "rc", "lr", "rr"), "middle": ("mc", "mr")}
    return [
        Event(0.5 * number + 0.05 * step, name, row, col)
        for number, (kind, row, col) in enumerate(cells)
        for step, name in enumerate(buttons[kind])
    ]


def random_game(rng: Random) -> tuple[Layout, list[Event]]:
    """A random layout and clicks on it: openings, flags, wrong flags, chords of every kind."""
    rows, cols = rng.randint(3, 6), rng.randint(3, 6)
    mines = rng.sample(range(1, rows * cols), rng.randint(1, rows * cols // 5 + 1))
    layout = Layout.from_mines(rows, cols, set(mines))
    events, time = [Event(0.0, "lc", 0, 0), Event(0.05, "lr", 0, 0)], 0.05
    chords = (
        ("lc", "rc", "lr", "rr"),
        ("rc", "lc", "lr", "rr"),
        ("rc", "lc", "rr", "lr"),
        ("lc", "rc", "rr", "lr"),
        ("mc", "mr"),
    )
    for _ in range(60):
        time += 0.05
        row, col = rng.randrange(rows), rng.randrange(cols)
        names: tuple[str, ...] = rng.choice(chords)
        if rng.random() < 0.35:
            right = rng.random() < (0.9 if layout.is_mine((row, col)) else 0.1)
            names = ("rc", "rr") if right else ("lc", "lr")
        for name in names:
            events.append(Event(round(time, 3), name, row, col))
            time += 0.01
    return layout, events


def link(layout: Layout, path: Iterable[tuple[str, int, int]]) -> str:
    """A link with a click path of left, right and chord."""
    width = (layout.rows * layout.cols - 1).bit_length()
    kinds = {"left": 0, "right": 1, "chord": 2}
    numbers = [(kinds[kind], col * layout.rows + row) for kind, row, col in path]
    bits = "".join(f"{kind:02b}" + (f"{cell:0{width}b}" if width else "") for kind, cell in numbers) + "11"
    bits += "0" * (-len(bits) % 8)
    content = bytes(int(bits[first : first + 8], 2) for first in range(0, len(bits), 8))
    found = FORMATS["ptta-link"].write(layout)
    return f"{found.strip()}&c={base64.urlsafe_b64encode(content).decode().rstrip('=')}"
