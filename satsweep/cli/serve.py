"""Command ``serve``: the page in a browser."""

from __future__ import annotations

import os
import socket
from importlib.util import find_spec
from typing import Annotated

import typer

from satsweep.cli.output import BAD_INPUT, fail, note
from satsweep.errors import how_to_install

HOST, PORT = "127.0.0.1", 8017
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
            help="Number of processes that solve, and of those that play. Default: one for each core.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Host name that browsers may use, besides localhost and addresses."),
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page: games of agents, positions solved with reasons, play with hints.

    The server listens on this machine only, unless --host says otherwise. It stores nothing, and needs no other server.

    Exit codes: 0 stopped, 2 usage, 3 the extra `web` is not installed, or the address is not available, 130
    interrupted.
    """
    missing = [package for package in NEEDED if find_spec(package) is None]
    if missing:
        fail(f"the page needs {', '.join(missing)}: {how_to_install('web')}", BAD_INPUT)
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
    if open:
        import webbrowser

        webbrowser.open(url)

    from satsweep.solver.background import Kernels
    from satsweep.web.server import run

    Kernels("games", "deep", say=note).begin(polite=True)
    run(listening, workers=workers, names=name or ())
