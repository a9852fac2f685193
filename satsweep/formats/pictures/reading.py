"""A picture becomes a board: the stages in their order.

The picture is decoded (``decode``), lattices are found in its lines (``edges``, ``grid``) and fitted to the cells at
their rim (``rim``), cells that look the same are kinds (``cells``, ``kinds``, ``glyphs``), the rules of the game choose
what each kind means (``meaning``), numbers that contradict each other are repaired (``repair``), and the exact engine
weighs what is left in doubt (``exact``). No skin is known to it: a digit is known by its shape, a covered cell by what
the digits around it count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from satsweep.arguments import short_repr
from satsweep.board import Board, Cell
from satsweep.errors import BoardError
from satsweep.formats.pictures.cells import centred, patches
from satsweep.formats.pictures.counter import Counter, counter_above, number_of
from satsweep.formats.pictures.decode import KEPT_PIXELS, Bytes, Picture, decoded, reduced
from satsweep.formats.pictures.exact import FEW_CELLS, Posteriors, contradiction, posteriors
from satsweep.formats.pictures.extent import Extent, by_cells
from satsweep.formats.pictures.flag_counter import counter_beside_flag
from satsweep.formats.pictures.grid import Lattice, Lines, lattices
from satsweep.formats.pictures.ink import inked
from satsweep.formats.pictures.kinds import COVERED, FLAG, MINE, SYMBOLS, UNKNOWN, ZERO, Kinds, kinds_of
from satsweep.formats.pictures.meaning import MeaningSearch, possible_numbers
from satsweep.formats.pictures.rim import cut_sides, with_rim
from satsweep.part import WHOLE, Part

if TYPE_CHECKING:
    from satsweep.formats.pictures.edges import Floats

LINE_PIXELS = 2_100_000
"""Pixels above which lines are looked for in a smaller picture."""
FIRST_SAMPLED, SAMPLED = 40, 160
"""Cells of a lattice that are looked at, until one is chosen.

The first suffice if more than half are nothing known."""
MOST_OF_ALL, MOST_INKED, MOST_OF_PARTS = 6, 3, 4
"""Lattices that are looked at: of all lines, of ink, of lines of parts."""
POOR = 0.2
"""Share of cells with nothing known, from which on smaller boards are looked for."""
RIVAL, MOST_RIVALS = 0.4, 3
"""Share of the best quality, and number, of lattices elsewhere that are compared."""
USUAL_CELLS = 80
"""Cells of a small board; lattices of fewer are less likely."""
RULES = ("exact", "local", "none")
"""Rules that may decide beside looks."""
SURE = 0.98
"""Probability below which the meaning of a cell is said to be in doubt."""
CLOSED = 0.9
"""Probability of what was read at a zero beside a covered cell, at most."""
SURE_COUNT = 0.9
"""Probability of each digit of a counter whose number is told, at least."""
SEVERAL = 0.1
"""Probability that cells that were taken for one kind are several."""
TROUBLED, LEAST_TROUBLE, TROUBLE = 0.1, 1.5, 0.9
"""Share and number of wrong glyphs from which on plain cells are in doubt.

Glyphs decide what these are; the third is the probability of that then."""
PAINTED, CLEAR = 0.25, 0.5
"""Likelihood of what is no digit with which rules tell none; that of a clear look."""
TEXTURE = 0.3
"""Probability that what counts as the texture of plain cells is something drawn."""
SHOWN = 0.005
"""Probability of an alternative from which on it is named."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A board that was read from a picture, and how sure that is.

    ``board`` has flags where the picture has them; they are a player's opinion, and reasoning takes them for covered
    cells. Its ``part`` names the sides on which the picture cuts it; it has a mine total only where a counter shows one
    and no flags are there, for some games subtract these and some do not. ``grid`` says where its cells are, in
    pixels of the picture.

    ``doubts`` has the cells that may be something else: for each its symbols with their probabilities, the likeliest
    first. The symbol ``?`` is a cell under something else, which ``board`` has as covered. ``conflict`` has cells whose
    numbers cannot all be true, if no world agrees with the board: then one is misread, or the picture shows an
    impossible board. ``counter`` has for each digit of the mine counter its symbols with their probabilities; it is
    empty where no counter was found. ``unsure`` has the sides on which the board may have lines of plain cells more, or
    fewer: it ends there without a line, on a ground that looks like its zeros.
    """

    board: Board
    grid: Lattice
    doubts: Mapping[Cell, Mapping[str, float]] = field(default_factory=dict)
    conflict: tuple[Cell, ...] = ()
    counter: Counter = ()
    unsure: Part = WHOLE

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences on how the board was read."""
        rows, cols = self.board.rows, self.board.cols
        found = [f"read {rows}x{cols} cells of {self.grid.width:.0f}x{self.grid.height:.0f} pixels from the picture"]
        if self.board.part:
            found.append(f"the picture may cut the board at: {self.board.part}")
        if self.unsure:
            found.append(f"nothing shows whether there are further plain cells, or fewer, at: {self.unsure}")
        shown = number_of(self.counter, SURE_COUNT)
        if shown is not None:
            known = self.board.mines is not None
            use = "the mine total" if known else "which may leave out flags: --mines gives the total"
            found.append(f"the counter shows {shown}, {use}")
        if self.doubts:
            some = ", ".join(f"{cell} ({_named(symbols)})" for cell, symbols in list(self.doubts.items())[:MOST_NAMED])
            more = len(self.doubts) - MOST_NAMED
            found.append(f"in doubt, row,column: {some}{f' and {more} more' if more > 0 else ''}")
        if self.conflict:
            some = " ".join(map(str, self.conflict[:MOST_NAMED]))
            found.append(f"no world agrees with what was read, so a number is wrong; these cannot all be true: {some}")
        return tuple(found)

    @property
    def drawing(self) -> tuple[str, ...]:
        """Rows of the board, with [ ] around doubtful cells, < > around a conflict."""
        marks = {**dict.fromkeys(self.conflict, "<>"), **dict.fromkeys(self.doubts, "[]")}
        return tuple(
            "".join(
                f"{(around := marks.get(Cell(row, col), '  '))[0]}{symbol}{around[1]}"
                for col, symbol in enumerate(line)
            ).rstrip()
            for row, line in enumerate(self.board.cells)
        )


MOST_NAMED = 8
"""Doubtful cells that remarks name at most."""


def _named(symbols: Mapping[str, float]) -> str:
    return ", ".join(f"{symbol} {probability:.0%}" for symbol, probability in list(symbols.items())[:3])


def read_picture(picture: Picture, *, rules: str = "exact") -> Reading:
    """Read a board from a picture, of any skin, size and quality.

    ``picture`` is the name of a file, its bytes (PNG, JPEG, GIF, WebP or BMP; these need the extra ``pictures``), or an
    array of integers of rows, columns and 1, 3 or 4 colours. A cell of which the look and the rules leave more than one
    meaning is among the reading's ``doubts``. Raises BoardError for what is no picture, too large, damaged or animated,
    and where there is no board.

    ``rules`` says what decides beside looks: "exact", "local" (rules that look at one number at a time) or "none". The
    last two are there for comparison.
    """
    if rules not in RULES:
        raise ValueError(f"expected rules among {', '.join(RULES)}, found {short_repr(rules)}")
    try:
        return _read(decoded(picture), rules)
    except BoardError as error:
        if isinstance(picture, str | Path):
            error.file = error.file or str(picture)
        raise


def _read(pixels: Bytes, rules: str) -> Reading:
    kept = int(np.ceil((pixels.shape[0] * pixels.shape[1] / KEPT_PIXELS) ** 0.5))
    pixels = reduced(pixels, kept)
    (lattice, unsure), part, search, shown = _best(pixels, rules != "none")
    shares = posteriors(search, part) if rules == "exact" else Posteriors(search.posteriors(), {})
    found = _reading(search, shares, lattice.scaled(kept), part)
    return replace(
        _with_counter(found, counter_above(shown, lattice) or counter_beside_flag(shown, lattice)), unsure=unsure
    )


def _best(pixels: Bytes, rules: bool) -> tuple[Extent, Part, MeaningSearch, Floats]:
    """The lattice whose cells look most like those of a board, and their meaning."""
    factor = int(np.ceil((pixels.shape[0] * pixels.shape[1] / LINE_PIXELS) ** 0.5))
    lines = Lines.of(reduced(pixels, factor).astype(np.float32), factor)
    shown = pixels.astype(np.float32)
    found: list[tuple[float, Lattice, bool]] = []
    ways = (
        (lattices(lines), MOST_OF_ALL),
        (lattices(lines, 2), MOST_OF_PARTS),
        (inked(lines), MOST_INKED),
        (lattices(lines, 3), MOST_OF_PARTS),
    )
    for way, most in ways:
        candidates = (lattice.scaled(factor) for lattice in way)
        others = (lattice for lattice in candidates if not any(lattice.within(other) for _, other, _ in found))
        for lattice in islice(others, most):
            fitted = centred(shown, with_rim(shown, lattice, lines))
            if _quality(fitted) < RIVAL * max((quality for quality, _, _ in found), default=0.0):
                found.append((0.0, fitted, False))
                continue
            cells = patches(shown, fitted)
            kinds = kinds_of(_some(cells, FIRST_SAMPLED))
            if kinds.strange < 0.5:
                kinds = kinds_of(_some(cells, SAMPLED))
            found.append((_quality(fitted, kinds), fitted, kinds.cut < POOR and kinds.digits >= 1))
        if found and max(found, key=lambda one: one[0])[2]:
            likeliest = _likeliest(found, shown, lines, rules)
            if _has_numbers(likeliest[2]):  # a keypad may look like covered cells with drawings
                return *likeliest, shown
    if not found:
        raise BoardError("expected a picture of a board, found no grid of cells in it")
    return *_likeliest(found, shown, lines, rules), shown


def _has_numbers(search: MeaningSearch) -> bool:
    symbols = search.symbols
    return bool(((symbols > ZERO) & (symbols < FLAG)).any())


def _likeliest(
    found: list[tuple[float, Lattice, bool]], shown: Floats, lines: Lines, rules: bool
) -> tuple[Extent, Part, MeaningSearch]:
    """The best lattice, or a rival whose numbers agree better.

    Keypads and tables look like boards, but the rules of the game do not hold in them, and neither do they where cells
    have half the period.
    """
    found = sorted(found, key=lambda one: -one[0])
    best = 0.0
    looked_at: list[Lattice] = []
    for quality, lattice, _ in found:
        if quality < RIVAL * found[0][0] or len(looked_at) == MOST_RIVALS:
            break
        extent = by_cells(shown, lattice, lines)
        fitted = extent.lattice
        if not any(fitted.within(other) or other.within(fitted) for other in looked_at):
            looked_at.append(fitted)
            kinds = kinds_of(patches(shown, fitted))
            quality = _quality(fitted, kinds)
            if quality > best:
                part = cut_sides(shown, fitted)
                search = MeaningSearch(kinds, fitted.rows, fitted.cols, part, rules=rules)
                quality *= possible_numbers(search.symbols) ** 2
                if quality > best:
                    best, chosen = quality, (extent, part, search)
    return chosen


def _some(cells: Floats, most: int) -> Floats:
    """Some of the cells, in their order, always the same."""
    if len(cells) <= most:
        return cells
    return cells[np.sort(np.random.default_rng(0).permutation(len(cells))[:most])]


def _quality(lattice: Lattice, kinds: Kinds | None = None) -> float:
    """How much the cells of a lattice look like those of a board.

    ``kinds`` are those of some of its cells; without them it is the most that can be. A lattice of twice or half the
    period cuts digits, so that they are nothing known.
    """
    side = float((lattice.rows * lattice.cols * lattice.width * lattice.height) ** 0.5)
    many = float(min(1.0, lattice.rows * lattice.cols / USUAL_CELLS) ** 0.5)
    most = 1.25 * side * many * float(max(lattice.support, 0.01) ** 0.5)
    if kinds is None:
        return most
    return (
        most
        * (0.2 + 0.8 * min(1.0, kinds.digits / (0.15 * len(kinds.of))))
        * (1 - (kinds.strange + kinds.cut) / 2) ** 4
    )


def _reading(search: MeaningSearch, shares: Posteriors, lattice: Lattice, part: Part) -> Reading:
    symbols = search.symbols
    kinds = {kind: _less_sure(search, kind, meanings) for kind, meanings in shares.kinds.items()}
    rows = tuple("".join(SYMBOLS[COVERED if symbol == UNKNOWN else symbol] for symbol in row) for row in symbols)
    doubts = {}
    for index, (symbol, kind) in enumerate(zip(symbols.flat, search.kinds.of, strict=True)):
        meanings = kinds.get(int(kind), {})
        if repaired := shares.cells.get(index):
            # A cell that stays what its kind is has the doubts of this, if they are greater.
            said = meanings.get(int(symbol), 0.0) if symbol == search.meaning[kind] else 1.0
            meanings = meanings if meanings and said < repaired.get(int(symbol), 0.0) else repaired
        if symbol == UNKNOWN or (meanings and meanings.get(int(symbol), 0.0) < SURE):
            ranked = sorted(meanings.items(), key=lambda one: -one[1]) or [(UNKNOWN, 1.0)]
            cell = Cell(*divmod(index, lattice.cols))
            doubts[cell] = {SYMBOLS[one]: share for one, share in ranked if share >= SHOWN}
    _doubt_plain(search, doubts)
    board = Board(_possible(rows, part, doubts), part=part)
    _doubt_closed_zeros(board, doubts)
    return Reading(board, lattice, doubts, _conflict(board))


def _doubt_plain(search: MeaningSearch, doubts: dict[Cell, dict[str, float]]) -> None:
    """Doubt all plain cells where many of the glyphs that decide them are in doubt."""
    symbols, kinds = search.symbols, search.kinds
    cells = [Cell(*divmod(index, symbols.shape[1])) for index in range(symbols.size)]
    plain = [bool(kinds.blank[kind]) for kind in kinds.of]
    glyphs = [cell for cell, blank in zip(cells, plain, strict=True) if not blank]
    doubted = sum(1 - max(doubts[cell].values(), default=0.0) for cell in glyphs if cell in doubts)
    if doubted > max(LEAST_TROUBLE, TROUBLED * len(glyphs)):
        for cell, blank, symbol in zip(cells, plain, symbols.flat, strict=True):
            if blank and symbol in (COVERED, ZERO):
                doubts.setdefault(cell, {SYMBOLS[symbol]: TROUBLE, SYMBOLS[COVERED + ZERO - symbol]: 1 - TROUBLE})


def _with_counter(found: Reading, counter: Counter) -> Reading:
    """The reading with a counter, whose number is the mine total if there is no flag."""
    number, board = number_of(counter, SURE_COUNT), found.board
    marks = {symbol for symbols in found.doubts.values() for symbol in symbols}.union(*board.cells)
    if number and not board.part and not found.conflict and marks.isdisjoint("F*") and number <= len(board.covered):
        total = replace(board, mines=number)
        if contradiction(total) is None:
            board = total
    return replace(found, board=board, counter=counter)


def _less_sure(search: MeaningSearch, kind: int, meanings: Mapping[int, float]) -> Mapping[int, float]:
    """Probabilities of the meanings of a kind, less sure where the rules may mislead.

    The rules say much about a kind of many cells, but not that it is one kind: then each cell is what it looks like.
    They say little of what tells flags, mines and covered cells apart, and of single kinds, if several are misread.
    """
    kinds, symbol = search.kinds, search.meaning[kind]
    if not meanings:
        return meanings
    looks = search.likeness(kind) if kinds.blank[kind] else np.exp(kinds.unary[kind])
    if kinds.textured[kind]:
        looks = (1 - TEXTURE) * looks
        looks[UNKNOWN] += TEXTURE
    if kinds.sizes[kind] <= FEW_CELLS and not kinds.blank[kind]:
        # Something unknown may be a drawing on a covered cell, even if the numbers around it allow a digit.
        told_by_rules = ZERO <= symbol < FLAG and 1 - looks[ZERO + 1 : FLAG].sum() - looks[MINE] < PAINTED
        if told_by_rules or looks[symbol] >= max(looks.max(), CLEAR):
            return meanings
    return {
        other: (1 - SEVERAL) * meanings.get(other, 0.0) + SEVERAL * float(looks[other]) for other in range(len(SYMBOLS))
    }


def _doubt_closed_zeros(board: Board, doubts: dict[Cell, dict[str, float]]) -> None:
    """Doubt zeros beside covered cells, and these: few games leave them covered."""
    for cell in board:
        if board[cell] == ".":
            beside = [board.cell(index) for index in board.table[board.index(cell)] if index < board.rows * board.cols]
            covered = [one for one in beside if board[one] in ("#", "F")]
            for one in (cell, *covered) if covered else ():
                doubts.setdefault(one, {board[one]: CLOSED, "#" if board[one] == "." else ".": 1 - CLOSED})


def _possible(rows: tuple[str, ...], part: Part, doubts: dict[Cell, dict[str, float]]) -> tuple[str, ...]:
    """The rows, with numbers above their neighbours as doubtful covered cells."""
    board = Board.trusted(rows, part=part)
    found = [list(row) for row in rows]
    for cell in board:
        number = board.number(cell)
        if number is not None and number > len(board.table[board.index(cell)]):
            doubts[cell] = {"?": 1.0}
            found[cell.row][cell.col] = SYMBOLS[COVERED]
    return tuple("".join(row) for row in found)


def _conflict(board: Board) -> tuple[Cell, ...]:
    """Cells with numbers that cannot all be true; none if the board is possible."""
    error = contradiction(board)
    return () if error is None else tuple(board.cell(clue) for clue in error.clues if isinstance(clue, int))
