"""What reads a replay, run as a program of its own: the library that does it ends the process for a broken file.

Standard input holds the replay, the argument names its format, and standard output is JSON: the layout, and whenever
the board looks different the seconds since the start and how it looks then.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def read(content: bytes, name: str) -> dict[str, Any]:
    """The mines, and the positions in the order of the game, as the library has them: rows of integers."""
    import ms_toollib

    video = getattr(ms_toollib, f"{name.capitalize()}Video")(raw_data=content)
    video.parse()
    video.analyse()
    board = video.board
    positions: list[tuple[float, list[list[int]]]] = []
    for event in video.events:
        seen = event.next_game_board.game_board
        if not positions or seen != positions[-1][1]:
            positions.append((event.time, seen))
    board = board.into_vec_vec() if hasattr(board, "into_vec_vec") else board
    return {"layout": board, "positions": positions}


if __name__ == "__main__":
    json.dump(read(sys.stdin.buffer.read(), sys.argv[1]), sys.stdout)
