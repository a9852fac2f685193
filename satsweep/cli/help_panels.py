"""Help in typer's panels, without the readers of Markdown and of tracebacks.

typer imports both with its panels, for help in Markdown and for errors of programs. The command has neither, and they
would take a third of the time of ``satsweep --help``.
"""

import sys
from types import ModuleType
from typing import Any

from typer.core import TyperCommand, TyperGroup

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


class PanelledCommand(TyperCommand):
    """A command of typer that prints its help in panels."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        import_panels()
        super().format_help(ctx, formatter)


class PanelledGroup(TyperGroup):
    """A group of commands of typer that prints its help in panels."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        import_panels()
        super().format_help(ctx, formatter)
