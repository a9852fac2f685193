"""Games of the kernels that Python plays again, move for move.

The agent ``sat`` has a compiled twin, which plays its games in a run. Python plays some of them again: networkx splits
the frontier into components, PySAT finds the forced cells, and PySAT or elimination counts. No count is taken from the
kernels; they may give the order of an elimination, which decides its cost alone. The agent ``deep`` has no twin in
Python.

One game on each board of a run is played again, and more of them within ``SHARE`` of the time that the games took.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from satsweep.agents import AGENTS, agent_named
from satsweep.arena.blocks import Block, BlockResult, PlayedAgain
from satsweep.arena.game_columns import GameColumns
from satsweep.arena.kernel_games import COMPILED_AGENTS, played
from satsweep.arena.result import Result, counts_of
from satsweep.board import Cell
from satsweep.games.game import play
from satsweep.games.record import Action, MoveReason
from satsweep.text import error_line

SHARE = 0.01
"""Share of the time of games that may go into playing some of them again."""
ACTIONS = (Action.OPEN, Action.FLAG)
REASONS = (MoveReason.START, MoveReason.DEDUCED, MoveReason.GUESSED)
"""Actions and reasons of moves, by their codes in the kernels."""


def has_twin(agent: str) -> bool:
    """Return whether kernels and Python both have an agent."""
    return agent in COMPILED_AGENTS and not AGENTS[agent.partition(":")[0]].compiled


def play_again(block: Block, by_kernels: Mapping[int, GameColumns | None]) -> PlayedAgain:
    """Play the first games of a block that kernels played again.

    ``by_kernels`` has the games of kernels by agent.
    """
    begun, games = time.perf_counter(), Counter[int]()
    difference = None
    for agent, played_once in by_kernels.items():
        if played_once is None or not has_twin(block.plan.agents[agent]):
            continue
        for result in played_once.chosen(slice(block.again)).results():
            difference = difference or difference_of(block, result)
            games[agent] += 1
    return PlayedAgain(dict(games), time.perf_counter() - begun, difference)


def difference_of(block: Block, result: Result) -> str | None:
    """The first difference between a game of the kernels and Python's; None if none."""
    name, setting, seed = block.plan.agents[result.agent], block.setting, block.plan.seed
    where = f"{name}, game {result.game:,} of {setting}, seed {seed}: kernels and Python differ"
    layout, rng = block.layout(result.game)
    try:
        record = play(layout, agent_named(name), setting.rules, rng, name=name)
    except Exception as error:
        return f"{where}: Python fails, {error_line(error)}"
    made = (move[:4] for move in record.moves)
    for number, (theirs, ours) in enumerate(zip_longest(_kernel_moves(block, result), made), 1):
        if theirs != ours:
            return f"{where} in move {number:,}: {_in_words(theirs)} by kernels, {_in_words(ours)} in Python"
    python = Result(block.index, result.game, result.agent, record.outcome.value, **counts_of(record))
    values = zip(Result._fields, result._replace(seconds=0.0), python, strict=True)
    differing = [f"{field} {theirs} by kernels, {ours} in Python" for field, theirs, ours in values if theirs != ours]
    return f"{where}: {'; '.join(differing)}" if differing else None


_Made = tuple[int, Action, Cell, MoveReason]
"""The first fields of a ``Move``."""


def _kernel_moves(block: Block, result: Result) -> list[_Made]:
    import numpy as np

    one = block.of_games(range(result.game, result.game + 1))
    moves = np.zeros((2 * one.setting.area, 4), np.int32)
    played(one.setting, one.plan.agents[result.agent], one.plan.seed, one.games, moves)
    return [
        (turn, ACTIONS[action], Cell(*divmod(cell, one.setting.cols)), REASONS[reason])
        for turn, action, cell, reason in moves.tolist()
        if turn >= 0
    ]


def _in_words(made: Any) -> str:
    if made is None:
        return "none"
    turn, action, cell, reason = made
    return f"{action.value} {cell} in turn {turn} ({reason.value})"


class Allowance:
    """Numbers of games to play again: one on each board, and more within ``SHARE``."""

    def __init__(self, settings: int) -> None:
        self._due = set(range(settings))
        self._is_out = False
        self._seconds = self._seconds_again = 0.0
        self._games_again = 0

    def take(self, setting: int) -> int:
        """Return the number of games of the next block of a setting to play again."""
        if setting in self._due:
            self._due.remove(setting)
            return 1
        if self._is_out or not self._games_again:
            return 0
        each = self._seconds_again / self._games_again
        found = max(0, int((SHARE * self._seconds - self._seconds_again) / each))
        self._is_out = found > 0
        return found

    def complete(self, block: Block, played: BlockResult | None) -> None:
        """Take note of a block that is finished, or lost if it was not played."""
        again = 0
        if played is not None:
            again = sum(played.again.games.values())
            self._seconds += played.seconds
            self._seconds_again += played.again.seconds
            self._games_again += again
        if block.again:
            self._is_out = False
            if not again:
                self._due.add(block.index)
