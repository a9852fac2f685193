"""Games on the board that Haridas and Nair (2021) print, as their agents play.

    python benchmarks/haridas_nair.py --games 4000 --json benchmarks/results/haridas_nair.json

Each game begins at 0,1, one cell is opened at a time, and play goes on after a mine. Games of an agent differ in its
guesses. The result is how many games found each number of the 22 mines without opening them.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from satsweep import Layout, Rules, agent_named, play
from satsweep.games.deal import game_rng
from satsweep.games.rules import FirstClick

LAYOUT = Path(__file__).parent.parent / "examples" / "haridas_nair.txt"
RULES = Rules(first=FirstClick.GIVEN, cascade=False, fatal=False)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=4000, help="games of each agent")
    options.add_argument("--json", type=Path, help="file for the result")
    chosen = options.parse_args()
    layout, result = Layout.load(LAYOUT), {}
    for name in ("basic", "gem", "gem-refute"):
        records = (play(layout, agent_named(name), RULES, game_rng(number, 0)) for number in range(chosen.games))
        found = Counter(layout.mines - record.measures.mines_hit for record in records)
        result[name] = dict(sorted(found.items()))
    print(json.dumps(result))
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
