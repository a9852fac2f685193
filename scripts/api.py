"""Make docs/api.md, the list of exported names, from stub and docstrings.

python scripts/api.py             # write the page
python scripts/api.py --check     # change nothing; exit code 1 if the page differs
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

import satsweep

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api.md"
HEAD = """# Exported names

Everything that `import satsweep` offers, by the module it comes from. Each name loads at first use.
`help(satsweep.analyse)` and the like tell more. This page is made by `python scripts/api.py`.
"""


def homes() -> dict[str, list[str]]:
    """Exported names by their modules, in the order of satsweep/__init__.pyi."""
    found: dict[str, list[str]] = {}
    for node in ast.parse((ROOT / "satsweep" / "__init__.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            found.setdefault(f"satsweep.{node.module}", []).extend(alias.name for alias in node.names)
    return found


def below(module: str, name: str) -> str:
    """The docstring below the assignment of a constant."""
    body = ast.parse(inspect.getsource(sys.modules[module])).body
    for before, after in zip(body, body[1:], strict=False):
        match before, after:
            case (
                (ast.Assign(targets=[ast.Name(found)]) | ast.AnnAssign(target=ast.Name(found))),
                ast.Expr(ast.Constant(str(text))),
            ) if found == name:
                return text
    raise SystemExit(f"{module}.{name} has no docstring")


def summary(module: str, name: str) -> str:
    """First line of the docstring of an exported name."""
    value = getattr(satsweep, name)
    documented = inspect.isclass(value) or inspect.isfunction(value)
    text = inspect.getdoc(value) if documented else below(module, name)
    assert text, name
    return text.splitlines()[0]


def signature(name: str) -> str:
    """A name as it is used: functions with their parameters, without types."""
    value = getattr(satsweep, name)
    if not inspect.isfunction(value):
        return name
    parameters = []
    for parameter in inspect.signature(value).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        parameters.append(parameter.name)
    return f"{name}({', '.join(parameters)})"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for module, names in homes().items():
        rows = [f"| `{signature(name)}` | {summary(module, name)} |" for name in names]
        parts.append("\n".join([f"## `{module}`", "", "| name | meaning |", "|---|---|", *rows, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    made = page()
    if "--check" in sys.argv[1:]:
        sys.exit(0 if PAGE.read_text(encoding="utf-8") == made else "docs/api.md differs: python scripts/api.py")
    PAGE.write_text(made, encoding="utf-8")
