"""Hostile clients of the page's server: limits by address, in bytes and in time, and workers that cannot start."""

import asyncio
import errno
import json
import logging
import math
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from satsweep.errors import BoardError
from satsweep.page import questions
from satsweep.page.clients import Clients, Link
from satsweep.page.fair_queue import FairQueue, Job, TokenBucket
from satsweep.page.questions import SHORT, Limits, Question
from satsweep.page.workers import Pool
from tests import PATIENCE
from tests.page.pages import ROOT, Address, ask, asking, served
from tests.page.test_web import SMALL, Sender, command

FOREIGN = "127.0.0.2"
"""Another address of this machine."""
T = TypeVar("T")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")


def keys(count: int) -> str:
    return json.dumps({"id": 1, "ask": "solve"} | {f"k{number}": 0 for number in range(count)})


def connected(url: str, host: str = "127.0.0.1") -> socket.socket:
    """A connection to a server from an address of this machine."""
    where = urlsplit(url)
    made = socket.create_connection((where.hostname, where.port), PATIENCE, source_address=(host, 0))
    made.settimeout(PATIENCE)
    return made


def awaited(asked: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, in a thread of its own: the loop of a browser may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asked).result()


def raw(asker: ClientConnection) -> socket.socket:
    found = asker.socket
    assert isinstance(found, socket.socket)
    return found


# Messages


def test_the_event_loop_parses_only_short_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Question.head('{"ask": "read", "id": 3}').id == 3
    monkeypatch.setattr(Question, "of", lambda text: pytest.fail("parsed"))
    long = Question.head(json.dumps({"id": 3, "ask": "solve", "board": "#" * SHORT}))
    assert (long.id, long.ask, dict(long.fields)) == (3, "solve", {})
    for text in (json.dumps({"board": "#" * SHORT, "id": 3}), " " * 10**6, f'{{"id":{2**53},"ask":"a"{" " * SHORT}'):
        with pytest.raises(BoardError, match="expected id and ask first"):
            Question.head(text)
    assert questions.id_of(json.dumps({"id": 3, "more": "#" * SHORT})) is None


def test_a_message_is_parsed_in_linear_time() -> None:
    def seconds(text: str) -> float:
        began = time.process_time()
        Question.of(text)
        return time.process_time() - began

    small, large = keys(6_000), keys(24_000)
    assert min(seconds(large) for _ in range(5)) < 8 * min(seconds(small) for _ in range(5))


@pytest.mark.parametrize(
    ("kind", "fields", "problem"),
    [
        ("deal", {"rows": 3, "cols": 3, "mines": 1, "start": [0, 0], "seed": "\ud800"}, "surrogate"),
        ("read", {"text": json.dumps({"rules": [{"num_mines": 10**20, "cells": ["a"]}]})}, "expected"),
        ("read", {"text": json.dumps({"rules": [], "total_cells": 3, "total_mines": 10**20})}, "expected"),
    ],
)
def test_questions_that_ended_a_worker(kind: str, fields: dict[str, object], problem: str) -> None:
    with pytest.raises(BoardError, match=problem):
        ask(kind, **fields)


def test_a_mistake_of_ours_is_an_answer_and_ends_no_worker() -> None:
    code = (
        "import satsweep.page.answers as answers; answers.answer_to = lambda *_: 1 / 0; "
        "from satsweep.page import workers; workers.WARMING = (); workers.main()"
    )
    command = [sys.executable, "-c", code, "{}"]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    assert worker.stdin is not None and worker.stdout is not None
    asked = b'{"id":7,"ask":"read"}'
    worker.stdin.write(b"7 %d\n%b" % (len(asked), asked) + b"8 2\n{}")
    worker.stdin.flush()
    said = [worker.stdout.readline().decode().rstrip() for _ in range(7)]
    printed = worker.communicate(timeout=PATIENCE)[1]
    first, second = json.loads(said[2]), json.loads(said[5])
    assert said[:2] + said[3:5] + said[6:] == ["ready", "begun", "ready", "begun", "ready"]
    assert first == {"id": 7, "error": {"message": "satsweep made a mistake; the server has printed where"}}
    assert second == {"id": 8, "error": {"message": "expected the key 'id'", "line": 1, "column": 1}}
    assert b"ZeroDivisionError" in printed


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands peaks down")
def test_the_memory_of_a_worker_is_its_own() -> None:
    """Not that of the process that started it, in which it would be ended after every answer."""
    size = "from satsweep.page.workers import _size; print(_size())"
    code = f"import subprocess, sys; kept = bytes(300 << 20).upper(); subprocess.run([sys.executable, '-c', {size!r}])"
    found = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT, timeout=PATIENCE, check=True)
    assert 5 << 20 < int(found.stdout) < 200 << 20


# Clients by address


class Wire:
    """A transport that remembers whether it was aborted."""

    def __init__(self) -> None:
        self.aborted = self.closing = False

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.closing


def admitted(clients: Clients, host: str) -> Link | None:
    return clients.admit(Wire(), host)  # type: ignore[arg-type]


def dropped(link: Link | None) -> bool:
    assert link is not None and isinstance(link.transport, Wire)
    return link.transport.aborted


def test_an_address_has_a_number_of_connections() -> None:
    clients = Clients(Limits(per_address=2, opened=1000))
    assert [admitted(clients, "192.0.2.1") is not None for _ in range(5)] == [True] * 4 + [False]
    assert admitted(clients, "192.0.2.2") is not None
    inside = [admitted(clients, f"2001:db8::{number}") is not None for number in range(5)]
    assert inside == [True] * 4 + [False]


def test_an_address_opens_connections_at_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    clients = Clients(Limits(per_address=2, opened=1))
    for number in range(5):
        link = admitted(clients, "192.0.2.1")
        assert (link is not None) == (number < 4)
        if link is not None:
            clients.leave(link)


def test_a_proxy_may_open_any_number_for_others() -> None:
    clients = Clients(Limits(per_address=2, opened=1), proxies=["192.0.2.9"])
    links = [admitted(clients, "192.0.2.9") for _ in range(20)]
    first = links[0]
    assert None not in links and first is not None
    assert first.hold(10)
    clients.move(first, behind := clients.at("192.0.2.1"))
    assert (len(clients.at("192.0.2.9").links), clients.at("192.0.2.9").held) == (19, 0)
    assert (behind.links, behind.held) == ({first}, 10)


def test_a_full_server_drops_what_is_missed_least() -> None:
    """The connection that goes is one of the address with the most, without questions or a request, used last."""
    clients = Clients(Limits(connections=4, per_address=50))
    asking, old, new = (admitted(clients, "192.0.2.1") for _ in range(3))
    assert asking is not None and old is not None and new is not None
    asking.asking, old.deadline, old.used, new.deadline = 1, math.inf, 1.0, math.inf
    begun = admitted(clients, "192.0.2.1")
    assert admitted(clients, "192.0.2.1") is None  # this address has the most
    for number, victim in enumerate((begun, old, new)):
        assert not dropped(victim)
        assert admitted(clients, f"198.51.100.{number}") is not None
        assert dropped(victim)
    for number in range(2):
        clients.at("192.0.2.1" if number else "198.51.100.0").asked = True
    for host in ("198.51.100.1", "198.51.100.2"):  # every address has one, and these have asked nothing
        assert admitted(clients, f"203.0.113.{host[-1]}") is not None
        clients.at(f"203.0.113.{host[-1]}").asked = True
        assert not clients.at(host).links
    assert admitted(clients, "203.0.113.9") is None
    assert not dropped(asking) and len(clients.links) == 4


def test_there_is_room_for_fewer_when_there_are_few_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    clients = Clients(Limits(connections=100, per_address=100), workers=2)
    links = [admitted(clients, "192.0.2.1") for _ in range(80)]
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (100, 100))
    clients.sweep()
    assert clients.room() == 100 - 24 - 8 == len(clients.links)
    assert sum(map(dropped, links)) == 80 - 68


def test_deadlines_and_forgotten_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    clients = Clients(Limits(requesting=10))
    late, idle, closed = (admitted(clients, "192.0.2.1") for _ in range(3))
    assert late is not None and idle is not None and closed is not None
    idle.rest()
    closed.rest()
    assert isinstance(closed.transport, Wire)
    closed.transport.closing = True
    for then, gone in ((109.0, [False] * 3), (111.0, [True, False, False]), (116.0, [True, False, True])):
        now = then
        late.begin(50)  # a later piece does not move the deadline
        clients.sweep()
        assert [dropped(link) for link in (late, idle, closed)] == gone
    client = clients.at("192.0.2.1")
    clients.leave(idle)
    now = 150.0
    clients.sweep()
    assert clients.at("192.0.2.1") is client
    now = 300.0
    clients.sweep()
    assert clients.at("192.0.2.1") is not client


def test_bytes_are_limited_by_address_and_shared_when_scarce() -> None:
    clients = Clients(Limits(held=100, held_in_all=150))
    first, second, third = (clients.at(f"192.0.2.{number}") for number in range(3))
    assert first.hold(100) and not first.hold(1)
    assert second.hold(50)
    assert third.hold(40)  # beyond the total, but below its share
    assert not second.hold(20)
    for client, size in ((first, 100), (second, 50), (third, 40)):
        client.release(size)
    assert (clients.held, clients.holding) == (0, 0)


def test_bytes_that_are_owed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    bucket = TokenBucket(rate=10, burst=100)
    assert [bucket.owe(size) for size in (60, 40, 30, 10)] == [0, 0, 3, 4]


# Questions


def test_more_connections_of_a_client_gain_nothing() -> None:
    queue, many, single = FairQueue(5), Sender(), Sender()
    connections = [Sender() for _ in range(4)]
    for id in range(8):
        queue.put(Job(many, connections[id % 4], id, b"", 20.0))
    order = []
    for turn in range(10):
        if turn == 2:
            for id in (100, 101):
                queue.put(Job(single, single, id, b"", 20.0))
        job = queue.take()
        assert job is not None
        order.append(job.id)
        queue.finish(job, 1.0)
    assert order[2:6] in ([100, 2, 101, 3], [2, 100, 3, 101])
    assert order[:2] == [0, 1]


def test_time_that_a_question_did_not_take_is_given_back() -> None:
    queue, expensive, cheap = FairQueue(3), Sender(), Sender()
    for id in range(6):
        queue.put(Job(expensive, expensive, id, b"", 20.0))
        queue.put(Job(cheap, cheap, 10 + id, b"", 20.0))
    order = []
    for _ in range(8):
        job = queue.take()
        assert job is not None
        order.append(job.id)
        queue.finish(job, 10.0 if job.client is expensive else 1.0)
    assert order == [0, 10, 11, 12, 13, 14, 15, 1]


def test_a_connection_does_not_delay_others_of_its_address() -> None:
    queue, client, busy, other = FairQueue(3), Sender(), Sender(), Sender()
    for id in range(5):
        queue.put(Job(client, busy, id, b"", 20.0))
    queue.put(Job(client, other, 9, b"", 20.0))
    taken = [queue.take(), queue.take()]
    assert [job.id for job in taken if job] == [0, 9]


def test_unread_replies_end_a_question() -> None:
    async def replies() -> list[str]:
        room = [10]

        def hold(size: int) -> bool:
            room[0] -= size
            return room[0] >= 0

        job = Job(None, None, 3, b"", 20.0, hold=hold)
        for message in ("12345", "1234", "12345", "1"):
            job.put(message)
        return [message async for message in job.messages()]

    first, second, last = awaited(replies())
    assert (first, second) == ("12345", "1234")
    assert json.loads(last)["error"]["message"] == "more answers wait than a client may leave unread"


@pytest.mark.extended
def test_a_pool_survives_that_no_worker_can_be_started(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    start: Callable[..., Any] = asyncio.create_subprocess_exec
    problems: list[Exception] = [OSError(errno.EMFILE, "Too many open files"), RuntimeError("can't start new thread")]
    failing = True

    async def create(*words: str, **options: Any) -> Any:
        if failing:
            raise problems[len(caplog.records) % 2]
        return await start(*words, **options)

    async def answers() -> tuple[list[str], str | None, list[str], str | None]:
        nonlocal failing
        monkeypatch.setattr(asyncio, "create_subprocess_exec", create)
        async with Pool(1, Limits(starting=0.3)) as pool:
            refused = Job("client", "connection", 1, b"{}", 20.0)
            pool.put(refused)
            first = [message async for message in refused.messages()]
            problem, failing = pool.problem, False
            while pool.problem is not None:
                await asyncio.sleep(0.05)
            answered = Job("client", "connection", 2, b'{"id":2,"ask":"nonsense"}', 20.0)
            pool.put(answered)
            return first, problem, [message async for message in answered.messages()], pool.problem

    monkeypatch.setattr("satsweep.page.fair_queue.WeakKeyDictionary", dict)
    with caplog.at_level(logging.WARNING, "satsweep.page"):
        first, problem, second, after = awaited(answers())
    assert json.loads(first[0])["error"]["message"] == problem
    assert problem is not None and problem.startswith("no worker process can be started: ")
    assert "expected a question among" in second[0] and after is None
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2 and said[0].endswith("; trying again") and said[1] == "worker processes start again"


# The server


def closed_by_server(connection: socket.socket) -> bytes:
    """What a server sends until it closes the connection. Raises TimeoutError if it does not."""
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except ConnectionResetError:
        pass
    return found


@pytest.mark.extended
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nhost: loc", b"POST / HTTP/1.1\r\nhost: localhost\r\n"])
def test_a_request_has_to_be_complete_in_time(impatient: Address, sent: bytes) -> None:
    with closing(connected(impatient)) as connection:
        connection.sendall(sent)
        assert closed_by_server(connection) == b""


@pytest.mark.extended
def test_a_body_that_drips_ends_the_connection(impatient: Address) -> None:
    with closing(connected(impatient)) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n")
        with pytest.raises(ConnectionError):
            for _ in range(PATIENCE):
                connection.sendall(b"x")
                time.sleep(0.5)


@pytest.mark.extended
def test_a_message_has_to_be_complete_in_time(impatient: Address) -> None:
    with asking(impatient) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1
        raw(asker.socket).sendall(bytes((0x81, 0x80 | 126)) + struct.pack("!HI", 1000, 0) + b"x" * 500)
        with pytest.raises(ConnectionClosed):
            asker.receive()


@pytest.mark.extended
def test_answers_have_to_be_read_in_time(impatient: Address) -> None:
    """A client that reads nothing is dropped, and holds no worker meanwhile."""
    with asking(impatient) as other, closing(connected(impatient)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.sendall(
            b"GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
            b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        for id in range(60):
            grid = json.dumps({"id": id, "ask": "grid", "rows": 100, "cols": 100}).encode()
            deaf.sendall(bytes((0x81, 0x80 | len(grid), 0, 0, 0, 0)) + grid)
            time.sleep(0.01)
        for _ in range(5):
            assert other.answer("solve", board=SMALL)["safe"] == 1
        with pytest.raises(ConnectionError):
            for _ in range(PATIENCE):
                deaf.sendall(bytes((0x89, 0x80, 0, 0, 0, 0)))
                time.sleep(0.5)


@pytest.fixture(scope="module")
def impatient() -> Any:
    with served(requesting=1, receiving=1, reading=1, opened=1000) as url:
        yield url


@pytest.mark.extended
@linux
def test_idle_connections_lock_no_other_address_out() -> None:
    with served(connections=20, per_address=50, requesting=1000) as url, ExitStack() as stack:
        idle = [stack.enter_context(closing(connected(url, FOREIGN))) for _ in range(20)]
        assert httpx.get(url).status_code == 200
        with asking(url) as asker:
            assert asker.answer("solve", board=SMALL)["safe"] == 1
        refused = stack.enter_context(closing(connected(url, FOREIGN)))
        kept = idle[-1]
        kept.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert b"200 OK" in kept.recv(1000)
        refused.settimeout(0.1)


@pytest.mark.extended
def test_only_a_proxy_says_where_a_request_comes_from() -> None:
    def pages(url: Address) -> int:
        with ExitStack() as stack:
            for number in range(3):
                forwarded = {"x-forwarded-for": f"192.0.2.{number}"}
                asker = stack.enter_context(asking(url, additional_headers=forwarded))
                try:
                    asker.answer("grid", rows=1, cols=1)
                except ConnectionClosed:
                    return number
            return 3

    with served(per_address=1) as url:
        assert pages(url) == 1
    with served("127.0.0.1", per_address=1) as url:
        assert pages(url) == 3


@pytest.mark.extended
def test_bytes_of_unfinished_messages_are_limited() -> None:
    with served(held=100_000) as url, asking(url) as first, asking(url) as second:
        for asker in (first, second):
            assert second.answer("solve", board=SMALL)["safe"] == 1
            raw(asker.socket).sendall(bytes((0x81, 0x80 | 127)) + struct.pack("!QI", 80_000, 0) + b"x" * 70_000)
        with pytest.raises(ConnectionClosed):
            second.receive()
        raw(first.socket).sendall(b"x" * 10_000)
        assert first.receive()["id"] is None
        assert first.answer("solve", board=SMALL)["safe"] == 1


@pytest.mark.extended
def test_control_frames_are_limited() -> None:
    with served(burst=50, rate=1) as url, asking(url) as asker:
        with pytest.raises(OSError):
            for _ in range(PATIENCE):
                raw(asker.socket).sendall(bytes((0x89, 0x80, 0, 0, 0, 0)) * 100)
                time.sleep(0.5)
        with asking(url) as again:
            assert "at most 1 messages" in again.error("rate")["message"]


@pytest.mark.extended
def test_headers_are_limited_and_requests_counted() -> None:
    with served(burst=5, rate=0.001) as url:
        with closing(connected(url)) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-long: " + b"x" * 17_000)
            assert closed_by_server(connection).startswith(b"HTTP/1.1 400 ")
        answers = [httpx.get(f"{url}health").status_code for _ in range(6)]
        assert answers == [200] * 5 + [429]


@pytest.mark.extended
@linux
def test_workers_and_descriptors_run_out_and_come_back() -> None:
    import resource

    with served(starting=1.0) as url, asking(url) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1
        used = len(os.listdir(f"/proc/{url.pid}/fd"))
        hard = resource.prlimit(url.pid, resource.RLIMIT_NOFILE)[1]
        with httpx.Client() as client:
            assert client.get(f"{url}health").text == "ok\n"
            resource.prlimit(url.pid, resource.RLIMIT_NOFILE, (used // 2, hard))
            for worker in url.workers():
                os.kill(worker, signal.SIGKILL)
            asker.send("solve", board=SMALL)
            assert "no worker process can be started" in asker.receive()["error"]["message"]
            gone = client.get(f"{url}health")
            assert gone.status_code == 503 and "Too many open files" in gone.text
            resource.prlimit(url.pid, resource.RLIMIT_NOFILE, (hard, hard))
            while client.get(f"{url}health").status_code != 200:
                time.sleep(0.1)
            assert asker.answer("solve", board=SMALL)["safe"] == 1


@pytest.mark.extended
def test_an_idle_worker_that_dies_costs_no_question() -> None:
    with served() as url, asking(url) as asker:
        assert asker.answer("solve", board=SMALL)["safe"] == 1
        before = url.workers()
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        while set(before) & set(url.workers()):
            time.sleep(0.05)
        assert asker.answer("solve", board=SMALL)["safe"] == 1


@pytest.mark.extended
def test_long_messages_of_the_worst_shape_are_refused_by_a_worker() -> None:
    with served() as url, asking(url) as hostile, asking(url) as other:
        shapes = [
            keys(60_000),
            '{"id":2,"ask":"solve","board":' + "[" * 500_000,
            '{"id":3,"ask":"solve","more":[' + "{}," * 300_000,
        ]
        for shape in shapes:
            hostile.socket.send(shape)
            assert other.answer("solve", board=SMALL)["safe"] == 1
        errors = [hostile.receive() for _ in shapes]
        assert sorted(error["id"] for error in errors) == [1, 2, 3]
        assert all("expected" in error["error"]["message"] for error in errors)


@pytest.mark.extended
def test_serve_says_what_an_open_address_means() -> None:
    server = command("--host", "0.0.0.0", "--port", "0", "--workers", "1")
    assert server.stderr is not None
    said = server.stderr.readline()
    server.kill()
    server.communicate()
    assert said.startswith("warning: anyone who can reach 0.0.0.0 may let this machine compute: up to 4 processes")
