"""HTTP and WebSocket protocols of uvicorn with limits on time and addresses.

uvicorn bounds the size of headers and messages, and the time of an idle connection. It has no limit on the time until a
request or message is complete, on the connections of an address, on frames, or on the time that a client takes to read.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from satsweep.web.clients import Clients, Link

READ = 16 * 1024
"""Bytes read at once; the smallest frames take some milliseconds to parse."""
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n"
    b"too many connections, in all or from this address; try again later\n"
)
"""Response to a connection that is refused."""


class TimedHTTP(H11Protocol):
    """HTTP/1.1 whose requests must be complete in time."""

    link: Link | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection, or refuse it."""
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
        """Forget the connection."""
        if self.link is not None:
            self.clients.leave(self.link)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request, which must be complete in time."""
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
        """Take over the connection from the HTTP protocol."""
        super().connection_made(transport)
        self.link: Link = self.app_state["link"]
        self.clients: Clients = self.app_state["clients"]
        self.link.rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.clients.leave(self.link)
        super().connection_lost(exc)
        self.link.release(self.arriving + self.queued)
        self.arriving = self.queued = 0

    def data_received(self, data: bytes) -> None:
        """Take the request or a piece of a message."""
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
        """Pass on a message that is complete."""
        self.queued, self.arriving = self.queued + self.arriving, 0
        self._rest()
        super().send_receive_event_to_app()

    def handle_text(self, event: Frame) -> None:
        """Take a message or its first piece."""
        self.within = not event.fin
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Take a message or its first piece."""
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
        """Give the client some time to read what has been sent."""
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
