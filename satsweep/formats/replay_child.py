"""Child process that reads a replay, because ``ms_toollib`` may end it.

Standard input is the replay, the argument names its format. Standard output is JSON: the layout, and for each change
of the board the seconds since the start and the board.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def read(content: bytes, name: str) -> dict[str, Any]:
    """Mines, and positions in the order of the game, as rows of integers."""
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
