"""Read the corpus without satsweep: count the puzzles of each pattern, and print one."""

import json
import sys
from collections import Counter
from pathlib import Path

folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
with (folder / "puzzles.jsonl").open(encoding="utf-8") as file:
    puzzles = [json.loads(line) for line in file]

for pattern, count in sorted(Counter(row["pattern"] for row in puzzles).items()):
    print(pattern, count)
first = puzzles[0]
row, col = first["cell"]
print(first["board"])
print(f"{row},{col} is {'a mine' if first['mine'] else 'safe'}: {first['sentence']}")
