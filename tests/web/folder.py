"""The folder of ``satsweep static``, and a server of files as dull as any."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from satsweep.offline.build import build
from satsweep.offline.pieces import PieceError, download, gathered
from tests import ROOT

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


class Quiet(SimpleHTTPRequestHandler):
    """A handler that writes no log."""

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing."""


@contextmanager
def hosted(directory: Path) -> Iterator[str]:
    """Serve the files of a directory; yield the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(directory))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
