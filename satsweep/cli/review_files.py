"""Reviews of many files, by processes; finished ones are kept in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from satsweep.cli.output import display_name
from satsweep.cli.shared_work import KeptLines, finished

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


class KeptReviews:
    """Finished reviews in a file, a line of JSON for each file of games.

    Nothing is kept without a path. A review belongs to the content of a file, its name, and the number of roll-outs.
    ``moves``: lines of moves are wanted.
    """

    def __init__(self, path: Path | None, rolled: int, moves: bool) -> None:
        self._lines, self.rolled, self.moves = KeptLines(path), rolled, moves

    def of(self, file: str) -> ReviewedFile | None:
        """The review of a file that is kept; None if there is none."""
        from satsweep.assessment.collection import GameSummary

        found = self._lines.found.get(self._key(file)) if self._lines.found else None
        try:
            if found is not None and (found["moves"] or not self.moves):
                games = [GameSummary.from_values(values) for values in found["games"]]
                return ReviewedFile(display_name(file), games, found["moves"])
        except (KeyError, TypeError):
            pass
        return None

    def add(self, file: str, reviewed: ReviewedFile) -> None:
        """Keep the review of a file that could be read."""
        if self._lines.path is not None and not reviewed.error:
            games = [game.to_values() for game in reviewed.games]
            self._lines.add([{"key": self._key(file), "games": games, "moves": reviewed.moves}])

    def _key(self, file: str) -> str:
        try:
            content = Path(file).read_bytes()
        except (OSError, ValueError):
            content = b""
        return sha256(f"{self.rolled}\n{file}\n".encode("utf-8", "surrogateescape") + content).hexdigest()


def review_files(
    files: Sequence[str], rolled: int, moves: bool, jobs: int | None, kept: KeptReviews
) -> Iterator[ReviewedFile]:
    """Yield the reviews of files, those that are kept first."""
    rest = []
    for file in files:
        found = kept.of(file)
        if found is None:
            rest.append(file)
        else:
            yield found
    for file, reviewed in finished(partial(review_file, rolled=rolled, moves=moves), rest, jobs):
        kept.add(file, reviewed)
        yield reviewed
