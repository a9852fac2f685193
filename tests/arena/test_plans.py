"""Plans: shipped ones are the experiments of the documents; errors have a place."""

import re
import tomllib
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from satsweep import AGENTS, BoardError, Cell, Layout, Rules
from satsweep.arena.block_play import play_block
from satsweep.arena.blocks import Block
from satsweep.arena.plan import MEASUREMENTS, Figure, Plan
from satsweep.arena.planfile import DEFAULT, EXPERIMENTS, plan_named, plan_names, read_plan
from satsweep.formats import read_layouts, toml
from satsweep.formats.strict import DecimalText
from satsweep.games.rules import FIND_MINES_RULES, STANDARD_RULES, FirstClick, Goal, Redraw
from satsweep.games.setting import Setting
from tests.conftest import Golden

SHIPPED = {name: (files("satsweep.arena") / "plans" / f"{name}.toml").read_text() for name in (*EXPERIMENTS, DEFAULT)}
BOARDS = "[[boards]]\nsize = [2, 3]\nmines = 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def planned(file: Path, boards: str, head: str = 'agents = ["basic"]') -> Plan:
    file.write_text(f"{head}\n{boards}")
    return read_plan(file)


# --- what ships ------------------------------------------------------------------------------------------------------


def test_every_plan_ships_and_no_other() -> None:
    found = {entry.name for entry in (files("satsweep.arena") / "plans").iterdir()}
    assert found == {f"{name}.toml" for name in SHIPPED}
    assert plan_names() == list(EXPERIMENTS) and DEFAULT not in EXPERIMENTS
    with pytest.raises(ValueError, match=r"expected a plan among gem-density, .*, default, found 'nonsense'"):
        plan_named("nonsense")


@pytest.mark.extended
@pytest.mark.parametrize("name", SHIPPED)
def test_plans_that_ship(name: str) -> None:
    plan = plan_named(name)
    assert plan.name == name and plan.title and (plan.source or name == DEFAULT) and plan.figure
    assert len(set(plan.settings)) == len(plan.settings)
    for index in (0, len(plan.settings) // 2, len(plan.settings) - 1):
        results = play_block(Block.of(plan, index, range(1))).results
        assert [result.message for result in results] == [None] * len(plan.agents)


def test_shipped_plans_are_as_in_the_documents(golden: Golden) -> None:
    """Settings in order; those that differ in their mines alone share a line. A half of a mine is rounded up."""
    told = []
    for plan in map(plan_named, SHIPPED):
        asked = [name for name in MEASUREMENTS if getattr(plan, name)]
        limits = f"games {plan.games}, seconds {plan.seconds}, plays {plan.plays}"
        told += [f"{plan.name}: {', '.join(plan.agents)}; {'; '.join([limits, str(plan.figure), *asked])}"]
        kinds = groupby(plan.settings, lambda setting: (setting.rows, setting.cols, setting.topology, setting.rules))
        for (rows, cols, topology, rules), settings in kinds:
            told += [f"  {rows}x{cols} {topology}, {rules}: {' '.join(str(one.mines) for one in settings)}"]
    golden("plans.txt", "".join(f"{line}\n" for line in told))
    assert plan_named("levels").agents == tuple(AGENTS), "every agent plays"


# --- what a plan may say ---------------------------------------------------------------------------------------------


def test_a_plan_says_as_little_as_it_wants(file: Path) -> None:
    plan = planned(file, BOARDS)
    assert plan == Plan(("basic",), (Setting(2, 3, 1),), name="mine")


def test_all_that_a_plan_may_say(file: Path) -> None:
    head = """
        title = 'T'
        source = "S"
        agents = ["sat:cpsat", "ai0"]
        games = 7
        seconds = 1.5
        until = 0.2
        seed = -3
        figure = {measure = "won", against = "area"}
        chains = true
        evaluations = true
        played-by = "kernels"
        plays = 4
        [rules]
        first = "zero"
        start = [1, 0]
        cascade = false
        play-on = true
        goal = "find"
        clues = "exact"
        tells-total = false
    """
    rules = Rules(FirstClick.ZERO, Cell(1, 0), cascade=False, fatal=False, goal=Goal.FIND, tells_total=False)
    plan = planned(file, BOARDS, head)
    assert plan == Plan(
        ("sat:cpsat", "ai0"),
        (Setting(2, 3, 1, rules),),
        games=7,
        seed="-3",
        seconds=1.5,
        until=0.2,
        name="mine",
        title="T",
        source="S",
        figure=Figure("won", "area"),
        chains=True,
        evaluations=True,
        played_by="kernels",
        plays=4,
    )
    redrawn = '[[boards]]\nsize = [2, 3]\nmines = 1\nredraw = ["never", "fair", "cruel-all"]\n'
    assert [setting.rules for setting in planned(file, redrawn, 'agents = ["basic"]').settings] == [
        Rules(redraw=redraw) for redraw in (Redraw.NEVER, Redraw.FAIR, Redraw.CRUEL_ALL)
    ]
    evaluating = 'agents = ["basic"]\nfigure = {measure = "evaluations"}'
    assert planned(file, BOARDS, evaluating).evaluations, "the figure needs them"
    assert not planned(file, BOARDS, 'agents = ["basic"]\nchains = false').chains
    assert planned(file, BOARDS, 'agents = ["ai1"]\nseed = "a b"').seed == "a b"


def test_every_combination_is_a_setting_in_the_order_written(file: Path) -> None:
    boards = """
        [[boards]]
        first = ["any", "safe"]
        size = [[2, 3], [4, 4]]
        mines = [1, {from = 2, to = 5, step = 2}]
        [[boards]]
        start = [[0, 1], [1, 1]]
        topology = "torus"
        size = [3, 3]
        mines = 2
    """
    plan = planned(file, boards)
    assert [
        (setting.rules.first.value, setting.rows, setting.mines, setting.rules.start, setting.topology.name)
        for setting in plan.settings
    ] == [
        *((first, rows, mines, None, "square") for first in ("any", "safe") for rows in (2, 4) for mines in (1, 2, 4)),
        ("safe", 3, 2, (0, 1), "torus"),
        ("safe", 3, 2, (1, 1), "torus"),
    ]


def test_rules_of_some_boards_come_before_those_of_all(file: Path) -> None:
    head = 'agents = ["ai0", "ai1"]\n[rules]\ncascade = true\nfirst = "any"'
    plan = planned(file, BOARDS + 'first = "zero"\n' + BOARDS.replace("[2, 3]", "[3, 3]"), head)
    zero = Rules(FirstClick.ZERO, cascade=True, fatal=False, goal=Goal.FIND)
    assert [setting.rules for setting in plan.settings] == [zero, Rules(FirstClick.ANY, fatal=False, goal=Goal.FIND)]


@pytest.mark.parametrize(
    ("agents", "rules"),
    [
        ('"ai0", "ai1"', FIND_MINES_RULES),
        ('"ai1"', FIND_MINES_RULES),
        ('"ai0", "basic"', STANDARD_RULES),
        ('"gem", "sat"', STANDARD_RULES),
    ],
)
def test_agents_play_by_the_rules_that_all_were_made_for(agents: str, rules: Rules, file: Path) -> None:
    assert planned(file, BOARDS, f"agents = [{agents}]").settings == (Setting(2, 3, 1, rules),)


def test_settings_that_come_to_the_same_are_kept_once(file: Path) -> None:
    plan = planned(file, "[[boards]]\nsize = [2, 3]\ndensity = [0.1, 0.15, 0.2, 0.3]\n" + BOARDS)
    assert [setting.mines for setting in plan.settings] == [1, 2]


@given(low=st.integers(0, 1000), step=st.integers(1, 300), high=st.integers(0, 1000))
@example(low=0, step=20, high=1000)
@example(low=60, step=10, high=300)
def test_ranges_are_exact(tmp_path_factory: pytest.TempPathFactory, low: int, step: int, high: int) -> None:
    """As many mines as thousands of the density, since there are 1,000 cells."""
    low, high = sorted((low, high))
    written = [f"{value // 1000}.{value % 1000:03}" for value in (low, high, step)]
    boards = "[[boards]]\nsize = [20, 50]\ndensity = {{ from = {}, to = {}, step = {} }}\nfirst = 'any'".format(
        *written
    )
    plan = planned(tmp_path_factory.getbasetemp() / "range.toml", boards)
    assert [setting.mines for setting in plan.settings] == list(range(low, high + 1, step))


@pytest.mark.parametrize("density", ['"1/15"', "0.0666666666666666667", "6.66666667e-2", "0.066_666_667"])
def test_densities_may_be_written_in_many_ways(density: str, file: Path) -> None:
    assert planned(file, f"[[boards]]\nsize = [15, 100]\ndensity = {density}").settings[0].mines == 100


def test_boards_of_a_file(file: Path) -> None:
    (file.parent / "games.jsonl").write_text(
        '{"layout": ["*.", ".."], "start": [1, 1]}\n{"layout": ["*..", "..."]}\n{"layout": [".*", ".."]}\n'
    )
    plan = planned(file, '[[boards]]\nlayouts = "games.jsonl"\nfirst = ["any", "safe"]')
    square, wide = (Layout(("*.", ".."), start=(1, 1)), Layout((".*", ".."))), (Layout(("*..", "...")),)
    assert plan.settings == tuple(
        setting
        for rules in (Rules(FirstClick.ANY), STANDARD_RULES)
        for setting in (Setting(2, 2, 1, rules, layouts=square), Setting(2, 3, 1, rules, layouts=wide))
    )
    assert read_layouts(file.parent / "games.jsonl") == [square[0], *wide, square[1]]


# --- what it may not -------------------------------------------------------------------------------------------------


def test_wrong_layouts_are_blamed_on_their_own_file(file: Path) -> None:
    games = file.parent / "games.jsonl"
    games.write_text('{"layout": ["*."]}\n{"layout": ["*x"]}\n')
    with pytest.raises(BoardError, match="expected one of") as caught:
        planned(file, '[[boards]]\nlayouts = "games.jsonl"')
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(games), 2, 15)
    with pytest.raises(BoardError, match="expected a readable file") as caught:
        planned(file, '[[boards]]\nlayouts = "none.jsonl"')
    assert caught.value.file == str(file.parent / "none.jsonl")
    games.write_text('{"layout": ["*."], "start": [0, 1]}\n{"layout": [".*"]}\n')
    with pytest.raises(BoardError, match=r":3:11: expected layouts with a start, as the first cell is given"):
        planned(file, '[[boards]]\nlayouts = "games.jsonl"\nfirst = "given"')
    with pytest.raises(BoardError, match=r":3:11: expected room for a cell with no mine around to start"):
        planned(file, '[[boards]]\nlayouts = "games.jsonl"\nfirst = "zero"')


PIECES = list('[]{}=,."#\n0123456789-_eE: ') + [
    "true",
    "'''",
    '"""',
    "[[boards]]\n",
    "size = [3, 3]\n",
    "nan",
    "[rules]",
]


@st.composite
def mangled_plans(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(list(SHIPPED.values())))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        end = min(len(text), place + draw(st.integers(0, 6)))
        text = text[:place] + draw(st.one_of(st.just(""), st.sampled_from(PIECES), st.text(max_size=3))) + text[end:]
    return text


@given(mangled_plans())
@example('agents = ["basic"]\nboards = [{size = [1, 1], mines = 0, "\\u0061" = 1}]')
@example("agents = ['a:\\u0000']")
@example('agents = ["\\u0000.py:f"]')
@example('agents = [".x:f", "a\\nb"]')
@example("[[a]]\n[a.b]\n[[a.c]]\n[[a]]\n[a.b]")
def test_reading_raises_board_errors_and_nothing_else(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "mangled.toml"
    file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    try:
        plan = read_plan(file)
    except BoardError as error:
        assert error.file == str(file) or error.line is None
        assert error.message and "\n" not in str(error)
        lines = text.split("\n")
        if error.line is not None and error.column is not None:
            assert 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1
    else:
        assert plan.agents and plan.settings


# --- where values stand ----------------------------------------------------------------------------------------------

SCALARS = [
    *("1", "-1_000", "0x1F", "1.50", "6e-2", "inf", "true", "1979-05-27 07:32:00.5", "1979-05-27", "07:32:00"),
    *(
        '""',
        "''",
        '"a # b"',
        r'"\"]"',
        "'\\'",
        "'[,'",
        '"""a\n"" ]"""',
        '"""x""\\""""""',
        "''''a'''''",
        '"""\\\n  a"""',
    ),
]
KEYS = ["a", "b-c", "1", '"d e"', "'f.g'", '"\\u0061h"', '"]"', "'#'"]


class _Writer:
    """A TOML text under way, and where the values in it stand."""

    def __init__(self, data: st.DataObject) -> None:
        self.draw, self.text = data.draw, ""
        self.places: dict[tuple[str | int, ...], tuple[int, str]] = {}

    def blank(self, *choices: str) -> None:
        self.text += self.draw(st.sampled_from(("", " ", *choices)))

    def keys(self) -> list[str]:
        return self.draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=3))

    def pair(self, key: str, path: tuple[str | int, ...], depth: int) -> None:
        self.text += key
        self.blank("\t ")
        self.text += "="
        self.blank()
        self.value((*path, tomllib.loads(f"x = {key}")["x"] if key[0] in "\"'" else key), depth)

    def value(self, path: tuple[str | int, ...], depth: int) -> None:
        start = len(self.text)
        kind = self.draw(st.sampled_from(("scalar", "scalar", "list", "table") if depth else ("scalar",)))
        if kind == "scalar":
            self.text += self.draw(st.sampled_from(SCALARS))
        elif kind == "list":
            self.text += "["
            for index in range(length := self.draw(st.integers(0, 3))):
                self.blank("\n", "# ], [\n")
                self.value((*path, index), depth - 1)
                self.blank("\n", " # ,\n")
                self.text += "," if index < length - 1 else ""
            self.blank(",") if length else self.blank()
            self.text += "]"
        else:
            self.text += "{"
            for index, key in enumerate(self.keys()):
                self.text += ", " if index else " "
                self.pair(key, path, depth - 1)
            self.text += " }"
        self.places[path] = start, self.text[start:]

    def table(self, path: tuple[str | int, ...]) -> None:
        for key in self.keys():
            self.blank("# x = 1\n", "\r\n")
            self.pair(key, path, 2)
            self.text += " # [y]\n"


@given(st.data())
def test_every_value_of_a_toml_text_is_found(data: st.DataObject) -> None:
    """Values are found by their paths, and read back from the place that is found."""
    writer = _Writer(data)
    writer.table(())
    for number in range(data.draw(st.integers(0, 2))):
        header = len(writer.text)
        writer.text += '[[ table . "x y" ]]\n'
        writer.table(("table", "x y", number))
        writer.places["table", "x y", number] = header, "[["
        writer.text += "[table.'x y'.inner]\n"
        writer.table(("table", "x y", number, "inner"))
    text = writer.text
    parsed = toml.parse_toml(text)
    for path, (start, written) in writer.places.items():
        value: Any = parsed
        for step in path:
            value = value[step]
        assert toml.find_toml(text, path) == start
        assert text.startswith(written, start)
        if written != "[[":
            assert str(tomllib.loads(f"x = {written}", parse_float=DecimalText)["x"]) == str(value)
    assert toml.find_toml(text, ("nowhere",)) is None


def test_where_tables_stand() -> None:
    text = "a.b.c = 1\n[d.e]\nf = 2\n[[g]]\n[g.h]\n[[g]]\n[[g.i]]\n[[g.i]]\nj = '''\n'''\n"
    lines = [match.start() for match in re.finditer("^", text, re.MULTILINE)]
    expected = {
        (): 0,
        ("a",): 0,
        ("a", "b", "c"): 8,
        ("d",): lines[1],
        ("d", "e"): lines[1],
        ("g",): lines[3],
        ("g", 0): lines[3],
        ("g", 0, "h"): lines[4],
        ("g", 1): lines[5],
        ("g", 1, "i", 0): lines[6],
        ("g", 1, "i", 1): lines[7],
        ("g", 1, "i", 1, "j"): lines[8] + 4,
        ("g", 2): None,
        ("g", 0, "i"): None,
    }
    assert {path: toml.find_toml(text, path) for path in expected} == expected
