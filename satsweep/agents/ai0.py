"""Mine search: opens the riskiest cell beside numbers, else probes on a lattice.

AI-0, by Covre, of Covre and Reddy, *Minesearch in Minesweeper* (readme of andrea-covre/minesweeper-mine-search-AI), for
rules under which opening a mine is not fatal and few cells should be opened. Numbers are offset by the mines already
found around them; the *risk score* of an unknown cell is the sum of the offset numbers that it touches, its *knowledge
gain* the number of cells that it gives information on. If any risk is above 0 the agent investigates: the highest risk,
then the highest gain, then at random. Otherwise it explores: the next probe of a lattice with two cells between probes,
left to right and top to bottom, as long as one has the full gain of 9, else at random among the highest gains. Cells
around an offset number of 0 are safe and never opened; every mine is confirmed by opening it.

Our readings: the gain counts the cell and its neighbours that are neither open nor known to be safe or a mine; the
lattice starts one step from the edges, where a probe can gain 9. On other topologies the full gain is the greatest
number of neighbours of any cell on the board, plus one.

``ai0:random`` probes without the lattice, at random among the highest gains from the first probe on: the variant that
the readme compares with.
"""

from functools import partial
from random import Random

from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess, Inference, ordered_deduction

_PROBE_SPACING = 3

PROBES = ("orderly", "random")
"""Ways to probe, the usual one first."""


def agent(probes: str = PROBES[0]) -> Agent:
    if probes not in PROBES:
        raise ValueError(f"expected probes among {', '.join(PROBES)}, found {probes!r}")
    return Agent(deduce, partial(guess, probes == "orderly"))


def deduce(board: Board) -> Deduction:
    """Claim cells around numbers whose mines are all found to be safe; open none.

    >>> deduction = deduce(Board(("1#", "*#"), mines=1))
    >>> deduction.safe, deduction.opens
    ((Cell(row=0, col=1), Cell(row=1, col=1)), ())
    """
    maps = _Maps(board)
    claims = ordered_deduction(board, maps.safe, {})
    return Deduction(claims.safe, (), claims.why, opens=(), evaluations=len(maps.offset))


def guess(orderly: bool, board: Board, rng: Random) -> Guess | None:
    maps = _Maps(board)
    if not maps.unknown:
        return None
    risks = {cell: maps.risk(cell) for cell in maps.unknown}
    highest = max(risks.values())
    if highest > 0:
        candidates = [cell for cell, risk in risks.items() if risk == highest]
        gain, best = maps.highest_gain(candidates)
        return maps.draw(best, rng, f"highest risk score {highest}, gain {gain}")
    gain, best = maps.highest_gain(maps.unknown)
    if orderly and gain == 1 + board.topology.most:
        for cell in best:
            row, col = board.cell(cell)
            if row % _PROBE_SPACING == col % _PROBE_SPACING == 1:
                return Guess(board.cell(cell), f"orderly probe, gain {gain}")
    return maps.draw(best, rng, f"random probe, gain {gain}")


class _Maps:
    """The agent's maps of a board.

    ``offset`` has the offset numbers, ``safe`` the safe cells with their inferences, ``unknown`` the unknown cells,
    ascending.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.table = board.topology.neighbours(board.rows, board.cols)
        symbols = board.symbols
        self.offset: dict[int, int] = {}
        self.safe: dict[int, Inference] = {}
        for clue, symbol in enumerate(symbols):
            if symbol in NUMBER_OF:
                found = sum(symbols[cell] in (MINE, FLAG) for cell in self.table[clue])
                self.offset[clue] = NUMBER_OF[symbol] - found
                if self.offset[clue] == 0:
                    inference = Inference(SINGLE_POINT, (board.cell(clue),))
                    self.safe.update((cell, inference) for cell in self.table[clue] if symbols[cell] == COVERED)
        self.unknown = {
            cell: None for cell, symbol in enumerate(symbols) if symbol == COVERED and cell not in self.safe
        }

    def risk(self, cell: int) -> int:
        return sum(self.offset.get(clue, 0) for clue in self.table[cell])

    def gain(self, cell: int) -> int:
        return 1 + sum(other in self.unknown for other in self.table[cell])

    def highest_gain(self, cells: list[int] | dict[int, None]) -> tuple[int, list[int]]:
        gains = {cell: self.gain(cell) for cell in cells}
        most = max(gains.values())
        return most, [cell for cell, gain in gains.items() if gain == most]

    def draw(self, cells: list[int], rng: Random, why: str) -> Guess:
        among = f", drawn among {len(cells):,}" if len(cells) > 1 else ""
        return Guess(self.board.cell(cells[rng.randrange(len(cells))]), why + among)
