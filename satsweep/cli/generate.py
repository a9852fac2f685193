"""Command ``generate``: random boards, and boards that need no guess."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.exits import INCOMPLETE, INTERRUPTED, fail, note
from satsweep.cli.game_options import Size
from satsweep.cli.option_groups import OptionGroup, with_groups
from satsweep.cli.output import check_outputs, is_terminal, progress_bar, write
from satsweep.generator.spec import WEAKER_AGENTS
from satsweep.text import counted

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from satsweep.board import Board
    from satsweep.formats import Format
    from satsweep.generator.run import GeneratedBoard
    from satsweep.generator.spec import BoardSpec
    from satsweep.layout import Layout

JSON = "json"
"""Format in which a board is one line, with all facts about it."""
FIELDS = ("start", "mines")
"""Fields that can be left out."""
PATIENCE = 60
"""Seconds after which a board is given up, if there is no time budget for all."""
MANY_CELLS = 20_000
"""Cells of all boards together, from which on several processes make them.

Processes take a second or two to start.
"""
NUMBER = "{}"
"""Placeholder for the number of the board in the name of a file."""


def _agent_names() -> Iterable[str]:
    return (*WEAKER_AGENTS, "sat")


def _is_own(name: str) -> bool:
    """Return whether an agent is the user's own."""
    from satsweep.agents.isolated import is_foreign

    return is_foreign(name)


@dataclass(frozen=True)
class BoardOrder(OptionGroup):
    """Demands on a board beside its size; None for what is left out."""

    start: Annotated[
        str | None,
        typer.Option(
            metavar="R,C",
            callback=options.cell_at,
            help="First cell to open, counted from 0. Default: 0,0 with --no-guess, else none.",
        ),
    ] = None
    first: Annotated[
        Literal["safe", "zero"] | None,
        typer.Option(help="Promise about the start: no mine, or no mine around it either. Default: zero."),
    ] = None
    no_guess: Annotated[bool, typer.Option("--no-guess", help="Make boards that need no guess from the start.")] = False
    solvable_by: Annotated[
        str | None,
        options.name_option(
            "an agent",
            _agent_names,
            f"Make boards that this agent clears without a guess: {', '.join(_agent_names())}, or your own as "
            "FILE.py:FUNCTION, MODULE:FUNCTION or 'cmd:./engine' (docs/umi.md), whose code is then run. Default: sat.",
            also=_is_own,
        ),
    ] = None
    beyond: Annotated[
        str | None,
        options.name_option(
            "an agent", _agent_names, "Make boards that this agent does not clear without a guess.", also=_is_own
        ),
    ] = None
    method: Annotated[
        Literal["rejection", "repair"] | None,
        typer.Option(help="Draw boards until one suits, or move mines. Default: repair where drawing is hopeless."),
    ] = None

    clicks: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Make boards that N clicks clear, or fewer: digs, flags and chords."),
    ] = None
    efficiency: Annotated[
        float | None,
        typer.Option(metavar="P", help="Make boards that allow an efficiency, 3BV over clicks, of at least P %."),
    ] = None

    @property
    def without_guess(self) -> bool:
        """True if boards that need a guess do not suit."""
        return self.no_guess or (self.solvable_by, self.beyond) != (None, None)

    def spec(self, size: Size) -> BoardSpec:
        """Specification of the boards."""
        from satsweep.games.rules import FirstClick
        from satsweep.generator.spec import BoardSpec, GenerationMethod
        from satsweep.topology import topology_named

        if self.efficiency is not None and not 0 < self.efficiency < inf:
            raise options.wrong("--efficiency", f"expected a number of percent above 0, found {self.efficiency:g}")
        with options.naming_options({**size.named, "start": "--start"}):
            return BoardSpec(
                *size.dimensions(),
                start=options.to_cell(self.start or ("0,0" if self.without_guess else None)),
                first=FirstClick(self.first or "zero"),
                topology=topology_named(size.topology or "square"),
                no_guess=self.without_guess,
                solvable_by=self.solvable_by or "sat",
                beyond=self.beyond,
                method=None if self.method is None else GenerationMethod(self.method),
                clicks=self.clicks,
                efficiency=None if self.efficiency is None else Fraction(str(self.efficiency)) / 100,
            )


@dataclass(frozen=True)
class BoardFiles(OptionGroup):
    """Where boards, traces and records go, and in which form."""

    format: Annotated[
        str | None,
        options.name_option(
            "a format",
            options.format_names,
            "Output format; see `satsweep formats`. In json a board is one line, with all facts about it. Default: by "
            "the end of the output's name, else text.",
        ),
    ] = None
    json: options.Json = False
    without: Annotated[list[str] | None, options.without_option(FIELDS)] = None
    bare: Annotated[
        bool, typer.Option("--bare", help="Write boards alone: no proof, no difficulty. Takes a fraction of the time.")
    ] = False
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output file; {} stands for the number of the board."),
    ] = None
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the proofs that no guess is needed, for `satsweep verify`."),
    ] = None
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a game that clears the board, as a record.")
    ] = None

    @property
    def chosen_format(self) -> str:
        """Name of the output format."""
        if self.json or self.format or self.output is None:
            return options.chosen_format(self.format, self.json)
        return options.format_of_suffix(self.output)

    def check(self, count: int) -> None:
        """Exit unless the files of all boards can be written, and are different ones."""
        from satsweep.formats import format_named

        format = self.chosen_format
        together = format == JSON or format_named(format).inline
        patterns = {"--output": self.output, "--trace": self.trace, "--record": self.record}
        for option, file in patterns.items():
            several = together and option == "--output"
            if file is not None and count > 1 and NUMBER not in file.name and not several:
                raise options.wrong(option, f"expected {NUMBER} in the name, one file a board")
        check_outputs({option: [] if file is None else _files(file, count) for option, file in patterns.items()})


@with_groups
def generate(
    *,
    size: Size,
    order: BoardOrder,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Number of boards.")] = 1,
    seed: options.Seed = None,
    time_budget: Annotated[
        float | None, options.seconds_option("Time limit; finished boards are kept. Default: a minute for each board.")
    ] = None,
    jobs: options.Jobs = None,
    files: BoardFiles,
) -> None:
    """Make random boards, or boards that need no guess, of a given difficulty.

    Layouts are drawn until one suits, which makes all suitable boards equally likely. Where that is hopeless, mines are
    moved where play is stuck. The output names the method for every board. Each no-guess board was cleared step by
    step, and the proof of every step was checked, unless boards are to be bare. With --clicks and --efficiency a board
    has a path of as few clicks, and for each board that was passed over it was proved that it has none.

    Exit codes: 0 done, 1 no board suits, 2 usage, 3 bad input or the board cannot be written, 4 the time is over or a
    board was given up before all were made, 130 interrupted.
    """
    proved = (order.method, files.trace, files.record) != (None, None, None)
    unpromised = order.first is not None and order.start is None
    options.refuse(
        (not order.without_guess and proved, "--no-guess", "expected --no-guess with --method, --trace and --record"),
        (not order.without_guess and unpromised, "--first", "expected --start with it"),
        (files.bare and bool(files.trace or files.record), "--bare", "expected no --trace and no --record with it"),
    )
    files.check(count)

    from concurrent.futures import BrokenExecutor

    from satsweep.errors import BudgetExceeded
    from satsweep.generator.run import generate as boards_of

    seed = seed or options.new_seed()
    spec = order.spec(size)
    writer = _BoardWriter(spec, seed, files)
    patience = PATIENCE if time_budget is None else None
    boards = counted(count, "board")
    printed = files.chosen_format not in ("text", JSON) or files.output is None and is_terminal(sys.stdout)
    try:
        with _executor(spec, count, jobs) as executor, writer, progress_bar(count, f"0 of {boards}") as bar:

            def show(work: str, share: float) -> None:
                proved = share if work == "proof" else 0.0
                bar.show(writer.done + proved, f"{writer.done:,} of {boards}, {work} {share:.0%}")

            limits, traced = {"budget": time_budget, "patience": patience}, not files.bare
            for generated in boards_of(spec, count, seed, **limits, executor=executor, traced=traced, progress=show):
                with bar.hidden() if printed else nullcontext():
                    writer.write_board(generated)
                bar.show(writer.done, f"{writer.done:,} of {boards}")
                if not writer.has_reader:
                    break
    except BudgetExceeded as error:
        fail(f"{writer.done:,} of {boards} made: {error}", INCOMPLETE)
    except BrokenExecutor:
        fail(f"{writer.done:,} of {boards} made: a worker process died", INCOMPLETE)
    except KeyboardInterrupt:
        fail(f"interrupted after {writer.done:,} of {boards}", INTERRUPTED)
    if files.output is not None and is_terminal(sys.stderr):
        note(f"{boards} written to {files.output}")


@contextmanager
def _executor(spec: BoardSpec, count: int, jobs: int | None) -> Iterator[Executor | None]:
    """Processes if there are many boards or ``--jobs`` asks for them; else None."""
    many = spec.no_guess and count * spec.cells >= MANY_CELLS
    if jobs == 1 or count == 1 or (jobs is None and not many):
        yield None
        return
    from satsweep.arena.workers import processes

    with processes(jobs).running() as executor:
        yield executor


def _numbered(pattern: Path, number: int) -> Path:
    """File of a board, whose number may be a part of the name."""
    return pattern.with_name(pattern.name.replace(NUMBER, str(number)))


def _files(pattern: Path, count: int) -> list[Path]:
    """Files of all boards: one, or one for each."""
    return [_numbered(pattern, number) for number in range(1, count + 1)] if NUMBER in pattern.name else [pattern]


class _BoardWriter:
    """Writer of boards, traces and records, one board after the other."""

    def __init__(self, spec: BoardSpec, seed: str, files: BoardFiles) -> None:
        self.spec, self.seed, self.format_name, self.without = spec, seed, files.chosen_format, files.without or []
        self.output, self.trace, self.record = files.output, files.trace, files.record
        output = files.output
        self.together: list[str | bytes] | None = [] if output is not None and NUMBER not in output.name else None
        """Boards of the one file that holds all; None if each board has its own."""
        self.done = 0
        self.has_reader = True
        """False if the reader of standard output has gone and nothing else is written."""

    def write_board(self, generated: GeneratedBoard) -> None:
        """Write a board, and its trace and record to the files that are given."""
        from satsweep.formats.certificates import to_json as trace_json
        from satsweep.formats.records import to_json as record_json

        content = self._content(generated)
        file = None if self.output is None else _numbered(self.output, generated.number)
        if self.together is not None:
            self.together.append(content)
        else:
            between = "\n" if self.done and self.format_name == "text" and file is None else ""
            is_read = write([between, content], file)
            self.has_reader = is_read or self.trace is not None or self.record is not None
        if self.trace is not None and generated.trace is not None:
            write([trace_json(generated.trace)], _numbered(self.trace, generated.number))
        if self.record is not None and generated.record is not None:
            write([record_json(generated.record)], _numbered(self.record, generated.number))
        self.done += 1

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        """Write the one file for all boards; after an error, with those that were made."""
        if self.together:
            write(self.together, self.output)

    def _content(self, generated: GeneratedBoard) -> str | bytes:
        """Board in the output format, and its facts.

        Facts are comments in text; for other formats they go to standard error.
        """
        from satsweep.formats import format_named
        from satsweep.render.rating import generated_line, generation_lines

        if self.format_name == JSON:
            return generated_line(generated, self._kept(generated.layout), self.spec, self.seed) + "\n"
        content = self._in_format(generated, format_named(self.format_name))
        if isinstance(content, str) and not content.endswith("\n"):
            content += "\n"
        lines = [*generation_lines(generated, self.spec, self.seed)]
        if self.format_name == "text":
            assert isinstance(content, str)
            return "".join(f"// {line}\n" for line in lines) + content
        if sys.stderr is not None:
            note("; ".join(lines))
        return content

    def _kept(self, layout: Layout) -> Layout:
        """Layout without the fields to leave out."""
        return replace(layout, start=None) if "start" in self.without else layout

    def _in_format(self, generated: GeneratedBoard, form: Format[str] | Format[bytes]) -> str | bytes:
        """Layout; in a format of positions, the position after the start is opened."""
        from satsweep.errors import BoardError

        try:
            if form.layouts:
                return form.write(self._kept(generated.layout))
            board = _first_position(generated)
            return form.write(replace(board, mines=None) if "mines" in self.without else board)
        except BoardError as error:
            message = f"board {generated.number} cannot be written as {self.format_name}: {error.message}"
            if error.at in FIELDS and message.endswith("this format cannot hold it"):
                message += f", --without {error.at} leaves it out"
            raise BoardError(message) from None


def _first_position(generated: GeneratedBoard) -> Board:
    """Position after the start is opened; without a start, the covered board."""
    from satsweep.games.game import Game
    from satsweep.games.rules import FirstClick, Rules

    if generated.layout.start is None:
        return generated.layout.board(())
    game = Game(generated.layout, Rules(first=FirstClick.GIVEN))
    game.open(generated.layout.start)
    return game.board
