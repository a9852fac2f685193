"""The build: names of numba that it needs, the same bytes each time, no index out of bounds, all targets.

Programs of arm64 run under ``qemu-aarch64``, those of Windows under ``wine``, and an old processor is one of
``qemu-x86_64``; on Debian ``apt install qemu-user libc6-arm64-cross wine wine64``. There is no emulator of macOS, but
``scripts/contents.py`` looks into its libraries.
"""

import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from satsweep.kernels.build import TARGETS, this_platform
from satsweep.kernels.toolchain.library import KERNELS
from tests import ROOT
from tests.kernels import trial

PRIVATE = {
    "numba.core.codegen": (
        "CPUCodeLibrary._optimize_functions",
        "CPUCodeLibrary.finalize",
        "CPUCodeLibrary._linking_libraries",
        "CPUCodeLibrary._final_module",
        "JITCodeLibrary.get_pointer_to_function",
        "JITCPUCodegen.set_env",
    ),
    "numba.core.cgutils": ("unpack_tuple",),
    "numba.core.compiler": ("CompilerBase.define_pipelines", "DefaultPassBuilder.define_nopython_pipeline"),
    "numba.core.compiler_machinery": ("register_pass",),
    "numba.core.ir": ("Arg", "Expr"),
    "numba.core.lowering": ("Lower.lower_getitem", "Lower.lower_setitem", "Lower.loadvar", "Lower.typeof"),
    "numba.core.typed_passes": ("NativeLowering.lowering_class",),
    "numba.core.types": ("Array", "BaseTuple", "Integer", "Record", "Tuple", "uintp"),
    "numba.np.arrayobj": ("make_array", "populate_array"),
}
"""What ``satsweep.kernels.toolchain.lowering`` needs, by module; fields of instances are written in ``__init__``."""


@pytest.mark.parametrize("module", PRIVATE)
def test_numba_has_the_names(module: str) -> None:
    found = import_module(module)
    for name in PRIVATE[module]:
        owner, _, attribute = name.partition(".")
        there = getattr(found, owner)
        source = Path(found.__file__ or "").read_text()
        assert not attribute or hasattr(there, attribute) or f"self.{attribute} = " in source, name


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_two_builds_are_the_same_bytes(target: str, tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        script = KERNELS / "build.py"
        subprocess.run([sys.executable, "-P", script, "--target", target, tmp_path / name], check=True)
        made.append({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()})
    assert made[0] == made[1] and len(made[0]) == 2
    if target == this_platform():
        assert made[0] == {name: (KERNELS / name).read_bytes() for name in made[0]}


BROKEN = """
import sys
from pathlib import Path
from tests.kernels import trial

trial.use(Path(sys.argv[1]), small=True)
from satsweep.kernels.api import _workspace, advise, neighbour_table
import numpy as np

_workspace().fields["n_slots"] = 9
advise(np.full(2, -1, np.int8), neighbour_table([[1], [0]]), 1)
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize(
    "small", [pytest.param(["--small"], marks=pytest.mark.extended), pytest.param([], marks=pytest.mark.slow)], ids=len
)
def test_no_index_is_out_of_range(small: list[str], tmp_path: Path) -> None:
    """Hostile questions to a build that checks every access; ``tests.kernels.trial`` asks for as long as one likes."""
    built = run("-P", KERNELS / "build.py", "--checked", *small, tmp_path)
    assert built.returncode == 0, built.stderr[-2000:]
    tried = run("-m", "tests.kernels.trial", tmp_path, *small, "--seconds", 10 if small else 60)
    assert tried.returncode == 0, tried.stderr[-4000:]
    assert all(int(count) for count in re.findall(r"\w+ (\d+)(?:,|$)", tried.stdout))
    if small:
        broken = run("-c", BROKEN, tmp_path)
        assert broken.returncode == trial.REPORTED
        assert re.match(r"position/board.py:\d+ w.listed: index 8 of 8, before the first case", broken.stderr)


RUN: dict[str, tuple[str, list[str]]] = {
    "linux-x86_64": ("x86_64-linux-gnu.2.17", []),
    "linux-arm64": ("aarch64-linux-gnu.2.17", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
    "windows-x86_64": ("x86_64-windows-gnu", ["wine"]),
}
"""By target: that of programs in C, and what runs them."""


def emulator(name: str) -> str:
    return shutil.which(name) or pytest.skip(f"{name} is not installed")


def answers(target: str, room: Path) -> list[list[str]]:
    """What the example in C says of a board, and of games and boards from ten seeds."""
    c_target, run = RUN[target]
    run = [*map(emulator, run[:1]), *run[1:]]
    room.mkdir()
    subprocess.run([sys.executable, "-P", KERNELS / "build.py", "--target", target, room], check=True)
    (library,) = room.glob("*satsweep.*")
    program = room / "sweep.exe"
    options: list[str | Path] = [
        "-std=c11",
        "-target",
        c_target,
        f"-I{KERNELS / 'c'}",
        library,
        "-Wl,-rpath,$ORIGIN",
        "-o",
        program,
    ]
    example = ROOT / "examples" / "c" / "sweep.c"
    subprocess.run([sys.executable, "-m", "ziglang", "cc", example, *options], check=True)
    board = room / "board.txt"
    board.write_text("mines 30\n" + "#" * 12 + "\n" + ("#" * 5 + "11" + "#" * 5 + "\n") * 2 + ("#" * 12 + "\n") * 9)
    runs = ([*run, str(program), str(board), str(seed)] for seed in range(10))
    return [subprocess.run(one, capture_output=True, text=True, check=True).stdout.splitlines() for one in runs]


@pytest.mark.slow
@pytest.mark.parametrize("target", [target for target in RUN if target != "linux-x86_64"])
def test_the_same_from_c_on_every_platform(target: str, tmp_path: Path) -> None:
    here = answers("linux-x86_64", tmp_path / "here")
    assert len({line for said in here for line in said}) > 300
    assert answers(target, tmp_path / "there") == here


@pytest.mark.slow
def test_an_old_processor_gets_one_line(tmp_path: Path) -> None:
    code = "from satsweep.kernels.toolchain.library import load\nload()"
    command = [emulator("qemu-x86_64"), "-cpu", "Conroe", sys.executable, "-c", code]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    lacks = "this processor lacks instructions of x86-64-v2 (2009), which the compiled library needs"
    assert said.stderr.splitlines()[-1] == f"satsweep.errors.KernelError: {lacks}"


def test_a_library_for_a_phone_goes_into_a_directory() -> None:
    """The package has that of its own platform, under the same name."""
    asked = run("-P", KERNELS / "build.py", "--target", "android-arm64")
    assert asked.returncode == 2 and "--target android-arm64: expected a directory" in asked.stderr
