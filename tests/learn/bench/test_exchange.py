"""Exchanges with hostile servers and programs: bounded time and size, one line, and no key for anybody else."""

import gzip
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate

import pytest

from satsweep.errors import AgentError
from satsweep.learn.bench.exchange import MOST_BYTES
from satsweep.learn.bench.models import MOST_ASKED, ChatModel, LateReply, model_named, seconds_asked
from satsweep.learn.bench.tasks import Episode
from tests.learn.bench import few

EPISODE = Episode(few(1).tasks[0])
KEY = "sk-the-secret"
Send = Callable[[bytes], None]
"""Sends bytes; raises OSError once nobody reads."""
Talk = Callable[[Send], None]


@contextmanager
def serving(talk: Talk) -> Iterator[tuple[str, list[bytes]]]:
    """An address whose server says anything, and the requests that it gets."""
    requests, ended = list[bytes](), threading.Event()

    def serve(connection: socket.socket) -> None:
        def send(some: bytes) -> None:
            if ended.is_set():
                raise OSError
            connection.sendall(some)

        with connection, suppress(OSError):
            connection.settimeout(10)
            head, _, body = connection.recv(1 << 20).partition(b"\r\n\r\n")
            wanted = int(head.lower().partition(b"content-length: ")[2].split()[0])
            while len(body) < wanted:
                body += connection.recv(1 << 20)
            requests.append(head + body)
            talk(send)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=[listening.accept()[0]], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=accept, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", requests
        finally:
            ended.set()
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)  # which ends accept()


def reply(body: bytes, status: str = "200 OK", *headers: str, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {size}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def completion(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


def asked(url: str, *, seconds: float = 20, waits: list[float] | None = None, retries: int = 0) -> str:
    waited = list[float]() if waits is None else waits
    return ChatModel("m", url, KEY, seconds, retries, wait=waited.append)(EPISODE)


def dripping(start: bytes) -> Talk:
    def talk(send: Send) -> None:
        send(start)
        while True:
            time.sleep(0.02)
            send(b"1")

    return talk


def endless(start: bytes, piece: bytes = b" " * (1 << 16)) -> Talk:
    def talk(send: Send) -> None:
        send(start)
        while True:
            send(piece)

    return talk


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
def test_a_redirect_is_refused_and_the_key_stays(status: str) -> None:
    with serving(lambda send: send(reply(completion("stolen")))) as (other, stolen):
        # Another host, the same one, and one that would have the key in the message.
        for place in (other, "/v1/elsewhere", f"{other}?key={KEY}\t\x1b[2J"):
            redirect = reply(b"", status, f"Location: {place}")
            with (
                serving(lambda send, redirect=redirect: send(redirect)) as (url, requests),  # type: ignore[misc]
                pytest.raises(AgentError) as caught,
            ):
                asked(url)
            said = str(caught.value)
            assert said.startswith(
                f"{url}/chat/completions: {status[:3]} expected no redirect, found one to {place[:9]}"
            )
            assert KEY not in said and said.isprintable()
            assert len(requests) == 1 and KEY.encode() in requests[0]
        assert stolen == []


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 400 Bad\r\nContent-Length: 1000000\r\n\r\n",
    ],
    ids=["status", "header", "body", "body without length", "chunks", "error"],
)
def test_a_server_that_drips_is_late(start: bytes) -> None:
    before, begun = threading.active_count(), time.monotonic()
    with serving(dripping(start)) as (url, _), pytest.raises(LateReply, match=r"no reply within 0\.3 seconds"):
        asked(url, seconds=0.3)
    assert time.monotonic() - begun < 5
    while threading.active_count() > before and time.monotonic() - begun < 10:
        time.sleep(0.01)
    assert threading.active_count() <= before, "the thread of a late exchange ends"


@pytest.mark.parametrize(
    "start",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 700000000\r\n\r\n",
        b"HTTP/1.1 400 Bad\r\n\r\n",
        b"HTTP/1.1 503 Busy\r\nContent-Length: 700000000\r\n\r\n",
    ],
)
def test_a_reply_without_end_is_one_line(start: bytes) -> None:
    with (
        serving(endless(start)) as (url, requests),
        pytest.raises(AgentError, match="of at most 1,048,576 bytes, found"),
    ):
        asked(url, retries=3)
    assert len(requests) == 1


def test_a_reply_of_the_greatest_size_is_read() -> None:
    text = "x" * (MOST_BYTES - len(completion("")))
    with serving(lambda send: send(reply(completion(text)))) as (url, _):
        assert asked(url) == text
    with (
        serving(lambda send: send(reply(completion(text + "x")))) as (url, _),
        pytest.raises(AgentError, match="at most"),
    ):
        asked(url)


BOMB = gzip.compress(completion("x" * 2 * MOST_BYTES))


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (reply(b"{}", length=7), r"IncompleteRead\(2 bytes read, 5 more expected\)"),
        (reply(completion("right"), length=12), 'expected a chat completion, found {"choices": '),
        (reply(b"[" * 100_000), r"expected a chat completion, found \[\[\["),
        (reply(b'{"error": ' + b"[" * 100_000, "400 Bad"), "400 Bad$"),
        (reply(b'{"choices": ' + b"9" * 5000 + b"}"), "expected a chat completion"),
        (reply(b'{"error": {"message": "no \\u001b[2J' + KEY.encode() + b'\\ud800"}}', "401 No"), "401 no .*x1b.*d800"),
        (reply(b"\xff\xfe"), "expected a chat completion, found"),
        (reply(BOMB, "200 OK", "Content-Encoding: gzip"), "expected a chat completion, found .x1f"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "IncompleteRead"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000, "got more than 100 headers"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000, "got more than 65536 bytes"),
        (b"\x00" * 70_000, "line|BadStatus|\\\\x00"),
        (b"", "Remote end closed connection without response"),
    ],
    ids=range(13),
)
def test_replies_that_are_none_are_one_line(sent: bytes, error: str) -> None:
    with serving(lambda send: send(sent)) as (url, _), pytest.raises(AgentError, match=error) as caught:
        asked(url)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 400 and KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("written", "pause"),
    [
        ("7", 7), ("0.5", 0.5), ("0", 0), ("9" * 400, MOST_ASKED), ("3600", MOST_ASKED), ("9" * 60_000, MOST_ASKED),
        ("2\u00b2", 1), ("\u0663", 1), ("-1", 1), ("1e9", 1), ("inf", 1), ("nan", 1), ("", 1), ("1.2.3", 1),
        ("soon", 1),
        (formatdate(0, usegmt=True), 0), ("Fri, 31 Dec 9999 23:59:59 GMT", MOST_ASKED),
        ("Fri, 31 Dec 99999 23:59:59 GMT", 1), ("Mon, 01 Jan 0001 00:00:00 -0000", 0),
    ],
)  # fmt: skip
def test_a_server_cannot_ask_for_any_pause(written: str, pause: float) -> None:
    busy = reply(b"", "429 Busy", f"Retry-After: {written}".encode().decode("latin-1"))
    waits = list[float]()
    with serving(lambda send: send(busy)) as (url, _), pytest.raises(AgentError, match="429 Busy"):
        asked(url, waits=waits, retries=1)
    assert waits == [pause] == [seconds_asked(written, 1)]


def test_a_pause_until_a_date_is_that_long() -> None:
    assert 25 < seconds_asked(formatdate(time.time() + 30, usegmt=True), 1) <= 30


@pytest.mark.parametrize("url", ["http://[::1", "http://here:port", "http://here:99999", "http://:80", "http:///v1"])
def test_addresses_that_are_none_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected an address such as"):
        ChatModel("m", url)


@pytest.mark.parametrize(
    "url", ["http://a..b", f"http://{'a' * 70}.b", "http://127.0.0.1/\u00e4", "http://127.0.0.1/a b"]
)
def test_addresses_that_cannot_be_asked_are_one_line(url: str) -> None:
    with pytest.raises(AgentError, match="/chat/completions: ") as caught:
        asked(url)
    assert str(caught.value).isprintable()


def test_keys_that_are_no_header_are_refused_and_not_told() -> None:
    for key in ("secret\nX-Other: 1", "secr\u00e9t"):
        with pytest.raises(ValueError, match="expected a key of printable ASCII characters") as caught:
            ChatModel("m", "http://here", key)
        assert "secr" not in str(caught.value)
    assert KEY not in repr(ChatModel("m", "http://here", KEY))


def python(code: str) -> str:
    return f"cmd: {sys.executable} -c {json.dumps(code)}"


def test_a_command_without_end_is_one_line() -> None:
    begun = time.monotonic()
    with pytest.raises(AgentError, match="expected a reply of at most 1,048,576 bytes, found more"):
        model_named(python("while True: print('#' * 65536)"), seconds=20)(EPISODE)
    assert time.monotonic() - begun < 20


def test_what_a_command_logs_may_have_any_size() -> None:
    logging = "import sys; print('#' * 5000000, file=sys.stderr); print('last words', file=sys.stderr)"
    reading = "print('right' if sys.stdin.read() else 'nothing')"
    assert model_named(python(f"{logging}; {reading}"))(EPISODE) == "right\n"
    with pytest.raises(AgentError, match="expected exit code 0, found 3: last words"):
        model_named(python(f"{logging}; sys.exit(3)"))(EPISODE)


def test_a_command_that_drips_is_late() -> None:
    with pytest.raises(LateReply, match=r"no reply within 0\.5 seconds"):
        code = "import time; [(print('#', flush=True), time.sleep(0.05)) for _ in range(1000)]"
        model_named(python(code), seconds=0.5)(EPISODE)
