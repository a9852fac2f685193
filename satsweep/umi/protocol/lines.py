"""Messages as lines of text: requests of the arena, replies of the engine.

A reader is given one line after another and returns messages as soon as they are complete; it keeps the lines of one
that is not.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from satsweep.board import Cell
from satsweep.umi.protocol import messages


def write_request(request: messages.Request) -> str:
    """Write a request as lines.

    >>> write_request(messages.Go(game=60000)), write_request(messages.FullPosition(("#1", "##")))
    ('go game 60000\\n', 'board\\n#1\\n##\\n')
    """
    match request:
        case str():
            return f"{request}\n"
        case messages.Greeting(version):
            return f"umi {version}\n"
        case messages.SetOption(name, value):
            return f"option {name} {value}\n"
        case messages.NewGame(rows, cols, mines, rules, seed):
            told = "-" if mines is None else mines
            given = "".join(f"rule {key} {value}\n" for key, value in rules.items())
            return f"game {rows} {cols} {told}\n{given}seed {seed}\n"
        case messages.FullPosition(lines):
            return "board\n" + "\n".join(lines) + "\n"
        case messages.Changes(cells):
            return "set" + "".join(f" {cell[0]},{cell[1]}={symbol}" for cell, symbol in cells) + "\n"
        case messages.Go(move, game):
            return f"go{'' if move is None else f' move {move}'}{'' if game is None else f' game {game}'}\n"
        case messages.Query(kind, cell):
            return f"{kind}{'' if cell is None else f' {cell}'}\n"


class RequestReader:
    def __init__(self) -> None:
        self._game: messages.NewGame | None = None
        self._rows: list[str] | None = None

    def read(self, line: str) -> Iterator[messages.Request]:
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
        except messages.ProtocolError as error:
            raise messages.RefusedGame(str(error)) if kind in ("game", "rule", "seed") else error from None
        if request is not None:
            yield request

    def _read_row(self, line: str) -> Iterator[messages.Request]:
        assert self._rows is not None
        self._rows.append(line.strip())
        if len(self._rows) == self._height:
            rows, self._rows = tuple(self._rows), None
            yield messages.FullPosition(rows)

    @staticmethod
    def _with_rule(game: messages.NewGame, kind: str, rest: list[str], line: str) -> messages.NewGame:
        if kind == "seed" and len(rest) == 1:
            return game._replace(seed=messages.count_of(rest[0], "a seed"))
        if kind == "rule" and len(rest) > 1:
            return game._replace(rules={**game.rules, rest[0]: " ".join(rest[1:])})
        raise messages.ProtocolError.of("`rule KEY VALUE` or `seed N`", line)

    _height = 0

    def _request(self, kind: str, rest: list[str], line: str) -> messages.Request | None:
        match kind, rest:
            case ("ping" | "stop" | "quit") as signal, []:
                return signal
            case "umi", [version]:
                return messages.Greeting(messages.count_of(version, "a version"))
            case "option", [name, _, *_]:
                return messages.SetOption(name, line.split(None, 2)[2].rstrip())
            case "game", [rows, cols, mines]:
                told = None if mines == "-" else messages.count_of(mines, "mines")
                size = (messages.count_of(rows, "rows", 10**6), messages.count_of(cols, "columns", 10**6))
                self._game = messages.checked_game(messages.NewGame(*size, told))
                self._height = size[0]
                return None
            case "board", []:
                if not self._height:
                    raise messages.ProtocolError("expected a game before its board")
                self._rows = []
                return None
            case "set", changes:
                return messages.Changes(tuple(_change(word) for word in changes))
            case "go", limits if len(limits) in (0, 2, 4) and {*limits[::2]} <= {"move", "game"}:
                times = {
                    key: messages.count_of(value, "milliseconds")
                    for key, value in zip(limits[::2], limits[1::2], strict=True)
                }
                return messages.Go(times.get("move"), times.get("game"))
            case "explain", [cell]:
                return messages.Query(kind, messages.cell_of(cell))
            case _ if kind in messages.QUERIES and kind != "explain" and not rest:
                return messages.Query(kind)
        raise messages.ProtocolError.of("a line of the protocol", line)


def _change(word: str) -> tuple[Cell, str]:
    place, _, symbol = word.partition("=")
    if len(symbol) != 1:
        raise messages.ProtocolError(f"expected CELL=SYMBOL, found {word[:40]!a}")
    return messages.cell_of(place), symbol


_M = TypeVar("_M", messages.EngineAnswer, messages.Identity)


def write_reply(reply: messages.Reply) -> str:
    """Write a reply as lines.

    >>> from fractions import Fraction
    >>> write_reply(messages.EngineAnswer(safe=(Cell(2, 1),), guess=Cell(0, 0), risk=Fraction(1, 3)))
    'safe 2,1\\nguess 0,0 1/3\\ndone\\n'
    """
    match reply:
        case str():
            return f"{reply}\n"
        case messages.Info(text):
            return f"info {text}\n"
        case messages.Trouble(text):
            return f"error {text}\n"
        case messages.Identity():
            return "".join(f"{line}\n" for line in _identity_lines(reply))
    lines = [f"{kind} {_cells(cells)}" for kind, cells in
             (("safe", reply.safe), ("mine", reply.mines), ("flag", reply.flags)) if cells]  # fmt: skip
    if reply.opens is not None:
        lines.append(f"open {_cells(reply.opens)}".rstrip())
    if reply.guess is not None:
        lines.append(f"guess {reply.guess}{'' if reply.risk is None else f' {reply.risk}'}")
    if reply.wins is not None:
        lines.append(f"wins {reply.wins}")
    lines += (f"why {cell} from {_cells(one.clues)} by {one.rule}" for cell, one in reply.why.items())
    if reply.risks:
        lines.append("risk " + " ".join(f"{cell}={risk}" for cell, risk in reply.risks.items()))
    if reply.analysis is not None:
        lines.append(f"analysis {reply.analysis}")
    lines += (f"because {text}" for text in reply.because)
    lines.append("done\n")
    return "\n".join(lines)


def _identity_lines(identity: messages.Identity) -> Iterable[str]:
    yield f"name {identity.name}"
    yield f"version {identity.version}"
    if identity.author:
        yield f"author {identity.author}"
    for option in identity.options:
        limits = "".join(f" {key} {value}" for key, value in (("min", option.low), ("max", option.high)) if value)
        among = f" among {' '.join(option.among)}" if option.among else ""
        yield f"option {option.name} {option.type} default {option.default}{limits}{among}"
    if identity.can:
        yield f"can {' '.join(sorted(identity.can))}"
    yield f"umi {identity.protocol}"


def _cells(cells: Iterable[Cell]) -> str:
    return " ".join(f"{cell[0]},{cell[1]}" for cell in cells)


class ReplyReader:
    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._found: dict[str, Any] = {}
        self._lines: list[str] = []

    def read(self, line: str) -> messages.Reply | None:
        line = line.rstrip("\r\n")
        kind, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if kind == "done" and not rest:
            return self._complete(messages.EngineAnswer, lines=tuple(self._lines))
        if kind == "pong" and not rest:
            return "pong"
        if kind == "info":
            return messages.Info(rest)
        if kind == "error":
            self._begin()
            return messages.Trouble(rest)
        if kind == "umi":
            if rest != str(messages.VERSION):
                raise messages.ProtocolError.of(f"`umi {messages.VERSION}`", line)
            return messages.checked_identity(self._complete(messages.Identity))
        if kind:
            reader = _READERS.get(kind)
            if reader is None:
                raise messages.ProtocolError.of("a line of the protocol", line)
            try:
                reader(self._found, rest, line)
            except messages.ProtocolError as error:
                found = str(error)
                raise messages.ProtocolError(
                    found if "the line" in found else f"{found} in the line {messages.quoted(line)}"
                ) from None
            self._lines.append(line)
        return None

    def _complete(self, kind: type[_M], **more: Any) -> _M:
        found = self._found
        self._begin()
        if strange := found.keys() - kind.__dataclass_fields__.keys():
            place = "an answer" if kind is messages.EngineAnswer else "a handshake"
            raise messages.ProtocolError(f"expected lines of {place}, found one with {min(strange)!r}")
        return kind(**found, **more)


def _read_cells(key: str) -> Callable[[dict[str, Any], str, str], None]:
    def read(found: dict[str, Any], rest: str, line: str) -> None:
        found[key] = found.get(key, ()) + tuple(map(messages.cell_of, rest.split()))

    return read


def _read_text(key: str) -> Callable[[dict[str, Any], str, str], None]:
    def read(found: dict[str, Any], rest: str, line: str) -> None:
        found[key] = rest

    return read


def _read_guess(found: dict[str, Any], rest: str, line: str) -> None:
    words = rest.split()
    if len(words) not in (1, 2) or "guess" in found:
        raise messages.ProtocolError.of("one `guess CELL [PROBABILITY]`", line)
    found["guess"] = messages.cell_of(words[0])
    if words[1:]:
        found["risk"] = messages.probability_of(words[1])


def _read_wins(found: dict[str, Any], rest: str, line: str) -> None:
    if "wins" in found:
        raise messages.ProtocolError.of("one `wins PROBABILITY`", line)
    found["wins"] = messages.probability_of(rest)


def _read_risks(found: dict[str, Any], rest: str, line: str) -> None:
    risks = found.setdefault("risks", {})
    for word in rest.split():
        place, _, risk = word.partition("=")
        risks[messages.cell_of(place)] = messages.probability_of(risk)


def _read_why(found: dict[str, Any], rest: str, line: str) -> None:
    place, separator, reason = rest.partition(" from ")
    clues, by, rule = f" {reason}".partition(" by ")
    if not (separator and by and rule.strip()):
        raise messages.ProtocolError.of("`why CELL from CELL ... by RULE`", line)
    found.setdefault("why", {})[messages.cell_of(place.strip())] = messages.Why(
        tuple(map(messages.cell_of, clues.split())), rule.strip()
    )


def _read_because(found: dict[str, Any], rest: str, line: str) -> None:
    found["because"] = (*found.get("because", ()), rest)


def _read_abilities(found: dict[str, Any], rest: str, line: str) -> None:
    # A word of a later version is none that this arena asks for.
    found["can"] = found.get("can", frozenset()) | frozenset(rest.split()).intersection(messages.ABILITIES)


def _read_option(found: dict[str, Any], rest: str, line: str) -> None:
    words = rest.split()
    if len(words) < 3 or words[1] not in messages.OPTION_TYPES or words[2] != "default":
        raise messages.ProtocolError.of("`option NAME TYPE default VALUE`", line)
    values: dict[str, list[str]] = {"default": [], "min": [], "max": [], "among": []}
    key = "default"
    for place, word in enumerate(words[3:], 3):
        # A choice may have any name: after `among` all words are choices, and the first may be the default of some.
        is_choice = key == "among" or (place == 3 and words[1] == "choice" and "among" in words[4:])
        if word in ("min", "max", "among") and not is_choice:
            key = word
        else:
            values[key].append(word)
    low, high = (" ".join(values[key]) or None for key in ("min", "max"))
    option = messages.Option(words[0], words[1], " ".join(values["default"]), low, high, tuple(values["among"]))
    found["options"] = (*found.get("options", ()), option)


_READERS: dict[str, Callable[[dict[str, Any], str, str], None]] = {
    "safe": _read_cells("safe"),
    "mine": _read_cells("mines"),
    "open": _read_cells("opens"),
    "flag": _read_cells("flags"),
    "guess": _read_guess,
    "wins": _read_wins,
    "risk": _read_risks,
    "why": _read_why,
    "analysis": _read_text("analysis"),
    "because": _read_because,
    "name": _read_text("name"),
    "version": _read_text("version"),
    "author": _read_text("author"),
    "can": _read_abilities,
    "option": _read_option,
}
