"""Play of a block: kernels play what they can, Python the rest, some games twice.

If an agent fails, its game is lost, and the row says how it failed; agents from outside this package play in processes
of their own, so they cost no other game.
"""

from __future__ import annotations

import time
from contextlib import ExitStack

from satsweep.agents.isolated import isolated
from satsweep.agents.load import LoadedAgent
from satsweep.arena.blocks import Block, BlockResult
from satsweep.arena.kernel_games import kernel_results
from satsweep.arena.played_again import play_again
from satsweep.arena.python_games import python_results
from satsweep.arena.versions import versions
from satsweep.text import error_line


def play_block(block: Block) -> BlockResult:
    """Play a block: each agent on the same layouts with the same random numbers."""
    with ExitStack() as held:
        loaded = [(agent, _loaded(block.plan.agents[agent], block, held)) for agent in block.agents]
        begun = time.perf_counter()
        by_kernels = {agent: kernel_results(block, agent) for agent in block.agents}
        results = []
        for game in block.games:
            results += [found[game] for found in by_kernels.values() if game in found]
            if left := [(agent, found) for agent, found in loaded if game not in by_kernels[agent]]:
                results += python_results(block, game, left)
        seconds = time.perf_counter() - begun
    return BlockResult(results, seconds, versions(), play_again(block, by_kernels))


def _loaded(name: str, block: Block, held: ExitStack) -> LoadedAgent | str:
    """The agent with a name, or the reason why it cannot be loaded here."""
    try:
        return held.enter_context(isolated(name, block.plan.game_seconds, keep=True))
    except Exception as error:
        return error_line(error)
