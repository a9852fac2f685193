"""Child process that reads a replay, because ``ms_toollib`` may end it.

Standard input is the replay, the argument names its format. Standard output is JSON: the player, the mode by its number
in EVF, the layout, and for each change of the board the seconds since the start, the board, and the cell of the mouse,
null off the board.
"""

import json
import sys
from typing import Any


def read(content: bytes, name: str) -> dict[str, Any]:
    """Player, mode, mines, and positions of the game in order, as rows of integers."""
    import ms_toollib

    video = getattr(ms_toollib, f"{name.capitalize()}Video")(raw_data=content)
    video.parse()
    video.analyse()
    board = video.board
    positions: list[tuple[float, list[list[int]], list[int] | None]] = []
    for event in video.events:
        seen = event.next_game_board.game_board
        if not positions or seen != positions[-1][1]:
            positions.append((event.time, seen, _cell(event.event, video.pix_size)))
    board = board.into_vec_vec() if hasattr(board, "into_vec_vec") else board
    return {"player": video.player_identifier, "mode": video.mode, "layout": board, "positions": positions}


def _cell(event: Any, size: int) -> list[int] | None:
    """Row and column of the mouse at an event, None for other events."""
    if event is None or not event.is_mouse():
        return None
    mouse = event.unwrap_mouse()
    return [mouse.y // size, mouse.x // size]


if __name__ == "__main__":
    json.dump(read(sys.stdin.buffer.read(), sys.argv[1]), sys.stdout)
