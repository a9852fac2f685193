"""HTML pages from the templates of the package, which escape all text.

A page is one file that needs nothing else: its styles and scripts are parts of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from satsweep.text import harmless

if TYPE_CHECKING:
    from jinja2 import Environment


def page_of(template: str, **values: object) -> str:
    """A page: a template of the package, filled with values."""
    return harmless(_templates().get_template(template).render(values))


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("satsweep.render.templates", "")
    found = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    found.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return found
