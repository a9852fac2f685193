"""The page: ``serve``."""

from __future__ import annotations

import os
import socket
from importlib.util import find_spec
from typing import Annotated

import typer

from satsweep.cli.output import BAD_INPUT, fail

HOST, PORT = "127.0.0.1", 8017
NEEDED = ("starlette", "uvicorn", "websockets")


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen. Other machines get in with 0.0.0.0.")
    ] = HOST,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 is any that is free.")] = PORT,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=256, help="So many processes solve, and so many play. Default: one a core."
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name, besides localhost and addresses, by which browsers may come."),
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the page: watch agents play, solve positions and learn why, play with hints.

    It listens on this machine only, unless told otherwise, keeps nothing, and needs no other server.

    Exit codes: 0 stopped, 2 usage, 3 the extra `web` is not installed, or the address cannot be had, 130 interrupted.
    """
    missing = [package for package in NEEDED if find_spec(package) is None]
    if missing:
        fail(f"the page needs {', '.join(missing)}: pip install 'satsweep[web]'", BAD_INPUT)
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

    from satsweep.web.server import run

    run(listening, workers=workers, names=name or ())
