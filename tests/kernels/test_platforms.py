"""The library of each target, run as far as emulators go: the same answers and games from C, bit for bit.

Programs of arm64 run under ``qemu-aarch64``, those of Windows under ``wine``, and an old processor is one of
``qemu-x86_64``; on Debian ``apt install qemu-user libc6-arm64-cross wine wine64``. There is no emulator of macOS, but
``scripts/contents.py`` looks into its libraries.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from satsweep.kernels.toolchain.library import KERNELS
from tests import ROOT

pytestmark = pytest.mark.slow
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


@pytest.mark.parametrize("target", [target for target in RUN if target != "linux-x86_64"])
def test_the_same_from_c_on_every_platform(target: str, tmp_path: Path) -> None:
    here = answers("linux-x86_64", tmp_path / "here")
    assert len({line for said in here for line in said}) > 300
    assert answers(target, tmp_path / "there") == here


def test_an_old_processor_gets_one_line(tmp_path: Path) -> None:
    code = "from satsweep.kernels.toolchain.library import load\nload()"
    command = [emulator("qemu-x86_64"), "-cpu", "Conroe", sys.executable, "-c", code]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    lacks = "this processor lacks instructions of x86-64-v2 (2009), which the compiled library needs"
    assert said.stderr.splitlines()[-1] == f"satsweep.errors.KernelError: {lacks}"
