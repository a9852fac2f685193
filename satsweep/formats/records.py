"""Records of games as JSON: written so that nothing is lost, and read only if the game can be played again.

One move a line. A move says what it revealed as ``[row, col, number]``, null for a mine and "?" for a cell that shows
nothing, and risks are fractions as text. ``schemas/record.schema.json`` in this package says the same to other
programs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.formats.strict import Decimal, Node
from satsweep.games.agent import Inference
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record, Revealed
from satsweep.games.replay import replay
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.topology import SQUARE

_KEYS = ("agent", "rules", "mines", "layout", "moves", "outcome", "seconds")
_KEYS_TOO = ("topology", "start", "clue_seed")
_RULES = ("first", "start", "cascade", "fatal", "goal", "clues", "tells_total")
_MOVE = ("turn", "action", "cell", "reason")
_MOVE_TOO = ("rule", "clues", "why", "risk", "revealed")
_RISK = re.compile(r"(\d{1,4000})(/(\d{1,4000}))?", re.ASCII)


def to_json(record: Record) -> str:
    """The JSON form of a record, one move a line."""
    layout, rules = record.layout, record.rules
    fields: dict[str, object] = {
        "agent": record.agent,
        "rules": {
            "first": rules.first.value,
            "start": rules.start,
            "cascade": rules.cascade,
            "fatal": rules.fatal,
            "goal": rules.goal.value,
            "clues": str(rules.clues),
            "tells_total": rules.tells_total,
        },
        "mines": layout.mines,
    }
    if layout.topology != SQUARE:
        fields["topology"] = layout.topology.name
    if layout.start is not None:
        fields["start"] = layout.start
    if record.clue_seed is not None:
        fields["clue_seed"] = record.clue_seed
    head = "".join(f"  {json.dumps(key)}: {json.dumps(field)},\n" for key, field in fields.items())
    rows = _lines(layout.cells)
    moves = _lines(map(_written, record.moves))
    tail = f'  "outcome": {json.dumps(record.outcome.value)},\n  "seconds": {float(record.seconds)!r}\n'
    return f'{{\n{head}  "layout": {rows},\n  "moves": {moves},\n{tail}}}\n'


def _lines(values: Iterable[object]) -> str:
    written = ",\n".join(f"    {json.dumps(value)}" for value in values)
    return f"[\n{written}\n  ]" if written else "[]"


def _written(move: Move) -> dict[str, object]:
    fields: dict[str, object] = {
        "turn": move.turn,
        "action": move.action.value,
        "cell": move.cell,
        "reason": move.reason.value,
    }
    if move.inference is not None:
        fields["rule"] = move.inference.rule
        fields["clues"] = move.inference.clues
    if move.why:
        fields["why"] = move.why
    if move.risk is not None:
        fields["risk"] = str(move.risk)
    if move.revealed:
        fields["revealed"] = [[*cell, number] for cell, number in move.revealed]
    return fields


def from_json(text: str) -> Record:
    """Read the JSON form of a record, and play it again.

    Raises BoardError with line and column for whatever is malformed, and at the first move that cannot have been
    made or cannot have revealed what it says.
    """
    whole = Node.of(text)
    fields = whole.fields(_KEYS, _KEYS_TOO)
    record = Record(
        agent=fields["agent"].string(),
        rules=_rules(fields["rules"]),
        layout=_layout(fields),
        moves=tuple(map(_move, fields["moves"].items())),
        outcome=fields["outcome"].choice(Outcome),
        seconds=_seconds(fields["seconds"]),
        clue_seed=fields["clue_seed"].integer() if "clue_seed" in fields else None,
    )
    made = 0
    try:
        for _ in replay(record):
            made += 1
    except BoardError as error:
        if isinstance(error.at, str):
            whole.fail(error.message, error.at)
        fields["moves"].fail(f"move {made + 1}: {error.message}", made)
    return record


def _rules(node: Node) -> Rules:
    fields = node.fields(_RULES)
    return Rules(
        first=fields["first"].choice(FirstClick),
        start=None if fields["start"].value is None else fields["start"].cell(),
        cascade=fields["cascade"].truth(),
        fatal=fields["fatal"].truth(),
        goal=fields["goal"].choice(Goal),
        clues=fields["clues"].named(clues_named),
        tells_total=fields["tells_total"].truth(),
    )


def _layout(fields: dict[str, Node]) -> Layout:
    rows = fields["layout"]
    cells = [row.string() for row in rows.items()]
    start = fields["start"].cell() if "start" in fields else None
    topology = fields["topology"].string() if "topology" in fields else SQUARE
    mines = fields["mines"].integer()
    try:
        layout = Layout(cells, start=start, topology=topology)
        layout.check_mines(mines)
    except BoardError as error:
        if isinstance(error.at, str):
            fields[error.at].fail(error.message)
        rows.fail(error.message, *(error.at or ())[:1])
    return layout


def _move(node: Node) -> Move:
    fields = node.fields(_MOVE, _MOVE_TOO)
    action = fields["action"].choice(Action)
    for key in ("why", "risk", "revealed"):
        if key in fields and action is not Action.OPEN:
            fields[key].fail(f"expected {key!r} only where a cell is opened")
    for key, other in (("rule", "clues"), ("clues", "rule")):
        if key in fields and (action is Action.UNFLAG or other not in fields):
            fields[key].fail(f"expected {key!r} only with {other!r}, and not where a flag is taken away")
    inference = None
    if "rule" in fields:
        inference = Inference(fields["rule"].string(), tuple(map(Node.cell, fields["clues"].items())))
    return Move(
        turn=fields["turn"].integer(),
        action=action,
        cell=fields["cell"].cell(),
        reason=fields["reason"].choice(MoveReason),
        inference=inference,
        why=fields["why"].string() if "why" in fields else "",
        risk=_risk(fields["risk"]) if "risk" in fields else None,
        revealed=_revealed(fields["revealed"]) if "revealed" in fields else (),
    )


def _revealed(node: Node) -> tuple[Revealed, ...]:
    revealed = []
    for item in node.items():
        parts = item.items()
        if len(parts) != 3:
            item.fail("expected [row, col, number], the number null for a mine")
        revealed.append((Cell(parts[0].integer(), parts[1].integer()), _shown(parts[2])))
    return tuple(revealed)


def _shown(node: Node) -> int | Literal["?"] | None:
    return None if node.value is None else "?" if node.value == "?" else node.integer()


def _risk(node: Node) -> Fraction:
    found = _RISK.fullmatch(node.string())
    if found and (found[3] is None or int(found[3])) and Fraction(found[0]) <= 1:
        return Fraction(found[0])
    node.fail("expected a risk between 0 and 1, as text like 1/3")


def _seconds(node: Node) -> float:
    if isinstance(node.value, (int, Decimal)) and not isinstance(node.value, bool):
        seconds = float(str(node.value))
        if 0 <= seconds < float("inf"):
            return seconds
    node.fail("expected seconds, at least 0")
