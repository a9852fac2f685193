"""The folder that ``satsweep static`` writes.

The files of the page are those of the server, but for the channel of its messages. The same pieces and the same
satsweep give the same bytes.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from shutil import rmtree

from satsweep.errors import SatsweepError
from satsweep.formats.files import beside, write_file
from satsweep.offline.pieces import LOCK, Piece, libraries, runtime
from satsweep.web.answers import answer_to
from satsweep.web.questions import LIMITS, Question

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self' blob:", "style-src 'self'",
    "img-src 'self' data:", "connect-src 'self' blob:", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
))  # fmt: skip
"""Content security policy of the page: no origin but its own."""
ARCHIVE, LOADERS = "satsweep.zip", "kept_code.py"
KEEPER = "service-worker.js"
"""File that lists all others of the folder."""
_LISTED = re.compile(r"^const FILES = (\{.*\});$", re.MULTILINE)
LONG_AGO = (1980, 1, 1, 0, 0, 0)
WITHOUT = (
    *("cli", "arena", "envs.py", "offline/page", "testing", "web/static"),
    *(f"kernels/{name}.py" for name in ("api", "build", "counting", "record", "shared/mathematics")),
    *(f"kernels/{name}" for name in ("c", "endgame", "games", "lookahead", "position")),
    *(f"kernels/toolchain/{name}.py" for name in ("lowering", "marks")),
)
"""Parts of the package that no question of the page needs."""
SIZES = ((9, 11), (9, 9), (16, 16), (16, 30), (14, 22))
"""Rows and columns of boards that the page draws before Python has started."""


class FolderError(SatsweepError):
    """A directory that holds files of others, which are not replaced."""


def build(pieces: Mapping[Piece, bytes]) -> dict[str, bytes]:
    folder = files("satsweep")
    places = folder.joinpath("web", "static"), folder.joinpath("offline", "page")
    found = {file.name: file.read_bytes() for place in places for file in place.iterdir() if file.is_file()}
    interpreter = runtime(pieces)
    lock = json.loads(interpreter.pop(LOCK)) | {"packages": {}}
    found |= {f"pyodide/{name}": content for name, content in interpreter.items()}
    found[ARCHIVE] = archive([*_package(folder), *libraries(pieces)])
    found[LOADERS] = folder.joinpath("offline", LOADERS).read_bytes()
    code = f"satsweep code {_digest(found)}"
    found["files.json"] = json.dumps({"lock": json.dumps(lock), "code": code}).encode()
    found["answers.json"] = json.dumps(list(_first_answers())).encode()
    found["index.html"] = _with_policy(found["index.html"])
    found["example.html"] = found["example.html"].replace(b"POLICY", POLICY.encode())
    found[KEEPER] = _keeping(found)
    return found


def check_own(directory: Path) -> None:
    """Raise FolderError if a directory has files that no build has written."""
    if not directory.exists():
        return
    try:
        there = {path.relative_to(directory).as_posix() for path in directory.rglob("*") if not path.is_dir()}
        listed = _LISTED.search((directory / KEEPER).read_text("utf-8", "replace")) if KEEPER in there else None
        others = sorted(there - {KEEPER, *(json.loads(listed[1]) if listed else ())})
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


def _first_answers() -> Iterator[tuple[dict[str, object], object]]:
    asked: list[dict[str, object]] = [{"ask": "about"}]
    asked += [{"ask": "grid", "rows": rows, "cols": cols, "topology": "square"} for rows, cols in SIZES]
    for question in asked:
        yield question, answer_to(Question.of(json.dumps({"id": 0, **question})), LIMITS, lambda part: None)


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
