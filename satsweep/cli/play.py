"""Games: ``play``, by an agent or by a person, and the ``agents`` that there are."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.output import BAD_INPUT, check_writable, compile_for, fail, write

if TYPE_CHECKING:
    from random import Random

    from satsweep.games.game import Game
    from satsweep.games.record import Move, Record
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout

DELAY = 0.05


def agents() -> None:
    """List the agents: who they are, and which document they follow."""
    from importlib.metadata import entry_points

    from satsweep.agents import AGENTS

    for name, entry in AGENTS.items():
        typer.echo(f"{name:<12} {entry.summary}\n{'':<12} {entry.source}")
    for installed in entry_points(group="satsweep.agents"):
        if installed.name not in AGENTS:
            typer.echo(f"{installed.name:<12} installed: {installed.value}")


def play(
    agent: options.Agent = None,
    interactive: Annotated[bool, typer.Option("--interactive", "-i", help="You play; type help there.")] = False,
    rows: options.Rows = None,
    cols: options.Cols = None,
    mines: options.Mines = None,
    topology: options.Topology = None,
    layout: options.Layout = None,
    seed: options.Seed = None,
    first: options.First = None,
    start: options.Start = None,
    cascade: options.Cascade = None,
    play_on: options.PlayOn = None,
    goal: options.Goal = None,
    clues: options.Clues = None,
    hide_total: options.HideTotal = False,
    step: Annotated[bool, typer.Option("--step", help="Wait for a key after each move; q stops the game.")] = False,
    delay: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            callback=options.seconds,
            help=f"Wait so long after each move. Default: {DELAY} on a terminal, else 0.",
        ),
    ] = None,
    warn: Annotated[
        bool, typer.Option("--warn", help="In your own game: ask before a risk that need not be taken.")
    ] = False,
    transcript: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write down the game as text, with its layout.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write down the game as JSON; see `satsweep schema record`.")
    ] = None,
) -> None:
    """Play a game in the terminal, move by move, with the reason for each.

    The agent is sat if nobody is named. Rules for which there is no option are those that the agent was made for.

    Exit codes: 0 the game was played, however it ended, 2 usage, 3 bad input, 130 interrupted.
    """
    if layout is not None and (rows, cols, mines, topology) != (None,) * 4:
        raise typer.BadParameter("expected a layout or a size and a topology, found both", param_hint="'--layout'")
    if interactive and (agent is not None or step or delay is not None):
        raise typer.BadParameter("expected nobody else to play along", param_hint="'--interactive'")
    if warn and not interactive:
        raise typer.BadParameter("expected --interactive with it", param_hint="'--warn'")
    check_writable(transcript, record)

    from satsweep.agents import entry_named
    from satsweep.errors import AgentError, BoardError
    from satsweep.games.deal import game_rng
    from satsweep.games.rules import STANDARD_RULES

    name = "a person" if interactive else agent or "sat"
    rules = options.rules_of(
        STANDARD_RULES if interactive else entry_named(name.partition(":")[0]).rules,
        first=first,
        start=start,
        cascade=cascade,
        play_on=play_on,
        goal=goal,
        clues=clues,
        hide_total=hide_total,
    )
    seed = new_seed() if seed is None else seed
    rng = game_rng(seed, 0)
    finished: Record | None
    try:
        size = options.size_of(rows, cols, mines, topology)
        played = to_play(layout, size, rules, rng)
        source = f"seed {seed}" if layout is None else f"{_file(layout)}, seed {seed}"
        if interactive:
            from satsweep.cli.interactive import converse

            finished = converse(played, rules, rng, source, warn=warn)
        else:
            finished = _watch(
                name, played, rules, rng, source, step=step, delay=delay, wanted=bool(transcript or record)
            )
    except (BoardError, AgentError) as error:
        fail(str(error), BAD_INPUT)
    if finished is not None:
        save(finished, transcript, record)


def new_seed() -> int:
    """A seed for those who gave none, short enough to type it again."""
    from random import SystemRandom

    return SystemRandom().randrange(1_000_000)


def to_play(file: str | None, size: options.Size, rules: Rules, rng: Random) -> Layout:
    """The layout of a file, or a random one, with a start where the rules want one that is given."""
    from satsweep.formats import read_layout
    from satsweep.games.deal import random_layout, with_start
    from satsweep.games.rules import FirstClick

    if file is not None:
        return read_layout(file)
    layout = random_layout(size.rows, size.cols, size.mines, rng, topology=size.topology)
    if rules.first is FirstClick.GIVEN and rules.start is None:
        return with_start(layout, rng)
    return layout


def save(record: Record, transcript: Path | None, json: Path | None) -> None:
    """Write down a game where that is wanted."""
    if transcript is not None:
        from satsweep.render.transcript import transcript as transcript_of

        write(transcript_of(record), transcript)
    if json is not None:
        from satsweep.formats.records import to_json

        write((to_json(record),), json)


def _file(name: str) -> str:
    return "<stdin>" if name == "-" else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)


def _watch(
    name: str,
    layout: Layout,
    rules: Rules,
    rng: Random,
    source: str,
    *,
    step: bool,
    delay: float | None,
    wanted: bool,
) -> Record | None:
    """Let an agent play and show it. Where nobody reads on, the game is played out only if its record is wanted."""
    from satsweep.agents import agent_named
    from satsweep.games.game import Clock, Game, record, turns
    from satsweep.render.transcript import fact_line, game_ending, game_header, game_lines, layout_summary

    compile_for(name)
    game, clock = Game(layout, rules, rng), Clock()
    moves = turns(game, agent_named(name), rng, clock)
    above = [*game_header(name, rules), fact_line("layout", f"{layout_summary(layout)}, {source}")]
    live = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    with _pauses(game, step, (DELAY if live else 0.0) if delay is None else delay) as pause:
        steps = ((move, game) for move in moves)
        if live:
            from rich.console import Console

            from satsweep.render.watch import watch_game

            write([*above, "\n"], None)
            for _ in watch_game(steps, Console()):
                pause()
        else:
            write(_flushed(chain(above, game_lines(_paced(steps, pause)))), None)
        if wanted:
            for _ in moves:
                pass
    if game.outcome is None:
        return None
    finished = record(game, name, clock.seconds)
    write(game_ending(finished), None)
    return finished


@contextmanager
def _pauses(game: Game, step: bool, delay: float) -> Iterator[Callable[[], None]]:
    """Within, a function waits after a move: for a key, or a moment. The key q stops the game."""
    if not step:
        yield lambda: time.sleep(delay)
        return
    from satsweep.cli.keyboard import key_by_key
    from satsweep.games.record import Outcome

    with key_by_key() as next_key:
        keys = True

        def wait() -> None:
            nonlocal keys
            if keys:
                key = next_key()
                # Where there are no more keys, the game goes on by itself.
                keys = key != ""
                if key[:1] in ("q", "Q"):
                    game.stop(Outcome.STOPPED)
            time.sleep(delay)

        yield wait


def _paced(steps: Iterable[tuple[Move, Game]], pause: Callable[[], None]) -> Iterator[tuple[Move, Game]]:
    for step in steps:
        yield step
        pause()


def _flushed(lines: Iterable[str]) -> Iterator[str]:
    """Each line is out before the next one is made."""
    for line in lines:
        yield line
        sys.stdout.flush()
