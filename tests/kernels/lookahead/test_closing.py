"""Closing 50/50s: exchanges by their definition, what opening a cell saves by counting worlds."""

from collections import Counter
from itertools import combinations
from math import exp, prod

import numpy as np
import pytest

from satsweep import analyse
from satsweep.board import Board
from satsweep.kernels.api import Depth, _workspace, advise
from satsweep.kernels.lookahead import closing
from satsweep.kernels.lookahead.closing import LEAST, MOST_RING, MOST_SAVED, find_exchanges
from satsweep.kernels.position.solver import set_table
from satsweep.kernels.record import WORK
from satsweep.kernels.shared.memory import COVERED
from satsweep.topology import SQUARE, TORUS, Topology
from tests.kernels.boards import HEXAGONS, KNIGHTS, WIDE, stuck, symbols_of, table, table_of
from tests.kernels.lookahead.test_deep import LEVELS, endgames

pytestmark = pytest.mark.extended

CROSS = Topology("cross", ((0, 1), (0, -1), (1, 0), (-1, 0)))
ONLY_CLOSING = Depth(worlds=0, closing=1)
Exchange = tuple[frozenset[frozenset[int]], frozenset[int]]
"""Exchange: its two halves and its ring."""


def exchanges(topology: Topology, rows: int, cols: int) -> set[Exchange]:
    """All exchanges of a board, by the definition, every pair of pairs tried."""
    around = [frozenset(cells) for cells in topology.neighbours(rows, cols)]
    pairs = [frozenset(pair) for pair in combinations(range(len(around)), 2)]
    common = {pair: frozenset.intersection(*(around[cell] for cell in pair)) for pair in pairs}
    halves = [(frozenset([one]), frozenset([other])) for one, other in map(sorted, pairs)
              if other in around[one] or common[frozenset([one, other])]]  # fmt: skip
    halves += [
        (pair, common[pair]) for pair in pairs if common.get(common[pair]) == pair and min(pair) < min(common[pair])
    ]
    found = set()
    for first, second in halves:
        tilt = Counter(near for cell in first for near in around[cell])
        tilt.subtract(near for cell in second for near in around[cell])
        ring = frozenset(cell for cell in tilt if tilt[cell]) - first - second
        if len(ring) <= MOST_RING:
            found.add((frozenset([first, second]), ring))
    return found


def listed(w: np.void) -> list[Exchange]:
    """The exchanges of the working record."""
    found, at = [], 0
    for cell in range(w["cells"]):
        assert at == w["exchange_at"][cell]
        while at < w["exchange_at"][cell + 1]:
            half, ring = map(int, w["exchange"][at : at + 2])
            cells = w["exchange"][at + 2 : at + 2 + 2 * half + ring].tolist()
            assert cells[0] == cell == min(cells[: 2 * half])
            halves = frozenset([frozenset(cells[:half]), frozenset(cells[half : 2 * half])])
            found.append((halves, frozenset(cells[2 * half :])))
            at += 2 + 2 * half + ring
    return found


@pytest.mark.parametrize(
    "topology", [SQUARE, TORUS, HEXAGONS, KNIGHTS, WIDE, CROSS], ids=lambda topology: topology.name
)
def test_exchanges_of_a_board(topology: Topology) -> None:
    for rows, cols in ((7, 8), (1, 6), (2, 9), (5, 5)):
        advise(np.full(rows * cols, COVERED, np.int8), table(topology, rows, cols), rows * cols // 3, ONLY_CLOSING)
        found = listed(_workspace().fields)
        assert len(found) == len(set(found))
        assert set(found) == exchanges(topology, rows, cols)


def test_blocks_of_squares_are_crossed_pairs() -> None:
    blocks = [halves for halves, _ in exchanges(SQUARE, 6, 7) if len(next(iter(halves))) == 2]
    assert len(blocks) == 5 * 6
    for block in blocks:
        rows, cols = zip(*(divmod(cell, 7) for half in block for cell in half), strict=True)
        assert max(rows) - min(rows) == max(cols) - min(cols) == 1


def test_a_list_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exchanges that do not fit are left out."""
    monkeypatch.setattr(closing, "EXCHANGES", 300)
    w = np.zeros(1, WORK).view(np.recarray)[0]
    set_table(w, table(SQUARE, 7, 8))
    find_exchanges(w)
    assert w.exchange_at[56] <= 300
    assert len(listed(w)) > 10 and set(listed(w)) < exchanges(SQUARE, 7, 8)


def apart(board: Board, risks: dict[int, float]) -> list[tuple[list[frozenset[int]], frozenset[int]]]:
    """The exchanges that may close: halves, and the covered cells of the ring."""
    symbols = board.symbols
    found = []
    for halves, ring in exchanges(board.topology, board.rows, board.cols):
        if all(symbols[cell] == "#" for half in halves for cell in half) and all(
            symbols[cell] in "#*" for cell in ring
        ):
            missing = frozenset(cell for cell in ring if symbols[cell] == "#")
            if prod(risks[cell] for cell in missing) >= LEAST:
                found.append((sorted(halves, key=sorted), missing))
    return found


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
def test_what_opening_a_cell_saves(topology: Topology) -> None:
    """Exact within one component without a sea: worlds in which an exchange is closed."""
    told = settled = 0
    for board, worlds in endgames((5, 5, 8), topology, 400) + endgames((3, 8, 7), topology, 400):
        assert board.mines is not None
        answer = analyse(board)
        tally = answer.stage_results().counted
        if len(tally.parts) != 1 or tally.frontier.sea:
            continue
        risks = {board.index(cell): float(answer.risk(cell)) for cell in board.covered}
        lost: Counter[int] = Counter()
        sure = set()
        for (first, second), missing in apart(board, risks):
            counts = [sum(mined | missing <= {*world} and not safe & {*world} for world in worlds)
                      for mined, safe in ((first, second), (second, first))]  # fmt: skip
            assert counts[0] == counts[1], "no world is told from its twin"
            for cell in first | second | missing:
                lost[cell] += counts[0]
                if cell not in missing and counts[0] == sum(cell in world for world in worlds):
                    sure.add(cell)
        advise(symbols_of(board), table_of(board), board.mines, ONLY_CLOSING)
        w = _workspace().fields
        for cell in risks:
            assert w["saved"][cell] == pytest.approx(lost[cell] / len(worlds), rel=1e-9)
            assert w["settled"][cell] == (cell in sure)
            told += lost[cell] > 0
            settled += cell in sure
    assert told > 5 and (settled or topology != SQUARE)


@pytest.mark.parametrize("topology", [SQUARE, HEXAGONS], ids=lambda topology: topology.name)
def test_a_blank_board(topology: Topology) -> None:
    """All cells have the same risk, which is multiplied."""
    board = Board(("#" * 9,) * 7, mines=13, topology=topology)
    risk = 13 / 63
    saved = dict.fromkeys(range(63), 0.0)
    for halves, missing in apart(board, dict.fromkeys(range(63), risk)):
        size = len(halves[0])
        for cell in {*missing}.union(*halves):
            saved[cell] += risk ** (len(missing) + size) * (1 - risk) ** size
    found = advise(symbols_of(board), table_of(board), 13, ONLY_CLOSING)
    assert _workspace().fields["saved"][:63].tolist() == pytest.approx([saved[cell] for cell in range(63)], rel=1e-9)
    assert not _workspace().fields["settled"][:63].any()
    assert max(saved, key=saved.__getitem__) in (0, 8, 54, 62) or topology != SQUARE
    assert saved[found.cell] > 0


def test_a_closed_pair_is_opened_now() -> None:
    """Its risk has to be taken, whatever comes."""
    board = Board(("##*3####", "13*#####", "012#####"), mines=6)
    plain = advise(symbols_of(board), table_of(board), 6, Depth(worlds=0))
    assert plain.cell not in (0, 1)
    found = advise(symbols_of(board), table_of(board), 6, ONLY_CLOSING)
    w = _workspace().fields
    assert found.cell == 0 and np.flatnonzero(w["settled"][:24]).tolist() == [0, 1]
    assert w["saved"][[0, 1]] == pytest.approx([0.5, 0.5])


def test_a_pair_that_may_close() -> None:
    """Its cells and the missing mine save half of what the pair costs once it is closed."""
    board = Board(("##*3####", "13######", "01######"), mines=6)
    missing = float(analyse(board).risk(board.cell(10)))
    assert 0 < missing < 1
    advise(symbols_of(board), table_of(board), 6, ONLY_CLOSING)
    w = _workspace().fields
    assert w["saved"][0] == pytest.approx(missing / 2)
    assert w["saved"][[1, 10]].min() >= missing / 2 * (1 - 1e-9)  # they belong to other exchanges, too
    assert not w["settled"][:24].any()


def test_scores_count_what_is_saved() -> None:
    """A factor of each score, and no more than the cap."""
    told = capped = 0
    for board in [
        board for game in range(3) for level in ("expert", "dense") for board in stuck(*LEVELS[level], SQUARE, game)
    ]:
        assert board.mines is not None
        symbols, near = symbols_of(board), table_of(board)
        plain = advise(symbols, near, board.mines, Depth(worlds=0, margin=0.6))
        scores = dict(zip(plain.cells.tolist(), plain.scores.tolist(), strict=True))
        found = advise(symbols, near, board.mines, Depth(worlds=0, margin=0.6, closing=2))
        saved = _workspace().fields["saved"]
        if _workspace().fields["settled"][: len(symbols)].any():
            continue
        for cell, score in zip(found.cells.tolist(), found.scores.tolist(), strict=True):
            if score >= 0 and scores.get(cell, -1) >= 0:
                assert score == pytest.approx(scores[cell] * exp(2 * min(saved[cell], MOST_SAVED)), rel=1e-9)
                told += saved[cell] > 0
                capped += saved[cell] > MOST_SAVED
    assert told > 20 and capped
