"""Start-up time of the command, as a ratio to ``python -c "import typer"``.

    python benchmarks/startup.py

The commands take turns, so a change in the machine's speed affects all of them; the ratio is that of the medians.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASE = "import typer"
SATSWEEP = str(Path(sys.executable).parent / "satsweep")
COMMANDS = {
    BASE: [sys.executable, "-c", "import typer"],
    "satsweep --version": [SATSWEEP, "--version"],
    "satsweep solve examples/expert.json": [SATSWEEP, "solve", "examples/expert.json"],
}


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=15)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for run in range(chosen.runs + 1):
        for name, command in COMMANDS.items():
            taken = seconds(command)
            if run:  # The first round only fills the caches.
                times[name].append(taken)
    record = []
    for name, taken_all in times.items():
        median = statistics.median(taken_all)
        ratio = median / statistics.median(times[BASE])
        record.append({"command": name, "median_ms": 1000 * median, "ratio": ratio})
        print(f"{name:40} median {1000 * median:6.0f} ms   {ratio:.2f} times {BASE!r}")
    if chosen.json:
        chosen.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
