"""The folder of ``satsweep static`` on disk, and its service worker: builds are whole, and never mixed."""

import json
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from satsweep.page import static_files
from satsweep.page.offline.build import FolderError, _keeping, _with_two_sheets, write
from satsweep.render.page_bundle import lean
from tests.cli import invoke

WORKER = Path(__file__).parents[2] / "satsweep" / "page" / "offline" / "page" / "service-worker.js"
# A browser, as far as a service worker sees it: it installs what the host has, and says what it has kept.
BROWSER = """
const kept = {};
const cache = { put: async (name, response) => (kept[name] = await response.text()) };
globalThis.self = { clients: { matchAll: async () => [] }, addEventListener: (kind, call) => (self[kind] = call) };
globalThis.caches = { open: async () => cache };
globalThis.fetch = async (name) => new Response(HOST[name]);
WORKER
self.install({ waitUntil: (kept_all) => kept_all.then(
  () => console.log(JSON.stringify(kept)),
  (error) => console.log(JSON.stringify(error.message)),
) });
"""


def folder(**contents: str) -> dict[str, bytes]:
    found = {"service-worker.js": WORKER.read_bytes()}
    found |= {name.replace("_", "."): content.encode() for name, content in contents.items()}
    return found | {"service-worker.js": _keeping(found)}


def contents(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    site = tmp_path / "site"
    first, second = folder(index_html="1", gone_js="1"), folder(index_html="2", main_js="2")
    write(first, site)
    assert contents(site) == first
    write(second, site)
    assert contents(site) == second and [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("name", ["index.html", "main.js", "more/CNAME", ".hidden"])
def test_files_of_others_stay(tmp_path: Path, name: str) -> None:
    """Beside an earlier build, and alone."""
    for number, before in enumerate(({}, folder(page_html="1"))):
        site = tmp_path / str(number)
        if before:
            write(before, site)
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("mine")
        there = contents(site)
        expected = f"expected an empty folder, or one that `satsweep static` has written, found {name} in it"
        with pytest.raises(FolderError, match=expected):
            write(folder(index_html="2"), site)
        done = invoke("static", str(site), "--wheels", str(tmp_path))
        assert (done.exit_code, done.stderr) == (3, f"{site}: {expected}\n")
        assert contents(site) == there and len(list(tmp_path.iterdir())) == number + 1


def test_an_error_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    site = tmp_path / "site"
    first = folder(index_html="1")
    write(first, site)
    with pytest.raises(FileExistsError):
        write(folder(index_html="2") | {"index.html/inside": b""}, site)
    assert contents(site) == first and [path.name for path in tmp_path.iterdir()] == ["site"]


def test_the_current_folder_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for directory in (".", str(tmp_path), str(tmp_path.parent)):
        done = invoke("static", directory, "--wheels", str(tmp_path))
        assert done.exit_code == 2 and "expected another folder than the current one" in done.stderr


@pytest.mark.parametrize(("host", "problem"), [({}, None), ({"main.js": "1"}, "main.js is of another build")])
def test_no_mixture_of_builds_is_kept(host: dict[str, str], problem: str | None) -> None:
    """A host in the middle of an update has some files of another build."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    build = folder(index_html="2", main_js="2")
    files = {name: content.decode() for name, content in build.items() if name != "service-worker.js"}
    code = BROWSER.replace("HOST", json.dumps(files | host)).replace("WORKER", build["service-worker.js"].decode())
    said = json.loads(subprocess.run([node, "-e", code], capture_output=True, text=True, check=True).stdout)
    assert said == (problem or files)
    assert sha256(build["main.js"]).hexdigest().encode() in build["service-worker.js"]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.js", "// said\nlet a = 1; // said\n", "let a = 1;\n"),
        ("a.js", "let a = '; // kept', b = `[ // kept`;\n", "let a = '; // kept', b = `[ // kept`;\n"),
        ("a.js", "/**\n * @param {x} y\n */\nf(/** @type {any} */ (a), 1);\n", "f((a), 1);\n"),
        ("a.js", "{\n  const b = `c`;\n}\n", "{\nconst b = `c`;\n}\n"),
        ("a.js", "const b = `c\n  d`;\n", "const b = `c\n  d`;\n"),
        ("a.css", '/* A */\n.b {\n  /* c\n   d */\n  content: "  e";\n}\n', '.b {\ncontent: "  e";\n}\n'),
        ("a.html", "<p>\n  a\n</p>\n", "<p>\na\n</p>\n"),
        ("a.svg", "<svg>\n  <g/>\n", "<svg>\n  <g/>\n"),
    ],
)
def test_files_are_madelean(name: str, before: str, after: str) -> None:
    assert lean(name, before.encode()).decode() == after


def test_style_sheets_are_two_in_their_order() -> None:
    """One for the first look, one for the other views."""
    found = static_files()
    whole = _with_two_sheets(found)
    names = [name for name in found if name.endswith(".css")]
    names = [name for name in names if f'href="{name}"' in found["index.html"].decode()]
    sheets = [name for name in names if name in whole]
    assert len(names) > 5 and sorted(sheets) == ["app/style.css", "watch/watch.css"]
    assert whole["index.html"].count(b'rel="stylesheet"') == 2
    first = ("app/style.css", "shared/sheet.css", "solve/solve.css")
    for one, own in ((first[0], first), ("watch/watch.css", ("watch/watch.css", "play/play.css"))):
        places = [whole[one].index(found[name]) for name in own]
        assert places == sorted(places)
    assert sum(len(whole[name]) for name in sheets) == sum(len(found[name]) for name in names)
