"""Games for the page: an agent's, told move by move, and a board dealt for somebody to play."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

from satsweep.board import MINE, NUMBERS
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.formats.strict import Node
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.game import Clock, Game, record, turns
from satsweep.games.record import Action, Move, MoveReason
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.render.facts import percent, remarks
from satsweep.render.transcript import because, facts
from satsweep.text import check_start
from satsweep.web.limits import Limits
from satsweep.web.questions import Question, Said, Values

SETTING = ("rows", "cols", "mines", "topology", "clues", "seed", "first", "start", "layout")
"""What a game is played on."""

TOGETHER = 0.04
"""For so many seconds moves are gathered before they are sent."""
MOST_TOGETHER = 250
NAME = 60


def watch(question: Question, limits: Limits, say: Said) -> Values:
    """A game of an agent. Pieces have ``moves``, and one of them ``layout``; the answer tells how the game ended."""
    from satsweep.agents import agent_named, entry_named

    question.check(("agent",), (*SETTING, "goal"))
    name = question.fields["agent"].string()
    try:
        entry = entry_named(name[:NAME].partition(":")[0])
        agent = agent_named(name[:NAME])
    except ValueError as error:
        raise BoardError(str(error)) from None
    if entry.compiled:
        _compile(say)
    rng = game_rng(question.get("seed", _seed, "0"), 0)
    rules = _rules(question, entry.rules)
    game, clock = Game(_layout(question, limits, rules, rng), rules, rng), Clock()
    teller = Teller(game, say)
    say({"rules": str(rules), "mines": game.layout.mines, **_size(game.layout), "goal": rules.goal.value})
    for move in turns(game, agent, rng, clock):
        teller.tell(move)
    teller.flush()
    finished = record(game, name, clock.seconds)
    return {
        "outcome": finished.outcome.value,
        "won": finished.won,
        "why": finished.outcome.why,
        "seconds": round(clock.seconds, 3),
        "facts": [[fact, value] for fact, value in facts(finished.measures, finished.layout)],
        "layout": finished.layout.cells,
    }


def _compile(say: Said) -> None:
    from satsweep.solver.compiled import compile_kernels

    compile_kernels(lambda line: say({"compiling": line}), deep=True)


class Teller:
    """Tells the moves of a game, several at a time."""

    def __init__(self, game: Game, say: Said) -> None:
        self.game = game
        self.say = say
        self.moves: list[Values] = []
        self.told = time.monotonic()
        self.knows_layout = False

    def tell(self, move: Move) -> None:
        """Tell a move that was just made, now or a little later."""
        self.moves.append(move_values(move, self.game))
        if len(self.moves) >= MOST_TOGETHER or time.monotonic() - self.told > TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Tell what is left."""
        piece: dict[str, object] = {"moves": self.moves}
        if self.moves and not self.knows_layout:
            # With the first cell all mines have their places.
            piece["layout"] = self.game.layout.cells
            self.knows_layout = True
        self.say(piece)
        self.moves, self.told = [], time.monotonic()


def move_values(move: Move, game: Game) -> Values:
    """A move: what was done where, and why in words, with the numbers behind it; what it opened, by index."""
    cols = game.layout.cols
    told: dict[str, object] = {
        "turn": move.turn,
        "action": "guess" if move.reason is MoveReason.GUESSED else move.action.value,
        "cell": move.cell,
        "why": because(move, game.board),
    }
    if move.inference is not None and move.inference.clues:
        told["clues"] = [list(clue) for clue in move.inference.clues]
    if move.risk is not None:
        told["risk"] = percent(move.risk)
    if move.action is Action.OPEN:
        told["opened"] = [[cell[0] * cols + cell[1], _symbol(number)] for cell, number in move.revealed]
    return told


def _symbol(number: int | str | None) -> str:
    """How a board shows what a cell revealed."""
    if isinstance(number, int):
        return NUMBERS[number]
    return MINE if number is None else number


def deal(question: Question, limits: Limits, say: Said) -> Values:
    """A board to play, its mines moved away from the first cell: what every cell shows once it is open.

    ``first`` and ``start`` are needed, unless the layout has a start.
    """
    question.check((), SETTING)
    rng = game_rng(question.get("seed", _seed, "0"), 0)
    rules = _rules(question, Rules())
    game = Game(_layout(question, limits, rules, rng), rules, rng)
    if game.start is None:
        raise BoardError("expected the cell where play starts")
    move = game.open(game.start, MoveReason.START)
    layout = game.layout
    return {
        **_size(layout),
        "mines": layout.mines,
        "layout": layout.cells,
        "shown": _shown(game),
        "start": game.start,
        "opened": [cell[0] * layout.cols + cell[1] for cell, _ in move.revealed],
        "cascades": rules.cascade and rules.clues.proves_zero(0),
        "exact": rules.clues.is_exact,
    }


def _shown(dealt: Game) -> str:
    """What every cell shows, in row-major order: each is opened once in a game in which nothing ends or cascades."""
    rules = replace(dealt.rules, first=FirstClick.ANY, start=None, cascade=False, fatal=False)
    game = Game(dealt.layout, rules, Random(0), clue_seed=dealt.clue_seed)
    symbols = [_symbol(game.open(cell).revealed[0][1]) for cell in dealt.board]
    return "".join(symbols)


def _size(layout: Layout) -> Values:
    return {
        "rows": layout.rows,
        "cols": layout.cols,
        "topology": layout.topology.name,
        "remarks": list(remarks(layout.topology)),
    }


def _rules(question: Question, base: Rules) -> Rules:
    """The rules of play that a question asks for; where it says nothing, the base's."""
    rules = replace(
        base,
        first=question.get("first", lambda node: node.choice(FirstClick), base.first),
        start=question.get("start", Node.cell, base.start),
        clues=question.get("clues", lambda node: node.named(clues_named), base.clues),
    )
    goal = question.get("goal", lambda node: node.choice(Goal), base.goal)
    if goal is base.goal:
        return rules
    # What a game is about brings how it is played.
    return replace(rules, goal=goal, cascade=goal is Goal.CLEAR, fatal=goal is Goal.CLEAR)


def _layout(question: Question, limits: Limits, rules: Rules, rng: Random) -> Layout:
    """The layout that a question brings, or a random one, with a start where the rules want one."""
    fields = question.fields
    if "layout" in fields:
        for key in ("rows", "cols", "mines", "topology"):
            if key in fields:
                raise BoardError(f"expected a layout or {key}, found both")
        layout = layout_of(question, limits)
    else:
        rows, cols, mines = (question.get(key, Node.integer, 0) for key in ("rows", "cols", "mines"))
        limits.check(rows, cols)
        layout = random_layout(rows, cols, mines, rng, topology=question.get("topology", Node.string, "square"))
    if rules.start is not None:
        check_start(rules.start, layout.rows, layout.cols)
    if rules.first is FirstClick.GIVEN and rules.start is None and layout.start is None:
        return with_start(layout, rng)
    return layout


def layout_of(question: Question, limits: Limits) -> Layout:
    """The layout that a question brings."""
    layout = Layout.from_text(question.fields["layout"].string())
    limits.check(layout.rows, layout.cols)
    return layout


def _seed(node: Node) -> str:
    """A seed: a number, or any short text."""
    if type(node.value) is int:
        return str(node.integer())
    seed = node.string()
    if len(seed) > NAME:
        node.fail(f"expected a seed of at most {NAME} characters")
    return seed
