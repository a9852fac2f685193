"""Games for the page: an agent's, move by move, and moving pictures of games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import cast

from satsweep.assessment.review import turns_of
from satsweep.errors import BoardError
from satsweep.formats.clicks import CHORD, ClickedGame
from satsweep.formats.records import rule_of, rules_of as rules_of_play, seconds_of
from satsweep.formats.strict import Node
from satsweep.games.agent import Agent, Thinking
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.game import Game, play_moves, record
from satsweep.games.modes import mode_named
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record
from satsweep.games.rules import RULES, FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.page.game_values import (
    Click,
    ClickAction,
    PictureValues,
    SizedValues,
    WatchedEndValues,
    WatchedHeadValues,
    WatchedMovesValues,
    WatchedMoveValues,
)
from satsweep.page.questions import Limits, Question, SendPart
from satsweep.render.board_text import variant_remarks
from satsweep.render.game_animation import animated_svg
from satsweep.render.number_text import percent
from satsweep.render.page_values import shown_symbol, with_parts
from satsweep.render.transcript import clues_text, measure_facts, reason_text
from satsweep.text import check_start, printable

BATCH_SECONDS = 0.04
"""Moves are gathered for this time before they are sent together."""
PROGRESS_SECONDS = 0.1
"""Seconds between two reports of the progress of a search."""
BATCH_MOVES = 250
"""Most moves that are sent together."""
MAX_NAME = 60
"""Most characters of an agent's name or a seed."""


def watch(question: Question, limits: Limits, send: SendPart) -> WatchedEndValues:
    """An agent's game: parts with ``moves`` and, once, ``layout``; then its outcome."""
    finished = _played(question, limits, send, MoveStream)
    return {
        "outcome": finished.outcome.value,
        "won": finished.won,
        "why": finished.outcome.why,
        "seconds": round(finished.seconds, 3),
        "facts": list(measure_facts(finished.measures, finished.layout)),
        "layout": finished.layout.cells,
    }


def animate(question: Question, limits: Limits, send: SendPart) -> PictureValues:
    """A game as a moving picture: an agent's, played again, or the moves of the user.

    ``moves`` are those of ``played_by_user``.
    """
    if "moves" in question.fields:
        return {"svg": "".join(animated_svg(played_by_user(question, limits)))}
    return {"svg": "".join(animated_svg(_played(question, limits, send, Heartbeat)))}


def _played(question: Question, limits: Limits, send: SendPart, streamed: type[Heartbeat]) -> Record:
    name = question.fields["agent"].string()
    with _agent(name[:MAX_NAME], limits) as (agent, made_for):
        return _played_by(agent, made_for, question, limits, send, streamed)


@contextmanager
def _agent(name: str, limits: Limits) -> Iterator[tuple[Agent, Rules]]:
    """An agent, and the rules that it was made for.

    Commands are those that the server was started with, never a client's.
    """
    from satsweep.agents import agent_named, entry_named
    from satsweep.agents.isolated import isolated

    if name in limits.engines:
        with isolated(limits.engines[name], limits.playing, keep=True) as engine:
            yield engine.fresh(), engine.rules
        return
    try:
        entry = entry_named(name.partition(":")[0])
        agent = agent_named(name)
    except ValueError as error:
        raise BoardError(str(error)) from None
    yield agent, entry.rules


def _played_by(
    agent: Agent,
    made_for: Rules,
    question: Question,
    limits: Limits,
    send: SendPart,
    streamed: type[Heartbeat],
) -> Record:
    rng = game_rng(question.get("seed", seed_of, "0"), 0)
    rules = rules_of(question, made_for)
    game, thinking = Game(layout_for(question, limits, rules, rng), rules, rng), Thinking()
    moves = streamed(game, send)
    moves.begin()
    for move in play_moves(game, agent, rng, thinking):
        moves.add(move)
    moves.flush()
    return record(game, question.fields["agent"].string(), thinking.seconds, thinking.evaluations)


def played_by_user(question: Question, limits: Limits) -> Record:
    """The game of a person's clicks.

    The board is the one that ``deal`` gave, or a layout with all ``rules`` of play, perhaps in a ``mode``. A click is
    an action, a cell and perhaps seconds. Those that change nothing are passed over, and all that comes after the end.
    """
    clicked = _new_game(question, limits)
    game, layout = clicked.game, clicked.game.layout
    actions = {"open": clicked.open, "flag": clicked.flag, "unflag": clicked.unflag, "chord": clicked.chord}
    for node in question.fields["moves"].items():
        action, place, *times = node.items() if len(node.items()) in (2, 3) else node.fail(_CLICK)
        if action.string() not in actions:
            action.fail(f"expected one of {', '.join(actions)}")
        cell = place.cell()
        if cell.row >= layout.rows or cell.col >= layout.cols:
            place.fail(f"expected a cell of the {layout.rows}x{layout.cols} grid, found {cell}")
        actions[action.string()](cell, seconds_of(times[0]) if times else None)
    game.stop(question.get("outcome", lambda node: node.choice(Outcome), Outcome.STOPPED))
    seconds = max((move.time or 0.0 for move in game.moves), default=0.0)
    found = record(game, question.get("player", Node.string, "a person")[:MAX_NAME], seconds)
    return replace(found, mode=mode_named(question.get("mode", Node.string, "")))


_CLICK = "expected an action and a cell, and perhaps seconds"


def _new_game(question: Question, limits: Limits) -> ClickedGame:
    """The game of a question before its first click."""
    fields = question.fields
    if "rules" in fields:
        layout, rules = layout_of(question, limits), rules_in(fields["rules"])
        seed = question.get("clue_seed", Node.integer, 0)
        return ClickedGame(layout, rules, Game(layout, rules, clue_seed=None if rules.clues.is_exact else seed))
    rng = game_rng(question.get("seed", seed_of, "0"), 0)
    rules = rules_of(question, Rules())
    layout = layout_for(question, limits, rules, rng)
    # The user may have set flags before the first cell was opened.
    rules = replace(rules, start=None)
    return ClickedGame(layout, rules, Game(layout, rules, rng))


def rules_in(node: Node) -> Rules:
    """All rules of play in a question."""
    if not isinstance(node.value, dict):
        node.fail("expected 'rules' as a JSON object")
    return rules_of_play(node)


def clicks_of(record: Record) -> list[Click]:
    """The clicks that make the moves of a record, as ``played_by_user`` reads them."""
    clicks: list[Click] = []
    for turn in turns_of(record.moves):
        move = turn[0]
        if move.reason is not MoveReason.START:
            chord = move.inference if move.inference is not None and move.inference.rule == CHORD else None
            action, cell = ("chord", chord.clues[0]) if chord else (move.action.value, move.cell)
            click = cast(ClickAction, action), cell
            clicks.append(click if move.time is None else (*click, round(move.time, 3)))
    return clicks


class Heartbeat:
    """Sends empty parts during a game, which end it once the page is gone."""

    def __init__(self, game: Game, send: SendPart) -> None:
        self.game = game
        self.send = send
        self.sent = time.monotonic()

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self.sent > BATCH_SECONDS

    def begin(self) -> None:
        self.send({})

    def add(self, move: Move) -> None:
        if self.is_due:
            self.flush()

    def flush(self) -> None:
        self.send({})
        self.sent = time.monotonic()


class MoveStream(Heartbeat):
    """Sends the moves of a game in batches."""

    def __init__(self, game: Game, send: SendPart) -> None:
        super().__init__(game, send)
        self.moves: list[WatchedMoveValues] = []
        self.sent_layout = False

    def begin(self) -> None:
        rules, layout = self.game.rules, self.game.layout
        head: WatchedHeadValues = {
            **size_values(layout), "rules": str(rules), "mines": layout.mines, "goal": rules.goal.value
        }  # fmt: skip
        self.send(head)

    def add(self, move: Move) -> None:
        self.moves.append(move_values(move, self.game))
        if len(self.moves) >= BATCH_MOVES or self.is_due:
            self.flush()

    def flush(self) -> None:
        part: WatchedMovesValues = {"moves": self.moves}
        if self.moves and not self.sent_layout:
            # The first cell fixes the places of all mines.
            part["layout"] = self.game.layout.cells
            self.sent_layout = True
        self.send(part)
        self.moves, self.sent = [], time.monotonic()


def move_values(move: Move, game: Game) -> WatchedMoveValues:
    """A move as an answer: action, cell, reason in words, its numbers, opened cells."""
    cols = game.layout.cols
    told: WatchedMoveValues = {
        "turn": move.turn,
        "action": "guess" if move.reason is MoveReason.GUESSED else move.action.value,
        "cell": move.cell,
        "why": with_parts(clues_text(move.inference, game.board) if move.inference else reason_text(move, game.board)),
    }
    if move.inference is not None:
        told["rule"] = printable(f"{move.inference.rule}")
        if move.inference.clues:
            told["clues"] = list(move.inference.clues)
    if move.risk is not None:
        told["risk"] = percent(move.risk)
    if move.action is Action.OPEN:
        told["opened"] = [(cell[0] * cols + cell[1], shown_symbol(number)) for cell, number in move.revealed]
    return told


def size_values(layout: Layout) -> SizedValues:
    return {
        "rows": layout.rows,
        "cols": layout.cols,
        "topology": layout.topology.name,
        "remarks": list(variant_remarks(layout.topology)),
    }


def rules_of(question: Question, base: Rules) -> Rules:
    """The rules of play in a question; the base's where it has none."""
    asked = {
        name: rule_of(node, name) for name, node in question.fields.items() if name in RULES and node.value is not None
    }
    rules = replace(base, **asked)
    goal = rules.goal
    if goal is base.goal:
        return rules
    # The goal decides about cascades, and about whether a mine ends the game.
    return replace(rules, goal=goal, cascade=goal is Goal.CLEAR, fatal=goal is Goal.CLEAR)


def layout_for(question: Question, limits: Limits, rules: Rules, rng: Random) -> Layout:
    """The layout of a question, or a random one, with a start if the rules need one."""
    fields = question.fields
    if "layout" in fields:
        layout = layout_of(question, limits)
    else:
        rows, cols, mines = (fields[key].integer() for key in ("rows", "cols", "mines"))
        limits.check(rows, cols)
        layout = random_layout(rows, cols, mines, rng, topology=question.get("topology", Node.string, "square"))
    if rules.start is not None:
        check_start(rules.start, layout.rows, layout.cols)
    if rules.first is FirstClick.GIVEN and rules.start is None and layout.start is None:
        return with_start(layout, rng)
    return layout


def layout_of(question: Question, limits: Limits) -> Layout:
    layout = Layout.from_text(question.fields["layout"].string())
    limits.check(layout.rows, layout.cols)
    return layout


def seed_of(node: Node) -> str:
    """A seed: a number, or any short text."""
    if type(node.value) is int:
        return str(node.integer())
    seed = node.string()
    if len(seed) > MAX_NAME:
        node.fail(f"expected a seed of at most {MAX_NAME} characters")
    if not seed.isascii() and any("\ud800" <= character <= "\udfff" for character in seed):
        node.fail("expected a seed of whole characters, found half of a surrogate pair")
    return seed
