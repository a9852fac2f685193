"""HTTP server (uvicorn) of the page, with limits on time and addresses.

uvicorn bounds the size of headers and messages, and the time of an idle connection. It has no limit on the time until a
request or message is complete, on the connections of an address, on frames, or on the time that a client takes to read.
"""

import asyncio
import logging
import socket
import time
from collections.abc import Collection
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from satsweep.page.app import app
from satsweep.page.clients import Clients, Link
from satsweep.page.questions import LIMITS, Limits

SLACK = 4
"""Factor on the message limit up to which a refusal is sent, not a disconnect."""
DESCRIPTORS = 4096
"""File descriptors that the server asks for."""
MOST_LOGGED = 10
"""Most lines that are logged in a minute; clients can cause some."""
READ = 16 * 1024
"""Bytes read at once; the smallest frames take some milliseconds to parse."""
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n"
    b"too many connections, in all or from this address; try again later\n"
)
"""Response to a connection that is refused."""


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
        ws_max_size=max(SLACK * limits.message, limits.picture),
        # A small message would be decompressed to a large one.
        ws_per_message_deflate=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        # Connections that are accepted at once, before anything else runs.
        backlog=256,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )
    for name in ("uvicorn.error", "asyncio", "satsweep.page"):
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
    try:
        import resource
    except ImportError:
        return  # Windows has no such limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class TimedHTTP(H11Protocol):
    """HTTP/1.1 whose requests must be complete in time."""

    link: Link | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.clients: Clients = self.app_state["clients"]
        self.link = self.clients.admit(transport, self.client[0] if self.client else "")
        if self.link is None:
            transport.write(FULL)
            transport.close()
            return
        self.app_state = {**self.app_state, "link": self.link}
        transport.max_size = READ  # type: ignore[attr-defined]  # read by asyncio's selector transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self.link is not None:
            self.clients.leave(self.link)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.link is not None:
            self.link.begin(self.clients.limits.requesting)
            super().data_received(data)

    def on_response_complete(self) -> None:
        """Clear the deadline; an idle connection has another one, uvicorn's."""
        if self.link is not None and not self.flow.write_paused:
            self.link.rest()
        super().on_response_complete()

    def resume_writing(self) -> None:
        """Clear the deadline if the response is complete: the client has read it."""
        if self.link is not None and self.cycle is not None and self.cycle.response_complete:
            self.link.rest()
        super().resume_writing()


class TimedWebSocket(WebSocketsSansIOProtocol):
    """WebSocket with time limits on messages, and on reading the answers.

    Bytes count as held by the client from their arrival until the application takes the message.
    """

    arriving = 0
    """Bytes of a message that is not complete."""
    within = False
    """True between the pieces of a message."""
    queued = 0
    """Bytes of messages that the application has not taken."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.link: Link = self.app_state["link"]
        self.clients: Clients = self.app_state["clients"]
        self.link.rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self.clients.leave(self.link)
        super().connection_lost(exc)
        self.link.release(self.arriving + self.queued)
        self.arriving = self.queued = 0

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        if not self.link.hold(len(data)):
            self.link.drop()
            return
        self.arriving += len(data)
        self.link.begin(self.clients.limits.receiving)
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        self.queued, self.arriving = self.queued + self.arriving, 0
        self._rest()
        super().send_receive_event_to_app()

    def handle_text(self, event: Frame) -> None:
        self.within = not event.fin
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        self.within = not event.fin
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Take a further piece of a message, if the client may send one now."""
        if self._may():
            self.within = not event.fin
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, if the client may send one now."""
        if self._may():
            super().handle_ping()
            self._end_control()

    def handle_pong(self, event: Frame) -> None:
        """Take a pong; an unsolicited one only if the client may send one now."""
        if bytes(event.data) == self.pending_ping_payload or self._may():
            super().handle_pong(event)
            self._end_control()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.link.begin(self.clients.limits.reading)

    def resume_writing(self) -> None:
        """Clear the deadline: the client has read."""
        super().resume_writing()
        self._rest()

    async def send(self, message: Any) -> None:
        """Send a message, and return when the client has read nearly all of it."""
        await super().send(message)
        await self.writable.wait()

    async def receive(self) -> Any:
        """Receive a message, which the application counts from here on."""
        message = await super().receive()
        if self.queue.empty():
            self.link.release(self.queued)
            self.queued = 0
        return message

    def _may(self) -> bool:
        """Take a token for a frame; drop the connection if there is none."""
        if not self.transport.is_closing() and self.link.client.messages.take():
            return True
        self.link.drop()
        return False

    def _end_control(self) -> None:
        """Count a control frame as read, unless it stands between the pieces of a message."""
        if not self.within:
            self.link.release(self.arriving)
            self.arriving = 0
            self._rest()

    def _rest(self) -> None:
        """Clear the deadline, unless the client has to read or to complete a message."""
        if self.writable.is_set() and not self.arriving:
            self.link.rest()
