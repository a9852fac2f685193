"""Command ``review``: how well, and how luckily games were played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from satsweep.cli import options
from satsweep.cli.exits import BAD_INPUT, exiting_on_interrupt, fail, note
from satsweep.cli.options import CLICKS_SECONDS
from satsweep.cli.output import check_outputs, display_name, progress_bar, width, write
from satsweep.cli.renderers import format_option, rendered
from satsweep.cli.shared_work import KeptLines, KeptWork, files_given
from satsweep.text import counted, printable

if TYPE_CHECKING:
    from satsweep.assessment.collection import GameSummary
    from satsweep.games.record import Record

ROLLED = 64
"""Roll-outs of a choice, as many as the library and the page take."""


class ReviewOptions(NamedTuple):
    """Roll-outs of a choice, and a mode of the games instead of that of the file."""

    rolled: int
    mode: str | None

    def record(self, record: Record) -> Record:
        return record if self.mode is None else replace(record, mode=self.mode)


class ReviewedFile(NamedTuple):
    """The games of a file as rows, its moves as CSV, and an error if it has one."""

    file: str
    games: list[GameSummary]
    moves: str = ""
    error: str = ""


def review_file(file: str, how: ReviewOptions, moves: bool) -> ReviewedFile:
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
            own = review(how.record(record), rolled=how.rolled)
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
    files: Sequence[str], how: ReviewOptions, moves: bool, jobs: int | None, kept: KeptLines
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

    work = KeptWork(partial(_review_each, how=how, moves=moves), partial(_key, how=how), values, restored)
    return (reviewed for _, reviewed in work.finished(files, jobs, kept))


def _review_each(files: Sequence[str], how: ReviewOptions, moves: bool) -> list[ReviewedFile]:
    return [review_file(file, how, moves) for file in files]


def _key(file: str, how: ReviewOptions) -> object:
    """All that the review of a file depends on; None for standard input."""
    from satsweep.solver import compiled

    if file == "-":
        return None
    try:
        content = Path(file).read_bytes()
    except (OSError, ValueError):  # a link, which is its own content
        content = b""
    return *how, compiled.is_there(), file, sha256(content).hexdigest()


def _modes() -> Iterable[str]:
    from satsweep.games.modes import MODES

    return (name.replace(" ", "-") for name in MODES)


def review(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="Games with their moves, and folders of them: records, AVF, EVF, RMV, MVF (extra replays), RAWVF, "
            "links with a click path, lists of moves; - is standard input.",
        ),
    ],
    format: Annotated[
        str | None,
        format_option(
            *("review", "reviews"), help="Output format; for json see `satsweep schema review`. Default: text."
        ),
    ] = None,
    json: options.Json = False,
    output: options.Output = None,
    moves: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write every move of all games as CSV, too.")
    ] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Sums by month, by the dates of the files; also for a single game.")
    ] = False,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="Keep finished reviews here; a later run goes on from them."),
    ] = None,
    jobs: options.Jobs = None,
    rolled: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=2,
            show_default=False,
            help=f"Roll-outs of a choice that is estimated: more take longer and are more precise. Default: {ROLLED}.",
        ),
    ] = ROLLED,
    mode: Annotated[
        str | None,
        options.name_option(
            "a mode",
            _modes,
            "Mode of the games, instead of that in the file: standard, win7, no-guess, guessable, upk, cheat, density "
            "or efficiency; docs/review.md says what each means.",
        ),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Print chances as fractions.")] = False,
    clicks: Annotated[
        bool,
        typer.Option(
            "--clicks",
            help=f"Find the fewest clicks that clear the board of one game, too, in at most {CLICKS_SECONDS:g} "
            "seconds; not for CSV.",
        ),
    ] = False,
) -> None:
    """Say how well, and how luckily, games were played.

    Each move is safe, or a choice: with its risk and the least one, its win chance and that of the best cell, and a
    class from best guess to blunder. Safe cells that were overlooked come with their reason. Of a game, skill is the
    win chance that choices gave away, and luck is what turned up was worth; with the chance at the start they add up to
    the outcome. Win chances are exact near the end of a game and on small boards, else estimates without bias. Clicks
    come with the 3BV that they solved, and with those of a won game without which the others win.

    Several games get sums: expected wins with their interval, skill, luck, and the technique that is missed most. With
    --format html there is a page of one game, or of all with their history.

    Games of modes in which boards need no guess, open at the first cell or are redrawn are judged as such, and those of
    players who knew more, or of chosen boards, by risks alone.

    Exit codes: 0 done, 2 usage, 3 bad input, of which the rest was reviewed, 130 interrupted.
    """
    from satsweep.solver import compiled

    chosen, how = options.chosen_format(format, json), ReviewOptions(rolled, mode and mode.replace("-", " "))
    options.refuse((clicks and chosen == "csv", "--clicks", "expected no --format csv with it"))
    check_outputs({"--output": output, "--moves": moves, "--keep": keep}, {"GAME": games})
    files = files_given(games, "game")
    if not compiled.is_there():
        note("there is no compiled library: win chances are known only near the end of games and on small boards")
    if len(files) == 1 and not history and keep is None:
        from satsweep.formats import read_games

        found = read_games(files[0])
        if len(found) == 1:
            with exiting_on_interrupt():
                _write_one(found[0], display_name(files[0]), chosen, output, moves, how, exact, clicks)
            return
    options.refuse(
        (clicks, "--clicks", "expected one game with it, without --history and --keep"),
        (exact, "--exact", "expected one game with it, without --history and --keep"),
    )
    kept = KeptLines(keep, "reviews")
    _review_many(files, chosen, output, moves, history, kept, jobs, how)


def _write_one(
    record: Record,
    name: str,
    format: str,
    output: Path | None,
    moves: Path | None,
    how: ReviewOptions,
    exact: bool,
    clicks: bool,
) -> None:
    from satsweep.assessment.review import review as review_game

    found = review_game(how.record(record), rolled=how.rolled)
    best = None
    if clicks:
        from satsweep.clicks.fewest import fewest_clicks

        own = found.clicks
        if own is None:
            fail(f"{name}: expected a board to clear by exact numbers and a cascade for --clicks", BAD_INPUT)
        best = fewest_clicks(record.layout, () if own.start is None else own.start, seconds=CLICKS_SECONDS)
    if moves is not None:
        from satsweep.render.review_json import moves_head, moves_to_csv

        write([moves_head(), *moves_to_csv(found, name)], moves)
    title = f"Review of {Path(name).name}"
    pieces = rendered("review", format, found, name=name, title=title, best=best, exact=exact, width=width())
    write(pieces, output)


def _review_many(
    files: list[str],
    format: str,
    output: Path | None,
    moves: Path | None,
    history: bool,
    kept: KeptLines,
    jobs: int | None,
    how: ReviewOptions,
) -> None:
    found: dict[str, list[GameSummary]] = {}
    lines: dict[str, str] = {}
    failed = False

    def rows() -> list[GameSummary]:
        return [game for file in files for game in found.get(display_name(file), [])]

    def finish() -> None:
        from satsweep.render import review_json

        title = f"Review of {counted(len(rows()), 'game')}"
        write(rendered("reviews", format, rows(), title=title, history=history), output)
        if moves is not None:
            write([review_json.moves_head(), *(lines.get(display_name(file), "") for file in files)], moves)

    def finish_early() -> None:
        finish()
        note(f"interrupted after {len(found):,} of {counted(len(files), 'file')}")

    with exiting_on_interrupt(finish_early), progress_bar(len(files)) as bar:
        for done, reviewed in enumerate(review_files(files, how, moves is not None, jobs, kept), 1):
            found[reviewed.file], lines[reviewed.file] = reviewed.games, reviewed.moves
            if reviewed.error:
                failed = True
                with bar.hidden():
                    note(printable(reviewed.error))
            bar.show(done, f"{done:,} of {counted(len(files), 'file')}")
    finish()
    if failed:
        raise typer.Exit(BAD_INPUT)
