"""Configuration of the suite: Hypothesis profiles, and the tests that a run leaves out.

``pytest`` alone runs the core tests. Files and folders on the command line add their ``extended`` tests, single tests
add everything, and so does ``-m``: ``pytest -m "not slow"`` is what CI runs, ``pytest -m slow`` the exhaustive rest.
Where ``CI`` is set examples are always the same; ``HYPOTHESIS_PROFILE=thorough`` tries twenty times as many.

A golden is a file with the expected text, in the folder ``goldens`` beside its test. ``pytest --update`` writes goldens
in place of comparing; their change is reviewed as a diff.
"""

import gc
import os
import re
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests import ROOT

PATIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=PATIENT)
settings.register_profile("core", settings.get_profile("default"), max_examples=8)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
# Where tests run once more, with other libraries: the engines are the same, the way to them is not.
settings.register_profile("again", settings.get_profile("ci"), max_examples=8)
# For benchmarks/mutants.py: that a test fails is enough to know, the smallest way to make it fail is not wanted.
settings.register_profile("mutants", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate])
settings.register_profile("thorough", settings.get_profile("default"), max_examples=1200)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write goldens in place of comparing with them")


class Golden(Protocol):
    """Compare a text with the golden of a name, or write it with ``--update``."""

    def __call__(self, name: str, text: str) -> None: ...


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    def compare(name: str, text: str) -> None:
        path = request.path.parent / "goldens" / name
        if request.config.getoption("--update"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{path.relative_to(ROOT)}: see --update"

    return compare


class Answers(Protocol):
    """Compare the answer to each line of a golden that begins with $ with the line behind it."""

    def __call__(self, name: str, answer: Callable[[str], str]) -> None: ...


@pytest.fixture
def answers(request: pytest.FixtureRequest, golden: Golden) -> Answers:
    def compare(name: str, answer: Callable[[str], str]) -> None:
        told = []
        for line in (request.path.parent / "goldens" / name).read_text(encoding="utf-8").splitlines():
            if line.startswith("$ "):
                told += [line, answer(line.removeprefix("$ "))]
            elif not line or line.startswith("#"):
                told.append(line)
        golden(name, "".join(f"{line}\n" for line in told))

    return compare


@cache
def tables() -> dict[tuple[str, str], str]:
    """What each completeness test of CONTRIBUTING.md compares, in words, by its file and its name."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Enumerations\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `([^`]+)` `([^`]+)` \|$", section, re.MULTILINE)
    found: dict[tuple[str, str], str] = {}
    for what, table, file, name in rows:
        before = f"{found[file, name]}, or of " if (file, name) in found else ""
        found[file, name] = f"{before}{what} ({table.replace('`', '')})"
    return found


def table_of(item: pytest.Item) -> str | None:
    """The table that a completeness test is about; None for any other test."""
    return tables().get((item.nodeid.partition("::")[0], getattr(item, "originalname", None) or item.name))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Say in the first line of a failed completeness test which table it is about."""
    table = table_of(item) if call.excinfo is not None else None
    if call.excinfo is not None and table is not None and isinstance(call.excinfo.value, AssertionError):
        call.excinfo.value.args = (f"of {table} something is missing or too much: {call.excinfo.value}",)
    return (yield)


def left_out(config: pytest.Config) -> tuple[str, ...]:
    """Markers of the tests that a run leaves out."""
    if config.option.markexpr or any("::" in argument for argument in config.args):
        return ()
    return ("slow", "extended") if config.args == config.getini("testpaths") else ("slow",)


class LeftOut:
    """Modules that are not collected: numba's, stand-ins of other programs.

    A plug-in and no hook of this file, which would see nothing outside of its folder.
    """

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if collection_path.name in ("lowering.py", "stand_ins") else None


def pytest_configure(config: pytest.Config) -> None:
    """Load the Hypothesis profile: fewer examples for the core tests."""
    config.pluginmanager.register(LeftOut())
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # A shell has started the suite in the background; processes of tests would ignore interrupts, too.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    usual = "ci" if os.environ.get("CI") else "core" if "extended" in left_out(config) else "default"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or usual)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without a garbage collector: among the many objects of syntax trees it takes a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long tests out, unless markers, files or single tests are asked for; completeness tests come first."""
    unwanted = left_out(config)
    kept: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    for item in items:
        callspec = getattr(item, "callspec", None)
        if not item.get_closest_marker("extended") or item.get_closest_marker("browser"):
            # Servers, browsers and what a file remembers are had once; other long tests go wherever there is time.
            place = "" if callspec is None else callspec.params.get("url", "")
            item.add_marker(pytest.mark.xdist_group(f"{item.nodeid.partition('::')[0]} {place}"))
        leave_out = any(item.get_closest_marker(name) for name in unwanted)
        (deselected if leave_out else kept).append(item)
    config.hook.pytest_deselected(items=deselected)
    # What a new entry of a table still lacks is told first.
    items[:] = sorted(kept, key=lambda item: table_of(item) is None)


@pytest.fixture(autouse=True, scope="session")
def python_engines() -> Iterator[None]:
    """Let the engine ``auto`` stay in Python, where tests compare kernels with it."""
    from satsweep.solver import compiled

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "is_preferred", lambda: False)
        yield


def pytest_sessionstart(session: pytest.Session) -> None:
    """Run no test on a compiled library that is missing or older than its sources."""
    from satsweep.errors import KernelError
    from satsweep.solver import compiled

    try:
        compiled.load()
    except KernelError as error:
        pytest.exit(str(error), returncode=3)
