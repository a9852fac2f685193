"""Play of a block: kernels play what they can, Python the rest, some games twice.

If an agent fails, its game is lost, and the row says how it failed; agents from outside this package play in processes
of their own, so they cost no other game.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from satsweep.agents.child_process import AgentDied
from satsweep.agents.isolated import isolated
from satsweep.agents.load import LoadedAgent
from satsweep.arena.blocks import Block, BlockResult, versions
from satsweep.arena.game_columns import GameColumns
from satsweep.arena.kernel_games import kernel_games, suits
from satsweep.arena.packed_games import PackedGames
from satsweep.arena.played_again import play_again
from satsweep.arena.result import FAILED, Result, counts_of
from satsweep.board import Board
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Guess
from satsweep.games.game import play
from satsweep.games.record import MoveReason, Record
from satsweep.solver import compiled
from satsweep.text import error_line

Subject = tuple[int, LoadedAgent | str]
"""An agent of a plan by its index: loaded, or the reason why it cannot be."""


def play_block(block: Block) -> BlockResult:
    """Play a block: each agent on the same layouts with the same random numbers."""
    with ExitStack() as held:
        loaded = [(agent, _loaded(block.plan.agents[agent], block, held)) for agent in block.agents]
        begun = time.perf_counter()
        by_kernels = {agent: kernel_games(block, agent) for agent in block.agents}
        left = defaultdict(list)
        for agent, found in loaded:
            for game in _missing(block.games, by_kernels[agent]):
                left[game].append((agent, found))
        results = [result for game in sorted(left) for result in python_results(block, game, left[game])]
        games = GameColumns.joined([GameColumns.of(block.index, results), *filter(None, by_kernels.values())])
        packed = PackedGames.of(games, (result for result in results if result.failed))
        seconds = time.perf_counter() - begun
    return BlockResult(packed, seconds, versions(), play_again(block, by_kernels))


def _missing(games: range, played: GameColumns | None) -> Collection[int]:
    """The games of a block that kernels left to Python."""
    if played is None:
        return games
    return {*games}.difference(played.arrays["game"].tolist()) if len(played) < len(games) else ()


def _loaded(name: str, block: Block, held: ExitStack) -> LoadedAgent | str:
    """The agent with a name, or the reason why it cannot be loaded here."""
    try:
        return held.enter_context(isolated(name, block.plan.game_seconds, keep=True))
    except Exception as error:
        return error_line(error)


def python_results(block: Block, game: int, subjects: Sequence[Subject]) -> list[Result]:
    """Results of a game for some agents: same layout, same random numbers."""
    layout, drawn = block.layout(game)
    state = drawn.getstate()

    def result(agent: int, found: LoadedAgent | str) -> Result:
        if isinstance(found, str):
            return Result(block.index, game, agent, FAILED, message=found, layout=str(layout))
        chances: list[Fraction] = []

        def recorded() -> Record:
            rng = Random()
            rng.setstate(state)
            chances.clear()
            player = stating(found.fresh(), chances) if block.plan.calibration else found.fresh()
            return play(layout, player, block.setting.rules, rng, name=found.name, agent_rng=block.agent_rng(game))

        try:
            try:
                record = recorded()
            except AgentDied:  # once more, as the reason may lie outside of the agent
                record = recorded()
            counts = _all_counts_of(record, block, chances)
        except Exception as error:
            return Result(block.index, game, agent, FAILED, message=error_line(error), layout=str(layout))
        seconds = -record.seconds if _replaces_kernels(block, agent) else record.seconds
        return Result(block.index, game, agent, record.outcome.value, seconds=seconds, **counts)

    return [result(*subject) for subject in subjects]


def _replaces_kernels(block: Block, agent: int) -> bool:
    """Return whether kernels would have played, much faster, had they been asked."""
    in_place = block.in_python or not compiled.is_there()
    return in_place and not block.plan.needs_python and suits(block.setting, block.plan.agents[agent])


def _all_counts_of(record: Record, block: Block, chances: Sequence[Fraction]) -> dict[str, Any]:
    plan = block.plan
    counts = counts_of(record) | (chain_counts_of(record) if plan.chains else {})
    if plan.evaluations:
        counts["evaluations"] = record.evaluations
    if plan.calibration:
        counts["risks"] = risks_of(record)
        counts["win_chances"] = " ".join(str(round(1_000_000 * chance)) for chance in chances)
    return counts


def chain_counts_of(record: Record) -> dict[str, int]:
    """The counts on chains of influence, by their names in ``Result``.

    Empty where the claims of the game do not name their clues.
    """
    from satsweep.why.influence import chains

    try:
        influence = chains(record)
    except AgentError:
        return {}
    return {"chain": influence.length, "reach": influence.reach, "breadth": influence.breadth}


def risks_of(record: Record) -> str:
    """The risks stated with guesses, in millionths, negative where a mine was hit."""
    stated = [move for move in record.moves if move.reason is MoveReason.GUESSED and move.risk is not None]
    return " ".join(f"{'-' if move.exploded else ''}{round(1_000_000 * (move.risk or 0))}" for move in stated)


def stating(agent: Agent, chances: list[Fraction]) -> Agent:
    """The agent, which adds the chances to win that it states to a list.

    Raises AgentError in a game with a chance that is no probability.
    """

    def guess(board: Board, rng: Random) -> Guess | None:
        found = Guess.of(agent.guess(board, rng), board)
        if found is not None and found.wins is not None:
            if not 0 <= found.wins <= 1:
                raise AgentError(f"expected a chance to win from 0 to 1, found {found.wins!s:.40}")
            chances.append(Fraction(found.wins))
        return found

    return replace(agent, guess=guess)
