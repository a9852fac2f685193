"""Commands ``serve``, the page in a browser, and ``static``, the page as a folder."""

import ipaddress
import os
import re
import socket
from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, fail, note
from satsweep.cli.output import fail_to_write
from satsweep.errors import how_to_install
from satsweep.page.questions import LIMITS

GIBI = 1024**3
HOST, PORT = "127.0.0.1", 8017
_NAME = re.compile(r"[\w.-]{1,40}")
NEEDED = ("starlette", "uvicorn", "websockets")


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 lets other machines connect.")
    ] = HOST,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = PORT,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=256,
            help="Number of processes that solve, and of those that play. Default: one for each core. One more of "
            "either kind is kept for addresses that would have none.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Host name that browsers may use, besides localhost and addresses."),
    ] = None,
    per_address: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="Number of pages that one address may have open.")
    ] = LIMITS.per_address,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Address of a reverse proxy. Its X-Forwarded-For says which address a request comes from.",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=cmd:COMMAND", help="Engine that the page offers under this name (docs/umi.md); repeatable."
        ),
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page: games of agents, positions solved with reasons, play with hints.

    The server listens on this machine only, unless --host says otherwise. It stores nothing, and needs no other server.

    Each address has the same share of the workers, however many connections it opens. It may have 64 pages open
    (--per-address), 64 questions waiting, and send 100 messages and 1 MiB per second; a request has to be complete
    within 10 seconds. Connections that are too slow are closed. `/health` answers 503 while no worker can be started.

    Behind a reverse proxy all requests come from its address; name it with --proxy, or all clients share one share.

    Exit codes: 0 stopped, 2 usage, 3 the extra `web` is not installed, or the address is not available, 130
    interrupted.
    """
    missing = [package for package in NEEDED if find_spec(package) is None]
    if missing:
        fail(f"the page needs {', '.join(missing)}: {how_to_install('web')}", BAD_INPUT)
    engines = _engines(agent or ())
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        listening = socket.create_server(found[0][4][:2], family=found[0][0], backlog=1024)
    except socket.gaierror as error:
        fail(f"cannot listen on {host}, port {port}: {error.strerror}", BAD_INPUT)
    except OSError as error:
        fail(f"cannot listen on {host}, port {port}: {os.strerror(error.errno or 0)}", BAD_INPUT)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{listening.getsockname()[1]}/"
    typer.echo(f"satsweep is at {url} (Ctrl-C stops it)")
    if not ipaddress.ip_address(listening.getsockname()[0]).is_loopback:
        most = 2 * ((workers or os.cpu_count() or 1) + 1)
        note(
            f"warning: anyone who can reach {host} may let this machine compute: up to {most} processes at once, with "
            f"up to {LIMITS.memory // GIBI} GiB of memory each (`satsweep serve --help` has the limits)"
        )
    if open:
        import webbrowser

        webbrowser.open(url)

    from satsweep.page.server import run

    limits = replace(LIMITS, per_address=per_address, engines=engines)
    run(listening, limits, workers=workers, names=name or (), proxies=proxy or ())


def _engines(given: Iterable[str]) -> dict[str, str]:
    """Commands by name, each started once to see that it is an engine."""
    from satsweep.agents import agent_names
    from satsweep.agents.engine import is_command

    found: dict[str, str] = {}
    for text in given:
        name, _, command = text.partition("=")
        if not _NAME.fullmatch(name) or not is_command(command) or name in (*agent_names(), *found):
            message = f"expected NAME=cmd:COMMAND with a name that no agent has, found {text[:80]!a}"
            raise options.wrong("--agent", message)
        with options.loaded_agent(command):
            found[name] = command
    return found


def static(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="Where the folder is written.")],
    wheels: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder with the pieces of others: Pyodide from npm, and wheels. Without it npm and pip load them.",
        ),
    ] = None,
) -> None:
    """Write the page as a folder that needs no server: Python runs in the browser.

    Any web host can serve it, or `python -m http.server`. It keeps working without a network once it was opened. Every
    file is the same each time the folder is written. A folder of an earlier build is replaced as a whole; one with
    other files is refused. The agent `deep` is left to `satsweep serve`.

    Exit codes: 0 written, 2 usage, 3 a piece cannot be loaded, or the folder cannot be written, 130 interrupted.
    """
    from satsweep.page.offline.build import NUMPY, build, check_own, gathered, write

    if Path.cwd().is_relative_to(directory.resolve()):
        raise options.wrong("DIRECTORY", "expected another folder than the current one, which is replaced as a whole")
    check_own(directory)
    pieces = gathered(wheels)
    found = build(pieces)
    try:
        write(found, directory)
    except OSError as error:
        fail_to_write(directory, error)
    size = sum(map(len, found.values()))
    typer.echo(
        f"{directory}: {len(found)} files, {size / 1e6:.1f} MB; `python -m http.server -d {directory}` serves it"
    )
    if NUMPY not in pieces:
        typer.echo(f"this page reads no pictures, for want of {NUMPY.name}", err=True)
