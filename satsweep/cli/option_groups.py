"""Groups of options, as classes.

A group is a frozen dataclass, and each of its fields is an option. A command that ``with_groups`` decorates takes the
group as one argument; its command line has the options of the group in the place of that argument. typer itself has no
groups: it reads the options of a command off a signature, so the decorator writes that signature.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Signature, signature
from typing import Any, get_type_hints

from satsweep.cli.options import naming_options


@dataclass(frozen=True)
class OptionGroup:
    """Options that belong together, one for each field."""

    @property
    def given(self) -> bool:
        """True if the command line has an option of the group."""
        return self != type(self)()

    @property
    def named(self) -> dict[str, str]:
        """Options of the group that the command line has, by field."""
        given = (field.name for field in fields(self) if getattr(self, field.name) != field.default)
        return {name: f"--{name.replace('_', '-')}" for name in given}


def naming_options_of(*groups: OptionGroup | None) -> AbstractContextManager[None]:
    """Turn an error in an option of these groups into a usage error that names it."""
    return naming_options({name: option for group in groups if group for name, option in group.named.items()})


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
        # A group's own options stand before those of the group that it extends.
        for field in sorted(fields(group), key=lambda field: field.name not in group.__annotations__):
            annotation = types[field.name]
            parameters.append(parameter.replace(name=field.name, default=field.default, annotation=annotation))

    @wraps(command)
    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        command(**values)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run
