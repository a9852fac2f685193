"""Test fixtures for the page: a server in its own process, and a WebSocket client."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, get_type_hints

from websockets.sync.client import ClientConnection, connect

from satsweep.page.answers import ANSWERS, answer_to
from satsweep.page.questions import LIMITS, Limits, Question
from tests import PATIENCE, ROOT
from tests.page.answer_types import misfit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Address(str):
    """URL of a server, with its process id."""

    pid: int

    def workers(self) -> list[int]:
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.pid)], capture_output=True, text=True)
        return [int(pid) for pid in found.stdout.split()]


@contextmanager
def served(*proxies: str, **limits: float) -> Iterator[Address]:
    """Run a server with few workers, these limits and proxies; yield its address."""
    code = (
        "import json, signal, socket, sys; from satsweep.page.questions import Limits; "
        "from satsweep.page.server import run; "
        "listening = socket.create_server(('127.0.0.1', 0)); "
        "print(f'http://127.0.0.1:{listening.getsockname()[1]}/', flush=True); "
        "signal.signal(signal.SIGINT, signal.SIG_DFL); "
        "run(listening, Limits(**json.loads(sys.argv[1])), workers=1, proxies=sys.argv[2:])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, json.dumps(limits), *proxies]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
    assert process.stdout is not None
    try:
        found = re.match(r"http://\S+", process.stdout.readline())
        assert found is not None
        address = Address(found[0])
        address.pid = process.pid
        yield address
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()


def pieces(kind: str, limits: Limits = LIMITS, /, **fields: object) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The parts and the answer of a question, answered in this process."""
    parts: list[dict[str, Any]] = []
    question = Question.of(json.dumps({"id": 0, "ask": kind, **fields}))
    found = answer_to(question, limits, lambda part: parts.append(dict(part)))
    assert misfit(found, get_type_hints(ANSWERS[kind][0])["return"]) is None
    return parts, dict(found)


def ask(kind: str, limits: Limits = LIMITS, /, **fields: object) -> dict[str, Any]:
    return pieces(kind, limits, **fields)[1]


def packed_pixels(pixels: NDArray[np.uint8]) -> dict[str, object]:
    """The fields that hand a picture over: rows, columns, three colours."""
    steps = pixels.copy()
    steps[:, 1:] -= pixels[:, :-1]
    content = base64.b64encode(zlib.compress(steps.tobytes())).decode()
    return {"height": pixels.shape[0], "width": pixels.shape[1], "pixels": content}


class Asker:
    """A client: one connection to the server."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.last = 0

    def send(self, ask: str, **fields: Any) -> int:
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "ask": ask, **fields}))
        return self.last

    def receive(self) -> dict[str, Any]:
        message = self.receive_within(PATIENCE)
        assert message is not None
        return message

    def receive_within(self, seconds: float) -> dict[str, Any] | None:
        """The next message from the server, None if there is none in this time."""
        try:
            message = json.loads(self.socket.recv(seconds))
        except TimeoutError:
            return None
        assert isinstance(message, dict)
        return message

    def whole(self, ask: str, **fields: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The parts of an answer, and the message that ended it."""
        id, parts = self.send(ask, **fields), []
        while (message := self.receive()) and "part" in message:
            assert message["id"] == id
            parts.append(message["part"])
        assert message["id"] == id
        return parts, message

    def answer(self, ask: str, **fields: Any) -> dict[str, Any]:
        message = self.whole(ask, **fields)[1]
        assert "answer" in message, message
        answer: dict[str, Any] = message["answer"]
        return answer

    def error(self, ask: str, **fields: Any) -> dict[str, Any]:
        message = self.whole(ask, **fields)[1]
        assert "error" in message, message
        error: dict[str, Any] = message["error"]
        return error


@contextmanager
def asking(url: str, **options: Any) -> Iterator[Asker]:
    with connect(url.replace("http", "ws", 1) + "ws", open_timeout=PATIENCE, max_size=None, **options) as socket:
        yield Asker(socket)
