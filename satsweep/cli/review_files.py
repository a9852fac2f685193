"""Reviews of many files, by processes; finished ones are kept in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweep.cli.output import display_name
from satsweep.cli.shared_work import KeptLines, KeptWork

if TYPE_CHECKING:
    from satsweep.assessment.collection import GameSummary


class ReviewedFile(NamedTuple):
    """The games of a file as rows, its moves as CSV, and an error if it has one."""

    file: str
    games: list[GameSummary]
    moves: str = ""
    error: str = ""


def review_file(file: str, rolled: int, moves: bool) -> ReviewedFile:
    """Review the games of a file."""
    from satsweep.assessment.collection import summary_of
    from satsweep.assessment.review import review
    from satsweep.errors import SatsweepError
    from satsweep.formats import read_games
    from satsweep.render.review_json import moves_to_csv

    name = display_name(file)
    found: list[GameSummary] = []
    lines: list[str] = []
    try:
        for number, record in enumerate(read_games(file), 1):
            own = review(record, rolled=rolled)
            found.append(summary_of(own, name, number, _played(file)))
            if moves:
                lines += moves_to_csv(own, name, number)
    except SatsweepError as error:
        return ReviewedFile(name, found, "".join(lines), str(error))
    return ReviewedFile(name, found, "".join(lines))


def _played(file: str) -> str | None:
    """The date of a file; None for standard input and links."""
    try:
        changed = Path(file).stat().st_mtime
    except (OSError, ValueError):
        return None
    return datetime.fromtimestamp(changed, UTC).date().isoformat()


def review_files(
    files: Sequence[str], rolled: int, moves: bool, jobs: int | None, kept: KeptLines
) -> Iterator[ReviewedFile]:
    """Yield the reviews of files as they are finished."""
    from satsweep.assessment.collection import GameSummary

    def values(reviewed: ReviewedFile) -> dict[str, object] | None:
        games = [game.to_values() for game in reviewed.games]
        return None if reviewed.error else {"games": games, "moves": reviewed.moves}

    def restored(file: str, values: Mapping[str, Any]) -> ReviewedFile:
        if moves and not values["moves"]:
            raise KeyError("moves")
        games = [GameSummary.from_values(own) for own in values["games"]]
        return ReviewedFile(display_name(file), games, values["moves"])

    work = KeptWork(partial(_review_each, rolled=rolled, moves=moves), partial(_key, rolled=rolled), values, restored)
    return (reviewed for _, reviewed in work.finished(files, jobs, kept))


def _review_each(files: Sequence[str], rolled: int, moves: bool) -> list[ReviewedFile]:
    return [review_file(file, rolled, moves) for file in files]


def _key(file: str, rolled: int) -> object:
    """All that the review of a file depends on; None for standard input."""
    from satsweep.solver import compiled

    if file == "-":
        return None
    try:
        content = Path(file).read_bytes()
    except (OSError, ValueError):  # a link, which is its own content
        content = b""
    return rolled, compiled.is_there(), file, sha256(content).hexdigest()
