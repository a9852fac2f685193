"""Command ``check``: an agent's claims and guesses against the exact analysis."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from satsweep.cli import options
from satsweep.cli.interrupt import exiting_on_interrupt
from satsweep.cli.option_groups import RuleChanges, Size, naming_options_of, with_groups
from satsweep.cli.output import BAD_INPUT, begin_kernels, display_name, fail, is_terminal, width, write
from satsweep.cli.play import deal_layout

if TYPE_CHECKING:
    from satsweep.agents.load import LoadedAgent
    from satsweep.board import Board
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout
    from satsweep.oracle.report import Audit

UNSOUND = 1
GAMES = 100
_T = TypeVar("_T")


@with_groups
def check(
    *,
    agent: Annotated[
        str,
        typer.Option(metavar="NAME", autocompletion=options.agent_names, help=f"Agent to check: {options.AGENT_HELP}."),
    ],
    games: Annotated[int | None, typer.Option(metavar="N", min=1, help=f"Number of games. Default: {GAMES}.")] = None,
    size: Size,
    layout: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Play on this layout: --games times, or once.")
    ] = None,
    position: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Check on this board, or on those of a file with one JSON board a line."),
    ] = None,
    seed: options.FixedSeed = None,
    changes: RuleChanges,
    budget: Annotated[
        float | None, options.seconds_option("Time limit for each position; past it guesses are not judged.")
    ] = None,
    format: Annotated[
        Literal["text", "json"] | None,
        typer.Option(help="Output format; json has every unsound claim. Default: text."),
    ] = None,
    json: options.Json = False,
    exact: Annotated[bool, typer.Option("--exact", help="Print shares and regrets as fractions.")] = False,
) -> None:
    """Check every claim of an agent against the exact analysis.

    The agent plays games, or answers on given boards. The report has the number of claims and of unsound ones, the
    share of the forced cells that were found, and the excess risk of the guesses over the least possible one. A claim
    that does not follow is drawn beside a world in which it is false.

    Exit codes: 0 every claim is true, 1 at least one is not, 2 usage, 3 bad input, 130 interrupted.
    """
    if layout and (size.given or position):
        raise typer.BadParameter("expected layouts, positions or a size, found two of them", param_hint="'--layout'")
    if position and (size.given or changes.given or games is not None):
        raise typer.BadParameter("expected no --games, size or rules of play with it", param_hint="'--position'")
    chosen, seed = options.chosen_format(format, json), seed or "0"
    with exiting_on_interrupt():
        from satsweep.errors import AgentError, BoardError

        subject = options.loaded_agent(agent)
        begin_kernels(agent)
        rules = changes.applied_to(subject.rules, None if layout else size, size.board)
        try:
            if position:
                report = _on_boards(subject, position, seed, budget)
            else:
                with naming_options_of(changes, None if layout else size):
                    report = _in_games(subject, layout or [None], size, rules, games, seed, budget)
        except BoardError as error:
            fail(str(error), BAD_INPUT)
        except AgentError as error:
            fail(f"{agent}: {error}", BAD_INPUT)

        from satsweep.render.audit import audit_to_json, audit_to_text

    write(audit_to_json(report) if chosen == "json" else audit_to_text(report, exact=exact, width=width()), None)
    if not report.sound:
        raise typer.Exit(UNSOUND)


def _on_boards(subject: LoadedAgent, files: Iterable[str], seed: str, budget: float | None) -> Audit:
    """Audit on the boards of files; an error line names the impossible board."""
    from satsweep.errors import Contradiction
    from satsweep.formats import read_boards
    from satsweep.oracle.audit import audit

    boards = [(file, number, board) for file in files for number, board in enumerate(read_boards(file), 1)]
    place = ""

    def one_by_one() -> Iterator[Board]:
        nonlocal place
        for file, number, board in _with_progress(boards, len(boards), "boards"):
            place = f"{display_name(file)}: board {number}"
            yield board

    try:
        return audit(subject, one_by_one(), seed=seed, budget=budget)
    except Contradiction as error:
        fail(f"{place}: {error}", BAD_INPUT)


def _in_games(
    subject: LoadedAgent,
    files: Iterable[str | None],
    size: Size,
    rules: Rules,
    games: int | None,
    seed: str,
    budget: float | None,
) -> Audit:
    """Audit in games on the layouts of files, or on random ones where a file is None."""
    from satsweep.games.deal import game_rng
    from satsweep.oracle.audit import audit_games

    def layouts() -> Iterator[Layout]:
        for file in files:
            number = GAMES if file is None and games is None else games or 1
            given = None if file is None else deal_layout(file, size, rules, game_rng(seed, 0))
            for game in _with_progress(range(number), number, "games"):
                yield given or deal_layout(None, size, rules, game_rng(seed, game))

    return audit_games(subject, layouts(), rules, seed=seed, budget=budget)


def _with_progress(items: Iterable[_T], total: int, noun: str) -> Iterator[_T]:
    """Items, counted on standard error as they are taken, if that is a terminal."""
    if not is_terminal(sys.stderr):
        yield from items
        return
    shown = 0.0
    for number, item in enumerate(items):
        if time.monotonic() > shown + 0.1:
            shown = time.monotonic()
            print(f"\r{number:,} of {total:,} {noun}", end="", file=sys.stderr, flush=True)
        yield item
    print("\r\x1b[K", end="", file=sys.stderr, flush=True)
