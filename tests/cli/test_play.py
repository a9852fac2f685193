"""Commands ``play`` and ``find-mines``: by agents, in a terminal, by a person."""

import inspect
import json
import os
import re
import signal
import subprocess
import time
import typing
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from satsweep import Layout, Record, Rules, agent_named, play, random_layout
from satsweep.agents import AGENTS
from satsweep.board import Cell
from satsweep.cli import options
from satsweep.cli.game_options import OPPOSITES, RuleChanges, Size
from satsweep.cli.option_groups import with_groups
from satsweep.clues import clues_named
from satsweep.formats import write
from satsweep.games.deal import LEVELS, game_rng, with_start
from satsweep.games.game import replay
from satsweep.games.record import Outcome
from satsweep.games.rules import FIND_MINES_RULES, RULES, STANDARD_RULES, FirstClick, Goal
from satsweep.render.game_animation import animated_svg
from satsweep.render.transcript import transcript
from satsweep.solver.budget import Budget
from tests import PATIENCE, ROOT
from tests.agents.test_playthroughs import FOLLOWED
from tests.cli import (
    COMMAND,
    in_terminal,
    interruptible,
    invoke,
    posix,
    start,
    validate,
)

SEARCH = ROOT / "examples" / "search_10x10.json"
EASY = "*....\n.....\n.....\n.....\n....*\n"


@pytest.fixture
def easy(tmp_path: Path) -> Path:
    path = tmp_path / "easy.txt"
    path.write_text(EASY)
    return path


# --- agents ----------------------------------------------------------------------------------------------------


def test_agents_are_listed_with_the_documents_they_follow() -> None:
    said = invoke("agents", "--all").stdout
    for name, entry in AGENTS.items():
        assert entry.summary and entry.source
        assert f"{name:<12} {entry.summary}\n{'':<12} {entry.source}\n" in said


@pytest.mark.extended
def test_installed_agents_are_listed_and_can_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "mine-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[satsweep.agents]\nmine = satsweep.agents.basic:agent\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("satsweep.agents.AGENTS", dict(AGENTS))
    assert "mine         installed: satsweep.agents.basic:agent\n" in invoke("agents").stdout
    assert options.agent_names("m") == ["mine"]
    ours, theirs = (invoke("play", "--agent", name, "--seed", 3).stdout for name in ("basic", "mine"))
    assert ours.replace("basic", "mine") == theirs


def test_options_offer_what_the_rules_know() -> None:
    """They are written out so that help need not import the rules of play."""
    types = typing.get_type_hints(RuleChanges, include_extras=True)
    for option, kind in (("first", FirstClick), ("goal", Goal)):
        choices = typing.get_args(typing.get_args(types[option])[0])[0]
        assert list(typing.get_args(choices)) == [member.value for member in kind]


def test_options_say_the_sizes_of_the_levels() -> None:
    """They are written out so that help need not import what deals boards."""
    help = typing.get_type_hints(Size, include_extras=True)["board"].__metadata__[0].help
    assert all(f"{name} ({rows}x{cols}/{mines})" in help for name, (rows, cols, mines) in LEVELS.items())
    assert help.endswith("Default: beginner.") and Size().dimensions() == LEVELS["beginner"]


def test_options_of_a_group_stand_where_its_argument_stands() -> None:
    received: list[tuple[object, ...]] = []

    @with_groups
    def command(*, before: str = "", size: Size, changes: RuleChanges, after: str = "") -> None:
        received.append((before, size, changes, after))

    names = ["before", "board", "rows", "cols", "mines", "topology"]
    names += [*({rule: option for option, rule in OPPOSITES.items()}.get(rule, rule) for rule in RULES), "after"]
    parameters = inspect.signature(command).parameters
    assert list(parameters) == names
    values = {name: parameter.default for name, parameter in parameters.items()}
    command(**values)
    command(**{**values, "cols": 4, "hide_total": True})
    assert received == [("", Size(), RuleChanges(), ""), ("", Size(cols=4), RuleChanges(hide_total=True), "")]
    assert [(size.given, changes.given) for _, size, changes, _ in received] == [(False, False), (True, True)]  # type: ignore[attr-defined]


# --- an agent plays --------------------------------------------------------------------------------------------


def by_seed(seed: int, agent: str, rules: Rules = STANDARD_RULES, size: tuple[int, int, int] = (9, 9, 10)) -> str:
    """The transcript of the game that a seed stands for, without its layout."""
    rng = game_rng(seed, 0)
    layout = random_layout(*size, rng)
    if rules.first is FirstClick.GIVEN and rules.start is None:
        layout = with_start(layout, rng)
    lines = "".join(transcript(play(layout, agent_named(agent), rules, rng, name=agent)))
    return lines.partition("\n\n")[2]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_seed_is_a_game(agent: str) -> None:
    result = invoke("play", "--agent", agent, "--seed", 7)
    assert (result.exit_code, result.stderr) == (0, "")
    head, _, game = result.stdout.partition("\n\n")
    assert game == by_seed(7, agent, AGENTS[agent].rules)
    assert head.splitlines()[0] == f"agent        {agent}"
    assert "9x9, 10 mines" in head and head.endswith("seed 7")


def test_options_make_the_rules() -> None:
    result = invoke(
        *("play", "--agent", "gem", "--rows", 5, "--cols", 6, "--mines", 7, "--seed", 2, "--first", "any"),
        *("--start", "1,2", "--no-cascade", "--play-on", "--goal", "find", "--hide-total"),
    )
    rules = Rules(FirstClick.ANY, Cell(1, 2), cascade=False, fatal=False, goal=Goal.FIND, tells_total=False)
    head, _, game = result.stdout.partition("\n\n")
    assert f"rules        {rules}\n" in head
    assert game == by_seed(2, "gem", rules, (5, 6, 7))


def test_rules_are_those_of_the_agent_where_nothing_else_is_said() -> None:
    base = FIND_MINES_RULES
    assert RuleChanges().applied_to(base) == base
    changed = RuleChanges(cascade=True, play_on=False, first="zero", goal="clear").applied_to(base)
    assert changed == Rules(FirstClick.ZERO)
    assert RuleChanges(start="3,4").applied_to(STANDARD_RULES).start == Cell(3, 4)
    assert RuleChanges().applied_to(Rules(tells_total=False)).tells_total is False
    assert RuleChanges(hide_total=True).applied_to(Rules()).tells_total is False
    unreliable = Rules(clues=clues_named("underestimate"))
    assert RuleChanges().applied_to(unreliable).clues == unreliable.clues
    assert RuleChanges(clues="exact").applied_to(unreliable) == Rules()
    assert Size(cols=3).dimensions() == (9, 3, 10)
    assert Size(rows=1, mines=0, topology="knight").dimensions() == (1, 9, 0)


def test_a_new_seed_is_told_and_gives_the_same_game() -> None:
    result = invoke("play", "--agent", "random")
    seed = result.stdout.partition("\n\n")[0].rpartition("seed ")[2]
    assert invoke("play", "--agent", "random", "--seed", seed).stdout == result.stdout
    others = {invoke("play", "--agent", "random", "--rows", 2).stdout.partition("\n\n")[0] for _ in range(5)}
    assert len(others) > 1


HEXAGONAL = ("--topology", "hexagonal", "--clues", "random 1/2")


@pytest.mark.parametrize(
    ("topology", "clues"),
    [("hexagonal", "random 1/2"), ("torus in 3 planes", "underestimate 1/20"), ("edges 0-1 1-2", "exact")],
)
def test_any_topology_and_any_clues(topology: str, clues: str) -> None:
    asked = ("--topology", topology, "--clues", clues, "--start", "0,0", "--play-on")
    result = invoke("play", "--agent", "gem", *asked, "--seed", 4)
    assert (result.exit_code, result.stderr) == (0, "")
    rng = game_rng(4, 0)
    layout = random_layout(9, 9, 10, rng, topology=topology)
    rules = Rules(start=Cell(0, 0), fatal=False, clues=clues_named(clues))
    told = "".join(transcript(play(layout, agent_named("gem"), rules, rng, name="gem")))
    assert result.stdout.partition("\n\n")[2] == told.partition("\n\n")[2]
    head = result.stdout.partition("\n\n")[0]
    named = layout.topology.name
    assert f", {named}, seed 4" in head and (f", {clues} clues, " in head) == (clues != "exact")


def test_a_person_sees_hexagons_and_what_shows_nothing() -> None:
    size = ("--rows", 3, "--cols", 3, "--mines", 1)
    games = (converse("0,0\nrisk 1,1\n", *HEXAGONAL, *size, "--seed", seed) for seed in range(40))
    said = next(game for game in games if "open   0,0     shows ?\n" in game)
    assert "random 1/2 clues" in said and ", hexagonal, seed " in said
    assert "\n  0 1 2\n0 ? # #\n1  # # #\n2 # # #\n" in said
    assert "1,1: 12.5 % (1/8)\n" in said, "nothing is told, so any other cell may be the mine"


def test_layouts_in_files(easy: Path) -> None:
    result = invoke("play", "--agent", "basic", "--layout", easy, "--start", "2,2", "--seed", 0)
    assert result.exit_code == 0 and "cleared: every cell that is no mine is open" in result.stdout
    assert f"layout       5x5, 2 mines, {easy}, seed 0\n" in result.stdout
    piped = invoke("play", "--agent", "basic", "--layout", "-", "--start", "2,2", "--seed", 0, stdin=EASY)
    assert piped.stdout == result.stdout.replace(str(easy), "<stdin>")
    given = invoke("play", "--agent", "ai0", "--layout", SEARCH, "--seed", 0)
    assert "\nstart\n  open   9,3     shows 0  the rules open it first\n" in given.stdout


def test_a_game_is_written_down(easy: Path, tmp_path: Path) -> None:
    text, record = tmp_path / "game.txt", tmp_path / "game.json"
    arguments = ("--layout", easy, "--seed", 1, "--transcript", text, "--record", record)
    result = invoke("play", "--agent", "sat", *arguments)
    assert result.exit_code == 0
    played = Record.load(record)
    validate(json.loads(record.read_text()), "record")
    assert played.agent == "sat" and played.seconds > 0
    assert text.read_text() == "".join(transcript(played))
    assert result.stdout.partition("\n\n")[2] == text.read_text().partition("\n\n")[2]


def test_a_stored_game_is_shown_again(easy: Path, tmp_path: Path) -> None:
    """With the same words and files as when it was played."""
    names = ("game.json", "game.txt", "game.svg")
    first, again = ([tmp_path / f"{part}{name}" for name in names] for part in ("", "again-"))

    def outputs(files: list[Path]) -> tuple[object, ...]:
        options = ("--record", "--transcript", "--animation")
        return tuple(word for pair in zip(options, files, strict=True) for word in pair)

    played = invoke("play", "--agent", "gem", "--layout", easy, "--seed", 1, *outputs(first))
    shown = invoke("play", "--replay", first[0], *outputs(again))
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout == played.stdout.replace(f"{easy}, seed 1", str(first[0]))
    assert [file.read_bytes() for file in again] == [file.read_bytes() for file in first]
    piped = invoke("play", "--replay", "-", stdin=first[0].read_text())
    assert piped.stdout == shown.stdout.replace(str(first[0]), "<stdin>")
    steps = invoke("play", "--replay", "-", "--step", "--delay", 0, stdin=first[0].read_text())
    assert steps.stdout == piped.stdout


def test_a_stored_game_is_left_with_q(tmp_path: Path) -> None:
    """Its files are those of the whole game."""
    file, text = tmp_path / "game.json", tmp_path / "game.txt"
    assert invoke("play", "--agent", "random", "--seed", 1, "--record", file).exit_code == 0
    shown = invoke("play", "--replay", file, "--step", "--transcript", text, stdin="\nq\n")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "\nturn 2\n" in shown.stdout and "\nturn 3\n" not in shown.stdout
    assert text.read_text() == "".join(transcript(Record.load(file)))


def test_a_game_moves_as_a_picture(tmp_path: Path) -> None:
    file, picture = tmp_path / "game.json", tmp_path / "game.svg"
    assert invoke("play", "--agent", "basic", "--seed", 1, "--record", file, "--animation", picture).exit_code == 0
    game = Record.load(file)
    assert picture.read_text() == "".join(animated_svg(game))
    assert invoke("play", "--replay", file, "--animation", picture, "--pace", 2, "--once").exit_code == 0
    assert picture.read_text() == "".join(animated_svg(game, pace=2, loop=False))
    converse("2,2\nflag 0,0\nquit\n", "--seed", 1, "--animation", picture)
    assert "a person plays 9x9, 10 mines" in picture.read_text()


def test_an_agent_that_breaks_the_rules_is_named_and_shamed(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = SimpleNamespace(deduce=lambda board: ([(0, 99)], []), guess=lambda board, rng: None)
    monkeypatch.setattr("satsweep.agents.load.agent_named", lambda name: broken)
    result = invoke("play", "--agent", "basic", "--seed", 1)
    assert (result.exit_code, result.stderr) == (3, "the agent names 0,99, which is no covered cell\n")


# --- where it goes ---------------------------------------------------------------------------------------------


@posix
def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    """And what is to be written down is written down all the same."""
    text = tmp_path / "game.txt"
    size = ("--rows", "40", "--cols", "40", "--mines", "300", "--play-on", "--agent", "basic", "--seed", "1")
    process = start("play", *size, "--transcript", text)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == b"agent        basic\n"
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 0)
    process.stderr.close()
    assert "\nplayed out: " in text.read_text()


@posix
def test_each_move_is_out_before_the_next_is_made() -> None:
    process = start("play", "--agent", "random", "--seed", "1", "--delay", "600")
    assert process.stdout is not None and process.stderr is not None
    read = [process.stdout.readline() for _ in range(6)]
    assert read[4] == b"turn 1\n" and b"uniform among 81 cells" in read[5]
    process.kill()
    process.communicate()


@pytest.mark.extended
@posix
def test_in_a_terminal_the_board_is_drawn_in_place() -> None:
    written = in_terminal("play", "--agent", "basic", "--seed", 7, "--delay", 0, COLORTERM="truecolor")
    assert "\x1b[1A" in written, "the cursor goes up again"
    assert written.count("\x1b[?25h") >= written.count("\x1b[?25l") == 1, "and is not left hidden"
    assert "\x1b[1;38;2;255;255;255;48;2;0;114;178m" in written, "what was just opened stands out"
    end = by_seed(7, "basic").rpartition("\n\n")[2]
    assert written.endswith(end)
    plain = in_terminal("play", "--agent", "basic", "--seed", 7, "--delay", 0, NO_COLOR="1")
    assert "\x1b[1A" in plain and "\x1b[1;38" not in plain and plain.endswith(end)
    dumb = in_terminal("play", "--agent", "basic", "--seed", 7, TERM="dumb")
    assert "\x1b" not in dumb and dumb == invoke("play", "--agent", "basic", "--seed", 7).stdout


@posix
@pytest.mark.parametrize("size", [pytest.param((16, 30, 40), marks=pytest.mark.extended), (60, 200, 1000)])
def test_boards_that_do_not_fit_are_drawn_in_part(size: tuple[int, int, int]) -> None:
    rows, cols, mines = size
    arguments = ("--rows", rows, "--cols", cols, "--mines", mines, "--seed", 3, "--delay", 0)
    written = in_terminal("play", "--agent", "random", *arguments, NO_COLOR="1", LINES="24")
    frames = written.partition("\x1b[?25l")[2].partition("\x1b[?25h")[0]
    lines = [line.rpartition("\x1b[2K")[2].rpartition("\r")[2] for line in frames.split("\n")]
    lines = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in lines]
    assert max(map(len, lines)) <= 80 and any("#" in line for line in lines)


@pytest.mark.extended
@posix
@pytest.mark.parametrize("columns", [60, 80, 100, 120])
def test_a_long_reason_leaves_the_board_whole(columns: int) -> None:
    """The last move is a guess with a reason that is longer than the room beside the board."""
    arguments = ("--agent", "sat", "--rows", 9, "--cols", 12, "--mines", 15, "--seed", 4, "--delay", 0)
    written = in_terminal("play", *arguments, NO_COLOR="1", COLUMNS=str(columns), LINES="40")
    frames = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written.rpartition("\x1b[?25h")[0].replace("\r", ""))
    last = frames.rpartition("turn 9, 1 mine left\n")[2]
    rows = re.findall(r"^(\d)((?: [#.\dF*]){12})(?: |$)", last, re.MULTILINE)
    assert [int(row) for row, _ in rows] == list(range(9)) and "…" not in last
    reason = invoke("play", *arguments).stdout.partition("guess  1,0     a mine   ")[2].partition("\n")[0]
    beside = last if columns < 70 else "\n".join(line[25:] for line in last.splitlines())
    assert "risk 50 % (1/2)" in reason and reason in " ".join(beside.split())


class Terminal:
    """The command with a terminal for input and output, and a person at it."""

    def __init__(self, *arguments: object) -> None:
        import pty
        import termios

        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "LINES")}
        environment |= {"TERM": "xterm-256color", "COLUMNS": "80", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=self.slave,
            stdout=self.slave,
            stderr=subprocess.PIPE,
            env=environment,
            preexec_fn=interruptible,
        )
        self.written = b""

    def wait_for(self, marker: bytes, after: int = 0) -> int:
        """Read until something is written; returns where it ends."""
        while (place := self.written.find(marker, after)) < 0:
            if not self._read(PATIENCE):
                self.process.kill()
                pytest.fail(f"expected {marker!r} after {self.written[after:]!r}")
        return place + len(marker)

    def _read(self, seconds: float) -> bool:
        """Read output for some seconds; return whether there was any."""
        import select

        ready = bool(select.select([self.master], [], [], seconds)[0])
        self.written += os.read(self.master, 65536) if ready else b""
        return ready

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def interrupt(self) -> None:
        """Press Ctrl-C, a moment later, when the command waits for input."""
        time.sleep(0.3)
        self.process.send_signal(signal.SIGINT)

    def end(self) -> tuple[str, int]:
        """All that was written, and the exit code."""
        import termios

        deadline = time.monotonic() + PATIENCE
        try:
            while self.process.poll() is None and time.monotonic() < deadline:
                self._read(0.05)
            while self._read(0):
                pass
            self.process.kill()
            assert self.process.communicate()[1] == b""
            assert termios.tcgetattr(self.slave)[3] == self.before[3], "the terminal is as it was"
        finally:
            self.process.kill()
            os.close(self.slave)
            os.close(self.master)
        return self.written.decode().replace("\r\n", "\n"), self.process.returncode


@posix
def test_a_key_for_each_move() -> None:
    terminal = Terminal("play", "--agent", "random", "--seed", 1, "--step", "--delay", 0)
    place = terminal.wait_for(b"turn 1")
    terminal.type(b" ")
    terminal.wait_for(b"turn 2", place)
    terminal.type(b"q")
    written, code = terminal.end()
    assert code == 0 and "stopped: the player stopped" in written
    assert "turn 3" not in written and "turns        2\n" in written


@posix
def test_an_interrupt_leaves_the_terminal_as_it_was() -> None:
    terminal = Terminal("play", "--agent", "random", "--seed", 1, "--step")
    terminal.wait_for(b"turn 1")
    terminal.interrupt()
    written, code = terminal.end()
    assert code == 130 and written.rstrip().endswith("\x1b[?25h")


def test_steps_without_a_keyboard_take_lines() -> None:
    arguments = ("play", "--agent", "random", "--seed", 1, "--step")
    whole = invoke("play", "--agent", "random", "--seed", 1).stdout
    assert invoke(*arguments, stdin="").stdout == whole, "where there is nobody, the game goes on by itself"
    assert invoke(*arguments, stdin="\n\n").stdout == whole
    assert "turns        2\n" in invoke(*arguments, stdin="\nq\n").stdout


# --- a person plays --------------------------------------------------------------------------------------------


def converse(lines: str | bytes, *arguments: object) -> str:
    result = invoke("play", "--interactive", *arguments, stdin=lines)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_person_plays(easy: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    said = converse("flag 0,0\nf 4 4\nunflag 4,4\n2,2\n", "--layout", easy, "--seed", 0, "--record", path, "--play-on")
    assert "flag   0,0\n" in said and "unflag 4,4\n" in said and "open   2,2     shows 0\n" in said
    assert len(re.findall(r"\b(?:1 mine|[02-9] mines) left\n", said)) == 5
    assert "stopped: the player stopped\n" in said
    won = converse("flag 0,0\nf 4 4\nu 4,4\n2,2\nflag 4,4\n", "--layout", easy, "--record", path, "--play-on")
    assert "cleared: every cell that is no mine is open\n" in won
    played = Record.load(path)
    assert played.agent == "a person" and played.outcome is Outcome.CLEARED
    assert [move.action.value for move in played.moves] == ["flag", "flag", "unflag", "open", "flag"]
    assert len(list(replay(played))) == 5


@pytest.mark.parametrize("words", ["open 0,0", "0,0", "0 0", " OPEN  0 , 0 ", "o 0,0", "o0,0"])
def test_ways_to_open(words: str, easy: Path) -> None:
    assert "exploded: a mine was opened\n" in converse(f"{words}\n", "--layout", easy, "--first", "any")


def test_lines_that_say_nothing_and_that_cannot_be_printed(easy: Path) -> None:
    arguments = ("--layout", easy, "--first", "any", "--seed", 0)
    assert converse("\n \n", *arguments) == converse("", *arguments)
    said = converse("\x1b[31m\n", *arguments)
    assert "expected a cell as row,column, found '\\x1b[31m'" in said
    assert said.isascii() and "\x1b" not in said


@given(st.lists(st.one_of(st.binary(max_size=12), st.sampled_from([b"0,1", b"hint", b"risk 1,1", b"f 0,0", b"u 0,0"]))))
def test_no_input_is_answered_by_a_traceback(lines: list[bytes]) -> None:
    said = converse(b"\n".join(lines), "--rows", 3, "--cols", 3, "--mines", 2, "--seed", 0)
    assert said.startswith("agent        a person\n")


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (("--hide-total",), "the deep player needs a mine total"),
        (("--clues", "random 1/2"), "the deep player needs exact numbers in all open cells"),
        ((), "the deep player needs the compiled library, which is not installed"),
    ],
)
def test_hints_say_why_no_chance_to_win_is_known(
    rules: tuple[str, ...], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not rules:
        monkeypatch.setattr("satsweep.solver.compiled.is_there", lambda: False)
    said = converse("hint\n", "--first", "any", *rules, "--seed", 0)
    assert ("mines left" in said) is ("--hide-total" not in rules)
    assert re.search(rf"^best guess: 0,0 with risk \S+ %; its chance to win is not known: {why}$", said, re.MULTILINE)


def test_a_risk_that_was_not_counted_ends_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweep.cli.interactive.HINT_SECONDS", Budget(states=1))
    arguments = ("--board", "9x9/10", "--first", "zero", "--start", "4,4", "--seed", "0")
    assert "0,7: not known\n" in converse("risk 0,7\n", *arguments)
    said = converse("0,7\n", *arguments, "--warn")
    assert "0,7 has a risk that is not known, and " in said and "; repeat the command to open it\n" in said


def test_a_warning_comes_once(tmp_path: Path) -> None:
    path = tmp_path / "layout.txt"
    path.write_text("...*\n")
    arguments = ("--layout", path, "--start", "0,0", "--no-cascade")
    warning = "0,3 has risk 50 % (1/2), and 0,1 is safe; repeat the command to open it\n"
    said = converse("0,3\n", *arguments, "--warn")
    assert warning in said and "stopped: " in said
    assert "exploded: " in converse("0,3\n0,3\n", *arguments, "--warn")
    assert "has risk" not in converse("0,1\n", *arguments, "--warn")
    said = converse("0,3\n", *arguments)
    assert "has risk" not in said and "exploded: " in said
    assert "has risk" not in converse("0,0\n", "--rows", 4, "--warn"), "the first cell is promised to be safe"


@posix
def test_a_person_at_a_terminal() -> None:
    terminal = Terminal("play", "--interactive", "--seed", 3)
    place = terminal.wait_for(b"> ")
    terminal.type(b"0,0\n")
    place = terminal.wait_for(b"> ", place)
    terminal.type(b"hint\n")
    terminal.wait_for(b"> ", terminal.wait_for(b"safe: ", place))
    terminal.type(b"\x04")
    written, code = terminal.end()
    assert code == 0 and "open   0,0     shows 0" in written and "stopped: the player stopped" in written


@posix
def test_an_interrupt_at_the_prompt() -> None:
    terminal = Terminal("play", "--interactive", "--seed", 3)
    terminal.wait_for(b"> ")
    terminal.interrupt()
    assert terminal.end()[1] == 130


# --- the mine search -------------------------------------------------------------------------------------------


def blocks(text: str) -> Iterator[dict[str, str]]:
    for block in text.split("\n\n"):
        yield {line[:12].strip(): line[13:] for line in block.splitlines()}


def test_find_mines_as_json(tmp_path: Path) -> None:
    arguments = ("--seed", 1, "--json", "--agent", "sat", "--agent", "ai1", "--agent", "random")
    answer = json.loads(invoke("find-mines", ROOT / "examples" / "search_6x12_old.json", *arguments).stdout)
    layout = Layout.load(ROOT / "examples" / "search_6x12_old.json")
    assert {key: answer[key] for key in ("rows", "cols", "mines", "seed")} == {
        "rows": 6,
        "cols": 12,
        "mines": 7,
        "seed": "1",
    }
    assert [search["agent"] for search in answer["searches"]] == ["sat", "ai1", "random"]
    mines = [[row, col] for row in range(6) for col in range(12) if layout.is_mine((row, col))]
    for search in answer["searches"]:
        assert search["outcome"] == "found" and search["mines"] == mines
        assert search["share_opened"] == search["opened"] / 72 and search["mines_opened"] <= 7


def test_find_mines_where_numbers_are_not_exact(tmp_path: Path) -> None:
    path = tmp_path / "hexagonal.txt"
    layout = with_start(random_layout(6, 6, 4, game_rng(1, 0), topology="hexagonal"), game_rng(1, 1))
    write(layout, path)
    arguments = ("find-mines", path, "--agent", "sat", "--clues", "random 0.75", "--seed", 3)
    head, said = blocks(invoke(*arguments).stdout)
    assert head["clues"] == "random 3/4" and head["layout"].endswith(f", hexagonal, {path}")
    answer = json.loads(invoke(*arguments, "--json").stdout)
    assert (answer["topology"], answer["clues"]) == ("hexagonal", "random 3/4")
    rules = replace(FIND_MINES_RULES, clues=clues_named("random 3/4"))
    played = play(layout, agent_named("sat"), rules, game_rng(3, 0))
    assert answer["searches"][0]["opened"] == played.measures.opened
    assert said["opened"] == f"{played.measures.opened} of 36 cells"
    assert not {"topology", "clues"} & json.loads(invoke("find-mines", SEARCH, "--json").stdout).keys()


def test_find_mines_on_any_layout_with_a_start(tmp_path: Path) -> None:
    for name in ("text", "json", "georgia-tech"):
        path = tmp_path / name
        write(FOLLOWED, path, format=name)
        shares = [block.get("share") for block in blocks(invoke("find-mines", path, "--seed", 2).stdout)]
        assert len(shares) == 3 and shares == shares[:1] + [
            f"{play(FOLLOWED, agent_named(agent), FIND_MINES_RULES, game_rng(2, 0)).measures.opened} %"
            for agent in ("ai0", "ai1")
        ]
    path.write_text(EASY)
    assert invoke("find-mines", path, "--start", "2,2").exit_code == 0
    assert invoke("find-mines", "-", "--start", "2,2", stdin=EASY).exit_code == 0
