"""Commands ``umi``, an engine behind a pipe, and ``umi-test``, which examines one."""

import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import NO
from satsweep.cli.output import write
from satsweep.cli.renderers import format_option, rendered


def umi(
    agent: Annotated[
        str,
        typer.Option(
            metavar="NAME", autocompletion=options.agent_names, help=f"Agent that plays: {options.AGENT_HELP}."
        ),
    ] = "sat",
) -> None:
    """Play and answer questions in lines of text on standard input.

    An arena or a graphical interface in any language sends positions, and gets moves, exact risks, analyses and
    explanations. docs/umi.md describes the protocol.

    Exit codes: 0 after `quit` or at the end of the input, 2 usage, 130 interrupted.
    """
    from satsweep.agents import AGENTS
    from satsweep.umi.server import Server

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="backslashreplace")  # bytes that are no text are nonsense, too
    with options.loaded_agent(agent) as player:
        server = Server(agent, tuple(dict.fromkeys((agent, *AGENTS))), player.fresh)
        with suppress(BrokenPipeError):
            for line in sys.stdin:
                if text := server.answer(line):
                    sys.stdout.write(text)
                    sys.stdout.flush()
                if server.has_quit:
                    break


def umi_test(
    engine: Annotated[str, typer.Argument(metavar="ENGINE", help="Command of the engine, or cmd:engine.toml.")],
    level: Annotated[
        list[int] | None, typer.Option(metavar="N", min=1, max=9, help="Examine this level only; may be repeated.")
    ] = None,
    seconds: Annotated[
        float, options.seconds_option("Time limit for each game or position. Default: 60.", above_0=True)
    ] = 60.0,
    format: Annotated[str | None, format_option("examination")] = None,
    json: options.Json = False,
) -> None:
    """Examine an engine: what it does wrong in the protocol, level by level.

    docs/umi.md describes the protocol and the levels. Levels that the engine does not declare are not examined.

    Exit codes: 0 every level that the engine declares is passed, 1 one is not, 2 usage, 3 the engine cannot be
    started, 130 interrupted.
    """
    from satsweep.agents.engine import PREFIX
    from satsweep.umi.conformance import examine

    chosen = options.chosen_format(format, json)
    name = engine if engine.startswith(PREFIX) else PREFIX + engine

    def tell(text: str) -> None:
        write((text,), None)

    at_once = chosen == "text"
    found = examine(name, levels=frozenset(level or ()), seconds=seconds, tell=tell if at_once else None)
    if not at_once:
        write(rendered("examination", chosen, found), None)
    if not found.passed:
        raise typer.Exit(NO)
