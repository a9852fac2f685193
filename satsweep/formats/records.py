"""Records of games as JSON, read only if the game can be played again.

Each move has a line. It lists revealed cells as ``[row, col, number]``, null for a mine and "?" for a cell that shows
nothing; risks are fractions as text. ``schemas/record.schema.json`` in this package says the same to other
programs.
"""

import re
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.formats.board_json import grid_fields, read_layout
from satsweep.formats.strict import DecimalText, Node, json_text, lines
from satsweep.games.agent import Inference
from satsweep.games.modes import STANDARD, mode_named
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record, Revealed
from satsweep.games.rules import RULES, Rules

_KEYS = ("agent", "rules", "mines", "layout", "moves", "outcome", "seconds")
_KEYS_TOO = ("topology", "start", "clue_seed", "evaluations", "mode")
_MOVE = ("turn", "action", "cell", "reason")
_MOVE_TOO = ("rule", "clues", "why", "risk", "revealed", "time")
_RISK = re.compile(r"(\d{1,4000})(/(\d{1,4000}))?", re.ASCII)


def to_json(record: Record) -> str:
    """Return the JSON form of a record, one move a line."""
    fields: dict[str, object] = {"agent": record.agent, "rules": record.rules.to_values(), **grid_fields(record.layout)}
    if record.clue_seed is not None:
        fields["clue_seed"] = record.clue_seed
    if record.evaluations is not None:
        fields["evaluations"] = record.evaluations
    if record.mode != STANDARD:
        fields["mode"] = record.mode
    fields["layout"], fields["moves"] = lines(record.layout.cells), lines(map(_move_values, record.moves))
    return json_text(fields | {"outcome": record.outcome.value, "seconds": float(record.seconds)})


def _move_values(move: Move) -> dict[str, object]:
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
    if move.time is not None:
        fields["time"] = move.time
    return fields


def from_json(text: str) -> Record:
    """Read the JSON form of a record, and play it again.

    Raises BoardError with line and column for malformed text, and at the first move that cannot have been made or
    cannot have revealed what it says.
    """
    from satsweep.games.game import replay  # a list of formats takes no game

    root = Node.of(text)
    fields = root.fields(_KEYS, _KEYS_TOO)
    record = Record(
        agent=fields["agent"].string(),
        rules=rules_of(fields["rules"]),
        layout=read_layout(fields),
        moves=tuple(map(_move, fields["moves"].items())),
        outcome=fields["outcome"].choice(Outcome),
        seconds=seconds_of(fields["seconds"]),
        clue_seed=fields["clue_seed"].integer() if "clue_seed" in fields else None,
        evaluations=fields["evaluations"].integer() if "evaluations" in fields else None,
        mode=mode_named(fields["mode"].string()) if "mode" in fields else STANDARD,
    )
    replayed = 0
    try:
        for _ in replay(record):
            replayed += 1
    except BoardError as error:
        if isinstance(error.at, str):
            root.fail(error.message, error.at)
        fields["moves"].fail(f"move {replayed + 1}: {error.message}", replayed)
    return record


def rules_of(node: Node) -> Rules:
    """Read rules of play.

    Unlike ``Rules.from_values`` this needs every field that is not younger than files in use, checks its type, and
    gives errors their place.
    """
    younger = {name for name, rule in RULES.items() if rule.younger}
    fields = node.fields(tuple(name for name in RULES if name not in younger), younger)
    said = {name: rule_of(one, name) for name, one in fields.items() if one.value is not None or name != "start"}
    try:
        return Rules(**said)
    except BoardError as error:
        node.fail(error.message)


def rule_of(node: Node, name: str) -> Any:
    kind: Any = RULES[name].kind
    if issubclass(kind, Enum):
        return node.choice(kind)
    return node.boolean() if kind is bool else node.cell() if kind is Cell else node.string_as(clues_named)


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
        time=seconds_of(fields["time"]) if "time" in fields else None,
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
    """Read what a cell shows: a number, None for a mine, ? for nothing."""
    return None if node.value is None else "?" if node.value == "?" else node.integer()


def _risk(node: Node) -> Fraction:
    found = _RISK.fullmatch(node.string())
    if found and (found[3] is None or int(found[3])) and Fraction(found[0]) <= 1:
        return Fraction(found[0])
    node.fail("expected a risk between 0 and 1, as text like 1/3")


def seconds_of(node: Node) -> float:
    if isinstance(node.value, (int, DecimalText)) and not isinstance(node.value, bool):
        seconds = float(str(node.value))
        if 0 <= seconds < float("inf"):
            return seconds
    node.fail("expected seconds, at least 0")
