"""Make the tables of figures in the documents from benchmarks/results.

    python scripts/tables.py             # rewrite every table that differs from its result
    python scripts/tables.py --check     # change nothing; exit code 1 and the tables that differ

A table stands between two markers, ``<!-- table: NAME -->`` and ``<!-- end -->``. NAME is one of those in
``benchmark_tables.py`` or ``experiment_tables.py``. Results are measured by the programs in benchmarks/, each of which
says in its docstring how it is run. Fitted exponents need scipy.
"""

import argparse
import re
import sys
from pathlib import Path

import benchmark_tables
import experiment_tables
from results import Results

TABLES = {**benchmark_tables.TABLES, **experiment_tables.TABLES}
BETWEEN = re.compile(r"(<!-- table: (?P<name>[a-z0-9-]+) -->\n)(?P<body>.*?)(<!-- end -->)", re.DOTALL)


def documents(root: Path) -> list[Path]:
    """The documents that have tables, in order."""
    found = (root / folder for folder in ("benchmarks", "docs"))
    paths = sorted(path for folder in found for path in folder.rglob("*.md"))
    return [path for path in paths if re.search("<!-- (table:|end)", path.read_text(encoding="utf-8"))]


def remade(text: str, results: Results) -> tuple[str, list[str]]:
    """Return a document with all tables made anew, and the names of those changed."""
    differ = []

    def make(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in TABLES:
            raise SystemExit(f"there is no table {name}; known are {', '.join(TABLES)}")
        # A blank line on either side lets every Markdown renderer see the table.
        body = "\n" + "\n".join(TABLES[name](results)) + "\n\n"
        if body != found["body"]:
            differ.append(name)
        return found[1] + body + found[4]

    return BETWEEN.sub(make, text), differ


def unmatched(text: str) -> bool:
    """Tell whether a document has a marker without its counterpart."""
    return not text.count("<!-- table:") == text.count("<!-- end -->") == len(BETWEEN.findall(text))


def main() -> int:
    """Rewrite or check the tables of all documents; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if a table differs")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="another checkout")
    asked = parser.parse_args()
    results = Results(asked.root)
    wrong, used = False, set()
    for path in documents(asked.root):
        document = path.relative_to(asked.root).as_posix()
        text = path.read_text(encoding="utf-8")
        if unmatched(text):
            print(f"{document}: a marker of a table has no counterpart", file=sys.stderr)
            wrong = True
            continue
        used |= {found["name"] for found in BETWEEN.finditer(text)}
        made, differ = remade(text, results)
        for name in differ:
            print(f"{document}: the table {name} " + ("differs from its result" if asked.check else "is made anew"))
        if not asked.check and made != text:
            path.write_text(made, encoding="utf-8")
        wrong |= asked.check and bool(differ)
    for name in sorted(TABLES.keys() - used):
        print(f"no document has the table {name}", file=sys.stderr)
        wrong = True
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
