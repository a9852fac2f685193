"""ASGI application: static files and one WebSocket.

The server keeps no state and opens no file that a client names. A browser sends the page that a request comes from
(``Origin``) and the name under which it found the server (``Host``). Requests from other pages are refused, and so are
requests under foreign names, which would let another site's page pass for this one (DNS rebinding).
"""

import asyncio
import ipaddress
import json
import logging
import os
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from satsweep.errors import BoardError
from satsweep.page import TYPES, questions, static_files
from satsweep.page.answers import about
from satsweep.page.clients import Clients, Link
from satsweep.page.fair_queue import FairQueue, Job
from satsweep.page.questions import LIMITS, Limits, Question
from satsweep.page.workers import Pool

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
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
GAMES = ("watch", "animate", "deal_no_guess", "review_game", "fewest_clicks")
"""Questions that games are played for, which have workers of their own."""
LOCAL = ("localhost",)
TOO_BIG, REFUSED, LATER = 1009, 1008, 1013
"""Close codes of a WebSocket (RFC 6455)."""
SHEDDING = 0.5
"""Least seconds between two droppings of connections for want of descriptors."""

log = logging.getLogger("satsweep.page")


def app(
    limits: Limits = LIMITS, *, workers: int | None = None, names: Collection[str] = (), proxies: Collection[str] = ()
) -> Starlette:
    """Build the application.

    There are ``workers`` processes for questions and as many for games, and a reserved one of either kind; ``names``
    are its host names besides localhost. Connections from ``proxies`` are not limited by address.
    """
    size = workers or os.cpu_count() or 1
    pages = _pages(limits)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, object]]:
        clients = Clients(limits, workers=2 * (size + 1), proxies=proxies)
        async with Pool(size, limits) as answering, Pool(size, limits) as playing:
            app.state.clients, app.state.pools = clients, {"games": playing, "": answering}
            asyncio.get_running_loop().set_exception_handler(_shedding(clients))
            sweeping = asyncio.create_task(_sweep(clients))
            yield {"clients": clients}
            sweeping.cancel()

    # Functions that are not asynchronous would run in threads, which may run out.
    async def page(request: Request) -> Response:
        if (name := request.path_params.get("name", "index.html")) not in pages:
            return PlainTextResponse("Not Found", 404)
        content, kind = pages[name]
        return Response(content, media_type=kind)

    async def health(request: Request) -> Response:
        problem = next(filter(None, (pool.problem for pool in request.app.state.pools.values())), None)
        return PlainTextResponse(f"{problem or 'ok'}\n", 503 if problem else 200)

    async def connection(socket: WebSocket) -> None:
        await Connection(socket, limits, socket.app.state.clients, socket.app.state.pools).run()

    routes = [
        Route("/", page),
        Route("/health", health),
        Route("/{name:path}", page),
        WebSocketRoute("/ws", connection),
    ]
    made = Starlette(routes=routes, lifespan=lifespan)
    made.add_middleware(SecurityMiddleware, names=frozenset(names))
    return made


async def _sweep(clients: Clients) -> None:
    while True:
        await asyncio.sleep(1)
        clients.sweep()


def _shedding(clients: Clients) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """A handler that drops connections when there is no descriptor for a new one."""
    shed = 0.0

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal shed
        if "out of system resource" not in context.get("message", ""):
            loop.default_exception_handler(context)
        elif loop.time() > shed + SHEDDING:
            # asyncio calls this many times in a row, and accepts again after a second.
            shed = loop.time()
            clients.shed(1 + len(clients.links) // 8)
            log.warning("no connection can be accepted: %s", context["exception"])

    return handle


def _host(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _pages(limits: Limits) -> dict[str, tuple[bytes, str]]:
    """Contents and types of the page's files, read once; no other file is served."""
    found = {**static_files(), "about.json": json.dumps(about(limits)).encode()}
    return {name: (content, TYPES[os.path.splitext(name)[1]]) for name, content in found.items()}


@dataclass
class SecurityMiddleware:
    """Middleware that refuses foreign hosts and origins, and adds security headers."""

    app: ASGIApp
    names: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        problem = self._problem(Headers(scope=scope))
        if scope["type"] == "http" and not scope["state"]["clients"].at(_host(scope)).messages.take():
            await PlainTextResponse("too many requests", 429)(scope, receive, _with_headers(send))
        elif problem is None:
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
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sending


class Connection:
    def __init__(self, socket: WebSocket, limits: Limits, clients: Clients, pools: dict[str, Pool]) -> None:
        self.socket = socket
        self.limits = limits
        self.clients = clients
        self.pools = pools
        self.link: Link = socket.scope["state"]["link"]
        self.client = clients.at(_host(socket.scope))
        self.jobs: dict[int, Job] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.sending = asyncio.Lock()

    async def run(self) -> None:
        await self.socket.accept()
        if self.client.sockets >= self.limits.per_address:
            await self.socket.close(LATER, "too many connections from this address; try again later")
            return
        if self.client is not self.link.client:
            self.clients.move(self.link, self.client)
        self.client.sockets += 1
        try:
            with suppress(WebSocketDisconnect, asyncio.CancelledError):
                await self._listen()
        finally:
            self.client.sockets -= 1
            for job in list(self.jobs.values()):
                job.cancel()

    async def _listen(self) -> None:
        refused = 0
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if self.client.messages.take():
                refused = 0
                await self._take(text)
            elif refused < self.limits.patience:
                refused += 1
                await self._send(
                    questions.refusal(self._id(text), f"at most {self.limits.rate:g} messages a second are taken")
                )
            else:
                await self.socket.close(REFUSED, "too many messages")
                return
            # Until there are tokens for the bytes of this message, the next one is not read.
            await asyncio.sleep(self.client.volume.owe(len(text or message.get("bytes") or "")))

    async def _take(self, text: str | None) -> None:
        """Handle a message: queue its question, cancel one, or send a refusal."""
        try:
            if text is None:
                raise BoardError("expected text, found bytes")
            if len(text) > (most := questions.most_characters(text, self.limits)):
                raise BoardError(f"expected at most {most:,} characters, found {len(text):,}")
            question = Question.head(text)
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
        content = text.encode()
        if not self.link.hold(len(content)):
            await self._send(questions.refusal(question.id, "too much waits for this address; try again later"))
            return
        plays = question.ask in GAMES
        job = Job(
            self.client, self, question.id, content, self.limits.playing if plays else self.limits.answering,
            hold=self.link.hold,
        )  # fmt: skip
        self.jobs[question.id] = job
        self.client.waiting += 1
        self.client.asked = True
        pool = self.pools["games" if plays else ""]
        pool.put(job)
        task = asyncio.create_task(self._reply(job, pool.queue))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _problem(self, question: Question) -> str | None:
        """Why a question cannot be queued now; None if it can."""
        if question.id in self.jobs:
            return f"expected a new id, found {question.id}, which waits for its answer"
        if len(self.jobs) >= self.limits.waiting:
            return f"at most {self.limits.waiting} questions can wait for their answers"
        if self.client.waiting >= self.limits.waiting_per_address:
            return f"at most {self.limits.waiting_per_address} questions of one address can wait for their answers"
        if self.client.waiting and sum(len(pool.queue) for pool in self.pools.values()) >= self.limits.waiting_in_all:
            return "too many questions wait for their answers; try again later"
        return None

    async def _reply(self, job: Job, queue: FairQueue) -> None:
        """Send the replies of a job to the client, and forget the job."""
        self.link.asking += 1
        try:
            async for message in job.messages():
                await self._send(message)
                size = min(job.held, len(message))
                job.held -= size
                self.link.release(size)
        finally:
            queue.discard(job)
            self.jobs.pop(job.id, None)
            self.client.waiting -= 1
            self.link.asking -= 1
            self.link.release(job.held + len(job.content))
            job.hold = lambda size: False

    async def _send(self, message: str) -> None:
        async with self.sending:
            with suppress(WebSocketDisconnect, RuntimeError):
                await self.socket.send_text(message)

    def _id(self, text: str | None) -> int | None:
        """The id of a refused message, if it has one; too long a message is not parsed."""
        return None if text is None or len(text) > self.limits.message else questions.id_of(text)
