"""Web page for watching agents, solving positions and playing (extra ``web``).

The server keeps no state between questions; the page holds everything that it shows. The page asks questions over one
WebSocket (``questions``, with the limits on what a client can send), worker processes answer them (``workers``,
``answers``), and ``app`` serves the static files and the WebSocket.
"""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
"""Content types of the page's files, by suffix."""


_IMPORTED = re.compile(rb'^import [^"]*"(\.[^"]+)";$', re.MULTILINE)
_FIRST, _HEAD = ("app/main.js", "solve/view.js"), b"</head>"


@cache
def static_files() -> Mapping[str, bytes]:
    """The page's files by their paths, which are those of their addresses.

    ``index.html`` names all modules of the first view, so that browsers load them at once.
    """
    found = dict(_files(files("satsweep.page").joinpath("static")))
    links = [f'<link rel="modulepreload" href="{name}">' for name in _modules(found, *_FIRST)]
    text = "\n".join([*links, ""]).encode()
    return found | {"index.html": found["index.html"].replace(_HEAD, text + _HEAD, 1)}


def _files(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, f"{within}{file.name}/")
        elif os.path.splitext(file.name)[1] in TYPES:
            yield f"{within}{file.name}", file.read_bytes()


def _modules(found: Mapping[str, bytes], *first: str) -> Iterator[str]:
    """Yield modules and all that they import."""
    names = list(first)
    for name in names:
        yield name
        beside = posixpath.dirname(name)
        used = (posixpath.normpath(f"{beside}/{own.decode()}") for own in _IMPORTED.findall(found[name]))
        names += dict.fromkeys(own for own in used if own not in names)
