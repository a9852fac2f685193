"""What a referee would recompute: a sample of every committed claim, by code that shares only data with the package.

    python benchmarks/referee.py                 # three minutes of processor time
    python benchmarks/referee.py --sample 5      # ten seconds
    python benchmarks/referee.py --claim bound

Counts, risks, worlds, best play and intervals are found from their definitions (``referee_exact.py``, Python alone).
``--sample`` of each kind are drawn, by a seed of the day unless ``--seed`` says which. Each claim prints how
many of its statements were tried and which differ; the exit code is 1 if any does. ``MEASURED`` names the results that
are times and games of the package's own players, which only running them again can tell.
"""

import argparse
import csv
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, isclose, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any, NamedTuple

from referee_exact import BestPlay, Cell, Position, beside, bv_and_openings, mean_and_error, summed, wilson

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
CORPUS = ROOT / "examples" / "corpus"
TASKS = ROOT / "satsweep" / "learn" / "bench" / "tasks.jsonl"
MOST_WORLDS, MOST_LAYOUTS = 60, 250
"""Most worlds of a position, and layouts of a board, that are played out here."""
LUCK = 0.7
"""Weight of the control variate in a bound (docs/optimal.md, step 9)."""
MEASURED = (
    "advice", "arena", "arena_blocks", "arena_million", "clicks", "counters", "deductions", "envs", "extreme",
    "gem_matrix", "generate", "hard", "large_boards", "openings", "page", "page_before", "page_questions",
    "page_questions_before", "peers", "play_sat_seeds", "play_speed", "probing", "rate", "reasons", "repaired",
    "rewards", "serve", "serve_hostile", "soak", "stages", "startup", "tank_struggles", "umi", "wasm",
)  # fmt: skip
"""Results of times, or of games of the package's players, that are not recomputed."""


class Statement(NamedTuple):
    """A committed figure: what it is about, and whether it was found again."""

    about: str
    agrees: bool


Statements = Iterator[Statement]


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def drawn(rows: Sequence[Any], count: int, rng: Random) -> list[Any]:
    return rng.sample(list(rows), min(count, len(rows)))


def values_of(lines: Sequence[str]) -> dict[Cell, Fraction]:
    """The values of a row of the corpus, by cell."""
    return {
        (row, col): Fraction(value)
        for row, line in enumerate(lines)
        for col, value in enumerate(line.split())
        if value != "-"
    }


def best_play(position: Position, lines: Sequence[str]) -> tuple[BestPlay, frozenset[int]]:
    known = frozenset((row, col) for row, line in enumerate(lines) for col, symbol in enumerate(line) if symbol == "*")
    worlds = position.worlds()
    return BestPlay(position.rows, position.cols, worlds, known), frozenset(range(len(worlds)))


# The benchmark


def keys(count: int, rng: Random) -> Statements:
    """Keys of the benchmark: certain cells, risks, chances to win; and how often risks are alike."""
    tasks = rows_of(TASKS)[1:]
    risks = [value for task in tasks if task["task"] == "risk" for value in task["values"]]
    yield Statement("no fraction in more than a tenth of the risks", max(map(risks.count, risks)) * 10 <= len(risks))
    for task in drawn([task for task in tasks if "values" in task or task["task"] == "nothing"], 4 * count, rng):
        lines = task["board"].split("\n")
        position = Position(lines, task["mines"])
        written = {
            (int(row), int(col)): Fraction(value)
            for value, cells in task.get("values", {}).items()
            for row, col in re.findall(r"\((\d+),(\d+)\)", cells)
        }
        if task["task"] == "guess":
            if position.count() > MOST_WORLDS:
                continue
            play, every = best_play(position, lines)
            found = {cell: Fraction(play.with_cell(every, cell), len(every)) for cell in position.covered}
        elif task["task"] == "risk":
            found = {tuple(task["cell"]): position.risks()[tuple(task["cell"])]}
        else:
            found = {cell: risk for cell, risk in position.risks().items() if risk in (0, 1)}
        yield Statement(task["id"], found == written)


def shares(count: int, rng: Random) -> Statements:
    """Intervals of the table of the benchmark, whose shares are of 800 tasks."""
    text = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    for name, mean, low, high in re.findall(r"^\| `([\w-]+)`.*?\| ([\d.]+) \(([\d.]+) to ([\d.]+)\) \|", text, re.M):
        solved = round(800 * float(mean) / 100)
        found = [f"{100 * end:.1f}".removesuffix(".0") for end in wilson(solved / 800, 800)]
        yield Statement(f"docs/bench.md {name}", found == [low.removesuffix(".0"), high.removesuffix(".0")])


# The corpus


def corpus(count: int, rng: Random) -> Statements:
    """Rows of the corpus: worlds, risks, certain cells, chances to win, 3BV, and that boards need no guess."""
    for row in drawn(rows_of(CORPUS / "positions.jsonl"), 2 * count, rng):
        position = Position(row["board"].split("\n"), row["mines"])
        risks = position.risks()
        certain = [sorted(cell for cell in risks if risks[cell] == sure) for sure in (0, 1)]
        agrees = (position.count(), risks) == (int(row["worlds"]), values_of(row["risks"]))
        yield Statement(row["id"], agrees and certain == [[*map(tuple, row[name])] for name in ("safe", "mined")])
    few = [row for row in rows_of(CORPUS / "guesses.jsonl") if int(row["worlds"]) <= MOST_WORLDS]
    for row in drawn(few, 2 * count, rng):
        lines = row["board"].split("\n")
        play, every = best_play(position := Position(lines, row["mines"]), lines)
        wins = {cell: Fraction(play.with_cell(every, cell), len(every)) for cell in position.covered}
        best = sorted(cell for cell in wins if wins[cell] == max(wins.values()))
        agrees = (
            len(every) == int(row["worlds"])
            and wins == values_of(row["wins"])
            and max(wins.values()) == Fraction(row["win"])
        )
        yield Statement(row["id"], agrees and best == sorted(map(tuple, row["best"])))
    for row in drawn(rows_of(CORPUS / "puzzles.jsonl"), count, rng):
        risks = Position(row["board"].split("\n"), row["mines"]).risks()
        yield Statement(row["id"], risks[tuple(row["cell"])] == row["mine"])
    for row in drawn(rows_of(CORPUS / "boards.jsonl"), count, rng):
        layout = row["layout"].split("\n")
        agrees = bv_and_openings(layout) == (row["bv"], row["openings"])
        yield Statement(row["id"], agrees and needs_no_guess(layout, row["mines"], tuple(row["start"])))


def needs_no_guess(layout: Sequence[str], mines: int, start: Cell) -> bool:
    """Whether certain cells alone clear a layout."""
    rows, cols = len(layout), len(layout[0])
    seen = [["#"] * cols for _ in range(rows)]
    safe: list[Cell] = [start]
    while safe:
        for row, col in safe:
            around = [layout[r][c] for r in range(max(row - 1, 0), min(row + 2, rows))
                      for c in range(max(col - 1, 0), min(col + 2, cols))]  # fmt: skip
            seen[row][col] = str(around.count("*"))
        risks = Position(["".join(line) for line in seen], mines).risks()
        safe = [cell for cell, risk in risks.items() if risk == 0]
    return sum(line.count("#") for line in seen) == mines


# Best play


def optimal(count: int, rng: Random) -> Statements:
    """Boards solved from the first cell on, under both rules."""
    rows = [row for row in rows_of(RESULTS / "optimal.jsonl") if "safe" in row]
    for row in drawn([row for row in rows if layouts_of(row["board"]) <= MOST_LAYOUTS], count, rng):
        size, mines = row["board"].split("/")
        height, width = map(int, size.split("x"))
        cells = [(at // width, at % width) for at in range(height * width)]
        worlds = [frozenset(mined) for mined in combinations(cells, int(mines))]
        play = BestPlay(height, width, worlds, frozenset())
        for rule in ("safe", "zero") if row["zero"] else ("safe",):
            for name, (low, high, boards) in row[rule]["cells"].items():
                first = cells[int(name.split(",")[0]) * width + int(name.split(",")[1])]
                free = {first, *(beside(first, height, width) if rule == "zero" else ())}
                inside = frozenset(at for at, mined in enumerate(worlds) if not mined & free)
                agrees = low <= play.with_cell(inside, first) <= high and len(inside) == boards
                yield Statement(f"{row['board']} from {name}, {rule}", agrees)
            best = row[rule]
            yield Statement(f"{row['board']}, best, {rule}", best["won"] == best["cells"][_named(best["cell"])][0])


def _named(cell: Sequence[int]) -> str:
    return f"{cell[0]},{cell[1]}"


def layouts_of(board: str) -> int:
    size, mines = board.split("/")
    height, width = map(int, size.split("x"))
    return comb(height * width, int(mines))


def bound(count: int, rng: Random) -> Statements:
    """Bounds and their intervals from the values that were kept, and the chances of first numbers."""
    sizes = {"expert": (16, 30, 99), "intermediate": (16, 16, 40), "8x8": (8, 8, 10), "beginner": (9, 9, 10)}
    for path in sorted(RESULTS.glob("bound*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        values, (rows, cols, mines) = kept["values"], sizes[kept["level"]]
        chances = [comb(3, n) * comb(rows * cols - 4, mines - n) / comb(rows * cols - 1, mines) for n in range(4)]
        whole = []
        for number in (1, 2, 3):
            part, told = (mean_and_error(values[f"{name} {number}"]) for name in ("first", "told"))
            terms = [(1.0, part), (LUCK, (0.0, *told[1:]))]
            yield Statement(f"{path.name} first {number}", _same(kept[f"first {number}"], summed(terms), "mean"))
            whole += [(weight * chances[number], one) for weight, one in terms]
        # Of all boards the first bound, of fewer ones what the next one is less.
        levels = [values[name] for name in ("boards", "middle", "deeper") if values[name]]
        own = [sum((level[at] - (before[at] if before else 0)) / len(level)
                   for level, before in zip(levels, [None, *levels], strict=False) if at < len(level))
               for at in range(len(levels[0]))]  # fmt: skip
        ends = [*(len(level) for level in levels), 0]
        zero = [(ends[at] - ends[at + 1], mean_and_error(own[ends[at + 1] : ends[at]])) for at in range(len(levels))]
        yield Statement(f"{path.name} first 0", _same(kept["boards"], summed(zero), "mean"))
        whole += [(weight * chances[0], part) for weight, part in zero]
        corner = summed(whole)
        yield Statement(f"{path.name} in all", _same(kept["bound"], corner, "percent", 0.03))
        if "other first cells" in values:
            both = [corner, summed([(1.0, mean_and_error(values["other first cells"]))])]
            highest = max(mean for mean, _ in both)
            anywhere = highest, max(mean + half for mean, half in both) - highest
        else:  # all first cells alike
            anywhere = summed([(1.0, mean_and_error(values["any first cell"]))])
        yield Statement(f"{path.name} any first cell", _same(kept["any first cell"], anywhere, "percent"))


def _same(kept: dict[str, Any], found: tuple[float, float], name: str, within: float = 0.011) -> bool:
    return all(isclose(100 * one, kept[key], abs_tol=within) for key, one in zip((name, "95 %"), found, strict=True))


# Games


def records(count: int, rng: Random) -> Statements:
    """A player of least risk of our own on beginner boards wins as ``sat`` does, within the noise of few games."""
    (line,) = (row for row in rows_of(RESULTS / "records.jsonl")
               if (row["board"], row["player"], row["start"]) == ("beginner", "sat", [0, 0]))  # fmt: skip
    games = 10 * count
    won = sum(wins_by_least_risk(rng) for _ in range(games)) / games
    error = sqrt(won * (1 - won) / games) or 1 / games
    yield Statement(
        f"sat on beginner, {100 * won:.1f} % of {games} games", abs(won - line["won"][0] / 100) < 4 * error + 0.01
    )


def wins_by_least_risk(rng: Random) -> bool:
    mines = set(rng.sample(range(1, 81), 10))
    layout = ["".join("*" if 9 * row + col in mines else "." for col in range(9)) for row in range(9)]
    seen, safe = [["#"] * 9 for _ in range(9)], [(0, 0)]
    while True:
        for row, col in safe:
            if layout[row][col] == "*":
                return False
            seen[row][col] = str(sum(layout[r][c] == "*" for r in range(max(row - 1, 0), min(row + 2, 9))
                                     for c in range(max(col - 1, 0), min(col + 2, 9))))  # fmt: skip
        if sum(line.count("#") for line in seen) == 10:
            return True
        risks = Position(["".join(line) for line in seen], 10).risks()
        safe = [cell for cell, risk in risks.items() if risk == 0] or [min(risks, key=lambda cell: (risks[cell], cell))]


def won_games(count: int, rng: Random) -> Statements:
    """Intervals of games won in all tables of the arena, of other programs, and paired differences."""
    # Several plays of a layout are alike, so the intervals of mine-search-plays are wider than Wilson's.
    for path in sorted(set(RESULTS.glob("*.csv")) - {RESULTS / "mine-search-plays.csv"}):
        with path.open(newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row.get("won_low") and row.get("games")]
        for row in drawn(rows, count, rng):
            low, high = wilson(float(row["won"]), int(row["games"]))
            agrees = isclose(low, float(row["won_low"]), abs_tol=1e-5) and isclose(
                high, float(row["won_high"]), abs_tol=1e-5
            )
            yield Statement(f"{path.name} {row['agent']} {row['rows']}x{row['cols']}/{row['mines']}", agrees)
    for line in json.loads((RESULTS / "field.json").read_text(encoding="utf-8")):
        low, high = wilson(line["won"]["mean"], line["games"])
        agrees = isclose(low, line["won"]["low"], abs_tol=1e-9) and isclose(high, line["won"]["high"], abs_tol=1e-9)
        yield Statement(f"field.json {line['board']} {line['engine']}", agrees)
    for line in json.loads((RESULTS / "known_total.json").read_text(encoding="utf-8")):
        n, lost, gained = line["games"], line["only_hidden"], line["only_told"]
        middle = (gained - lost) / (n + 2)
        half = NormalDist().inv_cdf(0.975) * sqrt(gained + lost + 1 - (gained - lost) ** 2 / (n + 2)) / (n + 2)
        tail = sum(comb(gained + lost, at) for at in range(min(gained, lost) + 1)) / 2 ** (gained + lost)
        found = [(gained - lost) / n, middle - half, middle + half, min(1.0, 2 * tail)]
        agrees = all(
            isclose(one, kept, abs_tol=1e-9) for one, kept in zip(found, [*line["gain"], line["p"]], strict=True)
        )
        yield Statement(f"known_total.json {line['board']} {line['agent']}", agrees)
    for line in json.loads((RESULTS / "play_expert.json").read_text(encoding="utf-8"))["results"]:
        low, high = wilson(line["won"] / line["games"], line["games"])
        agrees = all(
            isclose(100 * one, kept, abs_tol=0.006) for one, kept in zip((low, high), line["interval"], strict=True)
        )
        yield Statement(f"play_expert.json {line['agent']}", agrees)


def counts(count: int, rng: Random) -> Statements:
    """Numbers of worlds of stuck expert positions, by their bits; sums of outcomes."""
    boards = {row["id"]: row for row in rows_of(ROOT / "tests" / "data" / "positions_expert.jsonl")}
    exact = [line for line in json.loads((RESULTS / "expert.json").read_text(encoding="utf-8"))
             if line["outcome"] == "exact" and line["engine"] == "auto" and line["id"] in boards]  # fmt: skip
    for line in drawn(exact, count, rng):
        row = boards[line["id"]]
        lines = [text.replace("#", "x") for text in row["board"]]
        yield Statement(line["id"], Position(lines, row["mines"]).count().bit_length() == line["worlds_bits"])
    played = json.loads((RESULTS / "haridas_nair.json").read_text(encoding="utf-8"))
    yield Statement(
        "haridas_nair.json: as many games of each", len({sum(own.values()) for own in played.values()}) == 1
    )
    for line in json.loads((RESULTS / "sprt.json").read_text(encoding="utf-8")):
        if line["change"] == line["h0"] or line["change"] == line["h1"]:
            wrong = line["h1_accepted"] if line["change"] == line["h0"] else line["runs"] - line["h1_accepted"]
            most = line["alpha"] if line["change"] == line["h0"] else line["beta"]
            yield Statement(
                f"sprt.json {line['h0']},{line['h1']} at {line['change']}", wrong / line["runs"] <= most * 1.25
            )


CLAIMS: dict[str, tuple[Callable[[int, Random], Statements], str]] = {
    "keys": (keys, ""),
    "shares": (shares, ""),
    "corpus": (corpus, ""),
    "optimal": (optimal, "optimal"),
    "bound": (bound, "bound bound_8x8 bound_beginner bound_intermediate"),
    "records": (records, "records"),
    "won": (won_games, "*.csv compare field known_total play_expert"),
    "counts": (counts, "expert haridas_nair sprt"),
}
"""What is recomputed, and from which results."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sample", type=int, default=200, help="of each kind")
    options.add_argument("--seed", default=time.strftime("%Y-%m-%d"))
    options.add_argument("--claim", nargs="+", choices=CLAIMS, default=list(CLAIMS))
    chosen = options.parse_args()
    print(f"seed {chosen.seed}, {chosen.sample} of each kind")
    wrong = 0
    for name in chosen.claim:
        begun, tried = time.process_time(), 0
        for statement in CLAIMS[name][0](chosen.sample, Random(f"{chosen.seed}/{name}")):
            tried += 1
            if not statement.agrees:
                wrong += 1
                print(f"  differs: {statement.about}")
        print(f"{name}: {tried:,} statements tried, {time.process_time() - begun:.0f} s", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
