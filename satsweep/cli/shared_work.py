"""Work that is shared among processes, and kept in a file when it is finished."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar

from satsweep.cli.exits import BAD_INPUT, fail
from satsweep.cli.output import check_readable, display_name
from satsweep.errors import StoreError
from satsweep.formats.files import write_file
from satsweep.formats.strict import parse_json, quoted


def files_given(sources: Sequence[str], noun: str) -> list[str]:
    """Files, and those below folders; exits if there is nothing to read."""
    for source in sources:
        check_readable(source, f"a {noun}")
    files = list(files_in(sources))
    if not files:
        fail(f"{display_name(sources[0])}: expected {noun}s, found an empty folder", BAD_INPUT)
    return files


def files_in(sources: Sequence[str]) -> Iterator[str]:
    """Yield files, and those below folders by name, without hidden ones."""
    for source in sources:
        try:
            is_folder = source != "-" and Path(source).is_dir()
        except (OSError, ValueError):  # a link, or a name that no file can have
            is_folder = False
        if not is_folder:
            yield source
            continue
        for path in sorted(Path(source).rglob("*")):
            hidden = any(part.startswith(".") for part in path.relative_to(source).parts)
            if path.is_file() and not hidden:
                yield str(path)


_Item = TypeVar("_Item")
_Found = TypeVar("_Found")


class KeptLines:
    """Finished work in a file: a line on what it is and who did it, then one a piece.

    Nothing is kept without a path. Raises StoreError for a file with other content, or of other versions, and if it
    cannot be read or written. Lines that an interrupt has cut do not count; of several with a key the last one does.
    """

    def __init__(self, path: Path | None, name: str) -> None:
        self.path = path
        self.values: dict[str, dict[str, Any]] = {}
        if path is not None:
            with self._errors():
                self._read(path, name)

    def _read(self, path: Path, name: str) -> None:
        from satsweep.arena.blocks import versions
        from satsweep.arena.store import changed_versions

        head, now = f"satsweep: kept {name}", versions()
        if not path.exists() or not path.stat().st_size:
            write_file(path, [json.dumps({"file": head, "versions": now})])
            return
        with path.open(encoding="utf-8", errors="replace") as file:
            first = _parsed(file.readline())
            if first.get("file") != head:
                raise StoreError(f"{path}: expected kept {name}, found something else")
            if not isinstance(began := first.get("versions"), dict):
                raise StoreError(f"{path}:1: expected the versions that began it, found {quoted(began)}")
            if changed := changed_versions(began, now):
                raise StoreError(f"{path}: expected the versions that began it: {changed}; use another file")
            for values in map(_parsed, file):
                self.values[str(values.get("key"))] = values

    def add(self, key: str, values: Mapping[str, object]) -> None:
        """Keep a piece."""
        if self.path is not None:
            with self._errors(), self.path.open("a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps({'key': key, **values})}")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(f"{self.path}: cannot keep results: {error.strerror}") from None


def _parsed(line: str) -> dict[str, Any]:
    """The object of a line; empty if it is none."""
    with suppress(ValueError):
        values = parse_json(line, floats=True)
        return values if isinstance(values, dict) else {}
    return {}


@dataclass(frozen=True)
class KeptWork(Generic[_Item, _Found]):
    """How items are worked on, a batch at a time, and how the outcome is kept.

    ``key`` is all that an outcome depends on, None where that cannot be known. An outcome without values is not kept,
    and kept values that ``restored`` cannot read do not count.
    """

    do: Callable[[Sequence[_Item]], Sequence[_Found]]
    key: Callable[[_Item], object]
    values: Callable[[_Found], Mapping[str, object] | None]
    restored: Callable[[_Item, Mapping[str, Any]], _Found]
    batch: int = 1
    few: int = 2
    """Least number of batches that processes share; fewer are not worth their start."""

    def finished(self, items: Iterable[_Item], jobs: int | None, kept: KeptLines) -> Iterator[tuple[int, _Found]]:
        """Yield outcomes, each with the place of its item, from 0, as they are there.

        ``jobs`` processes share the work, one for each core by default. A few batches, and those of one job, are done
        in this process, in their order.
        """
        from satsweep.arena.shared_work import SharedWork

        def outcomes(done: Iterable[tuple[list[_Piece[_Item]], Sequence[_Found]]]) -> Iterator[tuple[int, _Found]]:
            for batch, found in done:
                for piece, outcome in zip(batch, found, strict=True):
                    if piece.key is not None and (values := self.values(outcome)) is not None:
                        kept.add(piece.key, values)
                    yield piece.place, outcome

        with SharedWork(partial(_each, self.do), jobs, few=self.few) as shared:
            for one in self._sorted_out(items, kept):
                if isinstance(one, tuple):
                    yield one
                else:
                    yield from outcomes(shared.add(one))
            yield from outcomes(shared.rest())

    def _sorted_out(
        self, items: Iterable[_Item], kept: KeptLines
    ) -> Iterator[tuple[int, _Found] | list[_Piece[_Item]]]:
        """Yield outcomes that are kept, with their places, and batches of the other items."""
        batch: list[_Piece[_Item]] = []
        for place, item in enumerate(items):
            whole = None if kept.path is None else self.key(item)
            piece = _Piece(place, item, None if whole is None else sha256(repr(whole).encode()).hexdigest())
            try:
                known = self.restored(item, kept.values[piece.key or ""])
            except (AttributeError, KeyError, TypeError, ValueError):
                batch.append(piece)
            else:
                yield place, known
            if len(batch) == self.batch:
                yield batch
                batch = []
        if batch:
            yield batch


@dataclass(frozen=True, slots=True)
class _Piece(Generic[_Item]):
    """An item with its place and the key under which it is kept, if it is."""

    place: int
    item: _Item
    key: str | None


def _each(do: Callable[[Sequence[_Item]], Sequence[_Found]], batch: list[_Piece[_Item]]) -> Sequence[_Found]:
    return do([piece.item for piece in batch])
