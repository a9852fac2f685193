"""Check of a corpus: proofs by checkers, every figure by a second engine.

The checkers trust no solver, and the second engines share no code with the makers: traces and certificates go to
``satsweep.proofs``; risks and worlds come from elimination in Python instead of the compiled kernels; bands from other
implementations of the provers; chances to win from the compiled search for best play instead of the one in Python; 3BV
and openings from connected components of networkx; fewest clicks from the mirror image. At last each row is made anew
from its number, if this version made the corpus.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.endgame import PlayedCell, endgame
from satsweep.assessment.estimates import CompiledSearch
from satsweep.board import COVERED, HIDDEN, NUMBER_OF, Board, Cell
from satsweep.errors import SatsweepError
from satsweep.formats.certificates import from_json
from satsweep.formats.strict import quoted
from satsweep.kernels.board_engine import BoardEngine
from satsweep.layout import Layout
from satsweep.learn.corpus.bands import PROVERS, ProvedCells, Prover, easiest, prove
from satsweep.learn.corpus.maker import BATCH, candidate_of, in_order, is_made_here, place_of
from satsweep.learn.corpus.rows import clicks_of, explained, fractions, is_key, rows_of
from satsweep.learn.corpus.tables import TABLES, Row, read, split_of, to_line
from satsweep.proofs.certificate import Certificate
from satsweep.proofs.trace import Trace, check as check_trace
from satsweep.proofs.verify import verify
from satsweep.solver.pipeline import ComponentCache
from satsweep.solver.sums import set_bits
from satsweep.why.sentences import argument_in_words
from satsweep.why.steps import Derivation, clue_bounds

ENGINE = "elimination"
"""Engine of the second opinion on risks; the makers' is compiled."""


class Fault(NamedTuple):
    """A row that is wrong: its line in the file, the column, and what was expected."""

    line: int
    column: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def _derived(*, pairs: bool) -> Prover:
    def claims(board: Board, cache: ComponentCache) -> ProvedCells:
        known = board.trusting_flags()
        derivation = Derivation(clue_bounds(known, (cell for cell in known if known[cell] in NUMBER_OF)))
        while found := list(derivation.from_one()) or (derivation.from_two() if pairs else []):
            for conclusion in found:
                derivation.add(conclusion)
        return ProvedCells(*(derivation.assigned(known.covered, mine) for mine in (False, True)))

    return claims


def _counted(*, total: bool) -> Prover:
    def claims(board: Board, cache: ComponentCache) -> ProvedCells:
        known = board.trusting_flags()
        found = analyse(known if total else Board(known.cells), engine=ENGINE)
        return ProvedCells(frozenset(found.safe), frozenset(found.mines))

    return claims


SECOND_PROVERS: dict[str, Prover] = PROVERS | {
    "single numbers": _derived(pairs=False),
    "pairs and subsets": _derived(pairs=True),
    "case distinction": _counted(total=False),
    "mine total": _counted(total=True),
}
"""The stages once more; the one between pairs and cases is as it is defined."""

Found = Iterator[tuple[str, str]]
"""Columns that are wrong, each with what was expected."""


def check(folder: Path | str, table: str, *, jobs: int | None = None) -> Iterator[tuple[int, list[Fault]]]:
    """Check a table of a folder; yield the line and the faults of each row.

    ``jobs`` processes share the rows, one for each core by default. Raises SatsweepError for a file that cannot be
    read, ValueError for a table that does not exist.
    """
    if table not in TABLES:
        raise ValueError(f"expected a table among {', '.join(TABLES)}, found {table!r}")
    path = Path(folder) / f"{table}.jsonl"
    forms: set[str] = set()
    last: tuple[int, str] = (-1, "")
    work = partial(_row_faults, table, is_made_here(path.parent))
    for (line, row), faults in in_order(work, read(path), jobs, batch=BATCH):
        form, own = str(row.get("form")), place_of(table, row)
        if form in forms:
            faults.append(("form", "expected a new form, found one of an earlier row"))
        if own is None or own <= last:
            faults.append(("id", f"expected {table}-SEED-NUMBER in rising order, found {quoted(row.get('id'))}"))
        forms.add(form)
        last = own or last
        yield line, [Fault(line, *fault) for fault in faults]


def _row_faults(table: str, made_here: bool, numbered: tuple[int, Row]) -> list[tuple[str, str]]:
    row = numbered[1]
    found = faults_of(table, row)
    if not found and made_here and place_of(table, row) is not None and row not in _made(table, row):
        found.append(("id", "expected the row that is made from its number"))
    return found


def _made(table: str, row: Row) -> list[Row]:
    seed = row["id"].removeprefix(f"{table}-").rpartition("-")[0]
    return [json.loads(to_line(made)) for made in rows_of(table, seed, candidate_of(row))]


def faults_of(table: str, row: Row) -> list[tuple[str, str]]:
    """The columns of a row that are wrong, each with what was expected."""
    names = TABLES[table].columns
    if wrong := [name for name in names if name not in row] + [name for name in row if name not in names]:
        return [(wrong[0], f"expected the columns {', '.join(names)}")]
    try:
        return [*_grid_faults(row), *_CHECKS[table](row)]
    except (SatsweepError, ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        return [("id", f"expected values that can be read: {error}")]


def _differs(row: Row, **expected: object) -> Found:
    for column, value in expected.items():
        if row[column] != value:
            yield column, f"expected {value!s:.80}, found {row[column]!s:.80}"


def _grid_faults(row: Row) -> Found:
    lines = str(row["board" if "board" in row else "layout"]).splitlines()
    yield from _differs(row, rows=len(lines), cols=len(lines[0]))
    form = _second_form(row, lines)
    yield from _differs(row, form=form, split=split_of(form))


def _second_form(row: Row, lines: list[str]) -> str:
    """The form again, by turning the grid four times and its mirror image four times."""
    grid = [list(line) for line in lines]
    if "start" in row:
        at, col = row["start"]
        grid[at][col] = "S"
    images = []
    for _ in range(2):
        for _ in range(4):
            grid = [list(line) for line in zip(*grid[::-1], strict=True)]
            images.append(["".join(line) for line in grid])
        grid = [line[::-1] for line in grid]
    return sha256("\n".join([str(row["mines"]), *min(images)]).encode()).hexdigest()[:20]


def _board_faults(row: Row) -> Found:
    layout = Layout(row["layout"].splitlines(), start=Cell.of(row["start"]))
    trace = from_json(row["trace"])
    if not isinstance(trace, Trace) or (trace.layout.cells, trace.layout.start) != (layout.cells, layout.start):
        yield "trace", "expected a trace of this layout"
    else:
        check_trace(trace)
    assert layout.start is not None
    if layout.number(layout.start) != 0:
        yield "start", "expected a start without mines around it"
    bv, openings = _second_bv(layout)
    yield from _differs(row, mines=layout.mines, bv=bv, openings=openings, band=prove(layout, SECOND_PROVERS).band)
    mirrored = Layout(
        [line[::-1] for line in layout.cells], start=Cell(layout.start.row, layout.cols - 1 - layout.start.col)
    )
    yield from _differs(row, clicks=clicks_of(mirrored))


def _second_bv(layout: Layout) -> tuple[int, int]:
    """3BV and openings, from connected components."""
    from networkx import Graph, connected_components

    table = layout.topology.neighbours(layout.rows, layout.cols)
    numbers = [layout.number(layout.cell(cell)) for cell in range(len(table))]
    graph: Graph[int] = Graph()
    zeros = {cell for cell, number in enumerate(numbers) if number == 0}
    graph.add_nodes_from(zeros)
    graph.add_edges_from((cell, other) for cell in zeros for other in table[cell] if other in zeros)
    openings = list(connected_components(graph))
    reached = zeros.union(*(table[cell] for cell in zeros))
    left = [cell for cell, number in enumerate(numbers) if number is not None and cell not in reached]
    return len(openings) + len(left), len(openings)


def _seen(row: Row) -> Board:
    return Board(row["board"].splitlines(), mines=row["mines"])


def _cells(cells: Sequence[Cell]) -> list[list[int]]:
    return [list(cell) for cell in cells]


def _risk_faults(row: Row, found: Analysis) -> Found:
    risks = {cell: found.risk(cell) for cell in found.board.covered}
    yield from _differs(row, worlds=str(found.worlds), risks=fractions(found.board, risks))


def _position_faults(row: Row) -> Found:
    found = analyse(_seen(row), engine=ENGINE)
    yield from _risk_faults(row, found)
    claimed = easiest(found.board, provers=SECOND_PROVERS)
    yield from _differs(row, safe=_cells(found.safe), mined=_cells(found.mines), band=claimed and claimed[0])


def _puzzle_faults(row: Row) -> Found:
    board, cell = _seen(row), Cell.of(row["cell"])
    certificate = from_json(row["certificate"])
    if not isinstance(certificate, Certificate):
        raise TypeError("expected a certificate, found a proof about a layout")
    verify(board, certificate)
    if [(proof.cell, proof.mine) for proof in certificate.proofs] != [(cell, row["mine"])] or certificate.uncertified:
        yield "certificate", f"expected a proof about {cell}, and no other"
        return
    found = analyse(board, engine=ENGINE)
    yield from _differs(row, safe=_cells(found.safe), mined=_cells(found.mines))
    claimed = easiest(board, provers=SECOND_PROVERS)
    yield from _differs(row, band=claimed and claimed[0])
    if not is_key(board, cell, mine=row["mine"], band=row["band"], provers=SECOND_PROVERS):
        yield "cell", "expected a cell with which weaker provers find all the others"
    shown = [other for other in board if board[other] in NUMBER_OF]
    yield from _differs(row, numbers=len(shown))
    for clue in shown:
        lines = list(board.cells)
        lines[clue.row] = lines[clue.row][: clue.col] + HIDDEN + lines[clue.row][clue.col + 1 :]
        fewer = analyse(Board(lines, mines=board.mines), engine=ENGINE)
        if cell in (fewer.mines if row["mine"] else fewer.safe):
            yield "numbers", f"expected numbers that are all needed, found {clue} that is not"
    (explanation,) = explained(board, [cell])
    argument = argument_in_words(explanation)
    yield from _differs(row, pattern=argument.rule, sentence=str(argument))


def _guess_faults(row: Row) -> Found:
    analysis = analyse(_seen(row), engine=ENGINE)
    board = analysis.board
    yield from _risk_faults(row, analysis)
    if analysis.safe or analysis.mines:
        yield "board", "expected a position in which nothing is certain"
    found = endgame(analysis)
    if found is None:
        yield "board", "expected a position with few worlds"
        return
    engine = BoardEngine(board.topology.neighbours(board.rows, board.cols), board.mines or 0)
    search = CompiledSearch(engine, found.search.cells, found.size)
    played = {board.cell(index): own for index, own in sorted(found.search.cells.items()) if own.safe}
    won = {cell: sum(map(search.value, filter(None, own.shows.values()))) for cell, own in played.items()}
    wins = {cell: Fraction(number, found.size) for cell, number in won.items()}
    win, least = max(wins.values()), analysis.least_risk
    of_least = max(wins[cell] for cell in wins if analysis.risk(cell) == least)
    yield from _differs(row, wins=fractions(board, wins), win=str(win), loss=str(win - of_least))
    yield from _differs(row, best=_cells([cell for cell in wins if wins[cell] == win]))
    dead = [cell for cell in wins if _is_dead(played, cell, found.size)]
    yield from _differs(row, dead=_cells(dead))
    for cells in row["unavoidable"]:
        if not _is_unavoidable(board, found.mined, {board.index(Cell.of(cell)) for cell in cells}):
            yield "unavoidable", f"expected cells that no play can tell apart, found {quoted(cells)}"
    listed = {frozenset(map(Cell.of, cells)) for cells in row["unavoidable"]}
    for cells in _unavoidable_sets(board, found.mined):
        if cells not in listed:
            yield "unavoidable", f"expected {_cells(sorted(cells))} among the sets, found it missing"


def _is_dead(played: Mapping[Cell, PlayedCell], cell: Cell, worlds: int) -> bool:
    """Return whether a safe cell shows one number, and settles no other cell."""
    own, everything = played[cell], (1 << worlds) - 1
    if sum(same > 0 for same in own.shows.values()) != 1:
        return False
    others = [other for place, other in played.items() if place != cell]
    return not any(other.safe & own.safe in (0, own.safe) and other.safe not in (0, everything) for other in others)


def _unavoidable_sets(board: Board, mined: Sequence[int]) -> list[frozenset[Cell]]:
    """The unavoidable sets of cells without a smaller one in them.

    Each is what the first world and another one fill differently.
    """
    found: list[set[int]] = []
    for changed in sorted((mined[0] ^ world for world in mined[1:]), key=int.bit_count):
        cells = set(set_bits(changed))
        if not any(smaller <= cells for smaller in found) and _is_unavoidable(board, mined, cells):
            found.append(cells)
    return [frozenset(map(board.cell, cells)) for cells in found]


def _is_unavoidable(board: Board, mined: Sequence[int], cells: set[int]) -> bool:
    """Return whether worlds fill some cells in two ways that look alike."""
    mask = sum(1 << cell for cell in cells)
    ways, every = {world & mask for world in mined}, set(mined)
    if len(ways) != 2 or any(world ^ mask not in every for world in mined):
        return False
    one, other = ways
    table = board.topology.neighbours(board.rows, board.cols)
    for near in {near for cell in cells for near in table[cell]} - cells:
        around = sum(1 << other for other in table[near])
        seen = board.symbols[near] == COVERED and not all(world >> near & 1 for world in mined)
        if seen and (around & one).bit_count() != (around & other).bit_count():
            return False
    return one ^ other == mask


_CHECKS: dict[str, Callable[[Row], Found]] = {
    "boards": _board_faults,
    "positions": _position_faults,
    "puzzles": _puzzle_faults,
    "guesses": _guess_faults,
}
