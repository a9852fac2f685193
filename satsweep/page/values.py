"""Types of answers to the page's questions, and of their parts.

The types of the page's modules, ``answers.d.ts``, are made from this module: docstrings and texts below fields are its
comments. Rows and columns count from 0, and an index is that of a cell in the order of reading.
"""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from satsweep.board import Cell


class BlockValues(TypedDict):
    """Cells that a sentence names together: those in all of these rows and columns."""

    rows: Sequence[int]
    cols: Sequence[int]


Sentence = Sequence[str | Cell | BlockValues]
"""Words, cells and blocks of cells."""
Win = tuple[Cell, float]
"""A cell and the chance to win with it."""


class ChanceValues(TypedDict):
    """A share between 0 and 1 with its fraction and its percentage in words."""

    win: float
    win_exact: str
    percent: str


class OddsValues(TypedDict):
    """A risk."""

    risk: float | None
    """Null where it is not known."""
    percent: str
    """In words, such as "12.5 %"."""
    exact: str | None
    """A fraction such as "1/8"; null where that is too long."""
    label: NotRequired[str]
    """Text in the cell; none where the cell is forced."""


class CandidateValues(TypedDict):
    """A cell that may be opened."""

    cell: Cell
    risk: str
    """A fraction."""
    percent: str
    progress: str | None
    """The chance that a safe cell follows, as a fraction."""
    win: float | None
    win_exact: str | None
    """Null where `win` is an estimate."""
    dead: bool
    """True if it tells nothing."""
    why: str


class UnavoidableGuessValues(TypedDict):
    """A guess that nothing will ever decide."""

    cells: Sequence[Cell]
    why: Sentence


class AdviceValues(TypedDict):
    """Cells to open."""

    kind: Literal["safe", "exact", "estimate", "risk"]
    sentence: Sentence
    """Advice in one line."""
    candidates: Sequence[CandidateValues]
    """Best first."""
    dead: Sequence[Cell]
    """Cells that tell nothing."""
    unavoidable: Sequence[UnavoidableGuessValues]
    note: NotRequired[str]
    """Reason why there are no estimates."""
    wins: NotRequired[Sequence[Win]]
    """Chances to win, best cell first, with which Python knows more of the advice."""


class AnalysisValues(TypedDict):
    """Answer to `solve`; the engine tells fractions of few worlds alone."""

    cells: Sequence[int]
    """For each cell the index into `odds`; -1 where it is open."""
    odds: Sequence[OddsValues]
    safe: int
    """The number of safe cells, as those below are."""
    mines: int
    unknown: int
    covered: int
    best: Cell | None
    advice: AdviceValues
    worlds: str
    """The number of layouts, in words."""
    expected: str | None
    remarks: Sequence[str]
    complete: bool
    seconds: float


class ImpossibleValues(TypedDict):
    """Numbers of an impossible position that contradict each other."""

    clues: Sequence[Cell]
    total: bool
    message: Sentence


class ImpossibleBoardValues(TypedDict):
    """Answer to `solve` where no world agrees with the board."""

    impossible: ImpossibleValues


class SuppositionValues(TypedDict):
    """Supposed value of a cell."""

    cell: Cell
    mine: bool


class StepValues(TypedDict):
    """One sentence of an argument, and what it is about."""

    said: Sentence
    rule: str
    clues: Sequence[Cell]
    total: bool
    supposing: Sequence[SuppositionValues]
    cells: Sequence[Cell]
    mine: bool | None


class ArgumentValues(TypedDict):
    """An argument in sentences."""

    rule: str
    text: Sentence
    steps: Sequence[StepValues]


class ReasonValues(ArgumentValues):
    """Reason why a cell is forced."""

    cell: Cell
    mine: bool
    clues: Sequence[Cell]
    total: bool
    """True if the mine total is needed."""
    smallest: bool


class UndecidedValues(TypedDict):
    """A cell that is not forced: its risk, and a layout of either kind, as rows."""

    cell: Cell
    mined: Sequence[str]
    safe: Sequence[str]
    risk: NotRequired[float | None]
    risk_percent: NotRequired[str]
    risk_exact: NotRequired[str | None]


class ExplainedValues(TypedDict, total=False):
    """The answer to `explain`, one of the two."""

    reason: ReasonValues
    undecided: UndecidedValues


class CorrectionValues(TypedDict):
    """A number of a cell, or a mine total, that makes the board possible; null covers."""

    cell: Cell | None
    shown: int | None
    instead: int | None


class ConflictValues(ArgumentValues):
    """Numbers that cannot all be true, and what would mend the board."""

    clues: Sequence[Cell]
    total: bool
    smallest: bool
    corrections: Sequence[CorrectionValues]
    as_part: str | None
    """The sides on which a larger board may have been cut; null if that helps nothing."""


class ConflictingValues(TypedDict):
    """The answer to `conflict`; null where the board is possible."""

    conflict: ConflictValues | None
    corrections_said: NotRequired[Sequence[Sentence]]
    """Each with a capital letter."""


class HintStepValues(TypedDict):
    """A step of a hint."""

    text: Sentence
    cells: NotRequired[Sequence[Cell]]
    cell: NotRequired[Cell]
    action: NotRequired[Literal["open"]]


class HintStepsValues(TypedDict):
    """The easiest next move in steps: place, numbers, conclusion, move."""

    steps: Sequence[HintStepValues]
    cell: Cell
    safe: bool


class NumberShownValues(ChanceValues):
    """A number that a cell may show."""

    number: int
    worlds: int


class CellChanceValues(ChanceValues):
    """The chance to win with a cell."""

    cell: Cell


class EndgameNodeValues(ChanceValues):
    """A position of an endgame."""

    worlds: int
    cells: Sequence[CellChanceValues]
    best: Cell | None
    cell: Cell | None
    """The cell that `numbers` are about."""
    numbers: Sequence[NumberShownValues]


class EndgameUnknownValues(TypedDict):
    """A position of which best play is not known, and why."""

    cells: None
    why: str


class GeometryValues(TypedDict):
    """Places of the cells of a board."""

    topology: str
    side: int
    width: float
    height: float
    wide: float
    high: float
    shape: Literal["square", "hexagon", "circle"]
    middles: Sequence[float]
    """x and y of one cell after the other."""
    neighbours: Sequence[Sequence[int]]
    """For each cell the indices of those that it touches."""
    most: int
    """The most neighbours of a cell."""
    ground: str
    """SVG behind the cells."""
    remarks: Sequence[str]
    """The topology in words; none for squares."""


class AgentValues(TypedDict):
    """An agent; `finds` says if it finds mines instead of opening cells."""

    name: str
    summary: str
    source: str
    finds: bool


class FormatValues(TypedDict):
    """A format of files."""

    name: str
    summary: str
    boards: bool
    layouts: bool
    written: bool
    binary: bool


class ChoiceValues(TypedDict):
    """A suggestion with its label."""

    name: str
    summary: str


class LevelValues(TypedDict):
    """A usual size."""

    rows: int
    cols: int
    mines: int


class AboutValues(TypedDict):
    """Lists and limits that the page asks for once."""

    agents: Sequence[AgentValues]
    formats: Sequence[FormatValues]
    levels: dict[str, LevelValues]
    topologies: Sequence[ChoiceValues]
    clues: Sequence[ChoiceValues]
    cells: int
    """Most cells of a board."""
    message: int
    """Most characters of a message."""
    picture: int
    """Most characters of a message with a picture; 0 if none can be read."""


class NamedRiskValues(OddsValues):
    """The risk of a named cell."""

    name: str


class FileReadValues(TypedDict):
    """The format of a file that was read."""

    format: str
    summary: str


class GridReadValues(FileReadValues):
    """Answer to `read` for a board or layout."""

    kind: Literal["board", "layout"]
    text: str
    mines: int | None


class NamedRisksValues(FileReadValues):
    """Answer to `read` for rules about named cells."""

    kind: Literal["rules"]
    impossible: NotRequired[str]
    """Reason why the rules cannot all be true."""
    cells: NotRequired[Sequence[NamedRiskValues]]
    elsewhere: NotRequired[OddsValues | None]
    """The risk of any cell without a name."""
    complete: NotRequired[bool]


class ProofReadValues(TypedDict):
    """Answer to `read` for a certificate."""

    kind: Literal["proof"]
    about: Literal["board", "layout"]
    text: str
    accepted: bool
    said: Sequence[str]


class LatticeValues(TypedDict):
    """The first cell's corner, and the size of a cell, in pixels."""

    left: float
    top: float
    width: float
    height: float


class DoubtValues(TypedDict):
    """A cell with its symbols and their probabilities."""

    cell: Cell
    symbols: Sequence[tuple[str, float]]
    """The likeliest first; "?" is a cell under something else."""


class PictureReadingValues(TypedDict):
    """Answer to `picture`."""

    board: str
    grid: LatticeValues
    doubts: Sequence[DoubtValues]
    conflict: Sequence[Cell]
    """Cells whose numbers cannot all be true."""
    part: str | None
    """The sides at which the picture may cut the board."""


class TextWrittenValues(TypedDict):
    """A board, layout or game as text; `inline` says if the page can show it."""

    text: str
    suffix: str
    inline: bool


class BytesWrittenValues(TypedDict):
    """A board or layout in a binary format."""

    base64: str
    suffix: str
