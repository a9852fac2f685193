"""Help in panels of typer: what is usual with ``--help``, all with ``--help-all``.

The readers of Markdown and of tracebacks are left out. typer imports both with its panels, for help in Markdown and for
errors of programs. The command has neither, and they would take a third of the time of ``satsweep --help``.
"""

import re
import sys
from copy import copy
from functools import cached_property
from types import ModuleType
from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption

from satsweep.cli.usual import USUAL_COMMANDS, USUAL_OPTIONS

_WHOLE = "satsweep.whole_help"
"""Key of a context whose help is to show everything."""

UNUSED = {"rich.markdown": "Markdown", "rich.traceback": "Traceback"}
"""Modules that the panels never use, and the class that typer takes from each."""


def import_panels() -> None:
    """Import typer's panels; meanwhile empty modules stand in for the unused ones."""
    stand_ins = {name: ModuleType(name) for name in UNUSED if name not in sys.modules}
    for name, module in stand_ins.items():
        setattr(module, UNUSED[name], type(UNUSED[name], (), {}))
    sys.modules.update(stand_ins)
    try:
        import typer.rich_utils  # noqa: F401
    finally:
        for name in stand_ins:
            sys.modules.pop(name)


class _PanelledHelp:
    """Help in panels, with ``--help-all`` where something is left out."""

    name: str | None

    @cached_property
    def help_all(self) -> TyperOption:
        return TyperOption(
            param_decls=["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_print_whole_help
        )

    def get_params(self, ctx: Any) -> list[Any]:
        return [*super().get_params(ctx), self.help_all]  # type: ignore[misc]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        import_panels()
        shown: Any = copy(self)
        params = self._shown_params(ctx)
        shown.get_params = lambda _: params
        if isinstance(self, TyperGroup) and not ctx.meta.get(_WHOLE):
            listed = self.list_commands(ctx)
            shown.list_commands = lambda _: [name for name in listed if name in USUAL_COMMANDS]
            more = ", ".join(name for name in listed if name not in USUAL_COMMANDS)
            shown.epilog = f"More, which `satsweep help all` explains: {more}."
        super(_PanelledHelp, shown).format_help(ctx, formatter)  # type: ignore[misc]

    def _shown_params(self, ctx: Any) -> list[Any]:
        """Arguments, and the options in their panels, as this help says them."""
        *params, help, help_all = map(copy, self.get_params(ctx))
        options = [one for one in params if isinstance(one, TyperOption)]
        usual = USUAL_OPTIONS.get(self.name or "satsweep", [str(one.name).replace("_", "-") for one in options])
        whole = bool(ctx.meta.get(_WHOLE))
        shown = []
        for param in params:
            if isinstance(param, TyperOption):
                is_usual = str(param.name).replace("_", "-") in usual
                if not (is_usual or whole):
                    continue
                param.rich_help_panel = None if is_usual else "More options"
                _say_choices(param)
            shown.append(param)
        folded = len(options) > len(usual) or isinstance(self, TyperGroup)
        help_all.help = f"Show all {len(options)} options{', and all commands' * isinstance(self, TyperGroup)}."
        return [*shown, help, *([help_all] if folded else [])]


def _print_whole_help(ctx: Any, param: Any, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[_WHOLE] = True
        print(ctx.get_help())
        ctx.exit()


def _say_choices(option: TyperOption) -> None:
    """Move the choices of an option from its metavariable into its text."""
    metavar = option.metavar or ""
    choices = list(map(str, getattr(option.type, "choices", ())))
    if metavar.startswith("<"):
        choices = metavar.strip("<>").split("|")
    if choices:
        option.metavar = "NAME"
        text = option.help or ""
        if not set(choices) <= set(re.findall(r"[\w-]+", text)):
            option.help = f"{text} Choices: {', '.join(choices)}."


class PanelledCommand(_PanelledHelp, TyperCommand):
    """A command of typer that prints its help in panels."""


class PanelledGroup(_PanelledHelp, TyperGroup):
    """A group of commands of typer that prints its help in panels."""
