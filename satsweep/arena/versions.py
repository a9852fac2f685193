"""Versions of the software that decides how a game goes, and which of them differ."""

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def versions() -> dict[str, str]:
    """Versions of the software that decides how a game goes."""
    from satsweep import __version__

    found = {"satsweep": __version__, "python": ".".join(platform.python_version_tuple()[:2])}
    for package in ("python-sat", "ortools"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def changed_versions(then: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Versions that differ, each as it was and as it is; empty if none does."""
    return ", ".join(
        f"{name} {then.get(name, 'none')}, found {now.get(name, 'none')}"
        for name in dict.fromkeys([*then, *now])
        if then.get(name) != now.get(name)
    )
