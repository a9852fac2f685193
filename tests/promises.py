"""What a release promises, kept for all later ones: ``python -m tests.promises`` writes that of this version.

A folder of ``tests/data/kept`` has a release: the names of its interfaces, its schemas, a document of each schema, a
store of results, and what its seeds gave. Until its release a version may be written again, and never after it.
"""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import satsweep
from satsweep import BoardSpec, Cell, generate, play, random_layout
from satsweep.cli import COMMANDS, command_named
from satsweep.kernels.toolchain.library import KERNELS, WASM
from satsweep.umi.server import Server
from tests import DATA, EXAMPLES, ROOT
from tests.schemas import FILES

KEPT = DATA / "kept"
POSITION = "mines 3\n##1.\n##21\n####\n"
LAYOUT = "start 1,1\n*...\n....\n...*\n"
QUESTIONS = ("umi 1", "game 3 4 3", "seed 1", "board", "##1.", "##21", "####", "go", "risks", "quit")
"""Lines of an arena."""
COMPARISON = "compare --agents basic,sat --board 5x5/3 --games 4 --jobs 1"
TEXTS = {
    "analysis": "solve small.txt --json",
    "board": "convert small.txt --format json",
    "clicks": "clicks layout.txt --json",
    "comparison": f"{COMPARISON} --json",
    "ladder": "ladder . --json",
    "rating": "rate layout.txt --jsonl",
    "reason": "explain small.txt 2,1 --json",
    "review": "review record.json --json",
}
"""Documents of a schema that a command prints."""
WRITTEN = {
    "record": "play --board 9x9/10 --agent sat --seed 1 --record",
    "certificate": "solve small.txt --certify",
    "clicks-proof": "clicks layout.txt --drup drup --certify",
    "clicks-sweep": "clicks layout.txt --certify",
    "trace": "generate --board 9x9/10 --no-guess --start 4,4 --seed 1 --output layout9.txt --trace",
    "guess": "rate needs.txt --proof",
}
"""Documents of a schema that a command writes into the file that it is given."""


def interfaces() -> dict[str, Any]:
    """Names that others write into their programs, by interface."""
    header = (KERNELS / "c" / "satsweep.h").read_text(encoding="utf-8")
    engine = WASM.with_name("engine.js").read_text(encoding="utf-8")
    return {
        "python": dict(sorted(_python())),
        "commands": {name: sorted(_options(name)) for name in sorted(COMMANDS)},
        "c": sorted(" ".join(one.split()) for one in re.findall(r"^SATSWEEP_API [^;]*;", header, re.MULTILINE)),
        "javascript": sorted(
            {*re.findall(r"^export (?:async )?(?:function|class) (\w+)", engine, re.MULTILINE)}
            | {*re.findall(r"^  (?!constructor)([a-z]\w*)\([^)]*\) \{$", engine, re.MULTILINE)}
        ),
    }


def _python() -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Exported names, with parameters and public attributes."""
    for name in satsweep.__all__:
        value = getattr(satsweep, name)
        if not inspect.ismodule(value):
            yield name, {**_parameters(value), **_attributes(value)}
            continue
        for own in getattr(value, "__all__", ()):
            found = getattr(value, own)
            # Classes of folders are given to users, who do not make their objects.
            yield f"{name}.{own}", _attributes(found) if inspect.isclass(found) else _parameters(found)


def _attributes(value: object) -> dict[str, list[str]]:
    if not inspect.isclass(value):
        return {}
    own = {field.name for field in fields(value)} if is_dataclass(value) else set()
    return {"attributes": sorted(name for name in own | {*dir(value)} if not name.startswith("_"))}


def _parameters(value: object) -> dict[str, list[str]]:
    if not (inspect.isfunction(value) or inspect.isclass(value) and value.__module__.startswith("satsweep.")):
        return {}
    try:
        signature = inspect.signature(value)
    except ValueError:  # an exception without a constructor of its own
        return {}
    return {"parameters": [_parameter(one) for one in signature.parameters.values()]}


def _parameter(one: inspect.Parameter) -> str:
    """A parameter as it is kept: ``*`` stands before one that is given by its name, ``?`` after one with a default."""
    by_name = "*" if one.kind is one.KEYWORD_ONLY else ""
    given = one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    return f"{by_name}{one.name}{'' if given else '?'}"


def _options(command: str) -> Iterator[str]:
    for param in command_named(command).params:
        yield from (option for option in param.opts if option.startswith("--"))


def seeds() -> dict[str, str]:
    """Digests of what seeds give: layouts, games, boards without a guess."""
    layouts = [str(random_layout("expert", seed=seed)) for seed in range(20)]
    games = [
        f"{move.turn} {move.action.value} {move.cell}"
        for agent in ("basic", "sat", "deep")
        for seed in range(4)
        for move in play("intermediate", agent, seed=seed).moves
    ]
    boards: list[str] = []
    for technique in ("basic", "subset", "sat"):
        spec = BoardSpec(9, 9, 10, Cell(4, 4), solvable_by=technique)
        boards += [str(board.layout) for board in generate(spec, 4, seed=1, traced=False)]
    made = {"layouts": layouts, "games": games, "boards": boards}
    return {name: sha256("\n".join(texts).encode()).hexdigest() for name, texts in made.items()}


def conversation() -> list[str]:
    """What an engine says to the lines of an arena; its version may be another."""
    server = Server()
    said = "".join(server.answer(f"{line}\n") for line in QUESTIONS).splitlines()
    return [line for line in said if not line.startswith("version ")]


def keep(folder: Path) -> None:
    """Write what this version promises into a folder, in place of what it promised before its release."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in FILES.values():
        shutil.copy(path, folder)
    _write(folder / "interfaces.json", interfaces())
    _write(folder / "seeds.json", seeds())
    _write(folder / "umi.json", conversation())
    with TemporaryDirectory() as room:
        _documents(Path(room), folder)


def _documents(room: Path, folder: Path) -> None:
    """A document of each schema, and the store of a comparison."""
    files = {"small.txt": POSITION, "layout.txt": LAYOUT, "needs.txt": "start 0,0\n....\n.***\n....\n"}
    for name, text in files.items():
        (room / name).write_text(text, encoding="utf-8")
    for name, command in WRITTEN.items():
        _satsweep(room, [*command.split(), str(folder / f"{name}.json")])
    shutil.copy(folder / "record.json", room)
    _satsweep(room, f"{COMPARISON} --store runs.db".split())
    for name, command in TEXTS.items():
        (folder / f"{name}.json").write_text(_satsweep(room, command.split()), encoding="utf-8")
    (folder / "rules.json").write_text(_satsweep(room, ["solve", str(EXAMPLES / "graph.json"), "--json"]))
    _satsweep(room, ["results", "merge", str(folder / "runs.db"), "runs.db"])
    layout = (room / "layout9.txt").read_text(encoding="utf-8")
    (folder / "trace-layout.txt").write_text(layout, encoding="utf-8")


def _satsweep(room: Path, words: Iterable[str]) -> str:
    command = [sys.executable, str(ROOT / "cli.py"), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=room, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep(KEPT / satsweep.__version__)
