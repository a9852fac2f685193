"""The HTTP server (uvicorn) that runs the application."""

import logging
import socket
import time
from collections.abc import Collection

import uvicorn

from satsweep.web.app import app
from satsweep.web.limits import LIMITS, Limits
from satsweep.web.protocols import TimedHTTP, TimedWebSocket

SLACK = 4
"""Factor on the message limit up to which a refusal is sent, not a disconnect."""
DESCRIPTORS = 4096
"""File descriptors that the server asks for."""
MOST_LOGGED = 10
"""Most lines that are logged in a minute; clients can cause some."""


def run(
    listening: socket.socket,
    limits: Limits = LIMITS,
    *,
    workers: int | None = None,
    names: Collection[str] = (),
    proxies: Collection[str] = (),
) -> None:
    """Serve the page on a listening socket until the process is interrupted.

    Requests from ``proxies`` come from the address in their X-Forwarded-For.
    """
    config = uvicorn.Config(
        app(limits, workers=workers, names=names, proxies=proxies),
        log_level="error",
        access_log=False,
        server_header=False,
        # Other implementations of HTTP have no bound on headers, another event loop none on what it reads at once.
        loop="asyncio",
        http=TimedHTTP,
        h11_max_incomplete_event_size=16 * 1024,
        ws=TimedWebSocket,
        ws_max_size=SLACK * limits.message,
        # A small message would be decompressed to a large one.
        ws_per_message_deflate=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        # Connections that are accepted at once, before anything else runs.
        backlog=256,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )
    for name in ("uvicorn.error", "asyncio", "satsweep.web"):
        logging.getLogger(name).addFilter(_Seldom())
    _ask_for_descriptors()
    uvicorn.Server(config).run(sockets=[listening])


class _Seldom(logging.Filter):
    """Lets through ``MOST_LOGGED`` lines a minute."""

    def __init__(self) -> None:
        super().__init__()
        self.minute, self.count = 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        minute = int(time.monotonic() // 60)
        self.minute, self.count = minute, 1 + (self.count if minute == self.minute else 0)
        return self.count <= MOST_LOGGED


def _ask_for_descriptors() -> None:
    """Raise the soft limit of file descriptors, as far as the hard one allows."""
    try:
        import resource
    except ImportError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
