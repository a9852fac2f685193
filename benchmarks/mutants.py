"""Mutation check: the quick tests must fail for each fault put into the package.

Each mutant of mutants.txt is one exact replacement in one file, with the tests that should fail. They run with ``-x``
in copies of the checkout, one for each core, with the same examples every time. The program prints a table, and exits
with 1 if a mutant survives, or if its replacement no longer applies because the code has changed: then adapt the
mutant, do not drop it.

    python benchmarks/mutants.py            all of them, some minutes
    python benchmarks/mutants.py torus sea  those with one of the words in their name
    python benchmarks/mutants.py --sound    all, after the suite has passed: it does not run without a fault again
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120
"""Time limit of a run: a fault may make the tests run for ever."""
COPIED = ("satsweep", "tests", "docs", "examples", "pyproject.toml", "cli.py")


class Mutant(NamedTuple):
    """A fault: in ``file``, ``before`` becomes ``after``, and ``tests`` must fail.

    ``before`` stands exactly once in the file.
    """

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]


def mutants() -> list[Mutant]:
    """Return the faults of mutants.txt."""
    found = []
    for part in (Path(__file__).parent / "mutants.txt").read_text().split("\n= ")[1:]:
        name, *lines = part.splitlines()
        fields = {line[:3]: line[3:] for line in lines if line.startswith(("in ", "by "))}
        before, after = ("\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+")
        found.append(Mutant(name, fields["in "], before, after, tuple(fields["by "].split())))
    return found


def copy_checkout(to: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, to / name)


def run(tests: tuple[str, ...], where: Path, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run tests on the package of the copy."""
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "mutants"}
    # Copies of the sources share what is compiled.
    environment.setdefault("SATSWEEP_CACHE_DIR", str(ROOT / "satsweep" / "kernels" / "__pycache__"))
    environment |= {"PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    targets = [f"tests/{test}" for test in tests]
    return subprocess.run(
        [*command, *targets], cwd=where, env=environment, capture_output=True, text=True, timeout=seconds
    )


def places(mutant: Mutant, where: Path) -> int:
    """Number of places of its file where the mutant applies; 1 is right."""
    file = where / "satsweep" / mutant.file
    return file.read_text().count(mutant.before) if file.exists() else 0


def verdict(mutant: Mutant, where: Path) -> str:
    file = where / "satsweep" / mutant.file
    if (found := places(mutant, where)) != 1:
        return f"NO LONGER APPLIES ({found} places)"
    original = file.read_text()
    file.write_text(original.replace(mutant.before, mutant.after))
    try:
        result = run(mutant.tests, where, SECONDS)
    except subprocess.TimeoutExpired:
        return "killed: the tests do not end"
    finally:
        file.write_text(original)
    if result.returncode == 1:
        failed = [line for line in result.stdout.splitlines() if line.startswith("FAILED ")]
        return "killed by " + failed[0].split("::")[-1].split(" - ")[0] if failed else "killed"
    return "SURVIVED" if result.returncode == 0 else f"BROKEN RUN: {(result.stdout + result.stderr).strip()[-200:]}"


def main(words: list[str], sound: bool) -> int:
    chosen = [mutant for mutant in mutants() if not words or any(word in mutant.name for word in words)]
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory:
        copies: SimpleQueue[Path] = SimpleQueue()
        workers = os.cpu_count() or 1
        for number in range(workers):
            where = Path(directory) / str(number)
            where.mkdir()
            copy_checkout(where)
            copies.put(where)

        def tried(mutant: Mutant) -> tuple[Mutant, float, str]:
            where, start = copies.get(), time.perf_counter()
            try:
                said = verdict(mutant, where)
            finally:
                copies.put(where)
            return mutant, time.perf_counter() - start, said

        tests = tuple(dict.fromkeys(test for mutant in chosen for test in mutant.tests))
        unharmed = None if sound else run(tests, where)
        if unharmed is not None and unharmed.returncode:
            print(unharmed.stdout + unharmed.stderr)
            print("the tests fail without any fault, so nothing is known about the mutants")
            return 1
        bad = 0
        with ThreadPoolExecutor(workers) as executor:
            for mutant, seconds, said in executor.map(tried, chosen):
                bad += not said.startswith("killed")
                print(f"{mutant.name:52} {mutant.file:24} {seconds:5.1f} s  {said}", flush=True)
    print(f"{len(chosen) - bad} of {len(chosen)} mutants killed")
    return 1 if bad else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(main([word for word in words if word != "--sound"], "--sound" in words))
