"""One way to say a thing: the same options, errors and help on every command."""

import json
import re
import shlex
import shutil
import sys
import typing
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from inspect import signature
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from satsweep.agents import AGENTS
from satsweep.arena.measures import MEASURES
from satsweep.arena.planfile import plan_names
from satsweep.cli import COMMANDS, GROUPS, app, command_named, paragraphs
from satsweep.cli.exits import failing_on_errors
from satsweep.cli.usual import MOST_OPTIONS, USUAL_AGENTS, USUAL_COMMANDS, USUAL_OPTIONS
from satsweep.errors import AgentError, BoardError, BudgetExceeded, Contradiction, SatsweepError
from satsweep.formats import all_formats, write
from satsweep.solver.engines import ENGINES
from tests import ROOT, TESTS
from tests.cli import CONTRADICTORY, SMALL, invoke, on_terminal, posix, said, validate
from tests.conftest import Answers, Golden
from tests.formats.test_formats_statements import MANUAL

SEARCH = ROOT / "examples" / "search_10x10.json"


def parameters(name: str) -> dict[str, typing.Any]:
    """Options and arguments of a command, by name."""
    function = getattr(import_module(f"satsweep.cli.{COMMANDS[name]}"), name.replace("-", "_"))
    return {
        parameter.name: typing.get_args(parameter.annotation)[1]
        for parameter in signature(function, eval_str=True).parameters.values()
    }


def having(option: str) -> list[str]:
    """Commands that have an option."""
    return [name for name in COMMANDS if option in parameters(name)]


# --- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_has_a_short_form(name: str) -> None:
    command = [name] if name else []
    long, short = invoke(*command, "--help"), invoke(*command, "-h")
    assert (short.exit_code, short.stdout) == (0, long.stdout) and "-h" in short.stdout


def test_commands_stand_in_groups() -> None:
    help = invoke("help", "all").stdout
    assert help == invoke("--help-all").stdout
    titles = [help.index(f"─ {title} ─") for title in GROUPS]
    assert titles == sorted(titles)
    for (title, commands), end in zip(GROUPS.items(), [*titles[1:], len(help)], strict=True):
        group = help[help.index(f"─ {title} ─") : end]
        assert re.findall(r"^│ ([a-z-]+) ", group, re.MULTILINE) == list(commands)


def test_the_first_screen_has_the_usual_commands() -> None:
    """A dozen, each with its line; the others are named, and work."""
    help = invoke("--help").stdout
    first, _, more = help.partition("More, ")
    commands = first[first.index(f"─ {next(iter(GROUPS))} ─") :]
    assert re.findall(r"^│ ([a-z-]+) ", commands, re.MULTILINE) == [name for name in COMMANDS if name in USUAL_COMMANDS]
    assert set(re.findall(r"[a-z-]+", more.partition(":")[2])) == set(COMMANDS) - set(USUAL_COMMANDS)
    assert invoke("help").stdout == help and (invoke().stderr + invoke().stdout).strip() == help.strip()


def help_options(name: str, *words: str) -> list[str]:
    """Options in the help of a command that are its own, on a terminal without a wrapped line."""
    help = CliRunner().invoke(app, [name, *words], env={"COLUMNS": "600"}).stdout
    shown = re.findall(r"^│ (?:\* +| +)?--([a-z-]+)", help, re.MULTILINE)
    return [option for option in shown if option not in ("help", "help-all")]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_usual_options_come_first(name: str) -> None:
    """At most eight; ``--help-all`` shows them in the same order, and then the others."""
    options = [one.opts[0].removeprefix("--") for one in command_named(name).params if one.param_type_name == "option"]
    usual, every = help_options(name, "--help"), help_options(name, "--help-all")
    assert len(usual) <= MOST_OPTIONS and sorted(every) == sorted(options) and every[: len(usual)] == usual
    assert set(usual) == set(USUAL_OPTIONS.get(name, options))
    assert ("--help-all" in invoke(name, "--help").stdout) == (len(usual) < len(every))
    assert invoke("help", name).stdout == invoke(name, "--help-all").stdout


def test_choices_stand_in_the_text_of_an_option() -> None:
    """They would make the column of the metavariables wide."""
    help = " ".join(invoke("compare", "--help-all").stdout.replace("│", " ").split())
    assert "<" not in help and "--redraw NAME" in help
    assert "Choices: auto, kernels, python." in help and "Choices: density, mines, area." in help


def test_six_agents_are_usual() -> None:
    usual, every = invoke("agents").stdout, invoke("agents", "--all").stdout
    names = r"^([a-z]\S*)"
    assert re.findall(names, usual, re.MULTILINE) == list(USUAL_AGENTS) and len(USUAL_AGENTS) == 6
    listed = re.findall(names, every, re.MULTILINE)
    assert listed[: len(AGENTS)] == list(AGENTS)
    assert f"{len(listed) - len(USUAL_AGENTS)} more: satsweep agents --all" in usual


def lines_of_paragraphs(help: str) -> Iterator[list[str]]:
    """Lines of every paragraph between the usage and the options."""
    prose = help.split("╭")[0].partition("Usage:")[2]
    for paragraph in re.split(r"\n\s*\n", prose.partition("\n")[2]):
        yield [line.strip() for line in paragraph.splitlines() if line.strip()]


@pytest.mark.parametrize("width", [60, *(pytest.param(width, marks=pytest.mark.extended) for width in (80, 120))])
@pytest.mark.parametrize("name", COMMANDS)
def test_paragraphs_wrap(name: str, width: int) -> None:
    """No line ends while the first word of the next one would still fit."""
    help = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": str(width)}).stdout
    for lines in lines_of_paragraphs(help):
        for line, following in zip(lines, lines[1:], strict=False):
            assert len(f" {line} {following.split()[0]} ") > width, (line, following)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_a_command_is_the_first_of_its_help(name: str) -> None:
    """The first screen has it before the command is imported."""
    (line,) = (commands[name][1] for commands in GROUPS.values() if name in commands)
    assert command_named(name).help.split("\n\n")[0] == line


def test_a_paragraph_is_one_line() -> None:
    assert paragraphs("One.\n\n    Two\n    lines.\n\n    Three.\n    ") == "One.\n\nTwo lines.\n\nThree."


# --- wrong words -----------------------------------------------------------------------------------------------------


FILES = {
    "board.txt": SMALL,
    "flag.txt": "F1#\n",
    "layout.txt": "*...\n....\n...*\n",
    "impossible.txt": CONTRADICTORY,
    "false.json": '{"rules": [{"num_mines": 1, "cells": ["b", "a"]}, {"num_mines": 2, "cells": ["a"]}]}',
    "outside.json": '{"dim": "1,2", "bombs": "1", "safe": "0,0", "board": "91"}',
    "folder.txt": "a file, and no folder",
    "empty.txt": "",
    "own.py": (ROOT / "examples" / "wrong_agent.py").read_text().replace("def deduce", "def wrong"),
    "guess.txt": "mines 2\n#1#\n1##\n###\n",
    "density.txt": "density 0.5\n#1\n",
    "wrong.txt": "mines 3\n##1\n#3#\n###\n",
    "hexagonal.txt": "topology hexagonal in 2 planes\nclues random 1/2\n2?\n##\n##\n##\n",
    "easy.txt": "*....\n.....\n.....\n.....\n....*\n",
    "row.txt": "..*\n",
}
GOLDENS = TESTS / "cli" / "goldens"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the golden of errors names."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    for name in ("folder", "folder.mbf", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "folder" / ".hidden").touch()
    shutil.copy(SEARCH, "search.json")
    write(MANUAL, "rules.json", format="rules")
    assert invoke("play", "--agent", "sat", "--seed", 1, "--record", "game.json").exit_code == 0
    assert invoke("solve", "board.txt", "--certify", "proofs.json").exit_code == 0
    return tmp_path


def test_errors(folder: Path, answers: Answers) -> None:
    """Every command of the golden ends with its error, prints nothing and writes nothing."""
    before = sorted(path.name for path in folder.rglob("*"))
    lists: dict[str, Iterable[str]] = {"AGENTS": AGENTS, "FORMATS": all_formats(), "ENGINES": ENGINES}
    lists |= {"MEASURES": MEASURES, "PLANS": plan_names()}

    def error_of(line: str) -> str:
        commands = [line]
        if line.startswith("DEALING "):
            commands = [line.replace("DEALING", " ".join(map(str, (name, *more)))) for name, more in DEALING.items()]
        (told,) = {error_of_command(command) for command in commands}
        return told

    def error_of_command(line: str) -> str:
        result = invoke(*shlex.split(line))
        assert result.stdout == "" and (result.exit_code == 2 or result.stderr.count("\n") == 1), line
        assert sorted(path.name for path in folder.rglob("*")) == before, line
        error = said(result.stderr)
        for name, listed in lists.items():
            error = error.replace(f"among {', '.join(listed)}", f"among {name}")
        return f"{result.exit_code} {error}"

    answers("errors.txt", error_of)


def test_outputs(folder: Path, golden: Golden) -> None:
    """Every command of the golden, with the lines behind <<< as its input, its output, and its exit code if not 0."""
    told = []
    for line in (GOLDENS / "outputs.txt").read_text().splitlines():
        if line.startswith("$ "):
            words, _, stdin = line.removeprefix("$ ").partition(" <<< ")
            result = invoke(*shlex.split(words), stdin=stdin.replace("\\n", "\n") or None)
            code = f"exit {result.exit_code}\n" if result.exit_code else ""
            if "--json" in words and (command := words.split()[0]) in ("solve", "explain", "generate"):
                schema = {"solve": "reason" if code else "analysis", "explain": "reason", "generate": "board"}
                validate(json.loads(result.stdout), schema[command])
            told += [f"{line}\n", re.sub(r"[\d.,]+ ms$", "... ms", result.output, flags=re.MULTILINE), code]
    golden("outputs.txt", "".join(told))


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_that_is_unknown(name: str) -> None:
    result = invoke(name, "--nothing")
    assert (result.exit_code, result.stdout) == (2, "") and "No such option: --nothing" in said(result.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "FILE"),
        ("explain", "FILE"),
        ("rate", "FILE"),
        ("verify", "FILE", "FILE"),
        ("convert", "FILE", "--format", "json"),
        ("find-mines", "FILE"),
        ("play", "--layout", "FILE"),
        ("play", "--replay", "FILE"),
        ("chains", "--layout", "FILE"),
        ("chains", "--record", "FILE"),
        ("audit", "--agent", "basic", "--layout", "FILE"),
        ("audit", "--agent", "basic", "--position", "FILE"),
        ("compare", "--layouts", "FILE"),
        ("compare", "--plan", "FILE"),
        ("results", "FILE"),
        ("export", "FILE"),
    ],
)
@pytest.mark.parametrize("content", [b"mines x\n##\n", b"[[", bytes(range(256)), b"", None], ids=repr)
def test_what_is_wrong_in_a_file(arguments: tuple[str, ...], content: bytes | None, tmp_path: Path) -> None:
    """One line that begins with the file, and exit code 3; also where there is no file."""
    file = tmp_path / "file.toml"
    if content is not None:
        file.write_bytes(content)
    result = invoke(*(str(file) if argument == "FILE" else argument for argument in arguments))
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"{file}:") and result.stderr.count("\n") == 1


# --- boards ----------------------------------------------------------------------------------------------------------

DEALING = {
    "play": ("--agent", "basic"),
    "find-mines": (),
    "chains": (),
    "generate": (),
    "audit": ("--agent", "basic", "--games", 2),
    "compare": ("--agents", "basic", "--games", 2, "--jobs", 1),
}


def test_every_command_that_deals_boards_is_here() -> None:
    assert set(having("rows")) == {*DEALING, "report"}  # which writes a file
    for name in having("rows"):
        assert {"board", "rows", "cols", "mines", "topology", "start"} <= parameters(name).keys()


@pytest.mark.parametrize("name", DEALING)
def test_a_board_is_said_in_one_way(name: str) -> None:
    """By its name or size; rows, columns and mines override it."""

    def played(*size: object) -> str:
        result = invoke(name, *DEALING[name], *size, "--seed", 3)
        assert (result.exit_code, result.stderr) == (0, "")
        # Times differ from run to run.
        return re.sub(r"(time +)[\d,.]+|(?<=  )[\d.,]+ *$", r"\1", result.stdout, flags=re.MULTILINE)

    said = played("--board", "5x6/7")
    assert said == played("--rows", 5, "--cols", 6, "--mines", 7)
    assert said == played("--board", "intermediate", "--rows", 5, "--cols", 6, "--mines", 7)
    assert played("--board", "6x5/0.2") == played("--board", "expert", "--rows", 6, "--cols", 5, "--mines", 6)
    assert played("--board", "beginner") == played("--board", "9x9/10")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("--mines", 81), "--mines"),
        (("--board", "9x9/81"), "--board"),
        (("--first", "zero", "--mines", 78), "--mines"),
        (("--first", "given", "--mines", 81), "--mines"),
    ],
)
@pytest.mark.parametrize("name", ["play", "play -i", "chains", "audit", "compare"])
def test_no_room_for_the_first_cell(name: str, arguments: tuple[object, ...], option: str) -> None:
    name, _, interactive = name.partition(" ")
    more = [interactive] if interactive else DEALING[name]
    board = () if "--board" in arguments or name != "compare" else ("--rows", 9, "--cols", 9)
    result = invoke(name, *more, *board, *arguments, "--seed", 0, stdin="0,0\n")
    assert result.exit_code == 2 and f"Invalid value for '{option}': expected " in said(result.stderr)


def test_find_mines_searches_the_boards_of_play() -> None:
    size = ("--board", "8x8/9", "--seed", 5)
    found = json.loads(invoke("find-mines", *size, "--agent", "ai1", "--json").stdout)
    (search,) = found["searches"]
    assert f"\nopened       {search['opened']} of 64 cells" in invoke("play", "--agent", "ai1", *size).stdout


# --- seeds -----------------------------------------------------------------------------------------------------------


def test_a_seed_is_text_on_every_command() -> None:
    dealing = {*DEALING, "report", "corpus", "bench"}
    assert set(having("seed")) == dealing
    assert {parameters(name)["seed"].metavar for name in dealing} == {"SEED"}


@pytest.mark.parametrize("name", DEALING)
def test_a_seed_can_be_printed(name: str) -> None:
    for seed in ("", "a\nb", "\udc80"):
        result = invoke(name, *DEALING[name], "--seed", seed)
        assert (result.exit_code, result.stdout) == (2, "") and "Invalid value for '--seed': " in said(result.stderr)
        assert said(result.stderr).endswith(f"any other text that can be printed, found {seed!r}")


@pytest.mark.parametrize("name", DEALING)
def test_any_text_is_a_seed(name: str) -> None:
    first, again, other = (
        invoke(name, *DEALING[name], "--board", "6x6/6", "--seed", seed, *json_of(name)) for seed in ("ä b", "ä b", "c")
    )
    assert (first.exit_code, first.stderr) == (0, "")
    assert without_times(first.stdout) == without_times(again.stdout) != without_times(other.stdout)


# --- formats ---------------------------------------------------------------------------------------------------------


def json_of(name: str) -> tuple[str, ...]:
    """Option for JSON, where a command has it."""
    return ("--json",) if "json" in parameters(name) else ()


def without_times(text: str) -> str:
    """JSON with no measured times."""
    return re.sub(r'"(\w*seconds\w*|engines?|ms|began|begun)": [^,}\]]+', "", text)


def test_json_is_said_in_two_ways_on_every_command() -> None:
    """``--json`` stands wherever there is ``--format json``, and is the same option everywhere."""
    assert set(having("json")) == set(having("format")) - {"export"}
    assert len({id(parameters(name)["json"]) for name in having("json")}) <= len(having("json"))
    assert {parameters(name)["json"].help for name in having("json")} == {"Short for --format json."}


@pytest.mark.extended
@pytest.mark.parametrize("name", having("json"))
def test_json_is_short_for_format_json(name: str, tmp_path: Path) -> None:
    board, layout, store = tmp_path / "board.txt", tmp_path / "layout.txt", tmp_path / "runs.sqlite"
    board.write_text(SMALL)
    layout.write_text("start 0,0\n....\n...*\n")
    game, keys = tmp_path / "game.json", tmp_path / "keys.jsonl"
    keys.write_text('{"board": ["###", "121"], "mined": [[0, 0], [0, 2]]}\n')
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "nothing-001", "reply": "none"}\n')
    if name == "review":
        assert invoke("play", "--agent", "basic", "--layout", layout, "--record", game).exit_code == 0
    if name in ("results", "ladder"):
        assert invoke("compare", *DEALING["compare"], "--board", "5x5/4", "--store", store).exit_code == 0
    seed = ("--board", "5x5/4", "--seed", 3)
    arguments = {
        **{name: (*more, *seed) for name, more in DEALING.items()},
        "solve": (board,),
        "explain": (board,),
        "rate": (layout,),
        "clicks": (layout,),
        "review": (game,),
        "convert": (board,),
        "results": (store,),
        "umi-test": (shlex.join([sys.executable, str(ROOT / "examples" / "umi" / "basic.py")]), "--level", 2),
        "ladder": (tmp_path,),
        "audit-keys": (keys,),
        "bench": (answers,),
    }[name]
    short, long = invoke(name, *arguments, "--json"), invoke(name, *arguments, "--format", "json")
    assert (short.exit_code, short.stderr) == (0, "")
    json.loads(short.stdout)
    assert without_times(short.stdout) == without_times(long.stdout)
    result = invoke(name, *arguments, "--json", "--format", "text")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'--json': expected --json or --format text, found both" in said(result.stderr)


def test_json_boards_without_a_field() -> None:
    line = json.loads(invoke("generate", "--start", "0,0", "--seed", 1, "--json", "--without", "start").stdout)
    assert "start" not in line and line["comment"]["method"] == "random"


def test_every_schema_is_printed() -> None:
    names = [file.name.partition(".")[0] for file in files("satsweep.formats").joinpath("schemas").iterdir()]
    assert "rules" in names
    for name in names:
        assert json.loads(invoke("schema", name).stdout)["title"]


# --- agents ----------------------------------------------------------------------------------------------------------

PLAYING = {
    "play": ("--agent",),
    "chains": ("--agent",),
    "find-mines": ("--board", "5x5/4", "--agent"),
    "audit": ("--games", "1", "--agent"),
    "compare": ("--games", "1", "--jobs", "1", "--board", "5x5/4", "--agents"),
}


def test_every_command_that_plays_is_here() -> None:
    assert {*having("agent"), *having("agents")} - {"report", "serve", "umi"} == set(PLAYING)


@pytest.mark.extended
@pytest.mark.parametrize("name", PLAYING)
def test_agents_are_named_in_one_way(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, by ``FILE.py:FUNCTION``, or by ``MODULE:FUNCTION``."""
    file = tmp_path / "own_agent.py"
    file.write_text("from satsweep.agents.tank import agent\n")
    more = (*PLAYING[name][:-1], "--seed", 2)
    named, *own = (
        invoke(name, *more, PLAYING[name][-1], agent).stdout
        for agent in ("tank", f"{file}:agent", "satsweep.agents.tank:agent")
    )
    assert "tank" in named
    moves = [
        re.sub(r"^(agent|tank|\S+:agent).*$|(time +).*| +[\d.,]+$", "", text, flags=re.M) for text in (named, *own)
    ]
    if name != "compare":
        assert moves[0] == moves[1] == moves[2]
    unknown = invoke(name, *more, PLAYING[name][-1], "tanc")
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert f"'{PLAYING[name][-1]}': expected an agent among {', '.join(AGENTS)}"[:60] in said(unknown.stderr)
    assert "did you mean 'tank'?" in said(unknown.stderr)
    file.write_text("def agent():\n    return 3\n")
    none = invoke(name, *more, PLAYING[name][-1], f"{file}:agent")
    assert (none.exit_code, none.stdout) == (3, "")
    assert none.stderr == f"{file}:agent: expected an agent or a function of a board, found 3\n"
    missing = invoke(name, *more, PLAYING[name][-1], f"{tmp_path}/none.py:agent")
    assert (missing.exit_code, missing.stdout) == (3, "")
    assert missing.stderr == f"{tmp_path}/none.py: expected a readable file: No such file or directory\n"


# --- progress --------------------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("output", ["a file", pytest.param("a pipe", marks=pytest.mark.extended), "the terminal"])
def test_generate_shows_progress_on_a_terminal(output: str, tmp_path: Path) -> None:
    more = ("-o", tmp_path / "boards.json", "--json") if output == "a file" else ()
    streams = ("stdout", "stderr") if output == "the terminal" else ("stderr",)
    shown, printed = on_terminal("generate", "--count", 3, "--seed", 1, *more, streams=streams)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    quiet = invoke("generate", "--count", 3, "--seed", 1, *more)
    assert quiet.stderr == ""
    if output == "the terminal":
        # Boards that follow each other closely need no bar between them.
        assert "0 of 3 boards" in text and text.endswith(quiet.stdout.partition("\n\n")[2])
    else:
        assert "3 of 3 boards" in text and quiet.stdout == printed


@pytest.mark.parametrize("command", ["play", "chains", "audit", "compare"])
def test_best_start(command: str) -> None:
    """The book's start is that of the game; a board that it does not have is a wrong option."""
    agent = ("--agents", "sat", "--games", 3) if command == "compare" else ("--agent", "tank")
    rules = (*agent, "--first", "zero", "--start", "best")
    told = invoke(command, *rules, "--board", "5x5/5", "--seed", 1)
    assert told.exit_code == 0
    if command in ("play", "compare"):
        assert "first cell zero at 2,2" in told.stdout
    for more in (("--board", "10x10/10"), ("--board", "expert", "--topology", "torus")):
        refused = invoke(command, *rules, *more)
        assert refused.exit_code == 2 and "'--start'" in refused.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Contradiction("no world"), 1),
        (BudgetExceeded("late"), 4),
        (BoardError("expected 1"), 3),
        (AgentError("no"), 3),
    ],
)
def test_an_error_has_one_line_and_its_exit_code(
    error: SatsweepError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended, failing_on_errors("here: "):
        raise error
    assert ended.value.exit_code == code and capsys.readouterr().err == f"here: {error}\n"
