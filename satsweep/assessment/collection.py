"""Sums over the reviews of many games: expected wins, habits, months."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from math import isfinite, sqrt
from typing import Any, NamedTuple

from satsweep.assessment.verdicts import MoveClass, Review
from satsweep.games.record import Action
from satsweep.techniques import Technique

FEWEST = 5
"""Fewest values that have an interval: of fewer, a small spread may be chance."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One reviewed game in a row of numbers.

    ``file`` and ``number`` say where it is from, ``played`` when it was played (an ISO date), if that is known. Win
    chances are None where they are not known. ``classes`` and ``missed`` count moves by class, and guesses beside a
    safe cell by technique; ``seconds`` is the time of the game, None if the file has none. ``worst`` is the number of
    the costliest move, 0 for none, and ``worst_loss`` the win chance it gave away.
    """

    file: str
    number: int
    played: str | None
    player: str
    board: str
    mode: str
    outcome: str
    won: bool
    known: str
    start: float | None
    skill: float | None
    luck: float | None
    end: float | None
    moves: int
    choices: int
    wrong_flags: int
    pluck: float | None
    seconds: float | None
    worst: int
    worst_loss: float
    classes: dict[str, int]
    missed: dict[str, int]

    def to_values(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> GameSummary:
        """Build a row from the values of ``to_values``. Raises KeyError for others."""
        return cls(**{field.name: values[field.name] for field in fields(cls)})


def summary_of(review: Review, file: str = "", number: int = 1, played: str | None = None) -> GameSummary:
    record = review.record
    layout = record.layout
    start, skill, luck, end = (None if part is None else float(part) for part in review.parts)
    losses = [(float(judgement.loss or 0), -move.number) for move, judgement in review.judgements]
    loss, place = max(losses, default=(0.0, 0))
    times = [move.move.time for move in review.moves if move.move.time is not None]
    return GameSummary(
        file=file,
        number=number,
        played=played,
        player=record.agent,
        board=f"{layout.rows}x{layout.cols}/{layout.mines}",
        mode=record.mode,
        outcome=record.outcome.value,
        won=record.won,
        known=review.known,
        start=start,
        skill=skill,
        luck=luck,
        end=end,
        moves=sum(move.move.action is Action.OPEN for move in review.moves),
        choices=len(review.judgements),
        wrong_flags=len(review.wrong_flags),
        pluck=review.pluck if isfinite(review.pluck) else None,
        seconds=max(times, default=None),
        worst=-place if loss > 0 else 0,
        worst_loss=max(loss, 0.0),
        classes={kind.value: count for kind, count in review.classes.items()},
        missed={technique.value: count for technique, count in review.missed.items()},
    )  # fmt: skip


class Mean(NamedTuple):
    """A mean with the half width of its 95 % interval, infinite for few values."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean | None:
        """The mean of some values with Student's t interval; None of none.

        >>> Mean.of([1, 2]), f"{Mean.of([1, 2, 3, 4, 5]).half:.3f}"
        (Mean(mean=1.5, half=inf), '1.963')
        """
        if not values:
            return None
        count, mean = len(values), sum(values) / len(values)
        if count < FEWEST:
            return cls(mean, float("inf"))
        variance = sum((value - mean) ** 2 for value in values) / (count - 1)
        return cls(mean, _quantile(count - 1) * sqrt(variance / count))


@cache
def _quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's t."""
    from scipy.special import stdtrit  # it takes long to load, and one game needs none

    return float(stdtrit(freedom, 0.975))


@dataclass(frozen=True, slots=True)
class CollectionSummary:
    """Sums over games.

    ``judged`` is the number of games whose win chances are known; the means are over these. ``expected`` is the number
    of them that would be won with these choices and average luck, with the half width of its 95 % interval.
    """

    games: int
    won: int
    judged: int
    expected: Mean | None
    start: Mean | None
    skill: Mean | None
    luck: Mean | None
    classes: dict[str, int]
    missed: dict[str, int]
    wrong_flags: int
    seconds: Mean | None

    @property
    def most_missed(self) -> str | None:
        """The technique that the player misses most; None if nothing was missed."""
        return max(self.missed, key=self.missed.__getitem__) if any(self.missed.values()) else None


def collection_of(games: Iterable[GameSummary]) -> CollectionSummary:
    rows = list(games)
    judged = [row for row in rows if row.start is not None and row.skill is not None and row.luck is not None]
    fair = Mean.of([(row.start or 0) + (row.skill or 0) for row in judged])
    return CollectionSummary(
        games=len(rows),
        won=sum(row.won for row in rows),
        judged=len(judged),
        expected=fair and Mean(fair.mean * len(judged), fair.half * len(judged)),
        start=Mean.of([row.start or 0 for row in judged]),
        skill=Mean.of([row.skill or 0 for row in judged]),
        luck=Mean.of([row.luck or 0 for row in judged]),
        classes={kind.value: sum(row.classes[kind.value] for row in rows) for kind in MoveClass},
        missed={own.value: sum(row.missed[own.value] for row in rows) for own in Technique},
        wrong_flags=sum(row.wrong_flags for row in rows),
        seconds=Mean.of([row.seconds for row in rows if row.seconds is not None]),
    )


def by_month(games: Iterable[GameSummary]) -> dict[str, CollectionSummary]:
    """The sums over the games of each month, as ``2026-11``, in order.

    Games without a date are left out.
    """
    months: dict[str, list[GameSummary]] = {}
    for row in games:
        if row.played:
            months.setdefault(row.played[:7], []).append(row)
    return {month: collection_of(months[month]) for month in sorted(months)}
