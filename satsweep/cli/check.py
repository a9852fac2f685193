"""The oracle as a command: ``check`` holds every claim of an agent against the exact analysis."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from satsweep.cli import options
from satsweep.cli.interrupt import ending_at_interrupt
from satsweep.cli.output import BAD_INPUT, compile_for, fail, named, write
from satsweep.cli.play import to_play

if TYPE_CHECKING:
    from satsweep.agents.load import LoadedAgent
    from satsweep.board import Board
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout
    from satsweep.oracle.report import Audit

UNSOUND = 1
GAMES = 100
_T = TypeVar("_T")


def check(
    agent: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            autocompletion=options.agent_names,
            help="Whom to examine: one of `satsweep agents`, or your own as FILE.py:FUNCTION or MODULE:FUNCTION, "
            "whose code is then run.",
        ),
    ],
    games: Annotated[int | None, typer.Option(metavar="N", min=1, help=f"How many games. Default: {GAMES}.")] = None,
    rows: options.Rows = None,
    cols: options.Cols = None,
    mines: options.Mines = None,
    topology: options.Topology = None,
    layout: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Play on this layout; once, unless --games says how often.")
    ] = None,
    boards: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Examine it on this board, or on those of a file with one JSON board a line."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same games.")] = 0,
    first: options.First = None,
    start: options.Start = None,
    cascade: options.Cascade = None,
    play_on: options.PlayOn = None,
    goal: options.Goal = None,
    clues: options.Clues = None,
    hide_total: options.HideTotal = False,
    budget: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", callback=options.seconds, help="For each position; past it guesses are not judged."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all of it as JSON, with every unsound claim.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Shares and regrets as fractions.")] = False,
) -> None:
    """Hold every claim of an agent against the exact analysis, in games that it plays or on boards that are given.

    Prints how many claims there were and whether all are true, the share of the forced cells that were found, and
    how much more the agent's guesses risk than need be. A claim that does not follow is drawn beside a world in which
    it is false.

    Exit codes: 0 every claim is true, 1 at least one is not, 2 usage, 3 bad input, 130 interrupted.
    """
    sized = (rows, cols, mines, topology) != (None,) * 4
    ruled = (first, start, cascade, play_on, goal, clues) != (None,) * 6 or hide_total
    if layout and (sized or boards):
        raise typer.BadParameter("expected layouts, boards or a size, found two of them", param_hint="'--layout'")
    if boards and (sized or ruled or games is not None):
        raise typer.BadParameter("expected no games and rules of play beside boards", param_hint="'--boards'")
    with ending_at_interrupt():
        from satsweep.errors import AgentError, BoardError

        examined = _subject(agent)
        compile_for(agent)
        rules = options.rules_of(
            examined.rules,
            first=first,
            start=start,
            cascade=cascade,
            play_on=play_on,
            goal=goal,
            clues=clues,
            hide_total=hide_total,
        )
        size = options.size_of(rows, cols, mines, topology)
        try:
            if boards:
                report = _on_boards(examined, boards, seed, budget)
            else:
                report = _in_games(examined, layout or [None], size, rules, games, seed, budget)
        except BoardError as error:
            fail(str(error), BAD_INPUT)
        except AgentError as error:
            fail(f"{agent}: {error}", BAD_INPUT)

        from satsweep.render.audit import audit_to_json, audit_to_text

    write(audit_to_json(report) if json else audit_to_text(report, exact=exact, width=_width()), None)
    if not report.sound:
        raise typer.Exit(UNSOUND)


def _subject(agent: str) -> LoadedAgent:
    from satsweep.agents.load import load_agent
    from satsweep.errors import AgentError

    try:
        return load_agent(agent)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="'--agent'") from None
    except AgentError as error:
        fail(str(error), BAD_INPUT)


def _on_boards(examined: LoadedAgent, files: Iterable[str], seed: int, budget: float | None) -> Audit:
    from satsweep.errors import Contradiction
    from satsweep.formats import read_boards
    from satsweep.oracle.audit import audit

    found = [(file, number, board) for file in files for number, board in enumerate(read_boards(file), 1)]
    place = ""

    def one_by_one() -> Iterator[Board]:
        nonlocal place
        for file, number, board in _with_progress(found, len(found), "boards"):
            place = f"{named(file)}: board {number}"
            yield board

    try:
        return audit(examined, one_by_one(), seed=seed, budget=budget)
    except Contradiction as error:
        fail(f"{place}: {error}", BAD_INPUT)


def _in_games(
    examined: LoadedAgent,
    files: Iterable[str | None],
    size: options.Size,
    rules: Rules,
    games: int | None,
    seed: int,
    budget: float | None,
) -> Audit:
    from satsweep.games.deal import game_rng
    from satsweep.oracle.audit import audit_games

    def layouts() -> Iterator[Layout]:
        for file in files:
            number = GAMES if file is None and games is None else games or 1
            given = None if file is None else to_play(file, size, rules, game_rng(seed, 0))
            for game in _with_progress(range(number), number, "games"):
                yield given or to_play(None, size, rules, game_rng(seed, game))

    return audit_games(examined, layouts(), rules, seed=seed, budget=budget)


def _with_progress(items: Iterable[_T], total: int, noun: str) -> Iterator[_T]:
    """The items, counted on standard error while they pass, if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    shown = 0.0
    for number, item in enumerate(items):
        if time.monotonic() > shown + 0.1:
            shown = time.monotonic()
            print(f"\r{number:,} of {total:,} {noun}", end="", file=sys.stderr, flush=True)
        yield item
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _width() -> int | None:
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns
