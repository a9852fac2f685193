"""Sums of blocks: what a report needs of games, made from their columns.

All of them are sums of integers but the times, and integers may be larger than 64 bits. Sums of layouts that are played
several times are made from the games, as a block may have a part of a layout.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweep.arena.game_columns import OPTIONAL, OUTCOMES, GameColumns
from satsweep.arena.result import (
    CHAIN_COUNTS,
    COUNTS,
    FAILED,
    AgentSums,
    LayoutSums,
    PairLayoutSums,
    PairSums,
)
from satsweep.arguments import short_repr
from satsweep.formats.strict import parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OF_AGENT = ("games", "failed", "seconds", "timed", "python_seconds", "chain_games", "evaluated_games")
_OF_PAIR = ("games", "only_first", "only_second", "finished", "more_right", "more_right_squares")
_FAILED = OUTCOMES.index(FAILED)


@dataclass(slots=True)
class BlockSums:
    """Sums over games: of each agent, and of each pair of agents.

    Keys are a setting and its agents; pairs have games in common.
    """

    agents: dict[tuple[int, int], AgentSums] = field(default_factory=dict)
    pairs: dict[tuple[int, int, int], PairSums] = field(default_factory=dict)

    @classmethod
    def of(cls, games: GameColumns) -> BlockSums:
        """Sums over the games of columns."""
        found, by_agent = cls(), games.agents()
        for agent, own in by_agent.items():
            found.agents[games.setting, agent] = _agent_sums(agent, own)
        for first, second in combinations(by_agent, 2):
            pair = _pair_sums(first, second, by_agent[first], by_agent[second])
            if pair.games:
                found.pairs[games.setting, first, second] = pair
        return found

    def add(self, other: BlockSums) -> None:
        """Add the sums over other games."""
        for key, sums in other.agents.items():
            own = self.agents.setdefault(key, AgentSums(*key))
            for name in _OF_AGENT:
                setattr(own, name, getattr(own, name) + getattr(sums, name))
            for name in COUNTS:
                own.sums[name] += sums.sums[name]
                own.squares[name] += sums.squares[name]
        for pair_key, pair in other.pairs.items():
            ours = self.pairs.setdefault(pair_key, PairSums(*pair_key))
            for name in _OF_PAIR:
                setattr(ours, name, getattr(ours, name) + getattr(pair, name))

    def to_json(self) -> str:
        """The sums of one setting as JSON; what is 0 is left out."""
        agents = [
            {"agent": agent, **_values(sums, _OF_AGENT)}
            | {name: _not_0(getattr(sums, name)) for name in ("sums", "squares")}
            for (_, agent), sums in self.agents.items()
        ]
        pairs = [{"agents": key[1:], **_values(pair, _OF_PAIR)} for key, pair in self.pairs.items()]
        return json.dumps({"agents": agents, "pairs": pairs}, separators=(",", ":"))

    @classmethod
    def of_json(cls, setting: int, text: str) -> BlockSums:
        """Sums of text that ``to_json`` has made.

        Raises ValueError, TypeError or LookupError for other texts.
        """
        found, values = cls(), parse_json(text, floats=True)
        for one in values["agents"]:
            sums = AgentSums(setting, one["agent"], **_numbers(one, _OF_AGENT))
            sums.sums |= _numbers(one["sums"], COUNTS)
            sums.squares |= _numbers(one["squares"], COUNTS)
            found.agents[setting, sums.agent] = sums
        for one in values["pairs"]:
            first, second = one["agents"]
            pair = PairSums(setting, first, second, **_numbers(one, _OF_PAIR))
            found.pairs[setting, first, second] = pair
        return found


def _values(sums: object, names: Iterable[str]) -> dict[str, float]:
    return _not_0({name: getattr(sums, name) for name in names})


def _numbers(values: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The values with some names, of those that are there."""
    found = {name: values[name] for name in names if name in values}
    if not {*map(type, found.values())} <= {int, float}:
        raise ValueError(f"expected numbers, found {short_repr(found, 60)}")
    return found


def _not_0(values: dict[str, Any]) -> dict[str, float]:
    return {name: value for name, value in values.items() if value}


def _agent_sums(agent: int, games: GameColumns) -> AgentSums:
    seconds = games.arrays["seconds"]
    found = AgentSums(games.setting, agent, len(games), int((games.arrays["outcome"] == _FAILED).sum()))
    found.seconds = float(seconds[seconds > 0].sum())
    found.timed = int((seconds > 0).sum())
    found.python_seconds = -float(seconds[seconds < 0].sum())
    for name in COUNTS:
        values = games.arrays[name]
        if name in OPTIONAL:
            there = [value for value in values.tolist() if value is not None]
            found.sums[name], found.squares[name] = sum(there), sum(value * value for value in there)
            found.chain_games += len(there) * (name == CHAIN_COUNTS[0])
            found.evaluated_games += len(there) * (name == "evaluations")
        else:
            found.sums[name], found.squares[name] = int(values.sum()), _sum_of_squares(values)
    return found


def _sum_of_squares(values: NDArray[Any]) -> int:
    most = max(-int(values.min()), int(values.max())) if len(values) else 0
    if most * most * len(values) < 2**63:
        return int(values @ values)
    return sum(value * value for value in values.tolist())


def _pair_sums(first: int, second: int, one: GameColumns, other: GameColumns) -> PairSums:
    games, more_won, finished, more_right = changes(one, other)
    return PairSums(
        one.setting,
        first,
        second,
        len(games),
        int((more_won < 0).sum()),
        int((more_won > 0).sum()),
        int(finished.sum()),
        int(more_right.sum()),
        _sum_of_squares(more_right),
    )


class GameChanges(NamedTuple):
    """Differences of two agents in the games that both have, second less first.

    ``games`` are the numbers of the games. Where they have not both ``finished`` one, ``more_right`` is 0.
    """

    games: NDArray[np.int64]
    more_won: NDArray[np.int64]
    finished: NDArray[np.bool_]
    more_right: NDArray[np.int64]


def changes(one: GameColumns, other: GameColumns) -> GameChanges:
    """Differences of two agents, whose games the columns have."""
    import numpy as np

    ours, theirs = one.arrays, other.arrays
    if not np.array_equal(ours["game"], theirs["game"]):
        _, here, there = np.intersect1d(ours["game"], theirs["game"], assume_unique=True, return_indices=True)
        ours, theirs = one.chosen(here).arrays, other.chosen(there).arrays
    finished = (ours["outcome"] != _FAILED) & (theirs["outcome"] != _FAILED)
    more_right = finished * (theirs["right"] - ours["right"])
    return GameChanges(ours["game"], theirs["won"] - ours["won"], finished, more_right)


def layout_sums(blocks: Iterable[GameColumns], plays: int) -> dict[tuple[int, int], list[LayoutSums]]:
    """Sums over each layout, in order of the layouts, by setting and agent."""
    found: defaultdict[tuple[int, int], dict[int, LayoutSums]] = defaultdict(dict)
    for games in blocks:
        for agent, own in games.agents().items():
            layouts = found[games.setting, agent]
            counts = [[value or 0 for value in own.arrays[name].tolist()] for name in COUNTS]
            finished = (own.arrays["outcome"] != _FAILED).tolist()
            for game, is_finished, *values in zip(own.arrays["game"].tolist(), finished, *counts, strict=True):
                sums = layouts.setdefault(game // plays, LayoutSums())
                sums.games += 1
                sums.finished += is_finished
                for name, value in zip(COUNTS, values, strict=True):
                    sums.sums[name] += value
    return {key: _in_order(layouts) for key, layouts in found.items()}


def pair_layout_sums(blocks: Iterable[GameColumns], plays: int) -> dict[tuple[int, int, int], list[PairLayoutSums]]:
    """Sums over each layout, in order of the layouts, by setting and pair."""
    found: defaultdict[tuple[int, int, int], dict[int, PairLayoutSums]] = defaultdict(dict)
    for games in blocks:
        for (first, one), (second, other) in combinations(games.agents().items(), 2):
            layouts = found[games.setting, first, second]
            for game, more_won, finished, more_right in _rows(changes(one, other)):
                sums = layouts.setdefault(game // plays, PairLayoutSums())
                sums.games += 1
                sums.more_won += more_won
                sums.finished += finished
                sums.more_right += more_right
    return {key: _in_order(layouts) for key, layouts in found.items()}


def _rows(columns: Iterable[NDArray[Any]]) -> Iterator[tuple[Any, ...]]:
    return zip(*(values.tolist() for values in columns), strict=True)


def _in_order(layouts: dict[int, Any]) -> list[Any]:
    return [layouts[number] for number in sorted(layouts)]
