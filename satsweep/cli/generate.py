"""Boards to order: ``generate``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import convert, options
from satsweep.cli.interrupt import INTERRUPTED
from satsweep.cli.output import BAD_INPUT, INCOMPLETE, check_writable, fail, write
from satsweep.generator.spec import WEAKER_AGENTS

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from satsweep.board import Board
    from satsweep.formats import Format
    from satsweep.generator.run import GeneratedBoard
    from satsweep.generator.spec import BoardSpec

IMPOSSIBLE = 1
FIELDS = ("start", "mines")
"""What can be left out."""
PATIENCE = 60
"""Seconds after which a board is given up, if nobody says how much time there is for all."""
MANY_CELLS = 20_000
"""Boards of so many cells together are made by several processes, which take a second or two to start."""
NUMBER = "{}"
"""What stands in the name of a file for the number of the board."""


def _agent_names(incomplete: str) -> list[str]:
    return [name for name in (*WEAKER_AGENTS, "sat") if name.startswith(incomplete)]


def _agent(name: str | None) -> str | None:
    if name is not None and name not in (names := _agent_names("")):
        raise typer.BadParameter(f"expected an agent among {', '.join(names)}, found {name!r}")
    return name


def generate(
    level: Annotated[
        Literal["beginner", "intermediate", "expert"] | None,
        typer.Option(help="9x9 with 10 mines, 16x16 with 40, 16x30 with 99; rows, columns and mines go before."),
    ] = None,
    rows: options.Rows = None,
    cols: options.Cols = None,
    mines: options.Mines = None,
    topology: options.Topology = None,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="R,C",
            callback=options.cell_at,
            help="The cell that is opened first, counted from 0. Default: 0,0 where no guess is needed, else none.",
        ),
    ] = None,
    first: Annotated[
        Literal["safe", "zero"] | None,
        typer.Option(help="What is promised about the start: no mine, or none around it either. Default: zero."),
    ] = None,
    no_guess: Annotated[bool, typer.Option("--no-guess", help="Boards that need no guess from the start.")] = False,
    solvable_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            callback=_agent,
            autocompletion=_agent_names,
            help=f"... and that this agent clears without one: {', '.join(WEAKER_AGENTS)}, sat. Default: sat.",
        ),
    ] = None,
    beyond: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", callback=_agent, autocompletion=_agent_names, help="... and that this agent does not."
        ),
    ] = None,
    method: Annotated[
        Literal["rejection", "repair"] | None,
        typer.Option(
            help="Draw until a board is as ordered, or move mines. Default: repair where drawing is hopeless."
        ),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="How many boards.")] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed gives the same boards. Default: a new one, printed.")
    ] = None,
    time_budget: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            callback=options.seconds,
            help="Stop then, with the boards that are made. Default: give up where a board takes a minute.",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="How many processes. Default: one for every core.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            callback=convert.format_exists,
            autocompletion=convert.format_names,
            help="What to write; see `satsweep formats`. Default: what the output ends to, else text.",
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="A line of JSON for each board, with all that is known of it.")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            callback=options.each_in(FIELDS),
            help=f"Leave out what the format cannot hold: {', '.join(FIELDS)}.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to; {} stands for the number of the board."),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the proofs that no guess is needed, for `satsweep verify`."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write how the board is cleared, as a game on record.")
    ] = None,
) -> None:
    """Make boards: any, or such as need no guess from their start, as hard as ordered.

    Layouts are drawn until one is as ordered, which makes all such boards equally likely. Where that is hopeless mines
    are moved where play is stuck. What was done is said for every board. Each board that needs no guess was cleared
    step by step, and the proof of every step was checked.

    Exit codes: 0 done, 1 no board can be as ordered, 2 usage, 3 bad input or the board cannot be written, 4 the time is
    over or it was given up before all boards were made, 130 interrupted.
    """
    no_guess = no_guess or (solvable_by, beyond) != (None, None)
    if not no_guess and (method, trace, record) != (None, None, None):
        raise typer.BadParameter("expected --no-guess with --method, --trace and --record", param_hint="'--no-guess'")
    if not no_guess and first is not None and start is None:
        raise typer.BadParameter("expected a start of which something is promised", param_hint="'--first'")
    if json and (format is not None or without):
        raise typer.BadParameter("expected a format or --json, found both", param_hint="'--json'")
    for name, file in (("output", output), ("trace", trace), ("record", record)):
        several = name == "output" and (json or (format is not None and _is_inline(format)))
        if file is not None and count > 1 and NUMBER not in file.name and not several:
            raise typer.BadParameter(f"expected {NUMBER} in the name, one file a board", param_hint=f"'--{name}'")
    check_writable(output, trace, record)

    from concurrent.futures import BrokenExecutor

    from satsweep.cli.play import new_seed
    from satsweep.errors import BoardError, BudgetExceeded, ImpossibleSpec
    from satsweep.games.rules import FirstClick
    from satsweep.generator.run import generate_boards
    from satsweep.generator.spec import BoardSpec, GenerationMethod
    from satsweep.topology import topology_named

    seed = new_seed() if seed is None else seed
    size = _size(level, rows, cols, mines)
    try:
        order = BoardSpec(
            *size,
            start=options.to_cell(start or ("0,0" if no_guess else None)),
            first=FirstClick(first or "zero"),
            topology=topology_named(topology or "square"),
            no_guess=no_guess,
            solvable_by=solvable_by or "sat",
            beyond=beyond,
            method=None if method is None else GenerationMethod(method),
        )
    except ImpossibleSpec as error:
        fail(str(error), IMPOSSIBLE)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    writing = _Writing(order, seed, format, json, without or [], output, trace, record)
    patience = PATIENCE if time_budget is None else None
    try:
        with _executor(order, count, jobs) as executor, writing:
            for made in generate_boards(
                order, count, seed, budget=time_budget, patience=patience, executor=executor, say=_note
            ):
                writing.take(made)
                if not writing.goes_on:
                    break
    except ImpossibleSpec as error:
        fail(str(error), IMPOSSIBLE)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    except BudgetExceeded as error:
        fail(f"{writing.done:,} of {count:,} boards made: {error}", INCOMPLETE)
    except BrokenExecutor:
        fail(f"{writing.done:,} of {count:,} boards made: a process that made others has died", INCOMPLETE)
    except KeyboardInterrupt:
        fail(f"interrupted after {writing.done:,} of {count:,} boards", INTERRUPTED)


def _size(level: str | None, rows: int | None, cols: int | None, mines: int | None) -> tuple[int, int, int]:
    from satsweep.games.deal import LEVELS

    base = LEVELS[level or "beginner"]
    given = (rows, cols, mines)
    return tuple(size if own is None else own for size, own in zip(base, given, strict=True))  # type: ignore[return-value]


def _note(line: str) -> None:
    typer.echo(line, err=True)


@contextmanager
def _executor(order: BoardSpec, count: int, jobs: int | None) -> Iterator[Executor | None]:
    """Processes where there are many boards, or several jobs are asked for."""
    many = order.no_guess and count * order.cells >= MANY_CELLS
    if jobs == 1 or count == 1 or (jobs is None and not many):
        yield None
        return
    from satsweep.compare.workers import processes

    workers = processes(jobs)
    executor = workers.start()
    busy = True
    try:
        yield executor
        busy = False
    finally:
        workers.stop(executor, busy)


def _is_inline(name: str) -> bool:
    from satsweep.formats import format_named

    return format_named(name).inline


class _Writing:
    """Where boards go, one after the other."""

    def __init__(
        self,
        order: BoardSpec,
        seed: int,
        format: str | None,
        json: bool,
        without: list[str],
        output: Path | None,
        trace: Path | None,
        record: Path | None,
    ) -> None:
        self.order, self.seed, self.json, self.without = order, seed, json, without
        self.output, self.trace, self.record = output, trace, record
        told = output is not None and format is None and not json
        self.name = convert.told_by(output) if told else format or "text"
        self.together: list[str] | None = [] if output is not None and NUMBER not in output.name else None
        self.done = 0
        self.goes_on = True
        """Not where nobody reads what is printed, and nothing else is written."""

    def take(self, made: GeneratedBoard) -> None:
        """Write a board, and its trace and record where they are wanted."""
        from satsweep.formats.records import to_json as record_json
        from satsweep.formats.traces import to_json as trace_json

        content = self._written(made)
        file = None if self.output is None else self._file(self.output, made)
        if isinstance(content, bytes):
            convert.write_bytes(content, file)
        elif self.together is not None:
            self.together.append(content)
        else:
            between = "\n" if self.done and self.name == "text" and not self.json and file is None else ""
            reads = write([between, content], file)
            self.goes_on = reads or self.trace is not None or self.record is not None
        if self.trace is not None and made.trace is not None:
            write([trace_json(made.trace)], self._file(self.trace, made))
        if self.record is not None and made.record is not None:
            write([record_json(made.record)], self._file(self.record, made))
        self.done += 1

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        """Write what goes into one file, however it ends."""
        if self.together:
            write(self.together, self.output)

    def _file(self, pattern: Path, made: GeneratedBoard) -> Path:
        return pattern.with_name(pattern.name.replace(NUMBER, str(made.number)))

    def _written(self, made: GeneratedBoard) -> str | bytes:
        from satsweep.formats import format_named
        from satsweep.render.generated_board import generation_lines, json_line

        if self.json:
            return json_line(made, self.order, self.seed) + "\n"
        form = format_named(self.name)
        content = self._in_format(made, form)
        if isinstance(content, str) and not content.endswith("\n"):
            content += "\n"
        said = [*generation_lines(made, self.order, self.seed)]
        if self.name == "text":
            assert isinstance(content, str)
            return "".join(f"// {line}\n" for line in said) + content
        if sys.stderr is not None:
            typer.echo("; ".join(said), err=True)
        return content

    def _in_format(self, made: GeneratedBoard, form: Format[str] | Format[bytes]) -> str | bytes:
        """The layout; for a format of positions, what is seen of it once the start is open."""
        from dataclasses import replace

        from satsweep.errors import BoardError

        layout = made.layout
        try:
            if form.layouts:
                return form.write(replace(layout, start=None) if "start" in self.without else layout)
            board = _position(made)
            return form.write(replace(board, mines=None) if "mines" in self.without else board)
        except BoardError as error:
            said = f"board {made.number} cannot be written as {self.name}: {error.message}"
            if error.at in FIELDS and said.endswith("this format cannot hold it"):
                said += f", --without {error.at} leaves it out"
            raise BoardError(said) from None


def _position(made: GeneratedBoard) -> Board:
    from satsweep.games.game import Game
    from satsweep.games.rules import FirstClick, Rules

    if made.layout.start is None:
        return made.layout.board(())
    game = Game(made.layout, Rules(first=FirstClick.GIVEN))
    game.open(made.layout.start)
    return game.board
