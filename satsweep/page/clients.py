"""Clients by address, their connections, and what the server holds for them.

A client is an address, so opening more connections gains nothing. ``Clients.sweep`` is the one place that drops
connections which are too late: a connection has one deadline, which its protocol sets and clears (``server``).
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from collections.abc import Collection
from dataclasses import dataclass

from satsweep.page.fair_queue import TokenBucket
from satsweep.page.questions import Limits

REMEMBERED = 60.0
"""Seconds for which an address without connections keeps its token buckets."""
CLOSING = 5.0
"""Seconds that a closing connection has for its last bytes."""
LEAST = 16
"""Connections that are kept however few file descriptors there are."""
RESERVED = 24
"""File descriptors kept for the server; each worker has ``FOR_WORKER`` besides."""
FOR_WORKER = 4


class Client:
    """One address: its connections, its token buckets, and the bytes held for it."""

    def __init__(self, clients: Clients) -> None:
        limits = clients.limits
        self.clients = clients
        self.links: set[Link] = set()
        self.sockets = 0
        """Number of open WebSockets."""
        self.waiting = 0
        """Number of open questions."""
        self.held = 0
        """Bytes that the server holds for this address."""
        self.asked = False
        """True if a question of this address has been queued."""
        self.arrivals = TokenBucket(limits.opened, 2 * limits.per_address)
        self.messages = TokenBucket(limits.rate, limits.burst)
        self.volume = TokenBucket(limits.volume, limits.held)
        self.seen = time.monotonic()

    def hold(self, size: int) -> bool:
        """Count bytes as held; return False if they are too many, and count none."""
        limits, held, total = self.clients.limits, self.held + size, self.clients.held + size
        share = limits.held_in_all / max(1, self.clients.holding)
        if held > limits.held or (total > limits.held_in_all and held > share):
            return False
        self._count(held)
        return True

    def release(self, size: int) -> None:
        self._count(self.held - size)

    def _count(self, held: int) -> None:
        self.clients.held += held - self.held
        self.clients.holding += bool(held) - bool(self.held)
        self.held = held


@dataclass(eq=False)
class Link:
    """One connection: its transport, its client, and when it is dropped."""

    transport: asyncio.Transport
    client: Client
    used: float
    """Time of its last request or message."""
    asking: int = 0
    """Number of its open questions."""
    deadline: float = math.inf
    held: int = 0
    """Bytes that the server holds for it."""

    def hold(self, size: int) -> bool:
        """Count bytes as held; return False if they are too many, and count none."""
        if not self.client.hold(size):
            return False
        self.held += size
        return True

    def release(self, size: int) -> None:
        self.client.release(size)
        self.held -= size

    def begin(self, seconds: float) -> None:
        """Set the deadline, unless there is an earlier one."""
        self.deadline = min(self.deadline, time.monotonic() + seconds)

    def rest(self) -> None:
        """Clear the deadline: the request or message is complete."""
        self.used, self.deadline = time.monotonic(), math.inf

    def drop(self) -> None:
        self.transport.abort()


class Clients:
    def __init__(self, limits: Limits, *, workers: int = 0, proxies: Collection[str] = ()) -> None:
        self.limits = limits
        self.proxies = frozenset(map(address, proxies))
        self.links: set[Link] = set()
        self.held = 0
        """Bytes that the server holds for all clients."""
        self.holding = 0
        """Number of clients that it holds bytes for."""
        self._reserved = RESERVED + FOR_WORKER * workers
        self._by_address: dict[str, Client] = {}

    def at(self, host: str) -> Client:
        key = address(host)
        client = self._by_address.get(key)
        if client is None:
            client = self._by_address[key] = Client(self)
        client.seen = time.monotonic()
        return client

    def admit(self, transport: asyncio.Transport, host: str) -> Link | None:
        """Register a connection; return None if it is refused."""
        client = self.at(host)
        if address(host) not in self.proxies and (
            len(client.links) >= 2 * self.limits.per_address or not client.arrivals.take()
        ):
            return None
        if len(self.links) >= self.room() and not self._make_room(client):
            return None
        link = Link(transport, client, time.monotonic())
        link.begin(self.limits.requesting)
        client.links.add(link)
        self.links.add(link)
        return link

    def move(self, link: Link, client: Client) -> None:
        """Count a connection of a proxy as one of the client behind it."""
        held = link.held
        link.release(held)
        link.client.links.discard(link)
        link.client = client
        client.links.add(link)
        if not link.hold(held):
            self._drop(link)

    def leave(self, link: Link) -> None:
        link.client.seen = time.monotonic()
        link.client.links.discard(link)
        self.links.discard(link)

    def room(self) -> int:
        try:
            import resource
        except ImportError:
            return self.limits.connections
        descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if descriptors == resource.RLIM_INFINITY:
            return self.limits.connections
        return min(self.limits.connections, max(LEAST, descriptors - self._reserved))

    def sweep(self) -> None:
        """Drop connections beyond their deadline or the room; forget idle addresses."""
        now = time.monotonic()
        for link in list(self.links):
            if link.transport.is_closing():
                link.begin(CLOSING)
            if now > link.deadline:
                self._drop(link)
        self.shed(len(self.links) - self.room())
        for key, client in list(self._by_address.items()):
            if not (client.links or client.waiting or client.held) and now > client.seen + REMEMBERED:
                del self._by_address[key]

    def shed(self, count: int) -> None:
        for _ in range(min(count, len(self.links))):
            self._drop(self._spare(self._greediest()))

    def _make_room(self, client: Client) -> bool:
        """Drop a connection of the client that has the most; False if that is this one."""
        most = self._greediest()
        surplus = len(most.links) - len(client.links) - 1
        if surplus < 0 or (surplus == 0 and most.asked):
            return False
        self._drop(self._spare(most))
        return True

    def _greediest(self) -> Client:
        """The client with the most connections; among equals, one that has asked nothing."""
        return max(self._by_address.values(), key=lambda client: (len(client.links), not client.asked))

    def _spare(self, client: Client) -> Link:
        """The connection of a client that is missed the least."""
        return min(client.links, key=lambda link: (link.asking, math.isinf(link.deadline), link.used))

    def _drop(self, link: Link) -> None:
        link.drop()
        self.leave(link)


def address(host: str) -> str:
    """The address that stands for a client: an IPv4 address, or an IPv6 network.

    >>> address("192.0.2.7"), address("::ffff:192.0.2.7"), address("2001:db8::1:2:3:4")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
