"""A fingerprint changes with every source file that an agent is made of, and with no other."""

import hashlib
from pathlib import Path

import pytest

from satsweep.agents.fingerprint import fingerprint
from satsweep.errors import AgentError

FILES = {
    "mine.py": "import helper\nfrom package import part\n\ndef deduce(board):\n    from late import x\n",
    "helper.py": "import deeper.still\n1 +\n",
    "late.py": "from . import nothing\nx = 1\n",
    "package/__init__.py": "",
    "package/part.py": "from .sibling import y\nfrom .. import beyond\n",
    "package/sibling.py": "y = 2\n",
}
UNRELATED = {"other.py": "", "package/other.py": "", "data.txt": ""}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "package").mkdir()
    for name, content in (FILES | UNRELATED).items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("agent", ["mine.py:deduce", "mine:deduce", "{}/mine.py:deduce"])
@pytest.mark.parametrize("name", [*FILES, *UNRELATED])
def test_it_covers_modules_beside_the_file(folder: Path, agent: str, name: str) -> None:
    agent = agent.format(folder)
    before = fingerprint(agent)
    assert before == fingerprint(agent)
    (folder / name).write_text((folder / name).read_text() + "# changed\n")
    assert (fingerprint(agent) != before) == (name in FILES)


def test_names_of_modules_count(folder: Path) -> None:
    agent = "package.part:deduce"
    before = fingerprint(agent)
    (folder / "package" / "sibling.py").write_text("y = 3\n")
    assert fingerprint(agent) != before
    assert fingerprint("package:deduce") == hashlib.sha256(b"").hexdigest()


def test_a_single_file_has_its_own_digest(folder: Path) -> None:
    """Runs of such agents that are in a store already can be continued."""
    assert fingerprint("other.py:deduce") == hashlib.sha256(b"").hexdigest()


def test_an_installed_package_counts_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder / "site-packages"
    (place / "strong").mkdir(parents=True)
    (place / "strong" / "__init__.py").write_text("import beside, strong.player\n")
    (place / "strong" / "player.py").write_text("")
    (place / "beside.py").write_text("")
    monkeypatch.syspath_prepend(place)
    before = fingerprint("strong:agent")
    (place / "beside.py").write_text("# changed\n")
    assert fingerprint("strong:agent") == before
    (place / "strong" / "player.py").write_text("# changed\n")
    assert fingerprint("strong:agent") != before


def test_agents_without_files(folder: Path) -> None:
    assert fingerprint("gem") is None and fingerprint("deep:3") is None
    assert fingerprint("no_such_module:deduce") is None and fingerprint("sys:exit") is None
    with pytest.raises(AgentError, match="none.py: expected a readable file: No such file"):
        fingerprint("none.py:deduce")
