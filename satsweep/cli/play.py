"""Commands ``play``, a game in the terminal, and ``find-mines``, the mine search.

The mine search is that of Covre and Reddy.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, fail
from satsweep.cli.game_options import GameFiles, RuleChanges, Size, deal_layout
from satsweep.cli.option_groups import naming_options_of, with_groups
from satsweep.cli.output import check_readable, display_name, is_terminal, write
from satsweep.cli.renderers import format_option, rendered
from satsweep.text import printable

if TYPE_CHECKING:
    from random import Random

    from satsweep.agents.load import LoadedAgent
    from satsweep.games.game import Game
    from satsweep.games.record import Move, Record
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout

DELAY = 0.05
"""Seconds after a move on a terminal."""
MINE_SEARCH_AGENTS = ("ai0", "ai1")
"""Default agents of the mine search: those of Covre and of Reddy."""


@with_groups
def play(
    *,
    agent: options.Agent = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Play yourself, by commands; help lists them.")
    ] = False,
    size: Size,
    layout: options.Layout = None,
    seed: options.Seed = None,
    changes: RuleChanges,
    replay: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Show the game of a record that --record wrote, instead of a new one."),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for a key after each move; q stops the game.")] = False,
    delay: Annotated[
        float | None, options.seconds_option(f"Pause after each move. Default: {DELAY} on a terminal, else 0.")
    ] = None,
    warn: Annotated[
        bool, typer.Option("--warn", help="Ask for confirmation, with --interactive, before an avoidable risk.")
    ] = False,
    files: GameFiles,
) -> None:
    """Play a game in the terminal, move by move, with the reason for each.

    The default agent is sat. Rules without an option are those that the agent was made for.

    Exit codes: 0 the game was played, with any result, 2 usage, 3 bad input, 130 interrupted.
    """
    new = size.given or changes.given or interactive or (agent, layout, seed) != (None,) * 3
    options.refuse(
        (layout is not None and size.given, "--layout", "expected a layout or a size and a topology, found both"),
        (
            interactive and (agent is not None or step or delay is not None),
            "--interactive",
            "expected no --agent, --step or --delay with it",
        ),
        (warn and not interactive, "--warn", "expected --interactive with it"),
        (replay is not None and new, "--replay", "expected no options of a new game beside a record"),
    )
    from satsweep.agents.fingerprint import source_files
    from satsweep.games.rules import STANDARD_RULES

    files.check({"--layout": layout, "--replay": replay, "--agent": None if agent is None else source_files(agent)})
    finished: Record | None
    if replay is not None:
        finished = _show_again(replay, step=step, delay=delay)
    else:
        name = "sat" if agent is None else agent
        named = naming_options_of(changes, None if layout else size)
        with nullcontext() if interactive else options.loaded_agent(name) as player, named:
            made_for = STANDARD_RULES if player is None else player.rules
            dealt = _deal(layout, size, changes, made_for, seed or options.new_seed())
            if player is None:
                from satsweep.cli.interactive import play_interactively

                finished = play_interactively(*dealt, warn=warn)
            else:
                finished = _watch(player, *dealt, step=step, delay=delay, recorded=files.given)
    if finished is not None:
        files.write(finished)


def _deal(
    file: str | None, size: Size, changes: RuleChanges, made_for: Rules, seed: str
) -> tuple[Layout, Rules, Random, str]:
    """Layout, rules and randomness of a game, and its source in words."""
    from satsweep.games.deal import game_rng

    rng = game_rng(seed, 0)
    rules = changes.applied_to(made_for, None if file else size, size.board)
    source = f"seed {seed}" if file is None else f"{printable(display_name(file))}, seed {seed}"
    return deal_layout(file, size, rules, rng), rules, rng, source


def _watch(
    agent: LoadedAgent,
    layout: Layout,
    rules: Rules,
    rng: Random,
    source: str,
    *,
    step: bool,
    delay: float | None,
    recorded: bool,
) -> Record | None:
    """Play a game by an agent and show each move; return its record.

    If the reader of standard output has gone, the game ends there and None is returned, unless it is ``recorded``.
    """
    from satsweep.games.agent import Thinking
    from satsweep.games.game import Game, play_moves, record
    from satsweep.games.record import Outcome
    from satsweep.render.transcript import game_ending

    game, thinking = Game(layout, rules, rng), Thinking()
    moves = play_moves(game, agent.fresh(), rng, thinking)
    steps = ((move, game) for move in moves)
    heading = _heading(agent.name, rules, layout, source)
    _show(heading, steps, lambda: game.stop(Outcome.STOPPED), step=step, delay=delay)
    if recorded:
        for _ in moves:
            pass
    if game.outcome is None:
        return None
    finished = record(game, agent.name, thinking.seconds, thinking.evaluations)
    write(game_ending(finished), None)
    return finished


def _show_again(file: str, *, step: bool, delay: float | None) -> Record:
    """Show the moves of a record from a file; return the record."""
    from satsweep.games.game import replay
    from satsweep.games.record import Record
    from satsweep.render.transcript import game_ending

    check_readable(file, "a record")
    game = Record.load(file)
    steps = (made for made in replay(game))
    heading = _heading(printable(game.agent), game.rules, game.layout, printable(display_name(file)))
    _show(heading, steps, steps.close, step=step, delay=delay)
    write(game_ending(game), None)
    return game


def _heading(agent: str, rules: Rules, layout: Layout, source: str) -> list[str]:
    from satsweep.render.transcript import fact_line, game_header, layout_summary

    return [*game_header(agent, rules), fact_line("layout", f"{layout_summary(layout)}, {source}")]


def _show(
    heading: list[str],
    steps: Iterable[tuple[Move, Game]],
    stop: Callable[[], None],
    *,
    step: bool,
    delay: float | None,
) -> None:
    """Show the moves of a game, with a pause after each; q stops the game."""
    live = is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
    with _pauses(stop, step, (DELAY if live else 0.0) if delay is None else delay) as pause:
        if live:
            from rich.console import Console

            from satsweep.render.transcript import watch_game

            write([*heading, "\n"], None)
            for _ in watch_game(steps, Console()):
                pause()
        else:
            from satsweep.render.transcript import game_lines

            write(_flushed(chain(heading, game_lines(_paced(steps, pause)))), None)


@contextmanager
def _pauses(stop: Callable[[], None], step: bool, delay: float) -> Iterator[Callable[[], None]]:
    """Function that waits after a move, for a key or a delay; q calls ``stop``."""
    if not step:
        yield lambda: time.sleep(delay)
        return
    from satsweep.cli.interactive import key_reader

    with key_reader() as next_key:
        open_input = True

        def wait() -> None:
            nonlocal open_input
            if open_input:
                key = next_key()
                # At the end of input the game goes on without keys.
                open_input = key != ""
                if key[:1] in ("q", "Q"):
                    stop()
            time.sleep(delay)

        yield wait


def _paced(steps: Iterable[tuple[Move, Game]], pause: Callable[[], None]) -> Iterator[tuple[Move, Game]]:
    for step in steps:
        yield step
        pause()


def _flushed(lines: Iterable[str]) -> Iterator[str]:
    """Lines, each flushed to standard output before the next one is made."""
    for line in lines:
        yield line
        sys.stdout.flush()


# --- the mine search


@with_groups
def find_mines(
    *,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|-", help="A layout with a start: Georgia Tech JSON, or any format that holds layouts."
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=options.agent_names,
            help=f"Agent that searches: {options.AGENT_HELP}. May be given several times. Default: ai0 and ai1.",
        ),
    ] = None,
    size: Size,
    start: options.Start = None,
    clues: options.Clues = None,
    seed: options.Seed = None,
    format: Annotated[str | None, format_option("mine searches")] = None,
    json: options.Json = False,
) -> None:
    """Find every mine, and open as few cells as possible.

    Opening a mine costs no more than opening any other cell. Without a file, the layout is a random one of the given
    board or size.

    Exit codes: 0 done, 2 usage, 3 bad input, 130 interrupted.
    """
    if size.given is (file is not None):
        found = "neither" if file is None else "both"
        raise options.wrong("FILE", f"expected a file or a board, as --board 10x10/10, found {found}")
    chosen = options.chosen_format(format, json)

    from satsweep.errors import BoardError
    from satsweep.games.deal import game_rng
    from satsweep.games.game import play
    from satsweep.games.rules import FIND_MINES_RULES

    check_readable(file, "a layout")
    changes = RuleChanges(start=start, clues=clues)
    rules = changes.applied_to(FIND_MINES_RULES)
    seed = seed or options.new_seed()
    source = "random" if file is None else display_name(file)
    records: list[Record] = []
    try:
        given = None if file is None else deal_layout(file, size, rules, game_rng(seed, 0))
        with naming_options_of(changes, size if given is None else None):
            for name in agent or MINE_SEARCH_AGENTS:
                with options.loaded_agent(name) as searcher:
                    rng = game_rng(seed, 0)
                    layout = given or deal_layout(None, size, rules, rng)
                    records.append(play(layout, searcher.fresh(), rules, rng, name=searcher.name))
    except BoardError as error:
        fail(str(error) if error.file else f"{source}: {error}", BAD_INPUT)
    write(rendered("mine searches", chosen, records, source=source, seed=seed), None)
