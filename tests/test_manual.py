"""The manual is true: its Python is a doctest, its console sessions are run, its notebooks too, and it can be built."""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tomllib
from importlib import import_module
from inspect import ismodule
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
import yaml

import satsweep
from satsweep.cli import COMMANDS as COMMANDS_OF_CLI
from satsweep.page.answers import ANSWERS
from tests import PATIENCE, ROOT
from tests.conftest import Golden

PAGES = {path.relative_to(ROOT).as_posix(): path for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in PAGES.items()}
COMMANDS = [
    (name, command, expected)
    for name, text in TEXTS.items()
    for session in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
]
NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))


@pytest.mark.extended
@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if ">>> " in text])
def test_python_examples(name: str) -> None:
    result = doctest.testfile(str(PAGES[name]), module_relative=False)
    assert result.attempted and not result.failed


@pytest.mark.extended
@pytest.mark.parametrize(("page", "command", "expected"), COMMANDS, ids=[f"{one[0]}: {one[1]}" for one in COMMANDS])
def test_console_sessions(page: str, command: str, expected: str) -> None:
    """Run from the root of the checkout; ``...`` in what is shown stands for anything."""
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "NO_COLOR": "1", "PATH": scripts + os.pathsep + os.environ["PATH"]}
    run = subprocess.run(
        shlex.split(command), cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    shown = run.stdout + run.stderr
    assert doctest.OutputChecker().check_output(expected, shown, doctest.ELLIPSIS), shown


def test_the_manual_has_examples() -> None:
    assert len(COMMANDS) > 10 and "README.md" in {page for page, _, _ in COMMANDS}


@pytest.mark.extended
@pytest.mark.parametrize("command", re.findall(r"`((?:satsweep|python) [^`]+)`", TEXTS["README.md"]))
def test_the_commands_of_the_readme_can_be_copied(command: str, tmp_path: Path) -> None:
    """Those in its sentences and its table, run beside the examples; the page would stay until it is stopped."""
    if command == "satsweep serve":
        return
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"]}
    run = subprocess.run(shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, timeout=PATIENCE)
    assert (run.returncode, bool(run.stdout)) == (0, True), run.stderr


def test_the_table_of_the_readme_has_five_users() -> None:
    rows = [line.split("|")[1:-1] for line in TEXTS["README.md"].split("\n") if line.startswith("| ")]
    assert [row[0].strip() for row in rows][:1] == ["you are"] and len(rows) == 6
    assert all("`" in do and "](" in read for _, do, read in rows[1:])


def test_links_hold_in_a_checkout(subtests: pytest.Subtests) -> None:
    """Files and headings; those of the site are followed when it is built."""
    others = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("*.md")]
    others += ["benchmarks/README.md", "examples/README.md", "examples/umi/foreign/README.md"]
    texts = {**TEXTS, **{name: (ROOT / name).read_text(encoding="utf-8") for name in others}}
    for name, text in texts.items():
        for link in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
            place, _, anchor = link.partition("#")
            if re.match("[a-z]+:", place):
                continue
            with subtests.test(page=name, link=link):
                target = (ROOT / name).parent / place if place else ROOT / name
                assert target.exists()
                headings = re.findall(r"^#+ (.*)", target.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
                assert not anchor or anchor in map(_anchor, headings)


def _anchor(heading: str) -> str:
    """Name of a heading, by which links find it."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower())).strip("-")


def test_addresses_of_the_project_are_those_of_its_metadata(subtests: pytest.Subtests) -> None:
    """``[project.urls]`` is the one place where they are chosen."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    home, repository = urls["Homepage"], urls["Repository"]
    assert all(url.startswith((home, repository)) for url in urls.values())
    assert urls["Page"] in TEXTS["README.md"] and home in TEXTS["README.md"]
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for name in tracked or TEXTS:
        path = ROOT / name
        if path.suffix in (".md", ".yml", ".toml", ".cff", ".html", ".py", ".json") and path.is_file():
            with subtests.test(name):
                text = path.read_text(encoding="utf-8")
                for found in re.findall(r"https://(?:github\.com/satsweep|satsweep\.github\.io)[^\s\")>'`]*", text):
                    assert found.startswith((home, repository))


def test_issue_forms_ask_for_what_is_needed() -> None:
    """GitHub refuses a form without these; the board is asked for where an answer is wrong."""
    forms = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")}
    assert {"wrong-answer", "file-format", "idea", "config"} == set(forms)
    for name in set(forms) - {"config"}:
        form = forms[name]
        assert form["name"] and form["description"] and form["body"]
        assert all(part["type"] in ("textarea", "input") and part["attributes"]["label"] for part in form["body"])
        assert len({part["id"] for part in form["body"]}) == len(form["body"])
    board = forms["wrong-answer"]["body"][0]
    assert board["id"] == "board" and board["validations"]["required"]


def test_the_moving_picture_of_the_readme(golden: Golden) -> None:
    golden(str(ROOT / "docs" / "game.svg"), satsweep.play("intermediate", "sat", seed=3).to_svg())


def test_the_picture_of_the_first_board(golden: Golden) -> None:
    board = (ROOT / "examples" / "small.txt").read_text(encoding="utf-8")
    golden(str(ROOT / "docs" / "small.svg"), satsweep.analyse(board).to_svg())


def test_every_exported_name_is_on_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = _reference(monkeypatch)
    names = [name.rpartition(".")[2] for topic in reference.topics() for name in topic.exported]
    assert sorted(names) == sorted(name for name in satsweep.__all__ if not ismodule(getattr(satsweep, name)))


def test_one_table_says_where_each_subject_is() -> None:
    """Each command stands in it once; its functions, folders and pages exist."""
    rows = [re.findall(r"(?<=\|)[^|]*", line) for line in TEXTS["docs/reference.md"].split("\n") if line[:3] == "| `"]
    commands = [name for row in rows for name in re.findall(r"`([^`]+)`", row[0])]
    assert sorted(commands) == sorted(COMMANDS_OF_CLI)
    for row in rows:
        for name in re.findall(r"`([\w.]+)`", row[1]):
            assert resolve_name(f"satsweep.{name}") is not None
        for name in re.findall(r"`([\w/]+)`", row[2]):
            assert (ROOT / "satsweep" / name).is_dir(), name
        assert all((ROOT / "docs" / page).is_file() for page in re.findall(r"\]\(([^)]+)\)", row[3]))


def test_every_command_has_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = _reference(monkeypatch)
    page = reference.command_page("solve")
    assert page.startswith("# satsweep solve\n") and "| `--engine` `" in page and "Exit codes: 0 solved" in page
    made = dict(reference.pages())
    assert {f"reference/commands/{name}.md" for name in COMMANDS_OF_CLI} < set(made)
    protocol = made["reference/page-protocol.md"]
    assert {f"## {name}" for name in ANSWERS} <= set(protocol.split("\n"))
    assert "Fields, required: `board`, `cell`." in protocol and "Or fields, required: `base64`." in protocol
    assert "`text|json|svg|png`" in page
    assert "](library/" not in made["benchmarks.md"] and "](../../" not in "".join(made.values())


def _reference(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return import_module("reference")


@pytest.mark.extended
def test_the_manual_can_be_built(tmp_path: Path) -> None:
    """Without a warning, so that every link has its target."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-3000:]
    analysis = (tmp_path / "reference" / "library" / "forced-cells-and-risks" / "index.html").read_text(
        encoding="utf-8"
    )
    assert "number of layouts that agree with the board" in analysis  # inherited
    assert "Find the forced cells of a board" in analysis and "<blockquote>" not in analysis
    order = (tmp_path / "guides" / "boards-to-order" / "index.html").read_text(encoding="utf-8")
    assert "<code>--first safe|zero</code>" in order
    assert (tmp_path / "small.svg").is_file()
    pages = list(tmp_path.rglob("*.html"))
    loaded = {
        where
        for page in pages
        for where in re.findall(r'(?:src|href)="(https?://[^"]*\.(?:js|css|woff2?))"', page.read_text())
    }
    assert loaded == set()


@pytest.mark.extended
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks(notebook: Path, tmp_path: Path) -> None:
    """Each runs to its end, and says what it said; cells with the tag ``varies`` may say something else."""
    from nbclient import NotebookClient
    from nbformat import reads

    text = notebook.read_text(encoding="utf-8")
    content: Any = reads(text, as_version=4)  # type: ignore[no-untyped-call]
    saved = json.loads(text)
    NotebookClient(content, timeout=PATIENCE, resources={"metadata": {"path": str(ROOT)}}).execute()
    assert any(cell.get("outputs") for cell in content.cells)
    assert [_said(cell) for cell in content.cells] == [_said(cell) for cell in saved["cells"]]


def _said(cell: Any) -> list[str]:
    """The texts of a cell's outputs, but for warnings. What is printed may come in several outputs."""
    found: list[str] = []
    printed = False
    for output in cell.get("outputs", ()):
        if output.get("name") == "stderr" or "varies" in cell["metadata"].get("tags", ()):
            continue
        text = "".join(output.get("text") or output.get("data", {}).get("text/plain", ""))
        if printed and output["output_type"] == "stream":
            found[-1] += text
        else:
            found.append(text)
        printed = output["output_type"] == "stream"
    return found
