"""Each mutant of benchmarks/mutants.txt still applies, its tests exist, and no large folder is without faults."""

import os
import runpy
from collections import Counter

import pytest

from tests import ROOT, TESTS

LARGE, LEAST = 700, 8
"""Lines from which on a folder has at least so many faults."""
CODE = (".py", ".js", ".c", ".h", ".css")
MODULE = runpy.run_path(str(ROOT / "benchmarks" / "mutants.py"))


def test_mutants_apply(subtests: pytest.Subtests) -> None:
    for mutant in MODULE["mutants"]():
        with subtests.test(mutant.name):
            assert MODULE["places"](mutant, ROOT) == 1
            for test in mutant.tests:
                file, *names = test.split("::")
                assert (TESTS / file).exists()
                assert all(f"def {name}(" in (TESTS / file).read_text() for name in names)


def test_every_large_folder_has_faults() -> None:
    """Lines and faults of each folder below satsweep/, its own folders apart."""
    lines: Counter[str] = Counter()
    for path in (ROOT / "satsweep").rglob("*"):
        if path.suffix in CODE:
            lines[path.parent.relative_to(ROOT).as_posix()] += len(path.read_text("utf-8").splitlines())
    faults = Counter(os.path.normpath(f"satsweep/{os.path.dirname(mutant.file)}") for mutant in MODULE["mutants"]())
    few = [
        f"benchmarks/mutants.txt: {folder} has {faults[folder]} faults in {count:,} lines, fewer than {LEAST}"
        for folder, count in sorted(lines.items())
        if count > LARGE and faults[folder] < LEAST
    ]
    assert few == []
