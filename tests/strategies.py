"""Hypothesis strategies: layouts, boards, components, and things that are neither."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from hypothesis import settings, strategies as st

from satsweep.board import Board, Cell
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.formats import FORMATS
from satsweep.layout import Layout
from satsweep.part import SIDES, Part
from satsweep.solver.components import Component
from satsweep.solver.constraints import Constraint, exactly
from satsweep.topology import SQUARE, TOPOLOGIES, Topology, topology_named
from tests.brute_force import NUMBERS, cells_showing, touching, unseen_cells

MAX_COVERED = 12
MAX_FILLED = 11


def examples(usual: int, least: int = 8) -> settings:
    """Settings of a test that needs other than 60 examples in CI; the core tests have fewer in proportion."""
    return settings(max_examples=max(least, usual * settings().max_examples // 60))


densities = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)
WRAPPED = ("square wrapping rows", "square wrapping cols", "orthogonal wrapping both", "hexagonal wrapping cols")
STRANGE = (
    "offsets 0,1 2,-1",
    "offsets 1,1 0,2 wrapping cols",
    "square in 2 planes",
    "knight in 2 planes wrapping both",
)
CLUE_MODELS = (
    "random 1/3", "underestimate", "underestimate 2/5", "overestimate", "overestimate 1/7 cap 5", "overestimate cap 9",
)  # fmt: skip
"""Models of clues that are not exact."""
clue_models = st.sampled_from(CLUE_MODELS)


@st.composite
def topologies(draw: st.DrawFn, rows: int, cols: int) -> Topology:
    """Topologies that a grid of this size can have, graphs among them; mostly square."""
    kind = draw(st.integers(0, 5))
    if kind < 3:
        return SQUARE
    names = st.sampled_from((*TOPOLOGIES, *WRAPPED, *STRANGE))
    name = draw(graphs(rows * cols) if kind == 5 and rows * cols > 1 else names)
    topology = topology_named(name)
    try:
        topology.check(rows, cols)
    except BoardError:
        return SQUARE
    return topology


@st.composite
def graphs(draw: st.DrawFn, cells: int) -> str:
    """Any graph on some of ``cells`` cells."""
    ends = st.integers(0, cells - 1)
    edges = draw(st.sets(st.tuples(ends, ends).filter(lambda edge: edge[0] < edge[1]), min_size=1, max_size=2 * cells))
    return "edges " + " ".join(f"{one}-{other}" for one, other in sorted(edges))


@st.composite
def layouts(draw: st.DrawFn, max_cells: int = 36) -> Layout:
    """Small layouts of any density, on every topology, some of a single row or column."""
    rows = draw(st.integers(1, min(6, max_cells)))
    cols = draw(st.integers(1, max_cells // rows if rows == 1 else min(7, max_cells // rows)))
    mines = draw(st.sets(st.integers(0, rows * cols - 1), max_size=draw(st.integers(0, rows * cols))))
    grid = ["".join(".*"[row * cols + col in mines] for col in range(cols)) for row in range(rows)]
    start = draw(st.none() | st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)))
    return Layout(grid, start=start, topology=draw(topologies(rows, cols)))


def cascade(layout: Layout, start: tuple[int, int]) -> set[Cell]:
    """Cells that open with a safe cell.

    Around a cell without neighbouring mines all cells open too.
    """
    board = Board(("#" * layout.cols,) * layout.rows, topology=layout.topology)
    opened: set[Cell] = set()
    waiting = [Cell(*start)]
    while waiting:
        cell = waiting.pop()
        if cell not in opened:
            opened.add(cell)
            if not layout.is_mine(cell) and not any(map(layout.is_mine, touching(board, cell))):
                waiting.extend(touching(board, cell))
    return opened


@st.composite
def boards(draw: st.DrawFn, max_covered: int = MAX_COVERED, max_cells: int = 36) -> Board:
    """Boards seen from a layout, so that at least one world agrees with them.

    Cells are opened at random or by cascades. Opened mines are known mines, some covered cells are flagged (rightly
    or not), and of the mines the true total is known, or a density, or nothing.
    """
    layout = draw(layouts(max_cells))
    cells = [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    order = draw(st.permutations(cells))
    opened: set[Cell] = set()
    if draw(st.booleans()):
        for start in order[: draw(st.integers(0, 2))]:
            opened |= cascade(layout, start)
    else:
        opened |= set(order[: draw(st.integers(0, len(cells)))])
    spare_mines = draw(st.booleans())
    waiting = [cell for cell in order if cell not in opened]
    if spare_mines:
        waiting.sort(key=layout.is_mine)
    opened |= set(waiting[: max(0, len(waiting) - max_covered)])
    board = layout.board(opened)
    flags = draw(st.sets(st.sampled_from(cells), max_size=3))
    return draw(priors(board.with_flags(filter(board.is_covered, flags))))


CUT = (SQUARE.name, SQUARE.name, "orthogonal", "hexagonal", "knight", "square wrapping cols", "offsets 0,1 2,-1")


@st.composite
def parts(draw: st.DrawFn, max_covered: int = MAX_COVERED) -> Board:
    """Parts of larger boards, with at least one world; unseen cells count as covered."""
    topology = topology_named(draw(st.sampled_from(CUT)))
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    sides = draw(st.lists(st.sampled_from([side for side in SIDES if getattr(topology.sides, side)]), unique=True))
    blank = Board(["#" * cols] * rows, topology=topology, part=",".join(sides) or "none")
    while len(unseen_cells(blank)) >= max_covered:
        blank = replace(blank, part=Part(**dict.fromkeys(sides := sides[1:], True)))
    unseen = unseen_cells(blank)
    mines = draw(st.sets(st.sampled_from([*blank, *unseen])))
    order = draw(st.permutations(list(blank)))
    covered = {*order[: min(len(order), max_covered - len(unseen))]}
    covered -= draw(st.sets(st.sampled_from(order)))
    symbols = {
        cell: draw(st.sampled_from("#####F"))
        if cell in covered
        else "*"
        if cell in mines
        else NUMBERS[len(touching(blank, cell) & mines)]
        for cell in blank
    }
    board = replace(blank, cells=tuple("".join(symbols[Cell(row, col)] for col in range(cols)) for row in range(rows)))
    elsewhere = draw(st.integers(0, 3)) if board.part else 0
    return draw(priors(replace(board, mines=len(mines) + elsewhere)))


@st.composite
def wrong_parts(draw: st.DrawFn) -> Board:
    """Small parts with one number, or the total, that may be wrong."""
    board = draw(parts(max_covered=10))
    numbers = cells_showing(board, "." + NUMBERS)
    if not numbers or (board.mines is not None and draw(st.booleans())):
        return replace(board, mines=draw(st.integers(0, 4)), density=None) if board.part else board
    cell = draw(st.sampled_from(numbers))
    rows = list(map(list, board.cells))
    rows[cell.row][cell.col] = NUMBERS[draw(st.integers(0, len(touching(board, cell))))]
    return replace(board, cells=tuple("".join(row) for row in rows))


@st.composite
def unreliable_boards(draw: st.DrawFn, max_covered: int = MAX_COVERED, max_cells: int = 36) -> Board:
    """Boards with inexact numbers, seen from a layout.

    At least one world agrees with each.
    """
    board = draw(boards(max_covered, max_cells))
    clues = clues_named(draw(clue_models))
    rows = list(map(list, board.cells))
    for cell in cells_showing(board, "." + NUMBERS):
        around = len(touching(board, cell))
        choice = st.sampled_from([shown for shown, _ in clues.shown(board.number(cell) or 0, around)])
        shown = draw(choice)
        rows[cell.row][cell.col] = "?" if shown is None else NUMBERS[shown]
    return replace(board, cells=tuple("".join(row) for row in rows), clues=clues)


def priors(board: Board) -> st.SearchStrategy[Board]:
    """The board with its total, with a density, or with nothing known about its mines."""
    density = densities.map(lambda density: replace(board, mines=None, density=density))
    return st.one_of(st.just(board), density, st.just(replace(board, mines=None)))


@st.composite
def arbitrary_boards(draw: st.DrawFn, max_cells: int = MAX_COVERED, symbols: str = "###F*?.12345678") -> Board:
    """Boards of any symbols that a board may show; most of them contradict themselves."""
    rows = draw(st.integers(1, 4))
    cols = draw(st.integers(1, max_cells // rows))
    topology = draw(topologies(rows, cols))
    blank = Board(("#" * cols,) * rows, topology=topology)
    grid = []
    for row in range(rows):
        most = [len(touching(blank, (row, col))) for col in range(cols)]
        allowed = ([s for s in symbols if not s.isdigit() or int(s) <= limit] for limit in most)
        grid.append("".join(draw(st.sampled_from(choice)) for choice in allowed))
    mines = draw(st.none() | st.integers(0, rows * cols))
    density = draw(st.none() | densities) if mines is None else None
    return Board(grid, mines=mines, density=density, topology=topology)


@st.composite
def nearly_true_boards(draw: st.DrawFn) -> Board:
    """Boards seen from a layout, with one number or the total off by one."""
    board = draw(boards(max_covered=10))
    blank = Board(("#" * board.cols,) * board.rows, topology=board.topology)
    numbers = cells_showing(board, "." + NUMBERS)
    if not numbers or (board.mines is not None and draw(st.booleans())):
        mines = (board.mines or 0) + draw(st.sampled_from((-1, 1)))
        return Board(board.cells, mines=min(max(mines, 0), board.rows * board.cols), topology=board.topology)
    cell = draw(st.sampled_from(numbers))
    number = (board.number(cell) or 0) + draw(st.sampled_from((-1, 1)))
    number = min(max(number, 0), len(touching(blank, cell)))
    rows = list(map(list, board.cells))
    rows[cell.row][cell.col] = NUMBERS[number]
    return Board(("".join(row) for row in rows), mines=board.mines, density=board.density, topology=board.topology)


def likelihoods(mines: int, cells: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Weights of 0, 1, ... mines in a constraint; mostly, ``mines`` has a weight.

    They are exact, between bounds, or weighted with gaps.
    """
    weights = st.lists(st.sampled_from((0, 0, 1, 1, 2, 5, 1000)), max_size=cells + 2).map(tuple)
    true = st.builds(
        lambda weighed, weight: tuple(
            weight if k == mines else w for k, w in enumerate((*weighed, *[0] * (mines + 1)))
        ),
        weights,
        st.integers(1, 9),
    )
    between = st.builds(
        lambda low, high, weight: (0,) * low + (weight,) * (high - low + 1),
        st.integers(0, mines),
        st.integers(mines, cells),
        st.sampled_from((1, 1, 4)),
    )
    false = st.integers(0, cells + 1).map(exactly)
    return st.one_of(*[st.just(exactly(mines))] * 4, true, true, between, between, weights, false)


@st.composite
def components(draw: st.DrawFn, max_cells: int = MAX_FILLED, exact: bool = False) -> Component:
    """Connected components, most of them possible.

    Groups have one to four cells; constraints are exact or weighted.
    """
    sizes: list[int] = draw(st.lists(st.integers(1, 4), min_size=1, max_size=8))
    while sum(sizes) > max_cells:
        sizes.pop()
    groups = range(len(sizes))
    scopes = draw(st.lists(st.sets(st.sampled_from(groups), min_size=1), min_size=1, max_size=6))
    reached = set(scopes[0])
    while reached != set(groups):
        further = set().union(*(scope for scope in scopes if scope & reached)) - reached
        reached |= further
        if not further:
            stranger = min(set(groups) - reached)
            draw(st.sampled_from([scope for scope in scopes if scope & reached])).add(stranger)
    held = [draw(st.integers(0, size)) for size in sizes]
    constraints = []
    for scope in scopes:
        mines, cells = sum(held[group] for group in scope), sum(sizes[group] for group in scope)
        likelihood = exactly(mines) if exact else draw(likelihoods(mines, cells))
        constraints.append(Constraint(tuple(sorted(scope)), likelihood))
    return Component(tuple(sizes), tuple(constraints))


def written(value: Board | Layout) -> dict[str, str]:
    """A board or layout in every format that can hold it."""
    texts = {}
    for name, format in FORMATS.items():
        with suppress(BoardError):
            texts[name] = format.write(value)
    return texts


@st.composite
def malformed_texts(draw: st.DrawFn) -> str:
    """Texts that may or may not be a board or layout.

    They are random, or valid files with random changes.
    """
    alphabet = st.sampled_from(
        list('#.12345678*F0 \n\r\t/{}[]",:-eE\\u\ufeff')
        + ["mines ", "board", "density ", "null", '"dim": "2,3"', '"safe": ']
    )
    if draw(st.integers(0, 3)) == 0:
        return draw(st.one_of(st.text(max_size=40), st.lists(alphabet, max_size=40).map("".join)))
    value = draw(st.one_of(boards(), layouts()))
    text = draw(st.sampled_from(list(written(value).values())))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        end = min(len(text), place + draw(st.integers(0, 6)))
        text = text[:place] + draw(st.one_of(st.just(""), alphabet, st.text(max_size=3))) + text[end:]
    return text


def malformed_bytes() -> st.SearchStrategy[bytes]:
    """Bytes that may or may not be a file.

    They are random, or malformed texts with a few bytes inserted.
    """

    def spliced(text: str, place: int, extra: bytes) -> bytes:
        content = text.encode("utf-8", "surrogatepass")
        place %= len(content) + 1
        return content[:place] + extra + content[place:]

    return st.one_of(
        st.binary(max_size=60), st.builds(spliced, malformed_texts(), st.integers(0, 1 << 16), st.binary(max_size=3))
    )
