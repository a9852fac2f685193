"""Check that the distributions of a release have what they should have.

    python scripts/contents.py dist
    python scripts/contents.py --phone TARGET DIRECTORY
    python scripts/contents.py --extras | --targets | --phones | --requirements

There is a wheel for each target and one without a library of its own. A wheel has every tracked file of the package
that ``pyproject.toml`` does not exclude, the library of its target, that for WebAssembly, and nothing else but its
metadata; the library is for the right processor, needs no other one, and has the functions of its header. The source
distribution has every tracked file that ``pyproject.toml`` names. The other options print the extras that users
install, the targets, and what a release is built, checked and published with.
"""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from runpy import run_path
from typing import Any

ROOT = Path(__file__).parent.parent
KERNELS = "satsweep/kernels"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
FOR_DEVELOPERS = {"test", "bench", "dev", "docs", "build"}
BUILD = run_path(str(ROOT / KERNELS / "build.py"))
NATIVE = {name: target for name, target in BUILD["TARGETS"].items() if target.wheel}
PHONES = {name: target for name, target in BUILD["TARGETS"].items() if not target.wheel and name != "wasm32"}
WASM = {BUILD[name].relative_to(ROOT).as_posix() for name in ("WASM", "QUICK_WASM")}
GENERATED = {"PKG-INFO", ".gitignore", "pyproject.toml", "README.md", "LICENSE"}
SYSTEM_LIBRARIES = {"macos": ["/usr/lib/libSystem.B.dylib"]}
"""Libraries that every program of a system has loaded."""
SYSTEM_FUNCTIONS = {"ios": {"_bzero", "_memset_pattern16"}}
"""Functions of these that an object file needs."""


def main() -> None:
    """Print what is asked for, or check the distributions of a directory."""
    printed = {
        "--extras": [extra for extra in EXTRAS if extra not in FOR_DEVELOPERS],
        "--targets": [*NATIVE, "none"],
        "--phones": [*PHONES],
        "--requirements": ["build", "twine", "lief", *PROJECT["build-system"]["requires"], *EXTRAS["build"]],
    }
    if sys.argv[1] in printed:
        print(*printed[sys.argv[1]], sep="\n")
        return
    if sys.argv[1] == "--phone":
        name, directory = sys.argv[2:]
        check_library(name, (Path(directory) / PHONES[name].file).read_bytes())
        return
    dist = Path(sys.argv[1])
    asked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    tracked = asked.stdout.splitlines()
    targets = PROJECT["tool"]["hatch"]["build"]["targets"]
    package = {name for name in tracked if name.startswith("satsweep/")} - set(targets["wheel"]["exclude"])
    expected = {target.wheel: name for name, target in NATIVE.items()} | {"any": "none"}
    found = {path.stem.split("-", 4)[-1]: path for path in sorted(dist.glob("*.whl"))}
    check("dist", set(found), set(expected))
    for tag, path in found.items():
        wheel, name = zipfile.ZipFile(path), expected[tag]
        library = NATIVE[name].file if name != "none" else None
        files = {*WASM, *(f"{KERNELS}/{file}" for file in (library, BUILD["SUM"]) if library)}
        check(f"wheel for {name}", {one for one in wheel.namelist() if ".dist-info/" not in one}, package | files)
        if library:
            check_library(name, wheel.read(f"{KERNELS}/{library}"))
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        source = {name.partition("/")[2] for name in archive.getnames()} - GENERATED
    included = tuple(targets["sdist"]["include"])
    named = {name for name in tracked if any(name == one or name.startswith(f"{one}/") for one in included)}
    check("source distribution", source, named - GENERATED)


def check_library(target: str, code: bytes) -> None:
    """Exit with what is wrong with the library of a target."""
    import lief

    lief.logging.disable()
    system, processor = target.split("-")
    library: Any = lief.parse(code)
    described = library.abstract.header
    if described.architecture.name != processor.upper() or not described.is_64:
        sys.exit(f"library for {target}: made for {described.architecture.name}")
    # A library of macOS names itself, too.
    needed = {getattr(one, "name", one) for one in library.libraries} - {f"@rpath/{BUILD['TARGETS'][target].file}"}
    check(f"libraries for {target}", needed, set(SYSTEM_LIBRARIES.get(system, ())))
    imported = {str(one.name) for one in library.imported_functions}
    if system == "ios":  # an object file exports nothing yet
        check(f"functions that {target} needs", imported, SYSTEM_FUNCTIONS[system])
    exported = library.symbols if system == "ios" else library.exported_functions
    functions = {str(one.name).removeprefix("_") for one in exported}
    wanted = set(BUILD["functions"]())
    check(f"functions for {target}", functions & wanted, wanted)


def check(kind: str, found: set[str], expected: set[str]) -> None:
    """Exit with the names of files that are missing, or that should not be there."""
    wrong = [*(f"lacks {name}" for name in expected - found), *(f"has {name}" for name in found - expected)]
    if wrong:
        sys.exit("\n".join(f"{kind}: {line}" for line in sorted(wrong)))
    print(f"{kind}: {len(found)}, as expected")


if __name__ == "__main__":
    main()
