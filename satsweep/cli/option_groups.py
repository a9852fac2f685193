"""Groups of options: rules of play, and the size of random layouts.

A group is a frozen dataclass, and each of its fields is an option. A command that ``with_groups`` decorates takes the
group as one argument; its command line has the options of the group in the place of that argument. typer itself has no
groups: it reads the options of a command off a signature, so the decorator writes that signature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from satsweep.cli.options import Clues, Start, Topology, to_cell

if TYPE_CHECKING:
    from satsweep.games.rules import Rules


@dataclass(frozen=True)
class OptionGroup:
    """Options that belong together, one for each field."""

    @property
    def given(self) -> bool:
        """True if the command line has an option of the group."""
        return self != type(self)()


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Command with the options of a group in place of each argument that is a group.

    The arguments of the command must be keyword-only: a group has no default, and stands where its options shall stand
    in the help.
    """
    groups: dict[str, type[OptionGroup]] = {}
    parameters = []
    for parameter in signature(command, eval_str=True).parameters.values():
        group = parameter.annotation
        if not (isinstance(group, type) and issubclass(group, OptionGroup)):
            parameters.append(parameter)
            continue
        groups[parameter.name] = group
        types = get_type_hints(group, include_extras=True)
        for field in fields(group):
            annotation = types[field.name]
            parameters.append(parameter.replace(name=field.name, default=field.default, annotation=annotation))

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run


@dataclass(frozen=True)
class Size(OptionGroup):
    """Size and topology of random layouts; None for what the command line leaves out."""

    rows: Annotated[int | None, typer.Option(metavar="N", help="Number of rows. Default: 9.")] = None
    cols: Annotated[int | None, typer.Option(metavar="N", help="Number of columns. Default: 9.")] = None
    mines: Annotated[int | None, typer.Option(metavar="N", help="Number of mines. Default: 10.")] = None
    topology: Topology = None

    def dimensions(self, level: str = "beginner") -> tuple[int, int, int]:
        """Rows, columns and mines; those of a level for what the command line leaves out."""
        from satsweep.games.deal import LEVELS

        rows, cols, mines = LEVELS[level]
        return (
            rows if self.rows is None else self.rows,
            cols if self.cols is None else self.cols,
            mines if self.mines is None else self.mines,
        )


@dataclass(frozen=True)
class RuleChanges(OptionGroup):
    """Rules of play; None for what the command line leaves out."""

    first: Annotated[
        Literal["any", "safe", "zero", "given"] | None,
        typer.Option(
            help="Promise about the first cell: none (any), no mine (safe), no mine around it either (zero), or the "
            "start of the layout (given)."
        ),
    ] = None
    start: Start = None
    cascade: Annotated[
        bool | None,
        typer.Option(
            "--cascade/--no-cascade", help="Open the neighbours of a cell with no mine around, or leave them covered."
        ),
    ] = None
    play_on: Annotated[
        bool | None,
        typer.Option(
            "--play-on/--one-life",
            help="Play on after a mine, which stays on the board as a known one, or end the game.",
        ),
    ] = None
    goal: Annotated[
        Literal["clear", "find"] | None,
        typer.Option(help="Open every safe cell, or identify every mine in few cells."),
    ] = None
    clues: Clues = None
    hide_total: Annotated[bool, typer.Option("--hide-total", help="Hide the number of mines from the player.")] = False

    def applied_to(self, base: Rules) -> Rules:
        """Rules of play of the command line; those of ``base`` for what it leaves out."""
        changes = {
            "first": self.first,
            "start": to_cell(self.start),
            "cascade": self.cascade,
            "fatal": None if self.play_on is None else not self.play_on,
            "goal": self.goal,
            "clues": self.clues,
            "tells_total": False if self.hide_total else None,
        }
        changed = {name: value for name, value in changes.items() if value is not None}
        return base.from_values({**base.to_values(), **changed})
