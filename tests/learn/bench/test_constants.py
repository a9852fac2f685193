"""Constant replies: no one solves more than a tenth of a task, but for ``none`` where nothing is certain."""

from collections import Counter
from collections.abc import Iterator

import pytest

from satsweep.board import Cell
from satsweep.games.game import Game
from satsweep.layout import Layout
from satsweep.learn.bench.keys import KEYED, Key, cells_by_value, values_of
from satsweep.learn.bench.models import CONSTANT, PLAYERS
from satsweep.learn.bench.scores import ModelScores, TaskScore
from satsweep.learn.bench.tasks import BenchTask, Episode, chosen
from satsweep.learn.bench.variants import Variant
from satsweep.learn.envs.tasks import ANY
from satsweep.learn.envs.text import cells_text
from tests.learn.bench import FROZEN


def key(task: BenchTask) -> Key:
    found = Episode(task)._key
    assert found is not None
    return found


def constants(name: str) -> Iterator[str]:
    """Every constant reply that is right in some task of a name, and those of the players."""
    yield from CONSTANT.values()
    if name == "guess":
        yield from {f"open {row} {col}" for row in range(20) for col in range(30)}
        return
    for task in chosen(FROZEN, [name]):
        if name == "risk":
            yield f"risk {next(iter(task.values))}"
        else:
            yield f"safe: {task.values.get('0', 'none')}; mines: {task.values.get('1', 'none')}"
            # All claims of a task about one kind of cell.
            yield f"safe: {task.values.get('0', 'none')}; mines: none"


@pytest.mark.parametrize("name", list(KEYED))
def test_no_constant_reply_solves_more_than_a_tenth(name: str) -> None:
    """Right answers are tried on all tasks of a kind; where they are many, some of them are enough."""
    tasks = chosen(FROZEN, [name])
    keys = [key(task) for task in tasks]
    solved = Counter[str]()
    replies = dict.fromkeys(constants(name))
    for reply in list(replies)[:: {"deduce": 15, "guess": 7}.get(name, 1)]:
        solved[reply] = sum(one.judge(reply)[0] == 1 for one in keys)
    assert solved
    if name == "nothing":
        assert solved["none"] == len(tasks)
    else:
        assert max(solved.values()) <= len(tasks) / 10


def test_no_constant_reply_solves_a_game() -> None:
    """It opens one cell, and is refused from then on: no game is cleared by one more opening."""
    for task in chosen(FROZEN, ["game"]):
        layout, start = Layout(task.lines, start=task.cell), Cell.of(task.cell or ())
        game = Game(layout, ANY)
        game.open(start)
        left = [cell for cell in game.board.covered if not layout.is_mine(cell)]
        assert len(left) > 1
        for cell in left:
            if layout.number(cell) == 0:
                again = Game(layout, ANY)
                again.open(start)
                assert again.open(cell) and again.outcome is None


def test_few_reasons_are_about_one_cell() -> None:
    """A constant reason names a cell, and earns nothing where another one is asked about."""
    asked = Counter(task.cell for task in chosen(FROZEN, ["why"]))
    assert max(asked.values()) <= len(chosen(FROZEN, ["why"])) / 10


def test_a_constant_reply_notices_half_at_most() -> None:
    keys = [(task, key(task)) for task in chosen(FROZEN, ["deduce", "nothing"])]
    for reply in ("none", "safe: (0,0); mines: none", "safe: none; mines: (1,1)", "hm", "safe: none; mines: none"):
        found = []
        for task, own in keys:
            reward, names = own.judge(reply)
            found.append(TaskScore(task, reward, names))
        noticed = ModelScores("constant", Variant(), tuple(found)).noticed
        assert noticed is not None and noticed.mean <= 0.5 and 0 <= noticed.low <= noticed.high <= 1


def test_known_mines_named_again_cost_nothing() -> None:
    named = 0
    for task in chosen(FROZEN, ["deduce", "nothing"]):
        one = key(task)
        shown = [cell for cell in one.board if one.board.cells[cell.row][cell.col] == "*"]
        mines = cells_text([*one.of_value(1), *shown])
        reward, names = one.judge(f"safe: {cells_text(one.of_value(0))}; mines: {mines}")
        assert (reward, names) == (1, task.task == "deduce")
        named += bool(shown)
    assert named >= 300


def test_players_without_a_model_open_what_their_names_say() -> None:
    for task in chosen(FROZEN, ["guess"])[:10]:
        board, analysis = Episode(task).position.board, Episode(task).position.analysis
        where = {name: Episode(task) for name in ("constant", "most-covered", "least-risk", "sat")}
        replies = {name: tuple(map(int, PLAYERS[name](one).split()[1:])) for name, one in where.items()}
        beside = {cell: sum(map(board.is_covered, board.neighbours(cell))) for cell in board.covered}
        assert replies["constant"] == (0, 0)
        assert beside[Cell.of(replies["most-covered"])] == max(beside.values())
        assert analysis.risk(Cell.of(replies["least-risk"])) == analysis.least_risk
        assert key(task).values[Cell.of(replies["sat"])] == max(key(task).values.values())


def test_keys_move_with_the_board() -> None:
    task = chosen(FROZEN, ["guess"])[0]
    turned = Episode(task, Variant("quarter-turn"))._key
    assert turned is not None and cells_by_value(turned.values) != task.values
    back = Variant("quarter-turn-back")
    rows, cols = turned.board.rows, turned.board.cols
    assert {back.cell(cell, rows, cols): value for cell, value in turned.values.items()} == values_of(
        task.values, lambda cell: cell
    )
