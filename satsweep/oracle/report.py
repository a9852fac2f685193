"""Results of an audit: exact counts, and a refuting world for each unsound claim."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import chain
from typing import Any, Literal, NamedTuple

from satsweep.board import Board, Cell
from satsweep.layout import Layout
from satsweep.techniques import TECHNIQUES, Technique
from satsweep.text import counted

Claim = tuple[Cell, bool]
"""A cell, and whether it is a mine."""


class Unsound(NamedTuple):
    """A claim that does not follow from the board, and a world in which it is false.

    The board is as the agent saw it, with its own flags. ``broken`` is the rule of one number that the claim breaks, in
    words; nothing where it takes more than one number to see that it is false.
    """

    board: Board
    cell: Cell
    claimed: Literal["safe", "mine"]
    world: Layout
    broken: str = ""


class Missed(NamedTuple):
    """A forced cell that the agent did not claim, on a board without flags.

    ``technique`` is that of the stage of the solver which settles it. ``satsweep.oracle.lessons`` has the argument.
    """

    board: Board
    cell: Cell
    mine: bool
    technique: Technique


class WrongRisk(NamedTuple):
    """The risk that is furthest off among those reported for a board.

    ``cells`` counts those of the board that are wrong.
    """

    board: Board
    cell: Cell
    reported: Fraction
    exact: Fraction
    cells: int = 1

    @property
    def error(self) -> Fraction:
        """Distance from the exact risk."""
        return abs(self.reported - self.exact)


class Failure(NamedTuple):
    """A game, or a given board, on which the agent failed, and how.

    ``number`` counts from 0, ``position`` is the layout or the board as text.
    """

    number: int
    position: str
    message: str


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """Results of an audit of an agent's claims and guesses.

    ``positions`` counts the boards that were analysed, ``games`` the games they come from (0 where the boards were
    given). ``forced`` counts the forced cells, ``found`` those of them that the agent found; ``forced_beyond`` and
    ``found_beyond`` count those that no number implies on its own. ``regrets`` are those of the guesses that could be
    judged; ``unjudged`` counts the guesses whose risk, or the least risk, was not known within the budget. ``risks``
    counts the risks that the agent reported, and ``wrong_risks`` has the worst of each board. ``missed`` has the forced
    cells that were not found, and ``found_by_technique`` counts the others, in the order of ``TECHNIQUES``. Games and
    boards on which the agent failed are in ``failures``, and take no part in anything else.
    """

    agent: str
    positions: int = 0
    games: int = 0
    claims: int = 0
    unsound: tuple[Unsound, ...] = ()
    forced: int = 0
    found: int = 0
    forced_beyond: int = 0
    found_beyond: int = 0
    regrets: tuple[Fraction, ...] = ()
    unjudged: int = 0
    risks: int = 0
    wrong_risks: tuple[WrongRisk, ...] = ()
    failures: tuple[Failure, ...] = ()
    missed: tuple[Missed, ...] = ()
    found_by_technique: tuple[int, ...] = (0,) * len(TECHNIQUES)

    def __repr__(self) -> str:
        faults = f"{counted(len(self.unsound), 'unsound claim')}, {counted(len(self.failures), 'failure')}"
        found = f"{self.found:,} of {counted(self.forced, 'forced cell')} found"
        return f"<Audit of {self.agent} on {counted(self.positions, 'position')}: {faults}, {found}>"

    @property
    def sound(self) -> bool:
        """True if every claim holds in every world."""
        return not self.unsound

    @property
    def completeness(self) -> Fraction | None:
        """Share of the forced cells that was found; None if none was forced."""
        return Fraction(self.found, self.forced) if self.forced else None

    @property
    def completeness_beyond(self) -> Fraction | None:
        """Completeness among forced cells that no number implies on its own."""
        return Fraction(self.found_beyond, self.forced_beyond) if self.forced_beyond else None

    @property
    def guesses(self) -> int:
        """Number of guesses, judged or not."""
        return len(self.regrets) + self.unjudged

    @property
    def mean_regret(self) -> Fraction | None:
        """Mean regret of the judged guesses; None without any."""
        return sum(self.regrets, Fraction(0)) / len(self.regrets) if self.regrets else None

    @property
    def greatest_regret(self) -> Fraction | None:
        """Greatest regret of a judged guess; None without any."""
        return max(self.regrets, default=None)

    @property
    def least_risk_guesses(self) -> int:
        """Number of judged guesses of least risk."""
        return self.regrets.count(Fraction(0))

    @property
    def wrong_risk_cells(self) -> int:
        return sum(wrong.cells for wrong in self.wrong_risks)

    @property
    def greatest_risk_error(self) -> Fraction | None:
        """Greatest distance of a reported risk from the exact one; None without any."""
        return max((wrong.error for wrong in self.wrong_risks), default=Fraction(0) if self.risks else None)


def merged_audits(agent: str, reports: Iterable[Audit]) -> Audit:
    reports = tuple(reports)
    merged: dict[str, Any] = {}
    for field in fields(Audit)[1:]:
        found = [getattr(report, field.name) for report in reports]
        if field.name == "found_by_technique":
            merged[field.name] = tuple(map(sum, zip(*[[0] * len(TECHNIQUES), *found], strict=True)))
        else:
            merged[field.name] = sum(found) if field.default == 0 else tuple(chain.from_iterable(found))
    return Audit(agent, **merged)
