"""File formats: readers and writers of boards, layouts, games and statements.

Each format has a module; ``registry`` has the table of them all, ``files`` reads and writes files.
"""

from typing import TYPE_CHECKING

from satsweep.formats.files import (
    MAX_BYTES,
    FileContent,
    all_formats,
    errors_in_file,
    format_named,
    format_of_suffix,
    load,
    read,
    read_board_content,
    read_board_or_statements,
    read_board_with_remarks,
    read_boards,
    read_content,
    read_game_content,
    read_games,
    read_layouts,
    read_layouts_with_starts,
    read_replay,
    read_text,
    read_with_remarks,
    write,
)
from satsweep.formats.format import Format, StatementSet, Value
from satsweep.formats.registry import BINARY_FORMATS, FORMATS
from satsweep.formats.replays import Replay

if TYPE_CHECKING:
    from satsweep.formats.pictures.reading import Reading as Reading

__all__ = [
    "BINARY_FORMATS",
    "FORMATS",
    "MAX_BYTES",
    "FileContent",
    "Format",
    "Reading",
    "Replay",
    "StatementSet",
    "Value",
    "all_formats",
    "errors_in_file",
    "format_named",
    "format_of_suffix",
    "load",
    "read",
    "read_board_content",
    "read_board_or_statements",
    "read_board_with_remarks",
    "read_boards",
    "read_content",
    "read_game_content",
    "read_games",
    "read_layouts",
    "read_layouts_with_starts",
    "read_replay",
    "read_text",
    "read_with_remarks",
    "write",
]


def __getattr__(name: str) -> object:
    """The class of readings of pictures, imported now: it needs NumPy."""
    if name != "Reading":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from satsweep.formats.pictures.reading import Reading

    return Reading
