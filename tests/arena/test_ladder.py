"""The ladder: engines of several stores, their pairs, calibration and claims, and its page."""

import json
import math
import re
import shlex
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from satsweep.arena.blocks import versions
from satsweep.arena.equal_boards import on_boards_of
from satsweep.arena.ladder import LadderSection, ladder_values, read_ladder
from satsweep.arena.packed_games import pack
from satsweep.arena.pages import ladder_page
from satsweep.arena.plan import Plan
from satsweep.arena.result import Result
from satsweep.arena.run import run_plan
from satsweep.arena.stats import mean
from satsweep.arena.store import Store
from satsweep.board import Cell
from satsweep.cli.ladder_commands import commands
from satsweep.errors import StoreError
from satsweep.games.rules import FIND_MINES_RULES, FirstClick, Rules
from satsweep.games.setting import Setting
from tests import ROOT
from tests.arena.reports import Serial
from tests.cli import invoke

SCHEMA = json.loads(files("satsweep.formats").joinpath("schemas", "ladder.schema.json").read_text("utf-8"))
BOARD = Setting(6, 6, 6, Rules(start=Cell(0, 0)))
PLAN = Plan(("basic", "sat"), (BOARD,), games=30, seed="ladder", played_by="python")


def keep(file: Path, plan: Plan, results: list[Result] | None = None) -> None:
    """Play a plan into a store, or put results there."""
    with Store(file) as store:
        if results is not None:
            store.begin(plan, versions()).add(pack(results))
            return
        with Serial() as executor:
            run_plan(plan, executor, store)


def section_of(directory: Path) -> LadderSection:
    (section,) = read_ladder(directory)
    return section


def test_engines_of_several_stores_are_compared_on_the_same_layouts(tmp_path: Path) -> None:
    keep(tmp_path / "one.sqlite", PLAN)
    keep(tmp_path / "two.db", replace(PLAN, agents=("gem",), games=20))
    keep(tmp_path / "other.sqlite", replace(PLAN, agents=("tank",), seed="another"))
    (tmp_path / "notes.txt").write_text("no store")
    section = section_of(tmp_path)
    with Serial() as executor:
        expected = run_plan(replace(PLAN, agents=("basic", "gem", "sat"), games=20), executor).sections[0]
    pairs = {(pair.first.split()[0], pair.second.split()[0]): pair for pair in section.pairs}
    assert len(pairs) == 3 and not any("tank" in names for names in pairs)
    for comparison in expected.comparisons:
        if "gem" not in (comparison.first, comparison.second):
            continue
        names = comparison.second, comparison.first
        sign, pair = (1, pairs[names]) if names in pairs else (-1, pairs[names[::-1]])
        assert comparison.difference is not None
        assert pair.difference.mean == pytest.approx(sign * comparison.difference.mean) and pair.games == 20
        assert pair.difference.half == pytest.approx(comparison.difference.half)
    rates = [line.level.mean for line in section.lines]
    assert rates == sorted(rates, reverse=True)
    assert {line.engine: line.games for line in section.lines} == {"basic": 30, "sat": 30, "gem": 20, "tank": 30}
    assert {line.store for line in section.lines} == {"one.sqlite", "two.db", "other.sqlite"}
    assert len(commands(section)) == 2


def test_a_line_is_the_longest_run_with_the_risks_of_any(tmp_path: Path) -> None:
    keep(tmp_path / "a.sqlite", replace(PLAN, agents=("sat",), games=12, calibration=True))
    keep(tmp_path / "b.sqlite", replace(PLAN, agents=("sat",), games=25))
    (line,) = section_of(tmp_path).lines
    assert (line.games, line.store) == (25, "b.sqlite")
    assert line.version == f"satsweep {versions()['satsweep']}"
    assert line.risks and line.risks[0].guesses == sum(risk.guesses for risk in line.risks[1:])


def test_risks_claims_and_superiority_from_known_games(tmp_path: Path) -> None:
    """Four games, of which each figure is known."""
    plan = replace(PLAN, agents=("basic", "gem"), calibration=True)
    games = [
        (1, 0, "50000 250000", 1, 10),
        (0, 1, "-250000", 1, 10),
        (0, 0, "-500000 -50000", 2, 5),
        (1, 1, "", 0, 25),
    ]
    results = [
        Result(
            0, game, agent, "cleared" if won else "exploded", won, guesses_lost=risks.count("-"), claims=claims,
            mines_hit=risks.count("-") + (agent == 1) * wrong, wrong=agent * wrong, risks=risks,
        )
        for game, (first, second, risks, wrong, claims) in enumerate(games)
        for agent, won in enumerate((first, second))
    ]  # fmt: skip
    keep(tmp_path / "known.sqlite", plan, results)
    section = section_of(tmp_path)
    lines = {line.engine: line for line in section.lines}
    assert [line.won.mean for line in section.lines] == [0.5, 0.5]
    everything, low, middle, high = lines["basic"].risks
    assert (everything.low, everything.high, everything.guesses) == (0, 1, 5)
    assert everything.stated == pytest.approx(0.22) and everything.true is not None and everything.true.mean == 0.6
    assert [(risk.low, risk.high, risk.guesses) for risk in (low, middle, high)] == [
        (0, 0.1, 2), (0.2, 0.3, 2), (0.5, 1, 1),
    ]  # fmt: skip
    assert low.stated == pytest.approx(0.05) and low.true is not None and low.true.mean == 0.5
    assert (lines["basic"].wrong_claims, lines["basic"].claims) == (0, 50)
    assert lines["gem"].wrong_claims == 8, "four wrong flags, and four mines opened as safe"
    (pair,) = section.pairs
    assert (pair.games, pair.difference.mean, pair.superiority) == (4, 0.0, 0.5)


def test_chances_to_win_from_known_games(tmp_path: Path) -> None:
    """Of 9 stated chances, whose games are known; a chance of 1 is in the last class."""
    games = [(1, "550000 950000 1000000"), (0, "500000 50000"), (0, "599999"), (1, "900000 520000"), (1, ""), (0, "0")]
    results = [
        Result(0, game, 0, "cleared" if won else "exploded", won, win_chances=stated)
        for game, (won, stated) in enumerate(games)
    ]
    keep(tmp_path / "known.sqlite", replace(PLAN, agents=("basic",), calibration=True), results)
    (line,) = section_of(tmp_path).lines
    everything, *classes = line.chances
    assert (everything.low, everything.high, everything.guesses) == (0, 1, 9)
    assert everything.stated == pytest.approx(5.069999 / 9) and everything.true is not None
    assert everything.true.mean == pytest.approx(5 / 9)
    assert [(found.low, found.guesses, found.true and found.true.mean) for found in classes] == [
        (0.0, 2, 0.0), (0.5, 4, 0.5), (0.9, 3, 1.0),
    ]  # fmt: skip
    assert line.risks == ()
    page = ladder_page(read_ladder(tmp_path), commands)
    assert "Calibration of stated chances to win" in page and "Calibration of stated risks" not in page
    jsonschema.Draft202012Validator(SCHEMA).validate(ladder_values(read_ladder(tmp_path), commands))


def test_an_agent_of_a_file_states_its_chances(tmp_path: Path) -> None:
    """They come through its process into the store; one that is no probability loses the game."""
    agent = tmp_path / "sure.py"
    agent.write_text(
        "from fractions import Fraction\nfrom satsweep import Cell, Guess\n"
        "def deduce(board):\n    return [], []\n"
        "def guess(board, rng):\n    return Guess(Cell(*board.covered[0]), '', None, Fraction(CHANCE))\n"
        "def agent():\n    from satsweep import Agent\n    return Agent(deduce, guess)\n"
    )
    for chance, expected in (("3, 8", "375000"), ("9, 8", None)):
        file = tmp_path / f"chance{expected}.py"
        file.write_text(agent.read_text().replace("CHANCE", chance))
        plan = replace(PLAN, agents=(f"{file}:agent",), games=1, calibration=True)
        plan = replace(plan, settings=(Setting(3, 3, 8, Rules(start=None)),))
        with Store() as store, Serial() as executor:
            run_plan(plan, executor, store)
            (result,) = store.run().results()
        if expected:
            assert {*(result.win_chances or "").split()} == {expected} and not result.failed
        else:
            assert result.message == "expected a chance to win from 0 to 1, found 9/8"


def test_superiority_is_that_of_the_layouts_that_only_one_has_won(tmp_path: Path) -> None:
    wins = [(1, 0)] * 9 + [(0, 1)] * 4 + [(1, 1)] * 7
    results = [
        Result(0, game, agent, "cleared" if won else "exploded", won)
        for game, both in enumerate(wins)
        for agent, won in enumerate(both)
    ]
    keep(tmp_path / "known.sqlite", PLAN, results)
    (pair,) = section_of(tmp_path).pairs
    assert pair.superiority == pytest.approx(0.5 * (1 + math.erf(5 / math.sqrt(13) / math.sqrt(2))))
    assert pair.first.startswith("basic ")


@pytest.mark.extended
def test_plays_of_a_layout_are_one_unit(tmp_path: Path) -> None:
    keep(tmp_path / "plays.sqlite", replace(PLAN, plays=5, games=50))
    section = section_of(tmp_path)
    (pair,) = section.pairs
    with Serial() as executor:
        expected = run_plan(replace(PLAN, plays=5, games=50), executor).sections[0].comparisons[0].difference
    assert expected is not None and pair.difference.half == pytest.approx(expected.half)
    assert "--plays 5" in commands(section)[0]


@pytest.mark.extended
@pytest.mark.parametrize(
    ("agents", "setting"),
    [
        (("basic", "subset"), BOARD),
        (
            ("basic",),
            Setting(6, 8, 7, Rules(FirstClick.ZERO, Cell(5, 7), cascade=False, fatal=False, tells_total=False)),
        ),
        (("ai0", "ai1"), Setting(8, 8, 6, FIND_MINES_RULES)),
        (("basic",), Setting.from_values({**BOARD.to_values(), "topology": "hexagonal", "clues": "random 1/2"})),
    ],
    ids=str,
)
def test_the_command_plays_the_same_layouts_again(agents: tuple[str, ...], setting: Setting, tmp_path: Path) -> None:
    keep(tmp_path / "a.sqlite", replace(PLAN, agents=agents, settings=(setting,), games=4))
    section = section_of(tmp_path)
    (command,) = commands(section)
    again = tmp_path / "again"
    again.mkdir()
    words = [str(again / word) if word == "mine.sqlite" else word for word in shlex.split(command)]
    done = invoke(*words[1:], "--jobs", 1)
    assert (words[0], done.exit_code, done.stderr) == ("satsweep", 0, "")
    found = section_of(again)
    assert found.setting == section.setting
    assert [line.outcomes for line in found.lines] == [line.outcomes for line in section.lines]


def test_rules_that_no_command_has(tmp_path: Path) -> None:
    keep(tmp_path / "a.sqlite", replace(PLAN, settings=(Setting(6, 6, 6, Rules()),), games=4))
    keep(tmp_path / "b.sqlite", replace(PLAN, settings=(replace(BOARD, layouts=(BOARD.layout("x", 0)[0],)),)))
    given, drawn = sorted(read_ladder(tmp_path), key=lambda section: section.layouts is None)
    assert given.setting == BOARD and given.layouts is not None and commands(given) == []
    assert drawn.layouts is None and commands(drawn) == []


def test_the_page_and_its_values(tmp_path: Path) -> None:
    keep(tmp_path / "a.sqlite", replace(PLAN, calibration=True, settings=(BOARD, Setting(5, 5, 4, BOARD.rules))))
    sections = read_ladder(tmp_path)
    assert [section.setting.area for section in sections] == [25, 36]
    values = ladder_values(sections, commands)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(values)
    page = ladder_page(sections, commands)
    assert "http" not in page and "<script" not in page, "the page needs nothing else"
    assert page.count("<h2 id=") == 2 and page.count("<table>") == 6
    for section in sections:
        for line in section.lines:
            assert f">{line.engine}</th>" in page and f"{100 * line.won.mean:.1f}" in page
        assert commands(section)[0] in page
    rows = re.findall(r"<tr>.*?</tr>", page.replace("\n", ""))
    assert all(row.count("<t") - 1 in (5, 4, 7, 15) for row in rows)


def test_names_are_escaped(tmp_path: Path) -> None:
    agent = tmp_path / "<b>.py"
    agent.write_text("def deduce(board):\n    return [], []\n")
    keep(tmp_path / "a.sqlite", replace(PLAN, agents=(f"{agent}:deduce",), games=1))
    (line,) = section_of(tmp_path).lines
    assert line.engine == "<b>.py:deduce" and re.fullmatch("[0-9a-f]{8}", line.version)
    page = ladder_page(read_ladder(tmp_path), commands)
    assert "<b>.py" not in page and "&lt;b&gt;.py:deduce" in page


def test_directories_without_stores(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="expected stores with games"):
        read_ladder(tmp_path)
    with pytest.raises(StoreError, match="expected a readable directory of stores: No such file"):
        read_ladder(tmp_path / "nowhere")
    (tmp_path / "broken.sqlite").write_bytes(b"SQLite format 3\0" + bytes(200))
    with pytest.raises(StoreError, match="broken.sqlite"):
        read_ladder(tmp_path)


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path / "a.sqlite", replace(PLAN, games=3))
    file = tmp_path / "ladder.html"
    done = invoke("ladder", tmp_path, "--output", file)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert file.read_text() == invoke("ladder", tmp_path).stdout
    values = json.loads(invoke("ladder", tmp_path, "--json").stdout)
    jsonschema.validate(values, json.loads(invoke("schema", "ladder").stdout))
    text = invoke("ladder", tmp_path, "--format", "text").stdout.splitlines()
    assert text[0] == str(BOARD) and text[1].split()[:4] == ["#", "Engine", "Won", "%"]
    assert text[3].split()[:2] == ["1", section_of(tmp_path).lines[0].engine]
    with monkeypatch.context() as patched:
        patched.setattr("satsweep.cli.results.is_terminal", lambda stream: True)
        assert invoke("ladder", tmp_path).stdout.splitlines() == text, "no page on a terminal"
        assert invoke("ladder", tmp_path, "--format", "html").stdout == file.read_text()
    wrong = invoke("ladder", tmp_path / "nowhere")
    assert (wrong.exit_code, wrong.stdout) == (3, "") and wrong.stderr.count("\n") == 1
    over = invoke("ladder", tmp_path, "--output", tmp_path / "a.sqlite")
    assert over.exit_code == 2 and "expected another file" in over.stderr


def test_rates_that_authors_publish_stand_beside_their_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``cmd:pseq.toml`` is the engine of that name; agents of satsweep have no published rate, whatever the board."""
    engine = (ROOT / "examples" / "umi" / "basic.py").as_posix()
    for name in ("pseq", "other"):
        (tmp_path / f"{name}.toml").write_text(f'command = ["{Path(sys.executable).as_posix()}", "{engine}"]\n')
    monkeypatch.chdir(tmp_path)
    rules = BOARD.rules
    plan = Plan(("sat", "cmd:pseq.toml", "cmd:other.toml"), (Setting(16, 30, 99, rules), Setting(16, 30, 98, rules)))
    results = [
        Result(setting, 0, agent, "cleared", 1, turns=40, seconds=0.5) for setting in range(2) for agent in range(3)
    ]
    (tmp_path / "stores").mkdir()
    keep(tmp_path / "stores" / "known.sqlite", plan, results)
    unpublished, published = read_ladder(tmp_path / "stores")
    assert {line.engine: line.published and line.published.program for line in published.lines} == {
        "sat": None, "cmd:pseq.toml": "PSEQ", "cmd:other.toml": None,
    }  # fmt: skip
    assert all(line.published is None for line in unpublished.lines)
    assert all(line.milliseconds_a_turn == pytest.approx(12.5) for line in published.lines)
    values = ladder_values([unpublished, published], commands)
    jsonschema.Draft202012Validator(SCHEMA).validate(values)
    page = ladder_page([unpublished, published], commands)
    assert "<td>39.6158 ± 0.0068</td>" in page and page.count(">Published %</th>") == 1


def kept(file: Path, plan: Plan, wins: list[list[int]]) -> None:
    """A store of games whose results are given, by agent and game."""
    results = [
        Result(0, game, agent, "cleared" if won else "exploded", won)
        for agent, own in enumerate(wins)
        for game, won in enumerate(own)
    ]
    keep(file, plan, results)


def test_an_engine_with_fewer_boards_is_ranked_on_equal_ones(tmp_path: Path) -> None:
    """On ten easy boards it has the best rate of all, and is behind on the same layouts."""
    easy, hard = [1] * 9 + [0], [0, 1, 0, 0, 1] * 6
    kept(tmp_path / "long.sqlite", PLAN, [[*easy, *hard], [*reversed(easy), *hard[::-1]]])
    fewer = [1] * 8 + [0, 0]
    kept(tmp_path / "short.sqlite", replace(PLAN, agents=("gem",)), [fewer])
    section = section_of(tmp_path)
    by_name = {line.engine: line for line in section.lines}
    assert max(section.lines, key=lambda line: line.won.mean).engine == "gem"
    assert [line.engine for line in section.lines][-1] == "gem"
    assert by_name["basic"].equal is None and by_name["sat"].equal is None
    equal = by_name["gem"].equal
    assert equal is not None and equal.mean == pytest.approx(21 / 40 - 0.1)
    assert equal.low < equal.mean - 0.05 and equal.half > by_name["sat"].won.half
    assert (by_name["gem"].level, by_name["sat"].level) == (equal, by_name["sat"].won)
    assert "Equal %" in ladder_page([section], commands)
    jsonschema.Draft202012Validator(SCHEMA).validate(ladder_values([section], commands))


def test_rates_on_equal_boards_cover_as_often_as_they_say() -> None:
    """Engines of known chances, their games on a layout alike; 200 boards of 1,000."""
    rng, runs, covered = np.random.default_rng(4), 300, 0
    for _ in range(runs):
        luck = rng.random((2, 1_000))
        alike = np.where(rng.random(1_000) < 0.6, luck[0], luck[1])
        most = dict(enumerate((luck[0] < 0.4).astype(int).tolist()))
        found = on_boards_of(most, dict(enumerate((alike < 0.35).astype(int).tolist()[:200])), 1)
        assert found is not None
        covered += found.low <= 0.35 <= found.high
    assert 0.93 < covered / runs < 0.97


def test_all_boards_need_no_adjustment() -> None:
    """On all boards of the reference the adjusted rate is the plain one, with the interval of a mean."""
    most, own = ({game: int(game % step == 0) for game in range(60)} for step in (3, 2))
    found, plain = on_boards_of(most, own, 1), mean(30, 30, 60)
    assert found is not None and plain is not None and 0 < found.low < found.high < 1
    assert found == pytest.approx(plain)
    assert on_boards_of(most, {90: 1, 91: 0}, 1) is None and on_boards_of(most, {0: 1}, 1) is None
