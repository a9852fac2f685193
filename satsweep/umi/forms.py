"""The two forms of the protocol, text and JSON, each as four functions."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from satsweep.umi import json_lines, text_lines
from satsweep.umi.messages import Reply, Request


class RequestReader(Protocol):
    """Reader of requests: the lines of an arena, one after another."""

    def read(self, line: str) -> Iterator[Request]:
        """Yield the requests that a line completes. Raises ProtocolError."""
        ...


class ReplyReader(Protocol):
    """Reader of replies: the lines of an engine, one after another."""

    def read(self, line: str) -> Reply | None:
        """Return the reply that a line completes. Raises ProtocolError."""
        ...


class Form(NamedTuple):
    """A form of the protocol: how messages are written, and what reads them."""

    name: str
    write_request: Callable[[Request], str]
    write_reply: Callable[[Reply], str]
    request_reader: Callable[[], RequestReader]
    reply_reader: Callable[[], ReplyReader]


TEXT = Form(
    "text",
    text_lines.write_request,
    text_lines.write_reply,
    text_lines.TextRequestReader,
    text_lines.TextReplyReader,
)
JSON = Form(
    "json",
    json_lines.write_request,
    json_lines.write_reply,
    json_lines.JsonRequestReader,
    json_lines.JsonReplyReader,
)
FORMS = {form.name: form for form in (TEXT, JSON)}


def form_of(line: str) -> Form:
    """Return the form that a line is written in.

    >>> form_of('{"umi": 1}').name, form_of("umi 1").name
    ('json', 'text')
    """
    return JSON if line.lstrip().startswith("{") else TEXT
