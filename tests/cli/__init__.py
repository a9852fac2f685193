"""Tests of ``satsweep/cli``: ways to run the command, shared by all tests that do."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from satsweep.cli import app
from tests import PATIENCE, ROOT

COMMAND = [sys.executable, str(ROOT / "cli.py")]
SMALL = "mines 3\n##1.\n##21\n####\n"
CONTRADICTORY = "#####\n#131#\n#####\n"
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals, terminals and devices as POSIX has them")


def invoke(*arguments: object, stdin: str | bytes | None = None) -> Result:
    """Run the command in this process; raise any exception but SystemExit."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def said(stderr: str) -> str:
    """Text on standard error in one line; of a usage error, what the box says."""
    return " ".join(stderr.rpartition("─ Error ─")[2].lstrip("─╮").replace("│", " ").split("╰")[0].split())


def interruptible() -> None:
    """Take interrupts as in a terminal, also where the tests were started to ignore them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
    """Run the command in its own process, with interrupts as in a terminal."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    if sys.platform != "win32":
        options["preexec_fn"] = interruptible
    return subprocess.Popen([*COMMAND, *map(str, arguments)], **options)


def on_terminal(*arguments: object, streams: tuple[str, ...], **environment: str) -> tuple[str, str]:
    """Output on a terminal of 80 columns, and on the stream that is none; checks that it succeeds."""
    import pty

    master, slave = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "LINES")}
    environment = {**kept, "TERM": "xterm-256color", "COLUMNS": "80", **environment}
    process = start(*arguments, env=environment, **dict.fromkeys(streams, slave))
    os.close(slave)
    written = b""
    with suppress(OSError):  # Linux: the other side is closed
        while piece := os.read(master, 65536):
            written += piece
    os.close(master)
    piped = "".join((own or b"").decode() for own in process.communicate())
    assert process.returncode == 0, piped
    return written.decode().replace("\r\n", "\n"), piped


def in_terminal(*arguments: object, **environment: str) -> str:
    """Standard output of the command on a terminal of 80 columns; checks that there is no other."""
    written, piped = on_terminal(*arguments, streams=("stdout",), **environment)
    assert piped == ""
    return written


def interrupted(preparation: str, *arguments: object) -> tuple[bytes, bytes, int]:
    """Output after an interrupt at the first line on standard error, and exit code."""
    code = f"{preparation}\nfrom satsweep.cli import main\nmain()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, preexec_fn=interruptible
    )
    assert process.stderr is not None
    assert process.stderr.readline() in (b"counting\n", b"importing\n")
    process.send_signal(signal.SIGINT)
    try:
        stdout, stderr = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return stdout, stderr, process.returncode


def hanging(name: str) -> str:
    """Code after which the import of a module never ends, as ``interrupted`` is told."""
    return f"""
import sys, time
class Hanging:
    def find_spec(self, wanted, path, target=None):
        if wanted == {name!r}:
            sys.stderr.write("importing\\n")
            sys.stderr.flush()
            time.sleep(600)
sys.meta_path.insert(0, Hanging())
"""


def modules_after(code: str) -> set[str]:
    """The modules that are loaded once some code has run in a fresh Python."""
    script = f"{code}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(ran.stderr.split())


def running(*words: str) -> str:
    """Code that runs the command, for ``modules_after``."""
    return (
        f"import sys\nsys.argv[1:] = {list(words)}\nfrom satsweep.cli import main\ntry: main()\nexcept SystemExit: pass"
    )


@cache
def schema_of(name: str) -> Any:
    """Validator of a schema of the package."""
    schema = json.loads(files("satsweep.formats").joinpath("schemas", f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def validate(answer: object, name: str = "analysis") -> None:
    """Check an answer against a schema of the package."""
    schema_of(name).validate(answer)
