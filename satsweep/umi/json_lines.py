"""The JSON form of the protocol: a line is an object; written and read here."""

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.text import printable
from satsweep.umi.messages import (
    ABILITIES,
    QUERIES,
    VERSION,
    Changes,
    EngineAnswer,
    FullPosition,
    Go,
    Greeting,
    Identity,
    Info,
    NewGame,
    Option,
    ProtocolError,
    Query,
    RefusedGame,
    Reply,
    Request,
    SetOption,
    Trouble,
    Why,
    checked_game,
    checked_identity,
    probability_of,
)

_LARGEST = 10**12


def write_request(request: Request) -> str:
    """Write a request as a line.

    >>> write_request(Go(game=60000))
    '{"go": {"game": 60000}}\\n'
    """
    fields: dict[str, object]
    match request:
        case str():
            fields = {request: True}
        case Greeting(version):
            fields = {"umi": version}
        case SetOption(name, value):
            fields = {"option": name, "value": value}
        case NewGame(rows, cols, mines, rules, seed):
            fields = {"game": {"rows": rows, "cols": cols, "mines": mines, "rules": dict(rules), "seed": seed}}
        case FullPosition(lines):
            fields = {"board": lines}
        case Changes(cells):
            fields = {"set": [[*cell, symbol] for cell, symbol in cells]}
        case Go(move, game):
            fields = {"go": {key: value for key, value in (("move", move), ("game", game)) if value is not None}}
        case Query(kind, cell):
            fields = {kind: True if cell is None else cell}
    return json.dumps(fields) + "\n"


def write_reply(reply: Reply) -> str:
    """Write a reply as a line.

    >>> write_reply(EngineAnswer(safe=(Cell(2, 1),), guess=Cell(0, 0), risk=Fraction(1, 3)))
    '{"done": true, "safe": [[2, 1]], "guess": [0, 0], "risk": "1/3"}\\n'
    """
    fields: dict[str, object]
    match reply:
        case str():
            fields = {reply: True}
        case Info(text):
            fields = {"info": text}
        case Trouble(text):
            fields = {"error": text}
        case Identity():
            fields = {"umi": reply.protocol, "name": reply.name, "version": reply.version, "author": reply.author}
            fields |= {"can": sorted(reply.can), "options": [_option_values(one) for one in reply.options]}
        case _:
            fields = {"done": True} | {key: value for key, value in _answer_fields(reply) if value is not None}
    return json.dumps(fields) + "\n"


def _answer_fields(answer: EngineAnswer) -> Iterable[tuple[str, object]]:
    yield "safe", answer.safe or None
    yield "mine", answer.mines or None
    yield "open", answer.opens
    yield "flag", answer.flags or None
    yield "guess", answer.guess
    yield "risk", None if answer.risk is None else str(answer.risk)
    yield "wins", None if answer.wins is None else str(answer.wins)
    yield "why", [[cell, one.clues, one.rule] for cell, one in answer.why.items()] or None
    yield "risks", [[*cell, str(risk)] for cell, risk in answer.risks.items()] or None
    yield "analysis", None if answer.analysis is None else json.loads(answer.analysis)
    yield "because", answer.because or None


def _option_values(option: Option) -> dict[str, object]:
    values = {"name": option.name, "type": option.type, "default": option.default}
    more = {"min": option.low, "max": option.high, "among": list(option.among) or None}
    return {**values, **{key: value for key, value in more.items() if value is not None}}


class JsonRequestReader:
    """Reader of requests, for an engine."""

    def read(self, line: str) -> Iterator[Request]:
        """Yield the request in a line, none for an empty one. Raises ProtocolError."""
        if not line.strip():
            return
        fields = _object(line)
        try:
            request = _request(fields)
        except BoardError:
            raise
        except (ProtocolError, KeyError, TypeError, ValueError, AttributeError) as error:
            found = _error_in(line, error)
            raise RefusedGame(str(found)) if "game" in fields else found from None
        yield request


def _request(fields: Mapping[str, Any]) -> Request:
    match fields:
        case {"ping": _}:
            return "ping"
        case {"stop": _}:
            return "stop"
        case {"quit": _}:
            return "quit"
        case {"umi": version}:
            return Greeting(_count(version))
        case {"option": str(name), "value": value}:
            return SetOption(name, _text(value))
        case {"game": {"rows": rows, "cols": cols, **more}}:
            mines: Any = more.get("mines")
            rules: Any = more.get("rules") or {}
            told = None if mines is None else _count(mines)
            given = {str(key): _text(value) for key, value in rules.items()}
            return checked_game(NewGame(_count(rows), _count(cols), told, given, _count(more.get("seed", 0))))
        case {"board": [*rows]} if all(isinstance(row, str) for row in rows):
            return FullPosition(tuple(rows))
        case {"set": [*cells]}:
            return Changes(tuple((Cell(_count(row), _count(col)), _text(symbol)) for row, col, symbol in cells))
        case {"go": {**times}}:
            return Go(*(None if times.get(key) is None else _count(times[key]) for key in ("move", "game")))
        case {"go": True}:
            return Go()
        case {"explain": cell}:
            return Query("explain", _cell(cell))
    for kind in QUERIES:
        if kind in fields:
            return Query(kind)
    raise ProtocolError("expected a request of the protocol")


class JsonReplyReader:
    """Reader of replies, for an arena."""

    def read(self, line: str) -> Reply | None:
        """Return the reply in a line, None for an empty one. Raises ProtocolError."""
        if not line.strip():
            return None
        fields = _object(line)
        try:
            return _reply(fields, line)
        except BoardError:
            raise
        except (ProtocolError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise _error_in(line, error) from None


def _reply(fields: Mapping[str, Any], line: str) -> Reply:
    if "done" in fields:
        return _answer(fields, line)
    if "info" in fields:
        return Info(printable(_text(fields["info"])))
    if "error" in fields:
        return Trouble(printable(_text(fields["error"])))
    if "pong" in fields:
        return "pong"
    if "umi" not in fields or fields["umi"] != VERSION:
        raise ProtocolError(
            "expected a reply of the protocol" if "umi" not in fields else f"expected version {VERSION}"
        )
    options = tuple(_option(one) for one in fields.get("options", ()))
    name, version, author = (printable(_text(fields.get(key, ""))) for key in ("name", "version", "author"))
    can = frozenset(word for word in fields.get("can", ()) if word in ABILITIES)
    return checked_identity(Identity(name, version, author, options, can))


def _answer(fields: Mapping[str, Any], line: str) -> EngineAnswer:
    guess, risk, wins, analysis = (fields.get(key) for key in ("guess", "risk", "wins", "analysis"))
    return EngineAnswer(
        safe=_cells(fields.get("safe", ())),
        mines=_cells(fields.get("mine", ())),
        opens=None if fields.get("open") is None else _cells(fields["open"]),
        flags=_cells(fields.get("flag", ())),
        guess=None if guess is None else _cell(guess),
        risk=None if guess is None or risk is None else _probability(risk),
        wins=None if wins is None else _probability(wins),
        why={_cell(cell): Why(_cells(clues), _text(rule)) for cell, clues, rule in fields.get("why", ())},
        risks={_cell((row, col)): _probability(one) for row, col, one in fields.get("risks", ())},
        analysis=None if analysis is None else json.dumps(analysis),
        because=tuple(_text(one) for one in fields.get("because", ())),
        lines=(line,),
    )


def _option(fields: Mapping[str, Any]) -> Option:
    default, low, high = (fields.get(key) for key in ("default", "min", "max"))
    return Option(
        _text(fields["name"]),
        _text(fields["type"]),
        "" if default is None else _text(default),
        None if low is None else _text(low),
        None if high is None else _text(high),
        tuple(map(_text, fields.get("among", ()))),
    )


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProtocolError.of("a JSON object", line)
    return found


def _error_in(line: str, error: Exception) -> ProtocolError:
    found = str(error) if isinstance(error, ProtocolError) else "expected the fields of the protocol"
    return ProtocolError.of(found.removeprefix("expected "), line)


def _cells(pairs: Any) -> tuple[Cell, ...]:
    return tuple(map(_cell, pairs))


def _cell(pair: Any) -> Cell:
    row, col = pair
    return Cell(_count(row), _count(col))


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST:
        raise ProtocolError("expected whole numbers, at least 0")
    return value


def _text(value: Any) -> str:
    """Text of a value; JSON programs may give numbers and truth values as such."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise ProtocolError("expected text")
    return str(value)


def _probability(value: Any) -> Fraction:
    return probability_of(_text(value))
