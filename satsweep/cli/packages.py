"""Packages that small installations lack, and what to install for a command."""

from importlib.util import find_spec

from satsweep.errors import SatsweepError

PACKAGE_OF_MODULE = {
    "cloudpickle": "cloudpickle",
    "jinja2": "jinja2",
    "markupsafe": "jinja2",
    "networkx": "networkx",
    "numpy": "numpy",
    "ortools": "ortools",
    "pysat": "python-sat",
    "rich": "rich",
    "scipy": "scipy",
}
"""Packages by the modules that they bring.

The modules of extras are named where they are imported.
"""


def check_packages(*modules: str) -> None:
    """Raise SatsweepError for the first module that is not installed.

    It is called before a long run that would need it at its end.
    """
    for module in modules:
        if find_spec(module) is None:
            raise SatsweepError(lacking(module) or module)


def lacking(module: str | None) -> str | None:
    """Sentence that says what to install for a module; None for modules of others."""
    package = PACKAGE_OF_MODULE.get((module or "").partition(".")[0])
    return package and f"this needs {package}, which is not installed: pip install {package}"
