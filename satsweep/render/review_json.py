"""Reviews of games as JSON and CSV."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields
from fractions import Fraction
from math import isfinite
from operator import attrgetter
from typing import Any, NamedTuple

from satsweep.assessment.collection import CollectionSummary, GameSummary, Mean, by_month, collection_of, summary_of
from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.verdicts import VERDICTS, Judgement, Review, ReviewedMove
from satsweep.clicks.fewest import FewestClicks
from satsweep.clicks.made import GameClick
from satsweep.render.clicks import game_clicks_values
from satsweep.render.number_text import fraction
from satsweep.techniques import TECHNIQUES
from satsweep.text import csv_text
from satsweep.topology import SQUARE


class MoveRow(NamedTuple):
    """A move of a review, with its file and the number of its game."""

    file: str
    game: int
    move: ReviewedMove


def _of_choice(value: Callable[[Judgement], object]) -> Callable[[MoveRow], object]:
    """A column that moves without a choice leave empty."""
    return lambda row: None if row.move.judgement is None else value(row.move.judgement)


def _counts(kind: str, field: str, names: Iterable[str]) -> dict[str, Callable[[GameSummary], object]]:
    """A column for each name that ``classes`` or ``missed`` of a game counts."""

    def column(name: str) -> Callable[[GameSummary], object]:
        return lambda game: getattr(game, field)[name]

    return {f"{kind}_{name.replace(' ', '_')}": column(name) for name in names}


GAME_COLUMNS: dict[str, Callable[[GameSummary], object]] = {
    **{field.name: attrgetter(field.name) for field in fields(GameSummary) if field.name not in ("classes", "missed")},
    **_counts("class", "classes", (kind.value for kind in VERDICTS)),
    **_counts("missed", "missed", (technique.value for technique in TECHNIQUES)),
}
"""Columns of a CSV of games, each with what it has of a game."""
MOVE_COLUMNS: dict[str, Callable[[MoveRow], object]] = {
    "file": attrgetter("file"),
    "game": attrgetter("game"),
    "move": attrgetter("move.number"),
    "action": attrgetter("move.move.action.value"),
    "row": attrgetter("move.move.cell.row"),
    "col": attrgetter("move.move.cell.col"),
    "class": lambda row: row.move.kind and row.move.kind.value,
    "technique": lambda row: row.move.technique and row.move.technique.value,
    "risk": _of_choice(lambda choice: float(choice.risk)),
    "least_risk": _of_choice(lambda choice: float(choice.least_risk)),
    "before": lambda row: _number(row.move.before),
    "chosen": _of_choice(lambda choice: _number(choice.chosen)),
    "possible": _of_choice(lambda choice: _number(choice.possible)),
    "after": lambda row: _number(row.move.after),
    "skill": lambda row: float(row.move.skill),
    "luck": lambda row: float(row.move.luck),
    "error": _of_choice(lambda choice: float(choice.error)),
    "exact": _of_choice(lambda choice: int(choice.exact)),
    "missed": _of_choice(lambda choice: len(choice.missed)),
    "wrong_flag": lambda row: int(row.move.wrong_flag),
    "time": attrgetter("move.move.time"),
    "seconds": attrgetter("move.seconds"),
}
"""Columns of a CSV of moves, each with what it has of a move."""


def review_values(
    review: Review, file: str = "", number: int = 1, *, reasons: bool = True, best: FewestClicks | None = None
) -> dict[str, Any]:
    """A review as JSON values.

    With ``reasons`` overlooked cells have theirs; ``best`` are the fewest clicks that clear the board.
    """
    layout, record = review.record.layout, review.record
    parts = {"start": review.start, "skill": review.skill, "luck": review.luck, "end": review.end}
    exact, decided, clicks = review.known == "exact", review.decided, review.clicks
    by_move = [None] * len(review.moves) if clicks is None else clicks.by_move
    return {
        "file": file,
        "number": number,
        "player": record.agent,
        "rows": layout.rows,
        "cols": layout.cols,
        "mines": layout.mines,
        **({} if layout.topology == SQUARE else {"topology": layout.topology.name}),
        "rules": record.rules.to_values(),
        "mode": record.mode,
        "outcome": record.outcome.value,
        "won": record.won,
        "known": review.known,
        **{name: _number(part) for name, part in parts.items()},
        "exact": {name: fraction(part) for name, part in parts.items() if part is not None} if exact else None,
        "pluck": review.pluck if isfinite(review.pluck) else None,
        "classes": {kind.value: count for kind, count in review.classes.items()},
        "missed": {technique.value: count for technique, count in review.missed.items()},
        "wrong_flags": [list(move.move.cell) for move in review.wrong_flags],
        "clicks": None if clicks is None else game_clicks_values(clicks, best),
        "moves": [
            {**_move_values(move, reasons, decided.get(move.number)), **_click_values(click)}
            for move, click in zip(review.moves, by_move, strict=True)
        ],
    }


def _move_values(move: ReviewedMove, reasons: bool, decided: bool | None) -> dict[str, Any]:
    """A move of a review; ``decided`` is what the rules made of a guess."""
    own = move.move
    found: dict[str, Any] = {
        "number": move.number,
        "action": own.action.value,
        "cell": list(own.cell),
        "class": move.kind and move.kind.value,
        "technique": move.technique and move.technique.value,
        "numbers": move.numbers,
        "before": _number(move.before),
        "after": _number(move.after),
        "skill": float(move.skill),
        "luck": float(move.luck),
        "time": own.time,
        "seconds": move.seconds,
    }
    if move.wrong_flag:
        found["wrong_flag"] = True
    if decided is not None:
        found["decided"] = "mine" if decided else "safe"
    if move.judgement is not None:
        found["choice"] = _choice_values(move.judgement, reasons)
    return found


def _click_values(click: GameClick | None) -> dict[str, Any]:
    """The click that made a move."""
    if click is None:
        return {}
    found: dict[str, Any] = {"click": click.number, "solved": click.solved}
    return found if click.is_needed else {**found, "not_needed": True}


def _choice_values(judgement: Judgement, reasons: bool) -> dict[str, Any]:
    """The choice of a move."""
    reason = overlooked(judgement) if reasons else None
    return {
        "cells": [list(cell) for cell in judgement.cells],
        "risk": fraction(judgement.risk),
        "least_risk": fraction(judgement.least_risk),
        "best": judgement.best and list(judgement.best),
        "chosen": _number(judgement.chosen),
        "possible": _number(judgement.possible),
        "loss": _number(judgement.loss),
        "exact": judgement.exact,
        "error": float(judgement.error),
        "missed": [{"cell": list(cell), "technique": technique.value} for cell, technique in judgement.missed],
        "reason": reason
        and {
            "cell": list(reason.cell),
            "clues": [list(cell) for cell in reason.argument.clues],
            "total": reason.argument.total,
            "text": str(reason.argument),
        },
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def review_to_json(review: Review, name: str = "", best: FewestClicks | None = None) -> str:
    """One review as JSON, with the ``best`` clicks on its board if they are given."""
    return json.dumps(review_values(review, name, best=best), indent=1) + "\n"


def review_to_csv(review: Review, name: str = "") -> Iterator[str]:
    """One review as CSV, a row under the names of the columns."""
    yield from games_to_csv([summary_of(review, name)])


def collection_values(games: Iterable[GameSummary]) -> dict[str, Any]:
    """Sums over games, by month, and a row for each game."""
    rows = list(games)
    return {
        "summary": sums_values(collection_of(rows)),
        "months": {month: sums_values(own) for month, own in by_month(rows).items()},
        "games": [row.to_values() for row in rows],
    }


def sums_values(sums: CollectionSummary) -> dict[str, Any]:
    """Sums over games as JSON values; means with the half width of their intervals."""
    found = asdict(sums)
    for name, value in found.items():
        if isinstance(value, tuple):
            mean = Mean(*value)
            found[name] = {"mean": mean.mean, "half": mean.half if isfinite(mean.half) else None}
    return {**found, "most_missed": sums.most_missed}


def collection_to_json(games: Iterable[GameSummary]) -> str:
    """Sums over games as JSON."""
    return json.dumps(collection_values(games), indent=1) + "\n"


def games_to_csv(games: Iterable[GameSummary]) -> Iterator[str]:
    """Games as CSV, a row each."""
    yield csv_text(GAME_COLUMNS)
    for game in games:
        yield csv_text(value(game) for value in GAME_COLUMNS.values())


def moves_head() -> str:
    """The first line of a CSV of moves."""
    return csv_text(MOVE_COLUMNS)


def moves_to_csv(review: Review, file: str = "", number: int = 1) -> Iterator[str]:
    """The moves of a review as CSV, a row each."""
    for move in review.moves:
        row = MoveRow(file, number, move)
        yield csv_text(value(row) for value in MOVE_COLUMNS.values())
