"""Boards for the user to play: random ones, and ones that need no guess.

The engine in the browser deals the same boards from the same seeds. Those without a guess are board 0 of ``satsweep
generate``.
"""

import time
from dataclasses import replace
from random import Random
from typing import Literal

from satsweep.board import refuse_part
from satsweep.errors import BoardError, BudgetExceeded
from satsweep.formats.strict import Node
from satsweep.games.deal import game_rng
from satsweep.games.game import Game
from satsweep.games.record import MoveReason
from satsweep.games.rules import FirstClick, Redraw, Rules
from satsweep.generator.spec import BoardSpec
from satsweep.layout import Layout
from satsweep.page.advice import analysed
from satsweep.page.game_values import DealtValues, Needs, RatedValues, RedrawnValues
from satsweep.page.games import (
    PROGRESS_SECONDS,
    layout_for,
    layout_of,
    rules_of,
    seed_of,
    size_values,
)
from satsweep.page.questions import Limits, Question, SendPart
from satsweep.render.page_values import shown_symbol
from satsweep.solver.budget import Meter
from satsweep.topology import SQUARE, topology_named

Technique = Literal["single", "pairs", "all"]
TECHNIQUES: dict[Technique, str] = {"single": "basic", "pairs": "subset", "all": "sat"}
"""Techniques that a player may know, easiest first, and the agents that use them."""
SEARCH_SECONDS, RATE_SECONDS = 60.0, 15.0
"""Time limits of the search for a board, and of its rating."""


def deal(question: Question, limits: Limits, send: SendPart) -> DealtValues:
    """A board to play, with its mines placed around the first cell.

    ``shown`` has the symbol that every cell shows once it is open. ``first`` and ``start`` are needed, unless the
    layout has a start.
    """
    rng = game_rng(question.get("seed", seed_of, "0"), 0)
    rules = rules_of(question, Rules())
    return _dealt(Game(layout_for(question, limits, rules, rng), rules, rng))


def deal_no_guess(question: Question, limits: Limits, send: SendPart) -> DealtValues:
    """A board that a ``technique`` clears from its start without a guess.

    Parts tell the number of ``steps`` of the search. Raises BudgetExceeded if none is found in ``SEARCH_SECONDS``.
    """
    from satsweep.generator.run import choose_method, generate_board

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
    meter = _SearchMeter(send, SEARCH_SECONDS)
    try:
        found = generate_board(spec, seed, 0, choose_method(spec, seed, meter), meter, traced=False)
    except BudgetExceeded:
        raise BudgetExceeded("no such board was found; try fewer mines") from None
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


def rate(question: Question, limits: Limits, send: SendPart) -> RatedValues:
    """The easiest technique that clears a layout from its start, or a guess.

    ``needs`` is None if that takes too long to find out.
    """
    from satsweep.generator.no_guess import unsolved
    from satsweep.generator.walkthrough import board_numbers

    layout = layout_of(question, limits)
    if layout.start is None or layout.is_mine(layout.start):
        raise BoardError("expected a safe cell where play starts")
    numbers = board_numbers(layout)
    meter = Meter(time.monotonic() + RATE_SECONDS, None)
    try:
        needs: Needs | None = next(
            (name for name, agent in TECHNIQUES.items() if unsolved(layout, agent, meter) is None), "guess"
        )
    except BudgetExceeded:
        needs = None
    return {"bv": numbers.bv, "openings": numbers.openings, "needs": needs}


def redraw(question: Question, limits: Limits, send: SendPart) -> RedrawnValues:
    """The mines right before a cell is opened, by the rule of ``redraw``.

    ``board`` is the player's view of the ``layout``, ``opening`` the cell. The new ``layout`` and ``shown`` are those
    of ``deal``, None if the mines stay. ``safe`` has the indices of all cells that are certainly safe by the view.
    """
    from satsweep.games.redraw import redrawn

    layout, cell, rules = layout_of(question, limits), question.fields["opening"].cell(), rules_of(question, Rules())
    analysis = analysed(question, limits)
    board = analysis.board
    refuse_part(board)
    if (board.rows, board.cols, board.topology, board.mines) != (*_size(layout), layout.topology, layout.mines):
        raise BoardError("expected a board and a layout of one grid, with one mine total")
    if cell not in board.covered or not board.clues.is_exact:
        raise BoardError(f"expected a covered cell of a board with exact clues, found {cell}")
    if not analysis.complete:
        raise BudgetExceeded("it takes too long to find out how risky this cell is")
    rng = Random(f"{question.get('seed', seed_of, '0')}/{board}")
    found = redrawn(analysis, cell, layout.is_mine(cell), rules.redraw, rng)
    safe = sorted(map(board.index, analysis.safe))
    if found is None:
        return {"layout": None, "shown": None, "safe": safe}
    return {"layout": found.cells, "shown": "".join(shown_symbol(found.number(one)) for one in board), "safe": safe}


def _size(layout: Layout) -> tuple[int, int]:
    return layout.rows, layout.cols


def _dealt(game: Game) -> DealtValues:
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
