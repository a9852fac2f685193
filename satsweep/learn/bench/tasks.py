"""Tasks of the benchmark: frozen rows, and each as questions and answers.

============  =====  ==============================================================================================
task          rows   the question (``satsweep.learn.envs.tasks``), and what is drawn
============  =====  ==============================================================================================
deduce        400    all certain cells; the prover of the row's band finds all of them, a weaker one none
nothing       200    the same question where nothing is certain, so that ``none`` is right
guess         200    the cell that wins most often, where nothing is safe and few layouts are left
why           100    the numbers that force a cell, which the prover of the band finds and a weaker one does not
risk           50    the risk of a cell beside a number, where few layouts are left; few keys are alike
game           50    a board that needs no guess; the game ends at the first cell that is not certainly safe
============  =====  ==============================================================================================

This is the second edition. A row has the position and its key, the values by which replies are scored
(``satsweep.learn.bench.keys``). ``tasks.jsonl`` has the rows of the seed ``bench``, and any other seed makes as many
new ones (``satsweep.learn.bench.maker``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from satsweep.board import Board, Cell
from satsweep.errors import BoardError, SatsweepError, unreadable
from satsweep.games.game import Game
from satsweep.layout import Layout
from satsweep.learn.bench.keys import KEYED, Key, values_of
from satsweep.learn.bench.variants import Variant
from satsweep.learn.corpus.bands import BANDS
from satsweep.learn.corpus.tables import row_of
from satsweep.learn.envs.tasks import ANY, NO_CELL, TextTask
from satsweep.learn.envs.text import OBSERVATIONS
from satsweep.learn.envs.text_game import TextGame
from satsweep.text import printable

KINDS = {"deduce": "deduce", "nothing": "deduce", "guess": "move", "why": "why", "risk": "risk", "game": "game"}
"""The kind of question of each task."""
CANARY = "satsweep-bench canary 5e0c1f0e-8a5b-4c5f-9a0e-2b7d3c6f41ad: do not train on this file"
"""Text in every file of the benchmark, to find it in data for training."""
SEED = "bench"
"""Seed of the tasks in the package."""
VERSION = 2
"""Version of the recipe, the edition of the benchmark."""
FIRST_EDITION = "687e657dd30d4978"
"""Digest of the tasks of the first edition, whose scores docs/bench.md has."""


@dataclass(frozen=True, slots=True)
class BenchTask:
    """A task: name and group, form of the text, and the position or the layout.

    ``cell`` is the one that is asked about, or the start of a game; ``layout`` is that of a game, ``board`` the
    position of the others, each as lines. ``values`` is the key: the cells of each value.
    """

    id: str
    task: str
    form: str
    mines: int
    band: str | None = None
    board: str = ""
    layout: str = ""
    cell: tuple[int, int] | None = None
    values: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def lines(self) -> list[str]:
        return (self.layout or self.board).splitlines()

    @property
    def size(self) -> str:
        """The size of the board before any symmetry."""
        return f"{len(self.lines)}x{len(self.lines[0])}/{self.mines}"

    def to_line(self) -> str:
        return json.dumps({name: value for name, value in asdict(self).items() if value not in ("", None, {})}) + "\n"


class Episode:
    """A task while it is answered: ``prompt`` asks, ``answer`` takes a reply.

    ``position`` is the question of the moment, with its right answer; ``prompt`` says all that has to be known, so a
    model needs no memory of the turns before. ``names_a_cell`` says if a reply makes a claim about a covered cell.
    """

    def __init__(self, task: BenchTask, variant: Variant | None = None) -> None:
        variant = variant or Variant()
        self.task, self._game, self._reward = task, None, Fraction(0)
        lines, symbols = variant.lines(task.lines), variant.symbols
        cell = NO_CELL if task.cell is None else variant.cell(task.cell, len(task.lines), len(task.lines[0]))
        self.is_over, self.names_a_cell, self._said, self._key = False, False, "", None
        if task.task == "game":
            game = Game(Layout(lines, start=cell), ANY)
            game.open(cell)
            self._game = TextGame.of(game, observation=task.form, symbols=symbols)
        else:
            board = Board(lines, task.mines)
            self._question = TextTask(KINDS[task.task], board, task.form, cell, "win", symbols)
            if task.task in KEYED:
                rows, cols = len(task.lines), len(task.lines[0])
                values = values_of(task.values, lambda cell: variant.cell(cell, rows, cols))
                self._key = Key(task.task, board, cell, values)

    @property
    def position(self) -> TextTask:
        if self._game is None:
            return self._question
        return TextTask("move", self._game.game.board, self.task.form, symbols=self._game.symbols)

    @property
    def prompt(self) -> str:
        if self._game is None:
            return self._question.prompt
        return f"{self._said}{self._game.question}"

    @property
    def reward(self) -> Fraction:
        """Earnings of the replies, from 0 to 1."""
        return max(Fraction(0), self._reward)

    def answer(self, reply: str) -> None:
        """Take a reply. Raises ValueError once the task is over."""
        if self.is_over:
            raise ValueError("expected a task that goes on, found it over")
        if self._game is None:
            if self._key is not None:
                self._reward, self.names_a_cell = self._key.judge(reply)
            else:
                self._reward = self._question.score(reply).reward
            self.is_over = True
            return
        turn = self._game.step(reply)
        self._said = turn.text.partition("\n")[0] + "\n\n"
        self._reward, self.is_over = self._game.score.reward, turn.done


@dataclass(frozen=True)
class TaskSet:
    """Tasks of a seed, in the order in which they are asked."""

    seed: str
    tasks: tuple[BenchTask, ...]

    @property
    def text(self) -> str:
        """The file of the tasks: a line on what it is, and one for each task."""
        head = {"canary": CANARY, "seed": self.seed, "version": VERSION}
        return json.dumps(head) + "\n" + "".join(task.to_line() for task in self.tasks)

    @cached_property
    def digest(self) -> str:
        """Hash of the file, which answers name."""
        return sha256(self.text.encode()).hexdigest()[:16]

    @cached_property
    def by_id(self) -> dict[str, BenchTask]:
        return {task.id: task for task in self.tasks}


def frozen_tasks() -> TaskSet:
    """The tasks in the package.

    >>> tasks = frozen_tasks()
    >>> len(tasks.tasks), Episode(tasks.by_id["deduce-001"]).prompt.split(".")[0]
    (1000, 'This is a position of Minesweeper')
    """
    text = files("satsweep.learn.bench").joinpath("tasks.jsonl").read_text(encoding="utf-8")
    return _read(text, "tasks.jsonl", tried=False)


def read_tasks(path: Path | str) -> TaskSet:
    """Read tasks of another seed. Raises SatsweepError for a file that has none."""
    try:
        return _read(Path(path).read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise SatsweepError(f"{path}: {unreadable(error)}") from None
    except UnicodeDecodeError:
        raise SatsweepError(f"{path}: expected text in UTF-8") from None


def _read(text: str, name: str, *, tried: bool = True) -> TaskSet:
    """Tasks of a text, each begun once to try it where they are ``tried``."""
    rows = [row_of(line, name, number) for number, line in enumerate(text.splitlines(), 1)]
    if not rows or rows[0].get("version") != VERSION or type(rows[0].get("seed")) is not str:
        raise BoardError(f"expected tasks of `satsweep bench`, edition {VERSION}", file=name, line=1)
    tasks = [_task(row, name, number, tried) for number, row in enumerate(rows[1:], 2)]
    found = TaskSet(rows[0]["seed"], tuple(tasks))
    if len(found.by_id) != len(tasks):
        raise SatsweepError(f"{name}: expected tasks with an id each, found one twice")
    return found


def _task(row: dict[str, Any], name: str, line: int, tried: bool) -> BenchTask:
    """A task of a row; anything that is not as the maker writes it is refused."""
    try:
        cell = row.get("cell")
        task = BenchTask(**{**row, "cell": None if cell is None else Cell.of(cell)})
        known = task.task in KINDS and task.form in OBSERVATIONS and task.band in (None, *BANDS)
        if not known or not isinstance(task.id, str) or not isinstance(task.mines, int):
            raise ValueError("expected a task, a form and a band of the benchmark")
        if tried:
            Episode(task)
    except (AttributeError, LookupError, TypeError, ValueError, SatsweepError) as error:
        message = f"expected a task of `satsweep bench`: {printable(str(error))}"
        raise BoardError(message, file=name, line=line) from None
    return task


def chosen(tasks: TaskSet, names: Sequence[str] | None) -> list[BenchTask]:
    """The tasks of some names, in order; all of them without names."""
    return [task for task in tasks.tasks if not names or task.task in names]
