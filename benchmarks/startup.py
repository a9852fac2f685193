"""Start-up time of the command: processor time of the whole process.

    python benchmarks/startup.py --json benchmarks/results/startup.json

The commands take turns, so a change in the machine's speed affects all of them. Each has its bytecode in a folder of
its own, written in a first round, and runs once more without any, as in an image that keeps none.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SATSWEEP = [sys.executable, "cli.py"]
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    'python -c "import satsweep"': [sys.executable, "-c", "import satsweep"],
    'python -c "import typer"': [sys.executable, "-c", "import typer"],
    "satsweep --version": [*SATSWEEP, "--version"],
    "satsweep --help": [*SATSWEEP, "--help"],
    "satsweep solve --help": [*SATSWEEP, "solve", "--help"],
    "satsweep solve examples/small.txt": [*SATSWEEP, "solve", "examples/small.txt"],
    "satsweep solve examples/expert.json": [*SATSWEEP, "solve", "examples/expert.json"],
}
RUNS = 20


def milliseconds(command: list[str], environment: dict[str, str]) -> float:
    """Processor time of a command."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return 1000 * (used.ru_utime + used.ru_stime)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=RUNS, help=f"runs of each command, {RUNS} by default")
    options.add_argument("--json", type=Path, help="file for the times")
    chosen = options.parse_args()
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as bytecode, tempfile.TemporaryDirectory() as none:
        environments = {
            "with": {**kept, "PYTHONPYCACHEPREFIX": bytecode},
            "without": {**kept, "PYTHONPYCACHEPREFIX": none, "PYTHONDONTWRITEBYTECODE": "1"},
        }
        times: dict[tuple[str, str], list[float]] = {}
        for run in range(chosen.runs + 1):
            for name, command in COMMANDS.items():
                for kind, environment in environments.items():
                    taken = milliseconds(command, environment)
                    if run:  # The first round fills the caches.
                        times.setdefault((name, kind), []).append(taken)
    record = []
    for name in COMMANDS:
        used, bare = (statistics.median(times[name, kind]) for kind in environments)
        record.append({"command": name, "median_ms": used, "without_bytecode_ms": bare})
        print(f"{name:40} {used:6.0f} ms, without bytecode {bare:6.0f} ms")
    if chosen.json:
        chosen.json.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
