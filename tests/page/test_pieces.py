"""Pieces that are loaded from package indexes: whole, as published, or one clear error."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from satsweep.page.offline import build
from satsweep.page.offline.build import NUMPY, PIECES, PieceError, download, gathered

ALL = (*PIECES, NUMPY)


def loading(
    monkeypatch: pytest.MonkeyPatch, *, breaks: bool = False, misnamed: bool = False, without: str = ""
) -> list[str]:
    """Let the commands of all pieces write a few bytes, and then fail or not; the pieces that were asked for."""
    asked: list[str] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        (piece,) = [one for one in ALL if one.requirement == command[-1]]
        where = Path(command[command.index("--pack-destination" if command[0] == "npm" else "--dest") + 1])
        (where / ("other.whl" if misnamed else piece.name)).write_bytes(b"half of it")
        asked.append(piece.name)
        return subprocess.CompletedProcess(
            command, int(breaks or piece.name == without), "", "warning\nconnection lost\n"
        )

    monkeypatch.setattr(subprocess, "run", run)
    return asked


def test_a_broken_download_leaves_no_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loading(monkeypatch, breaks=True)
    with pytest.raises(PieceError, match=r"^npm cannot load pyodide@\S+: connection lost$"):
        download(tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_there_is_not_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = loading(monkeypatch)
    download(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(asked) == sorted(one.name for one in ALL)
    (tmp_path / PIECES[1].name).unlink()
    download(tmp_path)
    assert asked[len(ALL) :] == [PIECES[1].name]
    with pytest.raises(PieceError, match="expected the published file, found another of this name"):
        gathered(tmp_path)


def test_numpy_may_be_missing_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is on no index: a page without it reads no pictures."""
    monkeypatch.setattr(build, "_checked", lambda piece, folder: (folder / piece.name).read_bytes())
    loading(monkeypatch, without=NUMPY.name)
    download(tmp_path)
    assert list(gathered(tmp_path)) == list(PIECES)
    loading(monkeypatch)
    download(tmp_path)
    assert list(gathered(tmp_path)) == list(ALL)


def test_another_name_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loading(monkeypatch, misnamed=True)
    with pytest.raises(PieceError, match="under another name"):
        download(tmp_path)
