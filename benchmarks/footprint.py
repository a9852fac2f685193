"""Time and memory of each entry of the library, in a fresh process: ``python benchmarks/footprint.py``.

Processor time of the call with its imports, and the most memory that the process ever had. Rows are those of
docs/depend.md.
"""

import subprocess
import sys

LAYOUT = 'satsweep.random_layout("expert", seed=2)'
CALLS = {
    "import": "",
    "analyse": f"satsweep.analyse({LAYOUT}.board([(5, 5)]))",
    "risks": f"satsweep.risks([{LAYOUT}.board([(5, 5)])])",
    "explain": 'satsweep.explain("mines 3\\n##1.\\n##21\\n####", (2, 1))',
    "play": 'satsweep.play("expert", "sat", seed=1)',
    "play, deep": 'satsweep.play("expert", "deep", seed=1)',
    "review": 'satsweep.review(satsweep.play("expert", "sat", seed=1))',
    "rate": f"satsweep.rate({LAYOUT}, (5, 5))",
    "generate": "next(satsweep.generate(satsweep.BoardSpec(16, 30, 99), seed=1))",
    "fewest_clicks": f"satsweep.fewest_clicks({LAYOUT})",
    "audit": f'satsweep.audit("gem", [{LAYOUT}.board([(5, 5)])])',
}
MEASURED = """
import resource, time
import satsweep
{}
print(f"{{time.process_time():.2f}} s | {{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}} MiB")
"""


def main() -> None:
    """Print a row for each call."""
    for name, call in CALLS.items():
        done = subprocess.run([sys.executable, "-c", MEASURED.format(call)], capture_output=True, text=True, check=True)
        print(f"| {name} | {done.stdout.strip()} |")


if __name__ == "__main__":
    main()
