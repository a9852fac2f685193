"""File formats: readers and writers of boards, layouts, games and statements.

Each format has a module; ``registry`` has the table of them all, ``files`` reads and writes files.
"""

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

__all__ = [
    "BINARY_FORMATS",
    "FORMATS",
    "MAX_BYTES",
    "FileContent",
    "Format",
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
