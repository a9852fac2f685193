"""Pieces of the folder that others publish: Python for browsers, and libraries.

Each is one file of a fixed version with a fixed digest, so two builds are the same. They come from a folder, or from
the package indexes by npm and pip.
"""

import io
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from satsweep.errors import SatsweepError
from satsweep.interpreter import PYTHON

PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp")
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""Files of Pyodide that a page loads."""
LOCK = "pyodide-lock.json"


class PieceError(SatsweepError):
    """A piece that cannot be had, or is not the one that was published."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A file of a package index: its name and digest, and the requirement for it."""

    name: str
    digest: str
    requirement: str

    def command(self, folder: Path) -> list[str]:
        if self.name.endswith(".tgz"):
            return ["npm", "pack", "--silent", "--pack-destination", str(folder), self.requirement]
        pip = [*PYTHON, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        return [*pip, *PLATFORM, "--dest", str(folder), self.requirement]


PYODIDE = Piece(
    "pyodide-314.0.7.tgz", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0", "pyodide@314.0.7"
)
WHEELS = (
    Piece(
        "python_sat-1.9.dev17-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        "8ecf5e9de74844365ff2bef39f2f30791a54895fe6fba5dfd92f1c327673477b",
        "python-sat==1.9.dev17",
    ),
    Piece(
        "six-1.17.0-py2.py3-none-any.whl",
        "4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274",
        "six==1.17.0",
    ),
    Piece(
        "lazy_loader-0.6-py3-none-any.whl",
        "77253be3391b06124a0e16105bd663b6c54470af1a9ca8e1cf026f38d58ed056",
        "lazy-loader==0.6",
    ),
)
PIECES = (PYODIDE, *WHEELS)


def gathered(folder: Path | None = None) -> dict[Piece, bytes]:
    """The contents of all pieces, from a folder or from the package indexes.

    Raises PieceError for one that is missing or not the published one.
    """
    if folder is not None:
        return {piece: _checked(piece, folder) for piece in PIECES}
    with tempfile.TemporaryDirectory() as made:
        download(Path(made))
        return {piece: _checked(piece, Path(made)) for piece in PIECES}


def download(folder: Path) -> None:
    """Put the pieces that a folder lacks into it, by npm and pip.

    Each appears when it is complete.
    """
    for piece in PIECES:
        if (folder / piece.name).exists():
            continue
        with tempfile.TemporaryDirectory(dir=folder) as coming:
            command = piece.command(Path(coming))
            try:
                done = subprocess.run(command, capture_output=True, text=True)
            except OSError as error:
                raise PieceError(f"{piece.requirement} needs {command[0]}: {error.strerror}") from None
            if done.returncode:
                said = (done.stderr.strip() or "no reason was given").splitlines()[-1]
                raise PieceError(f"{command[0]} cannot load {piece.requirement}: {said}")
            if not (Path(coming) / piece.name).exists():
                raise PieceError(f"{command[0]} loads {piece.requirement} under another name than {piece.name}")
            (Path(coming) / piece.name).replace(folder / piece.name)


def _checked(piece: Piece, folder: Path) -> bytes:
    try:
        content = (folder / piece.name).read_bytes()
    except OSError as error:
        raise PieceError(f"{folder / piece.name}: {error.strerror}") from None
    if sha256(content).hexdigest() != piece.digest:
        raise PieceError(f"{folder / piece.name}: expected the published file, found another of this name")
    return content


def runtime(pieces: Mapping[Piece, bytes]) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(pieces[PYODIDE])) as archive:
        found = {}
        for name in (*RUNTIME, LOCK):
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            found[name] = member.read()
        return found


def libraries(pieces: Mapping[Piece, bytes]) -> Iterator[tuple[str, bytes]]:
    for piece in WHEELS:
        with zipfile.ZipFile(io.BytesIO(pieces[piece])) as wheel:
            for name in wheel.namelist():
                if not name.endswith("/") and ".dist-info/" not in name and ".data/" not in name:
                    yield name, wheel.read(name)
