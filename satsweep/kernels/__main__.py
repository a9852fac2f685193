"""Options for a C compiler: where the header and the compiled library are.

cc game.c $(python -m satsweep.kernels) -o game
"""

import sys

from satsweep.errors import KernelError
from satsweep.kernels.toolchain.library import KERNELS, PATH, load

if __name__ == "__main__":
    try:
        load()
    except KernelError as error:
        print(error, file=sys.stderr)
        sys.exit(3)
    print(f"-I{KERNELS / 'c'} {PATH}", *([] if sys.platform == "win32" else [f"-Wl,-rpath,{PATH.parent}"]))
