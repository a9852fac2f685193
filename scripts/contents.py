"""Check that wheel and source distribution have the files that they should have.

    python scripts/contents.py dist
    python scripts/contents.py --extras

The wheel has every tracked file of the package and nothing else but its metadata; the source distribution has every
tracked file that ``pyproject.toml`` names. The second command prints the extras that users install.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOR_DEVELOPERS = {"test", "bench", "dev", "docs"}
GENERATED = {"PKG-INFO", ".gitignore", "pyproject.toml", "README.md", "LICENSE"}


def main() -> None:
    """Print extras, or check the distributions of a directory."""
    if sys.argv[1] == "--extras":
        print(*(extra for extra in PROJECT["project"]["optional-dependencies"] if extra not in FOR_DEVELOPERS))
        return
    dist = Path(sys.argv[1])
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    package = {name for name in tracked if name.startswith("satsweep/")}
    wheel = zipfile.ZipFile(next(dist.glob("*.whl"))).namelist()
    check("wheel", {name for name in wheel if ".dist-info/" not in name}, package)
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()} - GENERATED
    included = tuple(PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    expected = {name for name in tracked if name and any(name == one or name.startswith(f"{one}/") for one in included)}
    check("source distribution", source, expected - GENERATED)


def check(kind: str, found: set[str], expected: set[str]) -> None:
    """Exit with the names of files that are missing, or that should not be there."""
    wrong = [*(f"lacks {name}" for name in expected - found), *(f"has {name}" for name in found - expected)]
    if wrong:
        sys.exit("\n".join(f"{kind}: {line}" for line in sorted(wrong)))
    print(f"{kind}: {len(found)} files, as expected")


if __name__ == "__main__":
    main()
