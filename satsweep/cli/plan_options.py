"""Plan of the arena, made from the options of ``compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from satsweep.cli.option_groups import RuleChanges

if TYPE_CHECKING:
    from satsweep.compare.plan import Plan
    from satsweep.games.rules import Rules
    from satsweep.games.setting import Setting


def plan_of_options(
    name: str | None,
    agents: str | None,
    boards: list[str] | None,
    topology: str | None,
    layouts: list[str] | None,
    changes: RuleChanges,
    game_seconds: float | None,
) -> Plan:
    """Plan of a name or default plan, with the agents, boards and rules of options."""
    from dataclasses import replace

    plan = _plan_named(name)
    if game_seconds is not None:
        plan = replace(plan, game_seconds=game_seconds or None)
    default = plan.settings[0].rules
    if agents is not None:
        plan = replace(plan, agents=tuple(dict.fromkeys(part.strip() for part in agents.split(","))))
        default = _rules_of_agents(plan, default)
    if name is None:
        rules = changes.applied_to(default)
        plan = replace(plan, settings=_settings(boards, topology, layouts, rules, changes.given))
        if boards or topology or layouts or changes.given:
            plan = replace(plan, name="", title="")
    return plan


def input_files(plan: str | None, agents: str | None, layouts: list[str] | None) -> dict[str, list[str]]:
    """Files that the options make a comparison read, by option."""
    from satsweep.agents.fingerprint import source_files
    from satsweep.compare.planfile import files_of

    named = [] if agents is None else [part.strip() for part in agents.split(",")]
    planned = [] if plan is None or not plan.endswith(".toml") else files_of(plan)
    return {
        "--agents": [str(file) for name in named for file in source_files(name)],
        "--plan": [str(file) for file in planned],
        "--layouts": layouts or [],
    }


def with_limits(plan: Plan, games: int | None, seconds: float | None, until: float | None, seed: str | None) -> Plan:
    """Plan with these limits in place of its own if any is given, and with this seed."""
    from dataclasses import replace

    if (games, seconds, until) != (None, None, None):
        plan = replace(plan, games=games, seconds=seconds, until=until)
    return plan if seed is None else replace(plan, seed=seed)


def _plan_named(name: str | None) -> Plan:
    """Built-in plan, or plan of a file ``NAME.toml``; for None the default plan."""
    from satsweep.compare.planfile import plan_named, read_plan

    if name is not None and name.endswith(".toml"):
        return read_plan(name)
    try:
        return plan_named("default" if name is None else name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--plan'") from None


def _rules_of_agents(plan: Plan, default: Rules) -> Rules:
    """Rules that all agents were made for, unless standard; else the default."""
    from satsweep.agents.isolated import rules_of
    from satsweep.games.rules import STANDARD_RULES

    try:
        made_for = {rules_of(name, plan.game_seconds) for name in plan.agents}
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--agents'") from None
    rules = made_for.pop() if len(made_for) == 1 else STANDARD_RULES
    return default if rules == STANDARD_RULES else rules


def _settings(
    boards: list[str] | None, topology: str | None, layouts: list[str] | None, rules: Rules, given: bool
) -> tuple[Setting, ...]:
    """Settings of boards by name or size, or of layouts from files.

    Games on layouts begin at the starts of the layouts, if every layout has one and no rule option is ``given``.
    """
    from dataclasses import replace

    from satsweep.errors import BoardError
    from satsweep.formats import read_layouts
    from satsweep.games.rules import FirstClick
    from satsweep.games.setting import settings_by_kind

    if layouts:
        played = [layout for file in layouts for layout in read_layouts(file)]
        if not given and all(layout.start is not None for layout in played):
            rules = replace(rules, first=FirstClick.GIVEN, start=None)
        return settings_by_kind(played, rules)
    try:
        return tuple(_setting(board, topology or "square", rules) for board in boards or ["expert"])
    except BoardError as error:
        raise typer.BadParameter(error.message, param_hint="'--board'") from None


def _setting(board: str, topology: str, rules: Rules) -> Setting:
    """Setting of a level (``expert``) or a size (``16x30/99``, ``16x30/0.2``)."""
    import re
    from fractions import Fraction

    from satsweep.games.deal import LEVELS
    from satsweep.games.setting import Setting
    from satsweep.topology import topology_named

    if board in LEVELS:
        return Setting(*LEVELS[board], rules, topology_named(topology))
    match = re.fullmatch(r"(\d{1,7})x(\d{1,7})/(\d{1,7}|0?\.\d{1,9})", board, re.ASCII)
    if match is None:
        expected = f"{', '.join(LEVELS)}, or rows x cols / mines or density, as 16x30/99 or 16x30/0.2"
        raise typer.BadParameter(f"expected {expected}, found {board!r}", param_hint="'--board'")
    rows, cols = int(match[1]), int(match[2])
    mines = round(Fraction(match[3]) * rows * cols) if "." in match[3] else int(match[3])
    return Setting(rows, cols, mines, rules, topology_named(topology))
