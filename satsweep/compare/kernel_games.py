"""Games of agents that are compiled: the same moves and the same measures, a hundred times as fast.

The kernels draw the layouts and play the games of a whole block in one go. What they have no room for, or no rules, is
played in Python, and nobody can tell from the results who played.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from satsweep.agents import deep, entry_named
from satsweep.games.rules import FirstClick, Goal, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.compare.plan import Plan
from satsweep.games.setting import Setting

COMPILED_AGENTS: dict[str, tuple[str, int]] = {
    "sat": ("sat", 0),
    "deep": ("deep", int(deep.LEVEL)),
    **{f"deep:{level}": ("deep", int(level)) for level in deep.LEVELS},
}
"""The agents that are compiled: how the kernels call them, and the level."""
MANY = 500
"""A run of at least so many games is worth the time that it takes to load the kernels, or to compile them once."""


class KernelGames(NamedTuple):
    """The games of an agent: for each its outcome as text, None if it is not for the kernels, and what was counted."""

    outcomes: tuple[str | None, ...]
    counts: NDArray[np.void]
    seconds: float


def worth_compiling(plan: Plan) -> bool:
    """Whether the kernels will play in a run: somebody is compiled, and there are many games.

    Or few, if somebody needs the kernels anyway, as he asks them move by move.
    """
    compiled = [agent for agent in plan.agents if agent in COMPILED_AGENTS]
    limits = [plan.limit(setting) for setting in range(len(plan.settings))]
    many = any(limit is None or limit >= MANY for limit in limits)
    anyway = any(entry_named(agent.partition(":")[0]).compiled for agent in compiled)
    suits = any(_suits(setting.rules) for setting in plan.settings)
    return bool(compiled) and (many or anyway) and suits and not plan.chains


def compile_for(plan: Plan, say: Callable[[str], None] = lambda line: None) -> None:
    """Compile what a plan needs if that was never done here, so that workers find it; ``say`` is told before."""
    if worth_compiling(plan):
        from satsweep.solver.compiled import compile_kernels  # loads what is compiled

        compile_kernels(
            say, deep=any(COMPILED_AGENTS[agent][0] == "deep" for agent in plan.agents if agent in COMPILED_AGENTS)
        )


def played(setting: Setting, agent: str, seed: str, games: range) -> KernelGames | None:
    """Play games of a run; None if this agent, or these rules, are not for the kernels."""
    if agent not in COMPILED_AGENTS or not _suits(setting.rules):
        return None
    from satsweep import kernels
    from satsweep.solver.compiled import table_of

    rules = setting.rules
    if setting.rows * setting.cols > kernels.CELLS or setting.topology.most > kernels.DEGREE:
        return None
    policy, level = COMPILED_AGENTS[agent]
    kernels.prepare(deep=policy == "deep")
    layouts, starts = _given(setting, games)
    start = None if rules.start is None else rules.start[0] * setting.cols + rules.start[1]
    begun = time.perf_counter()
    counts = kernels.play_games(
        table_of(setting.topology, setting.rows, setting.cols),
        setting.mines,
        seed,
        games,
        first=rules.first.value,
        start=start,
        cascade=rules.cascade,
        fatal=rules.fatal,
        layouts=layouts,
        starts=starts if start is None else None,
        policy=policy,
        level=level,
    )
    seconds = time.perf_counter() - begun
    outcomes = tuple(kernels.OUTCOMES[outcome] for outcome in counts["outcome"])
    return KernelGames(tuple(None if said in ("beyond", "no room") else said for said in outcomes), counts, seconds)


def _suits(rules: Rules) -> bool:
    return rules.goal is Goal.CLEAR and rules.tells_total and rules.clues.is_exact


def _given(setting: Setting, games: range) -> tuple[NDArray[np.int8] | None, list[int] | None]:
    """The layouts of these games, and their starts, if the setting has some."""
    import numpy as np

    if not setting.layouts:
        return None, None
    chosen = setting.layouts[: len(games)]
    rows = [[symbol == "*" for row in layout.cells for symbol in row] for layout in chosen]
    starts = None
    if setting.rules.first is FirstClick.GIVEN:
        starts = [
            -1 if layout.start is None else layout.start.row * layout.cols + layout.start.col for layout in chosen
        ]
    return np.array(rows, np.int8), starts
