"""JSON of others: one module reads it, and whatever it holds is one line with its place, never a traceback."""

import ast
import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from satsweep.arena.blocks import versions
from satsweep.arena.ladder import read_ladder
from satsweep.arena.plan import Plan
from satsweep.arena.planfile import files_of
from satsweep.arena.store import Store
from satsweep.cli import app
from satsweep.cli.shared_work import KeptLines
from satsweep.errors import AgentError, BoardError, SatsweepError, StoreError
from satsweep.formats import read_content
from satsweep.formats.strict import MOST_LEVELS, parse_json, quoted
from satsweep.games.setting import Setting
from satsweep.learn.bench.answers import Answers
from satsweep.learn.bench.tasks import TaskSet, read_tasks
from satsweep.page.questions import Question, id_of
from satsweep.umi.levels import POSITIONS, _check_analysis
from tests import ROOT

OWN = {
    "satsweep/arena/ladder.py": "a round trip of checked values",
    "satsweep/assessment/estimates.py": "a file of the package",
    "satsweep/formats/replays.py": "the answer of replay_child",
    "satsweep/formats/strict.py": "the reader itself",
    "satsweep/formats/toml.py": "the reader of TOML",
    "satsweep/games/deal.py": "a file of the package",
    "satsweep/learn/corpus/checker.py": "a row that was just made",
    "satsweep/learn/corpus/rows.py": "proofs that were just made",
    "satsweep/learn/envs/replies.py": "objects anywhere in a model's prose, with guards of its own",
    "satsweep/page/game_review.py": "a round trip of rules",
    "satsweep/page/offline/build.py": "the lock of the packed interpreter",
    "satsweep/page/questions.py": "the id of a message that the strict reader has refused, with guards of its own",
    "satsweep/page/workers.py": "an argument of this program",
    "satsweep/render/rating.py": "a text that was just made",
}
"""Modules that call the parsers of the standard library, each with what they read."""

DEEP = "[" * 100_000
TEXTS = {
    "deep": DEEP + "]" * 100_000,
    "deep and open": DEEP,
    "deep within an object": '{"id": ' + '{"id": ' * 50_000,
    "just too deep": "[" * (MOST_LEVELS + 1) + "]" * (MOST_LEVELS + 1),
    "as deep as allowed": '{"id": ' + "[" * (MOST_LEVELS - 1) + "]" * (MOST_LEVELS - 1) + "}",
    "many digits": '{"id": ' + "9" * 5000 + "}",
    "NaN": '{"id": NaN}',
    "Infinity": '{"id": -Infinity}',
    "a large number": '{"id": 1e999}',
    "a key twice": '{"id": 1, "id": 2}',
    "a lone surrogate": '{"id": "\\ud800", "board": "\\ud800", "\\udfff": 1}',
    "control characters": '{"id": "\\u001b[2J\\u0007", "tasks": "\\u001b]0;x\\u0007", "\\u001b[31m": "\\n"}',
    "no object": '["\\u001b[2J"]',
    "a number": "7",
    "null": "null",
    "nothing": "{}",
    "cut": '{"id": "a',
    "wrong types": '{"id": {}, "turn": [], "reply": 7, "board": 5, "mined": null, "layout": true, "form": []}',
}
"""Texts that no reader takes."""
COMMANDS = {
    "audit-keys": ("audit-keys", "hostile.json"),
    "solve": ("solve", "hostile.json"),
    "review": ("review", "hostile.json"),
    "verify": ("verify", "board.txt", "hostile.json"),
    "audit of positions": ("audit", "--agent", "gem", "--position", "hostile.json"),
    "bench --tasks": ("bench", "--tasks", "hostile.json", "--prompts", "p.jsonl"),
    "manifest": ("corpus", "make", "manifest", "--table", "puzzles", "--count", "2", "--jobs", "1"),
    "rows": ("corpus", "make", "rows", "--table", "puzzles", "--count", "2", "--jobs", "1"),
}


def _calls(file: Path) -> Iterator[int]:
    """Lines that call a parser of JSON or TOML of the standard library."""
    text = file.read_text(encoding="utf-8")
    if "json" not in text and "tomllib" not in text:
        return
    tree = ast.parse(text)
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.Import)]
    parsers = {
        alias.asname or alias.name
        for one in imports
        for alias in one.names
        if alias.name in ("json", "tomllib", "orjson")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in parsers:
            if node.attr in ("load", "loads", "JSONDecoder"):
                yield node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module in ("json", "json.decoder", "tomllib"):
            yield from [node.lineno] * bool({alias.name for alias in node.names} - {"dumps", "dump"})


def test_one_module_reads_the_json_of_others() -> None:
    found = {
        file.relative_to(ROOT).as_posix(): lines
        for file in sorted((ROOT / "satsweep").rglob("*.py"))
        if (lines := [*_calls(file)])
    }
    assert {name: lines for name, lines in found.items() if name not in OWN} == {}, "formats/strict.py has parse_json"
    assert set(OWN) == set(found), "modules that read nothing any more"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "board.txt").write_text("mines 2\n###\n121\n")
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_hostile_json_in_one_line(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    from satsweep import __version__

    monkeypatch.chdir(folder)
    for name, text in TEXTS.items():
        Path("hostile.json").write_text(f"{text}\n")
        for place in ("manifest", "rows"):
            Path(place).mkdir(exist_ok=True)
        Path("manifest/corpus.json").write_text(text)
        Path("rows/corpus.json").write_text(json.dumps({"seed": "0", "satsweep": __version__}))
        Path("rows/puzzles.jsonl").write_text(f"{text}\n")
        with subtests.test(name):
            done = CliRunner().invoke(app, COMMANDS[command])
            lines = done.stderr.splitlines()
            assert isinstance(done.exception, SystemExit), done.exception
            assert done.exit_code == 3 and "Traceback" not in done.output
            assert lines and all(line.isprintable() and len(line) < 500 for line in lines)
            place = {"manifest": r"manifest/corpus.json: ", "rows": "rows/puzzles.jsonl:1:"}.get(
                command, "hostile.json:"
            )
            assert lines[0].replace("\\", "/").startswith(place) or "board 1" in lines[0]
            assert len(lines) == (2 if command == "audit-keys" else 1)


def test_readers_of_the_library_refuse_hostile_json(tmp_path: Path, subtests: pytest.Subtests) -> None:
    path = tmp_path / "kept.jsonl"
    for name, text in TEXTS.items():
        with subtests.test(name):
            path.write_text(f"{text}\n")
            with pytest.raises(BoardError) as caught:
                Answers(path, TaskSet("few", ()))
            assert (caught.value.file, caught.value.line) == (str(path), 1) and str(caught.value).isprintable()
            with pytest.raises(BoardError, match=r"jsonl:1:.*expected"):
                read_tasks(path)
            for reader in (Plan.of, Question.of, lambda text: read_content(text.encode())):
                with pytest.raises(BoardError):
                    reader(text)
            assert id_of(text) in (None, 2)
            with pytest.raises(AgentError, match="expected `analysis` with a JSON object"):
                _check_analysis(POSITIONS[0], text)
            with pytest.raises(StoreError, match="expected kept reviews, found something else"):
                KeptLines(path, "reviews")
            assert quoted(text).isprintable() and len(quoted(text)) <= 60


def test_a_last_line_that_is_cut_may_be_deep(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(DEEP)
    assert Answers(path, TaskSet("few", ())).replies == {}


def test_a_plan_of_deep_toml_names_no_other_files(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"a = {DEEP}")
    assert files_of(path) == [path]


def test_kept_work_with_other_versions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text('{"file": "satsweep: kept reviews", "versions": 7}\n')
    with pytest.raises(StoreError, match=r"kept.jsonl:1: expected the versions that began it, found 7"):
        KeptLines(path, "reviews")


@pytest.mark.parametrize("column", ["plan", "versions", "identity"])
def test_a_store_of_others_may_say_anything_of_its_runs(column: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    path = tmp_path / "other.sqlite"
    Store(path).begin(Plan(("basic",), (Setting(9, 9, 10),)), versions()).store.close()
    described = json.loads(Plan(("basic",), (Setting(9, 9, 10),)).described())
    changed = [{key: 7} for key in described] + [{"figure": ["won"]}, {"plays": 0}, {"settings": [{"rows": 1e999}]}]
    values: list[object] = [*TEXTS.values(), None, 7, b"\xff", *(json.dumps(described | one) for one in changed)]
    strings = {TEXTS["nothing"], TEXTS["control characters"]}  # versions may have any names and be any strings
    for number, value in enumerate(values):
        with sqlite3.connect(path) as other:
            try:
                other.execute(f"UPDATE runs SET {column} = ?", (value,))
            except sqlite3.IntegrityError:
                continue
        other.close()
        with subtests.test(str(number)):
            if column == "versions" and value in strings:
                continue
            with pytest.raises(StoreError, match="other.sqlite: run 1 cannot be read: "):
                read_ladder(tmp_path)


def test_numbers_are_floats_where_they_are_asked_for() -> None:
    assert parse_json('{"temperature": 0.5, "n": 1}', floats=True) == {"temperature": 0.5, "n": 1}
    with pytest.raises(BoardError, match=r"1:7: expected a number below 1\.8e308, found 1e999"):
        parse_json('{"a": 1e999}', floats=True)
    assert parse_json('{"a": 1e999}') == {"a": "1e999"}


def test_values_as_deep_as_allowed_can_be_written_from_deep_calls() -> None:
    """A reader may call the parser from anywhere, and quotes what it has read."""
    value = parse_json("[" * MOST_LEVELS + "]" * MOST_LEVELS)

    def called(levels: int) -> str:
        return called(levels - 1) if levels else quoted(value)

    assert called(100) == "[" * 57 + "..." and sys.getrecursionlimit() >= 1000
    with pytest.raises(SatsweepError, match="nested too deeply"):
        parse_json("[" * (MOST_LEVELS + 1) + "]" * (MOST_LEVELS + 1))
