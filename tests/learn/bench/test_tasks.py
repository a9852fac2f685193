"""The frozen tasks: the same bytes everywhere, as the recipe says, and solved exactly by the exact engine."""

from collections import Counter
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from pathlib import Path

import pytest

from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.errors import SatsweepError
from satsweep.learn.bench import maker
from satsweep.learn.bench.keys import cells_by_value, values_of
from satsweep.learn.bench.models import PLAYERS
from satsweep.learn.bench.tasks import CANARY, KINDS, SEED, BenchTask, Episode, TaskSet, chosen, read_tasks
from satsweep.learn.bench.variants import SYMMETRIES, Variant
from satsweep.learn.corpus.bands import BANDS
from satsweep.learn.corpus.tables import form_of
from satsweep.learn.envs.reward import RewardFunction
from satsweep.learn.envs.tasks import ANY
from satsweep.learn.envs.text import OBSERVATIONS, SYMBOL_SETS
from tests.learn.bench import FROZEN, few
from tests.symmetries import SYMMETRIES as MOVES, moved

TASKS = FROZEN.tasks


def play(name: str, task: BenchTask, variant: Variant | None = None) -> Fraction:
    """What a player earns in a task."""
    episode = Episode(task, variant)
    while not episode.is_over:
        episode.answer(PLAYERS[name](episode))
    return episode.reward


def test_the_bytes_are_the_same_everywhere() -> None:
    """Tasks and prompts; who changes a text of ``satsweep.learn.envs`` changes the benchmark, and its version."""
    file = files("satsweep.learn.bench").joinpath("tasks.jsonl").read_bytes()
    prompts = "".join(Episode(task).prompt for task in TASKS)
    assert file.decode() == FROZEN.text
    assert FROZEN.digest == "205c488753312a2b"
    assert sha256(prompts.encode()).hexdigest()[:16] == "e94371014c6190db"
    assert len(file) < 550_000 and file.count(CANARY.encode()) == 1


def test_a_thousand_tasks_of_every_kind() -> None:
    assert Counter(task.task for task in TASKS) == {
        "deduce": 400, "nothing": 200, "guess": 200, "why": 100, "risk": 50, "game": 50,
    }  # fmt: skip
    for name, each in (("deduce", 80), ("why", 20)):
        assert Counter(task.band for task in TASKS if task.task == name) == dict.fromkeys(BANDS, each)
    assert {task.size for task in TASKS} == {"9x9/10", "16x16/40", "20x10/35", "16x30/99"}
    forms = Counter(task.form for task in TASKS)
    assert set(forms) == set(OBSERVATIONS) and min(forms.values()) >= 240
    rows = [{"mines": task.mines, "board": task.board, "layout": task.layout} for task in TASKS]
    drawn = Counter((task.task in ("guess", "risk"), form_of(row)) for task, row in zip(TASKS, rows, strict=True))
    assert max(drawn.values()) == 1
    # The first ones are a sample of all.
    assert len(Counter(task.task for task in TASKS[:50])) >= 5


def certain(task: BenchTask) -> set[Cell]:
    analysis = analyse(Board(task.board, task.mines))
    return {*analysis.safe, *analysis.mines}


def test_the_prover_of_the_band_finds_all_and_a_weaker_one_nothing() -> None:
    for task in chosen(FROZEN, ["deduce"])[::8]:
        at, board = BANDS.index(str(task.band)), Board(task.board, task.mines)
        assert maker.finds_all(board, BANDS[at])
        assert at == 0 or not maker.finds_all(board, BANDS[at - 1])


def test_nothing_is_certain_where_none_is_right() -> None:
    for task in chosen(FROZEN, ["nothing", "guess"])[::10]:
        known = set(Board(task.board).covered) if task.task == "nothing" else set()
        assert not certain(task) & known and not analyse(Board(task.board, task.mines)).safe
        assert task.task == "guess" or Episode(task).position.answer == "none"


def test_keys_of_guesses_are_exact_chances_to_win() -> None:
    rewards = RewardFunction("win", ANY)
    for task in chosen(FROZEN, ["guess"])[::20]:
        board, values = Board(task.board, task.mines), values_of(task.values, lambda cell: cell)
        found = {cell: rewards.of(board, cell) for cell in board.covered}
        assert all(one.known == "exact" for one in found.values() if one.risk != 0)
        assert {cell: one.chosen for cell, one in found.items()} == values
        assert len(set(values.values()) - {0}) >= 2


def test_keys_of_claims_and_risks_are_exact() -> None:
    for task in chosen(FROZEN, ["deduce", "nothing"])[::20]:
        assert task.values == cells_by_value(maker.certain_cells(Board(task.board, task.mines)))
    for task in chosen(FROZEN, ["risk"])[::5]:
        assert Fraction(*task.values) == analyse(Board(task.board, task.mines)).risk(Cell.of(task.cell or ()))


def test_no_fraction_is_right_in_more_than_a_tenth_of_the_risks() -> None:
    risks = chosen(FROZEN, ["risk"])
    assert max(Counter(value for task in risks for value in task.values).values()) <= len(risks) / 10


@pytest.mark.extended
@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_the_exact_engine_solves_every_task(each: int) -> None:
    assert [task.id for task in TASKS[::each] if play("sat", task) != 1] == []


def test_the_exact_engine_solves_small_tasks_in_every_variant() -> None:
    """Other players that read numbers alone score the same in all, too."""
    tasks = few(1).tasks
    basic = [play("basic", task) for task in tasks if task.task in ("deduce", "nothing")]
    for symmetry, symbols in zip(SYMMETRIES, [*SYMBOL_SETS] * 3, strict=False):
        variant = Variant(symmetry, symbols)
        assert [play("sat", task, variant) for task in tasks] == [1] * len(tasks)
        assert [play("basic", task, variant) for task in tasks if task.task in ("deduce", "nothing")] == basic


def test_symmetries_move_boards_and_cells_alike() -> None:
    board = Board(("#12", "3*."), mines=3)
    assert list(SYMMETRIES) == [name.replace("identity", "none").replace(" ", "-") for name in MOVES]
    for name, other in zip(SYMMETRIES, MOVES, strict=True):
        expected, where = moved(board, other)
        assert tuple(Variant(name).lines(board.cells)) == expected.cells
        assert {cell: Variant(name).cell(cell, 2, 3) for cell in board} == where
    with pytest.raises(ValueError, match="expected a symmetry among none, upside-down"):
        Variant("sideways")
    with pytest.raises(ValueError, match="expected symbols among usual, letters"):
        Variant(symbols="abc")


def test_a_reply_has_one_score_whatever_lies_below() -> None:
    """A guess in a game ends it, and its score is the same over a mine and over a safe cell."""
    (task,) = few(1).tasks[-1:]
    assert task.task == "game"
    earned = set()
    for unlucky in (False, True):
        episode = Episode(task)
        episode.answer(episode.position.answer)
        board, mines = episode.position.board, task.layout.splitlines()
        safe = analyse(board).safe
        cells = [cell for cell in board.covered if cell not in safe and (mines[cell.row][cell.col] == "*") == unlucky]
        episode.answer(f"open {cells[0].row} {cells[0].col}")
        assert episode.is_over
        earned.add(episode.reward)
        with pytest.raises(ValueError, match="expected a task that goes on"):
            episode.answer("open 0 0")
    assert len(earned) == 1 and 0 < earned.pop() < 1


def test_prompts_of_a_game_need_no_memory() -> None:
    episode = Episode(few(1).tasks[-1])
    first = episode.prompt
    episode.answer("hm")
    assert episode.prompt.startswith("Expected `open R C`") and episode.prompt.endswith(first)
    episode.answer(episode.position.answer)
    assert " is safe; " in episode.prompt.partition("\n")[0]
    assert "This is a position of Minesweeper" in episode.prompt and 0 < episode.reward < 1


@pytest.mark.parametrize(
    ("making", "names"),
    [("_positions", ("deduce", "nothing", "why")), ("_guesses", ("guess", "risk")), ("_games", ("game",))],
)
def test_the_recipe_makes_the_first_rows_again(making: str, names: tuple[str, ...]) -> None:
    kept = {task.to_line().partition(", ")[2] for task in TASKS if task.task in names}
    for row in islice(getattr(maker, making)(f"bench-{SEED}", 0, maker.SIZES_ASKED[0], 1, set()), 5):
        assert BenchTask("again", **row).to_line().partition(", ")[2] in kept


@pytest.mark.slow
def test_the_recipe_makes_the_file_again() -> None:
    assert maker.make_tasks(SEED).text == FROZEN.text


@pytest.mark.extended
def test_another_seed_makes_other_tasks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(maker, "SIZES_ASKED", (1,))
    for name, count in (("NOTHING", 2), ("GUESS", 2), ("DEDUCE", 1), ("WHY", 1), ("RISK", (1,)), ("GAMES", (1,))):
        monkeypatch.setattr(maker, name, count)
    shown = list[int]()
    made = maker.make_tasks("private", jobs=1, shown=shown.append)
    assert Counter(task.task for task in made.tasks) == {
        "deduce": 4, "nothing": 2, "guess": 2, "why": 4, "risk": 1, "game": 1,
    }  # fmt: skip
    assert shown == list(range(1, 15))
    assert not {(task.board, task.layout) for task in made.tasks} & {(task.board, task.layout) for task in TASKS}
    (tmp_path / "private.jsonl").write_text(made.text)
    read = read_tasks(tmp_path / "private.jsonl")
    assert read == made and read.digest != FROZEN.digest and read.seed == "private"


ROW = '{"id": "a", "task": "deduce", "form": "grid", "mines": 1, "board": "1#"}'


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ([], "jsonl:1: expected tasks"),
        (["{}"], "jsonl:1: expected tasks"),
        (["hm"], "jsonl:1:1: expected JSON: expecting value"),
        (["[]"], r"jsonl:1: expected a JSON object, found \[\]"),
        (["HEAD", '{"id": "a"}'], "jsonl:2: expected a task"),
        (
            ["HEAD", '{"id": "a", "task": "chess", "form": "grid", "mines": 1, "board": "1#"}'],
            "jsonl:2: expected a task",
        ),
        (["HEAD", '{"id": "a", "task": "why", "form": "grid", "mines": 1, "board": "1#"}'], "jsonl:2: expected a task"),
        (["HEAD", '{"id": "a", "task": "deduce", "form": "grid", "mines": 1, "board": "1#\\n1"}'], "jsonl:2: expected"),
        (["HEAD", ROW], "jsonl:2: expected a task of `satsweep bench`: expected the values of a task deduce"),
        (["HEAD", ROW.replace("}", ', "values": {"1/2": "(0,1)"}}')], "expected the values of a task deduce"),
        (["HEAD", ROW.replace("}", ', "values": {"1": "(0,0)"}}')], "expected the values of a task deduce"),
        (["HEAD", ROW.replace("}", ', "values": {"1": "(0,1) or so"}}')], r"jsonl:2: .*expected cells such as"),
        (["HEAD", ROW.replace("}", ', "values": {"?": "(0,1)"}}')], "jsonl:2: expected a task"),
        (["HEAD", *[ROW.replace("}", ', "values": {"1": "(0,1)"}}')] * 2], "an id each"),
        (['{"seed": "bench", "version": 1}'], "jsonl:1: expected tasks of `satsweep bench`, edition 2"),
    ],
)
def test_files_that_have_no_tasks_are_refused(lines: list[str], error: str, tmp_path: Path) -> None:
    head = TaskSet("few", ()).text.strip()
    (tmp_path / "tasks.jsonl").write_text("\n".join(lines).replace("HEAD", head))
    with pytest.raises(SatsweepError, match=error):
        read_tasks(tmp_path / "tasks.jsonl")
    with pytest.raises(SatsweepError, match="No such file"):
        read_tasks(tmp_path / "none.jsonl")


def test_every_kind_has_a_question() -> None:
    assert [Episode(task).position.kind for task in few(1).tasks] == [
        kind.replace("game", "move") for kind in KINDS.values()
    ]
    assert chosen(FROZEN, None) == list(TASKS)
