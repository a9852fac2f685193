"""Start of an agent's process on Linux and macOS, and on Linux its supervisor.

A file of its own, which Python runs without this package: ``launch.py OWNER TELL MEBIBYTES PROGRAM NAME ARGUMENT...``.
On Linux the first process stays as the supervisor, which writes the number of the agent's process to the descriptor
TELL. A process whose parent ends becomes a child of the supervisor, even one with a session of its own, so none is
left when the supervisor ends: after the agent, at the owner's end, or at the owner's SIGTERM.
"""

import os
import signal
import sys
from contextlib import suppress

_PARENT_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36
"""Options of ``prctl`` on Linux."""


def main(owner: int, tell: int, mebibytes: int, program: str, words: list[str]) -> None:
    """Bound the memory, have the agent end with its owner, and become it."""
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        _leave_supervisor(owner, tell)
        half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
        allowed = min(half, mebibytes << 20) if mebibytes else half
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (allowed, allowed))
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")
    try:
        os.execv(program, words)
    except OSError as error:
        sys.stderr.write(f"{program}: {error.strerror}\n")
        os._exit(127)


def _leave_supervisor(owner: int, tell: int) -> None:
    """Go on in a child process; this one becomes its supervisor."""
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda *_: _end_all())
    prctl(_CHILD_SUBREAPER, 1)
    _end_with(prctl, owner, signal.SIGTERM)
    supervisor, agent = os.getpid(), os.fork()
    if agent == 0:
        os.close(tell)
        os.setsid()
        _end_with(prctl, supervisor, signal.SIGKILL)
        return
    os.write(tell, str(agent).encode())
    os.closerange(0, os.sysconf("SC_OPEN_MAX"))  # the agent's connections end with the agent
    ended = status = 0
    while ended != agent:
        ended, status = os.waitpid(-1, 0)
    _end_children()
    if os.WIFSIGNALED(status):
        with suppress(OSError):  # SIGKILL has no handler
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(supervisor, os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


def _end_with(prctl: object, owner: int, by: int) -> None:
    """Get a signal when the parent ends; exit if it is gone already."""
    assert callable(prctl)
    prctl(_PARENT_DEATH_SIGNAL, by)
    if os.getppid() != owner:
        os._exit(1)


def _end_all() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _end_children()
    os._exit(1)


def _end_children() -> None:
    """Kill all children; theirs become children of this process, and end in turn."""
    with suppress(ChildProcessError):
        while True:
            for child in _children():
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass


def _children() -> list[int]:
    """The children of this process, which stay there until it asks for their ends."""
    parent = str(os.getpid()).encode()
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            if file.read().rpartition(b")")[2].split()[1] == parent:
                found.append(int(name))
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:])
