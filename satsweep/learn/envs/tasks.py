"""Text tasks for language models, dealt by seed and scored by what can be known.

Four tasks ask about one position: ``deduce`` (all certain cells), ``move`` (a cell to open), ``risk`` (of a cell, as a
fraction), ``why`` (the numbers that force a cell). The fifth, ``game``, has many turns (
``satsweep.learn.envs.text_game``).

An answer about a position earns 1 at best, and a format error costs 0.1:

* *deduce*: named cells that are certain, less those that are not, by all that are; 0 at least. Where nothing is certain
  ``none`` earns 1.
* *move*: 1 less what the move costs (``satsweep.learn.envs.reward``).
* *risk*: 1 for the exact risk.
* *why*: the named numbers have to force the cell. The share of them that is needed is earned, so it does not pay to
  name them all. A reason without a number to spare is as good as any other.

Nothing depends on the layout: a reply has one reward in all worlds of a position.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple, TypeAlias

from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.arguments import check_seed, short_repr
from satsweep.assessment.positions import TechniqueFinder
from satsweep.board import HIDDEN, Board, Cell
from satsweep.errors import ImpossibleSpec
from satsweep.games.agent import is_shown_mine
from satsweep.games.deal import dimensions_named
from satsweep.games.game import Game
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from satsweep.generator.run import generate
from satsweep.generator.spec import BoardSpec
from satsweep.learn.envs.metrics import NEEDS, NOTHING, Score, all_metrics, move_metrics
from satsweep.learn.envs.replies import GRAMMARS, Answer, Claims, NamedReason
from satsweep.learn.envs.reward import ILLEGAL, RewardFunction
from satsweep.learn.envs.text import SYMBOLS, cells_text, question
from satsweep.techniques import ORDER, TECHNIQUES
from satsweep.why.minimal.reasons import ReasonSearch

Verdict: TypeAlias = tuple[Fraction, str, Mapping[str, float]]
"""The reward of an answer, a remark on it, and the metrics that are not 0."""
NO_CELL = Cell(-1, -1)
"""Cell of a question that is not about one."""
REFUSED = Fraction(str(ILLEGAL))
"""Reward of a reply without an answer, or with a cell that cannot be opened."""
MOST_GAMES = 1000
"""Games in which a position is looked for."""


@dataclass(frozen=True)
class TextTask:
    """A question about one position: a prompt, a right answer, scores of replies.

    ``cell`` is the one that ``risk`` and ``why`` ask about; ``reward`` is that of a ``move``, ``regret`` or ``win``;
    ``symbols`` are those of cells in the text.

    >>> task = TextTask("risk", Board(("##1.", "##21", "####"), mines=3), cell=Cell(0, 0))
    >>> task.answer, task.score("It is a mine in 4 of 12 layouts: \\\\boxed{1/3}").reward
    ('risk 1/3', Fraction(1, 1))
    """

    kind: str
    board: Board
    observation: str = "grid"
    cell: Cell = NO_CELL
    reward: str = "regret"
    symbols: str = SYMBOLS

    def __post_init__(self) -> None:
        if self.kind not in TASKS:
            raise ValueError(f"expected a task among {', '.join(TASKS)}, found {short_repr(self.kind, 40)}")
        if self.reward not in AIMS:
            raise ValueError(f"expected a reward among {', '.join(AIMS)}, found {short_repr(self.reward, 40)}")
        if TASKS[self.kind].asks_of_a_cell and self.cell not in self.board.covered:
            raise ValueError(f"expected a covered cell for the task {self.kind}, found {self.cell}")

    @property
    def analysis(self) -> Analysis:
        return _analysis(self.board)

    @property
    def techniques(self) -> dict[Cell, str]:
        """The certain cells, each with the technique that settles it; the easiest first."""
        return _techniques(self.board)

    @cached_property
    def prompt(self) -> str:
        """The rules, the board, the question, and how to answer."""
        asked = TASKS[self.kind].question.format(cell=cells_text([self.cell]), aim=AIMS[self.reward])
        return question(self.board, self.observation, self.kind, asked, self.symbols)

    @cached_property
    def answer(self) -> str:
        """A right answer, which earns 1."""
        return TASKS[self.kind].answer(self)

    def score(self, reply: str) -> Score:
        """Return the score of the last answer in a reply."""
        answer, expected = GRAMMARS[self.kind].last(reply), f"expected {GRAMMARS[self.kind].form}"
        refused: Verdict = (REFUSED, expected, {"format_errors": 1})
        reward, remark, found = refused if answer is None else TASKS[self.kind].judge(self, answer)
        sizes = {"turns": 1, "prompt_characters": len(self.prompt), "completion_characters": len(reply)}
        return Score(reward, all_metrics(reward, {**found, **sizes}), remark)

    @property
    def needs(self) -> str | None:
        """The technique of the cell that is asked about, else of the easiest safe cell.

        ``nothing`` where nothing is certain; None where no cell is safe, but some are mines.
        """
        if self.kind == "why":
            return self.techniques[self.cell]
        nothing = NOTHING if self.kind == "move" or not self.analysis.mines else None
        return next(iter(safe_by_technique(self.board).values()), nothing)


@lru_cache(maxsize=8)
def _analysis(board: Board) -> Analysis:
    return analyse(board)


@lru_cache(maxsize=8)
def _techniques(board: Board) -> dict[Cell, str]:
    certain = map(board.index, (*_analysis(board).safe, *_analysis(board).mines))
    found = TechniqueFinder((), exact=False).of(certain, lambda: board)
    return {board.cell(at): TECHNIQUES[found[at]].metric for at in sorted(found, key=lambda at: (ORDER[found[at]], at))}


def safe_by_technique(board: Board) -> dict[Cell, str]:
    """The safe cells, each with its technique; the easiest first."""
    safe = set(_analysis(board).safe)
    return {cell: technique for cell, technique in _techniques(board).items() if cell in safe}


# One position


def _judge_claims(task: TextTask, answer: Answer) -> Verdict:
    assert isinstance(answer, Claims)
    safe, mines = frozenset(task.analysis.safe), frozenset(task.analysis.mines)
    right, wrong = _right_and_wrong(task.board, answer, safe, mines)
    certain = len(safe) + len(mines)
    found: dict[str, float] = {"forced_taken": len(right), "forced_missed": certain - len(right), "wrong_claims": wrong}
    for cell, technique in task.techniques.items():
        name = f"{technique}_{'found' if cell in right else 'missed'}"
        found[name] = found.get(name, 0) + 1
    reward = claims_reward(task.board, answer, safe, mines)
    return reward, f"{len(right)} of {certain} certain cells, {wrong} wrong", found


def claims_reward(board: Board, answer: Claims, safe: Set[Cell], mines: Set[Cell]) -> Fraction:
    """Reward of claims, given the cells that are certainly safe or mines."""
    right, wrong = _right_and_wrong(board, answer, safe, mines)
    certain = len(safe) + len(mines)
    return Fraction(max(0, len(right) - wrong), certain) if certain else Fraction(not wrong)


def _right_and_wrong(board: Board, answer: Claims, safe: Set[Cell], mines: Set[Cell]) -> tuple[frozenset[Cell], int]:
    """The certain cells that are named, and the number of wrong claims."""
    # What an open cell shows is true, and not asked for.
    wrong = sum(is_shown_mine(board, cell) is not False for cell in answer.safe - safe)
    wrong += sum(is_shown_mine(board, cell) is not True for cell in answer.mines - mines)
    return (answer.safe & safe) | (answer.mines & mines), wrong


def _claims_answer(task: TextTask) -> str:
    safe, mines = task.analysis.safe, task.analysis.mines
    return f"safe: {cells_text(safe)}; mines: {cells_text(mines)}" if safe or mines else "none"


def _judge_move(task: TextTask, answer: Answer) -> Verdict:
    assert isinstance(answer, Cell)
    if answer not in task.board.covered:
        return REFUSED, f"{cells_text([answer])} is no covered cell", {"illegal": 1}
    found = RewardFunction(task.reward, ANY).of(task.board, answer)
    remark = f"the risk is {found.risk}, the least {found.least_risk}"
    return 1 + found.value, remark, move_metrics(found, answer, safe_by_technique(task.board))


def _move_answer(task: TextTask) -> str:
    best = task.analysis.best if task.reward == "win" else task.analysis.safest[0]
    assert best is not None
    return f"open {best.row} {best.col}"


def _judge_risk(task: TextTask, answer: Answer) -> Verdict:
    risk = task.analysis.risk(task.cell)
    return Fraction(answer == risk), f"the risk is {risk}", {"wrong_claims": float(answer != risk)}


def _risk_answer(task: TextTask) -> str:
    return f"risk {task.analysis.risk(task.cell)}"


def _judge_reason(task: TextTask, answer: Answer) -> Verdict:
    assert isinstance(answer, NamedReason)
    board, cell, technique = task.board, task.cell, task.techniques.get(task.cell, "")
    named: list[Cell | None] = [*dict.fromkeys(answer.numbers), *([None] if answer.total else [])]
    clues = {*(clue for clue in board if board.number(clue) is not None), *([] if board.mines is None else [None])}
    if answer.cell != cell or not clues.issuperset(named) or not is_forced(board, cell, answer.mine, named):
        missed = {"forced_missed": 1, f"{technique}_missed": 1, "wrong_claims": 1}
        return Fraction(0), f"these numbers do not force {cells_text([answer.cell])} so", missed
    needed = named
    for clue in reversed(named):
        fewer = [other for other in needed if other != clue]
        needed = fewer if is_forced(board, cell, answer.mine, fewer) else needed
    found = {"forced_taken": 1, f"{technique}_found": 1}
    return Fraction(len(needed), len(named)), f"{len(needed)} of {len(named)} are needed", found


def is_forced(board: Board, cell: Cell, mine: bool, named: Collection[Cell | None]) -> bool:
    """Return whether some numbers of a board force a cell; None is its mine total."""
    hidden = {clue for clue in board if board.number(clue) is not None and clue not in named}
    rows = [[HIDDEN if (row, col) in hidden else symbol for col, symbol in enumerate(line)]
            for row, line in enumerate(board.cells)]  # fmt: skip
    found = analyse(Board(rows, board.mines if None in named else None))
    return cell in (found.mines if mine else found.safe)


def _reason_answer(task: TextTask) -> str:
    cell, mine = task.cell, task.cell in task.analysis.mines
    with ReasonSearch(task.board) as search:
        reason = search.reason(task.board.index(cell), mine=mine)
    clues = [cells_text(reason.clues)] if reason.clues else []
    return (
        f"{'mine' if mine else 'safe'} {cell.row} {cell.col} because {' and '.join(clues + ['total'] * reason.total)}"
    )


AIMS = {
    "regret": "Open a cell that is certainly safe if there is one, else take as little risk as you can.",
    "win": "Open the cell with the best chance to win the game, if every later move is the best one, too.",
}
"""The aim of a move in the question, by the reward that scores it."""


class TaskKind(NamedTuple):
    """A kind of question about one position, and how its answers are made and judged."""

    question: str
    judge: Callable[[TextTask, Answer], Verdict]
    answer: Callable[[TextTask], str]
    asks_of_a_cell: bool = False


TASKS = {
    "deduce": TaskKind(
        "Which covered cells are certainly safe, and which are certainly mines? Name all covered cells that are the "
        "same in every layout that agrees with the board.",
        _judge_claims, _claims_answer,
    ),
    "move": TaskKind(
        "Which covered cell would you open? {aim}",
        _judge_move, _move_answer,
    ),
    "risk": TaskKind("What is the exact probability that there is a mine at {cell}?", _judge_risk, _risk_answer, True),
    "why": TaskKind(
        "The cell {cell} is either certainly safe or certainly a mine. Which, and which numbers force it? Name no "
        "number that can be spared.",
        _judge_reason, _reason_answer, True,
    ),
}  # fmt: skip
"""The kinds of questions about one position."""


def deal(
    kind: str,
    seed: int | str = 0,
    *,
    board: str = "beginner",
    observation: str = "grid",
    needs: str | None = None,
    tells_total: bool = True,
    reward: str = "regret",
) -> TextTask:
    """Deal a question by seed: a position in the middle of a game on a random layout.

    ``board`` is a level or a size such as 6x6/7, ``needs`` a technique that the question has to need (``NEEDS``), or
    ``nothing`` for a position where nothing is certain. Without ``tells_total`` the mine total is unknown. The same
    arguments deal the same question everywhere. Raises ValueError for unknown names, ImpossibleSpec if no such position
    was found.

    >>> task = deal("deduce", 1, board="4x4/3", observation="constraints")
    >>> print(task.prompt.split("\\n\\n")[1])
    rows: 4, columns: 4, mines: 3
    the 1 at (0,2): (0,1)+(1,1)=1
    the 1 at (1,2): (0,1)+(1,1)+(2,1)=1
    the 1 at (2,2): (1,1)+(2,1)+(3,1)+(3,2)+(3,3)=1
    the 1 at (2,3): (3,2)+(3,3)=1
    covered and beside no number: (0,0) (1,0) (2,0) (3,0)
    >>> task.answer, task.needs
    ('safe: (1,1) (2,1) (3,1); mines: (0,1)', 'pair')
    """
    check_seed(seed)
    if kind not in TASKS or not (needs is None or needs in NEEDS) or (kind == "why" and needs == NOTHING):
        known = f"a task among {', '.join(TASKS)} and a need among {', '.join(NEEDS)}"
        raise ValueError(f"expected {known}, found {short_repr(kind, 40)} and {short_repr(needs, 40)}")
    for number in range(MOST_GAMES):
        rng = Random(f"{seed}/{number}/{kind}/{needs}")
        game = start_game(board, seed, number, tells_total=tells_total)
        wanted = rng.random() * (1 - game.layout.mines / len(game.board.symbols))
        while game.outcome is None:
            now = game.board
            opened = 1 - now.symbols.count("#") / len(now.symbols)
            if opened >= wanted and (task := _task_at(kind, now, observation, needs, reward, rng)) is not None:
                return task
            for cell in _next_cells(game, rng, easiest=needs is not None):
                if game.outcome is None and game.is_covered(cell):
                    game.open(cell)
    raise ImpossibleSpec(f"no position of {MOST_GAMES:,} games on {board} needs {needs}")


def _task_at(kind: str, board: Board, observation: str, needs: str | None, reward: str, rng: Random) -> TextTask | None:
    """The question of a kind about a position; None if it has none."""
    cells = [NO_CELL]
    if kind == "risk":
        cells = [cell for cell in board.covered if 0 < _analysis(board).risk(cell) < 1]
    elif kind == "why":
        cells = [cell for cell, technique in _techniques(board).items() if needs in (None, technique)]
    if not cells:
        return None
    task = TextTask(kind, board, observation, rng.choice(cells), reward)
    return task if needs in (None, task.needs) else None


def _next_cells(game: Game, rng: Random, *, easiest: bool) -> list[Cell]:
    """Cells that are no mines: a safe one, the easiest ones, or that of least risk."""
    analysis = _analysis(game.board)
    if not analysis.safe:
        return [min((cell for cell in game.board.covered if not game.layout.is_mine(cell)), key=analysis.risk)]
    if not easiest:
        return [rng.choice(analysis.safe)]
    safe = safe_by_technique(game.board)
    return [cell for cell, technique in safe.items() if technique == next(iter(safe.values()))]


# The start of a game

ANY = Rules(FirstClick.ANY)
"""Rules in the middle of a game, where no promise about a first cell is left."""


def start_game(board: str, seed: int | str, number: int, *, tells_total: bool = True, no_guess: bool = False) -> Game:
    """Begin a game by seed and number, with a cell open that has no mine around it.

    The cell is just safe where a board has no room for more. With ``no_guess`` the layout needs no guess from there.
    Games that their start would clear are passed over. Raises ImpossibleSpec where there is no other game.
    """
    rows, cols, mines = dimensions_named(board)
    first = FirstClick.ZERO if rows * cols >= mines + 9 else FirstClick.SAFE
    for attempt in range(MOST_GAMES):
        own = f"{seed}/{attempt}" if attempt else str(seed)
        start = Cell(*divmod(Random(f"{own}/{number}/start").randrange(rows * cols), cols))
        rules = Rules(first, start=start, tells_total=tells_total)
        if no_guess:
            spec = BoardSpec(rows, cols, mines, start=start, first=first)
            layout, rng = next(iter(generate(spec, seed=f"{own}/{number}", traced=False))).layout, Random(0)
        else:
            layout, rng = Setting(rows, cols, mines, rules).layout(own, number)
        game = Game(layout, rules, rng)
        if game.outcome is None and game.open(start) and game.outcome is None:
            return game
    raise ImpossibleSpec(f"every game on {board} is over when it begins")
