"""Plan of the arena, made from the options of ``compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from satsweep.cli.option_groups import SPRT_OPTIONS, RuleChanges, Sizes, naming_options_of
from satsweep.cli.options import loaded_agent, naming_options

if TYPE_CHECKING:
    from satsweep.arena.plan import Plan
    from satsweep.arena.sprt import Sprt
    from satsweep.games.rules import Rules
    from satsweep.games.setting import Setting


def plan_of_options(
    name: str | None,
    agents: str | None,
    sizes: Sizes,
    layouts: list[str] | None,
    changes: RuleChanges,
    game_seconds: float | None,
) -> Plan:
    """Plan of a name or default plan, with the agents, boards and rules of options."""
    from dataclasses import replace

    from satsweep.games.setting import shared_rules

    plan = _plan_named(name)
    if game_seconds is not None:
        plan = replace(plan, game_seconds=game_seconds or None)
    default = plan.settings[0].rules
    if agents is not None:
        plan = replace(plan, agents=tuple(dict.fromkeys(part.strip() for part in agents.split(","))))
        made_for = []
        for agent in plan.agents:
            with loaded_agent(agent, "--agents", plan.game_seconds or 0) as loaded:
                made_for.append(loaded.rules)
        default = shared_rules(made_for, default)
    if name is None:
        with naming_options_of(changes, None if layouts else sizes):
            plan = replace(plan, settings=_settings(sizes, layouts, default, changes))
        if sizes.given or layouts or changes.given:
            plan = replace(plan, name="", title="")
    return plan


def input_files(plan: str | None, agents: str | None, layouts: list[str] | None) -> dict[str, list[str]]:
    """Files that the options make a comparison read, by option."""
    from satsweep.agents.fingerprint import source_files
    from satsweep.arena.planfile import files_of

    named = [] if agents is None else [part.strip() for part in agents.split(",")]
    planned = [] if plan is None or not plan.endswith(".toml") else files_of(plan)
    return {
        "--agents": [str(file) for name in named for file in source_files(name)],
        "--plan": [str(file) for file in planned],
        "--layouts": layouts or [],
    }


def with_limits(
    plan: Plan,
    games: int | None,
    seconds: float | None,
    until: float | None,
    sprt: Sprt | None,
    seed: str | None,
    plays: int | None,
) -> Plan:
    """Plan with these limits in place of its own if any is given, this seed and plays."""
    from dataclasses import replace

    if (games, seconds, until, sprt) != (None, None, None, None):
        with naming_options(SPRT_OPTIONS):
            plan = replace(plan, games=games, seconds=seconds, until=until, sprt=sprt)
    if plays is not None:
        plan = replace(plan, plays=plays)
    return plan if seed is None else replace(plan, seed=seed)


def _plan_named(name: str | None) -> Plan:
    """Built-in plan, or plan of a file ``NAME.toml``; for None the default plan."""
    from satsweep.arena.planfile import plan_named, read_plan

    if name is not None and name.endswith(".toml"):
        return read_plan(name)
    try:
        return plan_named("default" if name is None else name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--plan'") from None


def _settings(sizes: Sizes, layouts: list[str] | None, base: Rules, changes: RuleChanges) -> tuple[Setting, ...]:
    """Settings of boards by name or size, or of layouts from files.

    Games on layouts begin at the starts of the layouts, if every layout has one and no rule option is given.
    """
    from satsweep.formats import read_layouts
    from satsweep.games.setting import Setting, settings_by_kind
    from satsweep.topology import topology_named

    if layouts:
        played = [layout for file in layouts for layout in read_layouts(file)]
        return settings_by_kind(played, changes.applied_to(base), from_starts=not changes.given)
    topology = topology_named(sizes.topology or "square")
    boards = sizes.board or ["expert"]
    return tuple(Setting(*sizes.over(board), changes.applied_to(base, sizes, board), topology) for board in boards)
