"""MVF, replays of Minesweeper Clone: version, layout and player's name.

From 0.97 on a file begins with the bytes 11 4D and says its year. At a fixed place it has the size, the mines and their
cells, counted from 1, then the player's name, its length first. The events of the mouse after that are scrambled, and
``ms_toollib`` reads those of some versions. Up to 0.96 a file has no mark: it begins as MBF does, on boards of 8x8,
16x16 and 16x30 alone, and the events follow.
"""

from typing import NamedTuple

from satsweep.errors import BoardError
from satsweep.formats import mbf
from satsweep.layout import Layout

_MARK = b"\x11\x4d"
_YEAR = 27
"""Place of the last digit of the year."""
_OLD_SIZES = ((8, 8), (16, 16), (30, 16))
_SHORTEST_REST = 2 + 8 + 13
"""Fewest bytes after the mines up to 0.96: options, an event, time, checksum."""


class Version(NamedTuple):
    """Version of the program that wrote a file.

    ``board`` is the place of the size, ``first`` the number of the first column and row, and ``named`` tells if the
    player's name follows the mines.
    """

    name: str
    board: int
    first: int = 1
    named: bool = True


OLD = Version("0.96 or earlier", 0, 0, named=False)
_BY_YEAR = {
    b"5": Version("0.97", 97),
    b"6": Version("2006", 84),
    b"7": Version("2007", 84),
    b"8": Version("0.97 of 2008", 97),
}


def recognises(content: bytes) -> bool:
    return content.startswith(_MARK) or version_of(content) is OLD


def version_of(content: bytes) -> Version | None:
    """Version of a file, None for one that is none or of no known version."""
    if content.startswith(_MARK):
        return _BY_YEAR.get(content[_YEAR : _YEAR + 1])
    if (*content[:2],) in _OLD_SIZES:
        end = mbf.end_of_mines(content)
        if len(content) >= end + _SHORTEST_REST and mbf.is_valid(content[:end]):
            return OLD
    return None


def read_layout(content: bytes) -> Layout:
    """Read the layout; the library of replays is not needed for it."""
    version = version_of(content)
    if version is None:
        known = ", ".join(version.name for version in (OLD, *_BY_YEAR.values()))
        raise BoardError(f"expected a replay of Minesweeper Clone {known}, found one of another version")
    return mbf.layout_at(content, version.board, version.first)


def place_of_name(content: bytes) -> slice:
    """Bytes of the player's name; none where a file has no name, or is cut."""
    version = version_of(content)
    if version is None or not version.named:
        return slice(0, 0)
    end = mbf.end_of_mines(content, version.board)
    return slice(end + 1, end + 1 + content[end]) if end < len(content) else slice(0, 0)
