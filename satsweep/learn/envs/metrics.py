"""Metrics of replies and games in text, by fixed names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import Cell
from satsweep.learn.envs.reward import MoveReward
from satsweep.techniques import TECHNIQUES

NOTHING = "nothing"
NEEDS = (*(words.metric for words in TECHNIQUES.values()), NOTHING)
"""Needs of a question: technique of the easiest safe cell, or nothing is certain."""
METRICS = (
    "reward", "win", "opened", "regret_risk", "regret_win", "forced_taken", "forced_missed",
    *(f"{words.metric}_{what}" for words in TECHNIQUES.values() for what in ("found", "missed")),
    "guesses", "best_guesses", "wrong_claims", "format_errors", "illegal", "repeats", "turns",
    "prompt_characters", "completion_characters",
)  # fmt: skip
"""Names of all metrics. All but ``reward`` have weight 0 where a model learns."""


@dataclass(frozen=True, slots=True)
class Score:
    """Score of a reply or a game: the exact reward, every metric, a remark."""

    reward: Fraction
    metrics: Mapping[str, float]
    remark: str = ""


def all_metrics(reward: Fraction, found: Mapping[str, float]) -> dict[str, float]:
    """Every metric as a float, 0 where nothing was found."""
    return {name: float(found.get(name, 0)) for name in METRICS} | {"reward": float(reward)}


def move_metrics(found: MoveReward, cell: Cell, safe: Mapping[Cell, str]) -> dict[str, float]:
    """Metrics of a move that are not 0.

    ``safe`` has the safe cells before it and their techniques, the easiest first.
    """
    metrics = {"regret_risk": float(found.risk - found.least_risk)}
    if found.chosen is not None and found.possible is not None:
        metrics["regret_win"] = float(found.possible - found.chosen)
    if found.least_risk:
        return {**metrics, "guesses": 1, "best_guesses": float(found.value == 0)}
    if not found.risk:
        return {**metrics, "forced_taken": 1, f"{safe[cell]}_found": 1}
    return {**metrics, "forced_missed": 1, f"{next(iter(safe.values()))}_missed": 1}
