"""Groups of options: rules of play, and the size of random layouts.

A group is a frozen dataclass, and each of its fields is an option. A command that ``with_groups`` decorates takes the
group as one argument; its command line has the options of the group in the place of that argument. typer itself has no
groups: it reads the options of a command off a signature, so the decorator writes that signature.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import wraps
from inspect import Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from satsweep.cli.options import (
    BEST_START,
    Board,
    Boards,
    Clues,
    Cols,
    Mines,
    Rows,
    RuleStart,
    Topology,
    naming_options,
    to_cell,
    wrong,
)

if TYPE_CHECKING:
    from satsweep.arena.sprt import Sprt
    from satsweep.board import Cell
    from satsweep.games.rules import Rules


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


@dataclass(frozen=True)
class SizeOverrides(OptionGroup):
    """Options that override a board, and its topology; None for what is left out."""

    rows: Rows = None
    cols: Cols = None
    mines: Mines = None
    topology: Topology = None

    @property
    def named(self) -> dict[str, str]:
        """Options of the group by field; unless given, the mines are those of the board."""
        given = super().named
        return {"mines": given.get("board", "--mines"), "topology": "--topology", **given}

    def over(self, board: str) -> tuple[int, int, int]:
        """Rows, columns and mines: those of a board, unless options override them.

        Raises BadParameter if no board has them, or not with this topology.
        """
        from satsweep.errors import BoardError
        from satsweep.games.deal import dimensions_named
        from satsweep.text import check_cells, check_total
        from satsweep.topology import topology_named

        given = self.rows, self.cols, self.mines
        rows, cols, mines = (
            usual if own is None else own for own, usual in zip(given, dimensions_named(board), strict=True)
        )
        try:
            check_cells(rows, cols)
        except BoardError as error:
            raise wrong("--cols" if self.rows is None else "--rows", error.message) from None
        with naming_options(self.named):
            check_total(mines, rows * cols)
            topology_named(self.topology or "square").check(rows, cols)
        return rows, cols, mines


@dataclass(frozen=True)
class Size(SizeOverrides):
    """Size and topology of random layouts; None for what the command line leaves out."""

    board: Board = None

    def dimensions(self) -> tuple[int, int, int]:
        """Rows, columns and mines; by default those of a beginner's board."""
        return self.over(self.board or "beginner")


@dataclass(frozen=True)
class Sizes(SizeOverrides):
    """Sizes and topology of random layouts, for several boards."""

    board: Boards = None


OPPOSITES = {"play_on": "fatal", "hide_total": "tells_total"}
"""Options that say the opposite of a rule of play; others have the rule's name."""
_SWITCHES = {"cascade": "--cascade/--no-cascade", "play_on": "--play-on/--one-life", "hide_total": "--hide-total"}
"""Options without a value: the word for yes, and that for no."""


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
    start: RuleStart = None
    cascade: Annotated[
        bool | None,
        typer.Option(
            _SWITCHES["cascade"], help="Open the neighbours of a cell with no mine around, or leave them covered."
        ),
    ] = None
    play_on: Annotated[
        bool | None,
        typer.Option(
            _SWITCHES["play_on"],
            help="Play on after a mine, which stays on the board as a known one, or end the game.",
        ),
    ] = None
    goal: Annotated[
        Literal["clear", "find"] | None,
        typer.Option(help="Open every safe cell, or identify every mine in few cells."),
    ] = None
    clues: Clues = None
    hide_total: Annotated[
        bool, typer.Option(_SWITCHES["hide_total"], help="Hide the number of mines from the player.")
    ] = False
    redraw: Annotated[
        Literal["never", "fair", "fair-any", "cruel", "cruel-all"] | None,
        typer.Option(
            help="Redraw covered mines, unseen: a forced guess is safe at least risk (fair), or at any (fair-any); "
            "a needless guess hits a mine if it can (cruel), or every guess does (cruel-all).",
        ),
    ] = None

    def applied_to(self, base: Rules, size: SizeOverrides | None = None, board: str | None = None) -> Rules:
        """Rules of play of the command line.

        Others are those of the board by its name, or of ``base``.

        ``size`` and ``board`` are those of the boards, unless these are given as layouts. Raises BadParameter if the
        best start is asked for, and not known for them.
        """
        given = {option: getattr(self, option) for option in self.named}
        changes = {OPPOSITES.get(option, option): value for option, value in given.items()}
        changes |= {rule: not given[option] for option, rule in OPPOSITES.items() if option in given}
        from satsweep.games.deal import rules_named

        base = rules_named(board) or base
        best = self.start == BEST_START
        rules = replace(base, **changes | {"start": base.start if best else to_cell(self.start) or base.start})
        return replace(rules, start=_best_start(rules, size, board)) if best else rules


def rule_options(name: str, value: object) -> tuple[str, ...]:
    """Options of the command line that say the value of a rule of play."""
    option = {rule: option for option, rule in OPPOSITES.items()}.get(name, name)
    if isinstance(value, bool):
        yes, _, no = _SWITCHES[option].partition("/")
        word = yes if value is not (option in OPPOSITES) else no
        return (word,) if word else ()
    return () if value is None else (f"--{option}", str(value.value if isinstance(value, Enum) else value))


SPRT_OPTIONS = {"sprt": "--sprt", "alpha": "--alpha", "beta": "--beta"}
"""Options of a sequential test, by the field that an error names."""


@dataclass(frozen=True)
class TestOptions(OptionGroup):
    """A sequential test of two agents; without ``sprt`` there is none."""

    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="H0,H1",
            help="Sequential test: does the second agent win H1 points more often than the first, or H0? "
            "As --sprt 0,0.5; ends as soon as that is decided.",
        ),
    ] = None
    two_sided: Annotated[
        bool, typer.Option("--two-sided", help="With --sprt: H1 points more often, or less often.")
    ] = False
    alpha: Annotated[
        float | None, typer.Option(metavar="RATE", help="With --sprt: chance of H1 where H0 is true. Default: 0.05.")
    ] = None
    beta: Annotated[
        float | None, typer.Option(metavar="RATE", help="With --sprt: chance of H0 where H1 is true. Default: 0.05.")
    ] = None

    @property
    def test(self) -> Sprt | None:
        """The test; raises BadParameter for one that is none."""
        from satsweep.arena.sprt import Sprt

        if self.sprt is None:
            for option in self.named.values():
                raise wrong(option, "expected it with --sprt")
            return None
        try:
            h0, h1 = map(float, self.sprt.split(","))
        except ValueError:
            raise wrong("--sprt", f"expected two numbers of points, as 0,0.5, found {self.sprt!r}") from None
        rates = {name: rate for name, rate in (("alpha", self.alpha), ("beta", self.beta)) if rate is not None}
        with naming_options(SPRT_OPTIONS):
            return Sprt(h0, h1, two_sided=self.two_sided, **rates)


def _best_start(rules: Rules, size: SizeOverrides | None, board: str | None) -> Cell:
    """The start that the book of openings has for a board."""
    from satsweep.errors import BoardError
    from satsweep.games.deal import best_opening

    try:
        if size is None or (size.topology or "square") != "square":
            raise BoardError("expected a square grid by its size with best")
        return best_opening(*size.over(board or "beginner"), rules.first).start
    except BoardError as error:
        raise wrong("--start", error.message) from None
