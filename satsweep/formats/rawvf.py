"""RAWVF: a replay as text, with its layout and the events of the mouse.

It has a header, ``Board:`` with rows of ``*`` and ``0``, and ``Events:``, a line that some programs leave out. An event
is ``time event column row (x y)``: seconds, the name of the event, the cell from 1, and the place in pixels. The names
are ``lc lr rc rr mc mr`` for the left, right and middle button pressed and released, ``sc`` for the left button with
the Shift key, ``mv`` for a move, and ``mt`` where question marks are switched on or off. Lines that say what the events
did (``flag 3 4``, ``won``, ``RAW_Time: 12.3``) are not needed; any other line is an error.

A cell is opened when the left button is released. Releasing one of the left and the right button while the other one
is held is a chord, and so is the middle button. The header may say that the left button acts when it is pressed
(``Elmar``), that it chords on open numbers (``SuperClick``), or that flags may become question marks (``Marks``).
The mode of the game is ``Mode``, or the end of ``Level``.
Pixels count where they are given, since programs count columns from 0 or from 1.

Header lines of our own keep what the format has none for; other programs pass over them. ``Satsweep_First`` is the
promise about the first cell, ``Satsweep_Opens`` the cell that the rules open, ``Satsweep_Start`` the start of the
layout, ``Satsweep_Evaluations`` those of an agent and ``Satsweep_Seconds`` its time; ``Satsweep_Times: Off`` says that
the times of the events are made up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from satsweep.arguments import short_repr
from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.formats.format import check_holds
from satsweep.formats.grids import Line, check_size_at, errors_in_rows, lines_of, read_rows
from satsweep.formats.mouse import Mouse
from satsweep.layout import Layout
from satsweep.text import counted, printable

if TYPE_CHECKING:
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.record import Move, Record
    from satsweep.games.rules import Rules

_VERSION = re.compile(r"\s*RawVF_Version[ \t]*:", re.IGNORECASE)
_BOARD = re.compile(r"^Board:[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_KEY = re.compile(r"\s*([A-Za-z][\w \t]*):[ \t]*(.*)")
_EVENTS = re.compile(r"\s*Events[ \t]*:", re.IGNORECASE)
_SYMBOLS = {"*": "*", "0": "."}
SQUARE_SIZE = 16
"""Pixels of a cell's side where the header does not say it."""
# These two are compiled when an event is read: every command that reads a file loads this module.
_EVENT = (
    r"\s*(?P<time>-?\d{1,9}(\.\d{0,30})?)\s+(?P<name>[a-z]\w*)"
    r"(?P<cell>\s+(?P<col>-?\d{1,9})\s+(?P<row>-?\d{1,9}))?"
    r"(\s*\(\s*(?P<x>-?\d{1,9})[\s,]+(?P<y>-?\d{1,9})\s*\))?(\s*\([lrm]*\))?\s*"
)
_OPTION = re.compile(r"\s*([A-Za-z]\w*)[ \t]*:[ \t]*(.*)")
_BUTTONS = frozenset(("lc", "lr", "rc", "rr", "mc", "mr", "sc"))
_TOLD = (
    r"\s*(?:-?\d{1,9}(?:\.\d{0,30})?\s+)?(?:mv|reduced|start|won|lost|boom|blast|nonstandard|pressed|pressedqm|released"
    r"|closed|opened|flag|questionmark|mine|number[0-8]|cell|solved|RAW_[^\s:]+:)(?!\w)"
)
"""Start of a line that moves the mouse, or says what an event did."""
_UNREADABLE = ("nono", "superflag")
"""Options of cheats that change what a click does, so games cannot be followed."""


def recognises(text: str) -> bool:
    """Return whether a text names its version, or has a header and ``Board:``."""
    return _VERSION.match(text) is not None or (_KEY.match(text) is not None and _BOARD.search(text) is not None)


def read_layout(text: str) -> Layout:
    """Read the layout.

    >>> read_layout("Width: 3\\nHeight: 2\\nMines: 1\\nBoard:\\n00*\\n000\\nEvents:\\n")
    Layout(('..*', '...'))
    """
    return _divided(text)[0]


def has_clicks(text: str) -> bool:
    """Return whether a text has events of the mouse buttons."""
    with suppress(BoardError):
        return any(word in _BUTTONS for line in _divided(text)[2] for word in line.text.split()[:2])
    return False


def _divided(text: str) -> tuple[Layout, list[Line], list[Line]]:
    """Layout of a text, the lines of its header, and those of its events."""
    lines = lines_of(text)
    header: dict[str, tuple[Line, int, int]] = {}
    for index, line in enumerate(lines):
        found = _KEY.fullmatch(line.text)
        if found is None and line.text:
            raise line.error("expected a key, a colon and a value, or Board:")
        if found is None:
            continue
        key = found[1].rstrip().lower()
        if key == "board":
            layout = _layout(lines, index, header)
            after = [line for line in lines[index + 1 + layout.rows :] if line.text]
            return layout, lines[:index], after[1:] if after and _EVENTS.fullmatch(after[0].text) else after
        if key in ("width", "height", "mines"):
            if key in header:
                raise line.error(f"expected {found[1].rstrip()} once, found it again", found.start(1) + 1)
            if not re.fullmatch(r"\d{1,9}", found[2], re.ASCII):
                raise line.error(f"expected a whole number, found {found[2][:20]!r}", found.start(2) + 1)
            header[key] = line, found.start(2) + 1, int(found[2])
    raise BoardError("expected a line Board: and the rows after it, found the end", line=len(lines), column=1)


def write(value: Layout | Record) -> str:
    """Write a game, or a layout as a replay without events.

    Raises BoardError for a layout with a start, or another grid than the square one.
    """
    if not isinstance(value, Layout):
        return write_game(value)
    check_holds(value)
    return _written(value, (), ())


def write_game(record: Record) -> str:
    """Write a game as clicks of the left and right button, chords of the middle one.

    Reasons, risks and notes of an agent's moves are left out. Where no move has a time, a click takes a second there.
    Raises BoardError for rules of play that other programs do not have, and for all else that would not be read back.

    >>> game = read_game("Width: 2\\nHeight: 1\\nBoard:\\n0*\\nEvents:\\n0.1 lc 1 1\\n0.2 lr 1 1\\n")
    >>> print(write_game(game).partition("Events:")[2].strip())
    0.200 start
    0.200 lc 1 1 (8 8)
    0.200 lr 1 1 (8 8)
    0.200 won
    """
    # Layouts are read and written without the code of games.
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.deal import LEVELS
    from satsweep.games.modes import STANDARD
    from satsweep.games.record import Action, Outcome
    from satsweep.games.rules import STANDARD_RULES, FirstClick

    if replace(record.rules, first=FirstClick.SAFE, start=None) != STANDARD_RULES:
        raise BoardError(f"expected the usual rules of play, found {record.rules}: this format cannot hold them")
    check_holds(record.layout, "start")
    timed = any(move.time is not None for move in record.moves)
    game, events, time = ClickedGame(record.layout), list[tuple[float, str]](), 0.0
    for _, found in groupby(record.moves, key=attrgetter("turn")):
        turn = [move for move in found if move.action is not Action.NOTE]
        for button, (row, col), told in _clicks(game, turn):
            time = (time if told is None else told) if timed else time + 1
            x, y = (SQUARE_SIZE * side + SQUARE_SIZE // 2 for side in (col, row))
            events += ((time, f"{button}{half} {col + 1} {row + 1} ({x} {y})") for half in "cr")
    if events:
        events.insert(0, (events[0][0], "start"))
        if record.won or record.outcome is Outcome.EXPLODED:
            events.append((time, "won" if record.won else "boom"))
    size = (record.layout.rows, record.layout.cols, record.layout.mines)
    level = next((name for name, usual in LEVELS.items() if usual == size), "custom")
    options = [f"Player: {printable(record.agent)}", f"Level: {level.capitalize()}", "Marks: Off", f"Time: {time:.3f}"]
    if record.mode != STANDARD:
        options.append(f"Mode: {printable(record.mode)}")
    lines = [f"{_decimal(time)} {event}" for time, event in events]
    text = _written(record.layout, (*options, *_own_lines(record, time if timed else 0.0, timed=timed)), lines)
    _check_kept(record, text)
    return text


def _decimal(seconds: float) -> str:
    """Seconds with three decimals, or as many as they need."""
    short = f"{seconds:.3f}"
    return short if float(short) == seconds else f"{Decimal(repr(seconds)):f}"


def _own_lines(record: Record, end: float, *, timed: bool) -> Iterator[str]:
    """Header lines for what the format has no line for, where a reader could not tell."""
    from satsweep.games.rules import FirstClick

    def place(cell: Cell) -> str:
        return f"{cell.col + 1} {cell.row + 1}"

    first = next((move for move in record.moves if move.revealed), None)
    usual = FirstClick.ANY if first is not None and first.exploded else FirstClick.SAFE
    if record.rules.first is not usual or record.rules.start is not None:
        yield f"Satsweep_First: {record.rules.first.value}"
    if record.rules.start is not None:
        yield f"Satsweep_Opens: {place(record.rules.start)}"
    if record.layout.start is not None:
        yield f"Satsweep_Start: {place(record.layout.start)}"
    if record.evaluations is not None:
        yield f"Satsweep_Evaluations: {record.evaluations}"
    if record.seconds != end:
        yield f"Satsweep_Seconds: {_decimal(record.seconds)}"
    if not timed:
        yield "Satsweep_Times: Off"


_KEPT: dict[str, Callable[[Record], object]] = {
    "names": attrgetter("agent"),
    "rules of play": attrgetter("rules"),
    "mode": attrgetter("mode"),
    "layout": attrgetter("layout"),
    "outcome": attrgetter("outcome.value"),
    "evaluations": attrgetter("evaluations"),
    "seconds": attrgetter("seconds"),
    "flags": attrgetter("flags"),
}


def _check_kept(record: Record, text: str) -> None:
    """Raise BoardError unless a game is read as it was, but for an agent's reasons."""
    from satsweep.games.record import MoveReason

    try:
        again = read_game(text)
    except BoardError as error:
        raise BoardError(f"expected a game that this format can hold, found one that is not read: {error}") from None
    by_person = all(move.reason in (MoveReason.CHOSEN, MoveReason.START) for move in record.moves)

    def moves(game: Record) -> object:
        return _comparable(game.moves, by_person=by_person)

    for name, part in (*_KEPT.items(), ("moves", moves)):
        if (held := part(record)) != part(again):
            found = short_repr(held, 40) if isinstance(held, str | int | float) else "others"
            raise BoardError(f"expected {name} that are read as they are written, found {found}: this format has none")


def _comparable(moves: Sequence[Move], *, by_person: bool) -> list[object]:
    """Moves of a person with numbered turns; of an agent the cells that it opened."""
    if not by_person:
        return [(move.cell, move.revealed, move.time) for move in moves if move.revealed]
    turns = groupby(moves, key=attrgetter("turn"))
    return [move._replace(turn=number) for number, (_, turn) in enumerate(turns) for move in turn]


def _clicks(game: ClickedGame, turn: list[Move]) -> Iterator[tuple[str, Cell, float | None]]:
    """Yield button, cell and time of the clicks of a turn, and carry them out."""
    from satsweep.formats.clicks import CHORD
    from satsweep.games.record import Action

    inference = turn[0].inference if turn else None
    if inference is not None and inference.rule == CHORD and inference.clues:
        number, opened = inference.clues[0], {cell for move in turn for cell, _ in move.revealed}
        cells = game.opened_by_chord(number)
        if cells and (opened.issuperset(cells) or turn[0].exploded):
            game.chord(number)
            yield "m", number, turn[0].time
            return
    for move in turn:
        if move.action is not Action.OPEN or game.is_flagged(move.cell):
            game.toggle(move.cell)
            yield "r", move.cell, move.time
        if move.action is Action.OPEN:
            game.open(move.cell)
            yield "l", move.cell, move.time


def _written(layout: Layout, options: Iterable[str], events: Iterable[str]) -> str:
    head = ("RawVF_Version: Rev6", "Program: satsweep", f"Width: {layout.cols}", f"Height: {layout.rows}")
    rows = (row.replace(".", "0") for row in layout.cells)
    return "\n".join((*head, f"Mines: {layout.mines}", *options, "Board:", *rows, "Events:", *events)) + "\n"


def _layout(lines: list[Line], at: int, header: dict[str, tuple[Line, int, int]]) -> Layout:
    """Layout of the rows after line ``at``.

    The header has for each key its line, its column and its number.
    """
    for key in ("width", "height"):
        if key not in header:
            raise lines[at].error(f"expected {key.capitalize()} before the board, found none")
    (line, column, cols), (_, _, rows) = header["width"], header["height"]
    check_size_at(cols, rows, line.number, column)
    body = lines[at + 1 : at + 1 + rows]
    end = next((line for line in body if _KEY.match(line.text)), None)
    if end is not None:
        body = body[: body.index(end)]
    with errors_in_rows(body, lines[at].number):
        layout = Layout(read_rows(body, rows, cols, _SYMBOLS, lines[at].number if end is None else end.number))
    if "mines" in header:
        line, column, mines = header["mines"]
        if mines != layout.mines:
            raise line.error(f"expected the {counted(layout.mines, 'mine')} of the board, found {mines}", column)
    return layout


def read_game(text: str) -> Record:
    """Read the layout and the game on it.

    >>> head = "Width: 3\\nHeight: 1\\nPlayer: me\\nBoard:\\n00*\\nEvents:\\n"
    >>> read_game(head + "0.00 lc 1 1 (3 3)\\n0.25 lr 1 1 (3 3)\\n").moves[0].time
    0.25
    """
    from satsweep.formats.clicks import ClickedGame
    from satsweep.games.modes import STANDARD, mode_in_level, mode_named

    layout, header, events = _divided(text)
    options: dict[str, tuple[Line, str, int]] = {}
    for line in header:
        found = _OPTION.fullmatch(line.text)
        if found is not None:
            options[found[1].lower()] = line, found[2], found.start(2) + 1
            if found[1].lower() in _UNREADABLE and _is_on(found[2]):
                raise line.error(f"expected a game without {found[1]}", found.start(2) + 1)

    def is_on(key: str) -> bool:
        return key in options and _is_on(options[key][1])

    size = _option(options, "squaresize", r"[1-9]\d{0,3}", "pixels") or SQUARE_SIZE
    layout = replace(layout, start=_cell_of(options, "satsweep_start", layout))
    mouse = Mouse(
        ClickedGame(layout, _rules_of(options, layout)),
        marks=is_on("marks"),
        super_click=is_on("superclick"),
        on_press=is_on("elmar"),
        timed="satsweep_times" not in options or is_on("satsweep_times"),
    )
    for line in events:
        _follow(mouse, line, layout.rows, layout.cols, int(size))
    player, named, level = (options[key][1] if key in options else "" for key in ("player", "mode", "level"))
    mode = mode_named(named)
    record = mouse.game.record(player, mode_in_level(level) if mode == STANDARD else mode)
    if evaluations := _option(options, "satsweep_evaluations", r"\d{1,18}"):
        record = replace(record, evaluations=int(evaluations))
    if seconds := _option(options, "satsweep_seconds", _NUMBER):
        record = replace(record, seconds=float(seconds))
    return record


_NUMBER = r"\d{1,9}(?:\.\d{0,30})?"
_Options = Mapping[str, tuple[Line, str, int]]
"""Lines of a header by key, each with its value and the column of that."""


def _option(options: _Options, key: str, form: str, expected: str = "a number") -> str | None:
    """Value of a header line, None without it. Raises BoardError for another form."""
    if key not in options:
        return None
    line, value, column = options[key]
    if not re.fullmatch(form, value, re.ASCII):
        raise line.error(f"expected {expected}, found {value[:20]!r}", column)
    return value


def _cell_of(options: _Options, key: str, layout: Layout) -> Cell | None:
    value = _option(options, key, r"[1-9]\d{0,8} [1-9]\d{0,8}", "a column and a row from 1")
    if value is None:
        return None
    col, row = (int(part) - 1 for part in value.split())
    if row >= layout.rows or col >= layout.cols:
        line, _, column = options[key]
        raise line.error(f"expected a cell of the {layout.rows}x{layout.cols} grid, found {value}", column)
    return Cell(row, col)


def _rules_of(options: _Options, layout: Layout) -> Rules | None:
    """Rules of our own header lines, None without them."""
    from satsweep.games.rules import FirstClick, Rules

    names = [first.value for first in FirstClick]
    first = _option(options, "satsweep_first", "|".join(names), f"one of {', '.join(names)}")
    if first is None:
        return None
    if first == FirstClick.GIVEN.value and layout.start is None and "satsweep_opens" not in options:
        line, _, column = options["satsweep_first"]
        raise line.error("expected a line Satsweep_Start: with it, found none", column)
    return Rules(first=FirstClick(first), start=_cell_of(options, "satsweep_opens", layout))


def _is_on(value: str) -> bool:
    return value.strip().lower() in ("on", "true", "1")


def _follow(mouse: Mouse, line: Line, rows: int, cols: int, size: int) -> None:
    """Carry out the event of a line, if it is one of a button.

    Raises BoardError for a line that is no event, and says nothing of one.
    """
    found = re.fullmatch(_EVENT, line.text, re.ASCII)
    name = None if found is None else found["name"]
    if name == "mt":
        mouse.marks = not mouse.marks
    elif found is None or name not in _BUTTONS:
        if not re.match(_TOLD, line.text, re.ASCII | re.IGNORECASE):
            raise line.error("expected a time, the name of an event and a place, as in 1.25 lc 3 4 (40 56)")
    else:
        if found["x"] is not None:
            row, col = int(found["y"]) // size, int(found["x"]) // size
        elif found["cell"] is not None:
            row, col = int(found["row"]) - 1, int(found["col"]) - 1
        else:
            raise line.error("expected the column and the row of a click, found none", found.end("name") + 1)
        cell = Cell(row, col) if 0 <= row < rows and 0 <= col < cols else None
        mouse.event(found["name"], cell, float(found["time"]))
