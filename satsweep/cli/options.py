"""Options that several commands share, with checks and completions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer

from satsweep.arguments import did_you_mean
from satsweep.cli.exits import failing_on_errors
from satsweep.clues import CLUE_KINDS
from satsweep.topology import SHAPES

if TYPE_CHECKING:
    from satsweep.agents.load import LoadedAgent
    from satsweep.board import Cell

_Content = TypeVar("_Content")
_CELL = re.compile(r"\d{1,7},\d{1,7}", re.ASCII)


# --- checks and completions


def wrong(option: str, message: str) -> typer.BadParameter:
    """Usage error in an option or argument."""
    return typer.BadParameter(message, param_hint=f"'{option}'")


def refuse(*exclusions: tuple[bool, str, str]) -> None:
    """Raise the first usage error of a table: if it is one, option, message."""
    for is_wrong, option, message in exclusions:
        if is_wrong:
            raise wrong(option, message)


def name_option(
    noun: str,
    names: Callable[[], Iterable[str]],
    help: str,
    *declarations: str,
    also: Callable[[str], bool] = lambda name: False,
) -> Any:
    """Option whose value is one of ``names``: checked, listed in errors, completed.

    ``names`` is called when the option is used, so it may import what is slow to import. ``also`` accepts other values.
    """

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    def check(name: str | None) -> str | None:
        allowed = () if name is None else tuple(names())
        if name is not None and name not in allowed and not also(name):
            message = f"expected {noun} among {', '.join(allowed)}, found {name!r}"
            raise typer.BadParameter(message + did_you_mean(name, allowed))
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


def seconds_option(help: str, *, above_0: bool = False) -> Any:
    """Option for a time in seconds, at least 0 or above 0."""

    def check(seconds: float | None) -> float | None:
        if seconds is not None and (not 0 <= seconds < float("inf") or above_0 and seconds == 0):
            expected = "seconds above 0" if above_0 else "seconds, at least 0"
            raise typer.BadParameter(f"expected {expected}, found {seconds:g}")
        return seconds

    return typer.Option(metavar="SECONDS", callback=check, help=help)


BEST_START = "best"
"""The start that the book of openings chooses."""


def cell_at(place: str | None) -> str | None:
    """Return a cell ``row,col`` unchanged. Raises BadParameter for anything else.

    ``to_cell`` makes a ``Cell`` of it.
    """
    if place is not None and _CELL.fullmatch(place) is None:
        raise typer.BadParameter(f"expected a cell as row,col, each a number from 0, found {place!r}")
    return place


def start_at(place: str | None) -> str | None:
    """Return ``best`` or a cell ``row,col`` unchanged. Raises BadParameter else."""
    return place if place == BEST_START else cell_at(place)


def to_cell(place: str | None) -> Cell | None:
    """Cell of a checked ``row,col``."""
    from satsweep.board import Cell

    return None if place is None else Cell(*map(int, place.split(",")))


def agent_names(incomplete: str) -> list[str]:
    """Names of agents that complete a prefix, with those that other packages install."""
    from satsweep import agents

    return [name for name in agents.agent_names() if name.startswith(incomplete)]


@contextmanager
def loaded_agent(
    name: str, option: str = "--agent", seconds: float | None = None, move_seconds: float | None = None
) -> Iterator[LoadedAgent]:
    """Load an agent by its name, file or module.

    One from a file or a module runs in a process of its own. ``seconds`` is its time limit for a game, 0 for none and
    None for the usual one; ``move_seconds`` is that of a move, None or 0 for none.
    """
    from satsweep.agents.isolated import GAME_SECONDS, isolated

    with ExitStack() as stack:
        try:
            limit = GAME_SECONDS if seconds is None else seconds or None
            loaded = stack.enter_context(isolated(name, limit, move_seconds=move_seconds or None))
        except ValueError as error:
            raise wrong(option, str(error)) from None
        yield loaded


@contextmanager
def naming_options(options: Mapping[str, str]) -> Iterator[None]:
    """Turn an error in a field that an option stands for into a usage error.

    It names the option. Errors in files stay as they are.
    """
    from satsweep.errors import BoardError

    try:
        yield
    except BoardError as error:
        if error.file is None and isinstance(error.at, str) and error.at in options:
            raise wrong(options[error.at], error.message) from None
        raise


@contextmanager
def reading_part(part: str | None) -> Iterator[None]:
    """Read boards within the context as the part that ``--part`` says."""
    from satsweep.errors import BoardError
    from satsweep.part import assuming_part, part_named

    try:
        with assuming_part(part):
            yield
    except BoardError as error:
        if part is None or not error.message.endswith(f"can be cut, found {part_named(part)}"):
            raise
        raise wrong("--part", error.message) from None


def as_part(content: _Content, part: str | None) -> _Content:
    """Content of a file, a board as the part that ``--part`` says."""
    from satsweep.board import Board as PlayerBoard

    if part is None:
        return content
    if not isinstance(content, PlayerBoard):
        raise wrong("--part", "expected a board with --part, found none")
    with naming_options({"part": "--part", "mines": "--part"}):
        return replace(content, part=part)  # type: ignore[arg-type]


def chosen_format(format: str | None, json: bool) -> str:
    """Output format that ``--format`` and ``--json`` say together; text without them."""
    if json and format not in (None, "json"):
        raise wrong("--json", f"expected --json or --format {format}, found both")
    if format == "html":
        from satsweep.cli.packages import check_packages

        check_packages("jinja2")
    return "json" if json else format or "text"


def format_names() -> Iterable[str]:
    """Names of all formats."""
    from satsweep.formats import all_formats

    return all_formats()


def format_of_suffix(output: Path | None) -> str:
    """Name of the format that the suffix of a file stands for."""
    from satsweep import formats

    if output is not None and (name := formats.format_of_suffix(output)):
        return name
    raise wrong("--format", "expected --format, or a file whose name ends as files of a format do")


def new_seed() -> str:
    """Random seed of at most six digits, short enough to type again."""
    from random import SystemRandom

    return str(SystemRandom().randrange(1_000_000))


def _is_seed(seed: str | None) -> str | None:
    """Return a seed unchanged. Raises BadParameter unless it can be printed."""
    if seed is not None and not (seed and seed.isprintable()):
        raise typer.BadParameter(f"expected a number or any other text that can be printed, found {seed!a}")
    return seed


def _existing(reader: str) -> Callable[[Any], Any]:
    """Check of names by the function ``module:name``, imported when one is given."""

    def check(names: Any) -> Any:
        module, _, function = reader.partition(":")
        for name in [] if names is None else names if isinstance(names, list) else [names]:
            with failing_on_errors():
                try:
                    getattr(import_module(module), function)(name)
                except ValueError as error:
                    raise typer.BadParameter(str(error)) from None
        return names

    return check


def _completed_by(table: str) -> Callable[[str], list[str]]:
    """Completion by the keys of the table ``module:name``."""

    def complete(incomplete: str) -> list[str]:
        module, _, name = table.partition(":")
        return [key for key in getattr(import_module(module), name) if key.startswith(incomplete)]

    return complete


def _quoted(names: Iterable[str]) -> str:
    """Names in a list, those of several words as a shell needs them."""
    return ", ".join(f"'{name}'" if " " in name else name for name in names)


# --- options

Engine = Annotated[
    str,
    typer.Option(
        callback=_existing("satsweep.solver.engines:engine_named"),
        autocompletion=_completed_by("satsweep.solver.engines:ENGINES"),
        help="Counting engine; see `satsweep engines`.",
    ),
]
Budget = Annotated[float | None, seconds_option("Time limit for counting; forced cells are found anyway.")]
Flags = Annotated[
    Literal["ignore", "trust"], typer.Option(help="Read a flagged cell as covered (ignore) or as a mine (trust).")
]
MineTotal = Annotated[int | None, typer.Option(metavar="N", help="Mine total, instead of the one in the file.")]
Part = Annotated[
    str | None,
    typer.Option(
        metavar="SIDES",
        callback=_existing("satsweep.part:part_named"),
        help="Sides on which the board is cut from a larger one, like top,left, or all; none: a whole board. Default: "
        "as in the file.",
    ),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of standard output.")
]
AGENT_HELP = (
    "one of `satsweep agents`, or your own as FILE.py, FILE.py:FUNCTION, 'FILE.py:CLASS(depth=3)', MODULE:FUNCTION or "
    "'cmd:./engine --flag' (see docs/umi.md), whose code is then run"
)
Agent = Annotated[
    str | None,
    typer.Option(metavar="NAME", autocompletion=agent_names, help=f"Agent that plays: {AGENT_HELP}."),
]
Layout = Annotated[str | None, typer.Option(metavar="FILE", help="Play this layout instead of a random one.")]
BOARD_HELP = (
    "beginner (9x9/10), intermediate (16x16/40), expert (16x30/99), or as 16x30/99 or 16x30/0.2; with rules of their "
    "own cs50 (8x8/8, as in CS50 AI) and the boards of documents: haridas, xu, wiersma, sam, covre"
)
Board = Annotated[
    str | None,
    typer.Option(
        metavar="BOARD",
        callback=_existing("satsweep.games.deal:dimensions_named"),
        autocompletion=_completed_by("satsweep.games.deal:LEVELS"),
        help=f"Board: {BOARD_HELP}. Default: beginner.",
    ),
]
Boards = Annotated[
    list[str] | None,
    typer.Option(
        metavar="BOARD",
        callback=_existing("satsweep.games.deal:boards_named"),
        autocompletion=_completed_by("satsweep.games.deal:LEVELS"),
        help=f"Board: {BOARD_HELP}; may be given several times, or as a range of mines, as 10x10/0.05:0.25 or "
        "10x10/5:25:5. Default: expert.",
    ),
]
Rows = Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of rows, instead of the board's.")]
Cols = Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of columns, instead of the board's.")]
Mines = Annotated[int | None, typer.Option(metavar="N", min=0, help="Number of mines, instead of the board's.")]
CLICKS_SECONDS = 10.0
"""Time limit for the fewest clicks beside a rating or a review."""
_SEED_HELP = "The same seed, a number or any text, gives the same result. Default: "
Seed = Annotated[str | None, typer.Option(metavar="SEED", callback=_is_seed, help=f"{_SEED_HELP}a new one, printed.")]
FixedSeed = Annotated[str | None, typer.Option(metavar="SEED", callback=_is_seed, help=f"{_SEED_HELP}0.")]
Json = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
Jobs = Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of processes. Default: one for each core.")]
MOVE_SECONDS = 5.0
"""Time limit for a move where an agent is judged."""
GameSeconds = Annotated[
    float | None,
    seconds_option(
        "Time limit of an agent from a file, a module or a command for each game, which is lost past it; 0 lifts it. "
        "Default: 60."
    ),
]
Topology = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        callback=_existing("satsweep.topology:topology_named"),
        help=f"Cells that touch: {_quoted(shape.example for shape in SHAPES.values())}, with ' in 3 planes', "
        "' wrapping cols'. Default: square.",
    ),
]
Start = Annotated[str | None, typer.Option(metavar="R,C", callback=cell_at, help="First cell to open, counted from 0.")]
RuleStart = Annotated[
    str | None,
    typer.Option(
        metavar="R,C|best",
        callback=start_at,
        help="First cell to open, counted from 0; best is the cell from which most games are won, for known boards.",
    ),
]
Clues = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        callback=_existing("satsweep.clues:clues_named"),
        help=f"Clue model: {_quoted(name for kind in CLUE_KINDS.values() for name in kind.examples)}.",
    ),
]
