"""Loaders that keep compiled code, in Python on this machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from tests import ROOT


def test_modules_are_compiled_once(tmp_path: Path) -> None:
    """Modules of a folder and of an archive, in two processes; the sources are gone in the second."""
    folder, archive = tmp_path / "folder", tmp_path / "archive.zip"
    folder.mkdir()
    (folder / "first.py").write_text("from second.third import value\n")
    with ZipFile(archive, "w") as made:
        made.writestr("second/__init__.py", "")
        made.writestr("second/third.py", "value = 7\n")
    code = """if True:
        import sys
        from pathlib import Path
        loaders, kept = {}, Path(sys.argv[3])
        exec(Path(sys.argv[4]).read_text(), loaders)
        class Array:
            to_bytes = kept.read_bytes
        loaders["begin"](Array if kept.exists() else None)
        sys.path[:0] = sys.argv[1:3]
        import first
        print(first.value, *sorted(name for name in loaders["added"] if "third" in name or "first" in name))
        if told := loaders["told"]():
            kept.write_bytes(told)
        assert loaders["told"]() is None
    """
    loaders = ROOT / "satsweep" / "offline" / "kept_code.py"
    command = [sys.executable, "-B", "-c", code, str(folder), str(archive), str(tmp_path / "kept"), str(loaders)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "7 first second.third\n"
    (folder / "first.py").write_text("syntax error")
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "7\n"
