"""Command ``bench``: ask a model the tasks of the benchmark, score answers."""

from __future__ import annotations

import json as to_json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.arguments import short_repr
from satsweep.cli import options
from satsweep.cli.exits import exiting_on_interrupt, note
from satsweep.cli.option_groups import OptionGroup, with_groups
from satsweep.cli.output import Files, ProgressBar, check_outputs, progress_bar, write
from satsweep.cli.packages import check_packages
from satsweep.cli.renderers import format_option, rendered
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.learn.bench.answers import Answers
    from satsweep.learn.bench.models import Model
    from satsweep.learn.bench.scores import ModelScores
    from satsweep.learn.bench.tasks import BenchTask, TaskSet
    from satsweep.learn.bench.variants import Variant


@dataclass(frozen=True)
class ModelOptions(OptionGroup):
    """The model that is asked, and how."""

    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Model to ask: 'cmd: COMMAND', run for each prompt, which is its input; a model at the address --url; "
            "or a player without a model: constant, most-covered, random, basic, gem, least-risk, sat.",
        ),
    ] = None
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="OpenAI-compatible address, such as http://127.0.0.1:8000/v1.")
    ] = None
    key_variable: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Environment variable with the key of --url. Default: OPENAI_API_KEY."),
    ] = None
    request: Annotated[
        str | None, typer.Option(metavar="JSON", help="More fields of each request, such as '{\"temperature\": 0}'.")
    ] = None
    timeout: Annotated[float | None, options.seconds_option("Time limit of a reply. Default: 600.", above_0=True)] = (
        None
    )
    retries: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Further attempts where --url is busy or out of reach. Default: 5."),
    ] = None

    def check(self, files: Sequence[Path]) -> None:
        """Exit with the first option that has no use here."""
        options.refuse(
            (self.model is None and self.url is not None, "--url", "expected it with --model only"),
            (self.model is None and self.timeout is not None, "--timeout", "expected it with --model only"),
            (self.model is not None and len(files) > 1, "FILE", "expected one file with --model"),
            *(
                (self.url is None and value is not None, option, "expected it with --url only")
                for option, value in (
                    ("--key-variable", self.key_variable), ("--request", self.request), ("--retries", self.retries),
                )
            ),
        )  # fmt: skip

    @property
    def file(self) -> Path:
        """The file of its answers, if none is named."""
        return Path(f"bench-{re.sub(r'[^A-Za-z0-9._-]+', '-', self.model or '').strip('-')}.jsonl")

    def load(self) -> Model:
        """The model; raises BadParameter for options that say none."""
        from satsweep.formats.strict import parse_json
        from satsweep.learn.bench.models import KEY_VARIABLE, RETRIES, SECONDS, key_in, model_named

        assert self.model is not None
        try:
            fields = parse_json(self.request or "{}", floats=True)
        except ValueError as error:
            raise options.wrong("--request", str(error)) from None
        if not isinstance(fields, dict):
            raise options.wrong("--request", f"expected a JSON object, found {short_repr(self.request, 60)}")
        key = key_in(self.key_variable or KEY_VARIABLE)
        if self.key_variable is not None and key is None:
            message = f"expected an environment variable with a key, found none of the name {self.key_variable}"
            raise options.wrong("--key-variable", message)
        try:
            return model_named(
                self.model, self.url, key=key, seconds=SECONDS if self.timeout is None else self.timeout,
                retries=RETRIES if self.retries is None else self.retries, request=fields,
            )  # fmt: skip
        except ValueError as error:
            raise options.wrong("--model" if self.url is None else "--url", str(error)) from None


@dataclass(frozen=True)
class TaskOptions(OptionGroup):
    """The tasks that are asked, and in which clothes."""

    task: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this task: deduce, nothing, guess, why, risk or game; repeatable."),
    ] = None
    count: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N of these tasks.")] = None
    symmetry: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Turn the boards: upside-down, mirrored, half-turn, transposed, quarter-turn, quarter-turn-back or "
            "transposed-across. Default: none.",
        ),
    ] = None
    symbols: Annotated[
        str | None,
        typer.Option(
            metavar="SYMBOLS",
            help="Symbols of cells: letters, signs, or eleven of your own for a covered cell, 0 to 8, and a mine. "
            "Default: usual (#012345678*).",
        ),
    ] = None
    seed: Annotated[
        str | None, typer.Option(metavar="SEED", help="Make the tasks of another seed in the file --tasks; minutes.")
    ] = None
    tasks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Tasks of another seed, in place of the 1,000 of the package.")
    ] = None

    @property
    def variant(self) -> Variant | None:
        """The variant that is asked for; None without an option, where a file may say it."""
        from satsweep.learn.bench.variants import Variant

        if self.symmetry is None and self.symbols is None:
            return None
        try:
            return Variant(self.symmetry or "none", self.symbols or "usual")
        except ValueError as error:
            raise options.wrong("--symmetry" if "a symmetry" in str(error) else "--symbols", str(error)) from None

    @property
    def are_new(self) -> bool:
        """True if the tasks are to be made."""
        return self.seed is not None and self.tasks is not None and not self.tasks.exists()

    def load(self, jobs: int | None) -> TaskSet:
        """The frozen tasks, those of a file, or new ones of a seed, which are kept there."""
        from satsweep.learn.bench.maker import make_tasks
        from satsweep.learn.bench.tasks import frozen_tasks, read_tasks

        if self.tasks is None:
            return frozen_tasks()
        if not self.are_new:
            found = read_tasks(self.tasks)
            if self.seed not in (None, found.seed):
                message = f"expected the seed of {self.tasks}, {found.seed!r}, found {self.seed!r}"
                raise options.wrong("--seed", message)
            return found
        with progress_bar(1000, "tasks") as bar:
            made = make_tasks(self.seed or "", jobs=jobs, shown=lambda done: bar.show(done, f"{done:,} of 1,000 tasks"))
        write([made.text], self.tasks)
        return made

    def chosen(self, tasks: TaskSet) -> list[BenchTask]:
        """The tasks that are asked, in order."""
        from satsweep.learn.bench.tasks import chosen

        return chosen(tasks, self.task)[: self.count]

    def check(self) -> None:
        """Exit for a task that does not exist, or a seed without a file."""
        from satsweep.learn.bench.tasks import KINDS

        for name in self.task or ():
            if name not in KINDS:
                raise options.wrong("--task", f"expected a task among {', '.join(KINDS)}, found {name!r}")
        wrong = self.seed is not None and self.tasks is None
        options.refuse((wrong, "--seed", "expected --tasks FILE, where the tasks are kept"))


@with_groups
def bench(
    *,
    answers: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Answers to score, as JSONL; with --model the one file that they go to. Default: bench-MODEL.jsonl.",
        ),
    ] = None,
    model: ModelOptions,
    asked: TaskOptions,
    prompts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the prompts that lack a reply as JSONL, to be answered elsewhere."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the scores as one self-contained page, with a figure.")
    ] = None,
    format: Annotated[str | None, format_option("benchmark")] = None,
    json: options.Json = False,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Replies asked for at once, or processes that make tasks. Default: 4."),
    ] = None,
) -> None:
    """Ask a model the 1,000 tasks of the benchmark, and score answers.

    Replies are kept one by one, so a run that was interrupted goes on where it stopped. The score of a reply is exact
    and depends on nothing that cannot be known. Files of several models are compared in pairs on the same tasks.

    Exit codes: 0 done, 2 usage, 3 bad input, or the model cannot be asked, 4 no tasks were found for the seed,
    130 interrupted.
    """
    files, ends = list(answers or ()), _Ends()
    shown = options.chosen_format(format, json)
    with exiting_on_interrupt(ends.say):  # before libraries start threads, which could get the signal
        _bench(files, model, asked, prompts, html, shown, jobs, ends)


class _Ends:
    """The line that an interrupt ends with, if any."""

    line = ""

    def say(self) -> None:
        if self.line:
            note(self.line)


def _bench(
    files: list[Path],
    model: ModelOptions,
    asked: TaskOptions,
    prompts: Path | None,
    html: Path | None,
    shown: str,
    jobs: int | None,
    ends: _Ends,
) -> None:
    from satsweep.learn.bench.answers import Answers
    from satsweep.learn.bench.scores import ModelScores, score

    options.refuse((prompts is not None and len(files) > 1, "FILE", "expected one file at most with --prompts"))
    model.check(files)
    asked.check()
    nothing = not (files or model.model or prompts or asked.seed)
    options.refuse((nothing, "FILE", "expected --model, answers to score, --prompts, or --seed"))
    loaded = None if model.model is None else model.load()
    variant = asked.variant
    if loaded is not None:
        files = files or [model.file]
    if files:
        check_packages("scipy", *([] if html is None else ["jinja2"]))
    outputs: dict[str, Files] = {"FILE": files if loaded else None, "--prompts": prompts, "--html": html}
    outputs["--tasks"] = asked.tasks if asked.are_new else None
    check_outputs(outputs, {"FILE": None if loaded else files, "--tasks": None if asked.are_new else asked.tasks})
    if html is not None:
        from satsweep.arena.canvas import check_installed

        check_installed()
    tasks = asked.load(jobs)
    chosen = asked.chosen(tasks)
    if loaded is not None:
        _ask(loaded, Answers(files[0], tasks, model=model.model, variant=variant), chosen, jobs or 4, ends)
    read = [Answers(file, tasks, variant=variant, exists=True) for file in files]
    if prompts is not None:
        _write_prompts(prompts, chosen, read, variant)
    found = list[ModelScores]()
    with progress_bar(len(chosen) * len(read), "scores") as bar:
        for one in read:
            before = len(chosen) * len(found)
            found.append(score(one, chosen, partial(_show, bar, one.model, before)))
    if found:
        _report(tasks, found, shown, html)


def _ask(model: Model, answers: Answers, tasks: Sequence[BenchTask], jobs: int, ends: _Ends) -> None:
    from satsweep.learn.bench.answers import ask

    left = [one for one in tasks if not answers.is_complete(one)]
    before = len(tasks) - len(left)
    whole, asking = counted(len(tasks), "task"), ask(model, answers, left, jobs=jobs)
    with progress_bar(len(tasks), answers.model) as bar:
        for done in range(before, len(tasks) + 1):
            ends.line = f"interrupted after {done:,} of {whole}; the next run of {answers.path} goes on"
            bar.show(done, f"{answers.model}: {done:,} of {whole}")
            next(asking, None)
    ends.line = ""
    note(f"answers are in {answers.path}")


def _write_prompts(file: Path, chosen: Sequence[BenchTask], read: Sequence[Answers], variant: Variant | None) -> None:
    from satsweep.learn.bench.answers import next_prompts

    rows = list(next_prompts(chosen, read[0] if read else None, variant))
    write([to_json.dumps(row) + "\n" for row in rows], file)
    note(f"{file}: {counted(len(rows), 'prompt')}")


def _show(bar: ProgressBar, model: str, before: int, done: int) -> None:
    bar.show(before + done, f"{model}: {counted(done, 'score')}")


def _report(tasks: TaskSet, found: Sequence[ModelScores], shown: str, html: Path | None) -> None:
    write(rendered("benchmark", shown, found, tasks=tasks), None)
    if html is not None:
        from satsweep.learn.bench.report import bench_page

        write([bench_page(tasks, found)], html)
