"""The build: the private names of numba that it needs, and the same bytes each time."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from satsweep.kernels.build import TARGETS, this_platform
from satsweep.kernels.toolchain.library import KERNELS

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
    "numba.core.lowering": ("Lower.lower_getitem", "Lower.lower_setitem"),
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
