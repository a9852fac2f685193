"""Exchanges with models: a request and its reply, within a time and a size.

A server may send a byte a second, or more than fits into memory, and so may a program. A whole exchange, from the
look-up of the host to the last byte, has to be done within its seconds, and nothing is read beyond ``MOST_BYTES``. A
redirect is a reply like others: it is not followed, so a key goes to no other place than the one that was named.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import Message
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection, IncompleteRead
from subprocess import Popen
from threading import Thread
from typing import IO, Any, TypeVar
from urllib.error import URLError
from urllib.request import AbstractHTTPHandler, OpenerDirector, ProxyHandler, Request, UnknownHandler

from satsweep.agents.child_process import Flood

MOST_BYTES = 1 << 20
"""Most bytes of a reply: 1 MiB."""
_KEPT = 1 << 16
"""Bytes that are kept of a program's standard error, its last ones."""

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class HttpReply:
    """Status of a reply, its reason, headers and body."""

    status: int
    reason: str
    headers: Message
    body: bytes


def post(address: str, body: bytes, headers: Mapping[str, str], seconds: float) -> HttpReply:
    """The reply of an address to a POST, of any status.

    Proxies are those of the environment. Raises TimeoutError after the seconds, Flood for a body beyond
    ``MOST_BYTES``, ValueError for a malformed address, OSError or HTTPException where there is no connection or no
    HTTP.
    """
    exchange = _HttpExchange(Request(address, body, dict(headers)), seconds)
    reply = _in_a_thread(exchange.reply)
    try:
        return reply.result(seconds)
    finally:
        exchange.end()


@dataclass(slots=True)
class _HttpExchange:
    """An exchange in a thread of its own, until another thread ends it."""

    request: Request
    seconds: float
    sockets: list[socket.socket] = field(default_factory=list)
    is_over: bool = False

    def reply(self) -> HttpReply:
        opener = OpenerDirector()  # it has no handlers of redirects and passwords
        for handler in (ProxyHandler(), _Handler(self), UnknownHandler()):
            opener.add_handler(handler)
        try:
            response: HTTPResponse = opener.open(self.request, timeout=self.seconds)
        except URLError as error:
            raise (error.reason if isinstance(error.reason, OSError) else error) from None
        with response:
            body = response.read(MOST_BYTES + 1)
            if len(body) > MOST_BYTES:
                raise Flood
            if response.length:
                raise IncompleteRead(body, response.length)
        return HttpReply(response.status, response.reason, response.headers, body)

    def connected(self, connected: socket.socket) -> None:
        self.sockets.append(connected)
        if self.is_over:
            self.end()

    def end(self) -> None:
        self.is_over = True
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


class _Handler(AbstractHTTPHandler):
    """HTTP and HTTPS by connections that tell an exchange of their sockets."""

    http_request = https_request = AbstractHTTPHandler.do_request_

    def __init__(self, exchange: _HttpExchange) -> None:
        super().__init__()
        self._exchange = exchange

    def http_open(self, request: Request) -> HTTPResponse:
        return self.do_open(self._watched(HTTPConnection), request)

    def https_open(self, request: Request) -> HTTPResponse:
        return self.do_open(self._watched(HTTPSConnection), request)

    def _watched(self, kind: type[HTTPConnection]) -> Any:
        exchange = self._exchange

        class Watched(kind):  # type: ignore[misc, valid-type]
            def connect(self) -> None:
                super().connect()
                exchange.connected(self.sock)

        return Watched


def talk(process: Popen[bytes], text: bytes) -> tuple[bytes, bytes]:
    """Standard output of a program that gets a text.

    With the end of its standard error. Raises Flood for output beyond ``MOST_BYTES``.
    """
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    _in_a_thread(partial(_write, process.stdin, text))
    said = _in_a_thread(partial(_last_of, process.stderr))
    output = process.stdout.read(MOST_BYTES + 1)
    if len(output) > MOST_BYTES:
        raise Flood
    process.wait()
    return output, said.result()


def _write(stream: IO[bytes], text: bytes) -> None:
    with suppress(OSError), stream:  # a program need not read
        stream.write(text)


def _last_of(stream: IO[bytes]) -> bytes:
    kept = b""
    with stream:
        while piece := stream.read(_KEPT):
            kept = (kept + piece)[-_KEPT:]
    return kept


def _in_a_thread(work: Callable[[], _Found]) -> Future[_Found]:
    """The outcome of work in a thread of its own."""
    outcome = Future[_Found]()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=run, daemon=True).start()
    return outcome
