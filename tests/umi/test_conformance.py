"""The conformance suite: it passes the examples, and says what is wrong with faulty engines."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from satsweep.analysis.analyse import analyse
from satsweep.umi.conformance import examine, to_json, to_text
from satsweep.umi.levels import LEVELS, POSITIONS
from satsweep.umi.protocol.messages import ABILITIES
from tests import PATIENCE, ROOT
from tests.cli import invoke

pytestmark = pytest.mark.extended

EXAMPLES = ROOT / "examples" / "umi"
BASIC = EXAMPLES / "basic.py"


def built(name: str, place: Path) -> str:
    """The command of an example, built where that is needed."""

    def tool(*names: str) -> str:
        found = next(filter(None, map(shutil.which, names)), None)
        if found is None:
            pytest.skip(f"needs {' or '.join(names)}")
        return found

    source = EXAMPLES / name
    if name.endswith(".py"):
        return shlex.join([sys.executable, str(source)])
    if name.endswith(".js"):
        return shlex.join([tool("node"), str(source)])
    if name.endswith(".c"):
        subprocess.run([tool("cc", "gcc"), "-O2", "-o", str(place / "basic"), str(source)], check=True)
        return str(place / "basic")
    subprocess.run([tool("javac"), "-d", str(place), str(source)], check=True)
    return shlex.join([tool("java"), "-cp", str(place), source.stem])


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is late because the machine is busy."""
    monkeypatch.setattr("satsweep.umi.conversation.PROMPT_SECONDS", PATIENCE)


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("name", ["basic.py", "subsets.js", "basic.c", "Counting.java"])
def test_examples_pass_what_they_declare(name: str, tmp_path: Path) -> None:
    found = examine(f"cmd:{built(name, tmp_path)}", seconds=PATIENCE)
    assert found.passed, "".join(to_text(found))
    assert sum(level.declared for level in found.levels) >= 4


def test_every_example_is_here() -> None:
    files = {path.name for path in EXAMPLES.iterdir() if path.is_file()}
    assert files == {"basic.py", "subsets.js", "basic.c", "Counting.java"}


@pytest.mark.usefixtures("unhurried")
def test_satsweep_passes_all_but_stop() -> None:
    found = examine(f"cmd:{shlex.quote(sys.executable)} -m satsweep umi", seconds=PATIENCE)
    assert found.passed, "".join(to_text(found))
    assert [level.name for level in found.levels if not level.declared] == ["stop"]


def test_positions_are_possible_and_every_word_has_its_level() -> None:
    assert all(analyse(board).worlds for board in POSITIONS)
    assert {word for level in LEVELS for word in level.words} == set(ABILITIES)


RULE, FALSE_RULE = "if left in (0, len(cells)):", "if left and left >= len(cells) - 1:"
FAULTS = {
    "claims at random": (RULE, FALSE_RULE, "sound", "expected true claims, found"),
    "other moves for the same seed": (
        "rng = random.Random(int(number))", "rng = random.Random()", "play", "expected the same moves"
    ),
    "no guesses": ("chosen = None if safe or mines else", "chosen = None if True else", "play", "found none"),
    "is silent about nonsense": (
        'reply = [f"error cannot follow {line.strip()[:80]}"]', "reply = []", "robust", "did not answer within 2 s"
    ),
    "goes on after quit": ('case ["quit"]:\n                return', 'case ["quit"]:\n                continue',
                           "robust", "expected the engine to end after `quit`"),
    "dies of an empty line": ("case []:\n                continue", 'case []:\n                raise ValueError',
                              "robust", "ended with exit code 1"),
    "claims to be complete": ('"can sound untold rules"', '"can sound complete"', "complete", "certain cell"),
    "claims to have risks": ('"can sound untold rules"', '"can risks"', "risks", "error cannot follow risks"),
    "claims to read changes": ('"can sound untold rules"', '"can changes"', "changes", "error cannot follow set"),
    "claims to answer queries": ('"can sound untold rules"', '"can queries"', "queries", "expected an answer to"),
    "claims to know topologies": ('"can sound untold rules"', '"can topologies"', "variants", "torus"),
}  # fmt: skip
"""Faults of an engine: a line of the example, its fault, the level that fails, and words of the problem."""


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault: str, tmp_path: Path) -> None:
    before, after, level, words = FAULTS[fault]
    text = BASIC.read_text()
    assert text.count(before) == 1
    file = tmp_path / "faulty.py"
    file.write_text(text.replace(before, after))
    number = next(one.number for one in LEVELS if one.name == level)
    seconds = 2.0 if "did not answer" in words else PATIENCE
    found = examine(f"cmd:{shlex.join([sys.executable, str(file)])}", levels={number}, seconds=seconds)
    assert not found.passed
    (result,) = found.levels
    assert any(words in (problem or "") for _, problem in result.checks), "".join(to_text(found))


BROKEN_ENGINE = Path(__file__).with_name("broken_engine.py")
BROKEN = {
    "ignores clue models": ("sound", "expected true claims, found"),
    "plays each torus as a square": ("risks", "6x6 torus, 6 mines, first cell safe: expected exact risks"),
    "states risk 1/2 on large boards": ("risks", "on 16x30, 99 mines, first cell safe: expected exact risks"),
    "states risk 1/2 with guesses": ("risks", "expected exact risks"),
    "claims what is likely on large boards": ("sound", "on 4x150, 90 mines, first cell safe: expected true claims"),
    "claims no mines late": ("complete", "on 4x150, 90 mines, first cell safe: expected every certain cell"),
    "writes `info` after `done`": ("play", "expected `pong` after `done` and `ping`, found `info that was easy`"),
    "is sure to win": (
        "play",
        "on ### / #3# / ### is no mine with 62.5 %, found a greater chance to win with it, 100 %",
    ),
    "counts -7 worlds": ("queries", 'found "-7"'),
    "explains by the moon": ("queries", "found the same text for a cell"),
    "ignores `stop`": ("stop", "did not answer within 5 s"),
    "exits on unknown options": ("robust", "unknown options and rules: the engine ended with exit code 1"),
    "plays by unknown rules": ("robust", "expected `error TEXT` after a rule that it does not know, found `pong`"),
}
"""Faults of an engine that seems to be good: the level that fails, and words of the problem."""


@pytest.mark.parametrize("fault", BROKEN)
def test_an_engine_that_seems_good_fails(fault: str) -> None:
    level, words = BROKEN[fault]
    number = next(one.number for one in LEVELS if one.name == level)
    found = examine(f"cmd:{shlex.join([sys.executable, str(BROKEN_ENGINE), fault])}", levels={number})
    assert not found.passed
    (result,) = found.levels
    assert any(words in f"{title}: {problem}" for title, problem in result.checks), "".join(to_text(found))


@pytest.mark.usefixtures("unhurried")
def test_the_command(tmp_path: Path) -> None:
    engine = shlex.join([sys.executable, str(BASIC)])
    done = invoke("umi-test", engine, "--level", 2, "--level", 4)
    assert done.exit_code == 0 and "level 2  robust     passed\nlevel 4  stop       not declared\n" in done.stdout
    (tmp_path / "faulty.py").write_text(BASIC.read_text().replace(RULE, FALSE_RULE))
    faulty = invoke("umi-test", shlex.join([sys.executable, str(tmp_path / "faulty.py")]), "--level", 6, "--json")
    fields = json.loads(faulty.stdout)
    assert faulty.exit_code == 1 and fields["passed"] is False and fields["levels"][0]["checks"][0]["problem"]
    none = invoke("umi-test", "/nothing/here")
    assert (none.exit_code, none.stdout) == (3, "")
    assert none.stderr == "expected a program that can be run, found '/nothing/here'\n"


@pytest.mark.usefixtures("unhurried")
def test_each_level_is_told_when_it_is_done() -> None:
    told: list[str] = []
    found = examine(f"cmd:{shlex.join([sys.executable, str(BASIC)])}", levels={1, 4}, tell=told.append)
    assert told == list(to_text(found)) and [text.partition("\n")[0].split()[:2] for text in told] == [
        ["engine", "Basic"],
        ["level", "1"],
        ["level", "4"],
    ]


def test_results_are_json() -> None:
    found = examine(f"cmd:{shlex.join([sys.executable, str(BASIC)])}", levels={2})
    assert json.loads("".join(to_json(found)))["name"] == "Basic in Python"
