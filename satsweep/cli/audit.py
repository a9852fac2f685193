"""Command ``audit``: an agent's claims and guesses against the exact analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, NO, exiting_on_interrupt, fail, note
from satsweep.cli.game_options import RuleChanges, Size, deal_layout
from satsweep.cli.option_groups import naming_options_of, with_groups
from satsweep.cli.output import ProgressBar, display_name, progress_bar, width, write
from satsweep.cli.renderers import check_format, format_option, rendered
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.board import Board
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout
    from satsweep.oracle.report import Audit

GAMES = 100
_T = TypeVar("_T")


@with_groups
def audit(
    *,
    agent: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            autocompletion=options.agent_names,
            help=f"Agent to audit: {options.AGENT_HELP}. A pattern, as 'all/*/mine.py', gives one table.",
        ),
    ],
    games: Annotated[int | None, typer.Option(metavar="N", min=1, help=f"Number of games. Default: {GAMES}.")] = None,
    size: Size,
    layout: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Play on this layout: --games times, or once.")
    ] = None,
    position: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Audit on this board, or on those of a file with one JSON board a line."),
    ] = None,
    seed: options.FixedSeed = None,
    changes: RuleChanges,
    budget: Annotated[
        float | None, options.seconds_option("Time limit for each position; past it guesses are not judged.")
    ] = None,
    game_seconds: options.GameSeconds = None,
    move_seconds: Annotated[
        float | None,
        options.seconds_option(
            "Time limit of an agent in Python for each move; 0 lifts it. After three games in which it is late the "
            f"audit ends. Default: {options.MOVE_SECONDS:g}."
        ),
    ] = None,
    format: Annotated[
        str | None, format_option("audit", "audits", help="Output format; json has every unsound claim. Default: text.")
    ] = None,
    json: options.Json = False,
    missed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Missed cells to show for each technique, with the reason. Default: 1; 3 in JSON.",
        ),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print shares and regrets as fractions.")] = False,
) -> None:
    """Audit every claim of an agent against the exact analysis.

    The agent plays games, or answers on given boards. The report has the number of claims and of unsound ones, the
    share of the forced cells that were found, the excess risk of the guesses over the least possible one, and how far
    the risks that the agent reports are from the exact ones. A claim that does not follow is drawn beside a world in
    which it is false. Of the forced cells that were missed some are shown, with the numbers that force them and the
    technique. A game or a board on which the agent fails is reported, and the audit goes on; an interrupt ends
    it with the report so far.

    Exit codes: 0 every claim and every reported risk is right, 1 at least one is not, or the agent failed, 2 usage,
    3 bad input, 130 interrupted.
    """
    played = size.given or changes.given or games is not None
    options.refuse(
        (
            bool(layout and (size.given or position)),
            "--layout",
            "expected layouts, positions or a size, found two of them",
        ),
        (bool(position and played), "--position", "expected no --games, size or rules of play with it"),
    )
    chosen, seed = options.chosen_format(format, json), seed or "0"
    if _is_pattern(agent):
        options.refuse((bool(layout or position), "--agent", "expected one agent with --layout and --position"))
        _audit_all(agent, games or GAMES, size, changes, seed, chosen, game_seconds, move_seconds, budget)
        return
    noun = "board" if position else "game"
    number = (games or (1 if layout else GAMES)) * len(layout or [None])
    finished: list[Audit] = []

    def show() -> Audit:
        from satsweep.oracle.report import merged_audits

        report = merged_audits(agent, finished)
        write(rendered("audit", chosen, report, exact=exact, width=width(), noun=noun, missed=missed), None)
        return report

    def show_so_far() -> None:
        if finished:
            bar.close()
            show()
            note(f"interrupted after {len(finished):,} of {counted(number, noun)}")

    with exiting_on_interrupt(show_so_far), progress_bar() as bar:
        from satsweep.errors import Contradiction
        from satsweep.formats import read_boards
        from satsweep.oracle.audit import MOST_LATE, audits_of_boards, audits_of_games

        a_move = options.MOVE_SECONDS if move_seconds is None else move_seconds
        with options.loaded_agent(agent, seconds=game_seconds, move_seconds=a_move) as subject:
            rules = changes.applied_to(subject.rules, None if layout else size, size.board)
            place = ""
            try:
                if position:
                    given = [
                        (file, count, board) for file in position for count, board in enumerate(read_boards(file), 1)
                    ]
                    number = len(given)

                    def one_by_one() -> Iterator[Board]:
                        nonlocal place
                        for file, count, board in _shown(given, number, "boards", bar):
                            place = f"{display_name(file)}: board {count}: "
                            yield board

                    audits = audits_of_boards(subject, one_by_one(), seed=seed, budget=budget, keep_failures=True)
                else:
                    layouts = _layouts(layout or [None], number, size, rules, seed)
                    layouts = _shown(layouts, number, "games", bar)
                    audits = audits_of_games(subject, layouts, rules, seed=seed, budget=budget, keep_failures=True)
                with naming_options_of(changes, None if layout or position else size):
                    finished.extend(audits)
            except Contradiction as error:
                fail(f"{place}{error}", BAD_INPUT)
    report = show()
    if len(finished) < number:
        note(
            f"the agent was late {MOST_LATE} times: the audit ended after {len(finished):,} of {counted(number, noun)}"
        )
    if not report.sound or report.wrong_risks or report.failures:
        raise typer.Exit(NO)


def _is_pattern(agent: str) -> bool:
    """True if a name stands for several files.

    >>> _is_pattern("submissions/*/minesweeper.py"), _is_pattern("mine.py"), _is_pattern("cmd:./engine *.py")
    (True, False, False)
    """
    return agent.endswith(".py") and any(sign in agent for sign in "*?[") and not agent.startswith("cmd:")


def _audit_all(
    pattern: str,
    games: int,
    size: Size,
    changes: RuleChanges,
    seed: str,
    format: str,
    game_seconds: float | None,
    move_seconds: float | None,
    budget: float | None,
) -> None:
    """Audit the agents of all files of a pattern, each in a process of its own."""
    from satsweep.arena.coursework.submissions import Submission, files_of
    from satsweep.errors import AgentError
    from satsweep.oracle.audit import audits_of_games
    from satsweep.oracle.report import merged_audits

    check_format("audits", format)
    files = files_of(pattern)
    options.refuse((not files, "--agent", f"expected files, found none of {pattern}"))
    found: list[Submission] = []

    def show() -> None:
        write(rendered("audits", format, found), None)

    def show_so_far() -> None:
        bar.close()
        show()
        note(f"interrupted after {len(found):,} of {counted(len(files), 'agent')}")

    a_move = options.MOVE_SECONDS if move_seconds is None else move_seconds
    with exiting_on_interrupt(show_so_far), progress_bar() as bar:
        for file in _shown(files, len(files), "agents", bar):
            try:
                with options.loaded_agent(file, seconds=game_seconds, move_seconds=a_move) as subject:
                    rules = changes.applied_to(subject.rules, size, size.board)
                    layouts = _layouts([None], games, size, rules, seed)
                    audits = audits_of_games(subject, layouts, rules, seed=seed, budget=budget, keep_failures=True)
                    with naming_options_of(changes, size):
                        found.append(Submission(file, merged_audits(file, audits)))
            except AgentError as error:
                found.append(Submission(file, None, str(error)))
    show()
    if not all(one.passes for one in found):
        raise typer.Exit(NO)


def _layouts(files: Sequence[str | None], number: int, size: Size, rules: Rules, seed: str) -> Iterator[Layout]:
    """Layouts of files, each several times, or random ones where a file is None."""
    from satsweep.games.deal import game_rng

    each = number // len(files)
    given: Layout | None = None
    for game in range(number):
        file = files[game // each]
        if file is not None and game % each == 0:
            given = deal_layout(file, size, rules, game_rng(seed, 0))
        yield given or deal_layout(None, size, rules, game_rng(seed, game))


def _shown(items: Iterable[_T], total: int, noun: str, bar: ProgressBar) -> Iterator[_T]:
    """Items, counted by the bar as they are taken."""
    for number, item in enumerate(items):
        bar.show(number, f"{number:,} of {total:,} {noun}", total=total)
        yield item
