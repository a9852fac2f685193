"""Replays of games (AVF, RMV, MVF, EVF): layout, positions and moves.

The library ``ms_toollib`` (extra ``replays``) reads them. It ends the process if a file is broken, so it runs in a
child process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from satsweep.board import COVERED, FLAG, MINE, Board, Cell
from satsweep.errors import BoardError, how_to_install
from satsweep.formats import mvf
from satsweep.interpreter import PYTHON
from satsweep.layout import Layout
from satsweep.text import check_cells

if TYPE_CHECKING:
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.record import Record

_Found = TypeVar("_Found")
SECONDS = 60
"""Time limit for reading a replay."""

SYMBOLS = {**dict(enumerate(".12345678")), 10: COVERED, 11: FLAG, 12: COVERED, 14: FLAG, 15: MINE, 16: MINE}
"""Symbol of each number in a board of the library."""
_MINE = -1
_AVF_MARK = re.compile(rb"\[[0-3]\|")
_SHORTEST = 30


@dataclass(frozen=True, slots=True)
class Replay:
    """A recorded game: the layout, and each position with its first second, ascending."""

    layout: Layout
    positions: tuple[tuple[float, Board], ...]

    def at(self, seconds: float) -> Board:
        """Position at this time after the start; before the first move, all covered."""
        seen = self.layout.board(())
        for time, board in self.positions:
            if time > seconds:
                break
            seen = board
        return seen

    @property
    def final(self) -> Board:
        """Last position."""
        return self.at(float("inf"))


def is_avf(content: bytes) -> bool:
    return content[5:6] in (b"\3", b"\4", b"\5", b"\6") and b"Skin" in content and _AVF_MARK.search(content) is not None


def is_rmv(content: bytes) -> bool:
    return content.startswith(b"*rmv")


def is_evf(content: bytes) -> bool:
    """Return whether bytes look like a replay of Metasweeper.

    It begins with a version up to 4, flags, a size and fewer mines than cells.
    """
    if len(content) < _SHORTEST or content[0] > 4:
        return False
    first = 2 if content[0] < 3 else 3
    rows, cols, mines = content[first], content[first + 1], int.from_bytes(content[first + 2 : first + 4], "big")
    return 0 < mines < rows * cols


def read(content: bytes, name: str) -> Replay:
    """Read a replay. Raises BoardError, also if the library is missing."""
    return read_with(content, name, replay_of)


def read_with(content: bytes, name: str, understand: Callable[[dict[str, Any]], _Found]) -> _Found:
    """Let a child process read a replay, and return what its answer means.

    The library ends where a player's name is not UTF-8, so it gets another one then.
    """
    import subprocess
    from tempfile import TemporaryDirectory

    of_version, only_layout = "", ""
    if name == "mvf" and (version := mvf.version_of(content)) is not None:
        of_version, only_layout = f" of Minesweeper Clone {version.name}", ": its layout is read, its moves are not"
        if version is mvf.OLD:
            raise BoardError(f"expected a replay of a later program, found one{of_version}{only_layout}")
    if find_spec("ms_toollib") is None:
        message = "expected the package ms_toollib, which reads replays, found none"
        raise BoardError(f"{message}: {how_to_install('replays')}")
    child = str(Path(__file__).with_name("replay_child.py"))
    content, player = _in_utf8(content, name)
    try:
        with TemporaryDirectory() as directory:  # the library leaves a log when it ends a process
            command = [*PYTHON, child, name]
            ran = subprocess.run(
                command, input=content, capture_output=True, timeout=SECONDS, check=False, cwd=directory
            )
    except subprocess.TimeoutExpired:
        raise BoardError(f"expected a replay that can be read within {SECONDS} s, found one that cannot") from None
    found = f"found one{of_version} that ms_toollib cannot read{only_layout}"
    problem = f"expected a replay in the format {name.upper()}, {found}"
    if ran.returncode:
        raise BoardError(problem)
    try:
        answer = json.loads(ran.stdout)
        return understand(answer if player is None else {**answer, "player": player})
    except BoardError:
        raise
    except (ValueError, TypeError, KeyError):
        raise BoardError(problem) from None


def _in_utf8(content: bytes, name: str) -> tuple[bytes, str | None]:
    """Content with names in UTF-8, and the player's in Latin-1 if it was not."""
    player = None
    for number, place in enumerate(_NAMES[name](content) if name in _NAMES else ()):
        try:
            content[place].decode()
        except UnicodeDecodeError:
            player = content[place].decode("latin-1") if number == 0 else player
            ascii_name = bytes(byte if byte < 128 else ord("?") for byte in content[place])
            content = content[: place.start] + ascii_name + content[place.stop :]
    return content, player


def _rmv_names(content: bytes) -> Iterator[slice]:
    """Places of the player's name, nick and others in the first version of RMV.

    They follow the result and the version of the program, whose lengths are in the head, each after its length.
    """
    number = int.from_bytes(content[10:12], "big") + int.from_bytes(content[12:14], "big") + 28
    at = number + 2
    for _ in range(int.from_bytes(content[number:at], "big") if content[4:6] == b"\0\1" else 0):
        if at >= len(content):
            return
        yield slice(at + 1, at + 1 + content[at])
        at += 1 + content[at]


_NAMES: dict[str, Callable[[bytes], Iterable[slice]]] = {
    "rmv": _rmv_names,
    "mvf": lambda content: (mvf.place_of_name(content),),
}
"""Places of names in a replay, the player's first, by format."""


def game_reader(name: str) -> Callable[[bytes], Record]:
    return lambda content: read_with(content, name, _game)


def layout_reader(name: str) -> Callable[[bytes], Layout]:
    return mvf.read_layout if name == "mvf" else lambda content: read(content, name).layout


def board_reader(name: str) -> Callable[[bytes], Board]:
    """Return a reader of the last position of a replay of this format."""
    return lambda content: read(content, name).final


RECOGNISERS: dict[str, Callable[[bytes], bool]] = {"avf": is_avf, "rmv": is_rmv, "mvf": mvf.recognises, "evf": is_evf}
"""Recogniser of each format of replays."""


def replay_of(found: dict[str, Any]) -> Replay:
    rows = found["layout"]
    check_cells(len(rows), len(rows[0]) if rows else 0)
    layout = Layout("".join("*" if number == _MINE else "." for number in row) for row in rows)
    seen = partial(Board, mines=layout.mines)
    positions = tuple(
        (float(time), seen("".join(SYMBOLS[number] for number in row) for row in board))
        for time, board, _ in found["positions"]
    )
    return Replay(layout, positions)


def _game(found: dict[str, Any]) -> Record:
    """Record of the game from the answer of the child process.

    The moves are those that lead from each position to the next; the mouse tells which cell was clicked.
    """
    from satsweep.formats.clicks import ClickedGame  # positions are read without the code of games
    from satsweep.games.modes import mode_numbered

    replay = replay_of(found)
    game = ClickedGame(replay.layout)
    for (time, board), (_, _, place) in zip(replay.positions, found["positions"], strict=True):
        clicked = None if place is None or not _is_on_grid(board, place) else Cell(*place)
        _follow(game, board, clicked, time)
        if game.is_over:
            break
    return game.record(str(found["player"]), mode_numbered(int(found["mode"])))


def _is_on_grid(board: Board, place: list[int]) -> bool:
    row, col = place
    return 0 <= row < board.rows and 0 <= col < board.cols


def _follow(game: ClickedGame, board: Board, clicked: Cell | None, time: float) -> None:
    """Make the moves that lead to a position.

    Raises BoardError if the rules of play do not lead there.
    """
    from satsweep.formats.clicks import CHORD
    from satsweep.games.agent import Inference

    before = game.game.board
    pairs = enumerate(zip(before.symbols, board.symbols, strict=True))
    changed = [(board.cell(index), old, new) for index, (old, new) in pairs if old != new]
    for cell, old, new in changed:
        if old == FLAG:
            game.unflag(cell, time)
        elif new == FLAG:
            game.flag(cell, time)
    opened = [cell for cell, _, new in changed if new not in (COVERED, FLAG)]
    if clicked in opened:
        game.open(clicked, time)
    elif clicked is not None and not before.is_covered(clicked):
        around = before.neighbours(clicked)
        game.open_together([cell for cell in opened if cell in around], Inference(CHORD, (clicked,)), time)
    if rest := [cell for cell in opened if not game.is_open(cell)]:
        game.open_together(rest, None, time)
    if not game.is_over and game.game.board.without_flags() != board.without_flags():
        raise BoardError(f"expected every position to follow from the one before, found another after {time:g} s")
