"""Files written whole or not at all; no other module opens files to write.

A file is written beside its place and moved there once it is complete. At any time it is as before or complete, also
after an error, on a full disk, or when the process is killed. Only files that grow for hours are written otherwise:
stores of games (SQLite), and finished work (``cli/shared_work``), where a line that was cut does not count.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(output: str | Path) -> Iterator[Path]:
    """Context with the path of a new file, which replaces another one at its end.

    A device or a pipe cannot be replaced, so its own path is given; to open that of a directory or of a protected file
    raises the reason.
    """
    path = Path(output).resolve()
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        yield path
        return
    temporary = beside(path)
    try:
        yield temporary
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o7777)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_file(output: str | Path, pieces: Iterable[str | bytes]) -> None:
    """Write a file of text in UTF-8, or of bytes.

    Names of files may have bytes that are no text, which are escaped.
    """
    with replacing(output) as path, path.open("wb") as file:
        for piece in pieces:
            file.write(piece if isinstance(piece, bytes) else piece.encode("utf-8", "backslashreplace"))


def beside(path: Path) -> Path:
    """An unused name in the folder of a file, hidden from listings."""
    return path.with_name(f".satsweep-{os.urandom(8).hex()}")
