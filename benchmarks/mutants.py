"""Mutation check: the quick tests must fail for each fault put into the package.

Each mutant of mutants.txt is one exact replacement in one file, with the tests that should fail. They run with ``-x``
in copies of the checkout, one for each core, with the same examples every time. This process imports what they need of
other packages once and forks for each mutant, so that a run begins with the imports of satsweep. For a fault in a
kernel the library is compiled; those of the page need Node and Chromium. The program prints a table, in seconds of
processor time, and exits with 1 if a mutant survives, or if its replacement no longer applies because the code has
changed: then adapt the mutant, do not drop it. It needs a system that has ``fork``.

    python benchmarks/mutants.py            all of them, about 50 minutes on two cores
    python benchmarks/mutants.py torus sea  those with one of the words in their name or in that of their file
    python benchmarks/mutants.py --sound    all, after the suite has passed: it does not run without a fault again
"""

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple, NoReturn

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120
"""Limit of a run in seconds of processor time: a fault may make the tests run for ever, or (ten times that) wait."""
PATIENCE = "60"
"""Seconds that a test waits for what a fault may prevent, unless TEST_PATIENCE says another number."""
COPIED = (
    *("satsweep", "tests", "benchmarks", "docs", "examples", "scripts"),
    *("pyproject.toml", "README.md", "CONTRIBUTING.md", "cli.py"),
)
IMPORTED = (
    *("cloudpickle", "gmpy2", "httpx", "hypothesis.strategies", "jsonschema", "llvmlite.binding", "networkx", "numba"),
    *("numpy", "ortools.sat.python.cp_model", "pysat.card", "pysat.solvers", "pytest", "rich.live", "rich.table"),
    *("scipy.stats", "starlette.applications", "starlette.testclient", "typer.testing", "uvicorn"),
    "websockets.sync.client",
)
"""What runs share. None of it starts a thread; none of it is satsweep, which a fault changes."""


class Mutant(NamedTuple):
    """A fault: in ``file``, ``before`` becomes ``after``, and ``tests`` must fail.

    ``before`` stands exactly once in the file.
    """

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]


def mutants() -> list[Mutant]:
    """Return the faults of mutants.txt."""
    found = []
    for part in (Path(__file__).parent / "mutants.txt").read_text().split("\n= ")[1:]:
        name, *lines = part.splitlines()
        fields = {line[:3]: line[3:] for line in lines if line.startswith(("in ", "by "))}
        before, after = ("\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+")
        found.append(Mutant(name, fields["in "], before, after, tuple(fields["by "].split())))
    return found


def copy_checkout(to: Path) -> None:
    """Copy what tests need, with compiled modules, which stay valid: copies keep the time of their sources."""
    to.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("*.o", "*.lock"))
        else:
            shutil.copy2(source, to / name)


def places(mutant: Mutant, where: Path) -> int:
    """Number of places of its file where the mutant applies; 1 is right."""
    file = where / "satsweep" / mutant.file
    return file.read_text().count(mutant.before) if file.exists() else 0


def prepare() -> None:
    """Import what runs share, in a process that has no thread but this one, so that it can fork."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for point in entry_points(group="pytest11"):
            if not point.value.startswith("satsweep"):
                point.load()
        for name in IMPORTED:
            import_module(name)
    assert threading.active_count() == 1
    gc.collect()
    gc.freeze()


def begin(tests: tuple[str, ...], where: Path, seconds: int, compiled: str = "") -> int:
    """Fork a process that runs tests on the package of a copy; its id. 0 seconds are no limit.

    With a fault in a source of the library, ``compiled``, that is built first.
    """
    sys.stdout.flush()
    if process := os.fork():
        return process
    try:
        if compiled:
            build_library(where, compiled)
        run(tests, where, seconds)
    except BaseException as error:
        print(repr(error), file=sys.stderr, flush=True)
    finally:
        os._exit(70)


BUILD = """
import os, pathlib, runpy, sys
own, kept = runpy.run_path(sys.argv[1]), pathlib.Path(sys.argv[2])
name, said = own["this_platform"](), kept.with_suffix(".h")
if not kept.exists():
    new = kept.with_name(f"{os.getpid()}.o")
    new.write_bytes(own["object_of"](name, *own["lowered"]()))
    from satsweep.kernels.record import header
    said.write_text(header())
    new.rename(kept)
from satsweep.kernels import record
record.header = said.read_text
own["_build"](name, own["KERNELS"], kept.read_bytes(), False)
"""
"""Build of a library for this platform, from its kernels in an object file and their header; made if missing."""


def build_library(where: Path, file: str) -> None:
    """Compile the library of a copy: the C files, and the kernels if the fault is in them."""
    kept = (where.parent if file.endswith(".c") else where) / "kernels.o"
    program = where / "satsweep" / "kernels" / "build.py"
    command = [sys.executable, "-P", "-c", BUILD, str(program), str(kept)]
    with open(f"{where}.log", "wb") as log:
        subprocess.run(command, check=True, stdout=log, stderr=log)


def is_compiled(file: str) -> bool:
    """Return whether a file is one of the library's sources, no module that only calls it."""
    text = (ROOT / "satsweep" / "kernels" / "toolchain" / "library.py").read_text()
    callers = re.findall(r'"(\w+\.py)"', text[text.index("CALLERS = ") :].splitlines()[0])
    return file.startswith("kernels/") and Path(file).name not in callers


def restore_library(where: Path) -> None:
    (where / "kernels.o").unlink(missing_ok=True)
    for file in (ROOT / "satsweep" / "kernels").glob("lib*"):
        shutil.copy2(file, where / "satsweep" / "kernels" / file.name)


def run(tests: tuple[str, ...], where: Path, seconds: int) -> NoReturn:
    """Run tests in this process, and end it; what they print goes beside the copy."""
    import pytest

    os.setsid()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(10 * seconds)
    with open(f"{where}.log", "wb") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.chdir(where)
    sys.path[0] = str(where)
    os.environ |= {"PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_PROFILE": "mutants"}
    os.environ.setdefault("TEST_PATIENCE", PATIENCE)
    sys.dont_write_bytecode = True
    # The plug-ins have been imported, so pytest cannot rewrite their assertions.
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", f"--basetemp={where}.tmp"]
    options += ["-m", "not slow"]  # so that a test of the page runs on one server, not on each kind of it
    ignored = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    status = pytest.main([*options, *ignored, *(f"tests/{test}" for test in tests)])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def ended() -> tuple[int, int, float]:
    """Wait for a run; its process, its exit status (a signal at the time limit) and its seconds of processor time."""
    process, status, usage = os.wait4(-1, 0)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)  # what a killed run has left behind
    return process, os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def verdict(status: int, printed: str) -> str:
    """What the exit status of a run and its output say about the mutant."""
    if status in (-signal.SIGPROF, -signal.SIGALRM):
        return "killed: the tests do not end"
    if status == 1:
        failed = [line for line in printed.splitlines() if line.startswith("FAILED ")]
        return "killed by " + failed[0].split("::")[-1].split(" - ")[0] if failed else "killed"
    if status == 0 and " passed" not in printed:
        return "NOT TRIED: its tests were skipped"  # without Chromium, or Node
    return "SURVIVED" if status == 0 else f"BROKEN RUN: {printed.strip()[-200:]}"


def verdicts(chosen: list[Mutant], copies: list[Path]) -> Iterator[tuple[Mutant, float, str]]:
    """Try mutants, one in each copy at a time; each with its seconds of processor time and what became of it."""
    todo = chosen[::-1]
    runs: dict[int, tuple[Mutant, Path, str, os.stat_result]] = {}
    while todo or runs:
        if todo and copies:
            mutant = todo.pop()
            if (found := places(mutant, copies[-1])) != 1:
                yield mutant, 0.0, f"NO LONGER APPLIES ({found} places)"
                continue
            where = copies.pop()
            file = where / "satsweep" / mutant.file
            original, stat = file.read_text(), file.stat()
            file.write_text(original.replace(mutant.before, mutant.after))
            os.utime(file, (stat.st_atime, stat.st_mtime + 10))  # so that the compiled module is that of another file
            compiled = mutant.file if is_compiled(mutant.file) else ""
            runs[begin(mutant.tests, where, SECONDS, compiled)] = mutant, where, original, stat
            continue
        process, status, seconds = ended()
        mutant, where, original, stat = runs.pop(process)
        file = where / "satsweep" / mutant.file
        file.write_text(original)
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        if is_compiled(mutant.file):
            restore_library(where)
        copies.append(where)
        yield mutant, seconds, verdict(status, Path(f"{where}.log").read_text(errors="replace"))


def main(words: list[str], sound: bool) -> int:
    chosen = [one for one in mutants() if not words or any(word in one.name or word in one.file for word in words)]
    if not chosen:
        print("no mutant has one of these words in its name or file")
        return 2
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory:
        copies = [Path(directory) / str(number) for number in range(os.cpu_count() or 1)]
        for where in copies:
            copy_checkout(where)
        prepare()
        if not sound:
            begin(tuple(dict.fromkeys(test for mutant in chosen for test in mutant.tests)), copies[0], 0)
            if ended()[1]:
                print(Path(f"{copies[0]}.log").read_text())
                print("the tests fail without any fault, so nothing is known about the mutants")
                return 1
        bad, total = 0, 0.0
        for done, (mutant, seconds, said) in enumerate(verdicts(chosen, copies), 1):
            bad += not said.startswith("killed")
            total += seconds
            print(f"{done:3} of {len(chosen)} {mutant.name:52} {mutant.file:24} {seconds:5.1f} s  {said}", flush=True)
    print(f"{len(chosen) - bad} of {len(chosen)} mutants killed, in {total / 60:.1f} minutes of processor time")
    return 1 if bad else 0


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="words in the names or files of the mutants to try")
    parser.add_argument("--sound", action="store_true", help="the suite has passed: do not run it without a fault")
    asked = parser.parse_args()
    sys.exit(main(asked.words, asked.sound))
