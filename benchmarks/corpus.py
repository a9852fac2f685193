"""Cost of a corpus, and what its bands are worth: the share of boards that agents clear, band by band.

python benchmarks/corpus.py [--rows 200] [--seed 1]
"""

import argparse
import tempfile
import time
from collections import Counter

from satsweep.generator.no_guess import unsolved
from satsweep.layout import Layout
from satsweep.learn.corpus import BANDS, TABLES, make
from satsweep.learn.corpus.tables import Row

AGENTS = ("basic", "tank", "gem", "gem-full")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    rows: dict[str, list[Row]] = {}
    print(f"{'table':12}{'rows':>6}{'ms a row':>10}{'core-hours for 100,000':>24}")
    with tempfile.TemporaryDirectory() as folder:
        for table in TABLES:
            begun = time.process_time()
            rows[table] = list(make(folder, table, given.rows, given.seed, jobs=1))
            seconds = (time.process_time() - begun) / given.rows
            print(f"{table:12}{given.rows:6}{seconds * 1e3:10.1f}{seconds * 1e5 / 3600:24.1f}")
    print(f"\n{'band':20}{'boards':>8}" + "".join(f"{name:>10}" for name in AGENTS))
    boards = Counter(row["band"] for row in rows["boards"])
    cleared: Counter[tuple[str, str]] = Counter()
    for row in rows["boards"]:
        layout = Layout(row["layout"].splitlines(), start=row["start"])
        cleared.update((row["band"], name) for name in AGENTS if unsolved(layout, name) is None)
    for band in BANDS:
        shares = (cleared[band, name] / max(1, boards[band]) for name in AGENTS)
        print(f"{band:20}{boards[band]:8}" + "".join(f"{share:10.1%}" for share in shares))


if __name__ == "__main__":
    main()
