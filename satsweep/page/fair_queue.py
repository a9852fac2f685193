"""Fair queue of questions.

Fair by start time (start-time fair queuing; Goyal, Vin and Cheng 1997): the next question is that of the client with
the least worker time, so that expensive clients do not delay cheap ones; among the connections of a client the same
rule decides. A client that was idle starts level with the others and saves up nothing. One worker is reserved: no
client has every worker. While there are several clients, each has at most half of the workers.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakKeyDictionary

from satsweep.page import questions


@dataclass
class TokenBucket:
    """Token bucket: ``burst`` at once, then ``rate`` per second."""

    rate: float
    burst: float

    def __post_init__(self) -> None:
        self.tokens = float(self.burst)
        self.since = time.monotonic()

    def take(self) -> bool:
        self._refill()
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def owe(self, tokens: float) -> float:
        """Take tokens, even if there are too few; return the seconds until there are."""
        self._refill()
        self.tokens -= tokens
        return max(0.0, -self.tokens / self.rate)

    def _refill(self) -> None:
        now = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.since) * self.rate)
        self.since = now


_T = TypeVar("_T")


@dataclass(eq=False)
class Job:
    """A question for a worker: sender, content, time limit, and the messages back."""

    client: object
    """Address that it comes from."""
    connection: object
    id: int
    content: bytes
    seconds: float
    hold: Callable[[int], bool] = lambda size: True
    """Counts bytes that wait for the client; False if they are too many."""
    replies: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    held: int = 0
    """Bytes of replies that wait for the client."""

    def put(self, message: str) -> None:
        """Queue a reply; end the question with an error if too much waits."""
        if self.cancelled.is_set():
            return
        if self.hold(len(message)):
            self.held += len(message)
            self.replies.put_nowait(message)
        else:
            self.cancel("more answers wait than a client may leave unread")

    def end(self, message: str | None = None) -> None:
        if message is not None:
            self.replies.put_nowait(message)
        self.replies.put_nowait(None)

    def cancel(self, problem: str = "cancelled") -> None:
        """End the question with an error."""
        if not self.cancelled.is_set():
            self.cancelled.set()
            self.end(questions.refusal(self.id, problem))

    async def messages(self) -> AsyncIterator[str]:
        while (message := await self.replies.get()) is not None:
            yield message


class Turns:
    """Start-time fair queuing: the next is the one that has spent the least time."""

    def __init__(self) -> None:
        self.now = 0.0
        """Virtual time: time spent by the one served last, when it was served."""
        self.spent: WeakKeyDictionary[object, float] = WeakKeyDictionary()

    def join(self, one: object) -> None:
        """Let one queue that was idle: it starts level with the others."""
        self.spent[one] = max(self.spent.get(one, 0.0), self.now)

    def next(self, among: Iterable[_T]) -> _T:
        return min(among, key=self.spent.__getitem__)

    def charge(self, one: object, seconds: float) -> None:
        self.now = self.spent[one]
        self.spent[one] += seconds

    def refund(self, one: object, seconds: float) -> None:
        self.spent[one] -= seconds


class FairQueue:
    """Questions that wait for one of ``workers`` workers."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._waiting: dict[object, dict[object, deque[Job]]] = {}
        """Questions by client and connection."""
        self._turns = Turns()
        self._turns_of: WeakKeyDictionary[object, Turns] = WeakKeyDictionary()
        self._running: Counter[object] = Counter()
        """Number of workers that answer a client."""
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return sum(len(jobs) for queues in self._waiting.values() for jobs in queues.values())

    def put(self, job: Job, *, first: bool = False) -> None:
        """Queue a question, before the others of its connection if it is ``first``."""
        if job.client not in self._waiting:
            self._turns.join(job.client)
        queues = self._waiting.setdefault(job.client, {})
        if job.connection not in queues:
            self._turns_of.setdefault(job.client, Turns()).join(job.connection)
        jobs = queues.setdefault(job.connection, deque())
        (jobs.appendleft if first else jobs.append)(job)
        self.wake()

    def take(self) -> Job | None:
        # While there is a single client, no other needs the other half.
        most = self.workers // 2 if len(self._turns.spent) > 1 else self.workers - 1
        clients = [client for client in self._waiting if self._running[client] < most]
        if not clients:
            return None
        client = self._turns.next(clients)
        turns = self._turns_of[client]
        job = self._waiting[client][turns.next(self._waiting[client])][0]
        self.discard(job)
        for level, one in ((self._turns, client), (turns, job.connection)):
            level.charge(one, job.seconds)
        self._running[client] += 1
        return job

    def finish(self, job: Job, took: float) -> None:
        """Account for a finished question: refund the time that it did not take."""
        left = max(0.0, job.seconds - took)
        self._turns.refund(job.client, left)
        self._turns_of[job.client].refund(job.connection, left)
        self._running[job.client] -= 1
        if not self._running[job.client]:
            del self._running[job.client]
        self.wake()

    def discard(self, job: Job) -> None:
        queues = self._waiting.get(job.client, {})
        jobs = queues.get(job.connection, deque())
        if job in jobs:
            jobs.remove(job)
        if not jobs:
            queues.pop(job.connection, None)
        if not queues:
            self._waiting.pop(job.client, None)

    def refuse(self, problem: str) -> None:
        for job in [job for queues in self._waiting.values() for jobs in queues.values() for job in jobs]:
            self.discard(job)
            job.cancel(problem)

    def wake(self) -> None:
        self._changed.set()

    async def change(self) -> None:
        self._changed.clear()
        await self._changed.wait()
