"""The folder that ``satsweep static`` writes, with the pieces of others.

The files of the page are those of the server, but for the channel of its messages. A piece, such as Python for
browsers or a library, is one file of a fixed version with a fixed digest. It comes from a folder, or from the package
indexes by npm and pip. The same pieces and the same satsweep give the same bytes.
"""

import io
import json
import re
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from shutil import rmtree

from satsweep.errors import SatsweepError
from satsweep.formats.files import beside, write_file
from satsweep.formats.strict import parse_json
from satsweep.interpreter import PYTHON
from satsweep.page import static_files
from satsweep.page.answers import answer_to
from satsweep.page.questions import LIMITS, Question

PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--implementation", "cp")
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""Files of Pyodide that a page loads."""
LOCK = "pyodide-lock.json"
POLICY = "; ".join((
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self' blob:", "style-src 'self'",
    "img-src 'self' data:", "connect-src 'self' blob:", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
))  # fmt: skip
"""Content security policy of the page: no origin but its own."""
ARCHIVE, LOADERS = "satsweep.zip", "kept_code.py"
CHANNEL = "engine/channel.js"
"""Module that a server's page and a folder's do not share."""
KEEPER = "service-worker.js"
"""File that lists all others of the folder."""
TO_READ = ("example.html", "example.js", "satsweep.js")
"""Files that people read to write pages of their own."""
_LISTED = re.compile(r"^const FILES = (\{.*\});$", re.MULTILINE)
LONG_AGO = (1980, 1, 1, 0, 0, 0)
KERNELS_OF_POSITIONS = ("beam", "board", "components", "entries", "listing", "solver", "split", "weights")
WITHOUT = (
    *("cli", "arena", "learn", "page/biome.json", "page/offline/page", "page/static", "page/tsconfig.json", "testing"),
    *(f"kernels/{name}.py" for name in ("api", "build", "counting", "record", "clicks/sweep", "shared/mathematics")),
    *(f"kernels/{name}" for name in ("c", "endgame", "games", "lookahead")),
    *(f"kernels/position/{name}.py" for name in KERNELS_OF_POSITIONS),
    *(f"kernels/toolchain/{name}.py" for name in ("lowering", "marks")),
)
"""Parts of the package that no question of the page needs."""


class FolderError(SatsweepError):
    """A directory that holds files of others, which are not replaced."""


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


def build(pieces: Mapping[Piece, bytes]) -> dict[str, bytes]:
    folder = files("satsweep")
    found = {name: _lean(name, content) for name, content in _with_two_sheets(static_files()).items()}
    own = {file.name: file.read_bytes() for file in folder.joinpath("page", "offline", "page").iterdir()}
    own[CHANNEL] = own.pop("channel.js")
    found |= {name: content if name in TO_READ else _lean(name, content) for name, content in own.items()}
    interpreter = runtime(pieces)
    lock = json.loads(interpreter.pop(LOCK)) | {"packages": {}}
    found |= {f"pyodide/{name}": content for name, content in interpreter.items()}
    found[ARCHIVE] = archive([*_package(folder), *libraries(pieces)])
    found[LOADERS] = folder.joinpath("page", "offline", LOADERS).read_bytes()
    code = f"satsweep code {_digest(found)}"
    found["files.json"] = json.dumps({"lock": json.dumps(lock), "code": code}).encode()
    found["about.json"] = json.dumps(_about()).encode()
    found["index.html"] = _with_policy(found["index.html"])
    found["example.html"] = found["example.html"].replace(b"POLICY", POLICY.encode())
    found[KEEPER] = _keeping(found)
    return found


_COMMENTS = re.compile(
    rb"^ *(?://.*|/\*\*(?:(?!\*/)[^\x00])*\*/)\n|/\*\*(?:(?!\*/).)*\*/ ?|(?<=[;,{(\[]) // [^\"'`\n]*$", re.MULTILINE
)
"""Comments with lines of their own, types within a line, comments at its end."""
_SHEET_COMMENTS = re.compile(rb"^ */\*(?:(?!\*/)[^\x00])*\*/\n", re.MULTILINE)
_INDENTED = re.compile(rb"^ +", re.MULTILINE)
_SHEET = re.compile(rb'<link rel="stylesheet" href="([^"]+)"( disabled)?>\n')


def _lean(name: str, content: bytes) -> bytes:
    """A file of the page without comments and indentation.

    A module in which a text goes over several lines keeps its indentation.
    """
    if name.endswith(".js"):
        content = _COMMENTS.sub(b"", content)
    elif name.endswith(".css"):
        content = _SHEET_COMMENTS.sub(b"", content)
    elif not name.endswith(".html"):
        return content
    return content if any(line.count(b"`") % 2 for line in content.splitlines()) else _INDENTED.sub(b"", content)


def _with_two_sheets(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files with the style sheets of the first look in one, and all others in one.

    Together they are smaller when compressed. Their order stays.
    """
    page, kept = found["index.html"], dict(found)
    for later in (b"", b" disabled"):
        names = [name.decode() for name, own in _SHEET.findall(page) if own == later]
        kept[names[0]] = b"".join(kept.pop(name) for name in names)
        for name in names[1:]:
            page = page.replace(b'<link rel="stylesheet" href="%s"%s>\n' % (name.encode(), later), b"")
    return kept | {"index.html": page}


def check_own(directory: Path) -> None:
    """Raise FolderError if a directory has files that no build has written."""
    if not directory.exists():
        return
    try:
        there = {path.relative_to(directory).as_posix() for path in directory.rglob("*") if not path.is_dir()}
        listed = _LISTED.search((directory / KEEPER).read_text("utf-8", "replace")) if KEEPER in there else None
        others = sorted(there - {KEEPER, *(parse_json(listed[1]) if listed else ())})
    except (OSError, ValueError) as error:
        raise FolderError(f"{directory}: cannot be read: {error}") from None
    if others:
        wanted = "an empty folder, or one that `satsweep static` has written"
        raise FolderError(f"{directory}: expected {wanted}, found {others[0]} in it")


def write(found: Mapping[str, bytes], directory: Path) -> None:
    """Put a directory with these files, and no others, in the place of another one.

    It is made beside it, so the place has all files of the old build or all of the new one. Raises FolderError where
    ``check_own`` does.
    """
    place = directory.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    made, old = beside(place), beside(place)
    try:
        for name, content in found.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, [content])
        check_own(directory)
        if place.exists():
            made.chmod(place.stat().st_mode & 0o7777)
            place.rename(old)
        made.rename(place)
    finally:
        if old.exists() and not place.exists():
            old.rename(place)
        for rest in (made, old):
            rmtree(rest, ignore_errors=True)


def archive(contents: Iterable[tuple[str, bytes]]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in sorted(contents):
            made.writestr(zipfile.ZipInfo(name, LONG_AGO), content, zipfile.ZIP_DEFLATED, 9)
    return file.getvalue()


def _package(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    for file in folder.iterdir():
        name = f"{within}{file.name}"
        if file.is_dir() and file.name != "__pycache__" and name not in WITHOUT:
            yield from _package(file, f"{name}/")
        elif file.is_file() and file.name.endswith((".py", ".pyi", ".json")) and name not in WITHOUT:
            yield f"satsweep/{name}", file.read_bytes()


def _about() -> object:
    """Agents, formats and levels, for the page before Python has started."""
    return answer_to(Question.of(json.dumps({"id": 0, "ask": "about"})), LIMITS, lambda part: None)


def _with_policy(page: bytes) -> bytes:
    head = b'<meta charset="utf-8">\n'
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    assert head in page
    return page.replace(head, head + policy.encode() + b'<link rel="manifest" href="manifest.webmanifest">\n', 1)


def _keeping(found: Mapping[str, bytes]) -> bytes:
    """The service worker with the files that it keeps, and the digest of all of them."""
    kept = {
        name: {"size": len(content), "digest": sha256(content).hexdigest()}
        for name, content in sorted(found.items())
        if name != KEEPER
    }
    text = found[KEEPER].decode()
    text = text.replace('"BUILD"', f'"satsweep-{_digest(found)}"')
    return text.replace("FILES = {}", f"FILES = {json.dumps(kept)}").encode()


def _digest(found: Mapping[str, bytes]) -> str:
    digest = sha256()
    for name, content in sorted(found.items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:16]
