"""Engines by name: commands, or files with a command, limits and options.

An engine is named ``cmd:./engine --flag`` or ``cmd:engine.toml``. The command is split as a shell would split it; no
shell runs it. docs/umi.md lists the keys of the file.
"""

import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from satsweep.errors import AgentError, BoardError
from satsweep.text import printable

PREFIX = "cmd:"
_KEYS = ("command",)
_OPTIONAL_KEYS = ("memory", "processor-seconds", "files", "options")


@dataclass(frozen=True, slots=True)
class Command:
    """A command that starts an engine, and its limits.

    ``directory`` is the one that it starts in, None for the current one. ``memory`` is in MiB, ``processor_seconds``
    are those of a game; None stands for the usual limits.
    """

    words: tuple[str, ...]
    directory: Path | None = None
    memory: int | None = None
    processor_seconds: float | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    more_files: tuple[Path, ...] = ()
    source: Path | None = None

    def program(self) -> str:
        """Path of the program. Raises AgentError if there is none."""
        first = self.words[0]
        if "/" in first and self.directory is not None:
            first = str(self.directory / first)
        found = shutil.which(first)
        if found is None:
            raise AgentError(f"expected a program that can be run, found {printable(self.words[0])!r}")
        return str(Path(found).absolute())

    def files(self) -> list[Path]:
        """The files that make the engine's version, as far as they exist.

        These are the program, unless it is found on the path, and arguments that name files.
        """
        named = [word for number, word in enumerate(self.words) if number or "/" in word]
        found = [(self.directory or Path()) / word for word in named]
        found += self.more_files
        return [*([] if self.source is None else [self.source]), *(file for file in found if file.is_file())]


def is_command(name: str) -> bool:
    """Return whether a name is that of an engine."""
    return name.startswith(PREFIX)


def command_named(name: str) -> Command:
    """Return the command of a name. Raises AgentError for text that is none.

    >>> command_named("cmd:./engine --flag 'a b'").words
    ('./engine', '--flag', 'a b')
    """
    try:
        words = tuple(shlex.split(name.removeprefix(PREFIX)))
    except ValueError as error:
        raise AgentError(f"{name}: expected a command, found {str(error).lower()}") from None
    if not words:
        raise AgentError(f"expected a command after {PREFIX}, found none")
    if len(words) == 1 and words[0].endswith(".toml"):
        return _read(Path(words[0]))
    return Command(words)


def _read(path: Path) -> Command:
    from satsweep.formats import errors_in_file, read_text
    from satsweep.formats.toml import toml_node

    place = path.absolute().parent
    try:
        with errors_in_file(path):
            fields = toml_node(read_text(path, "an engine")).fields(_KEYS, _OPTIONAL_KEYS)
            words = tuple(word.string() for word in fields["command"].items())
            if not words or not words[0]:
                fields["command"].fail("expected the program and its arguments")
            memory = fields["memory"].integer() if "memory" in fields else None
            seconds = float(fields["processor-seconds"].number()) if "processor-seconds" in fields else None
            for key, limit in (("memory", memory), ("processor-seconds", seconds)):
                if limit is not None and limit <= 0:
                    fields[key].fail("expected a number above 0")
            options = fields["options"].fields((), fields["options"].value) if "options" in fields else {}
            more = [place / one.string() for one in fields["files"].items()] if "files" in fields else []
            values = {key: _option_text(node.value) for key, node in options.items()}
    except BoardError as error:
        raise AgentError(str(error)) from None
    return Command(words, place, memory, seconds, values, tuple(more), path)


def _option_text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
