"""Archives that keep compiled code, in Python on this machine."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from tests import ROOT

START = """if True:
    import sys
    from pathlib import Path
    code = {}
    exec(Path(sys.argv[1]).read_text(), code)
    standard, libraries = code["Archive"](sys.argv[2]), code["Archive"](sys.argv[3], sys.argv[4])
    sys.path.insert(0, standard.path)
    libraries.unpack()
    import first
    steps = {archive: 0 for archive in (standard, libraries)}
    for archive in steps:
        for _ in range(2):  # given up after a step, and begun again
            for _ in archive.compiling():
                steps[archive] += 1
                if steps[archive] == 1:
                    break
    print(first.value, *steps.values(), [archive.keep() for archive in steps], [archive.keep() for archive in steps])
"""


def without_sources(archive: Path) -> None:
    """Make the source of every module of an archive one that cannot be compiled."""
    with ZipFile(archive) as old:
        contents = {name: old.read(name) for name in old.namelist()}
    with ZipFile(archive, "w") as new:
        for name, content in contents.items():
            new.writestr(name, "syntax error" if name.endswith(".py") else content)


def test_modules_are_compiled_once(tmp_path: Path) -> None:
    """Modules of an archive and of an unpacked one, in two processes; the sources are useless in the second."""
    standard, libraries = tmp_path / "standard.zip", tmp_path / "libraries.zip"
    with ZipFile(libraries, "w") as made:
        made.writestr("first.py", "from second.third import value\nfrom fourth import fifth\n")
        made.writestr("fourth/__init__.py", "")
        made.writestr("fourth/fifth.py", "")
        made.writestr("unused.py", "")
    with ZipFile(standard, "w") as made:
        made.writestr("second/__init__.py", "")
        made.writestr("second/third.py", "value = 7\n")
    script = ROOT / "satsweep" / "page" / "offline" / "kept_code.py"

    def started(folder: str) -> str:
        command = [sys.executable, "-BE", "-c", START, *map(str, (script, standard, libraries, tmp_path / folder))]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert started("one") == "7 2 3 [True, True] [False, False]\n"
    with ZipFile(standard) as found:
        assert sorted(found.namelist())[1::2] == ["second/__init__.pyc", "second/third.pyc"]
    without_sources(standard)
    without_sources(libraries)
    assert started("two") == "7 0 0 [False, False] [False, False]\n"
