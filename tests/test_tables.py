"""The tables in the documents say what the committed results say."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "tables.py"
READ = (
    "benchmarks/README.md",
    "benchmarks/records.py",
    "docs/experiments.md",
    "docs/optimal.md",
    "docs/ideas/strength.md",
    "docs/statistics.md",
    "docs/umi.md",
)


def tables(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--root", str(root), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the files that the script reads; a test may change them."""
    for name in READ:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "benchmarks" / "results", tmp_path / "benchmarks" / "results")
    return tmp_path


def test_tables_agree_with_results() -> None:
    """After a new measurement, ``python scripts/tables.py`` makes them agree."""
    checked = tables(ROOT, "--check")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


@pytest.mark.extended
@pytest.mark.parametrize(
    ("document", "table", "figure", "other"),
    [
        ("docs/ideas/strength.md", "records", "| 41.21 ± 0.04 |", "| 41.22 ± 0.04 |"),
        ("benchmarks/README.md", "ladder", "| 94,063 |", "| 94,064 |"),
        ("docs/experiments.md", "gem-density", "| 79.9 % |", "| 79.8 % |"),
    ],
)
def test_a_changed_figure_is_noticed_and_made_right(
    copy: Path, document: str, table: str, figure: str, other: str
) -> None:
    path = copy / document
    right = path.read_text(encoding="utf-8")
    assert right.count(figure) == 1
    path.write_text(right.replace(figure, other), encoding="utf-8")
    checked = tables(copy, "--check")
    assert checked.returncode == 1
    assert checked.stdout == f"{document}: the table {table} differs from its result\n"
    assert tables(copy).returncode == 0
    assert path.read_text(encoding="utf-8") == right


@pytest.mark.extended
def test_a_changed_result_is_noticed(copy: Path) -> None:
    path = copy / "benchmarks" / "results" / "records.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"luckless": [41.028,', '"luckless": [40.048,'), encoding="utf-8")
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
