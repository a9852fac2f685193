"""Start of an engine on Linux and macOS: sets limits, then becomes the engine.

A file of its own, which Python runs without this package: ``launch.py OWNER MEBIBYTES PROGRAM NAME ARGUMENT...``.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_PARENT_DEATH_SIGNAL, _KILL = 1, 9
"""The option of ``prctl`` on Linux, and the signal."""


def main(owner: int, mebibytes: int, program: str, words: list[str]) -> None:
    """Bound the memory, have the engine end with its owner, and become it."""
    import resource

    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, _KILL)
        if os.getppid() != owner:
            os._exit(1)
        half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
        allowed = min(half, mebibytes << 20) if mebibytes else half
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (allowed, allowed))
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execv(program, words)
    except OSError as error:
        sys.stderr.write(f"{program}: {error.strerror}\n")
        os._exit(127)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
