"""ASGI application: static files and one WebSocket.

The server keeps no state and opens no file that a client names. A browser sends the page that a request comes from
(``Origin``) and the name under which it found the server (``Host``). Requests from other pages are refused, and so are
requests under foreign names, which would let another site's page pass for this one (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from satsweep.errors import BoardError
from satsweep.web import questions
from satsweep.web.limits import LIMITS, Limits
from satsweep.web.pool import Job, Pool
from satsweep.web.questions import Question

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Content types of the page's files, by suffix."""

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
))  # fmt: skip
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
}
LOCAL = ("localhost",)
TOO_BIG, REFUSED, LATER = 1009, 1008, 1013
"""Close codes of a WebSocket (RFC 6455)."""


def app(limits: Limits = LIMITS, *, workers: int | None = None, names: Collection[str] = ()) -> Starlette:
    """Build the application.

    There are ``workers`` processes for questions and as many for games; ``names`` are its host names besides localhost.
    """
    size = workers or os.cpu_count() or 1
    pages = _pages()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with Pool(size, limits) as answering, Pool(size, limits) as playing:
            app.state.pools = {"watch": playing, "": answering}
            yield

    def page(request: Request) -> Response:
        content, kind = pages[request.path_params.get("name", "index.html")]
        return Response(content, media_type=kind)

    async def connection(socket: WebSocket) -> None:
        await Connection(socket, limits, socket.app.state.pools).run()

    routes = [Route("/", page), WebSocketRoute("/ws", connection)]
    routes += [Route(f"/{name}", _always(page, name)) for name in pages]
    made = Starlette(routes=routes, lifespan=lifespan)
    made.add_middleware(SecurityMiddleware, names=frozenset(names))
    return made


def _always(page: Callable[[Request], Response], name: str) -> Callable[[Request], Response]:
    """The handler for one file of the page."""

    def named(request: Request) -> Response:
        request.path_params["name"] = name
        return page(request)

    return named


def _pages() -> dict[str, tuple[bytes, str]]:
    """Contents and types of the page's files, read once; no other file is served."""
    found = {}
    for file in files("satsweep.web").joinpath("static").iterdir():
        suffix = os.path.splitext(file.name)[1]
        if suffix in TYPES:
            found[file.name] = file.read_bytes(), TYPES[suffix]
    return found


@dataclass
class SecurityMiddleware:
    """Middleware that refuses foreign hosts and origins, and adds security headers."""

    app: ASGIApp
    names: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        problem = self._problem(Headers(scope=scope))
        if problem is None:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "http":
            await PlainTextResponse(problem, 403)(scope, receive, _with_headers(send))
        else:
            await send({"type": "websocket.close", "code": REFUSED, "reason": problem})

    def _problem(self, headers: Headers) -> str | None:
        """Why a request is refused; None if it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ours(host):
            return "expected a request to the name of this server; see --name of `satsweep serve`"
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return "expected a request from the page of this server"
        return None

    def _is_ours(self, host: str) -> bool:
        """True for localhost, an allowed name, or an IP address, which no site can rebind."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in LOCAL or name in self.names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _with_headers(send: Send) -> Send:
    """A ``send`` that adds the security headers to responses."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sending


@dataclass
class TokenBucket:
    """Token bucket: ``burst`` at once, then ``rate`` per second."""

    rate: float
    burst: int

    def __post_init__(self) -> None:
        self.tokens = float(self.burst)
        self.since = time.monotonic()

    def take(self) -> bool:
        """Take a token; return False if there is none."""
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.since) * self.rate)
        self.since = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class Connection:
    """One WebSocket client."""

    count = 0
    """Number of open connections."""

    def __init__(self, socket: WebSocket, limits: Limits, pools: dict[str, Pool]) -> None:
        self.socket = socket
        self.limits = limits
        self.pools = pools
        self.jobs: dict[int, Job] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.sending = asyncio.Lock()

    async def run(self) -> None:
        """Answer until the client disconnects or exceeds a limit."""
        await self.socket.accept()
        if Connection.count >= self.limits.connections:
            await self.socket.close(LATER, "too many connections; try again later")
            return
        Connection.count += 1
        try:
            with suppress(WebSocketDisconnect):
                await self._listen()
        finally:
            Connection.count -= 1
            for job in self.jobs.values():
                job.cancel()
            for task in list(self.tasks):
                task.cancel()

    async def _listen(self) -> None:
        """Receive messages, and refuse those above the rate limit."""
        bucket = TokenBucket(self.limits.rate, self.limits.burst)
        refused = 0
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if bucket.take():
                refused = 0
                await self._take(message.get("text"))
                continue
            refused += 1
            if refused > self.limits.patience:
                await self.socket.close(REFUSED, "too many messages")
                return
            text = message.get("text")
            await self._send(
                questions.refusal(self._id(text), f"at most {self.limits.rate:g} messages a second are taken")
            )

    async def _take(self, text: str | None) -> None:
        """Handle a message: queue its question, cancel one, or send a refusal."""
        try:
            if text is None:
                raise BoardError("expected text, found bytes")
            if len(text) > self.limits.message:
                raise BoardError(f"expected at most {self.limits.message:,} characters, found {len(text):,}")
            question = Question.of(text)
        except BoardError as error:
            await self._send(questions.refusal(self._id(text), error))
            return
        if question.ask is None:
            if question.id in self.jobs:
                self.jobs[question.id].cancel()
            return
        problem = self._problem(question)
        if problem is not None:
            await self._send(questions.refusal(question.id, problem))
            return
        plays = question.ask == "watch"
        job = Job(self, question.id, text, self.limits.playing if plays else self.limits.answering)
        self.jobs[question.id] = job
        await self.pools["watch" if plays else ""].put(job)
        task = asyncio.create_task(self._reply(job))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _problem(self, question: Question) -> str | None:
        """Why a question cannot be queued now; None if it can."""
        if question.id in self.jobs:
            return f"expected a new id, found {question.id}, which waits for its answer"
        if len(self.jobs) >= self.limits.waiting:
            return f"at most {self.limits.waiting} questions can wait for their answers"
        if sum(pool.waiting for pool in self.pools.values()) >= self.limits.waiting_in_all:
            return "too many questions wait for their answers; try again later"
        return None

    async def _reply(self, job: Job) -> None:
        """Send the replies of a job to the client."""
        try:
            async for message in job.messages():
                await self._send(message)
        finally:
            self.jobs.pop(job.id, None)

    async def _send(self, message: str) -> None:
        """Send a message, unless the client has gone."""
        async with self.sending:
            with suppress(WebSocketDisconnect, RuntimeError):
                await self.socket.send_text(message)

    def _id(self, text: str | None) -> int | None:
        """The id of a refused message, if it has one; too long a message is not parsed."""
        return None if text is None or len(text) > self.limits.message else questions.id_of(text)
