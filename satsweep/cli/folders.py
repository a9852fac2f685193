"""Files that are named in a call, and those below folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path


def files_in(sources: Sequence[str]) -> Iterator[str]:
    """Yield files, and those below folders by name, without hidden ones."""
    for source in sources:
        try:
            is_folder = source != "-" and Path(source).is_dir()
        except (OSError, ValueError):  # a link, or a name that no file can have
            is_folder = False
        if not is_folder:
            yield source
            continue
        for path in sorted(Path(source).rglob("*")):
            hidden = any(part.startswith(".") for part in path.relative_to(source).parts)
            if path.is_file() and not hidden:
                yield str(path)
