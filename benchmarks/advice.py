"""Time of advice for stuck expert boards, beside a ranking by outlook alone.

    python benchmarks/advice.py --positions 200 --output benchmarks/results/advice.json

Positions are those of expert games of ``sat`` in which a guess is due, drawn from a seed. The ranking by outlook is
that of the first ten sets of equally good cells, without exact endgames, dead cells and unavoidable guesses. Each
position is timed without its analysis; processor time of one process, kernels not asked. ``solve`` is analysis and
advice together.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from satsweep.agents.sat import SatPlayer
from satsweep.analysis.advice import MOST, advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.outlook import Outlooks
from satsweep.board import Board, Cell
from satsweep.games.deal import LEVELS, game_rng, random_layout
from satsweep.games.game import Game
from satsweep.games.rules import Rules

SEED = "advice"


def stuck_positions() -> Iterator[Board]:
    """Positions of expert games in which no cell is safe."""
    rows, cols, mines = LEVELS["expert"]
    number = 0
    while True:
        rng = game_rng(SEED, number)
        number += 1
        game = Game(random_layout(rows, cols, mines, rng), Rules(), rng)
        player = SatPlayer("auto")
        game.open(Cell(0, 0))
        while game.outcome is None:
            board = game.board
            safe = player.deduce(board).safe
            for cell in safe:
                if game.outcome is None and game.is_covered(cell):
                    game.open(cell)
            if safe:
                continue
            yield board
            guess = player.guess(board, rng)
            if guess is None:
                break
            game.open(Cell(*guess.cell))


def rank_by_outlook(analysis: Analysis) -> None:
    """Rank the cells by risk, then by outlook, as far as ten sets of equals."""
    outlooks = Outlooks.of(analysis)
    board = analysis.board
    table = board.topology.neighbours(board.rows, board.cols)
    levels = {risk: cells for risk, cells in analysis.cells_by_risk.items() if risk is not None and risk < 1}
    equals = 0
    for risk in sorted(levels):
        found = [outlooks.of_cell(board.index(cell), table[board.index(cell)]) for cell in levels[risk]]
        equals += len({(outlook.progress, outlook.expected_safe) for outlook in found})
        if equals >= MOST:
            break


def milliseconds(times: list[float]) -> dict[str, float]:
    """Mean, median, 95 % and greatest of some times in seconds."""
    ordered = sorted(1000 * seconds for seconds in times)
    summary = {
        "mean": statistics.mean(ordered),
        "median": statistics.median(ordered),
        "95 %": ordered[19 * len(ordered) // 20],
        "most": ordered[-1],
    }
    return {name: round(value, 2) for name, value in summary.items()}


def measure(positions: int) -> dict[str, object]:
    """Times of both rankings and of the analysis, and the kinds of advice."""
    analysing: list[float] = []
    before: list[float] = []
    now: list[float] = []
    kinds: dict[str, int] = {}
    for number, board in enumerate(stuck_positions()):
        if number == positions:
            break
        start = time.process_time()
        analysis = analyse(board, engine="elimination")
        analysed = time.process_time()
        rank_by_outlook(analysis)
        ranked = time.process_time()
        advice = advise(analysis, deep=False)
        advised = time.process_time()
        analysing.append(analysed - start)
        before.append(ranked - analysed)
        now.append(advised - ranked)
        kinds[advice.kind] = kinds.get(advice.kind, 0) + 1
    both = [[one + other for one, other in zip(analysing, times, strict=True)] for times in (before, now)]
    return {
        "positions": positions,
        "kinds": kinds,
        "analysis_ms": milliseconds(analysing),
        "outlook_ms": milliseconds(before),
        "advice_ms": milliseconds(now),
        "solve_by_outlook_ms": milliseconds(both[0]),
        "solve_ms": milliseconds(both[1]),
        "times_the_outlook": round(sum(now) / sum(before), 3),
        "times_solve": round(sum(both[1]) / sum(both[0]), 3),
    }


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    written = json.dumps(measure(arguments.positions), indent=2)
    print(written)
    if arguments.output is not None:
        arguments.output.write_text(written + "\n")


if __name__ == "__main__":
    main()
