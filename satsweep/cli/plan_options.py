"""What a command line wants to be compared, as a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from satsweep.cli import options

if TYPE_CHECKING:
    from satsweep.compare.plan import Plan
    from satsweep.games.rules import Rules
    from satsweep.games.setting import Setting


def planned(
    name: str | None,
    agents: str | None,
    boards: list[str] | None,
    topology: str | None,
    layouts: list[str] | None,
    ruled: dict[str, Any],
) -> Plan:
    """The plan of that name, or the one that everybody gets who names none, changed as the options say."""
    from dataclasses import replace as changed

    from satsweep.compare.planfile import plan_named, read_plan

    plan = plan_named("default") if name is None else read_plan(name) if name.endswith(".toml") else _plan_named(name)
    usual = plan.settings[0].rules
    if agents is not None:
        plan = changed(plan, agents=tuple(dict.fromkeys(part.strip() for part in agents.split(","))))
        usual = _rules_of_agents(plan.agents, usual)
    if name is None:
        rules = options.rules_of(usual, **ruled)
        plan = changed(plan, settings=_settings(boards, topology, layouts, rules, bool(ruled)))
        if boards or topology or layouts or ruled:
            plan = changed(plan, name="", title="")
    return plan


def limited(plan: Plan, games: int | None, seconds: float | None, until: float | None, seed: str | None) -> Plan:
    """The plan, ended by these limits instead of its own where there are any, and with this seed."""
    from dataclasses import replace as changed

    if (games, seconds, until) != (None, None, None):
        plan = changed(plan, games=games, seconds=seconds, until=until)
    return plan if seed is None else changed(plan, seed=seed)


def _plan_named(name: str) -> Plan:
    from satsweep.compare.planfile import plan_named

    try:
        return plan_named(name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--plan'") from None


def _rules_of_agents(names: tuple[str, ...], usual: Rules) -> Rules:
    """The rules that all agents were made for, if they are the same special ones; the usual ones otherwise."""
    from satsweep.agents.load import load_agent
    from satsweep.games.rules import STANDARD_RULES

    try:
        made_for = {load_agent(name).rules for name in names}
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--agents'") from None
    rules = made_for.pop() if len(made_for) == 1 else STANDARD_RULES
    return usual if rules == STANDARD_RULES else rules


def _settings(
    boards: list[str] | None, topology: str | None, layouts: list[str] | None, rules: Rules, ruled: bool
) -> tuple[Setting, ...]:
    """Boards by their names or sizes, or layouts from files, which begin where they say if nobody says otherwise."""
    from dataclasses import replace as changed

    from satsweep.errors import BoardError
    from satsweep.formats import read_layouts
    from satsweep.games.rules import FirstClick
    from satsweep.games.setting import settings_by_kind

    if layouts:
        found = [layout for file in layouts for layout in read_layouts(file)]
        if not ruled and all(layout.start is not None for layout in found):
            rules = changed(rules, first=FirstClick.GIVEN, start=None)
        return settings_by_kind(found, rules)
    try:
        return tuple(_setting(board, topology or "square", rules) for board in boards or ["expert"])
    except BoardError as error:
        raise typer.BadParameter(error.message, param_hint="'--board'") from None


def _setting(board: str, topology: str, rules: Rules) -> Setting:
    import re
    from fractions import Fraction

    from satsweep.games.deal import LEVELS
    from satsweep.games.setting import Setting
    from satsweep.topology import topology_named

    if board in LEVELS:
        return Setting(*LEVELS[board], rules, topology_named(topology))
    found = re.fullmatch(r"(\d{1,7})x(\d{1,7})/(\d{1,7}|0?\.\d{1,9})", board, re.ASCII)
    if found is None:
        expected = f"{', '.join(LEVELS)}, or rows x cols / mines or density, as 16x30/99 or 16x30/0.2"
        raise typer.BadParameter(f"expected {expected}, found {board!r}", param_hint="'--board'")
    rows, cols = int(found[1]), int(found[2])
    mines = round(Fraction(found[3]) * rows * cols) if "." in found[3] else int(found[3])
    return Setting(rows, cols, mines, rules, topology_named(topology))
