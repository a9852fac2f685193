"""Fetch programs of others at the commits of recipes.toml, and build UMI engines of them.

    python examples/umi/foreign/build.py minesolve --into build/foreign
    cd build/foreign; satsweep umi-test minesolve-2.toml; satsweep compare --agents sat,cmd:minesolve-2.toml

All recipes are built if none is named. ``--source DIR`` takes a checkout of the one that is named, which must be at the
recipe's commit, instead of fetching it; of a package it is a folder with its wheel.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tomllib
from glob import glob
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RECIPES: dict[str, dict[str, Any]] = tomllib.loads((HERE / "recipes.toml").read_text(encoding="utf-8"))


def run(*words: str, place: Path | None = None) -> str:
    return subprocess.run(words, cwd=place, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def fetched(recipe: dict[str, Any], place: Path, source: Path | None) -> Path:
    """The checkout, or the folder that the package is installed in, fetched unless it is there."""
    if "package" in recipe:
        found = ["--no-index", "--find-links", str(source)] if source else []
        words = ("install", "--quiet", "--upgrade", "--no-deps", "--target", str(place), *found, recipe["package"])
        run(sys.executable, "-m", "pip", *words)
        return place
    if source is None:
        source = place
        if not (place / ".git").exists():
            run("git", "init", "--quiet", str(place))
        run("git", "fetch", "--quiet", "--depth", "1", recipe["repository"], recipe["commit"], place=place)
        run("git", "checkout", "--quiet", "--force", "FETCH_HEAD", place=place)
    if (found_commit := run("git", "rev-parse", "HEAD", place=source)) != recipe["commit"]:
        raise SystemExit(f"{source}: expected a checkout of commit {recipe['commit']}, found {found_commit}")
    return source.resolve()


def expanded(word: str, values: dict[str, str]) -> list[str]:
    """A word of a command with its values, as several if it names files by a pattern."""
    for name, value in values.items():
        word = word.replace(f"{{{name}}}", value)
    return sorted(glob(word)) if "*" in word else [word]


def build(name: str, into: Path, source: Path | None) -> list[Path]:
    """Build the engines of a recipe; their files for ``cmd:``."""
    recipe = RECIPES[name]
    into.mkdir(parents=True, exist_ok=True)
    checkout = fetched(recipe, into.resolve() / "source" / name, source)
    values = {"source": str(checkout), "here": str(HERE), "python": sys.executable}
    for step in recipe["build"]:
        run(*(found for word in step for found in expanded(word, values)), place=into)
    for wrapper in recipe["copy"]:
        shutil.copy(HERE / wrapper, into)
    files = []
    for engine, given in recipe["engines"].items():
        command = [found for word in given["command"] for found in expanded(word, values)]
        options = "".join(f"{key} = {value}\n" for key, value in given.get("options", {}).items())
        files.append(into / f"{engine}.toml")
        # A list of texts in JSON is one in TOML, too.
        files[-1].write_text(f"command = {json.dumps(command)}\n\n[options]\n{options}", encoding="utf-8")
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description="Fetch programs of others and build UMI engines of them.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"recipes, default all: {', '.join(RECIPES)}")
    parser.add_argument("--into", type=Path, default=Path("build/foreign"), help="folder for sources and engines")
    parser.add_argument("--source", type=Path, help="a checkout at the commit of the one recipe, not fetched")
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in RECIPES]
    if unknown:
        parser.error(f"expected recipes among {', '.join(RECIPES)}, found {', '.join(unknown)}")
    if given.source is not None and len(given.names) != 1:
        parser.error("expected one recipe with --source")
    for name in given.names or RECIPES:
        try:
            files = build(name, given.into, given.source)
        except (subprocess.CalledProcessError, OSError) as error:
            raise SystemExit(f"{name}: {error}") from None
        for file in files:
            print(file)


if __name__ == "__main__":
    main()
