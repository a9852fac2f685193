"""Tests that a change can break, one path a line.

python scripts/changed.py [COMMIT]    what differs from a commit, by default the last one

They are tests that changed, those in the folder of a changed module, and those that import it; the manual's for a
change of documents, the page's for one of the page; and those that name what a table lacks. The __init__ of a folder,
which has its table, is imported everywhere: the tests of the folder stand for it. Others may break, too: .ci/run has
the last word.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = ("tests/test_architecture.py", "tests/test_english.py", "tests/test_exports.py", "tests/test_refusals.py")
BY_PREFIX = {
    "docs/": "tests/test_manual.py",
    "README.md": "tests/test_manual.py",
    "examples/": "tests/test_manual.py",
    "satsweep/page/static/": "tests/page",
    "satsweep/page/static/engine/": "tests/test_npm.py",
    "npm/": "tests/test_npm.py",
    "satsweep/render/templates/": "tests/arena/test_html.py",
    "satsweep/formats/schemas/": "tests/cli",
    "satsweep/agents/": "tests/arena/test_plans.py",
    "benchmarks/results/": "tests/test_tables.py",
    "benchmarks/mutants": "tests/test_mutants.py",
    "pyproject.toml": "tests",
    "tests/conftest.py": "tests",
}


def changed(since: str) -> list[str]:
    """Files that differ from a commit, and files that git does not know yet."""
    commands = (["git", "diff", "--name-only", since], ["git", "ls-files", "--others", "--exclude-standard"])
    found = [subprocess.run(one, cwd=ROOT, capture_output=True, text=True, check=True).stdout for one in commands]
    return "".join(found).splitlines()


def tests_of(file: str) -> Iterator[str]:
    """Paths of the tests of a file."""
    yield from (tests for prefix, tests in BY_PREFIX.items() if file.startswith(prefix))
    path = Path(file)
    if path.suffix != ".py" or not (ROOT / path).is_file():
        return
    if path.parts[0] == "tests":
        yield file if path.name.startswith("test_") else str(path.parent)
    elif path.parts[0] == "satsweep":
        folder = Path("tests", *path.parts[1:-1])
        if len(path.parts) > 2:
            yield str(folder if (ROOT / folder).is_dir() else folder.parent)
        yield file  # its doctests
        if path.stem == "__init__" and len(path.parts) > 2:
            return
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        package, _, name = module.rpartition(".")
        imports = re.compile(
            rf"^\s*(import {module}|from {module} import|from {package} import .*\b{name})\b", re.MULTILINE
        )
        for test in (ROOT / "tests").rglob("test_*.py"):
            if imports.search(test.read_text(encoding="utf-8")):
                yield str(test.relative_to(ROOT))


def of_tables() -> Iterator[str]:
    """The completeness tests of CONTRIBUTING.md, each by file and name."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Enumerations\n")[2].partition("\n## ")[0]
    for file, name in re.findall(r"`(tests/\S+\.py)` `(\w+)` \|$", section, re.MULTILINE):
        yield f"{file}::{name}"


def main() -> None:
    """Print the paths: a folder stands for all tests in it."""
    files = changed(*sys.argv[1:] or ["HEAD"])
    found = {*ALWAYS, *of_tables(), *(tests for file in files for tests in tests_of(file))}

    def is_covered(one: str) -> bool:
        file = Path(one.partition("::")[0])
        return any(str(above) in found - {one} for above in (file, *file.parents))

    print("\n".join(sorted(one for one in found if not is_covered(one))))


if __name__ == "__main__":
    main()
