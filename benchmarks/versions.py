"""Speed of the kernels' players in two checkouts, which have to play the same games.

    git worktree add ../before COMMIT && (cd ../before && scripts/kernels)
    python benchmarks/versions.py ../before . --players sat deep:2 --boards expert 20x30/160 --games 2000

Two processes play the same games in turns, many times over. Times are processor times, and the figure is the median
ratio of both in a round: other programs on the machine slow both. A board is a level or ROWSxCOLUMNS/MINES. Ends with
exit code 1 if the measures of any game differ.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

ROUND = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from satsweep.games.deal import LEVELS
from satsweep.kernels.api import neighbour_table, play_games
from satsweep.topology import topology_named
for line in sys.stdin:
    player, board, shape, first, last = json.loads(line)
    policy, _, level = player.partition(":")
    rows, cols, mines = LEVELS[board] if board in LEVELS else map(int, board.replace("/", "x").split("x"))
    table = neighbour_table(topology_named(shape).neighbours(rows, cols))
    clock = time.process_time()
    played = play_games(
        table, mines, "versions", range(first, last), start=0, policy=policy, **({"level": int(level)} if level else {})
    )
    print(json.dumps([time.process_time() - clock, played.tobytes().hex()]), flush=True)
"""


class Checkout:
    """Process that plays games with the code of a checkout."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", ROUND, str(path.resolve())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": ""},
        )  # fmt: skip

    def play(self, *asked: object) -> tuple[float, str]:
        """Seconds that some games took, and their measures."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        seconds, measures = json.loads(self.process.stdout.readline())
        return seconds, measures


def compare(
    checkouts: list[Checkout], player: str, board: str, shape: str, games: int, rounds: int
) -> dict[str, object]:
    for checkout in checkouts:  # the first turn warms up
        checkout.play(player, board, shape, 0, games)
    ratios, best, same = [], [float("inf")] * 2, True
    for turn in range(rounds):
        found = {at: checkouts[at].play(player, board, shape, turn * games, (turn + 1) * games)
                 for at in ((0, 1) if turn % 2 else (1, 0))}  # fmt: skip
        same &= found[0][1] == found[1][1]
        ratios.append(found[0][0] / found[1][0])
        best = [min(best[at], found[at][0]) for at in (0, 1)]
    return {"player": player, "board": board, "topology": shape, "games": games * rounds, "same": same,
            "ratio": round(median(ratios), 3), "from": round(min(ratios), 3), "to": round(max(ratios), 3),
            "per_second": [round(games / seconds) for seconds in best]}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--players", nargs="+", default=["sat", "deep:2"])
    parser.add_argument("--boards", nargs="+", default=["expert"])
    parser.add_argument("--topology", default="square")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    checkouts = [Checkout(asked.before), Checkout(asked.after)]
    same = True
    for player in asked.players:
        for board in asked.boards:
            result = compare(checkouts, player, board, asked.topology, asked.games, asked.rounds)
            same &= bool(result["same"])
            print(json.dumps(result), flush=True)
    for checkout in checkouts:
        assert checkout.process.stdin is not None
        checkout.process.stdin.close()
        checkout.process.wait()
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
