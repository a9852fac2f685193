"""Options that several commands share, with checks and completions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from satsweep.board import Cell

_CELL = re.compile(r"\d{1,7},\d{1,7}", re.ASCII)


# --- checks and completions


def name_option(noun: str, names: Callable[[], Iterable[str]], help: str, *declarations: str) -> Any:
    """Option whose value is one of ``names``: checked, listed in errors, completed.

    ``names`` is called when the option is used, so it may import what is slow to import.
    """

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    def check(name: str | None) -> str | None:
        allowed = () if name is None else tuple(names())
        if name is not None and name not in allowed:
            raise typer.BadParameter(f"expected {noun} among {', '.join(allowed)}, found {name!r}")
        return name

    return typer.Option(*declarations, metavar="NAME", callback=check, autocompletion=complete, help=help)


def without_option(allowed: tuple[str, ...]) -> Any:
    """Option ``--without FIELD``, repeatable: fields that are left out of the output."""

    def check(names: list[str] | None) -> list[str] | None:
        for name in names or ():
            if name not in allowed:
                raise typer.BadParameter(f"expected one of {', '.join(allowed)}, found {name!r}")
        return names

    help = f"Leave out a field that the format cannot hold: {', '.join(allowed)}."
    return typer.Option(metavar="FIELD", callback=check, help=help)


def seconds_option(help: str) -> Any:
    """Option for a time in seconds, at least 0."""

    def check(seconds: float | None) -> float | None:
        if seconds is not None and not 0 <= seconds < float("inf"):
            raise typer.BadParameter(f"expected seconds, at least 0, found {seconds}")
        return seconds

    return typer.Option(metavar="SECONDS", callback=check, help=help)


def cell_at(place: str | None) -> str | None:
    """Return a cell ``row,col`` unchanged. Raises BadParameter for anything else.

    ``to_cell`` makes a ``Cell`` of it.
    """
    if place is not None and _CELL.fullmatch(place) is None:
        raise typer.BadParameter(f"expected a cell as row,col, each a number from 0, found {place!r}")
    return place


def to_cell(place: str | None) -> Cell | None:
    """Cell of a checked ``row,col``."""
    from satsweep.board import Cell

    return None if place is None else Cell(*map(int, place.split(",")))


def agent_names(incomplete: str) -> list[str]:
    """Names of agents that complete a prefix, with those that other packages install."""
    from satsweep import agents

    return [name for name in agents.agent_names() if name.startswith(incomplete)]


def agent_exists(name: str | None) -> str | None:
    """Return the name of an agent unchanged. Raises BadParameter with all names."""
    from satsweep.agents import agent_named

    return _read(name, agent_named)


def agents_exist(names: list[str] | None) -> list[str] | None:
    """Return names of agents unchanged. Raises BadParameter with all names."""
    for name in names or ():
        agent_exists(name)
    return names


def _topology_exists(name: str | None) -> str | None:
    from satsweep.topology import topology_named

    return _read(name, topology_named)


def _clues_exist(name: str | None) -> str | None:
    from satsweep.clues import clues_named

    return _read(name, clues_named)


def _engine_exists(name: str) -> str | None:
    from satsweep.solver.engines import engine_named

    return _read(name, engine_named)


def _engine_names(incomplete: str) -> list[str]:
    from satsweep.solver.engines import ENGINES

    return [name for name in ENGINES if name.startswith(incomplete)]


def _read(name: str | None, read: Callable[[str], object]) -> str | None:
    """Return a name unchanged. Raises BadParameter where ``read`` refuses it."""
    from satsweep.errors import BoardError

    try:
        if name is not None:
            read(name)
    except BoardError as error:
        raise typer.BadParameter(error.message) from None
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return name


# --- options

Engine = Annotated[
    str,
    typer.Option(
        callback=_engine_exists, autocompletion=_engine_names, help="Counting engine; see `satsweep engines`."
    ),
]
Budget = Annotated[float | None, seconds_option("Time limit for counting; forced cells are found anyway.")]
Flags = Annotated[
    Literal["ignore", "trust"], typer.Option(help="Read a flagged cell as covered (ignore) or as a mine (trust).")
]
MineTotal = Annotated[int | None, typer.Option(metavar="N", help="Mine total, instead of the one in the file.")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of standard output.")
]
Agent = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=agent_exists,
        autocompletion=agent_names,
        help="Agent that plays; see `satsweep agents`.",
    ),
]
Layout = Annotated[str | None, typer.Option(metavar="FILE", help="Play this layout instead of a random one.")]
Seed = Annotated[
    int | None, typer.Option(metavar="N", help="The same seed gives the same result. Default: a new one, printed.")
]
Jobs = Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of processes. Default: one for each core.")]
GameSeconds = Annotated[
    float | None,
    seconds_option(
        "Time limit of an agent from a file or a module for each game, which is lost past it; 0 lifts it. Default: 60."
    ),
]
Topology = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=_topology_exists,
        help="Cells that touch: square, torus, hexagonal, orthogonal, knight, 'offsets 0,1 1,2', 'edges 0-1 1-2', "
        "with ' in 3 planes', ' wrapping cols'. Default: square.",
    ),
]
Start = Annotated[str | None, typer.Option(metavar="R,C", callback=cell_at, help="First cell to open, counted from 0.")]
Clues = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        callback=_clues_exist,
        help="Clue model: exact, 'random 1/2', underestimate, overestimate, 'overestimate 1/20 cap 8'.",
    ),
]
