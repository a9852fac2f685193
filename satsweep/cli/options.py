"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

if TYPE_CHECKING:
    from satsweep.board import Cell
    from satsweep.games.rules import Rules

ROWS, COLS, MINES = 9, 9, 10
"""The beginner's board."""


class Size(NamedTuple):
    """What random layouts are to be like."""

    rows: int = ROWS
    cols: int = COLS
    mines: int = MINES
    topology: str = "square"


def _engine_names(incomplete: str) -> list[str]:
    from satsweep.solver.engines import ENGINES

    return [name for name in ENGINES if name.startswith(incomplete)]


def _engine(name: str) -> str:
    from satsweep.solver.engines import engine_named

    try:
        engine_named(name)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return name


def seconds(seconds: float | None) -> float | None:
    """A time to wait, checked."""
    if seconds is not None and not 0 <= seconds < float("inf"):
        raise typer.BadParameter(f"expected seconds, at least 0, found {seconds}")
    return seconds


def agent_names(incomplete: str) -> list[str]:
    """The agents that a name may become, for completion; those that other packages install, too."""
    from satsweep import agents

    return [name for name in agents.agent_names() if name.startswith(incomplete)]


def agent_exists(name: str | None) -> str | None:
    """The name of an agent. Raises BadParameter, which lists those there are, for a name that nobody has."""
    from satsweep.agents import agent_named

    if name is not None:
        try:
            agent_named(name)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
    return name


def agents_exist(names: list[str] | None) -> list[str] | None:
    """The names of agents, each checked."""
    for name in names or ():
        agent_exists(name)
    return names


def each_in(allowed: tuple[str, ...]) -> Callable[[list[str] | None], list[str] | None]:
    """The names that are given. Raises BadParameter, which lists those that are allowed, for any other."""

    def check(names: list[str] | None) -> list[str] | None:
        for name in names or ():
            if name not in allowed:
                raise typer.BadParameter(f"expected one of {', '.join(allowed)}, found {name!r}")
        return names

    return check


def cell_at(place: str | None) -> str | None:
    """A cell as ``row,col``, checked; ``to_cell`` makes a ``Cell`` of it."""
    if place is not None and _CELL.fullmatch(place) is None:
        raise typer.BadParameter(f"expected a cell as row,col, each a number from 0, found {place!r}")
    return place


def topology_exists(name: str | None) -> str | None:
    """The name of a topology, checked."""
    from satsweep.topology import topology_named

    return None if name is None else _read(name, topology_named)


def clues_exist(name: str | None) -> str | None:
    """The name of a model of clues, checked."""
    from satsweep.clues import clues_named

    return None if name is None else _read(name, clues_named)


def _read(name: str, read: Callable[[str], object]) -> str:
    from satsweep.errors import BoardError

    try:
        read(name)
    except BoardError as error:
        raise typer.BadParameter(error.message) from None
    return name


_CELL = re.compile(r"\d{1,7},\d{1,7}", re.ASCII)


def to_cell(place: str | None) -> Cell | None:
    """The cell of a checked ``row,col``."""
    from satsweep.board import Cell

    return None if place is None else Cell(*map(int, place.split(",")))


Engine = Annotated[
    str, typer.Option(callback=_engine, autocompletion=_engine_names, help="Who counts; see `satsweep engines`.")
]
Seconds = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", callback=seconds, help="Stop counting then; what is forced is still found."),
]
Flags = Annotated[
    Literal["ignore", "trust"],
    typer.Option(help="What a flag says: nothing, so it is read as covered; or that a mine is there."),
]
Agent = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", callback=agent_exists, autocompletion=agent_names, help="Who plays; see `satsweep agents`."
    ),
]
Rows = Annotated[int | None, typer.Option(metavar="N", help=f"Default: {ROWS}.")]
Cols = Annotated[int | None, typer.Option(metavar="N", help=f"Default: {COLS}.")]
Mines = Annotated[int | None, typer.Option(metavar="N", help=f"Default: {MINES}.")]
Topology = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=topology_exists,
        help="Which cells touch: square, torus, hexagonal, orthogonal, knight, 'offsets 0,1 1,2', 'edges 0-1 1-2', "
        "with ' in 3 planes', ' wrapping cols'. Default: square.",
    ),
]
Clues = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        callback=clues_exist,
        help="What numbers tell: exact, 'random 1/2', underestimate, overestimate, 'overestimate 1/20 cap 8'.",
    ),
]
Start = Annotated[
    str | None, typer.Option(metavar="R,C", callback=cell_at, help="The cell that is opened first, counted from 0.")
]
Layout = Annotated[str | None, typer.Option(metavar="FILE", help="Play this layout instead of a random one.")]
Seed = Annotated[
    int | None, typer.Option(metavar="N", help="The same seed gives the same game. Default: a new one, printed.")
]
First = Annotated[
    Literal["any", "safe", "zero", "given"] | None,
    typer.Option(help="What is promised about the first cell: nothing, no mine, none around; or the layout's start."),
]
Cascade = Annotated[
    bool | None, typer.Option("--cascade/--no-cascade", help="Whether a cell with no mine around opens its neighbours.")
]
PlayOn = Annotated[
    bool | None,
    typer.Option("--play-on/--one-life", help="Whether play goes on after a mine, which stays as a known one."),
]
Goal = Annotated[
    Literal["clear", "find"] | None, typer.Option(help="Open every safe cell, or identify every mine in few cells.")
]
HideTotal = Annotated[bool, typer.Option("--hide-total", help="Do not tell the player how many mines there are.")]


def size_of(rows: int | None, cols: int | None, mines: int | None, topology: str | None = None) -> Size:
    """The random layouts that a command line asks for; where it says nothing, the beginner's."""
    return Size(
        ROWS if rows is None else rows,
        COLS if cols is None else cols,
        MINES if mines is None else mines,
        topology or "square",
    )


def rules_of(
    base: Rules,
    *,
    first: str | None = None,
    start: str | None = None,
    cascade: bool | None = None,
    play_on: bool | None = None,
    goal: str | None = None,
    clues: str | None = None,
    hide_total: bool = False,
) -> Rules:
    """The rules of play that a command line asks for; where it says nothing, the base's."""
    from dataclasses import replace

    from satsweep.clues import clues_named
    from satsweep.games import rules as rulebook

    return replace(
        base,
        first=base.first if first is None else rulebook.FirstClick(first),
        start=base.start if start is None else to_cell(start),
        cascade=base.cascade if cascade is None else cascade,
        fatal=base.fatal if play_on is None else not play_on,
        goal=base.goal if goal is None else rulebook.Goal(goal),
        clues=base.clues if clues is None else clues_named(clues),
        tells_total=base.tells_total and not hide_total,
    )
