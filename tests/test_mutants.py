"""Each mutant of benchmarks/mutants.txt still applies, and its tests exist."""

import runpy

import pytest

from tests import ROOT, TESTS

MODULE = runpy.run_path(str(ROOT / "benchmarks" / "mutants.py"))


def test_mutants_apply(subtests: pytest.Subtests) -> None:
    for mutant in MODULE["mutants"]():
        with subtests.test(mutant.name):
            assert MODULE["places"](mutant, ROOT) == 1
            for test in mutant.tests:
                file, *names = test.split("::")
                text = (TESTS / file).read_text()
                assert all(f"def {name}(" in text for name in names)
