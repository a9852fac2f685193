"""Types of answers about games, and of their parts, as in ``values``."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from satsweep.board import Cell
from satsweep.page.values import Sentence

Opened = tuple[int, str]
"""The index of a cell that a move opened, and its symbol."""
Fact = tuple[str, str]
"""A name and a value in words."""
MoveClass = Literal["start", "safe", "best guess", "good", "inaccuracy", "mistake", "blunder"]
"""The verdict on a move."""


class PictureValues(TypedDict):
    """A moving picture of a game."""

    svg: str


class SizedValues(TypedDict):
    """The size and topology of a board, with remarks on the latter."""

    rows: int
    cols: int
    topology: str
    remarks: Sequence[str]


class DealtValues(SizedValues):
    """A board to play."""

    mines: int
    layout: Sequence[str]
    shown: str
    """Symbols of all cells once they are open."""
    start: Cell
    opened: Sequence[int]
    """Indices of the cells that open first."""
    cascades: bool
    exact: bool
    """False if numbers may be wrong."""


Needs = Literal["single", "pairs", "all", "guess"]
"""The easiest technique that clears a layout."""


class RatedValues(TypedDict):
    """Technique that a layout needs; null where it takes too long to find out."""

    bv: int
    openings: int
    needs: Needs | None


class RedrawnValues(TypedDict):
    """Answer to `redraw`: the new layout and what all cells show, null if they stay."""

    layout: Sequence[str] | None
    shown: str | None
    safe: Sequence[int]
    """Indices of the cells that are certainly safe by what is shown."""


class MissedValues(TypedDict):
    """A safe cell that was not opened."""

    cell: Cell
    technique: str


class ReasonOverlookedValues(TypedDict):
    """Reason why a cell that was not opened is safe."""

    cell: Cell
    clues: Sequence[Cell]
    total: bool
    text: str
    """As in files; the page asks `explain`."""


class ReviewedChoiceValues(TypedDict):
    """A choice of the player."""

    cells: Sequence[Cell]
    risk: str
    """A fraction, as the least risk of a cell is."""
    least_risk: str
    best: Cell | None
    chosen: float | None
    possible: float | None
    loss: float | None
    exact: bool
    error: float
    missed: Sequence[MissedValues]
    reason: ReasonOverlookedValues | None


ReviewedMoveClassValues = TypedDict("ReviewedMoveClassValues", {"class": MoveClass | None})
"""The verdict on a move; null for flags, and for the other cells of a chord."""


class ReviewedMoveValues(ReviewedMoveClassValues):
    """A move of a reviewed game."""

    number: int
    action: Literal["open", "flag", "unflag", "note"]
    cell: Cell
    said: Sentence
    """The verdict in words; empty where nothing is said."""
    opened: Sequence[Opened]
    before: float | None
    """Chances to win; null where they are not known."""
    after: float | None
    technique: str | None
    numbers: int | None
    skill: float
    luck: float
    wrong_flag: NotRequired[bool]
    click_said: str
    """3BV solved after its click, throughput, and if the click was needed."""
    click: NotRequired[int]
    solved: NotRequired[int]
    not_needed: NotRequired[bool]
    """The other clicks win without its click."""
    time: float | None
    """Seconds since the start of the game."""
    seconds: float | None
    decided: NotRequired[Literal["safe", "mine"]]
    """Decision of rules that redraw mines about a guess."""
    choice: NotRequired[ReviewedChoiceValues]


ClicksSolvedValues = TypedDict("ClicksSolvedValues", {"3bv": int})
"""The 3BV of a layout."""


ClickKind = Literal["dig", "flag", "unflag", "chord"]
"""A click as players name it."""


class ClicksMadeValues(ClicksSolvedValues):
    """Clicks of a game that changed something."""

    made: int
    kinds: dict[ClickKind, int]
    solved: int
    throughput: float | None
    not_needed: int
    start: Cell | None
    """A cell that the rules opened."""


class ReviewedRulesValues(TypedDict):
    """Rules of play; some are left out at their usual value."""

    first: str
    start: Cell | None
    cascade: bool
    fatal: bool
    goal: str
    tells_total: bool
    clues: str
    redraw: NotRequired[str]


ClickAction = Literal["open", "flag", "unflag", "chord"]
"""A click."""
Click = tuple[ClickAction, Cell] | tuple[ClickAction, Cell, float]
"""A click, its cell, and perhaps seconds."""


class AskedReviewValues(TypedDict):
    """The fields that ask for a review again."""

    layout: NotRequired[str]
    rows: NotRequired[int]
    cols: NotRequired[int]
    rules: NotRequired[dict[str, object]]
    clue_seed: NotRequired[int]
    player: NotRequired[str]
    mode: NotRequired[str]
    outcome: NotRequired[str]
    moves: Sequence[Click]


class ReviewedValues(TypedDict):
    """Answer to `review_game`."""

    file: str
    number: int
    player: str
    rows: int
    cols: int
    mines: int
    topology: NotRequired[str]
    rules: ReviewedRulesValues
    mode: str
    outcome: str
    won: bool
    known: Literal["exact", "estimate", "risk"]
    start: float | None
    skill: float | None
    luck: float | None
    end: float | None
    exact: dict[str, str] | None
    pluck: float | None
    classes: dict[str, int]
    missed: dict[str, int]
    wrong_flags: Sequence[Cell]
    clicks: ClicksMadeValues | None
    """Null under rules without 3BV."""
    moves: Sequence[ReviewedMoveValues]
    layout: Sequence[str]
    facts: Sequence[Fact]
    summary: str
    """The game in a sentence or two."""
    asked: NotRequired[AskedReviewValues | None]
    """Null where no fields ask for this review again."""


class FewestClicksValues(TypedDict):
    """Answer to `fewest_clicks`; parts without better clicks have `lower` alone."""

    upper: int
    lower: int
    proved: bool
    bv: int
    made: str
    """The number of clicks of each kind, in words."""
    path: Sequence[tuple[ClickKind, int]]
    """Clicks, and the indices of their cells."""


class WatchedMoveValues(TypedDict):
    """A move of an agent's game."""

    turn: int
    action: Literal["open", "guess", "flag", "unflag", "note"]
    cell: Cell
    why: Sentence
    """The reason in words, or the numbers of the rule; empty without one."""
    rule: NotRequired[str]
    """The rule of a deduction."""
    clues: NotRequired[Sequence[Cell]]
    risk: NotRequired[str]
    opened: NotRequired[Sequence[Opened]]


class WatchedHeadValues(SizedValues):
    """Part of `watch` before the moves."""

    rules: str
    goal: str
    mines: int


class WatchedMovesValues(TypedDict):
    """Moves of an agent's game; the first ones come with its layout."""

    moves: Sequence[WatchedMoveValues]
    layout: NotRequired[Sequence[str]]


class WatchedEndValues(TypedDict):
    """The end of an agent's game."""

    outcome: str
    won: bool
    why: str
    seconds: float
    facts: Sequence[Fact]
    layout: Sequence[str]
