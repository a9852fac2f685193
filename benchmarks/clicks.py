"""Fewest clicks of random boards: share proved, time, gap, and what ms_toollib's greedy choices find.

    python benchmarks/clicks.py --board beginner --count 1000 --seconds 2 --json benchmarks/results/clicks.json
    python benchmarks/clicks.py --board intermediate --count 100 --seconds 60 --json benchmarks/results/clicks.json
    python benchmarks/clicks.py --board expert --count 50 --seconds 300 --json benchmarks/results/clicks.json

Times and limits are processor times of one process, which other programs on the machine disturb less. Each path is
played in a game and must win in as many clicks. ``cal_zini`` and ``cal_hzini`` of ms_toollib approximate the same from
above on the same boards (they have no limit and no bound); a result of theirs below a lower bound would end the run.
A run adds its board to the file of results, and replaces only that.
"""

import argparse
import json
import statistics
import time
from collections import deque
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import ms_toollib

from satsweep.clicks import FewestClicks, bounds
from satsweep.games.deal import random_layout
from satsweep.layout import Layout

ABOUT = 1e9
"""Seconds of wall time that no run takes: the limit is processor time."""


def fewest(layout: Layout, limit: float) -> tuple[FewestClicks, float]:
    """The bounds after some processor time, and the time it took."""
    began = time.process_time()
    within = takewhile(lambda _: time.process_time() - began < limit, bounds(layout, (), seconds=ABOUT))
    (latest,) = deque(within, maxlen=1)
    return latest, time.process_time() - began


def numbers(layout: Layout) -> list[list[int]]:
    """Rows of numbers, -1 for a mine, as ms_toollib has them."""
    cells = [[layout.number((row, col)) for col in range(layout.cols)] for row in range(layout.rows)]
    return [[-1 if number is None else number for number in row] for row in cells]


def measured(board: str, seeds: range, limit: float) -> dict[str, Any]:
    """Figures of random boards of a kind."""
    rows: list[dict[str, Any]] = []
    foreign: dict[str, Callable[..., int]] = {
        "cal_zini": ms_toollib.cal_zini,
        "cal_hzini": ms_toollib.cal_hzini,
    }
    for seed in seeds:
        layout = random_layout(board, seed=f"clicks {seed}")
        found, seconds = fewest(layout, limit)
        record = found.record()
        assert record.won and len({move.turn for move in record.moves}) == found.upper
        greedy = {name: count(numbers(layout)) for name, count in foreign.items()}
        assert all(clicks >= found.lower for clicks in greedy.values()), layout
        rows.append({"lower": found.lower, "upper": found.upper, "bv": found.bv, "seconds": seconds, **greedy})
        gap = 100 * (1 - found.lower / found.upper)
        print(f"{board} {seed}: {found.lower}..{found.upper}, gap {gap:.1f} %, {seconds:.2f} s, {greedy}", flush=True)
    return summary(rows, limit)


def summary(rows: list[dict[str, Any]], limit: float) -> dict[str, Any]:
    proved = [row for row in rows if row["lower"] == row["upper"]]
    gaps = [1 - row["lower"] / row["upper"] for row in rows]
    times = sorted(row["seconds"] for row in rows)
    return {
        "boards": len(rows),
        "limit_seconds": limit,
        "proved": len(proved),
        "median_seconds": round(statistics.median(times), 3),
        "most_seconds": round(times[-1], 2),
        "mean_gap": round(statistics.mean(gaps), 4),
        "gap_at_most_5_percent": sum(gap <= 0.05 for gap in gaps),
        "clicks": round(statistics.mean(row["upper"] for row in rows), 2),
        "bv": round(statistics.mean(row["bv"] for row in rows), 2),
        **{
            name: {
                "clicks": round(statistics.mean(row[name] for row in rows), 2),
                "more": sum(row[name] > row["upper"] for row in rows),
                "fewer": sum(row[name] < row["upper"] for row in rows),
            }
            for name in ("cal_zini", "cal_hzini")
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="beginner", help="kind of boards, as of random_layout")
    parser.add_argument("--count", type=int, default=100, help="number of boards")
    parser.add_argument("--first", type=int, default=0, help="number of the first board")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time for a board")
    parser.add_argument("--json", type=Path, help="file of results, to which this board is added")
    options = parser.parse_args()
    found = measured(options.board, range(options.first, options.first + options.count), options.seconds)
    print(json.dumps(found, indent=2))
    if options.json is not None:
        results = json.loads(options.json.read_text()) if options.json.exists() else {}
        results[options.board] = found
        options.json.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
