"""Fingerprints: digests that identify the version of an agent by its source files.

They cover the agent's file and the modules beside it that it imports, also through each other and inside functions; for
an agent of an installed package, the modules of that package. No code is run, so a name that is computed while running
is not seen, nor are files of other kinds. Those of an engine are the files that its command names.
"""

import ast
import hashlib
import importlib.util
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from satsweep.agents import installed_agents
from satsweep.agents.engine import command_named, is_command
from satsweep.agents.isolated import is_foreign
from satsweep.agents.load import importing_from, place_and_path
from satsweep.errors import AgentError, unreadable
from satsweep.forks import after_fork

_INSTALLED = {"site-packages", "dist-packages"}
"""Names of directories where all packages lie beside each other."""
_parsing = threading.Lock()


def _begin_anew() -> None:
    global _parsing
    _parsing = threading.Lock()


after_fork(_begin_anew)


def fingerprint(name: str) -> str | None:
    """Return a digest of a named agent's files, None for agents of this package.

    Raises AgentError when a file cannot be read.
    """
    if is_command(name):
        return _digest({str(number): file.read_bytes() for number, file in enumerate(command_named(name).files())})
    place = _place(name)
    if place is None:
        return None
    try:
        return _digest({file.relative_to(place.root).as_posix(): content for file, content in _sources(place)})
    except OSError as error:
        raise AgentError(f"{place.file}: {unreadable(error)}") from None


def _digest(contents: Mapping[str, bytes]) -> str:
    """Digest of files by name; that of its content for a single file."""
    digests = {file: hashlib.sha256(content).hexdigest() for file, content in contents.items()}
    if len(digests) == 1:
        return next(iter(digests.values()))
    return hashlib.sha256(repr(sorted(digests.items())).encode()).hexdigest()


def source_files(name: str) -> list[Path]:
    """Return the files that a fingerprint covers, as far as they can be read."""
    found: list[Path] = []
    with suppress(OSError, ValueError, AgentError):
        if is_command(name):
            return command_named(name).files()
        place = _place(name)
        found += () if place is None else (file for file, _ in _sources(place))
    return found


class _Place(NamedTuple):
    """Source file of an agent, and the directory of the modules beside it.

    ``top`` is the only package that counts, if there is one.
    """

    root: Path
    file: Path
    top: str | None = None


def _place(name: str) -> _Place | None:
    if not is_foreign(name):
        return None
    base, _ = place_and_path(name)
    if base.endswith(".py"):
        file = Path(base).resolve()
        return _Place(file.parent, file)
    installed = installed_agents().get(base)
    parts = (base if installed is None else installed.module).split(".")
    with importing_from(Path.cwd()):
        spec = importlib.util.find_spec(parts[0]) if parts[0] else None
    if spec is None or spec.origin is None or not spec.has_location:
        return None
    origin = Path(spec.origin).resolve()
    root = origin.parents[1 if spec.submodule_search_locations else 0]
    return _Place(root, _module(root, parts) or origin, parts[0] if _INSTALLED & {*root.parts} else None)


def _sources(place: _Place) -> Iterator[tuple[Path, bytes]]:
    root = place.root
    waiting, seen = [place.file], {place.file}
    while waiting:
        file = waiting.pop()
        content = file.read_bytes()
        yield file, content
        package = file.relative_to(root).parts[:-1]
        for parts in _imports(content, package):
            if place.top in (None, *parts[:1]):
                for length in range(1, len(parts) + 1):
                    module = _module(root, parts[:length])
                    if module is not None and module not in seen:
                        seen.add(module)
                        waiting.append(module)


def _imports(content: bytes, package: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield the names in a file's imports that may be modules, in parts."""
    # Python 3.11 must not parse in two threads at once; warnings are for those who run the file.
    with _parsing, warnings.catch_warnings(action="ignore"):
        try:
            tree = ast.parse(content)
        except (SyntaxError, ValueError, RecursionError):
            return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = [*above, *(node.module.split(".") if node.module else ())]
            yield from ([*base, alias.name] for alias in node.names)


def _module(root: Path, parts: list[str]) -> Path | None:
    place = root.joinpath(*parts)
    candidates = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return next((file for file in candidates if file.is_file()), None)
