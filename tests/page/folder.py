"""The folder of ``satsweep static``, and a server of files as dull as any, whose network can be cut."""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from satsweep.page.offline.build import PieceError, build, download, gathered
from tests import ROOT
from tests.page.browsing import Place

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PIECES = ROOT / "build" / "pieces"
"""Where pieces are kept from run to run."""


@cache
def built() -> dict[str, bytes]:
    """The files of the folder. Skips where the pieces cannot be had; CI has to have them."""
    try:
        PIECES.mkdir(parents=True, exist_ok=True)
        download(PIECES)
        return build(gathered(PIECES))
    except PieceError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))


def before_python(asked: list[str], folder: Mapping[str, bytes]) -> int:
    """Bytes of the files that a page has asked for before Python, each compressed as hosts do."""
    own = asked[: asked.index("worker.js") if "worker.js" in asked else len(asked)]
    contents = [folder[name] for name in set(own) & folder.keys()]
    return sum(min(len(one), len(gzip.compress(one))) for one in contents)


def noting(page: Page, url: str) -> list[str]:
    """The paths of the files that a page asks for, from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(url).partition("#")[0] or "index.html"))
    return asked


class Host(ThreadingHTTPServer):
    """A server of files. While ``is_cut`` it ends all connections without an answer."""

    is_cut = False

    def verify_request(self, request: object, client_address: object) -> bool:
        return not self.is_cut

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a connection that a page has ended."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing."""


class Folder(Place):
    """Address of a folder. A browser context that has loaded it once is kept for the next visit: Python starts sooner.

    Visits that want a device, such as one with fingers, have a context of their own. With ``off_line`` the network is
    cut once the folder has been loaded.
    """

    host: Host
    off_line: bool
    contexts: dict[str, BrowserContext]

    def enter(self, browser: Browser, device: dict[str, Any]) -> BrowserContext:
        """A browser context that has the folder, and nothing else that a visit has left."""
        key = repr(sorted(device.items()))
        self.host.is_cut = False
        if device.get("service_workers") == "block":  # nothing is kept
            return browser.new_context(**device)
        if key not in self.contexts:
            self.contexts[key] = context = browser.new_context(**device)
            page = context.new_page()
            page.goto(self)
            page.evaluate("async () => { await navigator.serviceWorker.ready }")
            page.wait_for_function("navigator.serviceWorker.controller")
            page.close()
        context = self.contexts[key]
        page = context.new_page()
        page.goto(f"{self}icon.svg")
        page.evaluate("localStorage.clear()")
        page.close()
        self.host.is_cut = self.off_line
        return context

    def leave(self, context: BrowserContext) -> None:
        """Close the pages of a visit, or its context if that is not kept."""
        if context not in self.contexts.values():
            context.close()
            return
        for page in context.pages:
            page.close()

    def close(self) -> None:
        """Close all contexts."""
        for context in self.contexts.values():
            context.close()


@contextmanager
def hosted(directory: Path, *, off_line: bool = False) -> Iterator[Folder]:
    """Serve the files of a directory; yield the address."""
    with Host(("127.0.0.1", 0), partial(Quiet, directory=str(directory))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = Folder(f"http://127.0.0.1:{server.server_port}/")
        place.host, place.off_line, place.contexts = server, off_line, {}
        try:
            yield place
        finally:
            server.shutdown()
