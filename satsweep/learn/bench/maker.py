"""Making of the tasks from a seed: the recipe behind ``tasks.jsonl``.

Positions come from the games of the corpus (``satsweep.learn.corpus.rows``), guesses and layouts from its rows. For
each size candidates are looked at in order, and the first that fill the table of bands and forms are taken, at most one
of a kind from a game. The result depends on the seed alone, not on the number of processes. Another
seed than that of the package leaves out the positions of the package, mirror images included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from fractions import Fraction
from functools import partial
from itertools import count as numbers
from random import Random
from typing import Any, NamedTuple

from satsweep.analysis.analyse import analyse
from satsweep.arguments import check_seed
from satsweep.board import Board, Cell
from satsweep.errors import BudgetExceeded
from satsweep.learn.bench.keys import cells_by_value
from satsweep.learn.bench.tasks import KINDS, SEED, BenchTask, TaskSet, frozen_tasks
from satsweep.learn.corpus.bands import BANDS, PROVERS
from satsweep.learn.corpus.maker import in_order
from satsweep.learn.corpus.rows import SIZES, game_turns, rows_of
from satsweep.learn.corpus.tables import form_of
from satsweep.learn.envs.text import OBSERVATIONS
from satsweep.solver.pipeline import ComponentCache

FORMS = tuple(OBSERVATIONS)
SIZES_ASKED = (1, 2, 3, 4)
"""Sizes of the corpus that are asked: 9x9, 16x16, 20x10, 16x30."""
NOTHING, GUESS = 50, 50
"""Rows of each size."""
DEDUCE, WHY = 20, 5
"""Rows of each size and band, but for the rare band."""
RARE, RARE_DEDUCE, RARE_WHY = "case distinction", (0, 0, 44, 36), (0, 0, 11, 9)
"""The band that is rare on small and sparse boards, and its rows of each size."""
RISK = (13, 13, 12, 12)
GAMES = (13, 13, 12, 12)
"""Rows of each size."""
MOST = 500_000
"""Most candidates of a size."""


class _Found(NamedTuple):
    """A position that may become a task: band, lines, and cells of the claim."""

    band: str | None
    lines: str
    cells: tuple[Cell, ...]


def make_tasks(
    seed: str = SEED, *, jobs: int | None = None, shown: Callable[[int], None] = lambda done: None
) -> TaskSet:
    """Make 1,000 tasks; ``shown`` is told how many there are.

    Raises BudgetExceeded if a table cannot be filled.
    """
    check_seed(seed)
    run, rows = f"bench-{seed}", list[dict[str, Any]]()
    known = frozenset[str]() if seed == SEED else frozenset(map(_form, frozen_tasks().tasks))
    for at, size in enumerate(SIZES_ASKED):
        for making in (_positions, _guesses, _games):
            for row in making(run, at, size, jobs, known):
                rows.append(row)
                shown(len(rows))
    rows.sort(key=lambda row: list(KINDS).index(row["task"]))
    tasks, numbered = [], Counter[str]()
    for row in rows:
        numbered[row["task"]] += 1
        tasks.append(BenchTask(f"{row['task']}-{numbered[row['task']]:03}", **row))
    # The first tasks of the list are a sample of all, so that a few of them tell something.
    Random(f"bench/{seed}").shuffle(tasks)
    return TaskSet(str(seed), tuple(tasks))


def _form(task: BenchTask) -> str:
    """The canonical form of a task's board, as the corpus has it."""
    start = {"start": task.cell} if task.task == "game" else {}
    return form_of({"mines": task.mines, "board": task.board, "layout": task.layout, **start})


def _candidates(work: Callable[[int], Any], size: int, jobs: int | None) -> Iterator[tuple[int, Any]]:
    for number, found in in_order(work, (size + len(SIZES) * turn for turn in numbers()), jobs, batch=16):
        if number > MOST:
            raise BudgetExceeded(f"no tasks of every band among {MOST:,} candidates")
        yield number, found


def _positions(run: str, at: int, size: int, jobs: int | None, known: Set[str]) -> Iterator[dict[str, Any]]:
    """The tasks ``deduce``, ``nothing`` and ``why`` of a size."""
    wanted: dict[tuple[str, str | None], int] = {}
    wanted["nothing", None] = NOTHING
    for band in BANDS:
        wanted["deduce", band], wanted["why", band] = DEDUCE, WHY
    wanted["deduce", RARE], wanted["why", RARE] = RARE_DEDUCE[at], RARE_WHY[at]
    forms = set(known)
    for number, found in _candidates(partial(_of_game, run), size, jobs):
        for one in found:
            task = next((task for task in ("deduce", "why", "nothing") if wanted.get((task, one.band))), None)
            if task is None:
                continue
            row: dict[str, Any] = {"mines": SIZES[size][2], "board": one.lines}
            form = form_of(row)
            if form in forms or (task == "deduce" and not finds_all(Board(one.lines, row["mines"]), str(one.band))):
                continue
            forms.add(form)
            wanted[task, one.band] -= 1
            text = FORMS[(wanted[task, one.band] + at + BANDS.index(one.band or BANDS[0])) % len(FORMS)]
            cell = {"cell": Random(f"{run}/{number}/cell").choice(one.cells)} if task == "why" else {}
            if task != "why":
                row["values"] = cells_by_value(certain_cells(Board(one.lines, row["mines"])))
            yield {"task": task, "band": one.band, "form": text, **row, **cell}
        if not any(wanted.values()):
            return


def _of_game(run: str, number: int) -> list[_Found]:
    """A position of a game of each band that it has, and one where nothing is certain."""
    turns, rng = game_turns(run, number)
    by_band: dict[str | None, list[_Found]] = {}
    for turn in turns:
        cells = () if turn.claims is None else tuple(sorted(turn.claims.safe | turn.claims.mines))
        by_band.setdefault(turn.band, []).append(_Found(turn.band, "\n".join(turn.board.cells), cells))
    return [rng.choice(found) for _, found in sorted(by_band.items(), key=lambda one: str(one[0]))]


def certain_cells(board: Board) -> dict[Cell, Fraction]:
    """The risks of the cells of a board that are certain, 0 or 1."""
    analysis = analyse(board)
    return dict.fromkeys(analysis.safe, Fraction(0)) | dict.fromkeys(analysis.mines, Fraction(1))


def finds_all(board: Board, band: str) -> bool:
    """Return whether the prover of a band finds all cells that are certain.

    >>> board = Board(("###", "121"), mines=2)
    >>> [finds_all(board, band) for band in BANDS[:2]]
    [False, True]
    """
    told, cache, stages = board, ComponentCache(), BANDS[: BANDS.index(band) + 1]
    analysis = analyse(board)
    left = set(analysis.safe) | set(analysis.mines)
    while left:
        for stage in stages:
            claims = PROVERS[stage](told, cache)
            if claims.safe or claims.mines:
                break
        else:
            return False
        told = told.with_opened(dict.fromkeys(claims.safe)).with_exploded(claims.mines)
        left -= claims.safe | claims.mines
    return True


def _guesses(run: str, at: int, size: int, jobs: int | None, known: Set[str]) -> Iterator[dict[str, Any]]:
    """The tasks ``guess`` and ``risk`` of a size, by turns, each of a position.

    No two tasks ``risk`` of a size have the same answer, so that no fraction is right in more than a tenth of all.
    """
    left, forms, risks = {"guess": GUESS, "risk": RISK[at]}, set(known), set[Fraction]()
    for number, rows in _candidates(partial(rows_of, "guesses", run), size, jobs):
        for row in rows:
            # Known mines are for the reader to find: of an opened mine there is nothing left to win.
            lines = row["board"].replace("*", "#")
            board = Board(lines, row["mines"])
            form = form_of({"mines": row["mines"], "board": lines})
            if form in forms:
                continue
            task = "risk" if left["risk"] * GUESS > left["guess"] * RISK[at] else "guess"
            wins = _by_cell(row["wins"])
            if task == "guess":
                values = {} if len(set(wins.values())) < 2 else dict.fromkeys(board.covered, Fraction(0)) | wins
            else:
                asked = [(cell, risk) for cell, risk in sorted(_by_cell(row["risks"]).items())
                         if risk not in {0, 1, *risks} and any(map(board.number, board.neighbours(cell)))]  # fmt: skip
                values = dict([Random(f"{run}/{number}/cell").choice(asked)]) if asked else {}
                risks.update(values.values())
            if not values:
                continue
            forms.add(form)
            left[task] -= 1
            cell = {"cell": min(values)} if task == "risk" else {}
            text = FORMS[(left[task] + at) % len(FORMS)]
            yield {"task": task, "band": None, "form": text, "mines": row["mines"], "board": lines, **cell,
                   "values": cells_by_value(values)}  # fmt: skip
        if not any(left.values()):
            return


def _by_cell(lines: Sequence[str]) -> dict[Cell, Fraction]:
    """The values of a row of the corpus, by cell."""
    return {
        Cell(row, col): Fraction(value)
        for row, line in enumerate(lines)
        for col, value in enumerate(line.split())
        if value != "-"
    }


def _games(run: str, at: int, size: int, jobs: int | None, known: Set[str]) -> Iterator[dict[str, Any]]:
    """Boards that need no guess, of all bands in turn."""
    left, forms = GAMES[at], set(known)
    for _, rows in _candidates(partial(rows_of, "boards", run), size, jobs):
        for row in rows:
            if row["form"] in forms:
                continue
            forms.add(row["form"])
            left -= 1
            text = FORMS[(left + at) % len(FORMS)]
            layout = {"layout": row["layout"], "cell": row["start"]}
            yield {"task": "game", "band": row["band"], "form": text, "mines": row["mines"], **layout}
        if not left:
            return
