"""Workflows: what others wrote is pinned, jobs have the least rights, nothing is published before all tests."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from typing import Any

import yaml

from tests import ROOT

WORKFLOWS: dict[str, dict[str, Any]] = {
    file.name: yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
TOOLS = ROOT / "scripts" / "release-tools.txt"
RIGHTS = {
    "deploy": {"pages": "write", "id-token": "write"},
    "publish": {"contents": "read", "id-token": "write"},
    "publish-image": {"packages": "write"},
    "publish-npm": {"id-token": "write"},
}
"""Rights of the jobs that write; all others may read the repository, and no more."""


def jobs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for file, workflow in WORKFLOWS.items():
        for name, job in workflow["jobs"].items():
            yield file, name, job


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for file, name, job in jobs():
        for step in job.get("steps", ()):
            yield f"{file}: {name}", step


def test_there_are_workflows() -> None:
    assert {"ci.yml", "docs.yml", "release.yml"} <= set(WORKFLOWS)


def test_actions_are_pinned_by_their_commit() -> None:
    """A tag or a branch may be moved to other code. A comment says which version the commit is."""
    used = [
        (file.name, line.strip())
        for file in sorted((ROOT / ".github").rglob("*.yml"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if "uses:" in line and "uses: ./" not in line
    ]
    pinned = re.compile(r"(- )?uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    assert used
    assert [one for one in used if not pinned.fullmatch(one[1])] == []
    of_action: dict[str, set[str]] = {}
    for _, line in used:
        action, _, commit = line.partition("uses: ")[2].partition("@")
        of_action.setdefault(action, set()).add(commit)
    assert {action: found for action, found in of_action.items() if len(found) > 1} == {}


def test_no_checkout_keeps_its_credentials() -> None:
    checkouts = [(place, step) for place, step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert [place for place, step in checkouts if step.get("with", {}).get("persist-credentials") is not False] == []


def test_jobs_have_the_least_rights() -> None:
    assert {file: workflow.get("permissions") for file, workflow in WORKFLOWS.items()} == dict.fromkeys(WORKFLOWS, {})
    for file, name, job in jobs():
        rights = job.get("permissions")
        assert rights == RIGHTS.get(name, {"contents": "read"}), f"{file}: {name}"
    assert set(RIGHTS) <= {name for _, name, _ in jobs()}


def test_what_is_published_was_tested() -> None:
    release = WORKFLOWS["release.yml"]["jobs"]
    published = {name for name in release if name.startswith("publish")}
    assert published == {"publish", "publish-image", "publish-npm"}
    for name in published:
        assert set(release[name]["needs"]) == set(release) - published
        assert release[name]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert release["ci"]["uses"] == "./.github/workflows/ci.yml"
    # The key of YAML's boolean: on.
    assert "workflow_call" in WORKFLOWS["ci.yml"][True]  # type: ignore[index]
    manual = WORKFLOWS["docs.yml"]["jobs"]
    assert set(manual["deploy"]["needs"]) == set(manual) - {"deploy"}
    assert manual["ci"]["uses"] == release["ci"]["uses"] and manual["ci"]["if"] == manual["deploy"]["if"]


def test_everything_is_tried_each_week() -> None:
    """Packages of others change while this repository does not; the mutants run with the rest."""
    (when,) = WORKFLOWS["ci.yml"][True]["schedule"]  # type: ignore[index]
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", when["cron"])
    commands = [step.get("run") for step in WORKFLOWS["ci.yml"]["jobs"]["mutants"]["steps"]]
    assert "python benchmarks/mutants.py" in commands


def test_the_engine_is_tried_on_every_system() -> None:
    ci = WORKFLOWS["ci.yml"]["jobs"]
    runners = {ci["ci"]["runs-on"], *ci["engine"]["strategy"]["matrix"]["runner"]}
    assert runners == {"ubuntu-latest", "macos-latest", "windows-latest"}
    assert "scripts/test --engine" in [step.get("run") for step in ci["engine"]["steps"]]


def test_every_python_that_is_supported_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    supported = [line.rpartition(" ")[2] for line in project["classifiers"] if " :: Python :: 3." in line]
    assert WORKFLOWS["ci.yml"]["jobs"]["ci"]["strategy"]["matrix"]["python"] == supported
    release = WORKFLOWS["release.yml"]["jobs"]["package"]["steps"]
    (installed,) = [step["with"]["python-version"] for step in release if "python-version" in step.get("with", {})]
    assert installed.split() == supported
    assert "scripts/release " + " ".join(f"python{one}" for one in supported) in [step.get("run") for step in release]


def test_packages_of_npm_say_where_they_were_built() -> None:
    *_, publishing = WORKFLOWS["release.yml"]["jobs"]["publish-npm"]["steps"]
    assert publishing == {"run": "npm publish ./*.tgz --provenance --access public"}


def test_values_of_github_reach_a_shell_by_variables_alone() -> None:
    assert [(place, step["run"]) for place, step in steps() if "${{" in step.get("run", "")] == []


def pins() -> dict[str, str]:
    lines = [line for line in TOOLS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found = [re.fullmatch(r"([a-z0-9-]+)==([0-9][0-9a-z.]*)", line) for line in lines]
    assert all(found) and len(set(lines)) == len(lines)
    return {one[1]: one[2] for one in found if one}


def test_a_release_is_built_with_pinned_tools() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "contents.py"), "--requirements"]
    asked = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    needed = {re.split(r"[^A-Za-z0-9-]", line, maxsplit=1)[0] for line in asked}
    assert {"build", "twine", "lief", "hatchling", "numba"} <= needed <= set(pins())
    for line in asked:
        name, version = re.split(r"[^A-Za-z0-9-]", line, maxsplit=1)[0], re.search(r"==([\d.]+)\.\*", line)
        assert version is None or pins()[name].startswith(f"{version[1]}."), line


def test_every_installation_of_tools_keeps_to_the_pins() -> None:
    script = (ROOT / "scripts" / "release").read_text(encoding="utf-8").splitlines()
    assert [line for line in script if line.startswith("environment ")] == [
        'environment "$1" build --constraint scripts/release-tools.txt --requirement "$room/requirements"'
    ]
    (upload,) = [step["run"] for _, step in steps() if "install" in step.get("run", "") and "twine" in step["run"]]
    assert upload == "pip install --constraint scripts/release-tools.txt twine"
