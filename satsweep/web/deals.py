"""Boards for the user to play: random ones, and ones that need no guess.

Boards without a guess are searched by rejection and then by repair (``generator/no_guess``), in the kernels if there
are any: a seed always deals the same board. Seeds of the page without a server name a board of a collection instead
where the search is slow.

The collection is made by ``scripts/kept_boards.py``: each board comes from ``satsweep generate``, which has checked
its proof. A mirrored board is as good, so a few dozen serve every first cell. Seeds of the folder's own games begin
with ``PREFIX``; these alone name boards of the collection, here and on the server, so a link deals the same board on
both.
"""

import json
import time
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import product
from random import Random

from satsweep.errors import BoardError, BudgetExceeded
from satsweep.formats.strict import Node
from satsweep.games.deal import game_rng
from satsweep.games.game import Game
from satsweep.games.record import MoveReason
from satsweep.games.rules import FirstClick, Redraw, Rules
from satsweep.generator.spec import BoardSpec
from satsweep.layout import Layout
from satsweep.solver import compiled
from satsweep.solver.budget import Meter
from satsweep.topology import SQUARE, topology_named
from satsweep.web.games import layout_for, layout_of, rules_of, seed_of, shown_symbol, size_values
from satsweep.web.questions import Limits, Question, SendPart, Values

PREFIX = "kept-"


@dataclass(frozen=True, slots=True)
class Collection:
    """Boards of one size, and the technique that clears them.

    ``boards`` pairs each layout with the cells, as indices, from which the technique clears it.
    """

    rows: int
    cols: int
    mines: int
    technique: str
    boards: tuple[tuple[Layout, frozenset[int]], ...]


@cache
def collection() -> Collection:
    told = json.loads(files("satsweep").joinpath("web", "kept_boards.json").read_text("utf-8"))
    rows, cols = told["rows"], told["cols"]
    boards = []
    for board in told["boards"]:
        bits = f"{int(board['mines'], 16):0{rows * cols}b}"
        layout = Layout.from_mines(rows, cols, {index for index, bit in enumerate(bits) if bit == "1"})
        boards.append((layout, frozenset().union(*(opening(layout, start) for start in board["starts"]))))
    return Collection(rows, cols, told["mines"], told["technique"], tuple(boards))


def opening(layout: Layout, index: int) -> set[int]:
    """The cells without a mine around them that hang together with one of them."""
    revealed = Game(layout, Rules(first=FirstClick.ANY)).open(layout.cell(index)).revealed
    return {layout.index(cell) for cell, number in revealed if number == 0}


def kept_layout(spec: BoardSpec, technique: str, seed: str) -> Layout | None:
    """The board, upright where that is asked for, that a seed names; None without one."""
    kept, start = collection(), spec.start
    if not seed.startswith(PREFIX) or start is None or spec.topology is not SQUARE:
        return None
    size = spec.rows, spec.cols
    upright = size == (kept.cols, kept.rows) != (kept.rows, kept.cols)
    if (spec.mines, technique) != (kept.mines, kept.technique) or not (upright or size == (kept.rows, kept.cols)):
        return None
    place = (start.col, start.row) if upright else start
    choices = []
    for layout, starts in kept.boards:
        for down, across in product((1, -1), repeat=2):
            row, col = range(kept.rows)[::down][place[0]], range(kept.cols)[::across][place[1]]
            if row * kept.cols + col in starts:
                choices.append((layout, down, across))
    if not choices:
        return None
    layout, down, across = game_rng(seed, 0).choice(choices)
    lines = [line[::across] for line in layout.cells[::down]]
    return Layout(tuple(map("".join, zip(*lines, strict=True)) if upright else lines), start=start)


TECHNIQUES = {"single": "basic", "pairs": "subset", "all": "sat"}
"""Techniques that a player may know, easiest first, and the agents that use them."""
SEARCH_SECONDS, RATE_SECONDS = 60.0, 15.0
"""Time limits of the search for a board, and of its rating."""
DRAWN, DRAWN_CELLS = 400, 200_000
"""Most layouts, and most cells of these together, that are drawn before repair."""
REPAIRED = 100
"""Most layouts that are repaired."""
PROGRESS_SECONDS = 0.1
"""Seconds between two reports of the progress."""


def deal(question: Question, limits: Limits, send: SendPart) -> Values:
    """A board to play, with its mines placed around the first cell.

    ``shown`` has the symbol that every cell shows once it is open. ``first`` and ``start`` are needed, unless the
    layout has a start.
    """
    rng = game_rng(question.get("seed", seed_of, "0"), 0)
    rules = rules_of(question, Rules())
    return _dealt(Game(layout_for(question, limits, rules, rng), rules, rng))


def deal_no_guess(question: Question, limits: Limits, send: SendPart) -> Values:
    """A board that a ``technique`` clears from its start without a guess.

    Parts tell the number of ``steps`` of the search. Raises BudgetExceeded if none is found in ``SEARCH_SECONDS``.
    """
    from satsweep.generator.no_guess import first_mended, first_suiting
    from satsweep.generator.run import repair_changes
    from satsweep.generator.spec import BoardSpec

    fields = question.fields
    technique = fields["technique"].string()
    if technique not in TECHNIQUES:
        fields["technique"].fail(f"expected one of {', '.join(TECHNIQUES)}")
    rules = rules_of(question, Rules(first=FirstClick.ZERO))
    if not rules.clues.is_exact:
        raise BoardError("boards that need no guess have true numbers only")
    if rules.first not in (FirstClick.SAFE, FirstClick.ZERO):
        raise BoardError("boards that need no guess begin with a safe cell")
    rows, cols, mines = (fields[key].integer() for key in ("rows", "cols", "mines"))
    limits.check(rows, cols)
    spec = BoardSpec(
        rows, cols, mines, start=rules.start, first=rules.first,
        topology=topology_named(question.get("topology", Node.string, SQUARE.name)), solvable_by=TECHNIQUES[technique],
    )  # fmt: skip
    seed = question.get("seed", seed_of, "0")
    if kept := kept_layout(spec, technique, seed):
        return _dealt(Game(kept, rules))
    run = f"{seed}/no guess"
    meter = _SearchMeter(send, SEARCH_SECONDS)
    by_kernels = compiled.is_there() and compiled.fits(spec.cells, spec.topology)
    drawn, changes = range(min(DRAWN, DRAWN_CELLS // spec.cells)), repair_changes(spec)
    try:
        found = first_suiting(spec, run, drawn, meter, compiled=by_kernels)
        found = found or first_mended(spec, run, range(REPAIRED), changes, meter, compiled=by_kernels)
    except BudgetExceeded:
        raise BudgetExceeded(f"no such board was found in {SEARCH_SECONDS:.0f} seconds; try fewer mines") from None
    if found is None:
        raise BudgetExceeded("no such board was found; try fewer mines")
    return _dealt(Game(found.layout, rules))


class _SearchMeter(Meter):
    """Meter of a search for a board, which reports progress to the page.

    The report raises Cancelled once the page no longer waits.
    """

    def __init__(self, send: SendPart, seconds: float) -> None:
        self._reported = time.monotonic()
        super().__init__(self._reported + seconds, None)
        self._send, self._steps = send, 0

    def spend(self, states: int = 0) -> None:
        super().spend(states)
        self._steps += 1
        if (now := time.monotonic()) - self._reported > PROGRESS_SECONDS:
            self._reported = now
            self._send({"steps": self._steps})


def rate(question: Question, limits: Limits, send: SendPart) -> Values:
    """The easiest technique that clears a layout from its start, or a guess.

    ``needs`` is None if that takes too long to find out.
    """
    from satsweep.generator.no_guess import unsolved
    from satsweep.generator.walkthrough import board_numbers

    layout = layout_of(question, limits)
    if layout.start is None or layout.is_mine(layout.start):
        raise BoardError("expected a safe cell where play starts")
    numbers = board_numbers(layout)
    told = {"bv": numbers.bv, "openings": numbers.openings}
    meter = Meter(time.monotonic() + RATE_SECONDS, None)
    try:
        needs = next((name for name, agent in TECHNIQUES.items() if unsolved(layout, agent, meter) is None), "guess")
    except BudgetExceeded:
        return {**told, "needs": None}
    return {**told, "needs": needs}


def _dealt(game: Game) -> Values:
    if game.start is None:
        raise BoardError("expected 'start', the cell where play starts")
    move = game.open(game.start, MoveReason.START)
    layout, rules = game.layout, game.rules
    return {
        **size_values(layout),
        "mines": layout.mines,
        "layout": layout.cells,
        "shown": _shown(game),
        "start": game.start,
        "opened": [cell[0] * layout.cols + cell[1] for cell, _ in move.revealed],
        "cascades": rules.cascade and rules.clues.proves_zero(0),
        "exact": rules.clues.is_exact,
    }


def _shown(dealt: Game) -> str:
    """Symbols of all cells, opened one by one in a game without cascades or an end."""
    rules = replace(dealt.rules, first=FirstClick.ANY, start=None, cascade=False, fatal=False, redraw=Redraw.NEVER)
    game = Game(dealt.layout, rules, Random(0), clue_seed=dealt.clue_seed)
    symbols = [shown_symbol(game.open(cell).revealed[0][1]) for cell in dealt.board]
    return "".join(symbols)
