"""Levels of the conformance suite, with their checks, as docs/umi.md has them.

A check is a function of an ``Examined`` engine that raises AgentError with what is wrong. Boards and seeds are fixed,
so an engine always gets the same games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from satsweep.agents.engine import EngineProcess, command_named
from satsweep.agents.load import LoadedAgent
from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.clues import CLUE_KINDS, EXACT, clues_named
from satsweep.errors import AgentError
from satsweep.formats.strict import parse_json
from satsweep.games.game import play
from satsweep.games.record import Outcome, Record
from satsweep.games.rules import STANDARD_RULES, FirstClick, Goal, Redraw, Rules
from satsweep.games.setting import Setting
from satsweep.oracle.audit import RISK_TOLERANCE, audits_of_boards, audits_of_games
from satsweep.oracle.report import Audit, merged_audits
from satsweep.render import analysis_text
from satsweep.render.number_text import percent
from satsweep.topology import SHAPES, SQUARE, topology_named
from satsweep.umi.conversation import Conversation
from satsweep.umi.protocol import messages

SEED = "umi-test"
SIZES = ((1, 1, 0), (1, 12, 3), (4, 5, 3), (9, 9, 10), (6, 30, 30))
AUDITED = {Setting(8, 8, 12): 12, Setting(16, 30, 99): 4, Setting(4, 150, 90): 2}
"""Audited games: short ones, large boards, and strips with long games."""
AUDITED_VARIANTS = 2
"""Audited games of each declared variant."""
VARIANTS = {
    "untold": (Setting(6, 6, 6, replace(STANDARD_RULES, tells_total=False)),),
    "topologies": tuple(
        Setting(6, 6, 6, topology=topology_named(name))
        for name in (*(shape.example for shape in SHAPES.values() if shape.label), "square in 2 planes")
        if name != SQUARE.name
    ),
    "clues": tuple(
        Setting(6, 6, 5, replace(STANDARD_RULES, clues=clues_named(name)))
        for *_, name in (kind.examples for kind in CLUE_KINDS.values())
        if name != EXACT.kind
    ),
    "rules": (
        Setting(6, 6, 6, replace(STANDARD_RULES, fatal=False, first=FirstClick.ANY)),
        Setting(6, 6, 6, Rules(FirstClick.GIVEN, cascade=False, fatal=False, goal=Goal.FIND)),
    ),
    "redraw": tuple(Setting(6, 6, 8, Rules(redraw=redraw)) for redraw in (Redraw.FAIR, Redraw.CRUEL)),
}
"""Games of each word about rules."""
POSITIONS = (
    Board(("##1.", "##21", "####"), mines=3),
    Board(("1#1", "###", "1#1"), mines=2),
    Board(("#1.", "#2.", "#1."), mines=2),
    Board(("#####", "#2#1#", "#####"), mines=3),
    Board(("###", "#8#", "###"), mines=8),
    Board(("###", "#3#", "###"), mines=3),
)
"""Positions for answers, claims, risks and queries, beside games."""
EXACT_FIELDS = ("rows", "cols", "mines", "safe", "forced_mines", "worlds", "risk_exact")
"""Fields of an analysis that have one right value."""


@dataclass
class Examined:
    """An engine that is examined: its command, and the time for a game or an answer."""

    name: str
    seconds: float

    @contextmanager
    def playing(self) -> Iterator[EngineProcess]:
        engine = EngineProcess(self.name, self.seconds)
        try:
            yield engine
        finally:
            engine.end()

    def talking(self) -> Conversation:
        return Conversation(command_named(self.name), self.seconds)

    @cached_property
    def audits(self) -> dict[str, Audit]:
        with self.playing() as engine:
            agent = LoadedAgent(self.name, engine.fresh)
            found = {"positions": merged_audits(self.name, audits_of_boards(agent, POSITIONS))}
            declared = [setting for word in VARIANTS if word in engine.identity.can for setting in VARIANTS[word]]
            for setting, games in {**AUDITED, **dict.fromkeys(declared, AUDITED_VARIANTS)}.items():
                layouts = [setting.layout(SEED, game)[0] for game in range(games)]
                found[str(setting)] = merged_audits(self.name, audits_of_games(agent, layouts, setting.rules))
        return found


Check = Callable[[Examined], None]


class Level(NamedTuple):
    """A level: number, name, the words that declare it, and checks by title."""

    number: int
    name: str
    words: tuple[str, ...]
    checks: dict[str, Check]


def _played(engine: EngineProcess, setting: Setting, game: int = 0) -> Record:
    layout, rng = setting.layout(SEED, game)
    try:
        record = play(layout, engine.fresh(), setting.rules, rng)
    except AgentError as error:
        raise AgentError(f"on {setting}: {error}") from None
    if record.outcome is Outcome.STUCK:
        raise AgentError(f"on {setting}: expected a claim, a flag or a guess while the game goes on, found none")
    return record


def _whole_games(examined: Examined) -> None:
    with examined.playing() as engine:
        for rows, cols, mines in SIZES:
            for game in range(3):
                _played(engine, Setting(rows, cols, mines), game)


def _same_seed(examined: Examined) -> None:
    with examined.playing() as engine:
        first, second = (_played(engine, Setting(7, 9, 10), 1) for _ in range(2))
    if first != second:
        raise AgentError("expected the same moves for the same seed and layout, found others in the second game")


def _nothing_after(examined: Examined) -> None:
    with examined.talking() as engine:
        for board in POSITIONS:
            engine.ask(board, messages.Go())
            engine.expect_pong("`done`")


def _win_chances(examined: Examined) -> None:
    with examined.talking() as engine:
        for board in POSITIONS:
            found = engine.ask(board, messages.Go())
            if found.guess is None or found.wins is None:
                continue
            most = 1 - analyse(board).risk(found.guess)
            if found.wins > most + RISK_TOLERANCE:
                where = f"{found.guess} on {' / '.join(board.cells)}"
                stated, survives = percent(found.wins, False), percent(most, False)
                raise AgentError(f"{where} is no mine with {survives}, found a greater chance to win with it, {stated}")


def _nonsense(examined: Examined) -> None:
    with examined.talking() as engine:
        for text in ("xyzzy 1 2 3\n", "safe 1,1\n", "\x01 \x7f\n", f"{'x' * 100_000}\n"):
            engine.send_text(text)
            engine.expect_error(f"the line {messages.quoted(text)}")
            engine.expect_pong("an error")


def _out_of_order(examined: Examined) -> None:
    with examined.talking() as engine:
        engine.send(messages.Go())
        engine.expect_error("`go` without a board")
        engine.expect_pong("an error")
        engine.send(messages.NewGame(3, 3, 1), messages.FullPosition(("###",) * 3), messages.Go())
        engine.expect_answer("`go` after an error before the game")


def _unknown(examined: Examined) -> None:
    with examined.talking() as engine:
        engine.send(messages.SetOption("xyzzy", "1"))
        engine.expect_error("an option that it does not have")
        engine.expect_pong("an error")
        # A game is complete with the line after its rules, so the error may come with that.
        engine.send(messages.NewGame(3, 3, 1, {"xyzzy": "1"}), "ping")
        engine.expect_error("a rule that it does not know")
        if engine.reply() != "pong":
            raise AgentError("expected `pong` after an error and `ping`, found another answer")
        engine.send(messages.NewGame(3, 3, 1), messages.FullPosition(("###",) * 3), messages.Go())
        engine.expect_answer("`go` after a game that was refused")


def _blank_lines(examined: Examined) -> None:
    with examined.talking() as engine:
        engine.send_text("\n\n  \n\r\n")
        engine.expect_pong("empty lines")
        engine.send_text("ping\r\n")
        if engine.reply() != "pong":
            raise AgentError("expected `pong` after `ping` with a carriage return, found another answer")


def _idle_stop(examined: Examined) -> None:
    with examined.talking() as engine:
        engine.send("stop")
        engine.expect_pong("`stop` without `go`")


def _quit(examined: Examined) -> None:
    with examined.talking() as engine:
        engine.send("quit")
        engine.expect_end("`quit`")


def _end_of_input(examined: Examined) -> None:
    with examined.talking() as engine:
        engine.close_input()
        engine.expect_end("the end of its input")


def _changes(examined: Examined) -> None:
    with examined.playing() as engine:
        settings = (Setting(9, 9, 10), Setting(5, 8, 8))
        by_changes = [_played(engine, setting, game) for setting in settings for game in range(2)]
        engine.identity = replace(engine.identity, can=engine.identity.can - {"changes"})
        in_full = [_played(engine, setting, game) for setting in settings for game in range(2)]
    if by_changes != in_full:
        raise AgentError("expected the same game with changes as with full boards, found another one")
    with examined.talking() as talk:
        talk.send(
            messages.NewGame(2, 2, 1), messages.FullPosition(("##", "##")), messages.Changes(((Cell(9, 9), "1"),))
        )
        talk.expect_error("a change of a cell off the board")


def _stop(examined: Examined) -> None:
    with examined.talking() as engine:
        rows = ("#" * 60,) * 60
        engine.send(messages.NewGame(60, 60, 700), messages.FullPosition(rows), messages.Go(), "stop")
        engine.expect_answer("`go` after `stop`", soon=True)
        engine.expect_pong("`stop`")


def _variant(word: str) -> Check:
    def check(examined: Examined) -> None:
        with examined.playing() as engine:
            if word in engine.identity.can:
                for setting in VARIANTS[word]:
                    _played(engine, setting)

    return check


def _sound(examined: Examined) -> None:
    for place, audit in examined.audits.items():
        if audit.unsound:
            board, cell, claimed, *_ = audit.unsound[0]
            number = f"{len(audit.unsound):,} of {audit.claims:,} claims false"
            where = " / ".join(board.cells)
            raise AgentError(
                f"on {place}: expected true claims, found {number}; {cell} is not certainly {claimed} on {where}"
            )


def _complete(examined: Examined) -> None:
    for place, audit in examined.audits.items():
        if audit.found < audit.forced:
            number = f"{audit.found:,} of {audit.forced:,}"
            raise AgentError(f"on {place}: expected every certain cell to be claimed, found {number}")


def _risks(examined: Examined) -> None:
    if not any(audit.risks for audit in examined.audits.values()):
        raise AgentError("expected risks of covered cells, found none")
    for place, audit in examined.audits.items():
        if audit.wrong_risks:
            worst = max(audit.wrong_risks, key=lambda one: one.error)
            number = f"{audit.wrong_risk_cells:,} of {audit.risks:,} risks wrong"
            where = f"{worst.cell} on {' / '.join(worst.board.cells)}"
            reported, exact = percent(worst.reported, False), percent(worst.exact, False)
            raise AgentError(
                f"on {place}: expected exact risks, found {number}; that of {where} is {exact}, not {reported}"
            )


def _analysis(examined: Examined) -> None:
    with examined.talking() as engine:
        for board in POSITIONS:
            _check_analysis(board, engine.ask(board, messages.Query("analysis")).analysis or "")


def _check_analysis(board: Board, text: str) -> None:
    exact = parse_json("".join(analysis_text.to_json(analyse(board))))
    try:
        fields = parse_json(text)
        found = {key: fields[key] for key in EXACT_FIELDS}
        found.update((key, sorted(found[key])) for key in ("safe", "forced_mines"))
    except (ValueError, KeyError, TypeError):
        raise AgentError(f"expected `analysis` with a JSON object that has {', '.join(EXACT_FIELDS)}") from None
    for key, value in found.items():
        if value != exact[key]:
            given, right = (json.dumps(one)[: messages.MAX_QUOTED] for one in (value, exact[key]))
            raise AgentError(f"expected {right} as {key} of {' / '.join(board.cells)}, found {given}")


def _explanations(examined: Examined) -> None:
    texts: dict[tuple[str, ...], str] = {}
    with examined.talking() as engine:
        for board in POSITIONS:
            found = analyse(board)
            unsure = tuple(cell for cell in board.covered if 0 < found.risk(cell) < 1)
            for status, cells in (("safe", found.safe), ("a mine", found.mines), ("not certain", unsure)):
                for cell in cells[:1]:
                    because = engine.ask(board, messages.Query("explain", cell)).because
                    if not any(because):
                        raise AgentError("expected `because TEXT` after `explain`, found none")
                    other = texts.setdefault(because, status)
                    if other != status:
                        both = f"a cell that is {status} as for one that is {other}"
                        raise AgentError(f"expected an explanation, found the same text for {both}")


LEVELS = (
    Level(1, "play", (), {
        "whole games, legal answers": _whole_games,
        "the same seed, the same moves": _same_seed,
        "nothing after `done`": _nothing_after,
        "chances to win that can be": _win_chances,
    }),
    Level(2, "robust", (), {
        "nonsense": _nonsense,
        "requests out of order": _out_of_order,
        "unknown options and rules": _unknown,
        "empty lines and carriage returns": _blank_lines,
        "`stop` without `go`": _idle_stop,
        "`quit`": _quit,
        "the end of the input": _end_of_input,
    }),
    Level(3, "changes", ("changes",), {"positions as changes": _changes}),
    Level(4, "stop", ("stop",), {"an answer after `stop`": _stop}),
    Level(5, "variants", tuple(VARIANTS), {word: _variant(word) for word in VARIANTS}),
    Level(6, "sound", ("sound",), {"claims are true": _sound}),
    Level(7, "complete", ("complete",), {"certain cells are claimed": _complete}),
    Level(8, "risks", ("risks",), {"risks are exact": _risks}),
    Level(9, "queries", ("queries",), {"analysis": _analysis, "explain": _explanations}),
)  # fmt: skip
