"""Games that the kernels play, with the same moves and measures as in Python.

They are a hundred times as fast. The kernels draw the layouts and play the games of a whole block in one go. Games for
which they have no room or no rules are played in Python; nothing but the time shows which of the two played.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from satsweep.agents import deep
from satsweep.games.rules import FirstClick, Goal
from satsweep.games.setting import Setting
from satsweep.solver import compiled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.arena.plan import Plan, PlayedBy

COMPILED_AGENTS: dict[str, tuple[str, int]] = {
    "sat": ("sat", 0),
    "deep": ("deep", int(deep.LEVEL)),
    **{f"deep:{level}": ("deep", int(level)) for level in deep.LEVELS},
}
"""Policy and level of every agent that is compiled."""


class KernelGames(NamedTuple):
    """Games of an agent: outcome and measures of each, processor time of all.

    An outcome of None leaves the game to Python.
    """

    outcomes: tuple[str | None, ...]
    counts: NDArray[np.void]
    seconds: float


def part_for(setting: Setting, agent: str) -> compiled.Part | None:
    """Part of the kernels that plays an agent's games; None if Python plays them."""
    rules = setting.rules
    suits = rules.goal is Goal.CLEAR and rules.tells_total and rules.clues.is_exact
    if agent not in COMPILED_AGENTS or not suits or not compiled.fits(setting.area, setting.topology):
        return None
    return "deep" if COMPILED_AGENTS[agent][0] == "deep" else "games"


def may_play(plan: Plan, setting: int, agent: int) -> bool:
    """Return whether kernels play an agent's games where they are compiled."""
    return not plan.needs_python and part_for(plan.settings[setting], plan.agents[agent]) is not None


def parts_for(plan: Plan, played_by: PlayedBy = "auto") -> tuple[compiled.Part, ...]:
    """Parts of the kernels that play games of a plan, or that its agents ask."""
    found = {part_for(setting, agent) for setting in plan.settings for agent in plan.agents}
    if plan.needs_python or played_by == "python":
        return ("deep",) if "deep" in found else ()
    return ("games", "deep") if "deep" in found else ("games",) if "games" in found else ()


def played(setting: Setting, agent: str, seed: str, games: range, place: Path | None = None) -> KernelGames | None:
    """Games of a run, played by the kernels; None if they cannot play them.

    ``place`` is a directory that keeps the kernels; these are loaded, never compiled here.
    """
    part, rules = part_for(setting, agent), setting.rules
    if part is None or not all(compiled.library.load(one, place) for one in {"games", part}):
        return None
    policy, level = COMPILED_AGENTS[agent]
    layouts, starts = _given(setting, games)
    start = None if rules.start is None else rules.start.row * setting.cols + rules.start.col
    begun = time.thread_time()
    counts = compiled.play_games(
        compiled.table_of(setting.topology, setting.rows, setting.cols),
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
    seconds = max(time.thread_time() - begun, 1e-9)  # above 0, the sign of games that kernels played
    outcomes = tuple(compiled.OUTCOMES[outcome] for outcome in counts["outcome"])
    return KernelGames(tuple(None if name in ("beyond", "no room") else name for name in outcomes), counts, seconds)


def _given(setting: Setting, games: range) -> tuple[NDArray[np.int8] | None, list[int] | None]:
    """Given layouts of these games as rows of 0 and 1, and their starts, or None."""
    import numpy as np

    if not setting.layouts:
        return None, None
    chosen = setting.layouts[: len(games)]
    rows = [[symbol == "*" for symbol in layout.symbols] for layout in chosen]
    starts = None
    if setting.rules.first is FirstClick.GIVEN:
        starts = [-1 if layout.start is None else layout.index(layout.start) for layout in chosen]
    return np.array(rows, np.int8), starts
