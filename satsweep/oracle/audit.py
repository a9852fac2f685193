"""Audits: every claim and guess of an agent, checked against the exact analysis.

A claim that a cell is safe, or a mine, is *sound* if it holds in every world of the board that the agent was given; an
unsound claim is reported with a world in which it is false. A claim about an open cell is unsound if it is false, and
no claim if it is true. *Completeness* is the share of the forced cells that the
agent found, *regret* the difference between the risk of its guess and the least risk. A risk that the agent reports, of
its guess or of any cell, is *wrong* if it is not the exact one. All of it is exact, but for ``RISK_TOLERANCE``.

The agent is audited on boards, or while it plays. The board that it is given may carry its own flags; the analysis
reads flags as covered cells, so a wrong flag is reported where it was put, and so is every claim that follows from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from satsweep.agents.load import LoadedAgent, load_agent
from satsweep.agents.views import BoardView
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.arguments import check_kind, check_seed, several
from satsweep.board import COVERED, FLAG, Board, BoardLike, Cell, refuse_part
from satsweep.errors import AgentError, AgentLate, BudgetExceeded
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.deal import game_rng
from satsweep.games.game import play
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout, LayoutLike
from satsweep.oracle.lessons import broken_rule
from satsweep.oracle.report import Audit, Claim, Failure, Missed, Unsound, WrongRisk, merged_audits
from satsweep.questions.witness import find_world
from satsweep.solver.budget import Budget
from satsweep.solver.pipeline import ComponentCache
from satsweep.techniques import TECHNIQUES, Technique
from satsweep.text import error_line

RISK_TOLERANCE = Fraction(1, 10**9)
"""Distance from the exact risk within which a reported one is right.

Agents may compute with floats.
"""
MOST_LATE = 3
"""Games or boards on which an agent may take too long, before its audit ends."""


def audit(
    agent: object,
    boards: Iterable[BoardLike],
    *,
    view: BoardView | None = None,
    seed: int | str = 0,
    budget: Budget | float | None = None,
    guesses: bool = True,
) -> Audit:
    """Audit an agent on boards, with a fresh agent for each.

    ``agent`` is a name (``gem``, ``sat:cpsat``, ``path/file.py:function``), an ``Agent``, a factory of agents, or a
    function ``board -> (safe, mines)``; with ``view="rows"`` it is given rows of integers instead of a ``Board`` (see
    ``satsweep.agents.load``).

    A board is given without its flags, which are not the agent's. ``deduce`` is called, and called again with the
    claimed mines flagged, until it adds nothing; no cell is opened, so an agent whose deductions need the numbers under
    safe cells may find less here than in a game. All its claims together are compared with the forced cells. If it
    claims no cell to be safe and has cells left, ``guess`` is called, unless ``guesses`` is False.

    ``budget``, seconds or a ``Budget``, bounds the analysis of each board. Raises Contradiction for a board without
    worlds, AgentError when the agent names cells that are not on the board, or guesses one that is not covered.

    >>> report = audit("basic", [Board(("#1.", "#2.", "#1.")), Board(("###", "###"), mines=2)])
    >>> report.sound, report.found, report.forced
    (True, 0, 3)
    """
    check_seed(seed)
    loaded = load_agent(agent, view)
    audits = audits_of_boards(
        loaded, map(Board.of, several(boards, "boards", one=Board | str)), seed=seed, budget=budget, guesses=guesses
    )
    return merged_audits(loaded.name, audits)


def audits_of_boards(
    agent: LoadedAgent,
    boards: Iterable[Board],
    *,
    seed: int | str = 0,
    budget: Budget | float | None = None,
    guesses: bool = True,
    keep_failures: bool = False,
) -> Iterator[Audit]:
    """Yield the audit of each board.

    With ``keep_failures`` an AgentError is a part of the audit, which ends where the agent has been late too often.
    """
    late = 0
    for number, board in enumerate(boards):
        agent_audit = AgentAudit(agent.name, Budget.of(budget), judges_guesses=guesses)
        with agent_audit.failing(number, board) if keep_failures else nullcontext():
            agent_audit.audit_board(agent.fresh(), board.without_flags(), game_rng(seed, number))
        yield agent_audit.report
        late += agent_audit.was_late
        if late == MOST_LATE:
            return


def audit_games(
    agent: object,
    layouts: Iterable[LayoutLike],
    rules: Rules | None = None,
    *,
    view: BoardView | None = None,
    seed: int | str = 0,
    budget: Budget | float | None = None,
) -> Audit:
    """Audit an agent while it plays a game on each layout, a fresh agent each time.

    A game consists of *episodes*, each of which ends when the agent guesses or gives up. A true claim in an episode
    counts as found. A cell counts as missed if it was forced on the board at the end of the episode and not claimed.
    Forced cells are both together; a cell that is missed in two episodes counts twice, since it could have been found
    twice. Where a game ends without a guess no cell counts as missed. A cell that is claimed to be both safe and a mine
    is flagged, and one of the two claims is unsound.

    Each guess is judged on the board as it is, except the first move where the rules promise something about it.
    ``rules`` are by default those that the agent is made for. The guesses of a function that only deduces are uniform
    draws, and these are not judged.
    """
    check_seed(seed)
    check_kind(rules, Rules | None, "Rules")
    loaded = load_agent(agent, view)
    audits = audits_of_games(
        loaded, map(Layout.of, several(layouts, "layouts", one=Layout | Board | str)), rules, seed=seed, budget=budget
    )
    return merged_audits(loaded.name, audits)


def audits_of_games(
    agent: LoadedAgent,
    layouts: Iterable[Layout],
    rules: Rules | None = None,
    *,
    seed: int | str = 0,
    budget: Budget | float | None = None,
    keep_failures: bool = False,
) -> Iterator[Audit]:
    """Yield the audit of each game, as ``audited_games`` does."""
    games = audited_games(agent, layouts, rules, seed=seed, budget=budget, keep_failures=keep_failures)
    return (audit for audit, _ in games)


def audited_games(
    agent: LoadedAgent,
    layouts: Iterable[Layout],
    rules: Rules | None = None,
    *,
    seed: int | str = 0,
    budget: Budget | float | None = None,
    keep_failures: bool = True,
) -> Iterator[tuple[Audit, Record | None]]:
    """Yield the audit of each game, and its record, None where the agent failed.

    With ``keep_failures`` an AgentError is a part of the audit, which ends where the agent has been late too often.
    """
    late = 0
    rules = agent.rules if rules is None else rules
    for number, layout in enumerate(layouts):
        agent_audit = AgentAudit(agent.name, Budget.of(budget))
        # The layout may have been drawn from game_rng(seed, number); moves must not be drawn from the same numbers.
        rng = game_rng(f"{seed}/play", number)
        record = None
        with agent_audit.failing(number, layout) if keep_failures else nullcontext():
            record = play(layout, agent_audit.audited(agent.fresh(), rules), rules, rng)
            agent_audit.report = replace(agent_audit.report, games=1)
        yield agent_audit.report, record
        late += agent_audit.was_late
        if late == MOST_LATE:
            return


def missed(agent: object, board: BoardLike, *, like: object = None, view: BoardView | None = None) -> tuple[Claim, ...]:
    """Return the forced cells of a board that an agent does not claim.

    They are in row-major order. With ``like``, another agent, only those of them that this one claims.

    >>> missed("basic", Board(("#1.", "#2.", "#1.")))
    ((Cell(row=0, col=0), True), (Cell(row=1, col=0), False), (Cell(row=2, col=0), True))
    """
    bare = Board.of(board).without_flags()
    agent_audit = AgentAudit("", Budget(), judges_guesses=False)
    agent_audit.audit_board(load_agent(agent, view).fresh(), bare, game_rng(0, 0))
    left = agent_audit.ground_truth(bare).forced.keys() - agent_audit.claimed
    if like is not None:
        other_audit = AgentAudit("", Budget(), judges_guesses=False)
        other_audit.audit_board(load_agent(like).fresh(), bare, game_rng(0, 0))
        left &= other_audit.claimed
    return tuple(sorted(left))


class GroundTruth(NamedTuple):
    """Ground truth of a position: its analysis and the claims that hold.

    ``forced`` are these claims with the technique of each, as the stages of the solver settle them.
    """

    analysis: Analysis
    forced: Mapping[Claim, Technique]

    def beyond(self, claims: Iterable[Claim]) -> int:
        """Return how many of these forced claims no number implies on its own."""
        return sum(self.forced[claim] is not Technique.SINGLE for claim in claims)


class AgentAudit:
    """Audit of an agent on one board, or in one game.

    ``report`` has the results so far, ``claimed`` all claims about covered cells so far.
    """

    def __init__(self, agent: str, budget: Budget, *, judges_guesses: bool = True) -> None:
        self.report = Audit(agent)
        self.claimed: set[Claim] = set()
        self._refuted: set[Claim] = set()
        self._budget = budget
        self._judges_guesses = judges_guesses
        self.was_late = False
        """True if it ended since the agent took too long."""
        self._cache = ComponentCache()
        self._truth: GroundTruth | None = None

    @contextmanager
    def failing(self, number: int, position: Board | Layout) -> Iterator[None]:
        """Report an AgentError as a failure, and nothing else."""
        try:
            yield
        except AgentError as error:
            self.was_late = isinstance(error, AgentLate)
            self.report = Audit(self.report.agent, failures=(Failure(number, str(position), error_line(error)),))

    def audit_board(self, agent: Agent, board: Board, rng: Random) -> None:
        refuse_part(board)
        shown = board
        while self.check_claims(shown, agent.deduce(shown)):
            shown = board.with_flags(cell for cell, mine in self.claimed if mine)
        self.count_missed(shown)
        if all(mine for _, mine in self.claimed) and any(COVERED in row for row in shown.cells):
            guess = Guess.of(agent.guess(shown, rng), shown) if self._judges_guesses else None
            self.judge_guess(shown, guess)
            self.judge_risks(shown, agent, guess)

    def audited(self, agent: Agent, rules: Rules) -> Agent:
        promise = rules.first in (FirstClick.SAFE, FirstClick.ZERO)

        def deduce(board: Board) -> Deduction:
            deduction = agent.deduce(board)
            assert isinstance(deduction, Deduction), "load_agent makes agents that return deductions"
            self.check_claims(board, deduction)
            safe, opens = (
                cells and tuple(cell for cell in cells if cell not in deduction.mines)
                for cells in (deduction.safe, deduction.opens)
            )
            return replace(deduction, safe=safe or (), opens=opens)

        def guess(board: Board, rng: Random) -> Guess | None:
            self.count_missed(board)
            guess = Guess.of(agent.guess(board, rng), board)
            opened = any(symbol not in (COVERED, FLAG) for row in board.cells for symbol in row)
            if self._judges_guesses and (opened or not promise):
                self.judge_guess(board, guess)
                self.judge_risks(board, agent, guess)
            return guess

        return Agent(deduce, guess, begin=agent.begin)

    def check_claims(self, board: Board, claims: Iterable[object]) -> int:
        """Check claims about a board, safe cells and mines; return how many are new."""
        safe, mines = claims
        # Separately: as_deduction refuses a cell claimed to be both, but here each claim is checked, and one is wrong.
        of_safe, of_mines = Deduction.of((safe, ()), board), Deduction.of(((), mines), board)
        self._refute(board, (*of_safe.refuted, *of_mines.refuted, *getattr(claims, "refuted", ())))
        made = [(cell, False) for cell in of_safe.safe] + [(cell, True) for cell in of_mines.mines]
        new = dict.fromkeys(claim for claim in made if claim not in self.claimed)
        if new:
            truth = self.ground_truth(board)
            sound = [claim for claim in new if claim in truth.forced]
            beyond = truth.beyond(sound)
            techniques = Counter(truth.forced[claim] for claim in sound)
            by_technique = zip(self.report.found_by_technique, TECHNIQUES, strict=True)
            self.report = replace(
                self.report, found_by_technique=tuple(count + techniques[one] for count, one in by_technique)
            )
            marked = [cell for cell, mine in self.claimed if mine]
            self._add(
                claims=len(new),
                unsound=tuple(unsound_claims(board, [claim for claim in new if claim not in truth.forced], marked)),
                forced=len(sound),
                found=len(sound),
                forced_beyond=beyond,
                found_beyond=beyond,
            )
            self.claimed.update(new)
        return len(new)

    def _refute(self, board: Board, claims: Iterable[Claim]) -> None:
        """Count false claims about open cells, each once."""
        if new := [claim for claim in dict.fromkeys(claims) if claim not in self._refuted]:
            self._refuted.update(new)
            self.ground_truth(board)
            self._add(claims=len(new), unsound=tuple(unsound_claims(board, new)))

    def count_missed(self, board: Board) -> None:
        """Count forced cells that were not claimed, at the end of an episode."""
        truth = self.ground_truth(board)
        left = [claim for claim in truth.forced if claim not in self.claimed]
        shown = truth.analysis.board
        missed = tuple(Missed(shown, cell, mine, truth.forced[cell, mine]) for cell, mine in left)
        self._add(forced=len(left), forced_beyond=truth.beyond(left), missed=missed)

    def judge_guess(self, board: Board, guess: Guess | None) -> None:
        """Compare the risk of a guess with the least risk.

        Giving up is not a guess, nor is a cell that was drawn for the agent.
        """
        if guess is None or guess.drawn:
            return
        regret = regret_of(self.ground_truth(board).analysis, guess.cell)
        if regret is None:
            self._add(unjudged=1)
        else:
            self._add(regrets=(regret,))

    def judge_risks(self, board: Board, agent: Agent, guess: Guess | None) -> None:
        """Compare the risks that an agent reports with the exact ones.

        They are that of its guess and those of any cells. A risk that is not known within the budget is not judged.
        """
        reported = list(agent.rates(board).items()) if agent.rates is not None else []
        if guess is not None and guess.risk is not None:
            reported.append((guess.cell, Fraction(guess.risk)))
        if not reported:
            return
        analysis = self.ground_truth(board).analysis
        unknown = {*analysis.unknown}
        known = [(cell, risk) for cell, risk in dict.fromkeys(reported) if cell not in unknown]
        found = (WrongRisk(board, cell, risk, analysis.risk(cell)) for cell, risk in known)
        wrong = [one for one in found if one.error > RISK_TOLERANCE]
        worst = [max(wrong, key=lambda one: one.error)._replace(cells=len(wrong))] if wrong else []
        self._add(risks=len(known), wrong_risks=tuple(worst))

    def ground_truth(self, board: Board) -> GroundTruth:
        """Return the ground truth of a board; that of the last board is kept."""
        bare = board.without_flags()
        if self._truth is None or self._truth.analysis.board != bare:
            analysis = analyse(bare, budget=self._budget, cache=self._cache)
            # Single numbers are read as the clue model has them. Where they may be wrong the agent basic, which takes
            # them at face value, does not define what is beyond basic.
            stages, mines = analysis.stages, {*analysis.mines}
            forced = {
                (cell, cell in mines): technique
                for technique, words in TECHNIQUES.items()
                for cell in stages[words.stage]
            }
            self._truth = GroundTruth(analysis, forced)
            self._add(positions=1)
        return self._truth

    def _add(self, **more: Any) -> None:
        self.report = replace(self.report, **{name: getattr(self.report, name) + one for name, one in more.items()})


def regret_of(analysis: Analysis, cell: Cell) -> Fraction | None:
    """Return the risk of a cell minus the least risk of all covered cells.

    None if one of them is not known within the budget.

    >>> regret_of(analyse(Board(("#1.", "##1", "###"), mines=2)), Cell(0, 0))
    Fraction(1, 2)
    """
    try:
        own = analysis.risk(cell)
    except BudgetExceeded:
        return None
    if own == 0 or analysis.safe:
        return own
    least = analysis.least_risk
    return own - least if analysis.complete and least is not None else None


def unsound_claims(board: Board, claims: Iterable[Claim], marked: Iterable[Cell] = ()) -> list[Unsound]:
    """Return claims that do not follow from a board, each with a refuting world.

    One world may refute several. ``marked`` are mines that the agent has claimed before.
    """
    marks = {*marked}
    found: list[Unsound] = []
    worlds: list[Layout] = []
    for cell, mine in claims:
        refuting = next((known for known in worlds if known.is_mine(cell) != mine), None)
        if refuting is None:
            refuting = find_world(board, {cell: not mine} if board.is_covered(cell) else {})
            assert refuting is not None, "a cell that is not forced can be either, and an open one is what it shows"
            worlds.append(refuting)
        broken = broken_rule(board, (cell, mine), marks)
        found.append(Unsound(board, cell, "mine" if mine else "safe", refuting, broken))
        marks.update([cell] if mine else [])
    return found
