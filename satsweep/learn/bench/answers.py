"""Answers in a file, a JSON object a line, made here or elsewhere.

The first line says what was answered: the digest of the tasks, the model, symmetry and symbols. Every other line is a
reply: ``{"id": "deduce-001", "turn": 0, "reply": "safe: ..."}``; ``turn`` counts the replies to a game, and is 0 where
it is left out. A file made elsewhere need not have the first line. An interrupted file is
continued; a line that was cut does not count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from threading import Event, Lock
from typing import Any

from satsweep.errors import BoardError, SatsweepError, StoreError, unreadable
from satsweep.formats.strict import parse_json, quoted
from satsweep.learn.bench.models import PLAYERS, LateReply, Model
from satsweep.learn.bench.tasks import CANARY, FIRST_EDITION, BenchTask, Episode, TaskSet
from satsweep.learn.bench.variants import Variant
from satsweep.learn.corpus.tables import row_of
from satsweep.text import printable


class Answers:
    """The replies in a file, by task and turn. Raises SatsweepError for another file.

    ``variant`` and ``model`` are those of the first line, else those given, else the usual variant and the name of the
    file. With ``exists`` the file has to be there.
    """

    def __init__(
        self,
        path: Path | str,
        tasks: TaskSet,
        *,
        model: str | None = None,
        variant: Variant | None = None,
        exists: bool = False,
    ) -> None:
        self.path, self.tasks = Path(path), tasks
        self.model, self.variant = model or self.path.stem, variant or Variant()
        self.late = 0
        self.replies: dict[str, list[str]] = {}
        self._is_begun, self._end = False, ""
        if exists or self.path.exists():
            self._read(model, variant)

    def _read(self, model: str | None, variant: Variant | None) -> None:
        try:
            text = self.path.read_text(encoding="utf-8")
        except OSError as error:
            raise SatsweepError(f"{self.path}: {unreadable(error)}") from None
        except UnicodeDecodeError:
            raise SatsweepError(f"{self.path}: expected text in UTF-8") from None
        lines = text.split("\n")
        self._end = "open" if lines[-1] else ""
        found: dict[str, dict[int, str]] = {}
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            if number == len(lines) and _is_cut(line):
                self._end = "cut"
                continue
            row = row_of(line, self.path, number)
            is_first, self._is_begun = not self._is_begun, True
            if "tasks" in row and is_first:
                self._head(row, number, model, variant)
            else:
                self._reply(row, number, found)
        for name, turns in found.items():
            if sorted(turns) != list(range(len(turns))):
                raise SatsweepError(f"{self.path}: expected every turn of {name} from 0, found {sorted(turns)}")
            self.replies[name] = [turns[turn] for turn in range(len(turns))]

    def _wrong(self, line: int, message: str) -> BoardError:
        return BoardError(message, file=str(self.path), line=line)

    def _head(self, row: dict[str, Any], line: int, model: str | None, variant: Variant | None) -> None:
        if row["tasks"] != self.tasks.digest:
            found = quoted(row["tasks"])
            if row["tasks"] == FIRST_EDITION:
                found = "answers to the first edition, whose scores docs/bench.md keeps"
            raise self._wrong(line, f"expected answers to the tasks {self.tasks.digest}, found {found}")
        try:
            own = Variant(*(_text(row, key, usual) for key, usual in (("symmetry", "none"), ("symbols", "usual"))))
            name = _text(row, "model", self.path.stem)
        except ValueError as error:
            raise self._wrong(line, str(error)) from None
        for what, given, here in (("the model", model, name), ("the variant", variant, own)):
            if given is not None and given != here:
                message = f"expected answers of {what} {given}, found {printable(str(here))}; use another file"
                raise StoreError(f"{self.path}:{line}: {message}")
        self.model, self.variant = name, own

    def _reply(self, row: dict[str, Any], line: int, found: dict[str, dict[int, str]]) -> None:
        name, turn, reply = row.get("id"), row.get("turn", 0), row.get("reply")
        if not isinstance(name, str) or type(turn) is not int or type(reply) is not str:
            raise self._wrong(line, f"expected an object with id, turn and reply, found {quoted(row)}")
        if name not in self.tasks.by_id:
            raise self._wrong(line, f"expected a task of {self.tasks.seed}, found {quoted(name)}")
        if turn in found.setdefault(name, {}):
            raise self._wrong(line, f"expected one reply to turn {turn} of {name}, found two")
        found[name][turn] = reply
        self.late += bool(row.get("late"))

    def add(self, name: str, reply: str, *, late: bool = False) -> None:
        """Write a reply at once. Raises StoreError where nothing can be written."""
        turns = self.replies.setdefault(name, [])
        self._write({"id": name, "turn": len(turns), "reply": reply, **({"late": True} if late else {})})
        turns.append(reply)
        self.late += late

    def _write(self, row: dict[str, Any]) -> None:
        head = {
            "canary": CANARY, "tasks": self.tasks.digest, "seed": self.tasks.seed, "model": self.model,
            "symmetry": self.variant.symmetry, "symbols": self.variant.symbols,
        }  # fmt: skip
        text = "\n" * (self._end == "open")
        text += "".join(json.dumps(one) + "\n" for one in ([row] if self._is_begun else [head, row]))
        try:
            if self._end == "cut":
                with self.path.open("r+b") as file:
                    file.truncate(file.read().rfind(b"\n") + 1)
            with self.path.open("ab") as file:
                file.write(text.encode())
        except OSError as error:
            raise StoreError(f"{self.path}: cannot keep answers: {error.strerror}") from None
        self._is_begun, self._end = True, ""

    def episode(self, task: BenchTask) -> Episode:
        """A task with the replies to it so far."""
        episode = Episode(task, self.variant)
        for reply in self.replies.get(task.id, ()):
            if episode.is_over:
                raise SatsweepError(f"{self.path}: expected no reply to {task.id} after its end, found one")
            episode.answer(reply)
        return episode

    def is_complete(self, task: BenchTask) -> bool:
        """Return whether a task needs no more reply."""
        return bool(self.replies.get(task.id)) and (task.task != "game" or self.episode(task).is_over)


def ask(model: Model, answers: Answers, tasks: Sequence[BenchTask], *, jobs: int = 1) -> Iterator[BenchTask]:
    """Ask a model for the replies that a file lacks, and keep each at once.

    ``jobs`` tasks are asked at a time, and yielded as they are done; players of this package do one at a time. The
    first error ends it, and replies that come meanwhile are kept. A reply that is late counts as one without an answer.
    """
    counting, stop = Lock(), Event()  # one thread at a time asks the engine

    def answer(task: BenchTask) -> BenchTask:
        with counting:
            episode = answers.episode(task)
        while not (episode.is_over or stop.is_set()):
            late = False
            try:
                reply = model(episode)
            except LateReply:
                reply, late = "", True
            with counting:
                answers.add(task.id, reply, late=late)
                episode.answer(reply)
        return task

    left = iter(tasks)
    jobs = 1 if model in PLAYERS.values() else jobs
    with ThreadPoolExecutor(jobs) as executor:
        going = {executor.submit(answer, task) for task in islice(left, jobs)}
        try:
            while going:
                done, going = wait(going, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                    going |= {executor.submit(answer, task) for task in islice(left, 1)}
        finally:
            stop.set()


def next_prompts(
    tasks: Sequence[BenchTask], answers: Answers | None = None, variant: Variant | None = None
) -> Iterator[dict[str, Any]]:
    """The prompts that lack a reply, as rows; for a game that of its next turn."""
    for task in tasks:
        if answers is None:
            episode, turn = Episode(task, variant), 0
        else:
            episode, turn = answers.episode(task), len(answers.replies.get(task.id, ()))
        if not episode.is_over:
            yield {"id": task.id, "turn": turn, "prompt": episode.prompt, "canary": CANARY}


def _text(row: dict[str, Any], key: str, usual: str) -> str:
    value = row.get(key, usual)
    if type(value) is not str:
        raise ValueError(f"expected {key} as a string, found {quoted(value)}")
    return value


def _is_cut(line: str) -> bool:
    """An interrupted run leaves a last line that is no JSON."""
    try:
        parse_json(line)
    except ValueError:
        return True
    return False
