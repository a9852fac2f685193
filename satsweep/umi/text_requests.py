"""The text form of requests: written by the arena, read by the engine.

The reader is given one line after another and returns requests as soon as they are complete; it keeps the lines of one
that is not.
"""

from __future__ import annotations

from collections.abc import Iterator

from satsweep.board import Cell
from satsweep.umi.messages import (
    QUERIES,
    Changes,
    FullPosition,
    Go,
    Greeting,
    NewGame,
    ProtocolError,
    Query,
    RefusedGame,
    Request,
    SetOption,
    cell_of,
    checked_game,
    count_of,
)


def write_request(request: Request) -> str:
    """Write a request as lines.

    >>> write_request(Go(game=60000)), write_request(FullPosition(("#1", "##")))
    ('go game 60000\\n', 'board\\n#1\\n##\\n')
    """
    match request:
        case str():
            return f"{request}\n"
        case Greeting(version):
            return f"umi {version}\n"
        case SetOption(name, value):
            return f"option {name} {value}\n"
        case NewGame(rows, cols, mines, rules, seed):
            told = "-" if mines is None else mines
            given = "".join(f"rule {key} {value}\n" for key, value in rules.items())
            return f"game {rows} {cols} {told}\n{given}seed {seed}\n"
        case FullPosition(lines):
            return "board\n" + "\n".join(lines) + "\n"
        case Changes(cells):
            return "set" + "".join(f" {cell[0]},{cell[1]}={symbol}" for cell, symbol in cells) + "\n"
        case Go(move, game):
            return f"go{'' if move is None else f' move {move}'}{'' if game is None else f' game {game}'}\n"
        case Query(kind, cell):
            return f"{kind}{'' if cell is None else f' {cell}'}\n"


class TextRequestReader:
    """Reader of requests, for an engine."""

    def __init__(self) -> None:
        self._game: NewGame | None = None
        self._rows: list[str] | None = None

    def read(self, line: str) -> Iterator[Request]:
        """Yield the requests that a line completes, mostly one. Raises ProtocolError.

        A game is complete with the first line that is no rule of it.
        """
        line = line.rstrip("\r\n")
        if self._rows is not None:
            yield from self._read_row(line)
            return
        words = line.split()
        if not words:
            return
        kind, rest = words[0], words[1:]
        game, self._game = self._game, None
        try:
            if game is not None and kind in ("rule", "seed"):
                self._game = self._with_rule(game, kind, rest, line)
                return
            if game is not None:
                yield game
            if kind == "game":
                self._height = 0
            request = self._request(kind, rest, line)
        except ProtocolError as error:
            raise RefusedGame(str(error)) if kind in ("game", "rule", "seed") else error from None
        if request is not None:
            yield request

    def _read_row(self, line: str) -> Iterator[Request]:
        assert self._rows is not None
        self._rows.append(line.strip())
        if len(self._rows) == self._height:
            rows, self._rows = tuple(self._rows), None
            yield FullPosition(rows)

    @staticmethod
    def _with_rule(game: NewGame, kind: str, rest: list[str], line: str) -> NewGame:
        if kind == "seed" and len(rest) == 1:
            return game._replace(seed=count_of(rest[0], "a seed"))
        if kind == "rule" and len(rest) > 1:
            return game._replace(rules={**game.rules, rest[0]: " ".join(rest[1:])})
        raise ProtocolError.of("`rule KEY VALUE` or `seed N`", line)

    _height = 0

    def _request(self, kind: str, rest: list[str], line: str) -> Request | None:
        match kind, rest:
            case ("ping" | "stop" | "quit") as signal, []:
                return signal
            case "umi", [version]:
                return Greeting(count_of(version, "a version"))
            case "option", [name, _, *_]:
                return SetOption(name, line.split(None, 2)[2].rstrip())
            case "game", [rows, cols, mines]:
                told = None if mines == "-" else count_of(mines, "mines")
                size = (count_of(rows, "rows", 10**6), count_of(cols, "columns", 10**6))
                self._game = checked_game(NewGame(*size, told))
                self._height = size[0]
                return None
            case "board", []:
                if not self._height:
                    raise ProtocolError("expected a game before its board")
                self._rows = []
                return None
            case "set", changes:
                return Changes(tuple(_change(word) for word in changes))
            case "go", limits if len(limits) in (0, 2, 4) and {*limits[::2]} <= {"move", "game"}:
                times = {
                    key: count_of(value, "milliseconds") for key, value in zip(limits[::2], limits[1::2], strict=True)
                }
                return Go(times.get("move"), times.get("game"))
            case "explain", [cell]:
                return Query(kind, cell_of(cell))
            case _ if kind in QUERIES and kind != "explain" and not rest:
                return Query(kind)
        raise ProtocolError.of("a line of the protocol", line)


def _change(word: str) -> tuple[Cell, str]:
    place, _, symbol = word.partition("=")
    if len(symbol) != 1:
        raise ProtocolError(f"expected CELL=SYMBOL, found {word[:40]!a}")
    return cell_of(place), symbol
