"""The tables in the documents say what the committed results say."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "tables.py"


def tables(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--root", str(root), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the files that the script reads; a test may change them."""
    for folder in ("benchmarks", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.html", "*.svg", "*.ipynb"))
    return tmp_path


def test_tables_agree_with_results() -> None:
    """After a new measurement, ``python scripts/tables.py`` makes them agree."""
    checked = tables(ROOT, "--check")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


CHANGES = (
    ("benchmarks/README.md", "ladder", "| 94,063 |", "| 94,064 |"),
    ("docs/experiments.md", "gem-density", "| 79.9 % |", "| 79.8 % |"),
    ("docs/ideas/strength.md", "records", "| 41.212 ± 0.031 |", "| 41.213 ± 0.031 |"),
)
"""A document, its table, a figure in it, and another one; in the order of the documents."""


@pytest.mark.extended
def test_changed_figures_are_noticed_and_made_right(copy: Path) -> None:
    right = {copy / document: (copy / document).read_text(encoding="utf-8") for document, *_ in CHANGES}
    for document, _, figure, other in CHANGES:
        assert right[copy / document].count(figure) == 1
        (copy / document).write_text(right[copy / document].replace(figure, other), encoding="utf-8")
    checked = tables(copy, "--check")
    assert checked.returncode == 1
    assert checked.stdout.splitlines() == [
        f"{document}: the table {table} differs from its result" for document, table, *_ in CHANGES
    ]
    assert tables(copy).returncode == 0
    assert {path: path.read_text(encoding="utf-8") for path in right} == right


@pytest.mark.extended
def test_a_changed_result_is_noticed(copy: Path) -> None:
    path = copy / "benchmarks" / "results" / "records.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"luckless": [41.033,', '"luckless": [40.033,'), encoding="utf-8")
    checked = tables(copy, "--check")
    assert (checked.returncode, checked.stdout) == (
        1,
        "docs/ideas/strength.md: the table records differs from its result\n",
    )


@pytest.mark.extended
def test_a_missing_table_is_noticed(copy: Path) -> None:
    path = copy / "docs/ideas/strength.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("<!-- table: records -->", ""), encoding="utf-8")
    checked = tables(copy, "--check")
    assert checked.returncode == 1
    assert "docs/ideas/strength.md: a marker of a table has no counterpart" in checked.stderr
    assert "no document has the table records" in checked.stderr
