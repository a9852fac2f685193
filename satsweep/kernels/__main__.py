"""Where programs in other languages find the engine: `python -m satsweep.kernels`.

Prints the directory of ``satsweep.h`` and the path of the compiled library, in one line.
"""

from __future__ import annotations

from satsweep.kernels.toolchain.library import KERNELS, PATH

if __name__ == "__main__":
    print(KERNELS / "c", PATH)
