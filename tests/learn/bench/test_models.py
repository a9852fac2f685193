"""Models: commands, an address on this machine, players without a model; what goes wrong with them is one line."""

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from satsweep.errors import AgentError
from satsweep.learn.bench.models import PLAYERS, ChatModel, LateReply, key_in, model_named
from satsweep.learn.bench.tasks import Episode
from tests.learn.bench import few

TASKS = few(1)
EPISODE = Episode(TASKS.tasks[0])
RIGHT = EPISODE.position.answer
Handle = Callable[[dict[str, Any], dict[str, str]], tuple[int, object]]
"""What the server says: status and content, from the request and its headers."""


def python(code: str) -> str:
    return f"cmd: {sys.executable} -c {json.dumps(code)}"


def completion(reply: str | None) -> tuple[int, object]:
    return 200, {"choices": [{"message": {"role": "assistant", "content": reply}}]}


@contextmanager
def serving(handle: Handle) -> Iterator[str]:
    """A server on this machine; ``Retry-After: 0`` goes with every refusal."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, content = handle({**body, "path": self.path}, dict(self.headers))
            text = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            if status != 200:
                self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_command_reads_a_prompt_and_writes_a_reply() -> None:
    assert model_named(python("import sys; print(sys.stdin.read(), end='')"))(EPISODE) == EPISODE.prompt
    # It need not read.
    assert model_named(python("print('none')"))(EPISODE) == "none\n"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("cmd: ", "expected a command after cmd:, found none"),
        ("cmd: 'a", "expected a command"),
        ("cmd: no-such-program-here", "expected a program that can be run"),
        (python("import sys; sys.exit('no\\nkey')"), "expected exit code 0, found 1: key"),
        (python("raise SystemExit(7)"), "expected exit code 0, found 7: it said nothing"),
    ],
)
def test_a_command_that_fails_is_one_line(name: str, error: str) -> None:
    with pytest.raises(AgentError, match=error):
        model_named(name)(EPISODE)


def test_a_command_that_is_late_is_ended() -> None:
    with pytest.raises(LateReply, match=r"no reply within 0\.05 seconds"):
        model_named(python("import time; time.sleep(600)"), seconds=0.05)(EPISODE)


def test_an_address_is_asked_as_its_interface_says() -> None:
    seen = list[Any]()

    def handle(request: dict[str, Any], headers: dict[str, str]) -> tuple[int, object]:
        seen.append((request, headers.get("Authorization")))
        return completion(RIGHT)

    with serving(handle) as url:
        for address, key in ((url, "secret"), (f"{url}/", None), (f"{url}/chat/completions", None)):
            assert model_named("small", address, key=key, request={"temperature": 0})(EPISODE) == RIGHT
    message = {"role": "user", "content": EPISODE.prompt}
    asked = {"model": "small", "messages": [message], "temperature": 0, "path": "/v1/chat/completions"}
    assert seen == [(asked, "Bearer secret"), (asked, None), (asked, None)]


def test_a_busy_address_is_asked_again() -> None:
    replies = [(429, {}), (503, b"busy"), completion(RIGHT), completion(None)]
    waits = list[float]()
    with serving(lambda request, headers: replies.pop(0)) as url:
        model = ChatModel("small", url, wait=waits.append)
        assert model(EPISODE) == RIGHT and model(EPISODE) == ""
    assert waits == [0, 0]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ((401, {"error": {"message": "wrong key"}}), "/chat/completions: 401 wrong key"),
        ((400, {"error": "no such model"}), "400 no such model"),
        ((404, b"<html>"), "404 Not Found"),
        ((503, {}), "503 Service Unavailable"),
        ((200, b"<html>"), "expected a chat completion, found <html>"),
        ((200, {"choices": []}), "expected a chat completion"),
        ((200, ["choices"]), "expected a chat completion"),
    ],
)
def test_an_address_that_refuses_is_one_line(reply: tuple[int, object], error: str) -> None:
    with serving(lambda request, headers: reply) as url, pytest.raises(AgentError, match=error):
        ChatModel("small", url, retries=2, wait=lambda seconds: None)(EPISODE)


def test_an_address_that_is_not_there_is_asked_again_then_named() -> None:
    with serving(lambda request, headers: completion("")) as url:
        pass
    waits = list[float]()
    with pytest.raises(AgentError, match="/v1/chat/completions: .*refused"):
        ChatModel("small", url, retries=3, wait=waits.append)(EPISODE)
    assert waits == [1, 2, 4]


def test_an_address_that_is_silent_is_late() -> None:
    done = threading.Event()

    def silent(request: dict[str, Any], headers: dict[str, str]) -> tuple[int, object]:
        done.wait()
        return completion("")

    with serving(silent) as url:
        try:
            with pytest.raises(LateReply, match=r"no reply within 0\.05 seconds"):
                ChatModel("small", url, seconds=0.05, retries=1, wait=lambda seconds: None)(EPISODE)
        finally:
            done.set()


def test_names_of_models() -> None:
    assert list(PLAYERS) == ["constant", "most-covered", "random", "basic", "gem", "least-risk", "sat"]
    with pytest.raises(
        ValueError, match="a player among constant, most-covered, random, basic, gem, least-risk, sat, or an address"
    ):
        model_named("small")
    for url in ("localhost:8000", "ftp://here", "http://"):
        with pytest.raises(ValueError, match="expected an address such as"):
            model_named("small", url)
    os.environ["BENCH_KEY"] = "secret"
    try:
        assert (key_in("BENCH_KEY"), key_in("NO_SUCH_KEY")) == ("secret", None)
    finally:
        del os.environ["BENCH_KEY"]


def test_players_reply_in_the_text_of_the_tasks_and_always_the_same() -> None:
    for name, player in PLAYERS.items():
        for task in TASKS.tasks:
            first, again = Episode(task), Episode(task)
            reply = player(first)
            assert reply == player(again)
            first.answer(reply)
            assert 0 <= first.reward <= 1 and (name != "sat" or first.reward == 1 or task.task == "game")
