"""Block queue: which block to play next, and what becomes of lost blocks.

Every block is about a second of work. While kernels are compiled Python plays, in smaller blocks; agents that only
kernels can play wait, and play their part of each block later. The time of the first games decides if compiling is
worth it. If a worker dies, all blocks that were out are lost, and any of them may hold a
poison task: a game that kills each worker that plays it. Each of these blocks is a suspect. It is played again with no
other block out; if it is lost again it is bisected, down to the game that kills, which is reported as failed and not
played again.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from operator import attrgetter
from pathlib import Path

from satsweep.arena.blocks import Block, BlockResult
from satsweep.arena.kernel_games import part_for
from satsweep.arena.plan import Plan, PlayedBy
from satsweep.arena.progress import RunProgress
from satsweep.arena.result import Result
from satsweep.errors import AgentError, WorkersError
from satsweep.solver.background import Kernels

BLOCK_SECONDS = 1.0
"""Target time of a block; a 20th of the run if the run takes less than 20 s."""
PYTHON_BLOCK_SECONDS = 0.1
"""Target time of a block in Python where kernels may take over."""
MEASURED = 8
"""Games of compiled agents after which it is known how fast Python plays them."""
WORTH = 0.25
"""Shortest run in Python that kernels are compiled for, as a share of that time."""
MAX_GROWTH = 8
"""Maximum growth from one block to the next: the first games may be the shortest."""
MAX_POISON_TASKS = 10
"""A run is given up at this number of games that killed their workers."""
_COUNTED_BY = attrgetter("setting", "agent", "won", "failed")


class BlockQueue:
    """Blocks left to play: suspects first, then the setting that is furthest behind."""

    def __init__(
        self,
        plan: Plan,
        finished: Mapping[int, list[range]],
        progress: RunProgress,
        jobs: int,
        kernels: Kernels | None = None,
        played_by: PlayedBy = "auto",
    ) -> None:
        self._plan = plan
        self._played_by = played_by
        self._jobs = jobs
        self._kernels = kernels or Kernels()
        self._progress = progress
        self._gaps = [_gaps(finished.get(index, []), plan.limit(index)) for index in range(len(plan.settings))]
        self._gap = [next(gaps, None) for gaps in self._gaps]
        self._size = [1] * len(self._gap)
        self._sent = [0] * len(self._gap)
        self._suspects: deque[tuple[Block, int]] = deque()
        """Blocks that were lost, and how often."""
        self._later: deque[Block] = deque()
        """Blocks of agents that wait for kernels."""
        self._polite = False
        self._python_games, self._python_seconds = 0, 0.0
        """Games that kernels would have played, and the time that Python took for them."""
        self._poison_tasks = 0
        self._block_seconds = min(BLOCK_SECONDS, (plan.seconds or 60) / 20)

    @property
    def has_suspects(self) -> bool:
        """True if the next block must be the only one out.

        If a worker dies then, that block has killed it.
        """
        return bool(self._suspects)

    def is_empty(self) -> bool:
        """True if no block is left to send out."""
        if self._suspects or self._later:
            return False
        return self._is_late() or not self._open_settings()

    def _is_late(self) -> bool:
        return self._plan.seconds is not None and self._progress.seconds >= self._plan.seconds

    def _open_settings(self) -> list[int]:
        return [index for index, gap in enumerate(self._gap) if gap is not None and not self._progress.is_enough(index)]

    def next_block(self) -> Block | None:
        """The next block to send out; None if none is left, or all wait for kernels.

        Raises AgentError if agents wait in vain.
        """
        if self._suspects:
            return self._suspects[0][0]
        if self._later and not self._waiting(self._later[0].index):
            return replace(self._later.popleft(), kernels=self._place)
        if not self._open_settings() or self._is_late():
            self._check_wait(self._later)
            return None
        setting = min(self._open_settings(), key=self._sent_share)
        waiting = self._waiting(setting)
        if len(waiting) == len(self._plan.agents):
            self._check_wait(waiting)
            return None
        gap = self._gap[setting]
        assert gap is not None
        first, end = gap
        games = self._size[setting]
        if end is not None:
            # Blocks become smaller towards the end, so that all workers end at about the same time.
            games = min(games, max(1, (end - first) // (2 * self._jobs)))
        self._gap[setting] = next(self._gaps[setting], None) if first + games == end else (first + games, end)
        self._sent[setting] += games
        block = replace(self._block(setting, first, games, kernels=self._place), polite=self._polite)
        if not waiting:
            return block
        self._later.append(self._block(setting, first, games, waiting))
        return replace(block, agents=tuple(agent for agent in block.agents if agent[0] not in waiting))

    def _block(
        self,
        setting: int,
        first: int,
        games: int,
        agents: Sequence[int] | None = None,
        kernels: Path | None = None,
    ) -> Block:
        block = Block.of(self._plan, setting, first, games, agents, kernels)
        return replace(block, in_python=True) if self._played_by == "python" else block

    @property
    def _place(self) -> Path | None:
        """Directory that keeps the kernels of the next block, if they are there."""
        parts = self._kernels.parts
        return self._kernels.place(parts[0]) if parts else None

    def _waiting(self, setting: int) -> list[int]:
        """Agents that cannot play in a setting before their kernels are there."""
        needed = {"deep"} if self._played_by != "kernels" else {"games", "deep"}
        needed.intersection_update(self._kernels.missing)
        kind = self._plan.settings[setting]
        return [agent for agent, name in enumerate(self._plan.agents) if needed and part_for(kind, name) in needed]

    def _check_wait(self, waiting: Collection[object]) -> None:
        """Raise AgentError if something waits for kernels in vain."""
        if waiting and self._kernels.have_failed:
            subject = "this way of playing" if self._played_by == "kernels" else "deep"
            raise AgentError(f"{subject} needs kernels, which could not be compiled")

    def steer(self) -> bool:
        """Begin to compile if that is worth it; return whether to spare a processor.

        The compiler gets it, and Python, which plays meanwhile, the lowest priority. If Python is done earlier, it is
        the other way round: the compiler works for later runs.
        """
        kernels = self._kernels
        is_needed = any(map(self._waiting, range(len(self._gap))))
        if is_needed:
            kernels.begin()
        left = self._python_seconds_left()
        if not kernels.have_begun and left > WORTH * kernels.seconds_left:
            kernels.begin(polite=left < kernels.seconds_left)
        self._polite = kernels.are_compiling and (left >= kernels.seconds_left or is_needed)
        if kernels.are_compiling and not self._polite:
            kernels.make_polite()
        return self._polite and self._jobs >= processors()

    def _python_seconds_left(self) -> float:
        """Estimated time for Python to play the games that kernels can; 0 if unknown."""
        if self._python_games < MEASURED:
            return 0.0
        plan, left = self._plan, [inf]
        limits = [plan.limit(setting) for setting in range(len(self._gap))]
        if None not in limits:
            games = sum(limit for limit in limits if limit is not None) * len(plan.agents) - self._progress.played
            left.append(games / len(plan.agents) * self._python_seconds / self._python_games / self._jobs)
        if plan.seconds is not None:
            left.append(plan.seconds - self._progress.seconds)
        if plan.until is not None:
            left.append(self._progress.seconds_left or inf)
        return min(left)

    def _sent_share(self, setting: int) -> float:
        limit = self._plan.limit(setting)
        return self._sent[setting] / limit if limit else self._sent[setting]

    def complete(self, block: Block, played: BlockResult | None) -> list[Result]:
        """Take a block back; return its results.

        A block that was lost, with None in place of its results, has none, unless it is a poison task.
        """
        is_suspect = bool(self._suspects) and self._suspects[0][0] is block
        losses = self._suspects.popleft()[1] if is_suspect else 0
        if played is None:
            return self._lost(block, losses + 1)
        self._measure(block, played)
        if not is_suspect and block.kernels == self._place:
            may_change = block.kernels is None and self._kernels.parts
            target = min(self._block_seconds, PYTHON_BLOCK_SECONDS) if may_change else self._block_seconds
            wanted = block.games * target / max(played.seconds, 1e-6)
            self._size[block.index] = max(1, int(min(wanted, MAX_GROWTH * block.games)))
        self._count(played.results)
        return played.results

    def _measure(self, block: Block, played: BlockResult) -> None:
        """Add the time of games that kernels could have played: those of negative time."""
        replaced = -sum(min(result.seconds, 0.0) for result in played.results)
        if replaced:
            self._python_games += block.games
            self._python_seconds += played.seconds * replaced / sum(abs(result.seconds) for result in played.results)

    def _lost(self, block: Block, losses: int) -> list[Result]:
        """Queue a lost block again, whole or bisected; report a poison task as failed."""
        if losses < 2:
            self._suspects.append((block, losses))
        elif block.units > 1:
            self._suspects.extendleft((half, 1) for half in reversed(block.halves()))
        else:
            self._poison_tasks += 1
            results = block.failures("the worker that played it died")
            if self._poison_tasks >= MAX_POISON_TASKS:
                name = block.agents[0][1]
                raise WorkersError(
                    f"{self._poison_tasks} games killed their workers, the last one of {name}; giving up"
                )
            self._count(results)
            return results
        return []

    def _count(self, results: list[Result]) -> None:
        for (setting, agent, won, failed), games in Counter(map(_COUNTED_BY, results)).items():
            self._progress.add(setting, agent, games, games * won, games * failed)
        if self._progress.test is not None:
            self._progress.test.add_results(results)


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _gaps(finished: list[range], limit: int | None) -> Iterator[tuple[int, int | None]]:
    """Games below the limit that the ranges leave out, as (first, last + 1).

    Without a limit the last gap has no end.

    >>> list(_gaps([range(2, 5)], 9)), list(_gaps([range(0, 5)], None))
    ([(0, 2), (5, 9)], [(5, None)])
    """
    first = 0
    for games in finished:
        if limit is not None and games.start >= limit:
            break
        if first < games.start:
            yield first, games.start
        first = games.stop
    if limit is None or first < limit:
        yield first, limit
