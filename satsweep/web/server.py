"""The HTTP server (uvicorn) that runs the application."""

from __future__ import annotations

import socket
from collections.abc import Collection

import uvicorn

from satsweep.web.app import app
from satsweep.web.limits import LIMITS, Limits

SLACK = 4
"""Factor on the message limit up to which a refusal is sent, not a disconnect."""


def run(
    listening: socket.socket, limits: Limits = LIMITS, *, workers: int | None = None, names: Collection[str] = ()
) -> None:
    """Serve the page on a listening socket until the process is interrupted."""
    config = uvicorn.Config(
        app(limits, workers=workers, names=names),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=SLACK * limits.message,
        ws_max_queue=8,
        limit_concurrency=2 * limits.connections,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16 * 1024,
    )
    uvicorn.Server(config).run(sockets=[listening])
