"""Speed of the kernels: games and positions.

    python benchmarks/kernels.py --games 20000
    python benchmarks/kernels.py --scaling 1000000

The figures are games a second on one core and microseconds a position. Times are processor times, which other programs
on the machine disturb less. Positions are those of ``tests/data``: analysed exactly, with all fractions; by the kernel
alone, in floats; and where ms_toollib is installed, which is compiled as well, by it, too, if they are from expert
games. The scaling of games is measured in elapsed time, by a comparison as of ``satsweep compare``.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from satsweep import Board, Cell, Rules, analyse, risks
from satsweep.arena.plan import Plan
from satsweep.arena.run import run_plan
from satsweep.arena.store import Store
from satsweep.arena.workers import processes
from satsweep.games.deal import LEVELS
from satsweep.games.setting import Setting
from satsweep.kernels.api import FINE, neighbour_table, play_games, positions as found_in
from satsweep.solver.compiled import symbols_of, table_of
from satsweep.topology import SQUARE

DATA = Path(__file__).parent.parent / "tests" / "data"


def games(level: str, first: str, start: tuple[int, int], count: int, policy: str = "sat") -> dict[str, object]:
    rows, cols, mines = LEVELS[level]
    table = neighbour_table(SQUARE.neighbours(rows, cols))
    place = start[0] * cols + start[1]
    play_games(table, mines, "benchmark", range(2), first=first, start=place, policy=policy)
    clock = time.process_time()
    results = play_games(table, mines, "benchmark", range(count), first=first, start=place, policy=policy)
    seconds = time.process_time() - clock
    won = float(results["won"].mean())
    error = (won * (1 - won) / count) ** 0.5
    return {"policy": policy, "level": level, "first": first, "games": count, "won": won, "error": error,
            "per_second": count / seconds}  # fmt: skip


def microseconds(answer: Callable[[], object]) -> float:
    clock = time.process_time()
    answer()
    return (time.process_time() - clock) * 1e6


def exact(board: Board) -> object:
    analysis = analyse(board, engine="compiled")
    return analysis.risks, analysis.worlds


def kernel(board: Board) -> int:
    """The status of a position."""
    table = table_of(board.topology, board.rows, board.cols)
    return int(found_in(symbols_of(board)[None], table, [board.mines or 0])[0][0])


def peer(board: Board) -> Callable[[], object]:
    """The call of ms_toollib, with the board in the form that it wants."""
    import ms_toollib

    shown = [[10 if symbol in "#F" else int(symbol.replace(".", "0")) for symbol in row] for row in board.cells]
    return partial(ms_toollib.cal_probability_onboard, shown, board.mines or 0)


def positions(name: str, repeats: int = 20) -> Iterator[dict[str, object]]:
    """Times of each board that the kernels take: exact analysis, kernel, and the peer, in turns.

    Last come the floats of all boards in one call, by position.
    """
    found = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
    boards = [Board(fields["board"], mines=fields["mines"]) for fields in found]
    fine = [board for board in boards if kernel(board) == FINE]
    by: dict[str, list[Callable[[], object]]] = {
        "exact": [partial(exact, board) for board in fine],
        "kernel": [partial(kernel, board) for board in fine],
    }
    # Some positions of the other corpus take the peer minutes.
    if find_spec("ms_toollib") is not None and name == "positions_expert":
        by["ms_toollib"] = [peer(board) for board in fine]
    taken: dict[str, list[list[float]]] = {solver: [[] for _ in fine] for solver in by}
    batches = []
    for _ in range(repeats + 1):  # the first turn warms up
        for number in range(len(fine)):
            for solver, answers in by.items():
                taken[solver][number].append(microseconds(answers[number]))
        batches.append(microseconds(lambda: risks(fine)) / len(fine))
    handed_over = len(boards) - len(fine)
    rows = {solver: [median(own[1:]) for own in times] for solver, times in taken.items()}
    for solver, times in {**rows, "risks(boards)": batches[1:]}.items():
        yield {"positions": name, "by": solver, "median": median(times), "most": max(times), "boards": len(fine),
               "handed_over": handed_over}  # fmt: skip


def scaling(count: int, repeats: int = 3) -> dict[str, object]:
    """Elapsed seconds of a comparison with one process and with two, in turns."""
    plan = Plan(("sat",), (Setting(*LEVELS["expert"], Rules(start=Cell(0, 0))),), games=count)
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repeats):
        for workers in seconds:
            with tempfile.TemporaryDirectory() as directory, Store(Path(directory) / "runs.sqlite") as store:
                begun = time.perf_counter()
                run_plan(plan, processes(workers), store)
                seconds[workers].append(time.perf_counter() - begun)
    one, two = median(seconds[1]), median(seconds[2])
    return {"games": count, "one": one, "two": two, "times": one / two}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--scaling", type=int, default=0, metavar="GAMES", help="measure the scaling to two processes")
    asked = parser.parse_args()
    if asked.scaling:
        print(json.dumps(scaling(asked.scaling)))
        return
    for policy in ("sat", "deep"):
        for level in LEVELS:
            print(json.dumps(games(level, "safe", (0, 0), asked.games, policy)))
            print(json.dumps(games(level, "zero", (3, 3), asked.games, policy)))
    for name in ("positions_expert", "positions_hard"):
        for line in positions(name):
            print(json.dumps(line))


if __name__ == "__main__":
    main()
